"""Card indices set in any font: what decks that nobody has rendered look like in the corner.

The rank over its suit on paper, drawn at three times the reader's scale and then seen as a camera sees it. Fonts are
those that the machine has (Debian's `fonts-*` packages; for training only, none is shipped).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.pieces import INDEX_CROP_PX, INDEX_CROP_PX_PER_MM, INDEX_FROM_CORNER_MM, RANKS, SUITS
from models.training.jpeg import compressed

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

FINER = 3
_SCALE = FINER * INDEX_CROP_PX_PER_MM
# The canvas shows this much beyond the card's corner, so that a crop that missed still has something to show.
_BEYOND_MM = 8.0
_CANVAS_MM = (38.0, 44.0)
_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# Letters of English, French and German courts and of the ace in some French decks; the English ones four times of five.
_WRITTEN = {"A": ("A", "A", "1"), "J": ("J", "V", "B"), "Q": ("Q", "D", "D"), "K": ("K", "R", "K")}
_ENGLISH = 0.8
_PRINTABLE = (*"AJQKVDBR23456789", "10")
# Families of other scripts and of signs: their Latin letters are another font's.
_SKIPPED = ("Noto", "Symbol", "D050000L", "Math", "unifont", "Emoji")
# One font family of six is kept for testing.
_TEST_SHARE = 6


@dataclass(frozen=True)
class Face:
    """A font file that can set ranks, and whether it has suits too."""

    path: Path
    has_suits: bool


def faces(folder: Path, test: bool) -> list[Face]:
    """The fonts in a folder that set every rank; a sixth of the families is for testing."""
    found = []
    for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
        family = path.stem.split("-")[0]
        if any(word in path.stem for word in _SKIPPED) and "NotoSans-" not in path.stem:
            continue
        if (sum(family.encode()) % _TEST_SHARE == 0) != test:
            continue
        font = ImageFont.truetype(str(path), 40)
        missing = _ink(font, "￿")
        if all(_is_set(font, sign, missing) for sign in _PRINTABLE):
            found.append(Face(path, all(_is_set(font, sign, missing) for sign in _SYMBOLS.values())))
    return found


def _ink(font: ImageFont.FreeTypeFont, text: str) -> bytes:
    return bytes(font.getmask(text))


def _is_set(font: ImageFont.FreeTypeFont, text: str, missing: bytes) -> bool:
    ink = _ink(font, text)
    return bool(ink) and any(ink) and ink != missing


def drawn_indices(fonts: Sequence[Face], count: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Crops (count, height, width, 3) uint8, their ranks and suits as numbers of `models.pieces`."""
    with_suits = [face for face in fonts if face.has_suits]
    ranks, suits = rng.integers(0, 13, count), rng.integers(0, 4, count)
    crops = np.stack(
        [_seen(_corner(RANKS[r], SUITS[s], fonts, with_suits, rng), rng) for r, s in zip(ranks, suits, strict=True)]
    )
    return crops, ranks, suits


def _corner(
    rank: str, suit: str, fonts: Sequence[Face], with_suits: Sequence[Face], rng: np.random.Generator
) -> Picture:
    """The near corner of a card on its canvas, BGR."""
    canvas = _ground(rng)
    paper = np.array([rng.uniform(205, 255)] * 3) - np.array([rng.uniform(0, 1) ** 3 * 50, rng.uniform(0, 12), 0])
    _lay_paper(canvas, paper, rng)
    ink = _ink_bgr(suit, rng)
    _face_art(canvas, ink, rng)
    middle_mm = rng.normal(5.4, 0.7)
    top_mm, high_mm = rng.uniform(2.3, 5.5), rng.uniform(4.2, 8.8)
    bottom_mm = top_mm + high_mm
    gap_mm, suit_mm = rng.uniform(0.2, 2.0), rng.uniform(2.8, 6.2)
    written = _WRITTEN.get(rank, (rank,) * 3)[0 if rng.random() < _ENGLISH else int(rng.integers(1, 3))]
    face = fonts[rng.integers(len(fonts))]
    widest_mm = min(2 * middle_mm - 0.6, rng.uniform(3.2, 9.0) * (1.25 if rank == "10" else 1))
    _stamp(canvas, _glyph(face.path, written, rng), (middle_mm, top_mm), (widest_mm, high_mm), ink)
    sign = _glyph(with_suits[rng.integers(len(with_suits))].path, _SYMBOLS[suit], rng)
    _stamp(canvas, sign, (middle_mm + rng.normal(0, 0.2), bottom_mm + gap_mm), (1.15 * suit_mm, suit_mm), ink)
    return canvas


def _ground(rng: np.random.Generator) -> Picture:
    """What the card lies on: any colour, a little uneven."""
    size = (round(_CANVAS_MM[0] * _SCALE), round(_CANVAS_MM[1] * _SCALE))
    patches = rng.normal(0, 1, (int(rng.integers(2, 12)), int(rng.integers(2, 12)), 3))
    uneven = cv2.resize(patches, size, interpolation=cv2.INTER_CUBIC) * rng.uniform(2, 30)
    return np.asarray(rng.uniform(0, 235, 3) + uneven, np.float32)


def _px(mm: Sequence[float]) -> tuple[int, int]:
    return round((mm[0] + _BEYOND_MM) * _SCALE), round((mm[1] + _BEYOND_MM) * _SCALE)


