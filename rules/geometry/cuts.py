"""What is left of a road network inside discs when other discs are taken out of it, many questions in one pass.

A `frame` is a closed disc that keeps roads, a `hole` an open one that removes them: a road that only touches a hole
goes on, and so does the point where two holes touch each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import GeometryType, MultiLineString
from shapely.geometry.base import BaseGeometry

from rules.geometry.discs import SAME_MM, TOUCH_MM, Array, chords, line_distances_mm
from rules.geometry.road_loops import joined, least_distances, piece_distances
from rules.geometry.roads import Indices, RoadNetwork, RoadPoint, straight_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.scene import Point2

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Holes:
    """Open discs to take out, each of one frame.

    frame  (h,); centre_mm (h, 2); radius_mm (h,)
    """

    frame: Indices
    centre_mm: Array
    radius_mm: Array


NO_HOLES = Holes(np.empty(0, dtype=np.intp), np.empty((0, 2)), np.empty(0))


def holes_of(discs: Sequence[tuple[Point2, float]]) -> Holes:
    """The holes of the first frame, from centres and radii."""
    if not discs:
        return NO_HOLES
    centres = np.array([centre for centre, _ in discs], dtype=float)
    return Holes(np.zeros(len(discs), dtype=np.intp), centres, np.array([radius for _, radius in discs], float))


@dataclass(frozen=True, eq=False)
class Cut:
    """The pieces that are left: straight, each on one segment and in one frame, told apart by connected part.

    They are in the order of their frames.

    low, high           (n,) parameters on the segment; equal for a single point
    part                (n,) number of the connected part, never shared between frames
    hole_low, hole_high (n,) whether a hole ends the piece there
    """

    network: RoadNetwork
    frame: Indices
    segment: Indices
    low: Array
    high: Array
    hole_low: Flags
    hole_high: Flags

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def low_mm(self) -> Array:
        """Where the pieces begin, (n, 2)."""
        return self.network.at(self.segment, self.low)

    @cached_property
    def high_mm(self) -> Array:
        """Where the pieces end, (n, 2)."""
        return self.network.at(self.segment, self.high)

    @cached_property
    def at_start(self) -> Flags:
        """Whether the piece begins at its segment's first vertex."""
        return self.low * self.network.length_mm[self.segment] <= SAME_MM

    @cached_property
    def at_end(self) -> Flags:
        """Whether the piece ends at its segment's last vertex."""
        return (1 - self.high) * self.network.length_mm[self.segment] <= SAME_MM

    @cached_property
    def part(self) -> Indices:
        """(n,) the number of each piece's connected part; pieces join at shared vertices."""
        network, start, end = self.network, np.flatnonzero(self.at_start), np.flatnonzero(self.at_end)
        piece = np.concatenate([start, end])
        vertex = np.concatenate([network.ends[self.segment[start], 0], network.ends[self.segment[end], 1]])
        vertices = len(network.vertices_mm)
        frames = int(self.frame.max(initial=0)) + 1
        return joined(len(self), piece, self.frame[piece] * vertices + vertex, frames * vertices)

    def distances_mm(self, point_mm: Array) -> Array:
        """The distances of the pieces from one point each, or from one for all; (n,)."""
        nearest: Array = self.all_distances_mm(point_mm)[:, 0]
        return nearest

    def all_distances_mm(self, point_mm: Array) -> Array:
        """The distances of the pieces, of where they begin and of where they end, from points; (n, 3)."""
        network, points_mm = self.network, np.ascontiguousarray(point_mm, float)
        return piece_distances(network.start_mm, network.delta_mm, self.segment, self._spans, points_mm)

    @cached_property
    def _spans(self) -> Array:
        return np.stack([self.low, self.high], axis=1)

    def least_mm(self, frames: Indices, points_mm: Array) -> Array:
        """The distance of each point (k, 2) from the nearest piece of its frame; infinite if there is none."""
        rows = np.stack([np.searchsorted(self.frame, frames), np.searchsorted(self.frame, frames + 1)], axis=1)
        network, points_mm = self.network, np.ascontiguousarray(points_mm, float)
        return least_distances(network.start_mm, network.delta_mm, self.segment, self._spans, rows, points_mm)

    def holding(self, point: RoadPoint, frame: int = 0) -> Flags:
        """Which pieces belong to a part that holds the road point; several parts can meet at its very place."""
        held = np.zeros(len(self), dtype=bool)
        # Parts are of one frame: of many frames only that one is looked at.
        rows = slice(*np.searchsorted(self.frame, (frame, frame + 1)))
        part = self.part[rows]
        held[rows] = np.isin(part, part[self._at(point, rows)])
        return held

    def _at(self, point: RoadPoint, rows: slice) -> Flags:
        """Which pieces of some rows the road point is on."""
        network, segment = self.network, self.segment[rows]
        slack = SAME_MM * 10 / network.length_mm[point.segment]
        on: Flags = (
            (segment == point.segment) & (self.low[rows] <= point.t + slack) & (self.high[rows] >= point.t - slack)
        )
        vertex = network.vertex_of(point)
        if vertex is not None:
            on |= self.at_start[rows] & (network.ends[segment, 0] == vertex)
            on |= self.at_end[rows] & (network.ends[segment, 1] == vertex)
        return on

    def where(self, wanted: Flags | slice) -> Cut:
        """The wanted pieces alone; they keep the part numbers that they had among all."""
        kept = Cut(
            self.network,
            self.frame[wanted],
            self.segment[wanted],
            self.low[wanted],
            self.high[wanted],
            self.hole_low[wanted],
            self.hole_high[wanted],
        )
        if "part" in self.__dict__:
            kept.__dict__["part"] = self.part[wanted]
        return kept

    def without(self, holes: Holes) -> Cut:
        """The pieces less more holes (of the same frames)."""
        return _less(self, holes)

    @property
    def ends_mm(self) -> Array:
        """The points at which a hole ends a piece, (k, 2)."""
        return np.concatenate([self.low_mm[self.hole_low], self.high_mm[self.hole_high]])

    @cached_property
    def lines(self) -> MultiLineString:
        """The pieces as lines; single points have none, shared stretches are there once."""
        long = (self.high - self.low) * self.network.length_mm[self.segment] > SAME_MM
        return merged_lines(self.low_mm[long], self.high_mm[long], self.network.overlapping)


