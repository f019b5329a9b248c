"""Reach: where a round base may go among obstacles within a length of path, and the shortest way there (C4.1).

The base's centre moves; obstacles grow by the base's radius, so the centre is a point among grown obstacles. A base may
touch: what has room to the thousandth of a millimetre passes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiPoint, MultiPolygon, Point, Polygon

from rules.geometry.sight import Sightlines
from rules.geometry.templates import arc_steps, disc
from rules.geometry.walls import Walls, floor_of, merged, walls_of, within
from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

# Round corners of grown obstacles are inscribed polygons; a path round one is at most 0.05 % of the arc too short.
CORNER_SAGITTA_MM = 0.03
# The rim of a move of 300 mm is drawn with chords within this.
RIM_SAGITTA_MM = 0.02
# From start to start along the rim of a region that spreads: 0.04 mm are lost between two of them at 4 inches.
RIM_STEP_MM = 5.0
# Obstacles grow by this much less than the base's radius: bases may touch, and gaps of the exact breadth are open.
TOUCH_ROOM_MM = 1e-3
# Corners of grown obstacles that lie so near to a straight side are left out. Less than the room: where the outline is
# hollow a side may come nearer by that much, and whoever stands beside it stays outside.
STRAIGHT_MM = TOUCH_ROOM_MM / 2
# What the union leaves between two pieces of one region: far below anything that can be measured.
SPECK_MM2 = 1e-3

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ground = Polygon | MultiPolygon
Disc = tuple[Point2, float]


@dataclass(frozen=True, eq=False)
class Walk:
    """All taut paths of one base from one place; asked for the region, a length or a way.

    start           the base's centre, table mm; one that overlaps an obstacle may leave it but not cross it
    budget_mm       longest path
    obstacles       polygons the base must keep clear of; discs ((x, y), radius) besides, which grow exactly
    base_radius_mm  0 for a point
    bounds          where the centre must end (C4.7); one that starts outside comes in by straight ways
    """

    start: Point2
    budget_mm: float
    obstacles: tuple[Polygon, ...]
    base_radius_mm: float
    bounds: Polygon
    discs: tuple[Disc, ...] = ()

    @cached_property
    def region(self) -> Ground:
        """Where the walk may end: every point whose shortest path is at most the budget.

        Empty for no budget, and where obstacles leave no floor to begin on.
        """
        if self.budget_mm <= 0 or self._is_shut:
            return Polygon()
        return self._ends(self._lit(1, self._paths))

    def within(self, budget_mm: float) -> Ground:
        """The region for a lesser budget, among the same grown obstacles."""
        if self._is_shut:
            return Polygon()
        return self._ends(self._lit(1, self._explored(np.array([(*self.start, 0.0)]), budget_mm)))

    def spread(self, region: Ground, further_mm: float) -> Ground:
        """Every point at most `further_mm` of path from some point of `region`, among the same obstacles.

        Error  0.03 mm too small at 4 inches further, 0.12 mm at one, for its rim starts every `RIM_STEP_MM`
        """
        if self._is_shut:
            return Polygon()
        rim = shapely.get_coordinates(shapely.segmentize(region.boundary, RIM_STEP_MM))
        starts = np.column_stack((np.unique(rim, axis=0), np.zeros(len(np.unique(rim, axis=0)))))
        return self._ends([*shapely.get_parts(region), *self._lit(len(starts), self._explored(starts, further_mm))])

    def _ends(self, pieces: list[Polygon]) -> Ground:
        """The pieces as one region, cut at the bounds."""
        whole = _union(pieces)
        return _tidy(whole if self._floor is self.bounds else shapely.intersection(whole, self.bounds))

    def _lit(self, stars: int, paths: tuple[Floats, Ints, Ints, Floats, Ints]) -> list[Polygon]:
        """What the starts see, and the wedges behind the corners, as polygons that overlap."""
        from rules.geometry.taut import fans

        walls, _ = self._walls
        points, offsets, bends, _, sources = paths
        borders = [points[offsets[i] : offsets[i + 1]] for i in range(stars)]
        rims, of = fans(walls, points, offsets[stars:], bends, sources)
        rings = shapely.linearrings(rims, indices=of)
        wedges = [Polygon(ring) for ring in np.atleast_1d(np.asarray(rings, object))]
        return [*(Polygon(border) for border in borders if len(border) > 2), *wedges]

    def way_to(self, goal: Point2) -> LineString | None:
        """A shortest path to `goal`, or None if there is none within the budget."""
        walls, solids = self._walls
        _, _, bends, lengths, _ = self._paths
        corners = walls.segments[bends // 2, :2]
        totals = lengths + np.hypot(*(corners - goal).T)
        straight_mm = math.dist(self.start, goal)
        lines = Sightlines(tuple(solids))
        if self.bounds.distance(Point(goal)) > TOUCH_ROOM_MM:
            return None
        if straight_mm <= self.budget_mm and lines.sees(self.start, goal):
            return LineString((self.start, goal))
        for last in np.argsort(totals):
            if totals[last] > self.budget_mm:
                return None
            if lines.sees(tuple(corners[last]), goal):
                return LineString([*self._corners_to(int(last)), goal])
        return None

    def _corners_to(self, last: int) -> list[Point2]:
        walls, _ = self._walls
        _, _, bends, _, sources = self._paths
        place = {int(bend): index for index, bend in enumerate(bends)}
        way = [last]
        while sources[way[-1]] >= 0:
            way.append(place[int(sources[way[-1]])])
        return [self.start, *(tuple(walls.segments[bends[index] // 2, :2]) for index in reversed(way))]

    @cached_property
    def _floor(self) -> Polygon:
        """Where its paths may run."""
        return ground_for(self.start, self.bounds)

    @cached_property
    def _walls(self) -> tuple[Walls, list[Polygon]]:
        floor, standing, solids = self._ground
        return walls_of(standing, floor), solids

    @cached_property
    def _ground(self) -> tuple[Polygon, list[Polygon], list[Polygon]]:
        """The floor, the grown obstacles that stand free on it, and all grown obstacles."""
        grown = [*self._grown_polygons(), *self._grown_discs()]
        solids = merged(within(grown, self._floor))
        return *floor_of(self._floor, solids, self.start), solids

    @cached_property
    def _is_shut(self) -> bool:
        """Whether obstacles at the edge of the bounds leave no floor where the walk begins."""
        floor, _, _ = self._ground
        return floor is not self._floor and not floor.dwithin(Point(self.start), TOUCH_ROOM_MM)

    @cached_property
    def _paths(
        self,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        return self._explored(np.array([(*self.start, 0.0)]), self.budget_mm)

    def _explored(self, starts: Floats, budget_mm: float) -> tuple[Floats, Ints, Ints, Floats, Ints]:
        from rules.geometry.taut import explore

        walls, _ = self._walls
        step_rad = math.tau / arc_steps(max(budget_mm, 1.0), sagitta_mm=RIM_SAGITTA_MM)
        # A budget of whole millimetres would compile the loop once more.
        budget_mm = float(budget_mm)
        return explore(walls, starts, budget_mm, step_rad)

    @cached_property
    def _room_mm(self) -> float:
        return TOUCH_ROOM_MM if self.base_radius_mm > 0 else 0.0

    def _grown_polygons(self) -> list[Polygon]:
        if not self.obstacles:
            return []
        polygons = np.array(self.obstacles, object)
        here = Point(self.start)
        # Less than nothing is between the start and an obstacle that it lies in: that one bars going deeper into it.
        deep_mm = shapely.distance(shapely.boundary(polygons), here)
        gaps_mm = np.where(shapely.contains(polygons, here), -deep_mm, shapely.distance(polygons, here))
        near = gaps_mm <= self.budget_mm + self.base_radius_mm
        # One who stands in an obstacle needs the room without a base too: on its edge, rounding would put him inside.
        room_mm = np.where(gaps_mm[near] < 0, TOUCH_ROOM_MM, self._room_mm)
        grow_mm = np.minimum(self.base_radius_mm, gaps_mm[near]) - room_mm
        grown = [_grown(one, mm, self.base_radius_mm) for one, mm in zip(polygons[near], grow_mm, strict=True)]
        parts = shapely.get_parts(np.array(grown, object))
        return [part for part in parts if not part.contains(Point(self.start))]

    def _grown_discs(self) -> list[Polygon]:
        grown = []
        for middle, radius_mm in self.discs:
            gap_mm = math.dist(self.start, middle)
            if gap_mm <= self.budget_mm + self.base_radius_mm + radius_mm:
                room_mm = min(radius_mm + self.base_radius_mm, gap_mm) - self._room_mm
                grown.append(_disc((middle[0], middle[1]), max(room_mm, 0.0)))
        return [part for part in grown if not part.is_empty]


def ground_for(start: Point2, bounds: Polygon) -> Polygon:
    """The bounds, which are convex, and for one who stands outside also all straight ways into them."""
    if bounds.covers(Point(start)):
        return bounds
    return Polygon(shapely.get_coordinates(MultiPoint([*bounds.exterior.coords, start]).convex_hull))


def reachable_region(
    start: Point2, budget_mm: float, obstacles: Sequence[Polygon], base_radius_mm: float, bounds: Polygon
) -> Ground:
    """Every point whose shortest path for the base's centre is at most `budget_mm`; see `Walk`."""
    return Walk(start, budget_mm, tuple(obstacles), base_radius_mm, bounds).region


