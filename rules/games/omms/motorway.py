"""The double move along a motorway (OMMS-3.3), exactly: every stop of the first move opens a disc of its own.

A second move from stop q passes a vertex only if that lies within R of q, and discs are convex, so the stops of one
straight stretch from which a vertex can still be passed are an interval of that stretch. Walking outwards, the interval
shrinks from vertex to vertex; what is reached on a straight piece is the part of it within R of the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.geometry.cuts import Cut
from rules.geometry.discs import SAME_MM, Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.geometry.roads import Indices, RoadNetwork
    from rules.scene import Point2

Stops = tuple[float, float]
# Start x, y and delta x, y.
Line = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Stretch:
    """Stops of the first move on one piece: `low` to `high` are parameters of the piece's segment."""

    piece: int
    low: float
    high: float


def second_move(stops: Cut, ways: Cut, radius_mm: float) -> Cut:
    """All that a second move reaches from the stops of a first, as pieces of `ways`.

    stops  where the first move may end; ways  the motorways left by the enemy's discs, wide enough for both moves
    """
    reached = [piece for stretch in _stretches(stops, ways) for piece in _walk(stretch, ways, radius_mm)]
    return _pieces(ways, reached)


def _stretches(stops: Cut, ways: Cut) -> list[_Stretch]:
    """The stops piece by piece of the ways that hold them."""
    found = []
    for segment, low, high in zip(stops.segment.tolist(), stops.low.tolist(), stops.high.tolist(), strict=True):
        slack = SAME_MM / float(ways.network.length_mm[segment])
        on = (ways.segment == segment) & (ways.low <= low + slack) & (ways.high >= high - slack)
        found += [_Stretch(int(piece), low, high) for piece in np.flatnonzero(on)]
    return found


def _walk(stretch: _Stretch, ways: Cut, radius_mm: float) -> list[tuple[int, float, float]]:
    """Outwards from one stretch of stops: (piece, low, high) of all that is reached."""
    network, segment = ways.network, int(ways.segment[stretch.piece])
    reached = [_within(stretch, (stretch.low, stretch.high), stretch.piece, ways, radius_mm)]
    known: dict[int, list[Stops]] = {}
    todo = [(vertex, (stretch.low, stretch.high)) for vertex in _vertices(ways, stretch.piece)]
    while todo:
        vertex, stops = todo.pop()
        narrowed = _narrowed(network, segment, stops, network.vertices_mm[vertex], radius_mm)
        if narrowed is None or any(low <= narrowed[0] and narrowed[1] <= high for low, high in known.get(vertex, [])):
            continue
        known.setdefault(vertex, []).append(narrowed)
        for piece in _pieces_at(ways, vertex):
            reached.append(_within(stretch, narrowed, piece, ways, radius_mm))
            todo += [(other, narrowed) for other in _vertices(ways, piece) if other != vertex]
    return reached


def _vertices(ways: Cut, piece: int) -> list[int]:
    """The vertices that a piece reaches, two at most."""
    ends = ways.network.ends[ways.segment[piece]]
    return [int(end) for end, there in zip(ends, (ways.at_start[piece], ways.at_end[piece]), strict=True) if there]


def _pieces_at(ways: Cut, vertex: int) -> Indices:
    """The pieces that begin or end at a vertex."""
    ends = ways.network.ends[ways.segment]
    return np.flatnonzero((ways.at_start & (ends[:, 0] == vertex)) | (ways.at_end & (ends[:, 1] == vertex)))


def _narrowed(network: RoadNetwork, segment: int, stops: Stops, vertex_mm: Array, radius_mm: float) -> Stops | None:
    """The stops within the radius of a vertex, None if there are none."""
    enter, leave = _chord(_line(network, segment), vertex_mm.tolist(), radius_mm + SAME_MM)
    low, high = max(stops[0], enter), min(stops[1], leave)
    return (low, high) if low <= high else None