def merged_lines(start_mm: Array, end_mm: Array, overlapping: bool) -> MultiLineString:
    """Straight pieces between points (n, 2), mm, as one MultiLineString, merged where two meet."""
    if not len(start_mm):
        return MultiLineString()
    lines = straight_lines(start_mm, end_mm)
    whole = shapely.union_all(lines) if overlapping else shapely.multilinestrings(list(lines))
    return as_multi_line(shapely.line_merge(whole))


def as_multi_line(lines: BaseGeometry) -> MultiLineString:
    """The line work of a geometry, points and areas left out."""
    if isinstance(lines, MultiLineString):
        return lines
    flat = shapely.get_parts(shapely.get_parts([lines]))
    found = flat[(shapely.get_type_id(flat) == GeometryType.LINESTRING) & ~shapely.is_empty(flat)]
    return shapely.multilinestrings(list(found)) if len(found) else MultiLineString()


def whole(network: RoadNetwork, segments: Indices) -> Cut:
    """Some segments (n,) in full."""
    zeros = np.zeros(len(segments))
    return Cut(network, zeros.astype(np.intp), segments, zeros, zeros + 1.0, zeros > 0, zeros > 0)


def cut(
    network: RoadNetwork,
    centre_mm: Array,
    radius_mm: Array,
    holes: Holes = NO_HOLES,
    window_mm: tuple[float, float] | None = None,
) -> Cut:
    """What is left of the network in each frame: closed discs around `centre_mm` (f, 2), less the frame's holes.

    window_mm  width and depth of the table, if roads beyond its edges do not count
    """
    frame, segment = network.near(centre_mm, radius_mm)
    start, delta = network.start_mm[segment], network.delta_mm[segment]
    enter, leave = chords(start, delta, centre_mm[frame], radius_mm[frame])
    if window_mm is not None:
        enter, leave = _inside(start, delta, window_mm, enter, leave)
    slack = SAME_MM / network.length_mm[segment]
    low = np.where(enter <= slack, 0.0, enter)
    high = np.where(leave >= 1 - slack, 1.0, leave)
    kept = np.flatnonzero(high - low > slack)
    kept = kept[np.argsort(frame[kept] * len(network) + segment[kept])]
    no_hole = np.zeros(len(kept), dtype=bool)
    return _less(Cut(network, frame[kept], segment[kept], low[kept], high[kept], no_hole, no_hole), holes)