@lru_cache(maxsize=2048)
def _disc(middle: Point2, radius_mm: float) -> Polygon:
    """A base grown for another; it stays where it is while others move, so the answer is kept."""
    return disc(middle, radius_mm, CORNER_SAGITTA_MM)


@lru_cache(maxsize=512)
def _grown(polygon: Polygon, mm: float, radius_mm: float) -> shapely.Geometry:
    """Terrain grown for a base of that radius; it stays where it is while bases move, so the answer is kept."""
    if mm == 0:
        return polygon
    quad_segs = math.ceil(arc_steps(radius_mm, sagitta_mm=CORNER_SAGITTA_MM) / 4)
    grown = shapely.buffer(polygon, mm, quad_segs=quad_segs, join_style="round" if mm > 0 else "mitre")
    return shapely.simplify(grown, STRAIGHT_MM)


def _union(pieces: list[Polygon]) -> shapely.Geometry:
    try:
        return shapely.union_all(pieces)
    except shapely.GEOSException:  # pieces that touch themselves within rounding: snap to a millionth of a millimetre
        return shapely.union_all(shapely.make_valid(np.array(pieces, object)), grid_size=1e-6)


def _tidy(region: shapely.Geometry) -> Ground:
    """The region without the specks and pinholes that rounding leaves along seams."""
    parts = [part for part in shapely.get_parts(region) if isinstance(part, Polygon) and part.area > SPECK_MM2]
    whole = [
        Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > SPECK_MM2]) for part in parts
    ]
    return whole[0] if len(whole) == 1 else MultiPolygon(whole) if whole else Polygon()
