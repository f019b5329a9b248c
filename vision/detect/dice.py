"""Dice: proposed by the pieces net, read by their top face."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from models.pieces import DIE, DIE_CROP_PX, DIE_CROP_PX_PER_MM, DIE_SIDE_MM
from rules.scene import UNKNOWN
from vision.detect.pieces import Peaks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.patch import patches
from vision.read import read_dice
from vision.rectangle import rectangle_corners

Array = NDArray[np.float64]

# A die is named when its reading is at least this likely.
_NAMED = 0.8
# The net points at a top face to within about a quarter of a cell (0.5 mm); the side of a die varies by a millimetre,
# which at 45 degrees shifts its top by as much.
_DIE_SIGMA_MM = 0.8


def find_dice(image_bgr: ImageBgr, plane: TablePlane, found: dict[int, Peaks]) -> list[Detection]:
    """Every die, where it stands, named by its top face."""
    peaks = found[DIE]
    crops = patches(
        image_bgr, plane, peaks.at_mm, np.zeros(len(peaks.at_mm)), (DIE_CROP_PX, DIE_CROP_PX), DIE_CROP_PX_PER_MM
    )
    names, chances = read_dice(crops)
    top_px = plane.to_image(peaks.at_mm)
    stands_mm = plane.to_table(top_px, DIE_SIDE_MM)
    keep = np.isfinite(stands_mm).all(axis=1) & (np.array(names, dtype=str) != "none")
    sigma_mm = np.hypot(plane.sigma_mm(top_px[keep], height_mm=DIE_SIDE_MM), _DIE_SIGMA_MM)
    return [
        _die(stands_mm[index], top_px[index], names[index], float(chances[index]), float(sigma))
        for index, sigma in zip(np.flatnonzero(keep), sigma_mm, strict=True)
    ]


def _die(at_mm: Array, top_px: Array, name: str, chance: float, sigma_mm: float) -> Detection:
    footprint = Polygon(rectangle_corners(at_mm, 0.0, (DIE_SIDE_MM, DIE_SIDE_MM)))
    cls = name if chance >= _NAMED else UNKNOWN
    place = (float(at_mm[0]), float(at_mm[1]))
    return Detection(
        "die", cls, place, footprint, sigma_mm, chance, (float(top_px[0]), float(top_px[1])), height_mm=DIE_SIDE_MM
    )
