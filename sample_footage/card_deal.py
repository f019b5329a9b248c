"""A battlefield dealt by chance: rows and columns of cards, as neat as hands lay them, some places left empty."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.block import BLOCK_SIZE_MM, Block

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LENGTH_MM, BREADTH_MM, _ = BLOCK_SIZE_MM["card"]
MIDDLE_MM = (350.0, 250.0)
COLUMNS, ROWS = (5, 8), (3, 4)
GAP_MM = (3.0, 11.0)
# A card lies this part of the gap off its place, and so much aslant; the whole battlefield so much.
ASTRAY, ASLANT_DEG, TURNED_DEG = 0.25, 0.8, 3.0
MOST_MISSING = 2
DECK = (*(rank + suit for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")), "JOKER")
# A coin lies so far from the card's middle that it is plain whose end it is (POCKET-1.4), or nearly so.
END_MM = 5.5


@dataclass(frozen=True)
class Deal:
    """The cards, and the column and row of each, counted from the near left corner of all."""

    cards: tuple[Block, ...]
    grid: dict[str, tuple[int, int]]


def dealt(rng: np.random.Generator, decks: Sequence[Path] = ()) -> Deal:
    """A deal of cards on a grid, of our own deck or of one of `decks`."""
    (columns, rows), cells = _grid(rng)
    names = rng.permutation(DECK)[: len(cells)]
    deck = str(decks[int(rng.integers(len(decks)))]) if len(decks) else ""
    gap_mm, turn_deg = rng.uniform(*GAP_MM, 2), float(rng.uniform(-TURNED_DEG, TURNED_DEG))
    pitch_mm = np.array([BREADTH_MM, LENGTH_MM]) + gap_mm
    astray_mm = gap_mm * rng.uniform(-ASTRAY, ASTRAY, (len(cells), 2))
    own_mm = (np.array(cells) - (np.array([columns, rows]) - 1) / 2) * pitch_mm + astray_mm
    at_mm = own_mm @ _turn(turn_deg).T + MIDDLE_MM + rng.uniform(-8, 8, 2)
    upright_deg = (
        90 + turn_deg + rng.uniform(-ASLANT_DEG, ASLANT_DEG, len(cells)) + 180 * rng.integers(2, size=len(cells))
    )
    at, up = np.round(at_mm, 3).tolist(), (np.round(upright_deg, 2) % 360).tolist()
    cards = tuple(
        Block(f"k{index}", "card", str(name), (at[index][0], at[index][1]), up[index], deck=deck)
        for index, name in enumerate(names)
    )
    near_left = np.min(cells, axis=0) - 1
    numbered = (np.array(cells) - near_left).tolist()
    return Deal(cards, {card.id: (column, row) for card, (column, row) in zip(cards, numbered, strict=True)})


def _grid(rng: np.random.Generator) -> tuple[tuple[int, int], list[tuple[int, int]]]:
    """How many columns and rows, and the cells (column, row) in which cards lie: some are missing."""
    columns, rows = int(rng.integers(COLUMNS[0], COLUMNS[1] + 1)), int(rng.integers(ROWS[0], ROWS[1] + 1))
    places = [(column, row) for column in range(columns) for row in range(rows)]
    empty = rng.choice(len(places), int(rng.integers(MOST_MISSING + 1)), replace=False)
    return (columns, rows), [cell for index, cell in enumerate(places) if index not in empty]


def with_joker(deal: Deal, rng: np.random.Generator) -> Deal:
    """The same with a joker among them."""
    if any(card.cls == "JOKER" for card in deal.cards):
        return deal
    at = int(rng.integers(len(deal.cards)))
    cards = [replace(card, cls="JOKER") if index == at else card for index, card in enumerate(deal.cards)]
    return replace(deal, cards=tuple(cards))


def _turn(degrees: float) -> np.ndarray:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def place_on(card: Block, radius_mm: float, end: int, rng: np.random.Generator) -> tuple[float, float]:
    """Somewhere on the card's far end (`end` 1) or near end (-1) for a coin of that radius."""
    along = end * rng.uniform(END_MM, LENGTH_MM / 2 - radius_mm - 0.5)
    across = rng.uniform(-1, 1) * (BREADTH_MM / 2 - radius_mm - 0.5)
    up = 1 if math.sin(math.radians(card.turn_deg)) > 0 else -1
    x, y = card.solid.placed(np.array([[up * along, up * across]]))[0]
    return round(float(x), 2), round(float(y), 2)


def end_of(card: Block, at_mm: tuple[float, float]) -> int:
    """Whose end of the card is nearer: 1 the far player's, -1 the near one's."""
    return 1 if at_mm[1] > card.position_mm[1] else -1
