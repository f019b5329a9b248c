"""A sheet that was told to have another shape than its picture has: one side or the other is told wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.pose import table_jacobian
from calibration.sheet import Sheet

Array = NDArray[np.float64]

# So many places along either side show how the table stretches with it.
_PLACES = 6
# What either side may be off by, of what both together are.
_EITHER = 1 / np.sqrt(2)
# What a ruler tells no better is not worth a line.
_SAID_MM = 1.0


def in_doubt(plane: TablePlane, sheet: Sheet) -> TablePlane:
    """The plane that a sheet's picture measured, with the error of a size that has not the picture's shape.

    The fit lays the print as it was told to lie, however long its sides were told, and what it leaves says nothing of
    it: 420 mm told as 424 put places 3.7 mm off, and 0.02 were stated.
    """
    off_share = abs(sheet.off_shape)
    if off_share == 0.0:
        return plane
    follows = off_share * _EITHER * _by_stretch(plane, sheet)
    doubted = replace(plane, covariance=plane.covariance + follows.T @ follows)
    worst_mm = off_share * max(sheet.size_mm)
    return replace(doubted, notes=(*plane.notes, _in_words(sheet, worst_mm))) if worst_mm > _SAID_MM else doubted


def _by_stretch(plane: TablePlane, sheet: Sheet) -> Array:
    """(2, n) how (lens parameters, rvec, tvec) follow a sheet that is told twice as wide, and twice as deep."""
    across, down = np.meshgrid(*(np.linspace(0, 1, _PLACES),) * 2)
    share = np.column_stack([across.ravel(), down.ravel()])
    mm = sheet.to_table(share)
    ends = (share * [0, 1], np.maximum(share, [0, 1]))
    stretched = np.stack([(mm - sheet.to_table(end)).ravel() for end in ends], axis=1)
    by_camera = table_jacobian(plane.lens, plane.pose, mm, 0.0)[0].reshape(2 * len(mm), -1)
    # Pixels of another shape, and the camera elsewhere: so a print is laid that is stretched along one side.
    free = np.r_[0, 1, np.arange(-6, 0)]
    follows = np.zeros((2, by_camera.shape[1]))
    follows[:, free] = np.linalg.lstsq(by_camera[:, free], stretched)[0].T
    return follows


def _in_words(sheet: Sheet, worst_mm: float) -> str:
    width, depth = sheet.size_mm
    shown = width / depth * np.exp(sheet.off_shape)
    return (
        f"the sheet's picture is {shown:.3f} times as wide as deep, {width:g} x {depth:g} mm are {width / depth:.3f} "
        f"times: one side may be told {worst_mm:.1f} mm wrong, and the table is as far off; measure both sides again"
    )
