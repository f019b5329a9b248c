"""Sieges (OMMS-7.1, 7.3): which settlements no road leads to any more, and who cut the roads where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rules.games.omms.coins import Coin
from rules.geometry.cuts import Cut, Flags, Holes, cut
from rules.margin import CLOSE_SIGMAS, Margin, at_most

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.geometry.discs import Array
    from rules.geometry.roads import Indices, RoadNetwork
    from rules.scene import Point2

# A road end this near the edge of a disc reaches it.
EDGE_MM = 1e-6
# Two points nearer than this are one place.
PLACE_MM = 1e-4
# Bisection steps to find where a verdict turns.
STEPS = 14


@dataclass(frozen=True)
class Case:
    """A settlement and the hostile units that count, or a variation of it with one distance moved.

    radius_mm  of the disc in which roads give access, B
    """

    base: Coin
    radius_mm: float
    hostile: tuple[Coin, ...]


@dataclass(frozen=True)
class RoadCut:
    """Where a hostile unit cuts a road that gave access; depth_mm is how far the road runs inside its disc."""

    by: Coin
    at_mm: Point2
    depth_mm: float


@dataclass(frozen=True)
class Siege:
    """The state of one settlement's roads.

    access      whether any road led from it to the edge before hostile units counted
    open_roads  where roads still cross the edge and are joined to it
    margin      of the deciding distance; `verdict` says close as C3.4 does
    """

    base: Coin
    besieged: bool
    access: bool
    open_roads: tuple[Point2, ...]
    cuts: tuple[RoadCut, ...]
    margin: Margin
    close: bool

    @property
    def besiegers(self) -> tuple[Coin, ...]:
        """The units that cut roads, each once."""
        return tuple(dict.fromkeys(road_cut.by for road_cut in self.cuts))


@dataclass(frozen=True, eq=False)
class _Roads:
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


def _roads(network: RoadNetwork, cases: Sequence[Case]) -> _Roads:
    centres = np.array([case.base.at_mm for case in cases]).reshape(-1, 2)
    radii = np.array([case.radius_mm for case in cases])
    walls = np.array([case.base.radius_mm for case in cases])
    before = cut(network, centres, radii)
    after = before.without(_holes(cases))
    return _Roads(before, after, *(_joined(roads, centres, radii, walls) for roads in (before, after)))


def _holes(cases: Sequence[Case]) -> Holes:
    found = [(frame, *unit.at_mm, unit.radius_mm) for frame, case in enumerate(cases) for unit in case.hostile]
    table = np.array(found, dtype=float).reshape(-1, 4)
    return Holes(table[:, 0].astype(np.intp), table[:, 1:3], table[:, 3])


def _joined(roads: Cut, centres: Array, radii: Array, walls: Array) -> Flags:
    """Which pieces belong to a part that touches both the settlement's coin and the edge."""
    if not len(roads):
        return np.zeros(0, dtype=bool)
    low, high = _at_edge(roads, centres, radii)
    parts = int(roads.part.max()) + 1
    inner = roads.distances_mm(centres[roads.frame]) <= walls[roads.frame] + EDGE_MM
    both = _any(inner, roads.part, parts) & _any(low | high, roads.part, parts)
    joined: Flags = both[roads.part]
    return joined


def _at_edge(roads: Cut, centres: Array, radii: Array) -> tuple[Flags, Flags]:
    """Whether the pieces begin, and end, at the edge of their disc."""
    centre, radius = centres[roads.frame], radii[roads.frame] - EDGE_MM
    low, high = roads.low_mm - centre, roads.high_mm - centre
    return np.hypot(low[:, 0], low[:, 1]) >= radius, np.hypot(high[:, 0], high[:, 1]) >= radius


def sieges(network: RoadNetwork, bases: Sequence[Coin], units: Sequence[Coin], breadth_mm: float) -> list[Siege]:
    """The siege of every settlement in order, all in a few passes over the network."""
    if not bases:
        return []
    cases = [Case(base, breadth_mm, _hostile(base, units, breadth_mm)) for base in bases]
    roads = _roads(network, cases)
    besieged = roads.besieged(len(cases))
    turns = _turns(network, cases, units, besieged)
    return [_siege(roads, frame, case, units, turns[frame]) for frame, case in enumerate(cases)]


def _hostile(base: Coin, units: Sequence[Coin], breadth_mm: float) -> tuple[Coin, ...]:
    """The units that may cut the roads of a settlement: hostile, and with their centre within B."""
    if not base.is_known or base.is_neutral:
        return ()
    return tuple(unit for unit in units if unit.is_enemy(base.owner) and unit.distance_mm(base) <= breadth_mm)


