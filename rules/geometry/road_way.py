"""`path` on roads: a shortest way within what is left of a network (C4.1)."""

from __future__ import annotations

import heapq
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from shapely import LineString

if TYPE_CHECKING:
    from rules.geometry.cuts import Cut
    from rules.geometry.roads import RoadPoint
    from rules.scene import Point2

# Stand for the two ends of the way among the numbers of vertices.
START, GOAL = -1, -2
Edges = dict[int, list[tuple[float, int]]]


def shortest_way(part: Cut, start: RoadPoint, goal: RoadPoint) -> LineString | None:
    """A shortest way along the pieces of one frame, None if there is none; of no length if both points are one."""
    edges = _edges(part, start, goal)
    before: dict[int, int] = {}
    length = {START: 0.0}
    todo = [(0.0, START)]
    while todo:
        gone, here = heapq.heappop(todo)
        if here == GOAL:
            return _line(part, before, start, goal)
        if gone > length[here]:
            continue
        for more, there in edges[here]:
            if gone + more < length.get(there, np.inf):
                length[there], before[there] = gone + more, here
                heapq.heappush(todo, (gone + more, there))
    return None


def _edges(part: Cut, start: RoadPoint, goal: RoadPoint) -> Edges:
    """Pieces between vertices, and the stretches from both points to the ends of theirs."""
    edges: Edges = defaultdict(list)
    lengths = (part.high - part.low) * part.network.length_mm[part.segment]
    for piece in np.flatnonzero(part.at_start & part.at_end).tolist():
        one, other = part.network.ends[part.segment[piece]].tolist()
        edges[one].append((float(lengths[piece]), other))
        edges[other].append((float(lengths[piece]), one))
    for point, name in ((start, START), (goal, GOAL)):
        for far, vertex in _stretches(part, point):
            edges[name].append((far, vertex))
            edges[vertex].append((far, name))
    if _on_one_piece(part, start, goal):
        edges[START].append((abs(goal.t - start.t) * float(part.network.length_mm[start.segment]), GOAL))
    return edges


def _stretches(part: Cut, point: RoadPoint) -> list[tuple[float, int]]:
    """Lengths and vertices at which the pieces under a point end."""
    length = float(part.network.length_mm[point.segment])
    first, last = part.network.ends[point.segment].tolist()
    vertex = part.network.vertex_of(point)
    found = [(0.0, vertex)] if vertex is not None else []
    for piece in _under(part, point):
        found += [(point.t * length, first)] if part.at_start[piece] else []
        found += [((1 - point.t) * length, last)] if part.at_end[piece] else []
    return found


def _under(part: Cut, point: RoadPoint) -> list[int]:
    slack = 1e-6 / float(part.network.length_mm[point.segment])
    on = (part.segment == point.segment) & (part.low <= point.t + slack) & (part.high >= point.t - slack)
    found: list[int] = np.flatnonzero(on).tolist()
    return found


def _on_one_piece(part: Cut, start: RoadPoint, goal: RoadPoint) -> bool:
    return start.segment == goal.segment and bool(set(_under(part, start)) & set(_under(part, goal)))


def _line(part: Cut, before: dict[int, int], start: RoadPoint, goal: RoadPoint) -> LineString:
    points: list[Point2] = [goal.at_mm]
    here = before[GOAL]
    while here != START:
        x, y = part.network.vertices_mm[here].tolist()
        points.append((x, y))
        here = before[here]
    points.append(start.at_mm)
    return LineString(points[::-1])
