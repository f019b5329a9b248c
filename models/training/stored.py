"""What is drawn to learn from, made once and read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

# A NamedTuple of arrays.
_Arrays = TypeVar("_Arrays", bound=tuple)  # type: ignore[type-arg]


def stored(path: Path, kind: type[_Arrays], make: Callable[[], _Arrays]) -> _Arrays:
    """The arrays of that kind in `path`, an npz file; made and written if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, **make()._asdict())  # type: ignore[attr-defined]
    store = np.load(path)
    return kind(*(store[name] for name in kind._fields))  # type: ignore[attr-defined]
