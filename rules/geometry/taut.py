"""Taut paths round corners: which corners are in reach, how far, and what ground opens behind them, in machine code.

A shortest path runs straight from corner to corner and hugs each corner that it turns at. So a corner is reached along
a line that grazes it, and all that it adds is the wedge between that line and its own far wall: what lies before the
wedge was seen already. Dijkstra's order, with one angular sweep for each corner, gives the next corners and the wedge.

A 'bend' is a corner passed with the solid on one hand: number 2 * corner for the left (the path goes on along the
ring), 2 * corner + 1 for the right (it goes back).
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled
from rules.geometry.star import back_to_table, border
from rules.geometry.sweep import (
    EDGE_ON_MM,
    FULL_TURN,
    ON_WALL_MM,
    SAME_TURN,
    Floats,
    Ints,
    aim,
    gather,
    is_on_wall,
    range_mm,
    sweep,
    turn_of,
)
from rules.geometry.walls import Walls

# A wedge begins this much early, so that it overlaps what was seen before and no seam stays between the two.
OVERLAP_RAD = 1e-9
# A full sweep begins in a direction in which nobody lays a ruler, so that no corner falls on its seam.
ODD_ANGLE_RAD = 0.739085133215
# Points nearer than this to a line lie on it.
ON_LINE_MM = 1e-10
# Walls that turn less than this go straight on.
STRAIGHT_RAD = 1e-11


_Queue = list[tuple[float, int, int, float, float]]


class _Star(NamedTuple):
    """What an eye sees, and the room that it takes to find out.

    eye    (2,) mm; ahead: (2,) the unit vector of turn 0
    spans  (n, 6), ends (n, 2), runs (m, 2), nearest (m,) as `gather` and `sweep` fill them
    found  (m,) bends that the eye grazes
    """

    eye: Floats
    ahead: Floats
    spans: Floats
    ends: Ints
    runs: Floats
    nearest: Ints
    found: Ints


class _Search(NamedTuple):
    """A search for bends: how far it goes, how finely borders are drawn, and what it has found.

    best  (2 * corners,) length of the shortest way to each bend so far, mm; -1 of one that was passed
    """

    budget_mm: float
    step_rad: float
    best: Floats
    star: _Star


@compiled
def _gather_near(walls: Walls, star: _Star, width: float, far_mm: float) -> int:
    """`gather` from those rings whose circle meets the wedge and the range."""
    eye, ahead = star.eye, star.ahead
    rows = np.empty(2, np.int64)
    aside = aim(width)
    scale = math.sqrt(aside[0] * aside[0] + aside[1] * aside[1])
    count = 0
    for ring in range(len(walls.rings)):
        cx, cy = walls.rings[ring, 0] - eye[0], walls.rings[ring, 1] - eye[1]
        radius = walls.rings[ring, 2] + 1e-3
        if cx * cx + cy * cy > (far_mm + radius) ** 2:
            continue
        if width <= 2.0:
            x, y = ahead[0] * cx + ahead[1] * cy, ahead[0] * cy - ahead[1] * cx
            if y < -radius or (aside[0] * y - aside[1] * x) > radius * scale:
                continue
        rows[0], rows[1] = walls.first[ring], walls.first[ring + 1]
        spans, ends = star.spans[count:], star.ends[count:]
        count += gather(walls.segments, walls.after, rows, eye, ahead, width, far_mm, spans, ends)
    return count


@compiled
def _depth(spans: Floats, span: int, turn: float) -> float:
    if span < 0:
        return math.inf
    ux, uy = aim(turn)
    return range_mm(spans, span, ux, uy) * math.sqrt(ux * ux + uy * uy)


@compiled
def _grazed(star: _Star, made: int) -> int:
    """The bends that the eye sees edge-wise: where the nearest wall gives way to a farther one. Fills `star.found`."""
    spans, ends, runs, nearest, found = star.spans, star.ends, star.runs, star.nearest, star.found
    count = 0
    for run in range(made):
        old = nearest[run - 1] if run else nearest[made - 1]
        new = nearest[run]
        turn = runs[run, 0]
        if run == 0:
            continue
        old_depth, new_depth = _depth(spans, old, turn), _depth(spans, new, turn)
        if abs(old_depth - new_depth) <= 1e-7:
            continue
        if old_depth < new_depth and spans[old, 1] <= turn + SAME_TURN and ends[old, 1] >= 0:
            found[count] = 2 * ends[old, 1] + 1
            count += 1
        if new_depth < old_depth and spans[new, 0] >= turn - SAME_TURN and ends[new, 0] >= 0:
            found[count] = 2 * ends[new, 0]
            count += 1
    return count


@compiled
def _wedge(walls: Walls, bend: int, way: Floats, ahead: Floats) -> float:
    """The wedge that a bend opens to a path that arrives in direction `way`: sets `ahead`, returns its width in turns.

    0 on a straight wall; negative where the path cannot go on, because the wall behind the corner turns toward it.
    """
    segments, corner = walls.segments, bend // 2
    beyond = walls.after[corner] if bend % 2 == 0 else walls.before[corner]
    wx, wy = segments[beyond, 0] - segments[corner, 0], segments[beyond, 1] - segments[corner, 1]
    length = math.sqrt(wx * wx + wy * wy)
    wx, wy = wx / length, wy / length
    turned = math.atan2(way[0] * wy - way[1] * wx, way[0] * wx + way[1] * wy)
    if bend % 2 == 1:
        turned = -turned
    if turned <= STRAIGHT_RAD:
        return 0.0 if turned > -STRAIGHT_RAD else -1.0
    if bend % 2 == 0:
        cos, sin = math.cos(OVERLAP_RAD), -math.sin(OVERLAP_RAD)
        ahead[0], ahead[1] = cos * way[0] - sin * way[1], sin * way[0] + cos * way[1]
    else:
        ahead[0], ahead[1] = wx, wy
    turned += OVERLAP_RAD
    return turn_of(math.cos(turned), math.sin(turned)) if turned < math.pi else 2.0


@compiled
def _grown(points: Floats, needed: int) -> Floats:
    if needed <= len(points):
        return points
    more = np.empty((max(needed, 2 * len(points)), 2))
    for i in range(len(points)):  # a slice would compile numpy's error messages, seconds of them
        more[i, 0], more[i, 1] = points[i, 0], points[i, 1]
    return more


@compiled
def explore(walls: Walls, starts: Floats, budget_mm: float, step_rad: float) -> tuple[Floats, Ints, Ints, Floats, Ints]:
    """All bends within `budget_mm` of the starts, nearest first.

    starts    (k, 3): x, y and the length already walked there, mm
    step_rad  longest step along the arcs of the borders
    Returns   points (n, 2) of all borders, table mm; the first point of each border and their end (k + m + 1,), the
              starts' own stars before the bends' wedges; the bends (m,); their lengths from the start (m,); the bend
              that each came from (m,), or -1 - start
    """
    corners, stars = len(walls.segments), len(starts)
    search = _search(corners, budget_mm, step_rad)
    points, offsets, filled = np.empty((4096, 2)), np.zeros(stars + 2 * corners + 1, np.int64), 0
    bends, sources = np.empty(2 * corners, np.int64), np.empty(2 * corners, np.int64)
    lengths, done, way = np.empty(2 * corners), np.full(corners, math.inf), np.empty(2)
    queue = [(0.0, 0, 0, 1.0, 0.0)]  # tells the compiler what an empty list will hold
    queue.pop()
    eye, ahead, best = search.star.eye, search.star.ahead, search.best
    for start in range(stars):
        eye[0], eye[1] = starts[start, 0], starts[start, 1]
        ahead[0], ahead[1] = math.cos(ODD_ANGLE_RAD), math.sin(ODD_ANGLE_RAD)
        points, filled = _light(walls, search, FULL_TURN, starts[start, 2], -1 - start, queue, points, filled)
        _offer_along(walls, search, starts[start, 2], -1 - start, queue)
        offsets[start + 1] = filled
    made = 0
    while len(queue) > 0:
        length, bend, source, way[0], way[1] = heappop(queue)
        corner = bend // 2
        if length > best[bend] or length > done[corner] + 1e-9:
            continue
        done[corner] = min(done[corner], length)
        best[bend] = -1.0
        eye[0], eye[1] = walls.segments[corner, 0], walls.segments[corner, 1]
        bends[made], lengths[made], sources[made] = bend, length, source
        made += 1
        width = _wedge(walls, bend, way, ahead)
        points, filled = _light(walls, search, width, length, bend, queue, points, filled)
        if width >= 0.0:
            beyond = 2 * walls.after[corner] if bend % 2 == 0 else 2 * walls.before[corner] + 1
            _offer(walls, search, int(beyond), length, bend, queue)
        offsets[stars + made] = filled
    return points[:filled], offsets[: stars + made + 1], bends[:made], lengths[:made], sources[:made]


@compiled
def _search(corners: int, budget_mm: float, step_rad: float) -> _Search:
    """A search that has found nothing yet."""
    capacity = 2 * corners + 64
    star = _Star(
        np.empty(2),
        np.empty(2),
        np.empty((capacity, 6)),
        np.empty((capacity, 2), np.int64),
        np.empty((2 * capacity + 2, 2)),
        np.empty(2 * capacity + 2, np.int64),
        np.empty(2 * capacity + 2, np.int64),
    )
    return _Search(budget_mm, step_rad, np.full(2 * corners, math.inf), star)


@compiled
def _light(
    walls: Walls, search: _Search, width: float, walked: float, came: int, queue: _Queue, points: Floats, filled: int
) -> tuple[Floats, int]:
    """Append the border of what the star's eye sees, and offer the bends that it grazes: the points and their end."""
    star, far_mm = search.star, search.budget_mm - walked
    if width <= 0.0 or far_mm <= 0.0:
        return points, filled
    count = _gather_near(walls, star, width, far_mm)
    made = sweep(star.spans, count, width, star.runs, star.nearest)
    points = _grown(points, filled + 6 * made + 16 + 2 * math.ceil(math.tau / search.step_rad))
    size = border(star.spans, star.runs, star.nearest, made, far_mm, search.step_rad, points[filled:])
    back_to_table(points[filled:], size, star.eye, star.ahead)
    for i in range(_grazed(star, made)):
        _offer(walls, search, int(star.found[i]), walked, came, queue)
    return points, filled + size


