"""What hands do on a battlefield of cards: units step, turn and fall, dice are rolled, cards nudged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.block import Block
from sample_footage.card_deal import DECK, Deal, end_of, place_on
from sample_footage.play import TRIES, Play

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sample_footage.coin import Coin
    from sample_footage.gesture import Seat

Point = tuple[float, float]

# A step goes to the next card; now and then a unit is put anywhere, and on the other end of the card.
STEPS, OWN_END = 0.85, 0.85
APART_MM = 0.6
# A card that a hand brushes shifts so far.
NUDGED_MM = (2.5, 9.0)


@dataclass
class CardPlay(Play):
    """A match on cards while it is drawn.

    is_dotted  whether coins bear their owner's dot; without, they lie on their owner's end of a card
    """

    deal: Deal = field(default_factory=lambda: Deal((), {}))
    is_dotted: bool = True

    @property
    def cards(self) -> list[Block]:
        """The cards as they lie."""
        return [self._block(card.id) for card in self.deal.cards]

    def toss(self) -> None:
        """A coin is tossed beside the cards."""
        seat = self._seat()
        coin = replace(self._new_coin(seat), owner="none")
        at = self._beside(coin.radius_mm)
        if at is not None:
            self._bring(coin, at, seat)
        else:
            self.move()

    def nudge(self) -> None:
        """A card on which nothing lies is pushed a little."""
        card = self._empty_card()
        for _ in range(TRIES if card is not None else 0):
            at = self._aside(card.position_mm, NUDGED_MM)
            if self._is_clear(replace(card, position_mm=at)):
                self._reach(card, at, lift_mm=0.0)
                return
        self.move()

    def turn_card(self) -> None:
        """A card on which nothing lies is turned face down, or another is laid in its place."""
        card = self._empty_card()
        if card is None:
            self.move()
            return
        used = {other.cls for other in self.cards}
        fresh = str(self.rng.choice([cls for cls in DECK if cls not in used]))
        self._reach(card, card.position_mm, cls="BACK" if self.rng.random() < 0.5 else fresh)

    def _new_coin(self, seat: Seat) -> Coin:
        coin = super()._new_coin(seat)
        return coin if self.is_dotted else replace(coin, owner="none")

    def _free_place(self, coin: Coin) -> Point:
        """On the next card or, now and then, on any."""
        here = self.card_at(coin.position_mm)
        near = [card for card in self.cards if here is not None and self._steps(here, card) == 1]
        while True:
            choice = near if near and self.rng.random() < STEPS else self.cards
            card = choice[int(self.rng.integers(len(choice)))]
            at = place_on(card, coin.radius_mm, self._end(coin, here), self.rng)
            if self._is_free(coin, at) and math.dist(at, coin.position_mm) > 2 * coin.radius_mm:
                return at

    def _end(self, coin: Coin, here: Block | None) -> int:
        """Of a card, on which the coin is put: its owner's, mostly, where a dot tells whose it is."""
        if not self.is_dotted:
            return end_of(here, coin.position_mm) if here is not None else int(self.rng.choice([-1, 1]))
        own = 1 if coin.owner == self.seats[1].colour else -1
        return own if self.rng.random() < OWN_END else -own

    def card_at(self, at_mm: Point) -> Block | None:
        """The card under a point."""
        return next((card for card in self.cards if card.solid.gap_mm(np.array([at_mm]))[0] == 0), None)

    def _steps(self, one: Block, other: Block) -> int:
        (a, b), (c, d) = self.deal.grid[one.id], self.deal.grid[other.id]
        return abs(a - c) + abs(b - d)

    def _block(self, name: str) -> Block:
        piece = self.lying[name]
        assert isinstance(piece, Block)
        return piece

    def _is_free(self, coin: Coin, at_mm: Point) -> bool:
        others = [p for p in self.lying.values() if p.id != coin.id and p.kind != "card"]
        return all(p.solid.gap_mm(np.array([at_mm]))[0] > coin.radius_mm + APART_MM for p in others)

    def _floor_mm(self, at_mm: Point | None) -> float:
        card = self.card_at(at_mm) if at_mm is not None else None
        return card.high_mm if card is not None else 0.0

    def _empty_card(self) -> Block | None:
        """One on which nothing lies."""
        coins = [coin.position_mm for coin in self.coins]
        empty = [c for c in self.cards if not coins or c.solid.gap_mm(np.array(coins)).min() > 16]
        return empty[int(self.rng.integers(len(empty)))] if empty else None

    def _is_clear(self, card: Block, on_it: Sequence[Coin] = ()) -> bool:
        """Whether nothing else lies where it would, but for what lies on it."""
        edge = card.solid.placed(_EDGE * card.solid.half_mm)
        own = {card.id, *(coin.id for coin in on_it)}
        others = [piece for piece in self.lying.values() if piece.id not in own]
        return all(piece.solid.gap_mm(edge).min() > APART_MM for piece in others)


_ROUND = np.linspace(-1, 1, 21)
# Points along the edges of a rectangle of half sides 1.
_EDGE = np.array([(side, s) for s in _ROUND for side in (-1, 1)] + [(s, side) for s in _ROUND for side in (-1, 1)])

CARD_DEEDS: tuple[tuple[Callable[[CardPlay], None], float], ...] = (
    (CardPlay.move, 0.30),
    (CardPlay.slide, 0.08),
    (CardPlay.take, 0.12),
    (CardPlay.bring, 0.08),
    (CardPlay.stack, 0.07),
    (CardPlay.brush, 0.05),
    (CardPlay.hover, 0.05),
    (CardPlay.both, 0.05),
    (CardPlay.turn_over, 0.06),
    (CardPlay.toss, 0.04),
    (CardPlay.roll, 0.05),
    (CardPlay.nudge, 0.03),
    (CardPlay.turn_card, 0.02),
)
