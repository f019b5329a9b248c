"""Where a lamp newly blows the picture out: nobody took from there what does not show."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from shapely import union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.outline import mask_of, shown_px
from vision.track import Track

# From this level on in all colours a pixel is blown out, of a film too (as `vision.sample` has it).
_WHITE = 250
# A coin lies in glare where so much of the disc around it that is twice as wide is blown out.
_SHARE = 0.5


def newly_blown_out(
    tracks: Iterable[Track], before_bgr: ImageBgr, after_bgr: ImageBgr, plane: TablePlane
) -> BaseGeometry:
    """The places of coins, mm on the table, around which a picture (h, w, 3) is blown out and the one that was agreed
    last was not, or which did not show on that: on a white ground nothing that is taken would be told."""
    coins = [track for track in tracks if track.seen.kind == "coin" and track.under is None]
    places: list[BaseGeometry] = [
        track.seen.footprint
        for track in coins
        if _is_white(track, after_bgr, plane) and (track.hidden or not _is_white(track, before_bgr, plane))
    ]
    return union_all(places)


def _is_white(track: Track, image_bgr: ImageBgr, plane: TablePlane) -> bool:
    """Whether a picture is blown out on a coin and around it."""
    around_mm = track.seen.footprint.buffer(track.seen.radius_mm)
    around = mask_of(shown_px(around_mm, plane), image_bgr.shape)
    left, top, width, height = cv2.boundingRect(around)
    cut = slice(top, top + height), slice(left, left + width)
    white = image_bgr[cut].min(axis=2) >= _WHITE
    shows = around[cut] > 0
    return bool(shows.any() and np.mean(white[shows]) >= _SHARE)
