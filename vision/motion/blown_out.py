"""Where a lamp newly blows the picture out: a coin that does not show there was not taken away."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from shapely import union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.outline import mask_of, shown_px
from vision.track import Track

# From this level on in all colours a pixel is blown out, of a film too (as `vision.taught.sample` has it).
_WHITE = 250
# A coin lies in glare if this share of a disc twice as wide is blown out; glare hid it if this share of its own place
# is.
_SHARE = 0.5


def newly_blown_out(
    tracks: Iterable[Track], before_bgr: ImageBgr, after_bgr: ImageBgr, plane: TablePlane
) -> BaseGeometry:
    """The places of coins, mm on the table, around which a picture (h, w, 3) is blown out and the one agreed last was
    not: on ground that was white before nobody would notice a coin taken. A hidden coin counts if glare hid it."""
    coins = [track for track in tracks if track.seen.kind == "coin" and track.under is None]
    places: list[BaseGeometry] = [
        track.seen.footprint
        for track in coins
        if _is_white(_around(track), after_bgr, plane) and _may_be_there(track, before_bgr, plane)
    ]
    return union_all(places)


def _may_be_there(track: Track, before_bgr: ImageBgr, plane: TablePlane) -> bool:
    """Whether it was in sight, and no glare around it, or the glare hid it: what a pencil hid on a white ground shows
    when that is taken up, or is gone."""
    if track.hidden:
        return _is_white(track.seen.footprint, before_bgr, plane)
    return not _is_white(_around(track), before_bgr, plane)


def _around(track: Track) -> BaseGeometry:
    return track.seen.footprint.buffer(track.seen.radius_mm)


def _is_white(place_mm: BaseGeometry, image_bgr: ImageBgr, plane: TablePlane) -> bool:
    """Whether a picture is blown out on a place."""
    around = mask_of(shown_px(place_mm, plane), image_bgr.shape)
    left, top, width, height = cv2.boundingRect(around)
    cut = slice(top, top + height), slice(left, left + width)
    white = image_bgr[cut].min(axis=2) >= _WHITE
    shows = around[cut] > 0
    return bool(shows.any() and np.mean(white[shows]) >= _SHARE)
