"""Sight: the visibility polygon from a point, and whether two points see each other (C4.2).

A segment is blocked if it crosses the interior of a blocker. Touching an edge or a corner does not block, and a cut
thinner than `TOUCH_MM` is a touch: rounding never closes a gap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.geometry.templates import TOUCH_MM
from rules.geometry.walls import Walls, merged, walls_of, within
from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Sightlines:
    """Who sees what among these blockers, prepared once and asked often.

    blockers   simple polygons, table mm; they may touch and overlap
    bounds     the table; None for pairs only
    """

    blockers: tuple[Polygon, ...]
    bounds: Polygon | None = None

    def polygon_from(self, observer: Point2) -> Polygon:
        """The visibility polygon; empty for an observer outside the bounds or inside a blocker."""
        from rules.geometry.star import star

        if self.bounds is None:
            raise ValueError("a visibility polygon needs bounds: give the table's edge")
        if self.bounds.distance(Point(observer)) > TOUCH_MM:
            return Polygon()
        walls, solid_rows = self._walls
        eye = np.array(observer, float)
        border = star(walls.segments, walls.after, solid_rows, eye, math.inf, 1.0)
        seen = Polygon(border) if len(border) > 2 else Polygon()
        # On the table's edge a solid that goes beyond it closes all directions, but only a hair from the eye.
        return seen if seen.area > TOUCH_MM**2 else Polygon()

    def pairs(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.bool_]:
        """Which of the points `a` (n, 2) sees which of `b` (m, 2): (n, m) bool."""
        from rules.geometry.crossing import CLEAR, TOUCHING, meets_pairs

        starts = np.ascontiguousarray(a, float).reshape(-1, 2)
        ends = np.ascontiguousarray(b, float).reshape(-1, 2)
        if any(blocker.interiors for blocker in self.blockers):
            found = np.full((len(starts), len(ends)), TOUCHING)
        else:
            walls = self._outlines
            found = meets_pairs(walls.segments, walls.first, walls.rings, starts, ends)
        doubtful = np.argwhere(found == TOUCHING)
        seen = np.asarray(found == CLEAR, bool)
        if len(doubtful):
            seen[tuple(doubtful.T)] = self._pass_cores(starts[doubtful[:, 0]], ends[doubtful[:, 1]])
        return seen

    def _pass_cores(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.bool_]:
        ways = np.stack((a, b), axis=1)
        swap = (a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1]))
        ways[swap] = ways[swap, ::-1]  # one direction for both askers, so that a sees b just when b sees a
        return np.asarray(~shapely.intersects(self._cores, shapely.linestrings(ways)), bool)

    def sees(self, a: Point2, b: Point2) -> bool:
        """Whether the segment between two points crosses no blocker's interior."""
        return bool(self.pairs([a], [b])[0, 0])

    @cached_property
    def _walls(self) -> tuple[Walls, int]:
        assert self.bounds is not None
        walls = walls_of(merged(within(self.blockers, self.bounds)), self.bounds)
        return walls, int(walls.first[-2 - len(self.bounds.interiors)])

    @cached_property
    def _outlines(self) -> Walls:
        return walls_of([blocker for blocker in self.blockers if blocker.area > 0])

    @cached_property
    def _cores(self) -> BaseGeometry:
        cores = shapely.buffer(np.array(self.blockers, object), -TOUCH_MM, join_style="mitre", quad_segs=1)
        whole = shapely.union_all(cores)
        shapely.prepare(whole)
        return whole


def visibility_polygon(observer: Point2, blockers: Sequence[Polygon], bounds: Polygon) -> Polygon:
    """All points of `bounds` whose straight segment to `observer` crosses no blocker's interior.

    Empty for an observer outside the bounds or inside a blocker. For many observers keep one `Sightlines`.
    """
    return Sightlines(tuple(blockers), bounds).polygon_from(observer)


def is_visible(a: Point2, b: Point2, blockers: Sequence[Polygon]) -> bool:
    """Whether the segment from `a` to `b` crosses no blocker's interior; the same from `b` to `a`."""
    return Sightlines(tuple(blockers)).sees(a, b)
