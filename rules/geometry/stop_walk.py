"""Walking on from every point of a straight stretch of stops, each with a disc of its own, compiled.

A walk from stop q passes a vertex only if that lies within R of q, and discs are convex, so the stops of one stretch
from which a vertex can still be passed are an interval of that stretch. Walking outwards, the interval shrinks from
vertex to vertex; what is reached on a straight piece is the part of it within R of the interval, a span of the piece.
"""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.discs import SAME_MM, Array
from rules.geometry.roads import Indices

Pair = tuple[float, float]


@compiled
def chord(line: Array, x: float, y: float, radius: float) -> Pair:
    """Where a line (start x, y, delta x, y) runs through a closed disc; enter > leave if it does not."""
    fx, fy = line[0] - x, line[1] - y
    square = line[2] * line[2] + line[3] * line[3]
    half = (fx * line[2] + fy * line[3]) / square
    nx, ny = fx - half * line[2], fy - half * line[3]
    room = radius * radius - nx * nx - ny * ny
    if room < 0:
        return 1.0, 0.0
    reach = math.sqrt(room / square)
    return -half - reach, -half + reach


@compiled
def slab(offset: float, speed: float, least: float, most: float) -> Pair:
    """The parameters at which offset + t * speed is within limits; enter > leave if it never is."""
    if abs(speed) <= SAME_MM:
        if least - SAME_MM <= offset <= most + SAME_MM:
            return -np.inf, np.inf
        return 1.0, 0.0
    enter, leave = (least - offset) / speed, (most - offset) / speed
    return min(enter, leave), max(enter, leave)


@compiled
def hull(one: Pair, other: Pair) -> Pair:
    """The smallest interval that holds two, of which either may be empty."""
    if one[0] > one[1]:
        return other
    if other[0] > other[1]:
        return one
    return min(one[0], other[0]), max(one[1], other[1])


@compiled
def near_stretch(line: Array, home: Array, low: float, high: float, radius: float) -> Pair:
    """Where a line runs within a radius of some point between two parameters of another, `home`.

    That region is convex: two end discs and the band between them.
    """
    ax, ay = home[0] + low * home[2], home[1] + low * home[3]
    bx, by = home[0] + high * home[2], home[1] + high * home[3]
    found = hull(chord(line, ax, ay, radius), chord(line, bx, by, radius))
    length = math.hypot(bx - ax, by - ay)
    if length <= SAME_MM:
        return found
    ux, uy = (bx - ax) / length, (by - ay) / length
    fx, fy = line[0] - ax, line[1] - ay
    along = slab(fx * ux + fy * uy, line[2] * ux + line[3] * uy, 0.0, length)
    across = slab(fy * ux - fx * uy, line[3] * ux - line[2] * uy, -radius, radius)
    return hull(found, (max(along[0], across[0]), min(along[1], across[1])))


@compiled
def put(rows: Array, count: int, first: float, low: float, high: float) -> Array:
    """The rows with one more after the first `count`, in twice the room if there was none left."""
    if count == len(rows):
        rows = np.concatenate((rows, np.empty_like(rows)))
    rows[count, 0], rows[count, 1], rows[count, 2] = first, low, high
    return rows


@compiled
def is_known(known: Array, count: int, vertex: int, low: float, high: float) -> bool:
    """Whether all of low to high has been at the vertex before."""
    found = False
    for k in range(count):
        found = found or (known[k, 0] == vertex and known[k, 1] <= low and high <= known[k, 2])
    return found


@compiled
def walk(
    lines: Array, ends: Indices, first: Indices, pieces_at: Indices, vertices: Array, stop: Array, radius: float
) -> Array:
    """(n, 3): piece, low and high of all that is reached from one stretch of stops; a piece can come more than once.

    lines        (p, 6) start x, y, delta x, y, low and high parameter of each piece
    ends         (p, 2) the vertices that a piece reaches, -1 for none
    first        (v + 1,), pieces_at (k,): the pieces at vertex i are pieces_at[first[i]:first[i + 1]]
    vertices     (v, 2)
    stop         piece, low and high parameter of the stops
    """
    here = int(stop[0])
    home = lines[here]
    enter, leave = near_stretch(home, home, stop[1], stop[2], radius)
    found = put(np.empty((64, 3)), 0, here, max(enter, home[4]), min(leave, home[5]))
    todo, known = np.empty((64, 3)), np.empty((64, 3))
    count, waiting, seen = 1, 0, 0
    for vertex in ends[here]:
        if vertex >= 0:
            todo = put(todo, waiting, vertex, stop[1], stop[2])
            waiting += 1
    while waiting:
        waiting -= 1
        vertex = int(todo[waiting, 0])
        enter, leave = chord(home, vertices[vertex, 0], vertices[vertex, 1], radius + SAME_MM)
        low, high = max(todo[waiting, 1], enter), min(todo[waiting, 2], leave)
        if low > high or is_known(known, seen, vertex, low, high):
            continue
        known = put(known, seen, vertex, low, high)
        seen += 1
        for k in range(first[vertex], first[vertex + 1]):
            piece = pieces_at[k]
            enter, leave = near_stretch(lines[piece], home, low, high, radius)
            found = put(found, count, piece, max(enter, lines[piece, 4]), min(leave, lines[piece, 5]))
            count += 1
            for other in ends[piece]:
                if other >= 0 and other != vertex:
                    todo = put(todo, waiting, other, low, high)
                    waiting += 1
    return found[:count]
