"""Whether a usable road leads from an attacker to a target past all other enemies (OMMS-5.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from rules.games.omms.coins import Coin
from rules.games.omms.turning import turning_margin
from rules.geometry.cuts import Holes, cut
from rules.geometry.open_ground import shrunk
from rules.geometry.roads import RoadNetwork, RoadPoint
from rules.kept import Kept
from rules.margin import CLOSE_SIGMAS, Margin

if TYPE_CHECKING:
    from collections.abc import Sequence

# A road this near to a target's disc meets it.
ROUNDING_MM = 1e-7


@dataclass(frozen=True)
class Ask:
    """One question: does a road lead from `point` to the target inside the disc, past the others?

    radius_mm  of the closed disc around the attacker, L
    """

    attacker: Coin
    point: RoadPoint
    radius_mm: float
    target: Coin
    others: tuple[Coin, ...]

    def moved(self, index: int, sigmas: float) -> Ask:
        """The question with one distance changed by so many of its sigmas.

        index  -2 the radius of the disc, -1 the target's distance, else that of the coin `others[index]` to the road
        """
        if index == -2:
            return replace(self, radius_mm=self.radius_mm + sigmas * self.attacker.sigma_mm)
        if index == -1:
            return replace(self, target=_grown(self.target, sigmas))
        others = list(self.others)
        others[index] = _grown(others[index], sigmas)
        return replace(self, others=tuple(others))

    def sigma_mm(self, index: int) -> float:
        """The sigma of the distance that `moved` moves."""
        return (self.attacker, self.target)[index + 2].sigma_mm if index < 0 else self.others[index].sigma_mm


def _grown(coin: Coin, sigmas: float) -> Coin:
    return replace(coin, radius_mm=max(coin.radius_mm + sigmas * coin.sigma_mm, 0.0))


def open_ways(roads: RoadNetwork, asks: Sequence[Ask]) -> list[bool]:
    """The answers to many questions, in one pass over the network."""
    return [short_mm <= ROUNDING_MM for short_mm in _short_mm(roads, asks)]


@lru_cache(maxsize=8)
def open_ways_on(roads: RoadNetwork) -> Kept[Ask, bool]:
    """The same on one map, kept for questions that come again after every move."""
    return Kept(partial(open_ways, roads), most=2048)


def _short_mm(roads: RoadNetwork, asks: Sequence[Ask]) -> list[float]:
    """How far short of each target's disc the open road ends; 0 or less if it meets it."""
    if not asks:
        return []
    left = cut(
        roads,
        np.array([ask.attacker.at_mm for ask in asks]),
        np.array([ask.radius_mm for ask in asks]),
        _holes(asks),
    )
    targets = np.array([ask.target.at_mm for ask in asks])
    radii = np.array([ask.target.radius_mm for ask in asks])
    short = left.distances_mm(targets[left.frame]) - radii[left.frame]
    return [
        min(
            math.dist(ask.point.at_mm, ask.target.at_mm) - ask.target.radius_mm,
            float(short[left.holding(ask.point, frame)].min(initial=math.inf)),
        )
        for frame, ask in enumerate(asks)
    ]


def _holes(asks: Sequence[Ask]) -> Holes:
    """The discs of the other enemies, those that hold the attacker's road point shrunk to touch it."""
    found = [
        (frame, *centre, radius)
        for frame, ask in enumerate(asks)
        for centre, radius in shrunk(((other.at_mm, other.radius_mm) for other in ask.others), ask.point.at_mm)
    ]
    table = np.array(found, dtype=float).reshape(-1, 4)
    return Holes(table[:, 0].astype(np.intp), table[:, 1:3], table[:, 3])


@dataclass(frozen=True)
class Way:
    """The answer: open or not, and if moving one distance turns it, by how much.

    turn    margin of the distance that would turn the answer if moved by less than 3 sigma; None if there is none
    guilty  coins that bar the way: it would be open if any one of them were gone
    short   by how much a barred way fails: how far it runs inside a guilty coin's disc, or how far from the target's it
            ends
    """

    open: bool
    turn: Margin | None = None
    guilty: tuple[Coin, ...] = ()
    short: Margin | None = None