def _lay_paper(canvas: Picture, paper: Array, rng: np.random.Generator) -> None:
    """The card with its round corner, sometimes on another card that shows beside it."""
    if rng.random() < 0.25:
        shift = rng.uniform(-7, 7, 2)
        cv2.rectangle(canvas, _px(shift), _px((60, 60)), (paper * rng.uniform(0.85, 1)).tolist(), -1)
    radius = rng.uniform(2.0, 4.0)
    cv2.rectangle(canvas, _px((radius, 0)), _px((60, 60)), paper.tolist(), -1)
    cv2.rectangle(canvas, _px((0, radius)), _px((60, 60)), paper.tolist(), -1)
    cv2.circle(canvas, _px((radius, radius)), round(radius * _SCALE), paper.tolist(), -1, cv2.LINE_AA)


def _ink_bgr(suit: str, rng: np.random.Generator) -> Array:
    red = np.array([rng.uniform(10, 70), rng.uniform(5, 60), rng.uniform(150, 235)])
    black = np.full(3, rng.uniform(5, 70))
    if rng.random() < 0.06 and suit in "DC":  # four-colour decks: blue diamonds, green clubs
        return np.array([190.0, 90, 20]) if suit == "D" else np.array([50.0, 120, 20])
    return red if suit in "HD" else black


def _face_art(canvas: Picture, ink: Array, rng: np.random.Generator) -> None:
    """What lies right of the index: nothing, a frame, a pip, or a court's coloured robes."""
    kind = rng.random()
    left = rng.uniform(9.5, 13.5)
    if kind < 0.3:
        cv2.rectangle(canvas, _px((left, rng.uniform(4, 9))), _px((60, 60)), ink.tolist(), int(rng.integers(2, 5)))
    elif kind < 0.6:
        at = _px((rng.uniform(14.5, 19), rng.uniform(8, 20)))
        cv2.circle(canvas, at, round(rng.uniform(3, 5.5) * _SCALE), ink.tolist(), -1, cv2.LINE_AA)
    elif kind < 0.75:
        for _ in range(12):
            at = _px((left + rng.uniform(2, 14), rng.uniform(4, 34)))
            cv2.circle(canvas, at, round(rng.uniform(1, 4) * _SCALE), rng.uniform(0, 255, 3).tolist(), -1, cv2.LINE_AA)


def _glyph(path: Path, text: str, rng: np.random.Generator) -> Array:
    """The text's ink as a tight mask, 0 to 1."""
    font = ImageFont.truetype(str(path), 96)
    left, top, right, bottom = font.getbbox(text)
    page = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8), 0)
    weight = int(rng.integers(0, 4)) if rng.random() < 0.4 else 0
    ImageDraw.Draw(page).text((4 - left, 4 - top), text, fill=255, font=font, stroke_width=weight)
    mask = np.asarray(page, np.float32) / 255
    rows, columns = np.nonzero(mask.max(axis=1) > 0.1)[0], np.nonzero(mask.max(axis=0) > 0.1)[0]
    return np.asarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _stamp(canvas: Picture, mask: Array, top_mm: tuple[float, float], most_mm: tuple[float, float], ink: Array) -> None:
    """Ink on the canvas: the middle of its upper edge at `top_mm`, as large as fits into `most_mm`, little distorted."""
    scale = most_mm[1] / mask.shape[0]
    wide_mm = min(mask.shape[1] * scale, most_mm[0])
    size = max(2, round(wide_mm * _SCALE)), max(2, round(most_mm[1] * _SCALE))
    stamp = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)[..., None]
    left, top = _px((top_mm[0] - wide_mm / 2, top_mm[1]))
    window = canvas[top : top + size[1], left : left + size[0]]
    stamp = stamp[: window.shape[0], : window.shape[1]]
    window[:] = window * (1 - stamp) + ink * stamp


def _seen(canvas: Picture, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop that a detector cuts from a camera's picture of the corner: missed a little, soft, lit, noisy."""
    width, height = INDEX_CROP_PX
    scale = np.exp(rng.normal(0, 0.05)) / FINER
    turn, shear = rng.normal(0, 0.06), rng.normal(0, 0.04)
    linear = scale * np.array([[np.cos(turn), -np.sin(turn) + shear], [np.sin(turn), np.cos(turn)]])
    at = (np.array(INDEX_FROM_CORNER_MM) + rng.normal(0, 0.7, 2) + _BEYOND_MM) * _SCALE
    coarse = float(np.exp(rng.uniform(0, np.log(2.6)))) if rng.random() < 0.6 else 1.0
    shrunk = (max(12, round(width / coarse)), max(16, round(height / coarse)))
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.45 * FINER * coarse * rng.uniform(0.7, 1.9))
    matrix = np.c_[linear, np.array([width, height]) / 2 - linear @ at]
    matrix *= np.array([[shrunk[0] / width], [shrunk[1] / height]])
    crop = cv2.warpAffine(soft, matrix, shrunk, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.08:  # a coin or a finger lies on the corner
        centre = (int(rng.integers(0, shrunk[0])), int(rng.choice([0, shrunk[1]])))
        cv2.circle(crop, centre, int(rng.uniform(0.15, 0.3) * shrunk[1]), rng.uniform(20, 230, 3).tolist(), -1)
    shade = np.linspace(*rng.normal(1, 0.12, 2), shrunk[0])[None, :, None]
    light = np.exp(rng.normal(-0.15, 0.3)) * np.exp(rng.normal(0, 0.09, 3))
    crop = crop * shade * light + rng.normal(0, rng.uniform(0.5, 7), crop.shape)
    crop = np.clip(crop, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        crop = compressed(crop, (40, 95), rng)
    return np.asarray(cv2.resize(crop, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
