"""Sieges (OMMS-7.1, 7.3): which settlements no road leads to any more, and who cut the roads where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np

from rules.games.omms.coins import Coin
from rules.games.omms.siege_case import PLACE_MM, Access, Case, access_of
from rules.games.omms.siege_doubt import turn
from rules.geometry.roads import RoadNetwork
from rules.kept import Kept
from rules.margin import CLOSE_SIGMAS, REFUSED, ROUNDING_MM, Margin, at_most
from rules.scene import Point2

# That of an open road to which no hostile unit is near: no distance decides.
_NONE_NEAR = Margin(-math.inf)
# Units with the distances of their centres from a settlement's.
Ranged = list[tuple[Coin, float]]


@dataclass(frozen=True)
class RoadCut:
    """Where a hostile unit cuts a road that gave access; depth_mm is how far such roads run inside its disc."""

    by: Coin
    at_mm: Point2
    depth_mm: float


@dataclass(frozen=True)
class Siege:
    """The state of one settlement's roads.

    access      whether any road led from it to the edge before hostile units counted
    open_roads  at how many places a road still crosses the edge and is joined to it
    margin      of the deciding distance, a refusal where no hostile unit is near; `close` as C3.4 has it
    """

    base: Coin
    besieged: bool
    access: bool
    open_roads: int
    cuts: tuple[RoadCut, ...]
    margin: Margin
    close: bool

    @property
    def besiegers(self) -> tuple[Coin, ...]:
        """The units that cut roads, each once."""
        return tuple(dict.fromkeys(road_cut.by for road_cut in self.cuts))


def sieges(network: RoadNetwork, bases: Sequence[Coin], units: Sequence[Coin], breadth_mm: float) -> list[Siege]:
    """The siege of every settlement in order; what is new among them is worked out in a few passes over the network."""
    return sieges_on(network)([_Ring(base, breadth_mm, _hostile(base, units, 2 * breadth_mm)) for base in bases])


@dataclass(frozen=True)
class _Ring:
    """All that the siege of a settlement depends on: B, and the hostile units within twice of it."""

    base: Coin
    breadth_mm: float
    hostile: tuple[Coin, ...]

    @cached_property
    def ranged(self) -> Ranged:
        """The hostile units with the distances of their centres from the settlement's."""
        return [(unit, self.base.distance_mm(unit)) for unit in self.hostile]

    @property
    def counting(self) -> tuple[Coin, ...]:
        """Those within B."""
        return tuple(unit for unit, away_mm in self.ranged if away_mm <= self.breadth_mm + ROUNDING_MM)


@lru_cache(maxsize=8)
def sieges_on(network: RoadNetwork) -> Kept[_Ring, Siege]:
    """The sieges on one map: after a move those far from it are as they were."""
    return Kept(partial(_sieges, network), most=512)


def _sieges(network: RoadNetwork, rings: Sequence[_Ring]) -> list[Siege]:
    bases = [ring.base for ring in rings]
    near = [_near(ring) for ring in rings]
    cases = [Case(ring.base, ring.breadth_mm, ring.counting) for ring in rings]
    before, after = access_of(network, cases)
    verdicts = before.open & ~after.open
    depths, gaps = (_inside_mm(access, bases, [case.hostile for case in cases]) for access in (before, after))
    cuts = _cuts(before, after, cases, depths)
    firm = [
        _yes_margin(case, depths) if verdict else _no_margin(case, gaps, cut)
        for case, verdict, cut in zip(cases, verdicts, cuts, strict=True)
    ]
    beyond = [_beyond(ring, margin) for ring, margin in zip(rings, firm, strict=True)]
    far = _inside_mm(after, bases, beyond)
    found = []
    for frame, case in enumerate(cases):
        doubt = turn(network, case, near[frame], bool(verdicts[frame]))
        margin = doubt or _or_beyond(case, firm[frame], beyond[frame], far)
        access, places = bool(before.open[frame]), int(after.places[frame])
        whole = Siege(case.base, bool(verdicts[frame]), access, places, tuple(cuts[frame]), margin, doubt is not None)
        found.append(whole)
    return found


def _hostile(base: Coin, units: Sequence[Coin], far_mm: float) -> tuple[Coin, ...]:
    """The units of other players within a distance; none against a settlement that is nobody's."""
    if not base.is_known or base.is_neutral:
        return ()
    return tuple(unit for unit in units if base.distance_mm(unit) <= far_mm and unit.is_enemy(base.owner))


def _near(ring: _Ring) -> tuple[Coin, ...]:
    """The hostile units that count, or might if distances were moved by 3 sigma."""
    base, breadth_mm = ring.base, ring.breadth_mm
    return tuple(
        unit
        for unit, away_mm in ring.ranged
        if away_mm <= breadth_mm + ROUNDING_MM + CLOSE_SIGMAS * (unit.sigma_mm + base.sigma_mm)  # a hypotenuse is less
        and at_most(away_mm, breadth_mm, unit.pair_sigma_mm(base)).verdict != "no"
    )


