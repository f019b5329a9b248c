"""Sieges (OMMS-7.1, 7.3): which settlements no road leads to any more, and who cut the roads where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.games.omms.coins import Coin
from rules.games.omms.siege_case import EDGE_MM, Case, at_edge, roads_of
from rules.games.omms.siege_doubt import turns
from rules.geometry.cuts import Cut
from rules.geometry.discs import Array
from rules.geometry.roads import RoadNetwork
from rules.margin import CLOSE_SIGMAS, Margin, at_most
from rules.scene import Point2

# Two points nearer than this are one place.
PLACE_MM = 1e-4


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
    open_roads  where roads still cross the edge and are joined to it
    margin      of the deciding distance; `close` as C3.4 has it
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


def sieges(network: RoadNetwork, bases: Sequence[Coin], units: Sequence[Coin], breadth_mm: float) -> list[Siege]:
    """The siege of every settlement in order, all in a few passes over the network."""
    if not bases:
        return []
    near = [_near(base, units, breadth_mm) for base in bases]
    cases = [
        Case(base, breadth_mm, tuple(unit for unit in found if unit.distance_mm(base) <= breadth_mm))
        for base, found in zip(bases, near, strict=True)
    ]
    roads = roads_of(network, cases)
    margins = turns(network, cases, near, roads.besieged(len(cases)))
    frames = np.arange(len(cases))
    before = zip(
        *(np.searchsorted(roads.before.frame, frames, side).tolist() for side in ("left", "right")), strict=True
    )
    after = zip(*(np.searchsorted(roads.after.frame, frames, side).tolist() for side in ("left", "right")), strict=True)
    found = []
    for case, enemies, margin, was, now in zip(cases, near, margins, before, after, strict=True):
        access = roads.before.where(slice(*was)).where(roads.joined_before[slice(*was)])
        rest = roads.after.where(slice(*now))
        still = rest.where(roads.joined_after[slice(*now)])
        found.append(_siege(case, enemies, margin, (access, rest, still)))
    return found


def _near(base: Coin, units: Sequence[Coin], breadth_mm: float) -> tuple[Coin, ...]:
    """The hostile units that count, or might if distances were moved by 3 sigma."""
    if not base.is_known or base.is_neutral:
        return ()
    return tuple(
        unit
        for unit in units
        if unit.distance_mm(base) <= breadth_mm + CLOSE_SIGMAS * unit.pair_sigma_mm(base) and unit.is_enemy(base.owner)
    )


def _siege(case: Case, near: Sequence[Coin], turn: Margin | None, roads: tuple[Cut, Cut, Cut]) -> Siege:
    """The siege of one case, from its roads of access, all that is left of the roads, and what is still joined."""
    access, rest, still = roads
    besieged = len(access) > 0 and len(still) == 0
    cuts = _cuts(access, rest, case) if case.hostile and len(access) else ()
    margin = turn or (_yes_margin(case, cuts) if besieged else _no_margin(case, still, near))
    return Siege(case.base, besieged, len(access) > 0, _open_places(still, case), cuts, margin, turn is not None)


def _open_places(still: Cut, case: Case) -> tuple[Point2, ...]:
    """Where the open roads cross the edge, each place once."""
    if not len(still):
        return ()
    low, high = at_edge(still, np.array([case.base.at_mm]), np.array([case.radius_mm]))
    return _places(np.concatenate([still.low_mm[low], still.high_mm[high]]))


def _places(points_mm: Array) -> tuple[Point2, ...]:
    """The points, of those within `PLACE_MM` of each other only the first."""
    apart = points_mm[:, None, :] - points_mm[None, :, :]
    same = np.tril(np.hypot(apart[..., 0], apart[..., 1]) <= PLACE_MM, -1).any(axis=1)
    return tuple((float(x), float(y)) for x, y in points_mm[~same])


def _cuts(access: Cut, rest: Cut, case: Case) -> tuple[RoadCut, ...]:
    """The ends that hostile discs make on roads of access, seen from the settlement.

    Where a disc covers the road at the settlement itself, they are seen from outside.
    """
    left = rest.where(np.isin(rest.segment, access.segment))
    at_walls = left.distances_mm(np.array([case.base.at_mm])) <= case.base.radius_mm + EDGE_MM
    inside = np.isin(left.part, left.part[at_walls])
    found = [road_cut for unit in case.hostile for road_cut in _cuts_by(unit, left.where(inside), access)]
    seen = {road_cut.by for road_cut in found}
    over = [unit for unit in case.hostile if unit not in seen and unit.overlap(case.base).margin_mm > 0]
    return (*found, *(road_cut for unit in over for road_cut in _cuts_by(unit, left.where(~inside), access)))


def _cuts_by(unit: Coin, roads: Cut, access: Cut) -> list[RoadCut]:
    """The hole ends on the edge of a unit's disc."""
    points = roads.ends_mm
    away = np.abs(np.hypot(*(points - np.array(unit.at_mm)).T) - unit.radius_mm)
    own = points[away <= PLACE_MM]
    if not len(own):
        return []
    depth_mm = unit.radius_mm - float(access.distances_mm(np.array([unit.at_mm])).min())
    return [RoadCut(unit, place, depth_mm) for place in _places(own)]


def _yes_margin(case: Case, cuts: Sequence[RoadCut]) -> Margin:
    """The smallest distance that holds the siege up: a cut's depth, or a unit's way to the limit B."""
    held = [Margin(road_cut.depth_mm, road_cut.by.sigma_mm) for road_cut in cuts]
    held += [_limit(case, road_cut.by) for road_cut in cuts]
    return min(held, key=lambda margin: margin.margin_mm, default=Margin(0.0))


def _no_margin(case: Case, still: Cut, near: Sequence[Coin]) -> Margin:
    """How far the nearest hostile unit is from an open road, or from counting at all; negative, -B without any."""
    gaps = [
        Margin(unit.radius_mm - float(still.distances_mm(np.array([unit.at_mm])).min()), unit.sigma_mm)
        for unit in case.hostile
        if len(still)
    ]
    gaps += [_limit(case, unit) for unit in near if unit not in case.hostile]
    negative = [margin for margin in gaps if margin.margin_mm < 0]
    return max(negative, key=lambda margin: margin.margin_mm, default=Margin(-case.radius_mm))


def _limit(case: Case, unit: Coin) -> Margin:
    return at_most(unit.distance_mm(case.base), case.radius_mm, unit.pair_sigma_mm(case.base))
