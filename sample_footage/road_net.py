"""The roads of Kingsmere: a planar net between its places, classed by who needs it, and motorways laid over it."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial import Delaunay
from shapely import LineString, Point, STRtree
from shapely.ops import unary_union

from sample_footage.lie_of_the_land import CITIES_AND_TOWNS
from sample_footage.noise import wander

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from shapely.geometry.base import BaseGeometry

    from sample_footage.lie_of_the_land import Country, Settlement

Vertex = tuple[float, float]
Edge = tuple[int, int]
Ways = dict[int, list[tuple[int, float]]]
RANK = {"minor": 0, "b": 1, "a": 2, "primary": 3, "motorway": 4}

# Each ends at a place (by name), at the sheet's edge (a point) or at the junction of the two.
MOTORWAYS: dict[str, tuple[str | Vertex, ...]] = {
    "M7": (
        (0, 214),
        (58, 219),
        (120, 226),
        (180, 234),
        (232, 238),
        (262, 232),
        (300, 229),
        (352, 232),
        (408, 226),
        (446, 212),
        "PORT ALDER",
    ),
    "M9": (
        (236, 0),
        (240, 46),
        (250, 100),
        (254, 160),
        (258, 204),
        (262, 232),
        (298, 241),
        (328, 260),
        (343, 294),
        (347, 326),
        (341, 366),
        (346, 440),
        (352, 500),
    ),
}
TRUNK_TOWNS = ("Aldermoor", "Dunstow", "Larkhaven", "Quarndon", "Saltney Quay")
JUNCTION_SPACING_MM = 26.0
_STEP_MM = 4.0


@dataclass(frozen=True)
class RoadLine:
    """One road feature: vertices in mm on the sheet, rounded to 0.01."""

    points: tuple[Vertex, ...]
    cls: str
    ref: str = ""

    @property
    def line(self) -> LineString:
        """As shapely's line."""
        return LineString(self.points)


def road_net(places: Sequence[Settlement], land: Country, rng: np.random.Generator) -> list[RoadLine]:
    """All roads; they share a vertex exactly where one can turn from one into the other."""
    points = np.array([place.at_mm for place in places])
    edges = _gabriel_edges(points, unary_union(land.land) - unary_union(land.water))
    classes = _classes(places, points, edges)
    lines = _untangled({edge: _winding(points, edge, classes[edge], rng) for edge in edges}, points)
    refs = _references(edges, classes, rng)
    roads = [RoadLine(_rounded(line), classes[edge], refs[edge]) for edge, line in lines.items()]
    for motorway in motorways():
        roads = _joined([*roads, motorway])
    return roads


def motorways() -> list[RoadLine]:
    """The motorways as they are laid out, before their junctions are made."""
    places = {place.name: place.at_mm for place in CITIES_AND_TOWNS}
    return [
        RoadLine(
            _rounded(_spline(np.array([places[s] if isinstance(s, str) else s for s in stations], float))),
            "motorway",
            ref,
        )
        for ref, stations in MOTORWAYS.items()
    ]


def _rounded(points: np.ndarray) -> tuple[Vertex, ...]:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in points)


def _gabriel_edges(points: np.ndarray, dry: BaseGeometry) -> list[Edge]:
    """Pairs whose diametral disc holds no third place and whose straight way is dry: a planar net."""
    triangles = Delaunay(points).simplices
    pairs = {tuple(sorted((int(t[i]), int(t[i - 1])))) for t in triangles for i in range(3)}
    wide = dry.buffer(1.0)
    kept = []
    for a, b in sorted(pairs):
        middle, radius = (points[a] + points[b]) / 2, np.hypot(*(points[a] - points[b])) / 2
        inside = np.hypot(*(points - middle).T) < radius - 1e-9
        if inside.sum() == 0 and radius < 32 and wide.contains(LineString(points[[a, b]])):
            kept.append((a, b))
    return kept


def _classes(places: Sequence[Settlement], points: np.ndarray, edges: list[Edge]) -> dict[Edge, str]:
    """Primary between cities, A between neighbouring towns, B from villages to where they shop, the rest minor."""
    ways = _neighbours(points, edges)
    classes = dict.fromkeys(edges, "minor")
    for cls, pairs in _journeys(places, points):
        for start, end in pairs:
            for edge in _shortest(ways, classes, start, end):
                if RANK[cls] > RANK[classes[edge]]:
                    classes[edge] = cls
    return classes


def _neighbours(points: np.ndarray, edges: list[Edge]) -> Ways:
    ways = defaultdict(list)
    for a, b in edges:
        length = float(np.hypot(*(points[a] - points[b])))
        ways[a].append((b, length))
        ways[b].append((a, length))
    return ways


def _journeys(places: Sequence[Settlement], points: np.ndarray) -> Iterator[tuple[str, list[Edge]]]:
    cities = [i for i, place in enumerate(places) if place.cls == "city"]
    towns = [i for i, place in enumerate(places) if place.cls in ("city", "town")]
    villages = [i for i, place in enumerate(places) if place.cls == "village"]
    trunk = [i for i, place in enumerate(places) if place.name in TRUNK_TOWNS]
    yield (
        "primary",
        [*((a, b) for a in cities for b in cities if a < b), *((_nearest(points, a, cities, 1)[0], a) for a in trunk)],
    )
    yield "a", [(a, b) for a in towns for b in _nearest(points, a, towns, 3)]
    yield "b", [(a, b) for a in villages[::3] for b in _nearest(points, a, towns, 2)[1:]]


