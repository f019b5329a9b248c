"""The borders between levels: straight sides that meet in vertices. They depend on the ground alone and are kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from rules.geometry.levels import GRID_MM, Levels, areal
from rules.geometry.screens import Floats, Ints, Screens, fence_of, rings_of, screens_of, thinned

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Flags = NDArray[np.bool_]

# How far beside a border its two sides are asked for: past the grid, and no farther, for ground may taper to a tip.
_BESIDE_MM = 3e-4
# Corners of walls are vertices of the borders to this many mm.
_SAME_MM = 1e-4
# Off the table is other ground than any on it, so far at least: thinned at the table's edge, a wood would leave a path.
_OFF_MM = 1.0


class Plan(NamedTuple):
    """The borders of a table's ground, as numbers.

    vertices  (v, 2) mm: where sides meet, and the corners of dearer ground
    on        (v, levels) which ground a vertex touches
    corners   (v, levels, 4) on a corner of ground dearer than a level: its neighbours there as x y x y; NaN elsewhere
    sides     (s, 8) both ends as x y x y, the numbers of their vertices, and the levels on the left and on the right
    """

    vertices: Floats
    on: Flags
    corners: Floats
    sides: Floats


@dataclass(frozen=True, eq=False)
class Borders:
    """The borders of a table's ground, and what they shut in.

    walls    (levels,) all other ground and what is off the table, thinned: where no straight segment on the level goes
    screens  the sides of these
    """

    plan: Plan
    walls: tuple[BaseGeometry, ...]
    screens: Screens


@lru_cache(maxsize=64)
def borders_of(levels: Levels) -> Borders:
    """The borders of a table's ground."""
    ends = _noded(levels.regions)
    beside = np.column_stack([_levels_beside(levels, ends, hand) for hand in (1.0, -1.0)])
    real = (beside >= 0).all(axis=1) & (beside[:, 0] != beside[:, 1])
    rings = [rings_of(_union(levels.regions[level + 1 :])) for level in range(len(levels.regions))]
    places = np.concatenate([ends[real].reshape(-1, 2), *(ring for level in rings for ring in level)])
    _, first, number = np.unique(np.round(places / _SAME_MM), axis=0, return_index=True, return_inverse=True)
    vertices, sides = places[first].reshape(-1, 2), number.reshape(-1)[: 2 * real.sum()].reshape(-1, 2)
    # Not the union of all other ground: rounding leaves cracks in it, which thinning would open.
    around = shapely.buffer(levels.bounds, _OFF_MM, join_style="mitre")
    others = (areal(shapely.difference(around, region, grid_size=GRID_MM)) for region in levels.regions)
    walls = tuple(thinned(other) for other in others)
    corners = _corners(rings, number.reshape(-1)[2 * real.sum() :], len(vertices))
    table = np.hstack((vertices[sides].reshape(-1, 4), sides, beside[real])).astype(float)
    return Borders(
        Plan(vertices, touching(walls, vertices), corners, table),
        walls,
        screens_of([], [fence_of(wall) for wall in walls]),
    )


def touching(walls: tuple[BaseGeometry, ...], xy: Floats) -> Flags:
    """Which levels' ground points touch, (n, levels): outside that level's walls."""
    for wall in walls:
        shapely.prepare(wall)
    return ~np.column_stack([shapely.contains_xy(wall, xy) for wall in walls])


def _union(regions: list[BaseGeometry] | tuple[BaseGeometry, ...]) -> BaseGeometry:
    return areal(shapely.union_all(list(regions), grid_size=GRID_MM))


def _noded(regions: tuple[BaseGeometry, ...]) -> Floats:
    """The sides of all regions, each once, (n, 4); they end wherever another begins.

    The grid is coarser than that of the regions: a corner that it put beside the side of another region is on it here.
    """
    lines = shapely.get_parts(shapely.union_all([region.boundary for region in regions], grid_size=_SAME_MM))
    xy, line = shapely.get_coordinates(lines, return_index=True)
    ends = np.hstack((xy[:-1], xy[1:]))
    sides: Floats = ends[line[:-1] == line[1:]]
    return sides


def _levels_beside(levels: Levels, ends: Floats, hand: float) -> Ints:
    along = ends[:, 2:] - ends[:, :2]
    left = np.column_stack((-along[:, 1], along[:, 0])) / np.maximum(np.hypot(*along.T), 1e-12)[:, None]
    beside = (ends[:, :2] + ends[:, 2:]) / 2 + hand * _BESIDE_MM * left
    level = np.full(len(ends), -1, np.int64)
    for number, region in enumerate(levels.regions):
        shapely.prepare(region)
        level[shapely.contains_xy(region, beside)] = number
    return level


def _corners(rings: list[list[Floats]], numbers: Ints, count: int) -> Floats:
    """The neighbours of each corner of dearer ground; `numbers` those of all the rings' points, in order."""
    corners = np.full((count, len(rings), 4), np.nan)
    done = 0
    for level, of_level in enumerate(rings):
        for ring in of_level:
            around = np.hstack((np.roll(ring[:-1], 1, axis=0), ring[1:]))
            corners[numbers[done : done + len(around)], level] = around
            done += len(ring)
    return corners
