"""Pips on the face of a card: where they are printed, and of which suit of its colour they look."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from vision.detect.card.pip_shapes import SIDE_PX, brought, pip_shapes
from vision.frame import ImageBgr

Array = NDArray[np.float32]

# Pips are so large, mm (an ace's largest), and so many times as broad as high.
_LEAST_MM, _MOST_MM, _BROAD = 5.0, (32.0, 36.0), (0.6, 1.4)
# They are printed no farther from the middle of the card, aside: those in a court card's corners.
_ASIDE_MM = 22.0
# Print is darker than the paper by at least this share of it.
_FAINT = 0.15
# A blot is a pip where it shares so much with the shape of one (IoU): at 0.7 a queen's crown is one, too.
_ALIKE = 0.75
# It stands upright above the middle of the card and upside down below it, but for one so near to it. Clubs on long
# stems share 0.75 with a spade the other way up, and 0.73 with clubs: of 892 drawn cards six were turned into spades.
_EITHER_MM = 5.0


@dataclass(frozen=True, eq=False)
class Pips:
    """The n pips that show on a face.

    off_mm   (n, 2) how far from the middle of the card they are printed, aside and along
    high_mm  (n,) how high they are
    lean     (n,) how much more each is one of the suit than of the other: 0.5 wholly, -0.5 not at all
    """

    off_mm: NDArray[np.float64]
    high_mm: NDArray[np.float64]
    lean: Array

    def at(self, is_there: NDArray[np.bool_]) -> Pips:
        """Those of them."""
        return Pips(self.off_mm[is_there], self.high_mm[is_there], self.lean[is_there])


@dataclass(frozen=True, eq=False)
class Blots:
    """The n blots on a face that are as large as pips.

    shapes   (n, px) how far from paper to ink each is, all brought to one size
    off_mm   (n, 2) how far from the middle of the card they are printed, aside and along
    high_mm  (n,) how high they are
    """

    shapes: Array
    off_mm: NDArray[np.float64]
    high_mm: NDArray[np.float64]

    def at(self, is_there: NDArray[np.bool_]) -> Blots:
        """Those of them."""
        return Blots(self.shapes[is_there], self.off_mm[is_there], self.high_mm[is_there])


@dataclass(frozen=True, eq=False)
class Face:
    """A card alone, upright.

    bgr        (h, w, 3)
    paper_bgr  (3,) how bright its paper is, 1 at least
    ink        (h, w) how far each pixel is from paper to ink, 0 to 1
    is_hidden  (h, w) where other cards may lie on it: neither bare paper nor print there is surely its own
    blots      what is printed on it as large as pips, where nothing hides it
    """

    bgr: ImageBgr
    paper_bgr: NDArray[np.float64]
    ink: Array
    is_hidden: NDArray[np.bool_]
    blots: Blots

    @classmethod
    def of(cls, face_bgr: ImageBgr, is_hidden: NDArray[np.bool_], px_per_mm: float) -> Face:
        """The card that a picture (h, w, 3) of nothing else shows."""
        paper_bgr = np.maximum(np.percentile(face_bgr[::4, ::4].reshape(-1, 3), 80, axis=0), 1)
        ink = _ink_on(face_bgr, paper_bgr)
        blots = _blots_on(ink, px_per_mm)
        return cls(face_bgr, paper_bgr, ink, is_hidden, blots.at(~told_at(is_hidden, blots.off_mm, px_per_mm)))


def told_at(says: NDArray[np.bool_], off_mm: NDArray[np.float64], px_per_mm: float) -> NDArray[np.bool_]:
    """(...,) what (h, w) says of places on a face, (..., 2) mm from the middle of the card, aside and along."""
    size_px = np.array(says.shape[::-1])
    u, v = np.moveaxis(np.rint(off_mm * px_per_mm + size_px / 2).astype(int).clip(0, size_px - 1), -1, 0)
    return np.asarray(says[v, u], bool)


def _ink_on(face_bgr: ImageBgr, paper_bgr: NDArray[np.float64]) -> Array:
    """(h, w) how far from paper to ink each pixel is, 0 to 1; nothing where there is hardly any."""
    shares = [cv2.multiply(channel, 255 / level) for channel, level in zip(cv2.split(face_bgr), paper_bgr, strict=True)]
    ink = 1 - cv2.min(cv2.min(shares[0], shares[1]), shares[2]).astype(np.float32) / 255
    darkest = float(np.percentile(ink[::4, ::4], 99))
    return np.minimum(ink / darkest, 1) if darkest >= _FAINT else np.zeros_like(ink)


def _blots_on(ink: Array, px_per_mm: float) -> Blots:
    """What is printed as large as pips where ink (h, w) covers a face."""
    # OpenCV's own boxes of the components cost four times as much as the components.
    _, labels = cv2.connectedComponents((ink > 0.5).astype(np.uint8), connectivity=4)
    middle = np.array(ink.shape[::-1]) / 2
    shapes, boxes_mm = [], []
    for number, place in enumerate(find_objects(np.asarray(labels, np.int32)), 1):
        (top, bottom), (left, right) = ((each.start, each.stop) for each in place)
        off_mm = (np.array((left + right, top + bottom)) / 2 - middle) / px_per_mm
        broad, high = right - left, bottom - top
        if abs(off_mm[0]) <= _ASIDE_MM and _is_as_large(broad / px_per_mm, high / px_per_mm):
            own = cv2.dilate((labels[place] == number).astype(np.uint8), np.ones((3, 3), np.uint8))
            shapes.append(brought(ink[place] * own))
            boxes_mm.append((*off_mm, high / px_per_mm))
    off_mm, high_mm = np.hsplit(np.array(boxes_mm).reshape(-1, 3), [2])
    return Blots(np.array(shapes, np.float32).reshape(-1, SIDE_PX**2), off_mm, high_mm.ravel())


def pips_of(blots: Blots, suit: str, other: str) -> Pips:
    """Those of the blots that are pips of a suit, or of another that they may be instead, upright or not."""
    shared = [_shared(blots.shapes, pip_shapes(one)) for one in (suit, other)]
    best = np.maximum(*(each.max(axis=2) for each in shared))
    is_pip = np.where(_may_stand(blots.off_mm), best, 0).max(axis=1, initial=0.0) >= _ALIKE
    shapes, way = blots.shapes[is_pip], best[is_pip].argmax(axis=1)
    mine, others = (_likest(each[is_pip], way, one) for each, one in zip(shared, (suit, other), strict=True))
    apart = mine - others
    lean = ((shapes - (mine + others) / 2) * apart).sum(axis=1) / (apart**2).sum(axis=1)
    return Pips(blots.off_mm[is_pip], blots.high_mm[is_pip], np.asarray(lean, np.float32))


def _may_stand(off_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n, 2) whether pips that are printed there stand upright, and upside down."""
    along = off_mm[:, 1]
    return np.stack([along < _EITHER_MM, along > -_EITHER_MM], axis=1)


def _is_as_large(broad_mm: float, high_mm: float) -> bool:
    within = _LEAST_MM <= broad_mm <= _MOST_MM[0] and _LEAST_MM <= high_mm <= _MOST_MM[1]
    return within and _BROAD[0] <= broad_mm / high_mm <= _BROAD[1]


def _shared(blots: Array, shapes: Array) -> Array:
    """(n, 2, k) how much blots (n, px) and shapes (2, k, px) share (IoU)."""
    both = np.minimum(blots[:, None, None], shapes).sum(axis=3)
    return np.asarray(both / (blots.sum(axis=1)[:, None, None] + shapes.sum(axis=2) - both), np.float32)


def _likest(shared: Array, way: NDArray[np.intp], suit: str) -> Array:
    """(n, px) of each blot the shape of a suit that is most like it, that way up."""
    number = shared[np.arange(len(way)), way].argmax(axis=1)
    return np.asarray(pip_shapes(suit)[way, number])
