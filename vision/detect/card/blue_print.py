"""Decks in four colours, whose diamonds are blue: a reader of decks in two colours takes them for spades."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detect.card.card_ends import Reading
from vision.detect.card.pip_blots import Face, pips_of, told_at
from vision.detect.card.pip_layout import FACES, FEWEST

Array = NDArray[np.float32]

# What is printed blue shows so much more of the paper's blue than of its red: drawn diamonds 0.6 to 0.87, black and
# green pips 0.14 at most, red ones less than none.
_BLUE = 0.2
# 0.5 is wholly a diamond, -0.5 a spade.
_A_DIAMOND = 0.1
# Indices are printed so near to a card's side and end, and are so dark.
_INDEX_MM, _INKED = (11.0, 22.0), 0.5


def in_four_colours(named: Sequence[Reading], faces: Sequence[Face], px_per_mm: float) -> list[Reading]:
    """What numbers and court cards are named, as diamonds where their pips are blue ones; so are spades with a blue
    index then, as court cards show hardly any pips."""
    by_pips = [
        _are_blue_diamonds(face, FEWEST[read.cls[:-1]], px_per_mm) for read, face in zip(named, faces, strict=True)
    ]
    if not any(by_pips):
        return list(named)
    return [
        _as_diamonds(read) if told or (read.cls[-1] == "S" and _has_blue_index(face, px_per_mm)) else read
        for read, face, told in zip(named, faces, by_pips, strict=True)
    ]


def _are_blue_diamonds(face: Face, fewest: int, px_per_mm: float) -> bool:
    """Whether so many blots on a face are blue, and diamonds by their shape."""
    is_blue = told_at(_blueness(face) >= _BLUE, face.blots.off_mm, px_per_mm)
    lean = pips_of(face.blots.at(is_blue), "D", "S").lean
    return len(lean) >= fewest and float(lean.mean()) >= _A_DIAMOND


def _has_blue_index(face: Face, px_per_mm: float) -> bool:
    aside, down = (round(side_mm * px_per_mm) for side_mm in _INDEX_MM)
    at_ends = np.zeros(face.ink.shape, bool)
    at_ends[:down, :aside] = at_ends[-down:, -aside:] = True
    inked = _blueness(face)[at_ends & (face.ink >= _INKED)]
    return len(inked) > 0 and float(inked.mean()) >= _BLUE


def _blueness(face: Face) -> Array:
    """(h, w) how much more of its paper's blue than of its red a face shows."""
    blue, red = (face.bgr[..., channel] * np.float32(1 / face.paper_bgr[channel]) for channel in (0, 2))
    return np.asarray(blue - red, np.float32)


def _as_diamonds(read: Reading) -> Reading:
    """The same card in diamonds, as likely as its rank in any suit."""
    rank = read.cls[:-1]
    log_prob = read.of_ranks[FACES.index(rank)] if read.of_ranks else read.of_colour
    return read._replace(cls=rank + "D", log_prob=log_prob, of_colour=log_prob)
