"""The double move along a motorway (OMMS-3.3), exactly: every stop of the first move opens a disc of its own."""

from __future__ import annotations

import numpy as np

from rules.geometry.cuts import Cut
from rules.geometry.discs import SAME_MM, Array
from rules.geometry.roads import Indices
from rules.geometry.stop_walk import walk


def second_move(stops: Cut, ways: Cut, radius_mm: float) -> Cut:
    """All that a second move reaches from the stops of a first, as pieces of `ways`.

    stops  where the first move may end; ways  the motorways left by the enemy's discs, wide enough for both moves
    """
    network = ways.network
    span = np.stack([ways.low, ways.high], axis=1)
    lines = np.concatenate([network.start_mm[ways.segment], network.delta_mm[ways.segment], span], axis=1)
    ends = np.where(np.stack([ways.at_start, ways.at_end], axis=1), network.ends[ways.segment], -1)
    first, pieces_at = _pieces_at(ends, len(network.vertices_mm))
    reached: list[list[float]] = []
    for stretch in _stretches(stops, ways):
        reached += walk(lines, ends, first, pieces_at, network.vertices_mm, stretch, radius_mm).tolist()
    return _pieces(ways, reached)


def _stretches(stops: Cut, ways: Cut) -> list[Array]:
    """The stops, each as (piece of the ways that holds them, low, high)."""
    found = []
    for segment, low, high in zip(stops.segment.tolist(), stops.low.tolist(), stops.high.tolist(), strict=True):
        slack = SAME_MM / float(ways.network.length_mm[segment])
        on = (ways.segment == segment) & (ways.low <= low + slack) & (ways.high >= high - slack)
        found += [np.array([piece, low, high]) for piece in np.flatnonzero(on)]
    return found


def _pieces_at(ends: Indices, vertices: int) -> tuple[Indices, Indices]:
    """The pieces at every vertex, one after the other, and where each vertex's begin."""
    piece, side = np.nonzero(ends >= 0)
    vertex = ends[piece, side]
    order = np.argsort(vertex, kind="stable")
    return np.searchsorted(vertex[order], np.arange(vertices + 1)), piece[order]


def _pieces(ways: Cut, reached: list[list[float]]) -> Cut:
    """The reached spans joined piece by piece; an end keeps its hole only where the span touches it."""
    spans: list[tuple[int, float, float]] = []
    slack_of = (SAME_MM / ways.network.length_mm[ways.segment]).tolist()
    for number, low, high in sorted(span for span in reached if span[1] <= span[2]):
        piece = int(number)
        slack = slack_of[piece]
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
