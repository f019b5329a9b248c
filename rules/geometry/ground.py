"""Reach over mixed ground: all points whose cheapest path costs at most the budget.

A path's cost is the sum of (length in a kind of ground x that kind's cost per mm). Cheapest paths refract on straight
borders as light does (Snell), run along the border of faster ground and bend round corners; no closed form exists.
Here the cost along every border is a curve between points that lie `SPACING` apart (`chart`, `fronts`), the wave passes
from border to border in Dijkstra's order (`wavefront`), and the region is the union of what the curves still light
within the budget (`pieces`: `ribbons`, `fans`, `shadows`).

Error  the curves are right to the fourth power of the spacing where one wave passes, to the second where two meet:
       0.16 mm in most scenes against points 0.3 mm apart; what 1,200 scenes say about the laws is in docs/omog.md.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import LineString, Point, Polygon

from rules.compiled import compiled
from rules.geometry.border import Flags, Plan, borders_of, touching
from rules.geometry.chart import Spacing, chart_of, rims_within
from rules.geometry.levels import Ground, Levels, levels_of
from rules.geometry.pieces import pieces
from rules.geometry.reach import ground_for
from rules.geometry.region import Lit
from rules.geometry.screens import THIN_MM, Fence, Floats, Ints, Screens, Solid, joined, screens_within, solid_of
from rules.geometry.walls import merged
from rules.geometry.wavefront import settle
from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from shapely.geometry.base import BaseGeometry

# The points of borders; the figures above were measured with these.
SPACING = Spacing(most=6.0, share=0.5, least=0.8)
# What is looked at beyond the farthest point of the reach.
_BESIDE_MM = 1.0


def mixed_region(
    start: Point2,
    grounds: Sequence[Ground],
    open_cost_per_mm: float,
    obstacles: Sequence[BaseGeometry],
    bounds: Polygon,
    budget: float = 1.0,
) -> Lit:
    """All points of `bounds` to which a path from `start` costs at most `budget`.

    grounds    later ones lie over earlier ones; everywhere else a mm costs `open_cost_per_mm`
    obstacles  areas that a path may touch and not enter (already grown by the base's radius)
    bounds     convex: the table; who stands outside comes in by straight ways over open ground
    Empty      when `start` lies inside an obstacle or on ground that nobody may enter.
    """
    nothing = Lit(np.empty((0, 2)), np.zeros(1, np.int64), (), bounds, start)
    levels = levels_of(tuple(grounds), open_cost_per_mm, ground_for(start, bounds))
    if not len(levels.regions):
        return nothing
    range_mm = _longest_mm(start, levels, budget) + SPACING.most + _BESIDE_MM
    near = _near([*levels.shut, *obstacles], start, range_mm)
    if any(_holds(part, Point(start)) for part in near):
        return nothing
    outlines, first = _won(start, levels, [solid_of(part) for part in near], range_mm, budget)
    return Lit(outlines, first, near, bounds, start)


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


def _longest_mm(start: Point2, levels: Levels, budget: float) -> float:
    """No path within the budget is longer: ground counts as soon as a straight way there would have come to it."""
    gaps_mm = shapely.distance(np.array(levels.regions, object), Point(start))
    longest_mm, rate, left = 0.0, float(levels.cost_per_mm[np.argmin(gaps_mm)]), budget
    for gap_mm, cost_per_mm in sorted(zip(gaps_mm.tolist(), levels.cost_per_mm.tolist(), strict=True)):
        if cost_per_mm < rate and (gap_mm - longest_mm) * rate < left:
            left -= (gap_mm - longest_mm) * rate
            longest_mm, rate = gap_mm, cost_per_mm
    return longest_mm + left / rate


def _near(shapes: Iterable[BaseGeometry], start: Point2, range_mm: float) -> list[Polygon]:
    """The polygons within range, those that overlap as one."""
    parts = shapely.get_parts(list(shapes))
    near = parts[shapely.dwithin(parts, Point(start), range_mm)]
    return merged([part for part in near if isinstance(part, Polygon) and part.area > 0])


def _holds(solid: Polygon, here: Point) -> bool:
    """Whether a point lies inside, not on the border but for the rim that paths may shave off."""
    return bool(solid.contains(here) and solid.boundary.distance(here) > THIN_MM)


def _won(start: Point2, levels: Levels, solids: Sequence[Solid], range_mm: float, budget: float) -> tuple[Floats, Ints]:
    """The outlines whose union is the reach, as `united` takes them."""
    here, borders = np.array(start, float), borders_of(levels)
    corners = np.concatenate([np.empty((0, 6)), *(solid.corners for solid in solids)])
    rims = rims_within(corners[shapely.contains_xy(_off_edge(levels.bounds), corners[:, :2])], here, range_mm)
    beyond = touching(borders.walls, np.vstack((here, rims[:, :2])))
    fence = joined([solid.fence for solid in solids])
    return _lit(
        borders.plan, borders.screens, fence, corners, rims, beyond, here, range_mm, SPACING, levels.cost_per_mm, budget
    )


@lru_cache(maxsize=64)
def _off_edge(bounds: Polygon) -> BaseGeometry:
    """Where corners lie round which a path can go; between one on the table's edge and that edge is but a slit."""
    inner = shapely.buffer(bounds, -2 * THIN_MM, join_style="mitre")
    shapely.prepare(inner)
    return inner


@compiled
def _lit(
    plan: Plan, screens: Screens, fence: Fence, corners: Floats, rims: Floats, beyond: Flags, start: Floats,
    range_mm: float, spacing: Spacing, cost_per_mm: Floats, budget: float,
) -> tuple[Floats, Ints]:  # fmt: skip
    """What a wave from the start lights within the budget; one call, for handing over a chart costs as much as a wave's
    tenth."""
    chart = chart_of(plan, rims, beyond, corners, fence.edges, start, range_mm, spacing)
    near = screens_within(fence, screens, start[0], start[1], range_mm)
    # Points just beyond the budget tell where on a border it ends.
    wave = settle(chart, near, cost_per_mm, budget + spacing.most * cost_per_mm[-1])
    return pieces(chart, near, wave, cost_per_mm, budget)
