"""What is printed on cards and dice: a plain deck of our own, backs, pips."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from models.training.decks import deck_in
from sample_footage.lettering import blend, write

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from models.training.decks import Card
    from sample_footage.block import Block

    Floats = NDArray[np.float32]
    Picture = NDArray[np.uint8]

CARD_PX_PER_MM = 8
RED, BLACK = (40, 30, 190), (35, 30, 30)
SUITS = {"S": BLACK, "H": RED, "D": RED, "C": BLACK}
# Columns (share of the breadth) and rows (share of the length) of pips, as on any English pattern deck.
_LEFT, _MIDDLE, _RIGHT = 0.3, 0.5, 0.7
_ROWS_3, _ROWS_4 = (0.18, 0.5, 0.82), (0.18, 0.393, 0.607, 0.82)
PIPS = {
    "A": [(_MIDDLE, 0.5)],
    "2": [(_MIDDLE, 0.18), (_MIDDLE, 0.82)],
    "3": [(_MIDDLE, y) for y in _ROWS_3],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.18, 0.82)],
    "5": [*((x, y) for x in (_LEFT, _RIGHT) for y in (0.18, 0.82)), (_MIDDLE, 0.5)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in _ROWS_3],
    "7": [*((x, y) for x in (_LEFT, _RIGHT) for y in _ROWS_3), (_MIDDLE, 0.34)],
    "8": [*((x, y) for x in (_LEFT, _RIGHT) for y in _ROWS_3), (_MIDDLE, 0.34), (_MIDDLE, 0.66)],
    "9": [*((x, y) for x in (_LEFT, _RIGHT) for y in _ROWS_4), (_MIDDLE, 0.5)],
    "10": [*((x, y) for x in (_LEFT, _RIGHT) for y in _ROWS_4), (_MIDDLE, 0.29), (_MIDDLE, 0.71)],
}
DIE_PX = 96
# The class of a card that bears a picture and no index, before the number that says which picture.
PICTURE = "PICTURE-"
DIE_PIPS = {
    1: [(0.5, 0.5)],
    2: [(0.25, 0.25), (0.75, 0.75)],
    3: [(0.25, 0.25), (0.5, 0.5), (0.75, 0.75)],
    4: [(x, y) for x in (0.25, 0.75) for y in (0.25, 0.75)],
    5: [*((x, y) for x in (0.25, 0.75) for y in (0.25, 0.75)), (0.5, 0.5)],
    6: [(x, y) for x in (0.25, 0.75) for y in (0.25, 0.5, 0.75)],
}


@cache
def suit_mask(suit: str, size_px: int) -> Picture:
    """A suit's sign, white on black, `size_px` square, drawn at four times the size."""
    big = 4 * size_px
    mask = np.zeros((big, big), np.uint8)
    t = np.linspace(0, 2 * np.pi, 120)
    rise = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    heart = np.column_stack([16 * np.sin(t) ** 3, rise])
    if suit == "D":
        _area(mask, np.array([(0, 17), (12, 0), (0, -17), (-12, 0)], float))
    elif suit == "H":
        _area(mask, heart)
    else:
        _area(mask, np.array([(0, -2), (6, -17), (-6, -17)], float))
    if suit == "S":
        _area(mask, heart * (1, -0.85) + (0, 1))
    if suit == "C":
        for x, y in ((0, 8), (-8.5, -4), (8.5, -4)):
            _area(mask, np.column_stack([7.6 * np.cos(t) + x, 7.6 * np.sin(t) + y]))
    return np.asarray(cv2.resize(mask, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8)


def _area(mask: Picture, points: NDArray[np.float64]) -> None:
    scale, centre = mask.shape[0] / 38, mask.shape[0] / 2
    px = np.column_stack([centre + scale * points[:, 0], centre - scale * points[:, 1]])
    cv2.fillPoly(mask, [np.rint(px).astype(np.int32)], (255,))


@cache
def card_face(cls: str, deck: str = "") -> Picture:
    """A card upright, 8 px/mm, sRGB; of our own deck without another (`Block.deck`)."""
    breadth, length = round(63.5 * CARD_PX_PER_MM), round(88.9 * CARD_PX_PER_MM)
    if deck:
        face = next(card.bgr for card in _cards_of(deck) if card.cls == cls)
        return np.asarray(cv2.resize(face, (breadth, length), interpolation=cv2.INTER_CUBIC), np.uint8)
    card = np.full((length, breadth, 3), 248, np.uint8)
    if cls == "BACK":
        return _back(card)
    if cls.startswith(PICTURE):
        return _picture(card, int(cls.removeprefix(PICTURE)))
    rank, suit = (cls[:-1], cls[-1]) if cls != "JOKER" else ("JOKER", "S")
    upright = np.zeros_like(card)
    _half(card, rank, suit)
    upright[:] = card[::-1, ::-1]
    _half(upright, rank, suit)
    _middle(upright, rank, suit)
    return upright


@cache
def _cards_of(deck: str) -> list[Card]:
    return deck_in(Path(deck))


def _half(card: Picture, rank: str, suit: str) -> None:
    """The index in the upper left corner."""
    colour = SUITS[suit] if rank != "JOKER" else RED
    if rank == "JOKER":
        for k, letter in enumerate(rank):
            write(card, letter, (38, 40 + 44 * k), 44, colour, 700)
        return
    write(card, rank, (42, 52), 66 if len(rank) == 1 else 54, colour, 600)
    blend(card, suit_mask(suit, 48), (18, 86), colour)


def _middle(card: Picture, rank: str, suit: str) -> None:
    length, breadth = card.shape[:2]
    if rank in PIPS:
        size = 190 if rank == "A" else 92
        for x, y in PIPS[rank]:
            sign = suit_mask(suit, size)
            corner = (round(x * breadth - size / 2), round(y * length - size / 2))
            blend(card, sign if y <= 0.5 else sign[::-1], corner, SUITS[suit])
        return
    x0, y0, x1, y1 = round(0.2 * breadth), round(0.12 * length), round(0.8 * breadth), round(0.88 * length)
    cv2.rectangle(card, (x0, y0), (x1, y1), (150, 110, 40), 5)
    for k in range(9):
        shade = (60 + 18 * k, 190 - 9 * k, 225) if k % 2 else (70, 60 + 8 * k, 190)
        axes = ((x1 - x0) // 2 - 14 - 15 * k, (y1 - y0) // 2 - 14 - 15 * k)
        cv2.ellipse(card, (breadth // 2, length // 2), axes, 0, 0, 360, shade, 11, cv2.LINE_AA)
    ink = SUITS[suit] if rank != "JOKER" else RED
    write(card, rank[0], (breadth / 2, length / 2), 150, ink, 800, halo=(250, 250, 250))


def _back(card: Picture) -> Picture:
    length, breadth = card.shape[:2]
    inner = card[40 : length - 40, 40 : breadth - 40]
    v, u = np.mgrid[0 : inner.shape[0], 0 : inner.shape[1]]
    lattice = (np.abs((u + v) % 44 - 22) < 5) | (np.abs((u - v) % 44 - 22) < 5)
    inner[:] = np.where(lattice[..., None], (245, 240, 240), (150, 60, 40))
    return card


def _picture(card: Picture, number: int) -> Picture:
    """Sky, land and a few shapes in colours of their own within a border, as on a card of a game that one collects."""
    rng = np.random.default_rng([81, number])
    card[:] = rng.choice([248, 235, 40, 25])
    margin, (length, breadth) = int(rng.integers(16, 40)), card.shape[:2]
    inner = card[margin : length - margin, margin : breadth - margin]
    land = int(rng.uniform(0.35, 0.75) * inner.shape[0])
    inner[:land], inner[land:] = rng.integers(40, 245, 3), rng.integers(20, 200, 3)
    for _ in range(int(rng.integers(4, 10))):
        at = tuple(int(v) for v in rng.uniform(0.1, 0.9, 2) * inner.shape[1::-1])
        axes = tuple(int(v) for v in rng.uniform(20, 130, 2))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.ellipse(inner, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    return card


@cache
def card_cover() -> Floats:
    """1 on the card, 0 beyond its rounded corners."""
    rows, columns = card_face("BACK").shape[:2]
    v, u = np.mgrid[0:rows, 0:columns]
    radius = 3.2 * CARD_PX_PER_MM
    dx = np.maximum(np.abs(u - (columns - 1) / 2) - (columns / 2 - radius), 0)
    dy = np.maximum(np.abs(v - (rows - 1) / 2) - (rows / 2 - radius), 0)
    return np.asarray(np.hypot(dx, dy) < radius, np.float32)


@cache
def die_face(pips: int, body_bgr: tuple[float, float, float]) -> Floats:
    """One side, linear: pips in the colour that shows best, each a little hollow."""
    side = np.tile(np.asarray(body_bgr, np.float32), (DIE_PX, DIE_PX, 1))
    ink = (0.02, 0.02, 0.02) if sum(body_bgr) > 0.75 else (0.8, 0.82, 0.82)
    big = np.zeros((DIE_PX * 4, DIE_PX * 4), np.uint8)
    for x, y in DIE_PIPS[pips]:
        cv2.circle(big, (round(x * big.shape[1]), round(y * big.shape[0])), round(0.1 * big.shape[0]), (255,), -1)
    cover = cv2.resize(big, (DIE_PX, DIE_PX), interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
    return np.asarray(side * (1 - cover) + np.asarray(ink, np.float32) * cover, np.float32)


def die_sides(block: Block) -> dict[tuple[int, int], Floats]:
    """The six sides by (axis, sign); opposite sides make seven."""
    top = int(block.cls)
    others = [n for n in range(1, 7) if n not in (top, 7 - top)]
    numbers = {(2, 1): top, (2, -1): 7 - top, (0, 1): others[0], (0, -1): 7 - others[0]}
    ahead = next(n for n in others if n not in (others[0], 7 - others[0]))
    numbers |= {(1, 1): ahead, (1, -1): 7 - ahead}
    return {side: die_face(number, block.tint_bgr) for side, number in numbers.items()}