@compiled
def _offer(walls: Walls, search: _Search, bend: int, walked: float, came: int, queue: _Queue) -> None:
    """Queue a bend that is reached from the star's eye, if that is shorter than before and within the budget."""
    corner, eye, best = bend // 2, search.star.eye, search.best
    dx, dy = walls.segments[corner, 0] - eye[0], walls.segments[corner, 1] - eye[1]
    step = math.sqrt(dx * dx + dy * dy)
    if step > EDGE_ON_MM and walked + step < min(search.budget_mm, best[bend]):
        best[bend] = walked + step
        heappush(queue, (walked + step, bend, came, dx / step, dy / step))


@compiled
def _offer_along(walls: Walls, search: _Search, walked: float, came: int, queue: _Queue) -> None:
    """Offer both ends of every wall that the eye itself stands on."""
    for row in range(len(walls.segments)):
        if is_on_wall(walls.segments, row, search.star.eye):
            _offer(walls, search, 2 * int(walls.after[row]), walked, came, queue)
            _offer(walls, search, 2 * row + 1, walked, came, queue)


@compiled
def fans(walls: Walls, points: Floats, offsets: Ints, bends: Ints, sources: Ints) -> tuple[Floats, Ints]:
    """The wedges of `explore`, those of one unbroken walk round a wall joined into one polygon.

    offsets   of the wedges: (m + 1,)
    Returns   points (n, 2), and for each the number of its polygon (n,)
    """
    follower, is_head = _walks(walls, bends, sources)
    out, of = np.empty((len(points) + len(bends), 2)), np.empty(len(points) + len(bends), np.int64)
    chain = np.empty(len(bends), np.int64)
    filled, polygon = 0, 0
    for head in range(len(bends)):
        if not is_head[head]:
            continue
        links, i = 0, head
        while i >= 0:
            chain[links] = i
            links, i = links + 1, follower[i]
        end = _fan(walls, points, offsets, bends, chain[:links], out, filled)
        if end - filled >= 3:
            for k in range(filled, end):
                of[k] = polygon
            filled, polygon = end, polygon + 1
    return out[:filled], of[:filled]


