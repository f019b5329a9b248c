"""The sides of a die below what is read as a one: pips there are a die's, and no head's, dot's or letter's."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import DIE_CROP_PX, DIE_CROP_PX_PER_MM, DIE_SIDE_MM
from vision.frame import ImageBgr
from vision.naming.read import read_dice

Array = NDArray[np.float64]

# A side is read at least so surely (a black die's that faces the camera to within 20 degrees: 0.99).
_SURE = 0.95
# The sides that a camera may see face it to within so much (cosine), where it looks so slanted that a die's top shows
# this far from where it stands, mm (70 degrees above the table).
_FACING, _SLANTED_MM = 0.6, 6.0
_AROUND = np.arange(16) * (np.pi / 8)
# The ways that a side may look, (16, 2).
NORMALS = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
_HALF_MM = DIE_CROP_PX / DIE_CROP_PX_PER_MM / 2
# Left and right, top and bottom of a crop, mm from a side's middle, and px of it.
_CORNERS_MM = _HALF_MM * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
_CORNERS_PX = (DIE_CROP_PX - 1) / 2 * (1 + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32))


def seen_sides(plane: TablePlane, stands_mm: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which of n dice, and which of `NORMALS`: each direction in which a side that the camera sees may look."""
    toward = plane.to_table(plane.to_image(stands_mm), DIE_SIDE_MM) - stands_mm
    slant_mm = np.linalg.norm(toward, axis=1)[:, None]
    above, side = np.nonzero((toward @ NORMALS.T > _FACING * slant_mm) & (slant_mm > _SLANTED_MM))
    return above, side


def side_chances(image_bgr: ImageBgr, plane: TablePlane, stands_mm: Array) -> Array:
    """(n,) for each die that shows a one, how surely pips are read on a side below it; 0 where none are.

    stands_mm  (n, 2) where dice of the usual size would stand
    """
    above, side = seen_sides(plane, stands_mm)
    found = np.zeros(len(stands_mm))
    if len(above):
        crops = [
            _cut(image_bgr, plane, at, towards) for at, towards in zip(stands_mm[above], NORMALS[side], strict=True)
        ]
        names, chances = read_dice(np.stack(crops))
        np.maximum.at(found, above, np.where(np.isin(names, ("2", "3", "4", "5")), chances, 0.0))
    return np.where(found >= _SURE, found, 0.0)


def _cut(image_bgr: ImageBgr, plane: TablePlane, stands_mm: Array, normal: Array) -> ImageBgr:
    """(DIE_CROP_PX, DIE_CROP_PX, 3) the upright side that looks along `normal` (2,), as one that faces it sees it."""
    right = np.array([-normal[1], normal[0]])
    across_mm = stands_mm + DIE_SIDE_MM / 2 * normal + _CORNERS_MM[:, :1] * right
    px = plane.to_image(across_mm, DIE_SIDE_MM / 2 + _CORNERS_MM[:, 1])
    crop2image = cv2.getPerspectiveTransform(_CORNERS_PX, px.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image_bgr, crop2image, (DIE_CROP_PX, DIE_CROP_PX), flags=flags), np.uint8)