def _beyond(ring: _Ring, margin: Margin) -> list[Coin]:
    """The hostile units too far away to count, but by less than what else a siege lacks; none in a siege."""
    low_mm, high_mm = ring.breadth_mm + ROUNDING_MM, ring.breadth_mm - margin.margin_mm
    return [unit for unit, away_mm in ring.ranged if low_mm < away_mm < high_mm]


# How far roads run inside a hostile unit's disc, by settlement and unit; negative for the gap between them.
Depths = dict[tuple[str, str], float]


def _inside_mm(access: Access, bases: Sequence[Coin], units: Sequence[Sequence[Coin]]) -> Depths:
    """The depths of the roads that give access in each settlement's units."""
    pairs = [(frame, base, unit) for frame, base in enumerate(bases) for unit in units[frame]]
    if not pairs:
        return {}
    points = np.array([unit.at_mm for _, _, unit in pairs])
    least = access.giving.least_mm(np.array([frame for frame, _, _ in pairs]), points).tolist()
    return {(base.id, unit.id): unit.radius_mm - mm for (_, base, unit), mm in zip(pairs, least, strict=True)}


def _cuts(before: Access, after: Access, cases: Sequence[Case], depths: Depths) -> list[list[RoadCut]]:
    """The ends that hostile discs make on roads of access, case by case, seen from the settlement.

    Where a disc covers the road at the settlement itself, they are seen from outside.
    """
    inner: list[list[RoadCut]] = [[] for _ in cases]
    outer: list[list[RoadCut]] = [[] for _ in cases]
    for frame, at_walls, at_mm in after.hole_ends(before.giving):
        side = inner[frame] if at_walls else outer[frame]
        side += _cuts_at(cases[frame], at_mm, depths, side)
    return [_seen(case, *sides) for case, *sides in zip(cases, inner, outer, strict=True)]


def _cuts_at(case: Case, at_mm: Point2, depths: Depths, known: Sequence[RoadCut]) -> list[RoadCut]:
    """The cuts of the units on the edge of whose disc a road ends, less those that are known."""
    return [
        RoadCut(unit, at_mm, depths[case.base.id, unit.id])
        for unit in case.hostile
        if abs(math.dist(unit.at_mm, at_mm) - unit.radius_mm) <= PLACE_MM
        and not any(cut.by is unit and math.dist(cut.at_mm, at_mm) <= PLACE_MM for cut in known)
    ]


def _seen(case: Case, inner: list[RoadCut], outer: list[RoadCut]) -> list[RoadCut]:
    """The inner cuts, and the outer ones of units that lie over the settlement and have no inner ones."""
    seen = {cut.by for cut in inner}
    over = [cut for cut in outer if cut.by not in seen and cut.by.overlap(case.base).margin_mm > 0]
    order = {unit: number for number, unit in enumerate(case.hostile)}
    return sorted([*inner, *over], key=lambda cut: order[cut.by])


def _yes_margin(case: Case, depths: Depths) -> Margin:
    """The smallest distance that holds the siege up: how deep a unit cuts a road, or its way to the limit B.

    One within 3 sigma decides nothing where the verdict does not hang on it: another unit cuts that road well.
    """
    cutting = [unit for unit in case.hostile if depths[case.base.id, unit.id] > 0]
    held = [Margin(depths[case.base.id, unit.id], unit.sigma_mm) for unit in cutting]
    held += [_limit(case, unit) for unit in cutting]
    firm = [margin for margin in held if margin.verdict == "yes"]
    return min(firm, key=lambda margin: margin.margin_mm, default=Margin(0.0))


def _no_margin(case: Case, gaps: Depths, cuts: Sequence[RoadCut]) -> Margin:
    """How far the nearest hostile unit that counts is from an open road: negative, minus infinity without any.

    The stub of a road that a unit cuts ends at the unit's own edge and counts for no open road. A unit within 3 sigma
    of an open road decides nothing if another road stays open.
    """
    stubs = {cut.by for cut in cuts}
    apart = ((unit, Margin(gaps[case.base.id, unit.id], unit.sigma_mm)) for unit in case.hostile)
    short = [gap for unit, gap in apart if unit not in stubs or gap.margin_mm < -PLACE_MM]
    return _nearest(short)


def _or_beyond(case: Case, margin: Margin, beyond: Sequence[Coin], gaps: Depths) -> Margin:
    """The same with units that do not count: each is as far from it as from an open road, or from B if that is more."""
    apart = [(Margin(gaps[case.base.id, unit.id], unit.sigma_mm), _limit(case, unit)) for unit in beyond]
    farther = [min(both, key=lambda one: one.margin_mm) for both in apart]
    nearest = _nearest([margin, *farther]) if beyond else margin
    return REFUSED if math.isinf(nearest.margin_mm) else nearest


def _nearest(margins: Sequence[Margin]) -> Margin:
    firm = [margin for margin in margins if margin.margin_mm < 0 and margin.verdict == "no"]
    return max(firm, key=lambda margin: margin.margin_mm, default=_NONE_NEAR)


def _limit(case: Case, unit: Coin) -> Margin:
    return at_most(unit.distance_mm(case.base), case.radius_mm, unit.pair_sigma_mm(case.base))
