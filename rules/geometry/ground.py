"""Reach over mixed ground: all points whose cheapest path costs at most the budget.

A path's cost is the sum of (length in a kind of ground x that kind's cost per mm). Cheapest paths refract on straight
borders as light does (Snell), run along the border of faster ground and bend round corners; no closed form exists. Here
the borders carry points every `border.SPACING_MM` or closer, the cheapest cost to each is found over straight segments
(`wavefront.settle`), and the region is the union of what those points still reach in the ground on either side.

Error  a border crossed between two such points costs at most spacing^2 / 8 x (1 / r1 + 1 / r2) mm more than at the best
       crossing, r1 and r2 being the path's lengths on both sides; `benchmarks/ground.py` measures the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely
from shapely import LineString, MultiPolygon, Polygon

from rules.geometry.border import borders_of
from rules.geometry.isochrone import Wave, won_areas
from rules.geometry.levels import Ground, areal, levels_about
from rules.geometry.wavefront import settle
from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

# Slits up to twice as wide are rounding where two lit areas meet, not ground that nobody reaches.
_SLIT_MM = 0.05
# Parts smaller than this are rounding beside an obstacle.
_SPECK_MM2 = 0.05


def mixed_reach(
    start: Point2,
    grounds: Sequence[Ground],
    open_cost_per_mm: float,
    obstacles: Sequence[BaseGeometry],
    bounds: Polygon,
    budget: float = 1.0,
) -> MultiPolygon:
    """All points of `bounds` to which a path from `start` costs at most `budget`.

    grounds    later ones lie over earlier ones; everywhere else a mm costs `open_cost_per_mm`
    obstacles  areas that a path may touch and not enter (already grown by the base's radius)
    bounds     convex: the table
    Empty      when `start` lies inside an obstacle, on ground that nobody may enter, or outside the bounds.
    """
    levels = levels_about(start, grounds, open_cost_per_mm, obstacles, bounds, budget)
    borders = borders_of(levels) if levels.regions else None
    if borders is None or not borders.on[0].any():
        return MultiPolygon()
    wave = settle(
        borders.xy, borders.on, borders.corners, borders.cost_per_mm, borders.edges, borders.first_edge, budget
    )
    won = shapely.union_all(won_areas(borders, Wave(*wave), budget))
    parts = areal((_without_slits(won) & bounds) - levels.obstacles).geoms
    return MultiPolygon([part for part in parts if part.area >= _SPECK_MM2])


def straight_cost(a: Point2, b: Point2, grounds: Sequence[Ground], open_cost_per_mm: float) -> float:
    """The cost of the straight segment from a to b; infinite where it enters ground that nobody may enter."""
    left: BaseGeometry = LineString((a, b))
    cost = 0.0
    for ground in reversed(grounds):
        length_mm = (left & ground.area).length
        if length_mm > 0:
            cost += length_mm * ground.cost_per_mm
            left = left - ground.area
    return cost + left.length * open_cost_per_mm


def _without_slits(area: BaseGeometry) -> BaseGeometry:
    return area.buffer(_SLIT_MM, join_style="mitre").buffer(-_SLIT_MM, join_style="mitre")