def _inside(
    start_mm: Array, delta_mm: Array, window_mm: tuple[float, float], enter: Array, leave: Array
) -> tuple[Array, Array]:
    """Narrows line parameters to the closed window."""
    for axis, size in enumerate(window_mm):
        along, from_mm = delta_mm[:, axis], start_mm[:, axis]
        level = np.abs(along) <= TOUCH_MM
        step = np.where(level, 1.0, along)
        one, other = -from_mm / step, (size - from_mm) / step
        out = level & ((from_mm < -SAME_MM) | (from_mm > size + SAME_MM))
        enter = np.where(out, 1.0, np.where(level, enter, np.maximum(enter, np.minimum(one, other))))
        leave = np.where(out, 0.0, np.where(level, leave, np.minimum(leave, np.maximum(one, other))))
    return enter, leave


def _less(pieces: Cut, holes: Holes) -> Cut:
    """The gaps between the holes on every piece, found by sorting: a running maximum closes overlapping holes."""
    row, enter, leave = _hole_chords(pieces, holes)
    if not len(row):
        return pieces
    order = np.lexsort((enter, row))
    row, enter, leave = row[order], enter[order], leave[order]
    first = np.concatenate([[True], row[1:] != row[:-1]])
    # Chords lie within -1..2, so that with steps of 4 the running maximum starts anew on every row.
    step = 4.0 * np.cumsum(first)
    covered = np.maximum.accumulate(leave + step) - step
    last = np.concatenate([row[1:] != row[:-1], [True]])
    low = np.where(first, pieces.low[row], np.concatenate([[0.0], covered[:-1]]))
    touched = np.zeros(len(pieces), dtype=bool)
    touched[row] = True
    untouched = np.flatnonzero(~touched)
    rows = np.concatenate([untouched, row, row[last]])
    lows = np.concatenate([pieces.low[untouched], low, covered[last]])
    highs = np.concatenate([pieces.high[untouched], enter, pieces.high[row[last]]])
    hole_low = np.concatenate([pieces.hole_low[untouched], np.where(first, pieces.hole_low[row], True), last[last]])
    hole_high = np.concatenate([pieces.hole_high[untouched], np.ones(len(row), bool), pieces.hole_high[row[last]]])
    return _gaps(pieces, rows, (lows, highs), (hole_low, hole_high))


def _gaps(pieces: Cut, rows: Indices, bounds: tuple[Array, Array], by_hole: tuple[Flags, Flags]) -> Cut:
    """The pieces of the given rows and bounds, less those that a hole has swallowed; single points are kept."""
    lows, highs = bounds
    slack = SAME_MM / pieces.network.length_mm[pieces.segment[rows]]
    kept = np.flatnonzero(highs - lows >= -slack)
    kept = kept[np.argsort(rows[kept], kind="stable")]
    rows = rows[kept]
    highs = np.maximum(lows[kept], highs[kept])
    low_hole, high_hole = by_hole[0][kept], by_hole[1][kept]
    return Cut(pieces.network, pieces.frame[rows], pieces.segment[rows], lows[kept], highs, low_hole, high_hole)


def _hole_chords(pieces: Cut, holes: Holes) -> tuple[Indices, Array, Array]:
    """Row, enter and leave of every hole that takes more than a touch out of a piece."""
    network = pieces.network
    hole, segment = network.near(holes.centre_mm, holes.radius_mm)
    hole, row = _rows(pieces, holes.frame[hole], segment, hole)
    start, delta = network.start_mm[pieces.segment[row]], network.delta_mm[pieces.segment[row]]
    centre, radius = holes.centre_mm[hole], holes.radius_mm[hole]
    enter, leave = (np.clip(chord, -1.0, 2.0) for chord in chords(start, delta, centre, radius))
    slack = SAME_MM / network.length_mm[pieces.segment[row]]
    real = line_distances_mm(start, delta, centre) < radius - TOUCH_MM
    real &= (enter < pieces.high[row] - slack) & (leave > pieces.low[row] + slack)
    return row[real], enter[real], leave[real]


def _rows(pieces: Cut, frame: Indices, segment: Indices, hole: Indices) -> tuple[Indices, Indices]:
    """Pairs (hole, row) of the pieces on the given segments in the given frames; a segment may bear several."""
    count = np.intp(len(pieces.network))
    keys = pieces.frame * count + pieces.segment
    wanted = frame * count + segment
    low, high = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
    times = high - low
    offset = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    return np.repeat(hole, times), np.repeat(low, times) + offset
