"""Where table millimetres show in the picture: a camera's plane, or a drawn top view when there is no camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Projection(Protocol):
    """What painting needs of a table plane: from the table to the picture and back."""

    def to_image(self, xy_mm: ArrayLike, height_mm: ArrayLike = 0.0, /) -> Array:
        """(n, 2) px of (n, 2) table mm at `height_mm`, number or (n,), above the table."""
        ...

    def to_table(self, px: ArrayLike, height_mm: float = 0.0, /) -> Array:
        """(n, 2) table mm of (n, 2) px that show something at `height_mm`."""
        ...


def has_more_room_above(projection: Projection, table_size_mm: tuple[float, float], size_px: tuple[int, int]) -> bool:
    """Whether the picture shows more above the table than below it: the place for words."""
    width, depth = table_size_mm
    rows = projection.to_image([(0, 0), (width, 0), (width, depth), (0, depth)])[:, 1]
    seen = rows[np.isfinite(rows)]
    return bool(len(seen) and seen.min() > size_px[1] - seen.max())


@dataclass(frozen=True)
class BoardView:
    """The table drawn from straight above, y up, with a margin around it.

    size_mm   the table; `size_px` the picture that holds it
    foot_px   left free below the table, for words
    beyond_mm how far what is drawn sticks out over the table on all sides
    """

    size_mm: tuple[float, float]
    size_px: tuple[int, int]
    margin_px: float = 24.0
    foot_px: float = 0.0
    beyond_mm: float = 0.0

    @property
    def px_per_mm(self) -> float:
        """The largest scale at which the whole table fits, with what sticks out over it."""
        width, height = (max(side - 2 * self.margin_px, 1.0) for side in self.size_px)
        broad_mm, deep_mm = (side + 2 * self.beyond_mm for side in self.size_mm)
        return min(width / broad_mm, max(height - self.foot_px, 1.0) / deep_mm)

    @property
    def _near_left_px(self) -> Array:
        span = np.array(self.size_mm) * self.px_per_mm
        left, top = (np.array(self.size_px) - (0, self.foot_px) - span) / 2
        return np.array([left, top + span[1]])

    def to_image(self, xy_mm: ArrayLike, height_mm: ArrayLike = 0.0, /) -> Array:
        """(n, 2) px; height does not show from straight above."""
        return self._near_left_px + np.asarray(xy_mm, float).reshape(-1, 2) * (self.px_per_mm, -self.px_per_mm)

    def to_table(self, px: ArrayLike, height_mm: float = 0.0, /) -> Array:
        """(n, 2) table mm."""
        return (np.asarray(px, float).reshape(-1, 2) - self._near_left_px) / (self.px_per_mm, -self.px_per_mm)
