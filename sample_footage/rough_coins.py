"""What seldom happens among coins on a map: exchanged and swapped in their places, turned over, swept aside together,
pulled from under others and carried as a pile, nudged, taken back, a hand that rests, a card laid over the map."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.block import Block
from sample_footage.card_deal import DECK
from sample_footage.clip_truth import Change
from sample_footage.coin import Coin
from sample_footage.drawn_match import laid_out
from sample_footage.gesture import Gesture
from sample_footage.play import TRIES, Play
from sample_footage.still_pictures import fits, one_coin
from sample_footage.troubled_play import TroubledPlay, troubled_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample_footage.drawn_match import DrawnMatch

    Point = tuple[float, float]

# A hand puts a coin on another's place to so many mm; pushes it with a finger so far, or up to another coin.
ON_THE_SPOT_MM, NUDGED_MM, TOUCHING_MM = 1.0, (2.0, 5.0), 0.15
# A sleeve takes along so many coins within so many mm of one another.
SWEPT, SWEPT_WITHIN_MM, SWEPT_MM = 3, 120.0, (4.0, 12.0)
# A thinker's hand lies on the table for so long; the other player moves meanwhile, so long after it came.
RESTS_S, MEANWHILE_S = (6.0, 9.0), 2.0
CARD_REACH_MM = 56.0


@dataclass
class RoughCoins(TroubledPlay):
    """A match of coins in which everything happens that seldom does."""

    def exchange(self) -> None:
        """A coin is taken off, and another kind is put in its place."""
        coin = self._lone_coin()
        seat = self._reach(coin, None)
        self.t_s = self.reaches[-1].end_s
        others = [cls for cls in self.classes if cls != coin.cls]
        instead = one_coin(f"new{len(self.changes)}", str(self.rng.choice(others)), coin.position_mm, self.rng)
        at = self._aside(coin.position_mm, (0.0, ON_THE_SPOT_MM))
        self._bring(replace(instead, owner=seat.colour), at if self._is_free(instead, at) else coin.position_mm, seat)

    def swap(self) -> None:
        """Two coins change places, one of them laid aside meanwhile."""
        one, other = self._lone_coin(), self._lone_coin()
        if one.id == other.id or not self._fit_in_each_others_place(one, other):
            self.move()
            return
        aside = self._free_place(one)
        seat = self._reach(one, aside)
        self._reach(other, one.position_mm, seat=seat)
        self._reach(self.lying[one.id], other.position_mm, seat=seat)

    def nudge(self) -> None:
        """A coin is pushed a few mm with a finger."""
        coin = self._lone_coin()
        for _ in range(TRIES):
            at = self._aside(coin.position_mm, NUDGED_MM)
            if self._is_free(coin, at):
                self._reach(coin, at, lift_mm=0.0)
                return
        self.move()

    def join(self) -> None:
        """A coin is laid so near another that they touch."""
        coin, other = self._lone_coin(), self._lone_coin()
        far = coin.radius_mm + other.radius_mm + TOUCHING_MM
        for _ in range(TRIES if coin.id != other.id else 0):
            at = self._aside(other.position_mm, (far, far))
            if fits(replace(coin, position_mm=at), self._others(coin), 0.0) and self._is_off_blocks(coin, at):
                self._reach(coin, at)
                return
        self.move()

    def take_back(self) -> None:
        """A coin is moved, and put back where it was."""
        coin = self._lone_coin()
        seat = self._reach(coin, self._free_place(coin))
        self._reach(self.lying[coin.id], coin.position_mm, seat=seat)

    def sweep(self) -> None:
        """A coin goes elsewhere, and the sleeve takes along up to three that lie together."""
        self.move()
        last, first = self.reaches[-1], self._lone_coin()
        near = [c for c in self._lone_coins() if math.dist(c.position_mm, first.position_mm) < SWEPT_WITHIN_MM]
        swept = [coin for coin in near if coin.id != last.coin.id][:SWEPT]
        x_mm, y_mm = self._aside((0.0, 0.0), SWEPT_MM)
        stay = [coin for coin in self.coins if all(coin.id != other.id for other in swept)]
        moved = [replace(c, position_mm=(c.position_mm[0] + x_mm, c.position_mm[1] + y_mm)) for c in swept]
        if all(fits(c, stay, 2.0) and self._is_off_blocks(c, c.position_mm) for c in moved):
            for before, after in zip(swept, moved, strict=True):
                self._change(Change(last.put_s, last.put_s, before, after), last.seat)

    def carry(self) -> None:
        """A coin is laid on another, and the two are carried elsewhere as one."""
        self.stack()
        upper = next((coin for coin in self.coins if coin.on is not None), None)
        if upper is None:
            return
        lower = next(coin for coin in self.coins if coin.id == upper.on)
        at = self._free_place(lower)
        seat = self._reach(upper, at, on=replace(lower, position_mm=at))
        last = self.reaches[-1]
        self._change(Change(last.taken_s, last.put_s, lower, replace(lower, position_mm=at)), seat)

    def rest(self) -> None:
        """A hand comes and rests on the table; the other player moves a coin meanwhile."""
        seat, coin = self.seats[0], self._lone_coin()
        begun_s, rests_s = self.t_s, float(self.rng.uniform(*RESTS_S))
        self._add(Gesture(seat, self.t_s, coin, None, holds=False, hover_s=rests_s))
        done_s, self.t_s = self.t_s, begun_s + MEANWHILE_S
        mover = self._lone_coin()
        self._reach(mover, self._free_place(mover), seat=self.seats[1])
        self.t_s = max(self.t_s, done_s)

    def lay_card(self) -> None:
        """A card is laid on the map where nothing lies, or taken away again."""
        cards = [piece for piece in self.lying.values() if isinstance(piece, Block) and piece.kind == "card"]
        at = self._beside(CARD_REACH_MM)
        if cards:
            self._reach(cards[0], None)
        elif at is not None:
            card = Block(f"card{len(self.changes)}", "card", str(self.rng.choice(DECK)), at, self._any_turn())
            self._bring(card, at, self._seat())
        else:
            self.move()

    def _any_turn(self) -> float:
        return float(self.rng.uniform(0, 360))

    def _lone_coins(self) -> list[Coin]:
        """Those that lie on the table and bear none."""
        under = {coin.on for coin in self.coins}
        return [coin for coin in self.coins if coin.on is None and coin.id not in under]

    def _lone_coin(self) -> Coin:
        lone = self._lone_coins()
        return lone[int(self.rng.integers(len(lone)))]

    def _others(self, coin: Coin) -> list[Coin]:
        return [other for other in self.coins if other.id != coin.id]

    def _fit_in_each_others_place(self, one: Coin, other: Coin) -> bool:
        rest = [coin for coin in self.coins if coin.id not in (one.id, other.id)]
        there, back = replace(one, position_mm=other.position_mm), replace(other, position_mm=one.position_mm)
        return fits(there, rest, 0.5) and fits(back, rest, 0.5)

    def _is_free(self, coin: Coin, at_mm: Point) -> bool:
        return super()._is_free(coin, at_mm) and self._is_off_blocks(coin, at_mm)

    def _is_off_blocks(self, coin: Coin, at_mm: Point) -> bool:
        """Whether it lies beside all cards and dice."""
        blocks = [piece for piece in self.lying.values() if isinstance(piece, Block)]
        return all(block.solid.gap_mm(np.array([at_mm]))[0] > coin.radius_mm + 2.0 for block in blocks)


# Each of them once, in any order, as many as are asked for.
ROUGH_COIN_DEEDS: tuple[Callable[[RoughCoins], None], ...] = (
    Play.turn_over,
    RoughCoins.exchange,
    RoughCoins.swap,
    RoughCoins.nudge,
    RoughCoins.join,
    RoughCoins.take_back,
    RoughCoins.sweep,
    RoughCoins.carry,
    RoughCoins.rest,
    RoughCoins.lay_card,
    Play.roll,
    TroubledPlay.kick,
    TroubledPlay.dim,
    RoughCoins.lay_card,
    Play.roll,
)


def rough_coin_match(number: int, seed: int, deeds: int = 6, is_shoved: bool = False) -> DrawnMatch:
    """As `drawn_match`, with what is seldom done, and moves."""
    made = laid_out(number, np.random.default_rng([seed, number, 84]), RoughCoins)
    return troubled_match(made, number, ROUGH_COIN_DEEDS, deeds, is_shoved)
