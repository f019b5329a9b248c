"""The suit of a card by the pips on its face: they show twice as large as the one under its index, which camera and
reader blur, so that a spade passes for a club."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detect.card_ends import Reading
from vision.detect.pip_shapes import SIDE_PX, brought, pip_shapes
from vision.frame import ImageBgr
from vision.patch import patches
from vision.read import OTHER_SUIT
from vision.rectangle import RectangleFit

Array = NDArray[np.float32]

# How many pips must show at least: half of a number's; of an ace the one in the middle, of a court card both in its
# corners and no more, for what it wears is not told from pips.
_FEWEST = {"A": 1, "J": 2, "Q": 2, "K": 2, **{str(number): max(number // 2, 2) for number in range(2, 11)}}
_COURT = "JQK"
_PX_PER_MM = 3.0
# Pips are so large, mm (an ace's largest), and so many times as broad as high.
_LEAST_MM, _MOST_MM, _BROAD = 5.0, (32.0, 36.0), (0.6, 1.4)
# Their columns lie no farther from the middle of the card; a court card's two no farther aside, and so far from it
# along the card at least; an ace's within that of it.
_ASIDE_MM, _CORNER_MM, _MIDDLE_MM = 18.0, (22.0, 18.0), 6.0
# What is printed must be so much darker than the paper, as a share of it.
_FAINT = 0.15
# A blot is a pip where it shares so much with the shape of one (IoU): at 0.7 a queen's crown is one, too.
_ALIKE = 0.75
# 0.5 is a pip as its suit's are drawn, -0.5 one as the other's are. The mean of a card's pips is 0.08 at least and 0.4
# in the middle of 215 numbers and aces of several decks (66 photographed, 149 of another tester's renderer, some read
# as the other suit), and so of 58 court cards but for two of -0.04 and -0.11.
_TOLD, _TOLD_AT_COURT = 0.1, 0.2


def by_pips(
    image_bgr: ImageBgr, plane: TablePlane, fits: Sequence[RectangleFit], named: Sequence[Reading]
) -> list[Reading]:
    """What cards that lie so are named: of that suit of the colour which their pips show, if they do, and as likely
    then as either."""
    return [_by_pips(image_bgr, plane, fit, read) for fit, read in zip(fits, named, strict=True)]


def _by_pips(image_bgr: ImageBgr, plane: TablePlane, fit: RectangleFit, read: Reading) -> Reading:
    rank, suit = read.cls[:-1], read.cls[-1:]
    lean = _lean(_face(image_bgr, plane, fit), rank, suit) if rank in _FEWEST else None
    if lean is None or abs(lean) < (_TOLD_AT_COURT if rank in _COURT else _TOLD):
        return read
    return Reading(rank + (suit if lean > 0 else OTHER_SUIT[suit]), read.of_colour, read.of_colour)


def _face(image_bgr: ImageBgr, plane: TablePlane, fit: RectangleFit) -> ImageBgr:
    """The card alone, upright."""
    length_px, breadth_px = (round(side_mm * _PX_PER_MM) for side_mm in fit.size_mm)
    turn_rad = np.array([fit.angle_rad + np.pi / 2])
    size_px = breadth_px, length_px
    return np.asarray(patches(image_bgr, plane, np.array([fit.centre_mm]), turn_rad, size_px, _PX_PER_MM)[0], np.uint8)


def _lean(face_bgr: ImageBgr, rank: str, suit: str) -> float | None:
    """How much more a card's pips are those of its suit than of the other one: 0.5 wholly, -0.5 not at all; None where
    fewer than half of them show."""
    blots = _blots(_ink(face_bgr), rank)
    if not len(blots):
        return None
    own, other = (_shared(blots, pip_shapes(one)) for one in (suit, OTHER_SUIT[suit]))
    best = np.maximum(own.max(axis=2), other.max(axis=2))
    is_pip = best.max(axis=1) >= _ALIKE
    if is_pip.sum() < _FEWEST[rank] or (rank in _COURT and is_pip.sum() > _FEWEST[rank]):
        return None
    blots, way = blots[is_pip], best[is_pip].argmax(axis=1)
    mine, others = (_likest(shared[is_pip], way, one) for shared, one in ((own, suit), (other, OTHER_SUIT[suit])))
    apart = mine - others
    leans = ((blots - (mine + others) / 2) * apart).sum(axis=1) / (apart**2).sum(axis=1)
    return float(leans.mean())


def _ink(face_bgr: ImageBgr) -> Array:
    """(h, w) how far from paper to ink each pixel is, 0 to 1; nothing where there is hardly any."""
    paper = np.maximum(np.percentile(face_bgr[::4, ::4].reshape(-1, 3), 80, axis=0), 1)
    shares = [cv2.multiply(channel, 255 / level) for channel, level in zip(cv2.split(face_bgr), paper, strict=True)]
    ink = 1 - cv2.min(cv2.min(shares[0], shares[1]), shares[2]).astype(np.float32) / 255
    darkest = float(np.percentile(ink[::4, ::4], 99))
    return np.minimum(ink / darkest, 1) if darkest >= _FAINT else np.zeros_like(ink)


def _blots(ink: Array, rank: str) -> Array:
    """(n, px) what is printed where pips of that rank are, and as large, each brought to one size, upright or not."""
    _, labels, boxes, _ = cv2.connectedComponentsWithStats((ink > 0.5).astype(np.uint8), connectivity=4)
    middle = np.array(ink.shape[::-1]) / 2
    found = []
    for number, (x, y, broad, high, _) in enumerate(boxes[1:], 1):
        off_mm = np.abs((x + broad / 2, y + high / 2) - middle) / _PX_PER_MM
        if _is_there(off_mm, rank) and _is_as_large(broad / _PX_PER_MM, high / _PX_PER_MM):
            place = slice(y, y + high), slice(x, x + broad)
            own = cv2.dilate((labels[place] == number).astype(np.uint8), np.ones((3, 3), np.uint8))
            found.append(brought(ink[place] * own))
    return np.array(found, np.float32).reshape(len(found), SIDE_PX**2)


def _is_there(off_mm: NDArray[np.float64], rank: str) -> bool:
    """Whether pips of the rank are printed so far aside and along from the middle."""
    if rank == "A":
        return bool(np.hypot(*off_mm) <= _MIDDLE_MM)
    if rank in _COURT:
        return bool(off_mm[0] <= _CORNER_MM[0] and off_mm[1] >= _CORNER_MM[1])
    return bool(off_mm[0] <= _ASIDE_MM)


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
