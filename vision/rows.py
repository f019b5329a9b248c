"""Records of n things: an array for each property, a row of it for each thing."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Rows:
    """n things. Every field of a record that derives from this one is an array of n rows."""

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Self:
        """Some of them, by a mask (n,), by number, or by a slice."""
        return replace(self, **{each.name: getattr(self, each.name)[which] for each in fields(self)})

    def and_more(self, more: Self) -> Self:
        """These, and others after them."""
        pairs = {each.name: (getattr(self, each.name), getattr(more, each.name)) for each in fields(self)}
        return replace(self, **{name: np.concatenate(pair) for name, pair in pairs.items()})
