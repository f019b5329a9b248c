"""Playing cards to lay on tables: sheets of 13 columns by 5 rows, cut into cards.

The sheets are rendered from Debian's `gnome-cards-data` and `kdegames-card-data-kf5` (GPL-3+; for training and
measuring, never shipped): `rsvg-convert -w 4134 -h 2225 NAME.svgz -o NAME.png`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

CARD_PX = (318, 445)  # 63.5 x 88.9 mm at 5 px/mm
PX_PER_MM = 5.0
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
# Kept for testing only, so that the figure says how an unseen deck is read.
TEST_DECKS = ("dondorf", "guyenne-classic", "ornamental", "simplistic")
_ROWS = "CDHS"
_STANDARD_ROWS, _STANDARD_RANKS = "SHCD", ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


@dataclass(frozen=True, eq=False)
class Card:
    """One card: its class ("AS", "10H", "JOKER", "BACK"), BGR and alpha (h, w) at PX_PER_MM."""

    cls: str
    bgr: Picture
    alpha: Picture


def decks(folder: Path, test: bool) -> dict[str, list[Card]]:
    """The decks of the training or of the testing part, by name."""
    names = sorted(path.stem for path in folder.glob("*.png") if (path.stem in TEST_DECKS) == test)
    return {name: deck_in(folder / f"{name}.png") for name in names}


def deck_in(path: Path) -> list[Card]:
    """All cards of a sheet."""
    sheet = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    rows = 4 if path.stem == "standard" else 5
    high, wide = sheet.shape[0] / rows, sheet.shape[1] / 13
    cells = {(r, c): _cell(sheet, r * high, c * wide, high, wide) for r in range(rows) for c in range(13)}
    return [
        Card(_cls(path.stem, r, c), *cell)
        for (r, c), cell in cells.items()
        if _cls(path.stem, r, c) and cell[1].mean() > 200
    ]


def _cls(deck: str, row: int, column: int) -> str:
    if deck == "standard":
        return _STANDARD_RANKS[column] + _STANDARD_ROWS[row]
    if row < 4:
        return RANKS[column] + _ROWS[row]
    return ("JOKER", "JOKER", "BACK")[column] if column < 3 else ""


def _cell(sheet: Picture, top: float, left: float, high: float, wide: float) -> tuple[Picture, Picture]:
    cut = sheet[round(top) : round(top + high), round(left) : round(left + wide)]
    card = cv2.resize(cut, CARD_PX, interpolation=cv2.INTER_AREA)
    paper = np.full((*CARD_PX[::-1], 3), 250, np.uint8)
    share = card[..., 3:].astype(np.float32) / 255
    bgr = (card[..., :3] * share + paper * (1 - share)).astype(np.uint8)
    return bgr, _rounded(3.0 * PX_PER_MM) if share.mean() > 0.5 else np.zeros(CARD_PX[::-1], np.uint8)


def _rounded(radius_px: float) -> Picture:
    """The outline of a card: a rectangle whose corners have 3 mm radius."""
    mask = np.zeros(CARD_PX[::-1], np.uint8)
    r = round(radius_px)
    cv2.rectangle(mask, (r, 0), (CARD_PX[0] - 1 - r, CARD_PX[1] - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (CARD_PX[0] - 1, CARD_PX[1] - 1 - r), 255, -1)
    for x in (r, CARD_PX[0] - 1 - r):
        for y in (r, CARD_PX[1] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def drawn_back(rng: np.random.Generator) -> Card:
    """A back of any pattern, with or without a white border."""
    bgr = np.full((*CARD_PX[::-1], 3), rng.integers(225, 255), np.uint8)
    border = int(rng.choice([0, 12, 20, 26]))
    inner = bgr[border : CARD_PX[1] - border, border : CARD_PX[0] - border]
    inner[:] = rng.integers(0, 200, 3)
    ink = rng.integers(60, 255, 3).tolist()
    step = int(rng.integers(6, 40))
    for offset in range(-CARD_PX[1], CARD_PX[0], step):
        kind = rng.integers(3) if step > 20 else 0
        cv2.line(inner, (offset, 0), (offset + CARD_PX[1], CARD_PX[1]), ink, 1 + int(kind == 1), cv2.LINE_AA)
        cv2.line(inner, (offset + CARD_PX[1], 0), (offset, CARD_PX[1]), ink, 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        centre = (inner.shape[1] // 2, inner.shape[0] // 2)
        cv2.ellipse(
            inner,
            centre,
            (int(rng.integers(20, 110)), int(rng.integers(20, 160))),
            0,
            0,
            360,
            ink,
            int(rng.choice([-1, 3, 8])),
            cv2.LINE_AA,
        )
    return Card("BACK", bgr, _rounded(3.0 * PX_PER_MM))