def ways(roads: RoadNetwork, asks: Sequence[Ask]) -> list[Way]:
    """The answers with their doubts and reasons; what is new among the questions is worked out in one pass."""
    return _ways_on(roads)(asks)


@lru_cache(maxsize=8)
def _ways_on(roads: RoadNetwork) -> Kept[Ask, Way]:
    """The answers on one map: after a move those far from it are as they were."""
    return Kept(partial(_ways, roads), most=2048)


def _ways(roads: RoadNetwork, asks: Sequence[Ask]) -> list[Way]:
    firm = [not _sigmas(ask) for ask in asks]
    extremes = [
        ask if sure else _all_moved(ask, step) for step in (-1, 1) for ask, sure in zip(asks, firm, strict=True)
    ]
    short_mm = _short_mm(roads, [*asks, *extremes])
    answers = [mm <= ROUNDING_MM for mm in short_mm]
    count = len(asks)
    plain, worst, best = answers[:count], answers[count : 2 * count], answers[2 * count :]
    turns = [
        _turn(roads, ask, is_open) if bad != good else None
        for ask, is_open, bad, good in zip(asks, plain, worst, best, strict=True)
    ]
    return [
        Way(is_open, turn) if is_open else _barred(roads, ask, turn, mm)
        for ask, is_open, turn, mm in zip(asks, plain, turns, short_mm, strict=False)
    ]


def _barred(roads: RoadNetwork, ask: Ask, turn: Margin | None, short_mm: float) -> Way:
    guilty = _guilty(roads, ask)
    fails = [Margin(-mm, coin.sigma_mm) for coin, mm in zip(guilty, _inside_mm(roads, ask, guilty), strict=True)]
    return Way(
        False, turn, guilty, max(fails, key=lambda one: one.margin_mm, default=Margin(-short_mm, ask.target.sigma_mm))
    )


def _inside_mm(roads: RoadNetwork, ask: Ask, coins: Sequence[Coin]) -> list[float]:
    """How far the roads within the attacker's disc run inside each coin's."""
    if not coins:
        return []
    near = cut(roads, np.array([ask.attacker.at_mm]), np.array([ask.radius_mm]))
    return [coin.radius_mm - float(near.distances_mm(np.array([coin.at_mm])).min()) for coin in coins]


def _sigmas(ask: Ask) -> bool:
    """Whether any of the distances has an error."""
    return any(coin.sigma_mm for coin in (ask.attacker, ask.target, *ask.others))


def _all_moved(ask: Ask, sign: int) -> Ask:
    """All distances moved by 3 sigma at once, against the way (-1) or for it: what no single one can outdo."""
    step = sign * CLOSE_SIGMAS
    others = tuple(_grown(other, -step) for other in ask.others)
    radius_mm = ask.radius_mm + step * ask.attacker.sigma_mm
    return replace(ask, radius_mm=radius_mm, target=_grown(ask.target, step), others=others)


def _guilty(roads: RoadNetwork, ask: Ask) -> tuple[Coin, ...]:
    freed = open_ways(roads, [replace(ask, others=tuple(o for o in ask.others if o != other)) for other in ask.others])
    return tuple(other for other, is_open in zip(ask.others, freed, strict=True) if is_open)


def _turn(roads: RoadNetwork, ask: Ask, is_open: bool) -> Margin | None:
    """The nearest distance that turns the answer within 3 sigma, None if no single one does."""
    moves = [(index, step) for step in (-CLOSE_SIGMAS, CLOSE_SIGMAS) for index in range(-2, len(ask.others))]
    moves = [move for move in moves if ask.sigma_mm(move[0])]
    answers = open_ways(roads, [ask.moved(index, step) for index, step in moves])
    turning = [move for move, answer in zip(moves, answers, strict=True) if answer != is_open]
    margins = [
        turning_margin(partial(_is_turned, roads, ask, index, is_open), step, ask.sigma_mm(index), is_open)
        for index, step in turning
    ]
    return min(margins, key=lambda margin: abs(margin.margin_mm) / margin.sigma_mm, default=None)


def _is_turned(roads: RoadNetwork, ask: Ask, index: int, is_open: bool, sigmas: float) -> bool:
    return open_ways(roads, [ask.moved(index, sigmas)])[0] != is_open
