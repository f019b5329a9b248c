"""Roads of access to settlements, before and after hostile discs are taken out (OMMS-7.1), many cases in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.games.omms.coins import Coin
from rules.geometry.cuts import Cut, Flags, Holes, cut
from rules.geometry.discs import Array
from rules.geometry.roads import Indices, RoadNetwork

# A road end this near the edge of a disc reaches it.
EDGE_MM = 1e-6


@dataclass(frozen=True)
class Case:
    """A settlement and the hostile units that count, or a variation of it with one distance moved.

    radius_mm  of the disc in which roads give access, B
    """

    base: Coin
    radius_mm: float
    hostile: tuple[Coin, ...]


@dataclass(frozen=True, eq=False)
class CaseRoads:
    """The roads of many cases before and after the hostile discs are taken out.

    joined_before, joined_after  (n,) whether a piece belongs to a part that touches both settlement and edge
    """

    before: Cut
    after: Cut
    joined_before: Flags
    joined_after: Flags

    def besieged(self, cases: int) -> Flags:
        """Whether each case is a siege: access before, none after."""
        access = _any(self.joined_before, self.before.frame, cases)
        return access & ~_any(self.joined_after, self.after.frame, cases)


def _any(flags: Flags, group: Indices, groups: int) -> Flags:
    found = np.zeros(groups, dtype=bool)
    found[group[flags]] = True
    return found


def roads_of(network: RoadNetwork, cases: Sequence[Case]) -> CaseRoads:
    """The roads of all cases; the pieces are in the order of the cases."""
    centres = np.array([case.base.at_mm for case in cases]).reshape(-1, 2)
    radii = np.array([case.radius_mm for case in cases])
    walls = np.array([case.base.radius_mm for case in cases])
    before = cut(network, centres, radii)
    after = before.without(_holes(cases))
    return CaseRoads(before, after, *(_joined(roads, centres, radii, walls) for roads in (before, after)))


def besieged(network: RoadNetwork, cases: Sequence[Case]) -> list[bool]:
    """Whether each case is a siege."""
    return roads_of(network, cases).besieged(len(cases)).tolist() if cases else []


def _holes(cases: Sequence[Case]) -> Holes:
    found = [(frame, *unit.at_mm, unit.radius_mm) for frame, case in enumerate(cases) for unit in case.hostile]
    table = np.array(found, dtype=float).reshape(-1, 4)
    return Holes(table[:, 0].astype(np.intp), table[:, 1:3], table[:, 3])


def _joined(roads: Cut, centres: Array, radii: Array, walls: Array) -> Flags:
    """Which pieces belong to a part that touches both the settlement's coin and the edge."""
    if not len(roads):
        return np.zeros(0, dtype=bool)
    low, high = at_edge(roads, centres[roads.frame], radii[roads.frame])
    parts = int(roads.part.max()) + 1
    inner = roads.distances_mm(centres[roads.frame]) <= walls[roads.frame] + EDGE_MM
    both = _any(inner, roads.part, parts) & _any(low | high, roads.part, parts)
    joined: Flags = both[roads.part]
    return joined


def at_edge(roads: Cut, centres_mm: Array, radii_mm: Array) -> tuple[Flags, Flags]:
    """Whether the pieces begin, and end, at the edge of a disc: one for each piece, or one for all."""
    low, high = roads.low_mm - centres_mm, roads.high_mm - centres_mm
    edge = radii_mm - EDGE_MM
    return np.hypot(low[:, 0], low[:, 1]) >= edge, np.hypot(high[:, 0], high[:, 1]) >= edge
