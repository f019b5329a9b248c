"""How soft a picture is: what blur makes a drawn one most like it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.kick.texture import Texture

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# What a sharp webcam's lens and pixels mix, standard deviation in px; to begin with.
SHARP_PX = 0.6
# What is tried, each step a quarter more: from no blur worth mentioning to a picture that is too soft to be played on.
_TRIED_PX = SHARP_PX * 1.25 ** np.arange(-4, 8)
_REACH = 7


def softened(drawn: Image, blur_px: float) -> Image:
    """A drawn picture (h, w) uint8 as a camera of that blur (standard deviation, px) shows it."""
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), blur_px), np.uint8)


def softness_px(drawn: Image, now: Texture, places: Array) -> float:
    """The blur with which a drawn picture is most like what a camera shows `now`.

    drawn   (h, w) uint8, in place to a fraction of a pixel
    places  (n, 2) half px about which both are compared: half of them may be hidden
    """
    like: dict[int, float] = {}

    def likeness(step: int) -> float:
        """Of the one that is tried at that place of the row; each once."""
        if step not in like:
            like[step] = _likeness(Texture.of(softened(drawn, float(_TRIED_PX[step]))), now, places)
        return like[step]

    last = len(_TRIED_PX) - 1
    best = int(np.clip(np.searchsorted(_TRIED_PX, SHARP_PX), 1, last - 1))
    while 0 < best < last and (better := max((best - 1, best + 1), key=likeness)) and likeness(better) > likeness(best):
        best = better
    if not 0 < best < last:
        return float(_TRIED_PX[best])
    before, here, after = (likeness(best + each) for each in (-1, 0, 1))
    bow = before - 2 * here + after
    top = best + (0.5 * (before - after) / bow if bow < 0 else 0.0)
    return float(np.interp(top, np.arange(last + 1), _TRIED_PX))


def _likeness(drawn: Texture, now: Texture, places: Array) -> float:
    """The median correlation of what lies about the places."""
    patches = []
    for texture in (drawn, now):
        each = texture.patches(places, _REACH).reshape(len(places), -1).astype(np.float32)
        each -= each.mean(axis=1, keepdims=True)
        patches.append(each / np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1e-6))
    return float(np.median((patches[0] * patches[1]).sum(axis=1)))