def _line(network: RoadNetwork, segment: int) -> Line:
    (ax, ay), (dx, dy) = network.start_mm[segment].tolist(), network.delta_mm[segment].tolist()
    return ax, ay, dx, dy


def _chord(line: Line, centre_mm: Sequence[float], radius_mm: float) -> Stops:
    """Where a line runs through a closed disc; enter > leave if it does not."""
    ax, ay, dx, dy = line
    fx, fy = ax - centre_mm[0], ay - centre_mm[1]
    square = dx * dx + dy * dy
    half = (fx * dx + fy * dy) / square
    room = radius_mm**2 - (fx - half * dx) ** 2 - (fy - half * dy) ** 2
    if room < 0:
        return 1.0, 0.0
    reach = math.sqrt(room / square)
    return -half - reach, -half + reach


def _within(stretch: _Stretch, stops: Stops, piece: int, ways: Cut, radius_mm: float) -> tuple[int, float, float]:
    """The part of a piece within the radius of some stop: of two end discs and the band between them."""
    line = _line(ways.network, int(ways.segment[piece]))
    ax, ay, dx, dy = _line(ways.network, int(ways.segment[stretch.piece]))
    first, last = ((ax + t * dx, ay + t * dy) for t in stops)
    spans = [_chord(line, first, radius_mm), _chord(line, last, radius_mm), _band(line, first, last, radius_mm)]
    real = [(low, high) for low, high in spans if low <= high]
    low = max(float(ways.low[piece]), min((low for low, _ in real), default=1.0))
    high = min(float(ways.high[piece]), max((high for _, high in real), default=0.0))
    return piece, low, high


def _band(line: Line, first_mm: Point2, last_mm: Point2, radius_mm: float) -> Stops:
    """The parameters at which a line lies in the rectangle that reaches `radius_mm` to both sides of a stretch."""
    ax, ay, dx, dy = line
    length = math.dist(first_mm, last_mm)
    if length <= SAME_MM:
        return 1.0, 0.0
    ux, uy = (last_mm[0] - first_mm[0]) / length, (last_mm[1] - first_mm[1]) / length
    fx, fy = ax - first_mm[0], ay - first_mm[1]
    along = _slab(fx * ux + fy * uy, dx * ux + dy * uy, (0.0, length))
    across = _slab(fy * ux - fx * uy, dy * ux - dx * uy, (-radius_mm, radius_mm))
    return max(along[0], across[0]), min(along[1], across[1])


def _slab(offset: float, speed: float, limits: Stops) -> Stops:
    """The parameters at which offset + t * speed is within limits."""
    if abs(speed) <= SAME_MM:
        inside = limits[0] - SAME_MM <= offset <= limits[1] + SAME_MM
        return (-math.inf, math.inf) if inside else (1.0, 0.0)
    enter, leave = (limits[0] - offset) / speed, (limits[1] - offset) / speed
    return min(enter, leave), max(enter, leave)


def _pieces(ways: Cut, reached: list[tuple[int, float, float]]) -> Cut:
    """The reached spans joined piece by piece; an end keeps its hole only where the span touches it."""
    spans: list[tuple[int, float, float]] = []
    for piece, low, high in sorted(span for span in reached if span[1] <= span[2]):
        slack = SAME_MM / float(ways.network.length_mm[ways.segment[piece]])
        if spans and spans[-1][0] == piece and low <= spans[-1][2] + slack:
            spans[-1] = (piece, spans[-1][1], max(high, spans[-1][2]))
        else:
            spans.append((piece, low, high))
    pieces = np.array([span[0] for span in spans], dtype=np.intp)
    lows, highs = np.array([span[1] for span in spans]), np.array([span[2] for span in spans])
    slacks = SAME_MM / ways.network.length_mm[ways.segment[pieces]]
    return Cut(
        ways.network,
        ways.frame[pieces],
        ways.segment[pieces],
        lows,
        highs,
        ways.hole_low[pieces] & (lows <= ways.low[pieces] + slacks),
        ways.hole_high[pieces] & (highs >= ways.high[pieces] - slacks),
    )
