"""Naming the colour of a figure's paint, in the light that the table itself shows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.scene import UNKNOWN

Array = NDArray[np.float64]

# The owner colours of the set-up file as usual paints show them in white light, sRGB order blue, green, red.
PAINT_BGR: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {
        "red": (45, 45, 190),
        "blue": (170, 85, 40),
        "green": (70, 130, 50),
        "yellow": (60, 205, 235),
        "white": (235, 235, 235),
        "black": (38, 36, 36),
        "orange": (35, 120, 235),
        "purple": (130, 55, 105),
        "tan": (130, 175, 205),
        "grey": (130, 130, 130),
    }
)
# What paper and plates come in besides: OMOG reads brown strips as roads.
TERRAIN_BGR: Mapping[str, tuple[int, int, int]] = MappingProxyType({**PAINT_BGR, "brown": (55, 85, 130)})
# CIELAB: differences of lightness say less than those of hue, because a figure is lit from one side.
_WEIGHTS = np.array([0.45, 1.0, 1.0])
# In the shade a paint keeps its hue, so that a dark blue is no black; greys would only become one another.
_SHADES, _GREY_SHADES, _LEAST_CHROMA = np.linspace(0.45, 1.1, 7), np.linspace(0.8, 1.1, 7), 12.0
# Beyond this distance (weighted CIELAB) a paint is none of the colours; nearer than this to a second one it is unsure.
_FARTHEST, _CLEAR = 48.0, 4.0
# A figure's paint is told pixel by pixel: each speaks for the candidate that it is nearer to by so much than to any
# other (within so far), and nearer than to brown, which wood and horses are, if it has its hue to so many degrees, or
# as a plain one's is so light to so much of CIELAB's L (else a black horse is white). A coloured pixel says so much
# more than a plain one: black, grey, white and tan are everybody's boots, belts, faces and horses. The most named must
# have so many times the next one's say, and so much of all. (Figures: docs/measured/solids.md.)
_SPEAKS_FARTHEST, _SPEAKS_CLEAR, _SPEAKS_DEG, _SPEAKS_LIGHT, _COLOURED_CHROMA = 30.0, 8.0, 35.0, 30.0, 30.0
_COLOURED_SAYS, _TIMES_NEXT, _LEAST_SHARE = 2.0, 1.5, 0.2
# So many of its pixels, spread evenly, tell a figure's paint.
_PIXELS = 500


def name_colour(
    pixels_bgr: NDArray[np.uint8], candidates: tuple[str, ...] = tuple(PAINT_BGR), *, solid: bool = False
) -> str:
    """The candidate nearest to the middle colour of some pixels (n, 3), or unknown.

    solid  it is no flat thing: a coloured paint may be anywhere between itself and its own shadow
    """
    if not len(pixels_bgr) or not candidates:
        return UNKNOWN
    lab = _lab(pixels_bgr)
    middle = np.median(lab, axis=0)
    known = _paints(candidates)
    shades = _shaded(known) if solid else known[:, None]
    away = np.linalg.norm((shades - middle) * _WEIGHTS, axis=2).min(axis=1)
    order = np.argsort(away)
    unsure = len(order) > 1 and away[order[1]] - away[order[0]] < _CLEAR
    return UNKNOWN if away[order[0]] > _FARTHEST or unsure else candidates[order[0]]


def name_paint(pixels_bgr: NDArray[np.uint8], candidates: tuple[str, ...] = tuple(PAINT_BGR)) -> str:
    """The candidate that most of a figure's pixels (n, 3) are painted in, or unknown: base, horse, face and arms have
    other colours, of which the middle may be none's or another's."""
    if not len(pixels_bgr) or not candidates:
        return UNKNOWN
    lab, known = _lab(pixels_bgr[:: -(-len(pixels_bgr) // _PIXELS)]), _paints(candidates)
    share = np.bincount(_spoken_for(lab, known), minlength=len(candidates) + 1)[1:] / len(lab)
    says = np.where(_is_plain(known), share, _COLOURED_SAYS * share)
    most, *others = np.argsort(-says, kind="stable")
    rival = says[others[0]] if others else 0.0
    is_sure = share[most] >= _LEAST_SHARE and says[most] >= _TIMES_NEXT * rival
    return candidates[most] if is_sure else UNKNOWN


def _paints(names: tuple[str, ...]) -> Array:
    """(n, 3) the colours of these names."""
    return _lab(np.array([TERRAIN_BGR[name] for name in names], np.uint8))


def _is_plain(known: Array) -> NDArray[np.bool_]:
    """(n,) which of the colours (n, 3) have hardly any hue: black, grey, white and tan."""
    return np.asarray(np.hypot(*known[:, 1:].T) < _COLOURED_CHROMA, bool)


def _spoken_for(lab: Array, known: Array) -> NDArray[np.intp]:
    """(n,) which of the colours (m, 3) each pixel (n, 3) speaks for, from 1 on; 0 for none."""
    shades, away, (wood,) = _shaded(known)[:, :, None], _away(known, lab), _away(_paints(("brown",)), lab)
    nearest = away.argmin(axis=0)
    least, *others = np.sort(away, axis=0)
    is_clear = others[0] - least >= _SPEAKS_CLEAR if others else True
    lighter = abs(shades[..., 0] - lab[:, 0]).min(axis=1)[nearest, np.arange(len(lab))]
    is_its = np.where(
        _is_plain(known)[nearest], lighter < _SPEAKS_LIGHT, _turned_deg(lab, known[nearest]) < _SPEAKS_DEG
    )
    return np.where((least < np.minimum(_SPEAKS_FARTHEST, wood)) & is_clear & is_its, nearest + 1, 0)


def _away(known: Array, lab: Array) -> Array:
    """(m, n) how far each of the pixels (n, 3) is from each of the colours (m, 3) in its shadow or light."""
    return np.asarray(np.linalg.norm((_shaded(known)[:, :, None] - lab) * _WEIGHTS, axis=3).min(axis=1), float)


def _turned_deg(lab: Array, other: Array) -> Array:
    """(n,) how far apart the hues of two colours (n, 3) are."""
    turned = np.arctan2(lab[:, 2], lab[:, 1]) - np.arctan2(other[:, 2], other[:, 1])
    return np.asarray(np.abs(np.degrees(np.angle(np.exp(1j * turned)))), float)


def _shaded(lab: Array) -> Array:
    """(n, 7, 3) each colour from its shadow to its light."""
    grey = np.hypot(lab[:, 1], lab[:, 2]) < _LEAST_CHROMA
    return np.asarray(lab[:, None] * np.where(grey[:, None], _GREY_SHADES, _SHADES)[..., None], float)


def _lab(bgr: NDArray[np.uint8]) -> Array:
    floats = (bgr.reshape(1, -1, 3) / 255).astype(np.float32)
    return np.asarray(cv2.cvtColor(floats, cv2.COLOR_BGR2LAB)[0], float)
