"""A sheet, or a table by its clicked corners, that was told to have another shape than its picture has, or than a lens
shows it to have: one side or the other is told wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.fit.solve import inverse, square_root
from calibration.lens import Lens
from calibration.maps.sheet import Sheet
from calibration.plane import TablePlane
from calibration.pose import table_jacobian

Array = NDArray[np.float64]

# So many places along either side show how the table stretches with it.
_PLACES = 6
# The share of an error of shape by which either side may be off, if both err alike.
_EITHER = 1 / np.sqrt(2)
# What a ruler tells no better is not worth a line.
_SAID_MM = 1.0
# Corners show another shape by chance once in twenty times (two-sided normal quantile).
_CHANCE_Z = 1.96


def in_doubt(plane: TablePlane, sheet: Sheet, off_shape: float, what: str = "") -> TablePlane:
    """The plane that a sheet measured, with the error of a size that has not the sheet's shape.

    The fit lays a print as it was told to lie, however long its sides were told, and what it leaves says nothing of it:
    420 mm told as 424 put places 3.7 mm off, and 0.02 were stated.

    off_shape  by what share (log) it is wider for its depth than told
    what       says so, if not the sheet
    """
    if off_shape == 0.0:
        return plane
    doubted, is_said = as_far_off(plane, sheet, off_shape), abs(off_shape) * max(sheet.size_mm) > _SAID_MM
    return replace(doubted, notes=(*plane.notes, _in_words(sheet, off_shape, what))) if is_said else doubted


def as_far_off(plane: TablePlane, sheet: Sheet, off_shape: float) -> TablePlane:
    """The plane with the error of either side of a sheet, or of a table, that together have another shape than told, by
    that share (log)."""
    follows = off_shape * _EITHER * _by_stretch(plane, sheet)
    return replace(plane, covariance=plane.covariance + follows.T @ follows)


def shape_seen(seen: Correspondences, plane: TablePlane, lens: Lens) -> float:
    """By what share (log) a sheet told by its four corners alone is wider, for its depth, than was told; 0 where that
    may be chance.

    lens  as it was known before the plane was fitted; one that nobody measured has its axis about the picture's middle
    """
    corners = seen.only(set(seen.groups) - seen.loose)
    if len(corners) != 4:
        return 0.0
    root, numbers = square_root(lens.covariance), len(lens.parameters)
    middle_mm = corners.table_mm.mean(axis=0)
    stretched = (corners.table_mm - middle_mm) * [0.5, -0.5]
    by_place, by_camera = plane.pose.place_jacobian(plane.lens, corners.table_mm, 0.0)
    by_shape = by_place[:, :, :2] @ stretched[:, :, None]
    off_px = (plane.to_image(corners.table_mm) - corners.image_px)[:, :, None]
    by_all = (by_camera[:, :, :numbers] @ root, by_camera[:, :, numbers:], by_shape)
    told = corners.in_sigmas(np.concatenate([off_px, *by_all], axis=2))
    # How it bends may be told by straight sides, and is no news of the shape.
    strayed = np.r_[(plane.lens.parameters - lens.parameters)[:4], np.zeros(numbers - 4)]
    white = np.linalg.lstsq(root, strayed)[0]
    known = np.pad(np.column_stack([white, np.eye(len(white))]), ((0, 0), (0, told.shape[1] - 1 - len(white))))
    off, by = np.split(np.vstack([told, known]), [1], axis=1)
    covariance = inverse(by.T @ by)
    share = -float((covariance @ by.T @ off)[-1, 0])
    return share if abs(share) > _CHANCE_Z * np.sqrt(covariance[-1, -1]) else 0.0


def clicked_shape(seen: Correspondences, plane: TablePlane, lens: Lens) -> TablePlane:
    """The plane with the error of a told size that four clicked corners contradict, through a lens that nobody
    measured: another focal length and axis explain most of it, so that the picture hardly shows it (as with a sheet).

    Through a measured one what the corners leave tells of it (`calibration.doubt.mistakes`).
    lens  as it was known before the plane was fitted
    """
    near_left, far_right = seen.table_mm.min(axis=0, initial=np.inf), seen.table_mm.max(axis=0, initial=-np.inf)
    in_corners = ((seen.table_mm == near_left) | (seen.table_mm == far_right)).all()
    if lens.known or len(seen) != 4 or not (seen.is_single.all() and in_corners) or seen.loose:
        return plane
    width, depth = (far_right - near_left).tolist()
    table = Sheet(None, (width, depth), (float(near_left[0]), float(near_left[1])))
    return in_doubt(plane, table, shape_seen(seen, plane, lens), what="the clicked corners show it to be")


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


def _in_words(sheet: Sheet, off_shape: float, what: str) -> str:
    width, depth = sheet.size_mm
    shown, worst_mm = width / depth * np.exp(off_shape), abs(off_shape) * max(width, depth)
    what = what or ("the sheet shows to be" if sheet.image is None else "the sheet's picture is")
    return (
        f"{what} {shown:.3f} times as wide as deep, {width:g} x {depth:g} mm are {width / depth:.3f} times: one side "
        f"may be told {worst_mm:.1f} mm wrong, and the table is as far off; measure both sides again"
    )
