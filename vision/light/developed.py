"""A picture as the eyes want it: a lamp's veil taken off, in light of one colour, lit as the nets learned, its grain
smoothed and its blur undone as far as that helps.

A picture that is good as it was taken stays as it is, to the last bit.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, ImageBgr
from vision.light import srgb
from vision.light.clarity import Clarity
from vision.light.two_lights import evened
from vision.light.veil import unveiled

Array = NDArray[np.float64]

# A table whose brightest parts are darker than this is lit up to what an ordinary picture has there, grey levels; a
# sensor's noise allows for no more than so many times the light.
_DIM, _LIT, _MOST_GAIN = 150.0, 200.0, 30.0
# Coins on a black cloth are lit no further than to so many times white.
_OVER = 1.5
# What is brighter than that, silver on dark wood, keeps its drawing and its hue below white, all but one pixel in so
# many.
_WHITE, _BRIGHTEST = 250.0, 0.9995
# Grain above this is smoothed; colours that differ by more than so many times the grain are an edge and stay.
_GRAINY, _EDGE_GRAINS, _SMOOTH_PX = 7.0, 2.5, 1.3
# Edges wider than the first are sharpened to the second: by van Cittert's iteration, which stops before noise grows.
_SOFT_PX, _SHARP_PX, _STEPS = 0.95, 0.7, 8


def developed(frame: Frame, clarity: Clarity) -> Frame:
    """The frame with the faults mended that `clarity` found in it."""
    clear = unveiled(frame.image_bgr, clarity.veil) if clarity.veil is not None else frame.image_bgr
    if clarity.lights is not None:
        clear = evened(clear, clarity.lights)
    lit = _lit(clear, _gain(clarity))
    mended = _sharpened(_calm(lit, clarity.grain), clarity.edge_px)
    if mended is frame.image_bgr:
        return frame
    return replace(frame, image_bgr=mended, unlit_bgr=clear if lit is not clear else None)


def _gain(clarity: Clarity) -> float:
    """How many times its light a table needs, and what is bright on it bears."""
    if clarity.bright >= _DIM:
        return 1.0
    bright, brightest, lit, white = srgb.light(
        np.array([max(clarity.bright, 1.0), max(clarity.brightest, 1.0), _LIT, _WHITE])
    )
    return float(max(1.0, min(lit / bright, _OVER * white / brightest, _MOST_GAIN)))


def _lit(image_bgr: ImageBgr, gain: float) -> ImageBgr:
    if gain == 1.0:
        return image_bgr
    lit = srgb.level(srgb.light(np.arange(256.0)) * gain)
    top = float(lit[int(np.quantile(image_bgr[::4, ::4].max(axis=2), _BRIGHTEST))])
    if top <= _WHITE:
        return np.asarray(cv2.LUT(image_bgr, np.clip(np.rint(lit), 0, 255).astype(np.uint8)), np.uint8)
    blue, green, red = cv2.split(image_bgr)
    dimmed = cv2.LUT(
        cv2.max(cv2.max(blue, green), red), (_rolled_off(lit, top) / np.maximum(lit, 1)).astype(np.float32)
    )
    brighter = cv2.LUT(image_bgr, lit.astype(np.float32)) * dimmed[..., None]
    return np.asarray(cv2.convertScaleAbs(brighter), np.uint8)


def _rolled_off(levels: Array, top: float) -> Array:
    """Levels above `_LIT` pressed together until `top` is white (Reinhard 2002, his equation 4)."""
    room = _WHITE - _LIT
    over = np.maximum(levels - _LIT, 0) / room
    most = (top - _LIT) / room
    return np.where(over > 0, _LIT + room * over * (1 + over / most**2) / (1 + over), levels)


def _calm(image_bgr: ImageBgr, grain: float) -> ImageBgr:
    if grain <= _GRAINY:
        return image_bgr
    return np.asarray(cv2.bilateralFilter(image_bgr, 5, _EDGE_GRAINS * grain, _SMOOTH_PX), np.uint8)


def _sharpened(image_bgr: ImageBgr, edge_px: float) -> ImageBgr:
    if edge_px <= _SOFT_PX:
        return image_bgr
    excess_px = float(np.sqrt(edge_px**2 - _SHARP_PX**2))
    seen = image_bgr.astype(np.float32)
    sharp, soft = seen.copy(), np.empty_like(seen)
    for _ in range(_STEPS):
        # Into what is there: new arrays as large as a picture cost as much time as the blur.
        cv2.GaussianBlur(sharp, (0, 0), excess_px, soft)
        cv2.subtract(seen, soft, soft)
        cv2.add(sharp, soft, sharp)
    return np.asarray(cv2.convertScaleAbs(np.maximum(sharp, 0, out=sharp)), np.uint8)
