"""Printed markers on the table: paper that the camera reads, no terrain, and no more are the rims cut around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon, box, union_all
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry

from calibration.fiducials.markers import gray_of
from calibration.plane import TablePlane
from vision.detection import Detection
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# Those that printed sheets and set-ups name; of those with few bits the first ones, for some pattern is always like one
# of a thousand.
_DICTIONARIES = (
    "DICT_4X4_250",
    "DICT_5X5_1000",
    "DICT_6X6_1000",
    "DICT_7X7_1000",
    "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_25h9",
    "DICT_APRILTAG_36h11",
)
# What may be a marker, or a rim of one: no higher, by the net (rims on 26 photographs: 7 to 9 mm), and no larger.
_HIGHEST_MM, _LARGEST_MM2 = 15.0, 20_000.0
# Paper goes on around the black border by so much of its side, and a thing is paper of which so much lies in it.
_WITH_RIM, _IS_PAPER = 1.45, 0.7
# A marker is looked for so far around a part of its rim: by its length, and at least.
_AROUND, _AROUND_MM = 1.0, 40.0
# It is read in a picture no larger, and its outline is so many times as long as that at least: 8 ms a place.
_LONGEST_PX, _OUTLINE = 320, 0.4


@dataclass(eq=False)
class MarkerMemory:
    """Looks for markers where things are proposed, once for each list of things."""

    _seen: Sequence[Detection] | None = None
    _kept: list[Detection] = field(default_factory=list)

    def without(self, things: Sequence[Detection], image_bgr: ImageBgr, plane: TablePlane) -> list[Detection]:
        """As `without_markers`; looked for only once for one and the same list."""
        if things is not self._seen:
            self._seen, self._kept = things, without_markers(things, image_bgr, plane)
        return self._kept


def without_markers(things: Sequence[Detection], image_bgr: ImageBgr, plane: TablePlane) -> list[Detection]:
    """The things that are no marker and no part of the paper around one. Only a marker that reads without a mistake
    counts: then nothing lies on it."""
    paper: BaseGeometry = MultiPolygon()
    kept = []
    for thing in things:
        if _may_be(thing) and not _is_paper(thing, paper):
            paper = union_all([paper, *papers_near(thing.footprint, image_bgr, plane)])
        if not (_may_be(thing) and _is_paper(thing, paper)):
            kept.append(thing)
    return kept


def _may_be(thing: Detection) -> bool:
    return (thing.height_mm or 0.0) < _HIGHEST_MM and thing.footprint.area < _LARGEST_MM2


def _is_paper(thing: Detection, paper: BaseGeometry) -> bool:
    return bool(thing.footprint.intersection(paper).area > _IS_PAPER * thing.footprint.area)


def papers_near(footprint: Polygon, image_bgr: ImageBgr, plane: TablePlane) -> Iterator[Polygon]:
    """The paper of each marker that reads without a mistake around a place, table mm."""
    low, high = np.array(footprint.bounds).reshape(2, 2)
    around_mm = max(_AROUND * float(np.hypot(*(high - low))), _AROUND_MM)
    ring_px = plane.to_image(np.array(box(*(low - around_mm), *(high + around_mm)).exterior.coords))
    if not np.isfinite(ring_px).all():
        return
    size = np.array(image_bgr.shape[1::-1])
    first = np.clip(np.floor(ring_px.min(axis=0)), 0, size).astype(int)
    last = np.clip(np.ceil(ring_px.max(axis=0)), 0, size).astype(int)
    part = image_bgr[first[1] : last[1], first[0] : last[0]]
    if min(part.shape[:2]) > 0:
        for quad_px in _quads(gray_of(part)):
            black = Polygon(plane.to_table(quad_px + first))
            if black.is_valid:
                yield scale(black, _WITH_RIM, _WITH_RIM, origin="centroid")


def _quads(gray: NDArray[np.uint8]) -> Iterator[Array]:
    """(4, 2) px of each marker that is no small part of a picture."""
    shrunk = min(1.0, _LONGEST_PX / max(gray.shape))
    small = gray if shrunk == 1.0 else cv2.resize(gray, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    for quad in _detector().detectMarkersMultiDict(small)[0]:
        yield (np.asarray(quad, float).reshape(4, 2) + 0.5) / shrunk - 0.5


@lru_cache(1)
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.errorCorrectionRate = 0.0
    parameters.minMarkerPerimeterRate = _OUTLINE
    words = [cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)) for name in _DICTIONARIES]
    return cv2.aruco.ArucoDetector(words, parameters)
