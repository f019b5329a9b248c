"""What is drawn to learn from, made once and read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

# A NamedTuple of arrays.
_Arrays = TypeVar("_Arrays", bound=tuple)  # type: ignore[type-arg]


def stored(path: Path, kind: type[_Arrays], make: Callable[[], _Arrays]) -> _Arrays:
    """The arrays in `path`, an npz file, as a record of that kind; made and written first if the file is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        store(path, make()._asdict())  # type: ignore[attr-defined]
    with np.load(path) as kept:
        return kind(*(kept[name] for name in kind._fields))  # type: ignore[attr-defined]


def store(path: Path, arrays: dict[str, ArrayLike], *, small: bool = False) -> None:
    """Writes an npz file whole or not at all: what is interrupted leaves no half one to learn from.

    small  squeezed, which takes longer
    """
    # Until it is whole no `*.npz` finds it.
    draft = path.with_suffix(".npz.part")
    with draft.open("wb") as file:
        (np.savez_compressed if small else np.savez)(file, **arrays)
    draft.replace(path)
