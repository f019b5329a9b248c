"""How decks draw the pips of each suit, to compare with what is printed on a card's face."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

# Pips are compared in so many px each way, whatever their size.
SIDE_PX = 24
# Their shapes are drawn on so many px, and are as soft as a camera makes the edges of a pip, by its height.
_DRAWN_PX, _SOFT = 400, 0.03


@cache
def pip_shapes(suit: str) -> Array:
    """(2, k, px) how decks draw a suit's pips: the right way up, and the other."""
    shapes = {"S": _spades, "C": _clubs, "H": _hearts, "D": _diamonds}[suit]()
    return np.array([[shape[::way].ravel() for shape in shapes] for way in (1, -1)], np.float32)


def brought(shape: Array) -> Array:
    """The same shape, (SIDE_PX, SIDE_PX) whatever it was."""
    return np.asarray(cv2.resize(shape, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.float32)


def _spades() -> list[Array]:
    """Two lobes below a point, on a stem."""
    return [
        _drawn((_point(62 + lobe, 40, 235, bend), _stem(230, 370, foot)), ((138, 235, lobe), (262, 235, lobe)))
        for lobe, foot, bend in product((70, 85), (30, 60), (0.8, 1.1))
    ]


def _clubs() -> list[Array]:
    """Three lobes on a stem, and where they meet."""
    return [
        _drawn(
            (_stem(below - 30, below + lobe + 70, foot),),
            (
                (200, 40 + lobe, lobe),
                (200 - 1.05 * lobe, below + 10, lobe),
                (200 + 1.05 * lobe, below + 10, lobe),
                (200, below - 20, lobe // 2),
            ),
        )
        for lobe, foot in product((75, 85), (30, 60))
        for below in (135 + lobe, 160 + lobe)
    ]


def _hearts() -> list[Array]:
    """Two lobes above a point."""
    return [
        _drawn((_point(70 + lobe, 360, 140, bend),), ((130, 130, lobe), (270, 130, lobe)))
        for lobe, bend in product((72, 85), (0.75, 1.0))
    ]


def _diamonds() -> list[Array]:
    """Four sides, straight or hollow."""
    return [_drawn((_point(140, 20, 200, bend), _point(140, 380, 200, bend))) for bend in (1.0, 1.15, 1.3)]


def _point(half: float, tip: float, base: float, bend: float) -> Array:
    """(n, 2) from a tip to a base twice as broad as `half`; bent outward below 1, inward above."""
    along = np.linspace(0, 1, 30)
    aside, down = half * along**bend, tip + (base - tip) * along
    left, right = np.stack([200 - aside, down], axis=1), np.stack([200 + aside, down], axis=1)
    return np.concatenate([left, right[::-1]]).astype(np.float32)


def _stem(top: float, foot: float, half: float) -> Array:
    """(4, 2) a stem that broadens to its foot."""
    return np.array([(191, top), (209, top), (200 + half, foot), (200 - half, foot)], np.float32)


def _drawn(shapes: Sequence[Array], discs: Sequence[tuple[float, float, float]] = ()) -> Array:
    """Discs (x, y, radius) and outlines filled, cut to what is drawn and brought to the size of blots."""
    canvas = np.zeros((_DRAWN_PX, _DRAWN_PX), np.uint8)
    for x, y, radius in discs:
        cv2.circle(canvas, (round(x), round(y)), round(radius), 255, -1)
    for shape in shapes:
        cv2.fillPoly(canvas, [shape.round().astype(np.int32)], 255)
    canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), _SOFT * cv2.boundingRect(canvas)[3]), np.uint8)
    x, y, broad, high = cv2.boundingRect((canvas > 127).astype(np.uint8))
    return brought(np.asarray(canvas[y : y + high, x : x + broad] / 255, np.float32))
