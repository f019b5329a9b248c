"""Bowls: what a low drum was fitted to, whose wall bends in below the rim and is higher than that drum."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.scene import UNKNOWN
from vision.detect.round.bowl_form import BOWL, shown_share, wall_and_rim
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit
from vision.detect.solid.forms import DRUM
from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# What may be a bowl by its name, with how much less support than the drum a bowl is believed: what is no plate may be a
# pan, whose wall is straight. And the least radius, mm: smaller ones are cups and glasses.
_WORSE, _LEAST_MM = MappingProxyType({"plate": 0.1, UNKNOWN: 0.05}), 50.0
# Heights that are tried and the least one, as shares of the radius: lower ones are plates.
_HEIGHTS, _LOW = (0.5, 0.65, 0.8, 0.95, 1.1), 0.45
# The foot's share of the radius and the bend of the wall that bowls have; how far off those may be, middle and height
# in mm, the radius as a share of itself.
_FOOT, _BEND = 0.5, 0.5
_MIDDLE_MM, _RADIUS, _FOOT_OFF, _BEND_OFF, _HEIGHT_MM = 6.0, 0.05, 0.08, 0.1, 8.0
# What is taken off the support of a bowl whose wall does not show.
_NOT_SHOWN = 0.3
# A bowl is believed whose outlines lie so well on edges and whose wall shows so far round (18 path traced tables with
# 35 bowls, 34 plates and 16 pans, in view).
_SUPPORT, _SHOWN = 0.7, 0.45
# Between rim and outline the wall is looked at, in such shares of the way, in the middle of the side that shows; the
# table so far beyond the outline, mm.
_DOWN, _MIDST, _BEYOND_MM = (0.4, 0.55, 0.7, 0.85), slice(5, 13), (10.0, 14.0, 18.0)
# The table in shadow has such a share of its lightness and its tint (Lab a and b, together), dimmed by as much, to such
# a difference (shadows under the five plates there that would pass for bowls: 0.31 to 0.68 and 3 to 11).
_DIMMED, _SAME_TINT = (0.25, 1.15), 12.0


def bowl_instead(drum: Fit, cls: str, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The bowl under the rim of a fitted drum, if edges bear that out as well and a wall shows below the rim.

    cls    what the net takes the thing for
    close  the picture that the edges are of
    """
    if drum.form is not DRUM or cls not in _WORSE or drum.shape[2] < _LEAST_MM:
        return None
    eye_mm = np.asarray(edges.plane.camera_position_mm)
    bowl = best_fit(_under_rim(drum, eye_mm), edges, 1)
    if bowl is None or bowl.support < max(_SUPPORT, drum.support - _WORSE[cls]):
        return None
    shows = shown_share(bowl.shape[None], eye_mm)[0] > _SHOWN
    return bowl if shows and _is_no_table(*_wall_and_table(bowl, eye_mm, close)) else None


def _under_rim(drum: Fit, eye_mm: Array) -> Iterable[Guess]:
    """Bowls of several heights whose rim shows where that of a drum does."""
    x, y, radius, *_, height = drum.shape
    larger = eye_mm[2] / (eye_mm[2] - height)
    away, shown = (np.array([x, y]) - eye_mm[:2]) * larger, radius * larger
    for share in _HEIGHTS:
        high = share * shown / (1 + share * shown / eye_mm[2])
        nearer = 1 - high / eye_mm[2]
        start = np.array([*eye_mm[:2] + away * nearer, shown * nearer, _FOOT, _BEND, high])
        spread = np.array([_MIDDLE_MM, _MIDDLE_MM, _RADIUS * start[2], _FOOT_OFF, _BEND_OFF, _HEIGHT_MM])
        yield Guess(BOWL, start, spread, high_mm=_LOW * start[2], against=partial(_hidden, eye_mm))


def _hidden(eye_mm: Array, shapes: Array) -> Array:
    """(n,) what is taken off the support of bowls for what does not show of their walls."""
    return _NOT_SHOWN * (1 - shown_share(shapes, eye_mm))


def _wall_and_table(bowl: Fit, eye_mm: Array, close: Sight[TopView]) -> tuple[Array, Array]:
    """(3,) the median colours of the wall that shows and of the table before it, Lab of 8 bits."""
    outline, rim = (points[_MIDST] for points in wall_and_rim(bowl.shape, eye_mm))
    down = outline - rim
    ahead = down / np.linalg.norm(down, axis=1, keepdims=True)
    wall = np.concatenate([rim + share * down for share in _DOWN])
    table = np.concatenate([outline + far_mm * ahead for far_mm in _BEYOND_MM])
    return _colour_at(wall, close), _colour_at(table, close)


def _colour_at(places_mm: Array, close: Sight[TopView]) -> Array:
    px = close.view.to_px(places_mm).astype(np.float32)[None]
    bgr = cv2.remap(close.seen, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0], axis=0), float)


def _is_no_table(seen: Array, table: Array) -> bool:
    """Whether a colour is neither the table's nor that of its shadow."""
    light = seen[0] / max(table[0], 1.0)
    off = np.abs((seen[1:] - 128) - light * (table[1:] - 128)).sum()
    return not (_DIMMED[0] < light < _DIMMED[1] and off < _SAME_TINT)