@compiled
def _walks(walls: Walls, bends: Ints, sources: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Which bend the path hugs on to from each (or -1), and which bends begin such a walk."""
    index = np.full(2 * len(walls.segments), -1, np.int64)
    follower, is_head = np.full(len(bends), -1, np.int64), np.ones(len(bends), np.bool_)
    for i in range(len(bends)):
        index[bends[i]] = i
        corner = bends[i] // 2
        back = 2 * walls.before[corner] if bends[i] % 2 == 0 else 2 * walls.after[corner] + 1
        if sources[i] == back and index[back] >= 0:
            follower[index[back]], is_head[i] = i, False
    return follower, is_head


@compiled
def _fan(walls: Walls, points: Floats, offsets: Ints, bends: Ints, chain: Ints, out: Floats, filled: int) -> int:
    """Append the polygon of one walk: the far ends of its wedges, then its corners backward; where it ends in `out`."""
    segments, onward, links, begun = walls.segments, bends[chain[0]] % 2 == 0, len(chain), filled
    opener = 0
    while opener < links - 1 and offsets[chain[opener] + 1] == offsets[chain[opener]]:
        opener += 1
    for k in range(links):
        link = k if onward else links - 1 - k
        i = chain[link]
        corner = bends[i] // 2
        back = walls.before[corner] if onward else walls.after[corner]
        from_x, from_y = segments[back, 0], segments[back, 1]
        way_x, way_y = segments[corner, 0] - from_x, segments[corner, 1] - from_y
        fold = ON_LINE_MM * math.sqrt(way_x * way_x + way_y * way_y)
        for j in range(offsets[i], offsets[i + 1]):
            x, y = points[j, 0], points[j, 1]
            side = way_x * (y - from_y) - way_y * (x - from_x)
            if link != opener and (side if onward else -side) <= -fold:
                continue  # the overlap with the link before would fold the border
            if filled > begun and abs(out[filled - 1, 0] - x) + abs(out[filled - 1, 1] - y) <= ON_WALL_MM:
                continue
            out[filled, 0], out[filled, 1] = x, y
            filled += 1
    if filled == begun:
        return begun
    for k in range(links):
        corner = bends[chain[links - 1 - k if onward else k]] // 2
        out[filled, 0], out[filled, 1] = segments[corner, 0], segments[corner, 1]
        filled += 1
    return filled
