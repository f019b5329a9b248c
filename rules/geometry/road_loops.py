"""The inner loops of road cutting, compiled: distances of straight pieces, and which pieces hang together."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.discs import Array
from rules.geometry.roads import Indices


@compiled
def piece_distances(start: Array, delta: Array, segment: Indices, spans: Array, points: Array) -> Array:
    """(n, 3): the distances of straight pieces, of their low ends and of their high ends from points.

    start, delta  (s, 2) of the segments; segment (n,), spans (n, 2) the pieces' parameters
    points        (n, 2), or (1, 2) for all
    """
    found = np.empty((len(segment), 3))
    for piece in range(len(segment)):
        at, point = segment[piece], piece if len(points) > 1 else 0
        ax, ay = start[at, 0] - points[point, 0], start[at, 1] - points[point, 1]
        dx, dy = delta[at, 0], delta[at, 1]
        low, high = spans[piece, 0], spans[piece, 1]
        t = min(max(-(ax * dx + ay * dy) / (dx * dx + dy * dy), low), high)
        found[piece, 0] = math.hypot(ax + t * dx, ay + t * dy)
        found[piece, 1] = math.hypot(ax + low * dx, ay + low * dy)
        found[piece, 2] = math.hypot(ax + high * dx, ay + high * dy)
    return found


@compiled
def joined(pieces: int, piece: Indices, vertex: Indices, vertices: int) -> Indices:
    """Numbers of connected parts, 0 upwards in the order of the pieces.

    piece, vertex  (k,) which piece reaches which vertex; vertices are numbered from 0, each frame's apart
    """
    parent = np.arange(pieces)
    first = np.full(vertices, -1)
    for k in range(len(piece)):
        if first[vertex[k]] < 0:
            first[vertex[k]] = piece[k]
            continue
        one, other = piece[k], first[vertex[k]]
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        while parent[other] != other:
            parent[other] = parent[parent[other]]
            other = parent[other]
        parent[max(one, other)] = min(one, other)
    count = 0
    part = np.empty(pieces, np.intp)
    for k in range(pieces):
        # Roots are the lowest of their part, so theirs is numbered already.
        if parent[k] == k:
            part[k] = count
            count += 1
        else:
            part[k] = part[parent[k]]
    return part


@compiled
def least_distances(start: Array, delta: Array, segment: Indices, spans: Array, rows: Indices, points: Array) -> Array:
    """The distance of each point from the nearest of its pieces, infinite without any.

    start, delta, segment, spans  as in `piece_distances`; rows (k, 2) the pieces of each point, from and to
    """
    found = np.full(len(points), np.inf)
    for k in range(len(points)):
        for piece in range(rows[k, 0], rows[k, 1]):
            at = segment[piece]
            ax, ay = start[at, 0] - points[k, 0], start[at, 1] - points[k, 1]
            dx, dy = delta[at, 0], delta[at, 1]
            t = min(max(-(ax * dx + ay * dy) / (dx * dx + dy * dy), spans[piece, 0]), spans[piece, 1])
            found[k] = min(found[k], math.hypot(ax + t * dx, ay + t * dy))
    return found
