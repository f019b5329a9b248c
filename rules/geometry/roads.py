"""A road network in table millimetres: straight segments between shared vertices, and points on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, STRtree

from rules.geometry.discs import SAME_MM, Array, chords, nearest_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.scene import Point2

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class RoadPoint:
    """A point of the network: on which segment, where, and how far from the point asked for.

    t  0 at the segment's start, 1 at its end
    """

    segment: int
    t: float
    at_mm: Point2
    distance_mm: float


@dataclass(frozen=True, eq=False)
class RoadNetwork:
    """Segments that join where they share a vertex, and nowhere else: a crossing without one is a bridge.

    start_mm, end_mm  (n, 2) in the order of the map
    ends              (n, 2) vertex numbers; equal numbers are joined
    road              (n,) which of the given lines the segment comes from, ascending
    overlapping       whether two segments share more than a point, so that lengths must not be added up
    """

    start_mm: Array
    end_mm: Array
    ends: Indices
    road: Indices
    vertices_mm: Array
    overlapping: bool
    delta_mm: Array = field(init=False)
    length_mm: Array = field(init=False)
    tree: STRtree = field(init=False)

    def __post_init__(self) -> None:
        delta = self.end_mm - self.start_mm
        object.__setattr__(self, "delta_mm", delta)
        object.__setattr__(self, "length_mm", np.hypot(delta[:, 0], delta[:, 1]))
        object.__setattr__(self, "tree", STRtree(straight_lines(self.start_mm, self.end_mm)))

    def __len__(self) -> int:
        return len(self.road)

    def at(self, segments: Indices, parameters: Array) -> Array:
        """The points (n, 2) at the given parameters of the given segments."""
        return self.start_mm[segments] + parameters[:, None] * self.delta_mm[segments]

    def near(self, centres_mm: Array, radii_mm: Array) -> tuple[Indices, Indices]:
        """Pairs (disc, segment): all segments that touch the closed discs, and some more near by, in no order.

        The tree is asked for boxes: 0.04 ms for 24 discs among 5,000 segments, against 0.5 ms for exact distances.
        """
        if not len(self) or not len(centres_mm):
            nothing = np.empty(0, dtype=np.intp)
            return nothing, nothing
        x, y, far = centres_mm[:, 0], centres_mm[:, 1], radii_mm + SAME_MM
        pairs = self.tree.query(shapely.box(x - far, y - far, x + far, y + far))
        return pairs[0], pairs[1]

    def of_road(self, number: int) -> Indices:
        """(n,) all segments of the line of that number."""
        first, last = np.searchsorted(self.road, [number, number + 1])
        return np.arange(first, last)

    def nearest(self, point_mm: Point2, within_mm: float) -> RoadPoint | None:
        """The nearest point within a distance; of equally near roads the first in the map."""
        return self.nearest_under(point_mm, point_mm, within_mm)

    def nearest_under(self, point_mm: Point2, centre_mm: Point2, radius_mm: float) -> RoadPoint | None:
        """The point nearest to `point_mm` among those inside the closed disc around `centre_mm`."""
        _, segments = self.near(np.array([centre_mm]), np.array([radius_mm]))
        if not len(segments):
            return None
        segments = np.sort(segments)
        return self.nearest_of(segments, np.array([point_mm]), np.array([centre_mm]), radius_mm)

    def each_under(self, point_mm: Point2, centre_mm: Point2, radius_mm: float) -> tuple[RoadPoint, ...]:
        """On each segment that meets the closed disc around `centre_mm` its point there nearest to `point_mm`."""
        return _each_under(self, point_mm, centre_mm, radius_mm)

    def nearest_of(self, segments: Indices, point_mm: Array, centre_mm: Array, radius_mm: float) -> RoadPoint | None:
        """The point of some segments (k,) nearest to `point_mm` (1, 2) in the closed disc around `centre_mm` (1, 2)."""
        start, delta = self.start_mm[segments], self.delta_mm[segments]
        enter, leave = chords(start, delta, centre_mm, np.full(len(segments), radius_mm + SAME_MM))
        low, high = np.maximum(enter, 0.0), np.minimum(leave, 1.0)
        parameters = nearest_parameters(start, delta, point_mm, low, np.maximum(low, high))
        points = start + parameters[:, None] * delta
        distances = np.where(low <= high, np.hypot(*(points - point_mm).T), np.inf)
        first = int(np.argmax(distances <= distances.min() + SAME_MM))
        if not np.isfinite(distances[first]):
            return None
        x, y = points[first]
        return RoadPoint(int(segments[first]), float(parameters[first]), (float(x), float(y)), float(distances[first]))

    def distance_mm(self, point: Point) -> float:
        """How far the nearest road is, however far; infinite without roads."""
        found = self.tree.query_nearest(point, return_distance=True, all_matches=False)[1]
        return float(found.min(initial=np.inf))

    def vertex_of(self, point: RoadPoint) -> int | None:
        """The vertex that a point lies on, if it does."""
        length = float(self.length_mm[point.segment])
        if point.t * length <= SAME_MM:
            return int(self.ends[point.segment, 0])
        return int(self.ends[point.segment, 1]) if (1 - point.t) * length <= SAME_MM else None

    def inward(self, point: RoadPoint, step_mm: float) -> RoadPoint:
        """The point a step along its segment from the end that it is nearer to, told as no farther away."""
        step = min(step_mm / float(self.length_mm[point.segment]), 0.5)
        t = point.t + step if point.t < 0.5 else point.t - step
        x, y = self.start_mm[point.segment] + t * self.delta_mm[point.segment]
        return RoadPoint(point.segment, t, (float(x), float(y)), point.distance_mm)

    def beside(self, point: RoadPoint, step_mm: float) -> tuple[RoadPoint, ...]:
        """The points a step along its segment to either side, as far as the segment goes; told as no farther away."""
        step = step_mm / float(self.length_mm[point.segment])
        there = [t for t in (point.t - step, point.t + step) if 0 <= t <= 1]
        places = [self.start_mm[point.segment] + t * self.delta_mm[point.segment] for t in there]
        found = zip(there, places, strict=True)
        return tuple(RoadPoint(point.segment, t, (float(x), float(y)), point.distance_mm) for t, (x, y) in found)

    def only(self, wanted: NDArray[np.bool_]) -> RoadNetwork:
        """The network of the `wanted` (n,) segments alone; vertex numbers stay, segments are counted anew."""
        return RoadNetwork(
            self.start_mm[wanted],
            self.end_mm[wanted],
            self.ends[wanted],
            self.road[wanted],
            self.vertices_mm,
            self.overlapping,
        )


@lru_cache(maxsize=4096)
def _each_under(network: RoadNetwork, point_mm: Point2, centre_mm: Point2, radius_mm: float) -> tuple[RoadPoint, ...]:
    """Kept, since every unit is asked after every move, and hardly any has moved."""
    here, centre = np.array([point_mm]), np.array([centre_mm])
    _, segments = network.near(centre, np.array([radius_mm]))
    found = (network.nearest_of(one, here, centre, radius_mm) for one in np.sort(segments)[:, None])
    return tuple(point for point in found if point is not None)


def straight_lines(start_mm: Array, end_mm: Array) -> NDArray[np.object_]:
    """(n,) straight lines of shapely, each from one of the points (n, 2), mm, to the other of its pair."""
    return np.asarray(shapely.linestrings(np.stack([start_mm, end_mm], axis=1)), dtype=np.object_).reshape(-1)


def road_network(lines: Sequence[LineString], preferred: Sequence[bool] | None = None) -> RoadNetwork:
    """The network of road lines; vertices within a nanometre of each other's rounding are one.

    Stretches without length are dropped, and of equal segments all but the first.

    preferred  for each line, whether of equal segments its own is kept, wherever it stands
    """
    points, road = shapely.get_coordinates(lines, return_index=True)
    keys = np.round(points / SAME_MM).astype(np.int64)
    _, first, vertex = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    vertices_mm, vertex = points[first], vertex.ravel()
    ends = np.stack([vertex[:-1], vertex[1:]], axis=1)[road[:-1] == road[1:]] if len(points) else np.empty((0, 2), int)
    owner = road[:-1][road[:-1] == road[1:]] if len(points) else np.empty(0, int)
    is_first = np.zeros(len(owner), dtype=bool) if preferred is None else np.array(preferred, dtype=bool)[owner]
    kept = _distinct(ends, is_first)
    ends, owner = ends[kept].astype(np.intp), owner[kept].astype(np.intp)
    start, end = vertices_mm[ends[:, 0]], vertices_mm[ends[:, 1]]
    return RoadNetwork(start, end, ends, owner, vertices_mm, _overlap(start, end))


def _distinct(ends: Indices, is_first: NDArray[np.bool_]) -> Indices:
    """Which segments have a length and are the first between their vertices, in order; those flagged come first."""
    if not len(ends):
        return np.empty(0, dtype=np.intp)
    order = np.argsort(~is_first, kind="stable")
    _, first = np.unique(np.sort(ends[order], axis=1), axis=0, return_index=True)
    kept = order[first]
    return np.sort(kept[ends[kept, 0] != ends[kept, 1]])


def _overlap(start_mm: Array, end_mm: Array) -> bool:
    """Whether two segments share more than a point, to within rounding."""
    lines = straight_lines(start_mm, end_mm)
    one, other = STRtree(lines).query(lines, predicate="intersects")
    one, other = one[one < other], other[one < other]
    delta = end_mm - start_mm
    lengths = np.hypot(delta[:, 0], delta[:, 1])
    cross = delta[one, 0] * delta[other, 1] - delta[one, 1] * delta[other, 0]
    parallel = np.abs(cross) <= 1e-9 * lengths[one] * lengths[other]
    shared = shapely.intersection(lines[one[parallel]], lines[other[parallel]])
    return bool(np.any(shapely.length(shared) > SAME_MM))