def _siege(roads: _Roads, frame: int, case: Case, units: Sequence[Coin], turn: Margin | None) -> Siege:
    before = roads.before.where(roads.joined_before & (roads.before.frame == frame))
    rest = roads.after.where(roads.after.frame == frame)
    still = roads.after.where(roads.joined_after & (roads.after.frame == frame))
    besieged = len(before) > 0 and len(still) == 0
    cuts = _cuts(before, rest, case)
    margin = turn or (_yes_margin(case, cuts) if besieged else _no_margin(case, still, units))
    return Siege(case.base, besieged, len(before) > 0, _open_places(still, case), cuts, margin, turn is not None)


def _open_places(still: Cut, case: Case) -> tuple[Point2, ...]:
    """Where the open roads cross the edge, each place once."""
    if not len(still):
        return ()
    low, high = _at_edge(still, np.array([case.base.at_mm]), np.array([case.radius_mm]))
    points = np.concatenate([still.low_mm[low], still.high_mm[high]])
    return tuple((float(x), float(y)) for x, y in points[_first_of_each(points)])


def _first_of_each(points_mm: Array) -> list[int]:
    """The numbers of the points that are not within `PLACE_MM` of an earlier one."""
    kept: list[int] = []
    for index, point in enumerate(points_mm):
        if all(np.hypot(*(points_mm[other] - point)) > PLACE_MM for other in kept):
            kept.append(index)
    return kept


def _cuts(before: Cut, rest: Cut, case: Case) -> tuple[RoadCut, ...]:
    """The ends that hostile discs make on roads of access, seen from the settlement.

    Where a disc covers the road at the settlement itself, they are seen from outside.
    """
    walls = np.array([case.base.at_mm]), case.base.radius_mm + EDGE_MM
    access = np.isin(rest.segment, before.segment)
    inner_parts = rest.part[rest.distances_mm(walls[0]) <= walls[1]] if len(rest) else np.empty(0)
    inner = rest.where(access & np.isin(rest.part, inner_parts))
    outer = rest.where(access & ~np.isin(rest.part, inner_parts)) if len(rest) else rest
    found = _cuts_at(inner, case.hostile)
    seen = {road_cut.by for road_cut in found}
    over = tuple(unit for unit in case.hostile if unit not in seen and _covers_road_at(before, unit, case.base))
    return tuple(found + _cuts_at(outer, over))


def _covers_road_at(before: Cut, unit: Coin, base: Coin) -> bool:
    """Whether a unit's disc lies over a road of access under the settlement's coin."""
    if unit.overlap(base).margin_mm <= 0:
        return False
    return bool(len(before) and before.distances_mm(np.array([unit.at_mm])).min() < unit.radius_mm)


def _cuts_at(roads: Cut, units: Sequence[Coin]) -> list[RoadCut]:
    """The hole ends on the edges of the given units' discs, each place once for each unit."""
    points = roads.ends_mm
    found = []
    for unit in units:
        away = np.abs(np.hypot(*(points - np.array([unit.at_mm])).T) - unit.radius_mm)
        own = points[away <= PLACE_MM]
        depth_mm = unit.radius_mm - _nearest_mm(roads.network, unit)
        found += [RoadCut(unit, (float(own[i, 0]), float(own[i, 1])), depth_mm) for i in _first_of_each(own)]
    return found


def _nearest_mm(network: RoadNetwork, unit: Coin) -> float:
    """The distance from a unit's centre to the nearest road under its coin."""
    point = network.nearest(unit.at_mm, unit.radius_mm)
    return point.distance_mm if point else unit.radius_mm


def _yes_margin(case: Case, cuts: Sequence[RoadCut]) -> Margin:
    """The smallest distance that holds the siege up: a cut's depth, or a unit's way to the limit B."""
    held = [Margin(road_cut.depth_mm, road_cut.by.sigma_mm) for road_cut in cuts]
    held += [_limit(case.base, road_cut.by, case.radius_mm) for road_cut in cuts]
    return min(held, key=lambda margin: margin.margin_mm, default=Margin(0.0))


def _no_margin(case: Case, still: Cut, units: Sequence[Coin]) -> Margin:
    """How far the nearest hostile unit is from an open road, or from counting at all; negative."""
    gaps = [
        Margin(unit.radius_mm - float(still.distances_mm(np.array([unit.at_mm])).min()), unit.sigma_mm)
        for unit in case.hostile
        if len(still)
    ]
    if not gaps:
        gaps = [_limit(case.base, unit, case.radius_mm) for unit in units if unit.is_enemy(case.base.owner)]
    negative = [margin for margin in gaps if margin.margin_mm < 0]
    return max(negative, key=lambda margin: margin.margin_mm, default=Margin(-case.radius_mm))


