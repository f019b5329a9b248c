"""When a siege is too close to call: if moving any one of its distances by 3 sigma would change it (C3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

from rules.games.omms.coins import Coin
from rules.games.omms.siege_case import Case, besieged, roads_at_rim
from rules.games.omms.turning import turning_margin
from rules.geometry.roads import RoadNetwork
from rules.margin import CLOSE_SIGMAS, Margin, at_most

DISC, WALLS, RIM = -2, -1, -3


@dataclass(frozen=True)
class _Move:
    """One distance of a case, moved by `sigmas`.

    number  of the hostile unit whose distance to the roads it is; WALLS for the settlement's coin, DISC for its disc,
            RIM for the coin's distance from one road alone, whose segments `road` are
    """

    number: int
    sigmas: float
    road: tuple[int, ...] = ()

    def of(self, case: Case) -> Case:
        """The case with the distance moved."""
        shift_mm = self.sigmas * self.sigma_mm(case)
        if self.number == DISC:
            return replace(case, radius_mm=case.radius_mm + shift_mm)
        if self.number == WALLS:
            return replace(case, base=_grown(case.base, shift_mm))
        if self.number == RIM:
            return replace(case, beside=self.road, nearer_mm=shift_mm)
        hostile = list(case.hostile)
        hostile[self.number] = _grown(hostile[self.number], shift_mm)
        return replace(case, hostile=tuple(hostile))

    def sigma_mm(self, case: Case) -> float:
        """The sigma of the distance."""
        return case.base.sigma_mm if self.number < 0 else case.hostile[self.number].sigma_mm


def _grown(coin: Coin, more_mm: float) -> Coin:
    return replace(coin, radius_mm=max(coin.radius_mm + more_mm, 0.0))


@lru_cache(maxsize=512)
def turn(network: RoadNetwork, case: Case, near: tuple[Coin, ...], verdict: bool) -> Margin | None:
    """The distance that turns a verdict within 3 sigma, None if none does; computed once for equal cases.

    near  the hostile units that count or might
    """
    moves = _moves(network, case, verdict)
    turned = besieged(network, [move.of(case) for move in moves])
    margins = [
        turning_margin(partial(_is_turned, network, case, move, verdict), move.sigmas, move.sigma_mm(case), verdict)
        for move, now in zip(moves, turned, strict=True)
        if now != verdict
    ]
    margins += _limit_turns(network, case, near, verdict)
    return min(margins, key=lambda margin: abs(margin.margin_mm) / margin.sigma_mm, default=None)


def _moves(network: RoadNetwork, case: Case, verdict: bool) -> list[_Move]:
    """The distances that can turn a case, moved by 3 sigma; without hostile units none can.

    A larger hostile disc only helps a siege and a smaller one only hurts it, the others can do either. The settlement's
    coin is moved against all roads at once, as between them its place has one error, and against each alone.
    """
    if not case.hostile:
        return []
    step = -CLOSE_SIGMAS if verdict else CLOSE_SIGMAS
    units = [_Move(number, step) for number, unit in enumerate(case.hostile) if unit.sigma_mm]
    own = (DISC, WALLS) if case.base.sigma_mm else ()
    rims = _rims(network, case.base) if own else []
    both = [_Move(number, CLOSE_SIGMAS, road) for number, road in [*((one, ()) for one in own), *rims]]
    return [*units, *(replace(move, sigmas=-move.sigmas) for move in both), *both]


def _rims(network: RoadNetwork, base: Coin) -> list[tuple[int, tuple[int, ...]]]:
    """Each of several roads that 3 sigma let touch the settlement's coin or not; one alone moves as the coin does."""
    roads = roads_at_rim(network, base, CLOSE_SIGMAS * base.sigma_mm)
    return [(RIM, road) for road in roads] if len(roads) > 1 else []


def _is_turned(network: RoadNetwork, case: Case, move: _Move, verdict: bool, sigmas: float) -> bool:
    return besieged(network, [replace(move, sigmas=sigmas).of(case)])[0] != verdict


def _limit_turns(network: RoadNetwork, case: Case, near: tuple[Coin, ...], verdict: bool) -> list[Margin]:
    """The units whose distance to the settlement is too near B to say, if counting them or not turns the verdict."""
    found = []
    for unit in near:
        limit = at_most(unit.distance_mm(case.base), case.radius_mm, unit.pair_sigma_mm(case.base))
        if limit.sigma_mm and abs(limit.margin_mm) <= CLOSE_SIGMAS * limit.sigma_mm:
            hostile = tuple({*case.hostile} ^ {unit})
            if besieged(network, [replace(case, hostile=hostile)])[0] != verdict:
                size_mm = abs(limit.margin_mm)
                found.append(Margin(size_mm if verdict else -size_mm, limit.sigma_mm))
    return found
