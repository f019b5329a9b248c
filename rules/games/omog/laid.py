"""A template laid on the table, and how deep it covers a base (OMOG-4, C4.6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, Polygon

from rules.games.omog.limit import SAME_MM
from rules.games.omog.soldier import Base, Figure
from rules.geometry.edge import inset_mm
from rules.scene import Point2


@dataclass(frozen=True, eq=False)
class Laid:
    """A template in its place.

    shape      as it is drawn
    impact     the point from which it strikes: the disc's centre, or the muzzle
    radius_mm  of a disc, which stays a true disc when it is measured; 0 for a triangle
    """

    shape: Polygon
    impact: Point2
    radius_mm: float = 0.0

    @cached_property
    def far_mm(self) -> float:
        """No point of it is farther from the impact."""
        return self.radius_mm or float(shapely.hausdorff_distance(self.shape, Point(self.impact)))

    def may_cover(self, figure: Figure, beside_mm: float) -> bool:
        """Whether it may cover the figure's base or come so near to it."""
        return math.dist(figure.piece.position_mm, self.impact) <= self.far_mm + figure.spread_mm + beside_mm + SAME_MM

    def depths_mm(self, bases: Sequence[Base]) -> list[float]:
        """How far each base would have to move to be clear of it; negative by the gap of one that is clear."""
        if not self.radius_mm:
            return [self._depth_mm(base) for base in bases]
        gaps_mm = shapely.distance([base.core for base in bases], Point(self.impact)).tolist()
        return [self.radius_mm + base.rim_mm - gap_mm for base, gap_mm in zip(bases, gaps_mm, strict=True)]

    def _depth_mm(self, base: Base) -> float:
        if isinstance(base.core, Point):
            return base.rim_mm + inset_mm(self.shape, base.core)
        gap_mm = float(base.core.distance(self.shape))
        return -gap_mm if gap_mm > 0 else self._way_out_mm(base.core)

    def _way_out_mm(self, core: Polygon) -> float:
        """The least way out: at right angles to a side of the template or of the base, both convex."""
        own, others = shapely.orient_polygons((self.shape, core.convex_hull))
        ways = np.vstack((_outward(own), -_outward(others)))
        own_mm, others_mm = (ways @ shapely.get_coordinates(one).T for one in (own, others))
        return float((own_mm.max(axis=1) - others_mm.min(axis=1)).min())


def _outward(area: Polygon) -> NDArray[np.float64]:
    """(n, 2) of unit length, out of each side of an area that goes counter-clockwise."""
    sides = np.diff(shapely.get_coordinates(area.exterior), axis=0)
    return np.asarray(np.column_stack((sides[:, 1], -sides[:, 0])) / np.hypot(*sides.T)[:, None], float)
