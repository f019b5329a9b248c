"""Where a known map lies, by its roads and its sheet's outline alone: no marker, no click, no picture of the print.

The sheet's sides, or the frame that is printed in them, are the map's edge but for a margin that nobody told. Of the
margins that sheets have, and of all outlines, that one is taken under which the roads lie on the picture's lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import TablePlane, fit_plane
from calibration.plumb_line import Bend
from calibration.roads import RoadLines
from calibration.sheet_corners import sheet_outlines

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# White margins round a map, mm; a sheet of another shape than its map has none that is even.
_MARGINS_MM = np.arange(0.0, 32.5, 2.5)
_OUTLINES = 3
# How near a road must lie to a line, px. Half a margin off, strokes are missed at the corners.
_NEAR_PX = 1.0
# In the right place half of the roads stand out more than this share of the same lines half a turn round, whatever the
# picture shows there; mirrored ones, or those of another map, do not.
_CHANCE = 0.8
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
    planes = list(_planes(image, size_mm, lens, bend))
    best = max(planes, key=lambda plane: float(np.median(here.strengths(plane, _NEAR_PX))), default=None)
    if best is None or not _stand_out(here.strengths(best, _NEAR_PX), turned.strengths(best, _NEAR_PX)):
        raise ValueError(
            "the map's roads are not recognised in the picture: show its sheet whole and the right way round, or give"
            " the sheet's picture or four points"
        )
    return best


def _stand_out(here: Array, by_chance: Array) -> bool:
    return bool(np.median(here) > np.quantile(by_chance, _CHANCE))


def _planes(image: Image, size_mm: tuple[float, float], lens: Lens, bend: Bend | None) -> Iterator[TablePlane]:
    for corners_px, sigma_px in islice(sheet_outlines(image, size_mm, lens), _OUTLINES):
        for margin_mm in _MARGINS_MM:
            (left, near), (right, far) = (-margin_mm, -margin_mm), np.array(size_mm) + margin_mm
            corners_mm = np.array([[left, far], [right, far], [right, near], [left, near]])
            seen = Correspondences.of(corners_px, corners_mm, sigma_px=sigma_px)
            try:
                yield fit_plane(seen, lens, lens.size_px, size_mm, bend=bend)
            except ValueError:
                continue
