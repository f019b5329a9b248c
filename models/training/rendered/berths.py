"""Where things stand on a table that is laid: no solid stands in another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Point, Polygon

Array = NDArray[np.float64]

# So much air is between two things.
_GAP_MM = 2.0


def outline_of(points: Array) -> Polygon:
    """The outline (mm, from above) of a thing by its corners (n, 2 or 3)."""
    return MultiPoint(np.asarray(points)[:, :2]).convex_hull.buffer(_GAP_MM / 2)


def turned(points: Array, turn: float) -> Array:
    """(n, 2) points (n, 2 or 3) from above, turned about the origin by radians."""
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(points)[:, :2] @ np.array([[c, s], [-s, c]])


@dataclass(eq=False)
class Berths:
    """The outlines that are taken on a table, each with the number of the thing that takes it."""

    taken: list[tuple[int, Polygon]] = field(default_factory=list)

    def free(self, outline: Polygon, besides: int | None = None) -> bool:
        """Whether nothing stands in the outline, except perhaps one thing that may."""
        return not any(owner != besides and outline.intersects(other) for owner, other in self.taken)

    def take(self, outline: Polygon, owner: int) -> None:
        """Let a thing take that outline from now on."""
        self.taken.append((owner, outline))


def disc(at: Array, radius: float) -> Polygon:
    """The foot of a figure, mm."""
    return Point(*at).buffer(radius)


def stands_on(top: Array, at: Array, radius: float) -> bool:
    """Whether a foot of that radius does not tip over the edge of a top (n, 2)."""
    return bool(Polygon(top).buffer(-radius / 2).contains(Point(*at)))
