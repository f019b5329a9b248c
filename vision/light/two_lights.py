"""Light that is warm on one side of a table and cold on the other, told from the ground, whatever is printed there.

Between places one lag apart print changes colour one way as often as the other; light of two colours changes it one way
everywhere. So the median change over all such pairs is the light's, and most pairs agree that it is one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.light import srgb

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# The table is looked at in so many cells along its longer side; pairs of them lie this share of a side apart.
_CELLS, _LAG = 96, 1 / 8
# Grey levels between which the colour of a cell is known, and how many pairs tell.
_BLACK, _WHITE, _FEWEST = 8, 250, 100
# Two lights are told where red changes against blue by so much across the table (natural logarithm of light; 1.2 is a
# factor of three) and so many of the pairs say so. As taken, 121 stills and photographs have at most 1.5 (maps, by
# what they show on one side) where at most 0.66 agree, and 0.62 where more do; spoilt by `benchmarks.corruption` they
# have 1.6 at its second strength and 2.3 at its third, and 0.64 agree, mostly 0.75 and more.
_SPAN, _AGREE = 1.2, 0.67


@dataclass(frozen=True, eq=False)
class TwoLights:
    """How the light's colour changes over a picture.

    per_px     (2, 2) logarithm of blue's and of red's light against green's, by px to the right and by px down
    middle_px  (2,) where it is neither light more than the other
    span       by how much red changes against blue across the table, at most
    """

    per_px: Array
    middle_px: Array
    span: float


def two_lights_on(image_bgr: ImageBgr, shown: Mask, window: tuple[slice, slice]) -> TwoLights | None:
    """The two lights on the table; None where one light falls on all of it, or it cannot be told.

    shown   (h, w) where the table is
    window  rows and columns that hold it
    """
    image_bgr, shown = image_bgr[window], shown[window]
    height, width = shown.shape
    if not shown.any():
        return None
    shrink = _CELLS / max(height, width)
    size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
    levels = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(float)
    known = cv2.resize(shown.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    known &= (levels.min(axis=2) > _BLACK) & (levels.max(axis=2) < _WHITE)
    light = np.log(np.maximum(srgb.light(levels), 1e-4))
    tint = light[..., [0, 2]] - light[..., [1]]
    changes = np.array([_change(tint, known), _change(tint.swapaxes(0, 1), known.T)])[::-1]
    spans = np.abs(changes[:, 1] - changes[:, 0])
    if not spans.any():
        return None
    middle_px = np.array([window[1].start + width / 2, window[0].start + height / 2])
    return TwoLights(changes / np.array([[width], [height]]), middle_px, float(spans.max()))


def _change(tint: Array, known: Mask) -> Array:
    """(2,) change of tint (rows, columns, 2) from the first row to the last, if two lights make it; else none."""
    rows = len(tint)
    lag = max(round(rows * _LAG), 1)
    pairs = known[lag:] & known[:-lag]
    if pairs.sum() < _FEWEST:
        return np.zeros(2)
    steps = (tint[lag:] - tint[:-lag])[pairs]
    redder = float((steps[:, 1] > steps[:, 0]).mean())
    change = np.median(steps, axis=0) * rows / lag
    is_light = abs(change[1] - change[0]) > _SPAN and max(redder, 1 - redder) > _AGREE
    return np.asarray(change if is_light else np.zeros(2), float)


def evened(image_bgr: ImageBgr, lights: TwoLights) -> ImageBgr:
    """The picture as one light, that of the middle, would show it."""
    height, width = image_bgr.shape[:2]
    right, down = (np.arange(count) - middle for count, middle in zip((width, height), lights.middle_px, strict=True))
    light = srgb.light_in(image_bgr)
    for channel, (by_right, by_down) in zip((0, 2), lights.per_px.T, strict=True):
        light[..., channel] *= np.exp(-by_right * right)[None].astype(np.float32)
        light[..., channel] *= np.exp(-by_down * down)[:, None].astype(np.float32)
    return srgb.rounded(light)
