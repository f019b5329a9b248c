"""A lamp that something mirrors: a white glow over a table, too small or too low for its light to be taken off.

Whatever lies below, a glow adds as much to the darkest colour as it is bright, and falls off smoothly to all sides:
white paper, silver and what they mirror have edges.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.light import srgb

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
# within a quarter of it. Of 283 stills and photographs as taken (coins, cards, dice, mugs, miniatures) none is told; of
# 41 with a glow of 0.8 laid over them 18, those where the ground is dark or plain.
_LEAST, _OFF, _ALONG, _WITHIN = 0.5, 0.08, 0.9, 0.25
# The search for its middle and spread, unless it begins so far off: steps in shares of the spread, and how far that may
# go.
_HOPELESS, _STEPS, _NARROWER, _WIDER = 0.35, (0.5, 0.25, 0.12), 0.6, 1.6
_MOVES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 0.5), (0, 0, -0.5)], float)
# On a light ground a lamp blows out what is no more than so much of the picture, and no less, and has no bays; in most
# of so many directions, from its rim to so many radii, light falls by so much, and not by half within a quarter of its
# radius, as it does at the edge of paper. Of the 283 one is told, in which a whiteboard mirrors two lamps; of the 41
# eight more.
_WHITE_SIDE_PX, _WHITE_LEVEL = 640, 250
_FEW, _MOST, _SOLID, _SOFT = 0.001, 0.02, 0.75, 0.65
_WAYS, _FROM, _TO, _STEP_PX, _FALLS, _AT_ONCE = 16, 0.6, 3.0, 0.5, 0.2, 0.25


class _Glow(NamedTuple):
    """How high a hill is that is fitted to a place, how far off it the light is (share of the height, RMS), and in
    how many directions it is near to it."""

    height: float
    off: float
    along: float


def glow_px(image_bgr: ImageBgr, shown: Mask) -> tuple[float, float] | None:
    """Where in the picture a lamp is mirrored most, px; None where none is, or none can be told.

    shown  (h, w) where the table is
    """
    return _hill_px(image_bgr, shown) or _white_px(image_bgr, shown)


def _hill_px(image_bgr: ImageBgr, shown: Mask) -> tuple[float, float] | None:
    """Where a hill of light lies over whatever lies below."""
    shrink = _SIDE_PX / max(image_bgr.shape[:2])
    light = srgb.light_in(_darkest(image_bgr, shrink))
    best: tuple[float, Array] | None = None
    for place in _places(light):
        if _is_shown((place[:2] + 0.5) / shrink - 0.5, shown):
            glow, at = _climbed(light, place)
            if _is_mirrored(glow) and (best is None or glow.off < best[0]):
                best = glow.off, (at[:2] + 0.5) / shrink - 0.5
    return (float(best[1][0]), float(best[1][1])) if best is not None else None


def _white_px(image_bgr: ImageBgr, shown: Mask) -> tuple[float, float] | None:
    """Where a lamp blows a light ground out, to no edge but softly."""
    shrink = _WHITE_SIDE_PX / max(image_bgr.shape[:2])
    darkest = _darkest(image_bgr, shrink)
    count, labels, sizes, middles = cv2.connectedComponentsWithStats(np.asarray(darkest >= _WHITE_LEVEL, np.uint8))
    for number in sorted(range(1, count), key=lambda one: -sizes[one, cv2.CC_STAT_AREA]):
        area = float(sizes[number, cv2.CC_STAT_AREA])
        if area < _FEW * darkest.size:
            break
        at_px = (middles[number] + 0.5) / shrink - 0.5
        is_one = area < _MOST * darkest.size and _is_solid(labels == number, area)
        if is_one and _is_shown(at_px, shown) and _soft_share(srgb.light_in(darkest), middles[number], area) >= _SOFT:
            return float(at_px[0]), float(at_px[1])
    return None


def _is_solid(white: Mask, area: float) -> bool:
    """Whether something white has no bays."""
    outlines, _ = cv2.findContours(white.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = sum(map(len, outlines)) / 2
    return area > _SOLID * (cv2.contourArea(cv2.convexHull(np.concatenate(outlines))) + rim)


def _soft_share(light: Grey, middle: Array, area: float) -> float:
    """Of the directions from a white place, in how many it grows darker round it, but nowhere by half at once."""
    radius = float(np.sqrt(area / np.pi))
    turn = (np.arange(_WAYS) + 0.5) / _WAYS * 2 * np.pi
    away = np.arange(_FROM * radius, _TO * radius, _STEP_PX)[:, None]
    u, v = ((at + away * way).astype(np.float32) for at, way in zip(middle, (np.cos(turn), np.sin(turn)), strict=True))
    seen = cv2.remap(light, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    at_once = max(2, round(_AT_ONCE * radius / _STEP_PX))
    falls = seen[0] - seen.min(axis=0)
    steepest = (seen[:-at_once] - seen[at_once:]).max(axis=0)
    return float(((seen >= 0).all(axis=0) & (falls > _FALLS) & (steepest < falls / 2)).mean())


def _darkest(image_bgr: ImageBgr, shrink: float) -> NDArray[np.uint8]:
    """Each pixel's darkest colour, 0 to 255, in a picture so many times as large."""
    small = cv2.resize(image_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _is_shown(at_px: Array, shown: Mask) -> bool:
    u, v = np.rint(at_px).astype(int)
    return bool(shown[min(max(v, 0), len(shown) - 1), min(max(u, 0), shown.shape[1] - 1)])


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
