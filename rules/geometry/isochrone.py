"""From the costs on borders to the ground that is won within the budget."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from rules.geometry.border import Borders
from rules.geometry.templates import arc_steps
from rules.geometry.wavefront import Flags, Floats, Ints, beam, lit, shining

# An arc's chords lie this far inside it; a tenth of what mixed ground may be off.
_SAGITTA_MM = 0.04
# Neighbouring sectors overlap by this, or rounding would leave slits between them; 0.01 mm at a foot.
_OVERLAP_RAD = 3e-5
# A front that runs along a border leaves it at no flatter angle than this cosine, or its strip would have no breadth.
_STEEPEST = 1 - 1e-9
_NOTHING = np.empty((0, 2))
# A point that wins less than this wins nothing.
_LEAST_MM = 1e-3


@dataclass(frozen=True, eq=False)
class Wave:
    """What `wavefront.settle` found for every point of the borders."""

    cost: Floats
    parent: Ints
    parent_level: Ints
    settled: Flags


def won_areas(borders: Borders, wave: Wave, budget: float) -> NDArray[np.object_]:
    """Areas whose union is all that a path within the budget reaches.

    Each point of a border lights a disc of what it has left, on each level to which the wave passes on there. Between
    two such neighbours the cost is taken as linear, so that their discs are joined by the tangent strip.
    """
    rims: list[Floats] = []
    shining_on = shining(borders.xy, wave.parent, wave.parent_level, borders.corners)
    for level, cost_per_mm in enumerate(borders.cost_per_mm):
        sources = wave.settled & borders.on[:, level] & shining_on[:, level]
        rims += _LevelFront(borders, wave, level, (budget - wave.cost) / cost_per_mm, sources).rims()
    return _polygons(rims)


class _LevelFront:
    """One level's share: strips between neighbouring sources, wedges where strips turn apart, discs at the ends.

    left_mm  (n,) how far each point's budget goes on this level; negative beyond it
    """

    def __init__(self, borders: Borders, wave: Wave, level: int, left_mm: Floats, sources: Flags) -> None:
        self._xy = borders.xy
        self._left_mm = left_mm
        self._sources = sources
        self._bent = wave.parent_level == level
        self._parent = wave.parent
        self._corners = borders.corners[:, level]
        self._edges = borders.edges[borders.first_edge[level] : borders.first_edge[level + 1]]
        self._segments = self._live(borders, level, wave.settled)

    def rims(self) -> list[Floats]:
        """The corners of strips, wedges and discs; empty where nothing is won."""
        outward = self._outward()
        strips = [self._strip(int(a), int(b), aim) for (a, b), aim in zip(self._segments, outward, strict=True)]
        wedges, at_ends = self._wedges(outward)
        return [*strips, *wedges, *(self._disc(int(node)) for node in np.flatnonzero(at_ends))]

    def _live(self, borders: Borders, level: int, settled: Flags) -> Ints:
        """The border's segments with this level on their left, from which something is won."""
        on_left, on_right = borders.left == level, borders.right == level
        segments = np.vstack((borders.segments[on_left], borders.segments[on_right][:, ::-1]))
        first, last = segments[:, 0], segments[:, 1]
        # A neighbour beyond the budget only tells where on the segment the budget ends.
        ends = self._sources | (~settled & np.isfinite(self._left_mm))
        live: Ints = segments[ends[first] & ends[last] & (self._sources[first] | self._sources[last])]
        return live

    def _outward(self) -> Floats:
        """The direction in which the front leaves each live segment."""
        first, last = self._segments[:, 0], self._segments[:, 1]
        gap = self._xy[last] - self._xy[first]
        length = np.hypot(*gap.T)
        along = gap / length[:, None]
        lean = np.clip((self._left_mm[first] - self._left_mm[last]) / length, -_STEEPEST, _STEEPEST)
        across = np.column_stack((-along[:, 1], along[:, 0]))
        outward: Floats = along * lean[:, None] + across * np.sqrt(1 - lean**2)[:, None]
        return outward

    def _strip(self, first: int, last: int, aim: Floats) -> Floats:
        """What is won from the segment between two neighbours, up to where the budget ends."""
        a, left_a = _within(self._xy[first], self._left_mm[first], self._xy[last], self._left_mm[last])
        b, left_b = _within(self._xy[last], self._left_mm[last], self._xy[first], self._left_mm[first])
        return beam(a, b, aim[0], aim[1], left_a, left_b, self._edges)

    def _wedges(self, outward: Floats) -> tuple[list[Floats], Flags]:
        """Sectors in the gaps where the strips before and behind a source turn apart; and the sources at the ends."""
        count = len(self._xy)
        into, out = np.full(count, -1), np.full(count, -1)
        into[self._segments[:, 1]] = np.arange(len(self._segments))
        out[self._segments[:, 0]] = np.arange(len(self._segments))
        between = self._sources & (into >= 0) & (out >= 0) & (np.bincount(self._segments.ravel(), minlength=count) == 2)
        wedges = [self._wedge(int(node), outward[into[node]], outward[out[node]]) for node in np.flatnonzero(between)]
        return wedges, self._sources & ~between

    def _wedge(self, node: int, before: Floats, behind: Floats) -> Floats:
        turn_rad = math.atan2(before[1] * behind[0] - before[0] * behind[1], float(before @ behind))
        if turn_rad < -_OVERLAP_RAD:
            return _NOTHING
        return self._sector(node, math.atan2(behind[1], behind[0]) - _OVERLAP_RAD, turn_rad + 2 * _OVERLAP_RAD)

    def _disc(self, node: int) -> Floats:
        """What a source sees in its range; a path that bends there wins only the sector behind the wall's corner."""
        return self._sector(node, *(self._behind_corner(node) if self._bent[node] else (0.0, math.tau)))

    def _sector(self, node: int, first_rad: float, turn_rad: float) -> Floats:
        radius = float(self._left_mm[node])
        if radius <= _LEAST_MM:
            return _NOTHING
        steps = max(2, arc_steps(radius, turn_rad, _SAGITTA_MM))
        x, y = self._xy[node]
        return lit(x, y, radius, self._edges, steps, first_rad, turn_rad)

    def _behind_corner(self, node: int) -> tuple[float, float]:
        """The sector between the path's way on and the side of the wall round which it bends: first direction, turn."""
        ahead_x, ahead_y = self._xy[node] - self._xy[self._parent[node]]
        sides = self._corners[node].reshape(2, 2) - self._xy[node]
        turns = np.arctan2(ahead_x * sides[:, 1] - ahead_y * sides[:, 0], sides @ (ahead_x, ahead_y))
        first, nearest = math.atan2(ahead_y, ahead_x), float(turns[np.argmin(np.abs(turns))])
        return min(first, first + nearest) - _OVERLAP_RAD, abs(nearest) + 2 * _OVERLAP_RAD


def _within(a: Floats, left_a: float, b: Floats, left_b: float) -> tuple[Floats, float]:
    """A segment's end a, or, where that lies beyond the budget, the point toward b where the budget ends."""
    return (a, left_a) if left_a >= 0 else (a + left_a / (left_a - left_b) * (b - a), 0.0)


def _polygons(rims: list[Floats]) -> NDArray[np.object_]:
    corners = [rim for rim in rims if len(rim) > 2]
    if not corners:
        return np.array([], object)
    owner = np.repeat(np.arange(len(corners)), [len(rim) for rim in corners])
    polygons = shapely.polygons(shapely.linearrings(np.concatenate(corners), indices=owner))
    return np.asarray(shapely.make_valid(polygons), object)
