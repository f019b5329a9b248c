"""A lamp that something mirrors: a white glow over a table, too small or too low for its light to be taken off.

Whatever lies below, a glow adds as much to the darkest colour as it is bright, and falls off smoothly to all sides:
white paper, silver and what they mirror have edges.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import srgb
from vision.frame import ImageBgr

Array = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# The picture is looked at with its longer side so many px long; a glow has such a spread there and stands out so much.
_SIDE_PX, _SPREADS_PX, _STANDS_OUT = 320, (5.8, 8.6, 12.8, 19.2), 0.2
# So many of the clearest places of each spread are looked at.
_TRIED = 4
# Light round a place is the third darkest of twelve points in each field: of so many directions and rings, out to so
# many spreads.
_DIRECTIONS, _RINGS, _FINE, _REACH, _THIRD = 12, 6, (4, 3), 2.4, 2
# From so much light on it is blown out; so many of the fields must show.
_BLOWN_OUT, _SHOWN = 0.97, 0.6
# A glow: so much light, a Gaussian hill to this share of its height (RMS), and in all but one or two directions to
# within a quarter of it. 264 stills and photographs as taken (coins, cards, dice, mugs, miniatures) have 0.06 once, a
# window at the picture's edge, else 0.09 and more; glows of 0.8 laid over thirty of them have 0.02 to 0.08 where the
# ground is dark or plain, in sixteen.
_LEAST, _OFF, _ALONG, _WITHIN = 0.5, 0.08, 0.9, 0.25
# The search for its middle and spread, unless it begins so far off: steps in shares of the spread, and how far that may
# go.
_HOPELESS, _STEPS, _NARROWER, _WIDER = 0.35, (0.5, 0.25, 0.12), 0.6, 1.6
_MOVES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 0.5), (0, 0, -0.5)], float)


class _Glow(NamedTuple):
    """How high a hill is that is fitted to a place, how far off it the light is (share of the height, RMS), and in
    how many directions it is near to it."""

    height: float
    off: float
    along: float


def glow_px(image_bgr: ImageBgr, shown: Mask) -> tuple[float, float] | None:
    """Where a lamp is mirrored most, px; None where none is, or it is not to be told.

    shown  (h, w) where the table is
    """
    shrink = _SIDE_PX / max(image_bgr.shape[:2])
    small = cv2.resize(image_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    light = srgb.light(small.min(axis=2).astype(float)).astype(np.float32)
    best: tuple[float, Array] | None = None
    for place in _places(light):
        u, v = (place[:2] + 0.5) / shrink - 0.5
        if shown[min(round(v), len(shown) - 1), min(round(u), shown.shape[1] - 1)]:
            glow, at = _climbed(light, place)
            if _is_mirrored(glow) and (best is None or glow.off < best[0]):
                best = glow.off, (at[:2] + 0.5) / shrink - 0.5
    return (float(best[1][0]), float(best[1][1])) if best is not None else None


def _is_mirrored(glow: _Glow) -> bool:
    return glow.height >= _LEAST and glow.off < _OFF and glow.along >= _ALONG


def _places(light: Grey) -> list[Array]:
    """(3,) x, y and spread where it is lighter than round it, the clearest of each spread."""
    found: list[Array] = []
    for spread in _SPREADS_PX:
        narrow, wide = (cv2.GaussianBlur(light, (0, 0), times * spread) for times in (0.5, 2.0))
        hill = narrow - wide
        around = np.ones((int(2 * spread) | 1,) * 2, np.uint8)
        rows, columns = np.nonzero((hill == cv2.dilate(hill, around)) & (hill > _STANDS_OUT))
        clearest = np.argsort(-hill[rows, columns])[:_TRIED]
        found += [np.array([columns[one], rows[one], spread], float) for one in clearest]
    return found


def _climbed(light: Grey, place: Array) -> tuple[_Glow, Array]:
    """The best hill near a place."""
    spread, best = place[2], _glow(light, place)
    for step in _STEPS if best.off < _HOPELESS else ():
        while True:
            others = [place + step * spread * move for move in _MOVES]
            others = [other for other in others if _NARROWER * spread < other[2] < _WIDER * spread]
            glows = [_glow(light, other) for other in others]
            nearest = int(np.argmin([glow.off for glow in glows]))
            if glows[nearest].off >= best.off - 1e-4:
                break
            place, best = others[nearest], glows[nearest]
    return best, place


def _glow(light: Grey, place: Array) -> _Glow:
    """The hill about a place, by least squares in height and ground."""
    fields, shown = _fields(light, place)
    if shown.mean() < _SHOWN:
        return _Glow(0.0, np.inf, 0.0)
    away = (np.arange(_RINGS) + 0.5) / _RINGS * _REACH
    hill = np.broadcast_to(np.exp(-np.square(away) / 2)[:, None], fields.shape)
    (height, ground), *_ = np.linalg.lstsq(np.stack([hill[shown], np.ones(int(shown.sum()))], axis=1), fields[shown])
    if height <= _STANDS_OUT:
        return _Glow(0.0, np.inf, 0.0)
    rest = np.where(shown, np.abs(fields - height * hill - ground), 0) / height
    along = (rest.max(axis=0) < _WITHIN).mean()
    return _Glow(float(height), float(np.sqrt(np.square(rest[shown]).mean())), float(along))


def _fields(light: Grey, place: Array) -> tuple[Array, Mask]:
    """(rings, directions) the light of each field, and which fields show and are not blown out."""
    x, y, spread = place
    across, along = _FINE
    turn = (np.arange(_DIRECTIONS * across) + 0.5) / (_DIRECTIONS * across) * 2 * np.pi
    away = (np.arange(_RINGS * along) + 0.5)[:, None] / (_RINGS * along) * _REACH * spread
    u, v = ((at + away * way).astype(np.float32) for at, way in ((x, np.cos(turn)), (y, np.sin(turn))))
    seen = cv2.remap(light, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    each = seen.reshape(_RINGS, along, _DIRECTIONS, across).transpose(0, 2, 1, 3).reshape(_RINGS, _DIRECTIONS, -1)
    third = np.partition(each, _THIRD, axis=2)[..., _THIRD].astype(float)
    return third, np.asarray((each >= 0).all(axis=2) & (third < _BLOWN_OUT))
