"""What goes wrong, or seldom happens, on a battlefield of cards: cards turned over, exchanged, taken off, pushed with
all that lies on them, the tripod kicked, the light dimmed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.block import Block
from sample_footage.card_deal import DECK
from sample_footage.card_play import CardPlay
from sample_footage.clip_truth import Change
from sample_footage.coin import Coin
from sample_footage.play import TRIES
from sample_footage.troubled_play import TroubledPlay

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample_footage.gesture import Seat

# How far a hand turns a card that it pushes, and how far a sleeve pushes one with its coins.
TWISTED_DEG, PUSHED_MM = 9.0, (2.5, 6.0)
TURNED_UP = 0.5


@dataclass
class RoughPlay(TroubledPlay, CardPlay):
    """A match on cards in which everything happens that seldom does.

    gone  cards that were taken off, and where they lay
    """

    gone: list[Block] = field(default_factory=list)

    @property
    def cards(self) -> list[Block]:
        """The cards that lie face up."""
        return [card for card in self._all_cards() if card.cls != "BACK"]

    def nudge(self) -> None:
        """A card on which nothing lies is pushed and turned a little."""
        card = self._empty_card()
        for _ in range(TRIES if card is not None else 0):
            at = self._aside(card.position_mm, PUSHED_MM)
            turn_deg = (card.turn_deg + self.rng.uniform(-TWISTED_DEG, TWISTED_DEG)) % 360
            if self._is_clear(replace(card, position_mm=at, turn_deg=turn_deg)):
                self._reach(card, at, lift_mm=0.0, turn_deg=turn_deg)
                return
        self.move()

    def push(self) -> None:
        """A coin goes elsewhere, and the sleeve pushes a card with all that lies on it."""
        self.move()
        last = self.reaches[-1]
        loads = {card.id: [coin.id for coin in self._coins_on(card)] for card in self.cards}
        cards = [card for card in self.cards if loads[card.id] and last.coin.id not in loads[card.id]]
        for _ in range(TRIES if cards else 0):
            card = cards[int(self.rng.integers(len(cards)))]
            at = self._aside(card.position_mm, PUSHED_MM)
            if self._is_clear(replace(card, position_mm=at), self._coins_on(card)):
                by = np.subtract(at, card.position_mm)
                for piece in (card, *self._coins_on(card)):
                    x, y = np.add(piece.position_mm, by)
                    there = replace(piece, position_mm=(float(x), float(y)))
                    self._change(Change(last.put_s, last.put_s, piece, there), last.seat)
                return

    def turn_card(self) -> None:
        """A card on which nothing lies is turned face down, or one that lies so face up again."""
        down = [card for card in self._all_cards() if card.cls == "BACK"]
        card = down[0] if down and self.rng.random() < TURNED_UP else self._empty_card()
        if card is None:
            self.move()
        else:
            self._reach(card, card.position_mm, cls=self._fresh() if card.cls == "BACK" else "BACK")

    def exchange(self) -> None:
        """A card on which nothing lies is taken off, and another laid in its place."""
        card = self._empty_card()
        if card is None:
            self.move()
            return
        seat = self._reach(card, None)
        self.t_s = self.reaches[-1].end_s
        self._lay(card, seat)

    def take_card(self) -> None:
        """A card on which nothing lies is taken off; or another is laid where one was."""
        card = self._empty_card()
        if self.gone and self.rng.random() < TURNED_UP:
            self._lay(self.gone.pop(), self._seat())
        elif card is not None:
            self._reach(card, None)
            self.gone.append(card)
        else:
            self.move()

    def _lay(self, instead: Block, seat: Seat) -> None:
        """Lay a card that was not on the table yet where that one lay."""
        name = f"k{len(self.deal.grid)}"
        self.deal.grid[name] = self.deal.grid[instead.id]
        card = replace(instead, id=name, cls=self._fresh())
        self._bring(card, instead.position_mm, seat)

    def _fresh(self) -> str:
        used = {card.cls for card in (*self._all_cards(), *self.deal.cards)}
        return str(self.rng.choice([cls for cls in DECK if cls not in used]))

    def _all_cards(self) -> list[Block]:
        return [piece for piece in self.lying.values() if isinstance(piece, Block) and piece.kind == "card"]

    def _coins_on(self, card: Block) -> list[Coin]:
        return [coin for coin in self.coins if card.solid.gap_mm(np.array([coin.position_mm]))[0] == 0]


# Each of them once, in any order, as many as are asked for.
ROUGH_DEEDS: tuple[Callable[[RoughPlay], None], ...] = (
    RoughPlay.roll,
    RoughPlay.nudge,
    RoughPlay.turn_card,
    RoughPlay.exchange,
    RoughPlay.take_card,
    RoughPlay.stack,
    RoughPlay.push,
    RoughPlay.kick,
    RoughPlay.dim,
    RoughPlay.turn_over,
    RoughPlay.toss,
    RoughPlay.roll,
    RoughPlay.turn_card,
)
