"""A picture as the eyes want it: lit as the nets learned, its grain smoothed and its blur undone as far as that helps.

A picture that is good as it was taken stays as it is, to the last bit.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision import srgb
from vision.clarity import Clarity
from vision.frame import Frame, ImageBgr

# A table whose brightest parts are darker than this is lit up to what an ordinary picture has there, grey levels; a
# sensor's noise allows for no more than so many times the light.
_DIM, _LIT, _MOST_GAIN = 150.0, 200.0, 30.0
# Grain above this is smoothed; colours that differ by more than so many times the grain are an edge and stay.
_GRAINY, _EDGE_GRAINS, _SMOOTH_PX = 7.0, 2.5, 1.3
# Edges wider than the first are sharpened to the second: by van Cittert's iteration, which stops before noise grows.
_SOFT_PX, _SHARP_PX, _STEPS = 0.95, 0.7, 8


def developed(frame: Frame, clarity: Clarity) -> Frame:
    """The frame with the faults mended that `clarity` found in it."""
    lit = _lit(frame.image_bgr, clarity.bright)
    mended = _sharpened(_calm(lit, clarity.grain), clarity.edge_px)
    return frame if mended is frame.image_bgr else replace(frame, image_bgr=mended)


def _gain(bright: float) -> float:
    """How many times the light a table of this brightness needs."""
    if bright >= _DIM:
        return 1.0
    light = srgb.light(np.array([max(bright, 1.0), _LIT]))
    return float(min(light[1] / light[0], _MOST_GAIN))


def _lit(image_bgr: ImageBgr, bright: float) -> ImageBgr:
    gain = _gain(bright)
    if gain == 1.0:
        return image_bgr
    levels = np.clip(np.rint(srgb.level(srgb.light(np.arange(256.0)) * gain)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image_bgr, levels), np.uint8)


def _calm(image_bgr: ImageBgr, grain: float) -> ImageBgr:
    if grain <= _GRAINY:
        return image_bgr
    return np.asarray(cv2.bilateralFilter(image_bgr, 5, _EDGE_GRAINS * grain, _SMOOTH_PX), np.uint8)


def _sharpened(image_bgr: ImageBgr, edge_px: float) -> ImageBgr:
    if edge_px <= _SOFT_PX:
        return image_bgr
    excess_px = float(np.sqrt(edge_px**2 - _SHARP_PX**2))
    seen = image_bgr.astype(np.float32)
    sharp = seen.copy()
    for _ in range(_STEPS):
        sharp += seen - cv2.GaussianBlur(sharp, (0, 0), excess_px)
    return np.clip(np.rint(sharp), 0, 255).astype(np.uint8)
