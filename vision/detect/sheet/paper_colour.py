"""The colour of a paper: the paint that it is nearest to, or the paint of its hue: card comes pale and bright, too."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.scene import UNKNOWN
from vision.naming.colour import TERRAIN_BGR, name_colour

Array = NDArray[np.float64]

# A paper is coloured where it lies so far from grey (CIELAB): white paper in the light of a cold sky has 11.
_LEAST_CHROMA = 18.0
# Nearer than this to a second hue it is unsure.
_CLEAR_DEG = 10.0
# What has the hue of yellow and is as dark as this is olive or brown.
_DARK = 60.0
# Turquoise: what one calls green another calls blue.
_BETWEEN_DEG = 180.0, 215.0
_GREYS = frozenset(("white", "grey", "black"))


def name_paper(pixels_bgr: NDArray[np.uint8]) -> str:
    """The colour of some pixels (n, 3) of a paper, one of `TERRAIN_BGR` or unknown."""
    named = name_colour(pixels_bgr, tuple(TERRAIN_BGR), solid=True)
    lightness, *of_hue = np.median(_lab(pixels_bgr), axis=0)
    if np.hypot(*of_hue) < _LEAST_CHROMA:
        return named
    hue_deg = _hue_deg(of_hue)
    if _BETWEEN_DEG[0] < hue_deg < _BETWEEN_DEG[1]:
        return UNKNOWN
    return _by_hue(hue_deg, lightness < _DARK) if named in _GREYS or named == UNKNOWN else named


def _by_hue(hue_deg: float, is_dark: bool) -> str:
    paints = [name for name in _HUES_DEG if not (is_dark and name == "yellow")]
    away = {name: abs((hue_deg - _HUES_DEG[name] + 180) % 360 - 180) for name in paints}
    nearest, second = sorted(away, key=lambda name: away[name])[:2]
    return nearest if away[second] - away[nearest] >= _CLEAR_DEG else UNKNOWN


def _lab(bgr: NDArray[np.uint8]) -> Array:
    floats = (bgr.reshape(1, -1, 3) / 255).astype(np.float32)
    return np.asarray(cv2.cvtColor(floats, cv2.COLOR_BGR2LAB)[0], float)


def _hue_deg(of_hue: Array | list[float]) -> float:
    """0 to 360, of (a, b) in CIELAB."""
    return float(np.degrees(np.arctan2(of_hue[1], of_hue[0]))) % 360


_HUES_DEG = {
    name: _hue_deg(_lab(np.array([bgr], np.uint8))[0, 1:]) for name, bgr in TERRAIN_BGR.items() if name not in _GREYS
}
