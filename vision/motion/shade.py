"""Soft shadows that come, go and sway, of leaves, a head, a hand's arm: where a picture changed by light alone.

A thing or a hand that came or went has a sharp outline, other ratios of red to blue, and other marks than what showed
there before. A soft shadow multiplies all that it falls on by much the same, next to it by nearly as much.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Mask = NDArray[np.uint8]
Grey = NDArray[np.float32]

# Light varies smoothly over this, in px of a shrunk picture (480 across, some 2 mm each), and is smoothed from so far.
_SMOOTH_PX, _MARGIN_PX = 3.0, 6
# Smooth light takes up half of the change next to a sharp outline: what is left counts from so large a share on.
_LEFT = 0.5
# An outline has gaps of up to so many px.
_GAP_PX = 3
# Black tells no ratio, and no soft shadow is so deep, nor a gap between two so bright: what is, is hair or a sleeve.
_DARK, _DEEPEST, _BRIGHTEST = 8.0, 0.4, 2.5
# By so much a picture is made brighter to be compared: by 1.0, 31 of 280 drawn things 25 or 30 levels paler or darker
# than a plain table come or leave unseen; by more no further one is seen, and more of shadows that leave is a thing.
_MADE_BRIGHTER = 1.25


def but_for_shade(differs: Mask, before: ImageBgr, after: ImageBgr, levels: int) -> Mask:
    """`differs` (h, w), 0 or 255, without what light alone explains; what an outline encloses stays whole.

    levels  of grey by which the pictures differ there in some channel
    """
    left, top, width, height = cv2.boundingRect(differs)
    around = np.s_[
        max(top - _MARGIN_PX, 0) : top + height + _MARGIN_PX, max(left - _MARGIN_PX, 0) : left + width + _MARGIN_PX
    ]
    kept = differs.copy()
    kept[around] = _outlined(differs[around], before[around], after[around], levels)
    return kept


def _outlined(differs: Mask, before: ImageBgr, after: ImageBgr, levels: int) -> Mask:
    """`differs` without what is connected, between outlines, with places that do not differ."""
    sharp = cv2.bitwise_and(_left(before, after, _LEFT * levels), differs)
    outline = cv2.dilate(sharp, np.ones((_GAP_PX, _GAP_PX), np.uint8))
    count, parts = cv2.connectedComponents(cv2.bitwise_not(outline))
    kept = np.full(count, 255, np.uint8)
    kept[parts[cv2.bitwise_or(differs, outline) == 0]] = 0
    return np.asarray(cv2.bitwise_and(differs, kept[parts]), np.uint8)


def _left(before: ImageBgr, after: ImageBgr, levels: float) -> Mask:
    """Where the pictures differ by more than `levels` though the one is lit as the other is. Neither is made much
    brighter, what is brighter still is dimmed: in a deep shadow most is noise."""
    gains = _gains(before, after)
    alike = (_lit(before, np.minimum(gains, _MADE_BRIGHTER)), _lit(after, np.minimum(_MADE_BRIGHTER / gains, 1)))
    within = cv2.inRange(cv2.absdiff(*alike), (0, 0, 0), (levels, levels, levels))
    return np.asarray(cv2.medianBlur(cv2.bitwise_not(within), 3), np.uint8)


def as_lit(before: ImageBgr, after: ImageBgr) -> ImageBgr:
    """What a shrunk picture would have shown in the light of another, as far as that is soft."""
    return _lit(before, _gains(before, after))


def _lit(image_bgr: ImageBgr, gains: Grey) -> ImageBgr:
    return np.asarray(cv2.multiply(image_bgr, cv2.merge([gains] * 3), dtype=cv2.CV_8U), np.uint8)


def _gains(before: ImageBgr, after: ImageBgr) -> Grey:
    """(h, w) how many times as strong the light became, as far as that is soft."""
    gains = (_light(after) + _DARK) / (_light(before) + _DARK)
    return np.asarray(np.clip(gains, _DEEPEST, _BRIGHTEST), np.float32)


def _light(image_bgr: ImageBgr) -> Grey:
    """(h, w) how bright each place is, smoothly."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (2 * _MARGIN_PX + 1,) * 2, _SMOOTH_PX), np.float32)
