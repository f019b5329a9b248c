"""Things with flat sides that lie on the table: playing cards, dice, matchsticks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sample_footage.shadows import Bar

BlockKind = Literal["card", "die", "match"]
# Long side, short side, height in mm: a poker card (rule note C1.4), a common die, a kitchen match.
BLOCK_SIZE_MM: dict[BlockKind, tuple[float, float, float]] = {
    "card": (88.9, 63.5, 0.3),
    "die": (16.0, 16.0, 16.0),
    "match": (43.0, 2.1, 2.1),
}


@dataclass(frozen=True)
class Block:
    """position_mm is the centre; its long side lies `turn_deg` counter-clockwise from +x; cls as scenes name it.

    tint_bgr  of a die's body, a card's back or a match's head, linear
    deck      picture of all cards of a card's deck (`models.training.decks`); "": a plain deck of our own
    """

    id: str
    kind: BlockKind
    cls: str
    position_mm: tuple[float, float]
    turn_deg: float = 0.0
    low_mm: float = 0.0
    tint_bgr: tuple[float, float, float] = (0.8, 0.8, 0.8)
    on: str | None = None
    deck: str = ""

    @property
    def owner(self) -> str:
        """Nobody's: it bears no dot."""
        return "none"

    @property
    def face(self) -> str:
        """Its class says what its upper face shows."""
        return "unknown"

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Long side, short side, height."""
        return BLOCK_SIZE_MM[self.kind]

    @property
    def high_mm(self) -> float:
        """Height of its upper face."""
        return self.low_mm + self.size_mm[2]

    @property
    def solid(self) -> Bar:
        """The shape that throws its shadow."""
        length, breadth, _ = self.size_mm
        return Bar(self.position_mm, (length / 2, breadth / 2), self.turn_deg, self.low_mm, self.high_mm)

    @property
    def top_centre_mm(self) -> np.ndarray:
        """Centre of the upper face, (3,)."""
        return np.array([*self.position_mm, self.high_mm])