def _nearest(points: np.ndarray, origin: int, among: list[int], count: int) -> list[int]:
    order = sorted(among, key=lambda i: float(np.hypot(*(points[i] - points[origin]))))
    return [i for i in order if i != origin][:count]


def _shortest(ways: Ways, classes: dict[Edge, str], start: int, end: int) -> list[Edge]:
    """Dijkstra; roads that are already good are liked better, so that routes gather."""
    best, queue, before = {start: 0.0}, [(0.0, start)], {}
    while queue:
        cost, here = heappop(queue)
        if here == end:
            break
        for there, length in ways[here]:
            edge = (min(here, there), max(here, there))
            total = cost + length * (1.0 - 0.12 * RANK[classes[edge]])
            if total < best.get(there, np.inf):
                best[there], before[there] = total, here
                heappush(queue, (total, there))
    route = []
    while end in before:
        route.append((min(end, before[end]), max(end, before[end])))
        end = before[end]
    return route


def _winding(points: np.ndarray, edge: Edge, cls: str, rng: np.random.Generator) -> np.ndarray:
    sway = {"minor": 0.085, "b": 0.07, "a": 0.055, "primary": 0.04}[cls]
    return wander(tuple(points[edge[0]]), tuple(points[edge[1]]), sway, 3.2, rng)


def _untangled(lines: dict[Edge, np.ndarray], points: np.ndarray) -> dict[Edge, np.ndarray]:
    """Straighten what crosses or touches a neighbour anywhere but at a shared place, until nothing does."""
    while tangled := _tangled(lines, points):
        for edge in tangled:
            straight = np.linspace(points[edge[0]], points[edge[1]], len(lines[edge]))
            lines[edge] = (
                straight
                if np.allclose(lines[edge], (lines[edge] + straight) / 2, atol=0.3)
                else (lines[edge] + straight) / 2
            )
    return lines


def _tangled(lines: dict[Edge, np.ndarray], points: np.ndarray) -> set[Edge]:
    keys = list(lines)
    shapes = [LineString(_rounded(lines[key])) for key in keys]
    tangled = set()
    for i, j in STRtree(shapes).query(shapes, predicate="intersects").T:
        if i < j:
            shared = [Point(points[n]).buffer(0.05) for n in set(keys[i]) & set(keys[j])]
            meeting = shapes[i] & shapes[j]
            if not (meeting - unary_union(shared) if shared else meeting).is_empty:
                tangled |= {key for key in (keys[i], keys[j]) if not _is_straight(lines[key])}
    return tangled


def _is_straight(line: np.ndarray) -> bool:
    return bool(np.allclose(line, np.linspace(line[0], line[-1], len(line)), atol=1e-6))


def _references(edges: list[Edge], classes: dict[Edge, str], rng: np.random.Generator) -> dict[Edge, str]:
    """A number for each run of roads of one class that follow one another."""
    refs = dict.fromkeys(edges, "")
    numbers = {
        "primary": iter(range(1, 99)),
        "a": iter(rng.permutation(np.arange(21, 998)).tolist()),
        "b": iter(rng.permutation(np.arange(1001, 9998)).tolist()),
    }
    for cls, letter in (("primary", "A"), ("a", "A"), ("b", "B")):
        pending = {edge for edge in edges if classes[edge] == cls}
        while pending:
            ref = f"{letter}{next(numbers[cls])}"
            for edge in _run(min(pending), pending):
                refs[edge] = ref
    return refs


def _run(first: Edge, pending: set[Edge]) -> list[Edge]:
    run, ends = [first], list(first)
    pending.discard(first)
    while ends:
        end = ends.pop()
        following = next((edge for edge in sorted(pending) if end in edge), None)
        if following:
            pending.discard(following)
            run.append(following)
            ends.append(following[0] if following[1] == end else following[1])
    return run


def _spline(knots: np.ndarray) -> np.ndarray:
    """A smooth curve through the knots that keeps every knot as a vertex; vertices are about `_STEP_MM` apart."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(knots, axis=0).T))])
    curve = CubicSpline(along, knots)
    t = np.concatenate(
        [np.linspace(a, b, max(1, round((b - a) / _STEP_MM)), endpoint=False) for a, b in itertools.pairwise(along)]
    )
    return np.vstack([curve(t), knots[-1:]])


def _joined(roads: list[RoadLine]) -> list[RoadLine]:
    """The last road, a motorway, gets a junction with main roads every so often; the others pass over or under it."""
    *others, motorway = roads
    vertices = {point for road in others for point in road.points}
    last_mm = -JUNCTION_SPACING_MM
    for distance_mm, index, at in sorted(_crossings(others, motorway)):
        wanted = RANK[others[index].cls] >= RANK["a"] and distance_mm - last_mm >= JUNCTION_SPACING_MM
        if wanted and at not in vertices:
            motorway, others[index] = _with_vertex(motorway, at), _with_vertex(others[index], at)
            last_mm = distance_mm
    return [*others, motorway]


def _crossings(others: list[RoadLine], motorway: RoadLine) -> Iterator[tuple[float, int, Vertex]]:
    line = motorway.line
    for index, road in enumerate(others):
        meeting = line & road.line
        for part in getattr(meeting, "geoms", (meeting,)):
            if isinstance(part, Point) and (part.x, part.y) not in motorway.points:
                yield line.project(part), index, (round(part.x, 2), round(part.y, 2))


def _with_vertex(road: RoadLine, at: Vertex) -> RoadLine:
    line, mark = road.line, Point(at)
    here = line.project(mark)
    before = [p for p in road.points if line.project(Point(p)) < here - 1e-9]
    return replace(road, points=(*before, at, *[p for p in road.points if line.project(Point(p)) > here + 1e-9]))
