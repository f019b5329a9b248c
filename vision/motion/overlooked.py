"""Who came or went before a ground of his own colour: the change gate compares small pictures, and passes him over.

A white man of 20 mm on a pale table differs from it by as much as a soft shadow does. Where looks tell that one came or
is missing, the pictures themselves are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection
from vision.frame import ImageBgr
from vision.memory.likeness import covered_share, is_in_place
from vision.metric.outline import mask_of, shown_px
from vision.motion.change import light_gain, lit_by
from vision.track import Track

# So much of it differs by more than so many levels, in pictures half as large and smoothed by so many px, and no more
# than so much around it, to so many px. On three films of soldiers 0.3 and more of those who came or went did, 0.02 at
# most of 221 who stood; on the ground around a pale one 0.007.
_LEVELS, _SHARE, _AROUND_SHARE = 7.0, 0.2, 0.1
_SMOOTH_PX, _AROUND_PX = 1.2, 40
# A camera that stands off by less than `calibration.kick.drift` tells shows each edge beside where it was: a man is
# another one only if he is so however the picture is shifted, px, by as much.
_STEPS_PX = (0.0, -0.5, 0.5, -1.0, 1.0)

Mask = NDArray[np.bool_]


def overlooked(tracks: Iterable[Track], seen: Sequence[Detection], changed_mm: BaseGeometry) -> list[Detection]:
    """Figures that came or are missing by what the looks say, though the gate saw no change there. (Coins are left out:
    one that nobody touched may mirror another light.)"""
    known = [track.seen for track in tracks if not track.hidden]
    sure = [d for d in seen if not d.faint]
    came = [d for d in sure if not _is_any_in_place(known, d)]
    missed = [was for was in known if not _is_any_in_place(sure, was)]
    return [d for d in (*came, *missed) if d.kind in FIGURES and not covered_share(d, changed_mm)]


def _is_any_in_place(others: Iterable[Detection], one: Detection) -> bool:
    return any(other.kind == one.kind and is_in_place(other, one) for other in others)


def where_changed(
    things: Iterable[Detection],
    before_bgr: ImageBgr,
    after_bgr: ImageBgr,
    plane: TablePlane,
    hides: Callable[[Detection], BaseGeometry],
) -> BaseGeometry:
    """What those of the things keep from the camera, mm on the table, that came or went between two pictures (h, w, 3).

    hides  what a thing keeps from the camera, mm
    """
    bodies_mm = [hides(thing) for thing in things]
    return union_all([mm for mm in bodies_mm if _differs(mm, before_bgr, after_bgr, plane)] or [MultiPolygon()])


def _differs(body_mm: BaseGeometry, before_bgr: ImageBgr, after_bgr: ImageBgr, plane: TablePlane) -> bool:
    """Whether much of a body is another picture, and hardly anything around it: else light or a shadow fell on both.
    However it is shifted, or the camera stands off by less than it tells; not where it goes on behind the camera."""
    body = mask_of(shown_px(body_mm, plane), after_bgr.shape)
    if not body.any():
        return False
    cut = _about(body)
    lit_bgr, now_bgr = lit_by(before_bgr[cut], light_gain(before_bgr[cut], after_bgr[cut])), after_bgr[cut]
    within = cv2.resize(body[cut], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) > 0
    around = cv2.dilate(within.astype(np.uint8), np.ones((9, 9), np.uint8)) == 0
    if _share(_apart(lit_bgr, now_bgr) > _LEVELS, around) > _AROUND_SHARE:
        return False
    shifted = (_shifted(lit_bgr, shift_px) for shift_px in product(_STEPS_PX, _STEPS_PX))
    return all(_share(_apart(each, now_bgr) > _LEVELS, within) >= _SHARE for each in shifted)


def _about(body: NDArray[np.uint8]) -> tuple[slice, slice]:
    """The rows and columns of a picture that show a body and what is around it."""
    left, top, width, height = cv2.boundingRect(body)
    rows = slice(max(top - _AROUND_PX, 0), top + height + _AROUND_PX)
    return rows, slice(max(left - _AROUND_PX, 0), left + width + _AROUND_PX)


def _shifted(image_bgr: ImageBgr, shift_px: tuple[float, float]) -> ImageBgr:
    motion = np.array([(1, 0, shift_px[0]), (0, 1, shift_px[1])])
    size_px = (image_bgr.shape[1], image_bgr.shape[0])
    return np.asarray(cv2.warpAffine(image_bgr, motion, size_px, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _apart(lit_bgr: ImageBgr, after_bgr: ImageBgr) -> NDArray[np.float32]:
    """(h / 2, w / 2) levels by which two cuts in one light differ in some colour."""
    lit, after = (
        cv2.resize(cut, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
        for cut in (lit_bgr, after_bgr)
    )
    steps = cv2.GaussianBlur(after - lit, (0, 0), _SMOOTH_PX)
    return np.asarray(np.abs(steps).max(axis=2), np.float32)


def _share(differs: Mask, where: Mask) -> float:
    return float(differs[where].mean()) if where.any() else 0.0
