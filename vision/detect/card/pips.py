"""What a card is by the pips on its face: its suit by their shape, its rank by their layout. The pip under an index is
half as large, and blurred by camera and reader, so that a spade passes for a club."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detect.card.blue_print import in_four_colours
from vision.detect.card.card_ends import Reading
from vision.detect.card.pip_blots import Face, Pips, pips_of
from vision.detect.card.pip_layout import FACES, FEWEST, layout_odds
from vision.frame import ImageBgr
from vision.metric.patch import patches
from vision.naming.read import OTHER_SUIT
from vision.shape.rectangle import RectangleFit

Array = NDArray[np.float64]

_COURT = "JQK"
_PX_PER_MM = 3.0
# Their columns lie no farther from the middle of the card; a court card's two so far from it along the card at least;
# an ace's within that of it.
_ASIDE_MM, _CORNER_MM, _MIDDLE_MM = 18.0, 18.0, 6.0
# 0.5 is a pip as its suit's are drawn, -0.5 one as the other's are. The mean of a card's pips is 0.08 at least and 0.4
# in the middle of 215 numbers and aces of several decks (66 photographed, 149 of another tester's renderer, some read
# as the other suit), and so of 58 court cards but for two of -0.04 and -0.11.
_TOLD, _TOLD_AT_COURT = 0.1, 0.2
# Two readings so near one another, and turned alike to this angle, may be of one card.
_SAME_MM, _SAME_RAD = 14.0, 0.35
# No reader is surer than this.
_LEAST = 1e-6


def by_pips(
    image_bgr: ImageBgr, plane: TablePlane, fits: Sequence[RectangleFit], named: Sequence[Reading]
) -> list[Reading]:
    """The readings of cards that lie so, corrected by their faces: the rank that index and face make likeliest, and the
    suit of that colour which the pips show, if they do, as likely then as both suits were together."""
    told = list(named)
    numbers = [number for number, read in enumerate(named) if read.cls[:-1] in FACES]
    faces = [_face(image_bgr, plane, fits[number], fits) for number in numbers]
    in_suits = in_four_colours([named[number] for number in numbers], faces, _PX_PER_MM)
    for number, face, read in zip(numbers, faces, in_suits, strict=True):
        told[number] = _by_pips(face, read)
    return told


def _by_pips(face: Face, read: Reading) -> Reading:
    """What one card is named."""
    pips = pips_of(face.blots, read.cls[-1], OTHER_SUIT[read.cls[-1]])
    in_columns = pips.at(np.abs(pips.off_mm[:, 0]) <= _ASIDE_MM)
    odds = layout_odds(face, in_columns, _PX_PER_MM)
    ranked = _by_face(read, odds) if read.of_ranks else read
    rank, suit = ranked.cls[:-1], ranked.cls[-1]
    lean = _lean(pips, rank)
    if lean is None or abs(lean) < (_TOLD_AT_COURT if rank in _COURT else _TOLD):
        return ranked
    return ranked._replace(cls=rank + (suit if lean > 0 else OTHER_SUIT[suit]), log_prob=ranked.of_colour)


def _by_face(read: Reading, odds: Array) -> Reading:
    """The same card of the rank that is likeliest by its indices and by how likely ranks show such a face (13,), logs;
    of what no face tells, a joker, it says nothing."""
    before = _chances(read)
    after = before * np.exp(np.append(odds, 0.0))
    after /= after.sum()
    rank = int(after[:-1].argmax())
    more = float(np.log(after[rank] / before[FACES.index(read.cls[:-1])]))
    return Reading(FACES[rank] + read.cls[-1], read.log_prob + more, read.of_colour + more, read.of_ranks)


def _chances(read: Reading) -> Array:
    """(14,) how likely a card is of each rank, and of none of them, by its indices: of that which it is named, as
    likely as it is named at least."""
    chances = np.append(np.exp(read.of_ranks), 0.0)
    chances[-1] = max(1 - chances.sum(), 0.0)
    was = FACES.index(read.cls[:-1])
    sure = min(max(chances[was], np.exp(read.of_colour)), 1 - _LEAST)
    chances[was] = 0.0
    chances = np.maximum(chances, _LEAST / len(chances))
    chances[was] = 0.0
    chances *= (1 - sure) / chances.sum()
    chances[was] = sure
    return np.asarray(chances, float)


def _face(image_bgr: ImageBgr, plane: TablePlane, fit: RectangleFit, fits: Sequence[RectangleFit]) -> Face:
    """One card alone, upright, of which others may hide some."""
    length_px, breadth_px = (round(side_mm * _PX_PER_MM) for side_mm in fit.size_mm)
    turn_rad = np.array([fit.angle_rad + np.pi / 2])
    size_px = breadth_px, length_px
    face_bgr = np.asarray(
        patches(image_bgr, plane, np.array([fit.centre_mm]), turn_rad, size_px, _PX_PER_MM)[0], np.uint8
    )
    return Face.of(face_bgr, _under(fit, fits, face_bgr.shape[:2]), _PX_PER_MM)


def _under(fit: RectangleFit, fits: Sequence[RectangleFit], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) where on a card's face other cards lie, if not below it."""
    down = np.array([np.cos(fit.angle_rad), np.sin(fit.angle_rad)])
    across = np.array([[-down[1], down[0]], down]).T
    under = np.zeros(shape, np.uint8)
    for other in fits:
        if other is not fit and _may_cross(other, fit) and _lies_apart(other, fit):
            at_px = (other.corners() - fit.centre_mm) @ across * _PX_PER_MM + np.array(shape[::-1]) / 2
            cv2.fillConvexPoly(under, np.rint(at_px).astype(np.int32), 1)
    return under.astype(bool)


def _may_cross(other: RectangleFit, fit: RectangleFit) -> bool:
    """Whether two cards are near enough to share something."""
    return math.dist(other.centre_mm, fit.centre_mm) < (math.hypot(*other.size_mm) + math.hypot(*fit.size_mm)) / 2


def _lies_apart(other: RectangleFit, fit: RectangleFit) -> bool:
    """Whether it is no other measure of the same card."""
    apart_mm = math.dist(other.centre_mm, fit.centre_mm)
    return apart_mm >= _SAME_MM or abs(math.sin(other.angle_rad - fit.angle_rad)) > _SAME_RAD


def _lean(pips: Pips, rank: str) -> float | None:
    """How much more a card's pips are those of its suit than of the other one: 0.5 wholly, -0.5 not at all; None where
    fewer than half of them show."""
    leans = pips.lean[_are_there(pips.off_mm, rank)]
    if len(leans) < FEWEST[rank] or (rank in _COURT and len(leans) > FEWEST[rank]):
        return None
    return float(leans.mean())


def _are_there(off_mm: Array, rank: str) -> NDArray[np.bool_]:
    """(n,) whether pips of the rank are printed so far from the middle, aside and along (n, 2)."""
    if rank == "A":
        return np.asarray(np.hypot(*off_mm.T) <= _MIDDLE_MM, bool)
    if rank in _COURT:
        return np.asarray(np.abs(off_mm[:, 1]) >= _CORNER_MM, bool)
    return np.asarray(np.abs(off_mm[:, 0]) <= _ASIDE_MM, bool)
