"""Where a known map lies, by its roads and its sheet's outline alone: no marker, no click, no picture of the print.

The sheet's sides, or the frame that is printed in them, are the map's edge but for a margin that nobody told. Of the
margins that sheets have, and of all outlines, that one is taken under which the roads lie on the picture's lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import Bend
from calibration.corners.sheet_corners import sheet_outlines
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.maps.roads import RoadLines
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# White margins round a map, mm; a sheet of another shape than its map has none that is even.
_MARGINS_MM = np.arange(0.0, 32.5, 2.5)
_OUTLINES = 3
# How near a road must lie to a line, px. Half a margin off, strokes are missed at the corners.
_NEAR_PX = 1.0
# In the right place half of the roads stand out more than this share of the same lines half a turn round does, whatever
# the picture shows there: 1.5 times as much as that and more on sixteen stills; mirrored or shifted ones, or those of
# another map, 0.7 times as much at most, of seventeen.
_CHANCE = 0.7
# What is left of the error then.
GUESSED_PX = 3.0


def plane_by_roads(
    image: Image, roads_mm: Sequence[Array], size_mm: tuple[float, float], lens: Lens, bend: Bend | None
) -> TablePlane:
    """A plane good to some mm, near enough for `roads_seen` to follow.

    size_mm  (width, depth) of the map, its near left corner the origin
    Raises   ValueError where no outline of that shape has these roads in it
    """
    here, turned = RoadLines.of(image, roads_mm), RoadLines.of(image, [np.array(size_mm) - road for road in roads_mm])
    best: tuple[float, TablePlane] | None = None
    for outline in islice(sheet_outlines(image, size_mm, lens), _OUTLINES):
        corners_px, sigma_px = outline.corners_px, outline.sigma_px
        bare = _plane(corners_px, sigma_px, size_mm, 0.0, lens, bend)
        if bare is None:
            continue
        strengths = [_median(here.drawn_in(size_mm, margin_mm), bare) for margin_mm in _MARGINS_MM]
        margin_mm = float(_MARGINS_MM[int(np.argmax(strengths))])
        plane = _plane(corners_px, sigma_px, size_mm, margin_mm, lens, bend)
        if plane is not None and (best is None or max(strengths) > best[0]):
            best = max(strengths), plane
    if best is None or not _stand_out(here.strengths(best[1], _NEAR_PX), turned.strengths(best[1], _NEAR_PX)):
        raise ValueError(
            "the map's roads are not recognised in the picture: show its sheet whole and the right way round, or give"
            " the sheet's picture or four points"
        )
    return best[1]


def _median(lines: RoadLines, plane: TablePlane) -> float:
    return float(np.median(lines.strengths(plane, _NEAR_PX)))


def _stand_out(here: Array, by_chance: Array) -> bool:
    return bool(np.median(here) > np.quantile(by_chance, _CHANCE))


def _plane(
    corners_px: Array, sigma_px: Array, size_mm: tuple[float, float], margin_mm: float, lens: Lens, bend: Bend | None
) -> TablePlane | None:
    """By a sheet's corners (4, 2) px from far left clockwise, that much beyond its map's; None for no such camera."""
    (left, near), (right, far) = (-margin_mm, -margin_mm), np.array(size_mm) + margin_mm
    corners_mm = np.array([[left, far], [right, far], [right, near], [left, near]])
    try:
        return fit_plane(Correspondences.of(corners_px, corners_mm, sigma_px=sigma_px), lens, lens.size_px, bend=bend)
    except ValueError:
        return None
