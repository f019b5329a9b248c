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
# A side's middle shows as a top face would this far from where it is expected, and the net is less warm about it than
# about the top face above it by this factor (rendered tables: sides 0.53 to 0.83 as warm as their tops, 1 to 4 mm off).
_SIDE_MM, _COOLER = 4.5, 0.9
# The sides that a camera may see face it to within so much (cosine), where it looks so slanted that a die's top shows
# this far from where it stands, mm (70 degrees above the table).
_FACING, _SLANTED_MM = 0.6, 6.0
_AROUND = np.arange(16) * (np.pi / 8)
_NORMALS = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])


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
    keep[keep] = ~_are_sides(plane, stands_mm[keep], peaks.heat[keep], np.array(names)[keep].tolist())
    sigma_mm = np.hypot(plane.sigma_mm(top_px[keep], height_mm=DIE_SIDE_MM), _DIE_SIGMA_MM)
    return [
        _die(stands_mm[index], top_px[index], names[index], float(chances[index]), float(sigma))
        for index, sigma in zip(np.flatnonzero(keep), sigma_mm, strict=True)
    ]


def _are_sides(plane: TablePlane, stands_mm: Array, heat: Array, names: list[str]) -> NDArray[np.bool_]:
    """(n,) whether what was read is a side of another: a warmer one above it, with pips that may lie beside these."""
    sides = np.zeros(len(names), bool)
    for above, (at_mm, warm) in enumerate(zip(stands_mm, heat, strict=True)):
        away = np.linalg.norm(stands_mm[:, None] - _side_middles(plane, at_mm), axis=2).min(axis=1, initial=np.inf)
        beside = np.array([name not in (names[above], str(7 - int(names[above]))) for name in names])
        sides |= (away < _SIDE_MM) & (heat < _COOLER * warm) & beside
    return sides


def _side_middles(plane: TablePlane, at_mm: Array) -> Array:
    """(m, 2) where a die would stand whose top face showed where the sides of a die at `at_mm` show that the camera
    sees."""
    toward = plane.to_table(plane.to_image([at_mm]), DIE_SIDE_MM)[0] - at_mm
    slant_mm = np.linalg.norm(toward)
    facing = (_NORMALS @ toward > _FACING * slant_mm) & (slant_mm > _SLANTED_MM)
    middles = at_mm + DIE_SIDE_MM / 2 * _NORMALS[facing]
    return np.asarray(plane.to_table(plane.to_image(middles, DIE_SIDE_MM / 2), DIE_SIDE_MM), float)


def _die(at_mm: Array, top_px: Array, name: str, chance: float, sigma_mm: float) -> Detection:
    footprint = Polygon(rectangle_corners(at_mm, 0.0, (DIE_SIDE_MM, DIE_SIDE_MM)))
    cls = name if chance >= _NAMED else UNKNOWN
    place = (float(at_mm[0]), float(at_mm[1]))
    return Detection(
        "die", cls, place, footprint, sigma_mm, chance, (float(top_px[0]), float(top_px[1])), height_mm=DIE_SIDE_MM
    )