def _limit(base: Coin, unit: Coin, breadth_mm: float) -> Margin:
    return at_most(unit.distance_mm(base), breadth_mm, unit.pair_sigma_mm(base))


@dataclass(frozen=True)
class _Move:
    """One distance of a case, moved by `sigmas`: the settlement's coin, its disc, or a unit's coin.

    unit  number of the hostile unit, -1 for the settlement's coin, -2 for the disc of access
    """

    frame: int
    unit: int
    sigmas: float

    def of(self, case: Case) -> Case:
        """The case with the distance moved."""
        shift_mm = self.sigmas * self.sigma_mm(case)
        if self.unit == -2:
            return replace(case, radius_mm=case.radius_mm + shift_mm)
        if self.unit == -1:
            return replace(case, base=_grown(case.base, shift_mm))
        hostile = list(case.hostile)
        hostile[self.unit] = _grown(hostile[self.unit], shift_mm)
        return replace(case, hostile=tuple(hostile))

    def sigma_mm(self, case: Case) -> float:
        """The sigma of the distance."""
        return case.base.sigma_mm if self.unit < 0 else case.hostile[self.unit].sigma_mm


def _grown(coin: Coin, more_mm: float) -> Coin:
    return replace(coin, radius_mm=max(coin.radius_mm + more_mm, 0.0))


def _turns(network: RoadNetwork, cases: Sequence[Case], units: Sequence[Coin], besieged: Flags) -> list[Margin | None]:
    """For each case the distance that turns the verdict within 3 sigma, if one does (C3.4)."""
    found: list[list[Margin]] = [[] for _ in cases]
    moves = [move for frame, case in enumerate(cases) for move in _moves(frame, case)]
    turned = _besieged(network, [move.of(cases[move.frame]) for move in moves])
    for move, now in zip(moves, turned, strict=True):
        if now != besieged[move.frame]:
            found[move.frame].append(_turning_point(network, cases[move.frame], move, bool(besieged[move.frame])))
    for frame, case in enumerate(cases):
        found[frame] += _limit_turns(network, case, units, bool(besieged[frame]))
    return [min(turns, key=lambda m: abs(m.margin_mm) / m.sigma_mm, default=None) for turns in found]


def _moves(frame: int, case: Case) -> list[_Move]:
    """All distances of a case that can turn it, each moved by 3 sigma both ways; without hostile units none can."""
    if not case.hostile:
        return []
    numbers = [number for number in range(len(case.hostile)) if case.hostile[number].sigma_mm]
    numbers += [-2, -1] if case.base.sigma_mm else []
    return [_Move(frame, number, step) for number in numbers for step in (-CLOSE_SIGMAS, CLOSE_SIGMAS)]


def _besieged(network: RoadNetwork, cases: Sequence[Case]) -> list[bool]:
    return _roads(network, cases).besieged(len(cases)).tolist() if cases else []


def _turning_point(network: RoadNetwork, case: Case, move: _Move, besieged: bool) -> Margin:
    """By bisection, how far the distance must move until the verdict turns."""
    near, far = 0.0, move.sigmas
    for _ in range(STEPS):
        middle = (near + far) / 2
        if _besieged(network, [replace(move, sigmas=middle).of(case)])[0] == besieged:
            near = middle
        else:
            far = middle
    sigma_mm = move.sigma_mm(case)
    size_mm = abs(far) * sigma_mm
    return Margin(size_mm if besieged else -size_mm, sigma_mm)


def _limit_turns(network: RoadNetwork, case: Case, units: Sequence[Coin], besieged: bool) -> list[Margin]:
    """The units whose distance to the settlement is too near B to say, if counting them or not turns the verdict."""
    if not case.base.is_known or case.base.is_neutral:
        return []
    found = []
    for unit in (unit for unit in units if unit.is_enemy(case.base.owner)):
        limit = _limit(case.base, unit, case.radius_mm)
        if limit.sigma_mm and abs(limit.margin_mm) <= CLOSE_SIGMAS * limit.sigma_mm:
            hostile = {*case.hostile} ^ {unit}
            if _besieged(network, [replace(case, hostile=tuple(hostile))])[0] != besieged:
                size_mm = abs(limit.margin_mm)
                found.append(Margin(size_mm if besieged else -size_mm, limit.sigma_mm))
    return found
