"""Roads of access to settlements, before and after hostile discs are taken out (OMMS-7.1), many cases in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rules.games.omms.coins import Coin
from rules.geometry.cuts import Cut, Flags, Holes, cut
from rules.geometry.discs import Array
from rules.geometry.roads import Indices, RoadNetwork
from rules.scene import Point2

# A road end this near the edge of a disc reaches it.
EDGE_MM = 1e-6
# Ends that are rounded to the same multiple of this are one place.
PLACE_MM = 1e-4


@dataclass(frozen=True)
class Case:
    """A settlement and the hostile units that count for its siege, as measured or with one distance moved.

    radius_mm  of the disc in which roads give access, B
    beside     road segments at the coin's rim that count as `nearer_mm` nearer to the settlement
    """

    base: Coin
    radius_mm: float
    hostile: tuple[Coin, ...]
    beside: tuple[int, ...] = ()
    nearer_mm: float = 0.0


@dataclass(frozen=True, eq=False)
class Access:
    """Roads in the discs of many cases, and which of them give access.

    at_walls  whether a piece belongs to a part that touches the settlement's coin
    low_edge, high_edge  whether it begins, ends at the edge of the disc
    """

    roads: Cut
    cases: int
    at_walls: Flags
    low_edge: Flags
    high_edge: Flags

    @cached_property
    def joined(self) -> Flags:
        """Whether a piece belongs to a part that touches both the settlement's coin and the edge."""
        return self.at_walls & _by_part(self.roads, self.low_edge | self.high_edge)

    @cached_property
    def open(self) -> Flags:
        """For each case, whether a road joins settlement and edge."""
        found = np.zeros(self.cases, dtype=bool)
        found[self.roads.frame[self.joined]] = True
        return found

    @cached_property
    def places(self) -> Indices:
        """For each case, at how many places a joined road crosses the edge."""
        low, high = (np.flatnonzero(self.joined & edge) for edge in (self.low_edge, self.high_edge))
        roads = self.roads
        frames = roads.frame[np.concatenate([low, high])]
        parameters = np.concatenate([roads.low[low], roads.high[high]])
        points = roads.network.at(roads.segment[np.concatenate([low, high])], parameters)
        cells = np.round(points / PLACE_MM).astype(np.intp)
        places = np.unique(np.column_stack((frames, cells)), axis=0)
        return np.bincount(places[:, 0], minlength=self.cases)

    @cached_property
    def giving(self) -> Cut:
        """Only the roads that give access to the settlement."""
        return self.roads.where(self.joined)

    def hole_ends(self, giving: Cut) -> Iterator[tuple[int, bool, Point2]]:
        """(case, whether its part touches the settlement, point) of every end that a hole makes on given roads."""
        roads, count = self.roads, np.intp(len(self.roads.network))
        given = giving.frame * count + giving.segment
        for by_hole, parameters in ((roads.hole_low, roads.low), (roads.hole_high, roads.high)):
            ends = np.flatnonzero(by_hole)
            ends = ends[np.isin(roads.frame[ends] * count + roads.segment[ends], given, kind="table")]
            points = roads.network.at(roads.segment[ends], parameters[ends]).tolist()
            for piece, (x, y) in zip(ends.tolist(), points, strict=True):
                yield int(roads.frame[piece]), bool(self.at_walls[piece]), (x, y)


def _by_part(roads: Cut, flags: Flags) -> Flags:
    """Whether any piece of each piece's part is flagged."""
    if not len(roads):
        return flags
    found = np.zeros(int(roads.part.max()) + 1, dtype=bool)
    found[roads.part[flags]] = True
    spread: Flags = found[roads.part]
    return spread


def access_of(network: RoadNetwork, cases: Sequence[Case]) -> tuple[Access, Access]:
    """The roads of all cases before and after the hostile discs are taken out."""
    centres = np.array([case.base.at_mm for case in cases]).reshape(-1, 2)
    radii = np.array([case.radius_mm for case in cases])
    before = cut(network, centres, radii)
    after = before.without(_holes(cases))
    return _access(before, cases, centres, radii), _access(after, cases, centres, radii)


def _access(roads: Cut, cases: Sequence[Case], centres: Array, radii: Array) -> Access:
    distances = roads.all_distances_mm(centres[roads.frame])
    inner = distances[:, 0] <= _walls_mm(roads, cases) + EDGE_MM
    low_edge, high_edge = (distances[:, 1:] >= (radii[roads.frame] - EDGE_MM)[:, None]).T
    return Access(roads, len(radii), _by_part(roads, inner), low_edge, high_edge)


def _walls_mm(roads: Cut, cases: Sequence[Case]) -> Array:
    """For each piece, how near to the middle of its settlement it touches the coin."""
    walls: Array = np.array([case.base.radius_mm for case in cases])[roads.frame]
    for frame, case in enumerate(cases):
        if case.beside:
            rows = slice(*np.searchsorted(roads.frame, (frame, frame + 1)))
            walls[rows] += case.nearer_mm * np.isin(roads.segment[rows], case.beside)
    return walls


def roads_at_rim(network: RoadNetwork, base: Coin, band_mm: float) -> list[tuple[int, ...]]:
    """The segments of each road whose nearest point to a settlement is so near to its coin's rim, inside or outside.

    What hangs together under the coin, or so near to it, is one road.
    """
    here, far_mm = np.array([base.at_mm]), np.array([base.radius_mm + band_mm])
    if not len(network.near(here, far_mm)[1]):
        return []
    near = cut(network, here, far_mm)
    away_mm = near.distances_mm(here)
    return [
        tuple(near.segment[near.part == part].tolist())
        for part in np.unique(near.part)
        if away_mm[near.part == part].min() >= base.radius_mm - band_mm
    ]


def besieged(network: RoadNetwork, cases: Sequence[Case]) -> list[bool]:
    """Whether each case is a siege: access before, none after."""
    if not cases:
        return []
    before, after = access_of(network, cases)
    return [bool(found) for found in before.open & ~after.open]


def _holes(cases: Sequence[Case]) -> Holes:
    found = [(frame, *unit.at_mm, unit.radius_mm) for frame, case in enumerate(cases) for unit in case.hostile]
    table = np.array(found, dtype=float).reshape(-1, 4)
    return Holes(table[:, 0].astype(np.intp), table[:, 1:3], table[:, 3])
