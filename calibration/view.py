"""Whether a camera sees the table so that it can be measured on: from above, large enough, and its points agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calibration.plane import TablePlane

Array = NDArray[np.float64]

# Below this the far edge is smeared over too few rows, and a coin's thickness hides half of what is behind it.
_LOWEST_ELEVATION_DEG = 12.0
# A 16 mm coin is then 4 px across.
_COARSEST_PX_PER_MM = 0.25
# RMS reprojection error, of the picture's diagonal.
_WORST_RMS_OF_DIAGONAL = 0.02


class ViewError(ValueError):
    """The camera sees the table too flat or too small: it must be moved, and no other reference mends that."""


def check_view(plane: TablePlane, corners_mm: Array) -> None:
    """Refuse a plane that cannot be measured on: ValueError with one line.

    corners_mm  (n, 2) outline of what must be seen
    """
    if plane.camera_position_mm[2] <= 0:
        raise ValueError("the table would be seen from below: the picture is mirrored, or x and y are swapped")
    depth_mm = np.c_[corners_mm, np.zeros(len(corners_mm))] @ plane.rotation[2] + plane.tvec[2]
    if (depth_mm <= 0.05 * depth_mm.max()).any():
        raise ValueError(
            "the horizon runs through the table: check the references' places and table.size_mm, all in mm"
        )
    width, height = plane.lens.size_px
    if not plane.reprojection_error_px <= _WORST_RMS_OF_DIAGONAL * np.hypot(width, height):
        raise ValueError(
            f"the calibration points contradict one another by {plane.reprojection_error_px:.0f} px: "
            "check which pixel belongs to which place on the table"
        )
    _check_sharpness(plane, corners_mm)


def _check_sharpness(plane: TablePlane, corners_mm: Array) -> None:
    middle_mm = corners_mm.mean(axis=0)
    elevation_deg = plane.pose.elevation_deg(middle_mm)
    if elevation_deg < _LOWEST_ELEVATION_DEG:
        raise ViewError(
            f"the camera sees the table from {elevation_deg:.0f} degrees above it, too flat to measure: raise it"
        )
    finest = float(plane.px_per_mm(middle_mm)[0])
    if finest < _COARSEST_PX_PER_MM:
        raise ViewError(
            f"the picture shows only {finest:.2f} px per mm of the table: bring the camera nearer or use more pixels"
        )
