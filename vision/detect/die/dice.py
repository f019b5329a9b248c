"""Dice: proposed by the pieces net, read by their top face."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from models.pieces import DIE, DIE_CROP_PX, DIE_CROP_PX_PER_MM, DIE_SIDE_MM
from rules.scene import UNKNOWN
from vision.detect.die.die_edges import DieForm, die_forms
from vision.detect.die.die_sides import NORMALS, seen_sides, side_chances
from vision.detect.die.round_ones import are_round
from vision.detect.pieces import Peaks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.patch import patches
from vision.naming.read import read_dice
from vision.shape.rectangle import rectangle_corners

Array = NDArray[np.float64]

# A die is named when its reading is at least this likely; dice drawn harder than any in life were right of that half
# of the readings that are told as 0.65 to 0.8 likely, and three quarters of those up to 0.9.
_NAMED = 0.85
# A reading less sure than this (that there is no die: than the second) is made again at eight turns: the quarters, and
# those of the die turned by an eighth.
_PAST_DOUBT, _NO_DIE, _ASLANT_RAD = 0.97, 0.7, 0.7
# A side's middle shows as a top face would this far from where it is expected, and the net is less warm about it than
# about the top face above it by this factor (rendered tables: sides 0.53 to 0.83 as warm as their tops, 1 to 4 mm off).
# One that lies so near to where the side is expected is it even if it is hardly cooler, or warmer but read in doubt.
_SIDE_MM, _COOLER, _NEARLY_MM = 4.5, 0.9, 2.0
# Where the net is cooler than this a doubtful reading is none, nor is a one: dots, letters and heads look like it.
_WARM = 0.45


def find_dice(image_bgr: ImageBgr, plane: TablePlane, found: dict[int, Peaks]) -> list[Detection]:
    """Every die, where it stands, named by its top face."""
    peaks = found[DIE]
    names, chances = _read(image_bgr, plane, peaks)
    top_px = plane.to_image(peaks.at_mm)
    stands_mm = plane.to_table(top_px, DIE_SIDE_MM)
    said = np.array(names, dtype=str)
    keep = np.isfinite(stands_mm).all(axis=1) & (said != "none") & ~_is_dot(said, peaks)
    keep &= (peaks.heat >= _WARM) | (chances >= _NAMED)
    tops = _tops_above(plane, stands_mm[keep], peaks.heat[keep], said[keep].tolist(), chances[keep])
    sided = np.isin(np.arange(len(tops)), tops)[tops < 0]
    keep[keep] = tops < 0
    ones = np.flatnonzero(keep)[(said[keep] == "1") & ~sided]
    sides = side_chances(image_bgr, plane, stands_mm[ones])
    # What a one may be besides is no die, which pips on its side rule out.
    chances[ones] = np.maximum(chances[ones], sides)
    sided |= np.isin(np.flatnonzero(keep), ones[sides > 0])
    forms = die_forms(image_bgr, plane, peaks.at_mm[keep])
    is_bead = (said[keep] == "1") & ~sided & np.array([form.is_hardly for form in forms], bool)
    is_bead[is_bead] = are_round(image_bgr, plane, top_px[keep][is_bead])
    return [
        _die(plane, form, top_px[index], names[index], float(chances[index]), sided=bool(has_side))
        for index, form, has_side, bead in zip(np.flatnonzero(keep), forms, sided, is_bead, strict=True)
        if not form.is_domino and not bead
    ]


def _read(image_bgr: ImageBgr, plane: TablePlane, peaks: Peaks) -> tuple[list[str], Array]:
    """What the pips of the top faces that show there say, and how surely."""
    crops = _crops(image_bgr, plane, peaks.at_mm, 0.0)
    names, chances = read_dice(crops)
    said = np.array(names, dtype=str)
    doubtful = np.flatnonzero((chances < np.where(said == "none", _NO_DIE, _PAST_DOUBT)) & ~_is_dot(said, peaks))
    aslant = _crops(image_bgr, plane, peaks.at_mm[doubtful], _ASLANT_RAD)
    turned = [np.rot90(each, quarter, (1, 2)) for each in (crops[doubtful], aslant) for quarter in range(4)]
    again, chances[doubtful] = read_dice(np.stack(turned, axis=1).reshape(-1, *crops.shape[1:]), each=len(turned))
    for index, name in zip(doubtful, again, strict=True):
        names[index] = name
    return names, chances


def _is_dot(said: NDArray[np.str_], peaks: Peaks) -> NDArray[np.bool_]:
    """(n,) what is read as a one and may be any dot."""
    return np.asarray((said == "1") & (peaks.heat < _WARM), bool)


def _crops(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, turn_rad: float) -> NDArray[np.uint8]:
    turns = np.full(len(at_mm), turn_rad)
    return patches(image_bgr, plane, at_mm, turns, (DIE_CROP_PX, DIE_CROP_PX), DIE_CROP_PX_PER_MM)


def _tops_above(plane: TablePlane, stands_mm: Array, heat: Array, names: list[str], chances: Array) -> NDArray[np.intp]:
    """(n,) of what was read as a die and is a side of another the number of that, a warmer one above it with pips that
    may lie beside these; -1 of others."""
    tops = np.full(len(names), -1)
    near = np.where(chances < _PAST_DOUBT, np.inf, 1.0)
    for above, (away, warm) in enumerate(zip(_away_from_sides(plane, stands_mm), heat, strict=True)):
        beside = np.array([name not in (names[above], str(7 - int(names[above]))) for name in names])
        tops[(away < _SIDE_MM) & (heat < np.where(away < _NEARLY_MM, near, _COOLER) * warm) & beside] = above
    return tops


def _away_from_sides(plane: TablePlane, stands_mm: Array) -> Array:
    """(n, n) how far from the nearest side of each die, which the camera sees, each other shows; inf if it sees none.

    A side shows where a die would stand whose top face showed in its place.
    """
    above, side = seen_sides(plane, stands_mm)
    middles = stands_mm[above] + DIE_SIDE_MM / 2 * NORMALS[side]
    shown = np.full((len(stands_mm), len(NORMALS), 2), np.inf)
    shown[above, side] = plane.to_table(plane.to_image(middles, DIE_SIDE_MM / 2), DIE_SIDE_MM)
    away = np.linalg.norm(stands_mm[:, None] - shown[:, None], axis=-1)
    return np.asarray(away.min(axis=2, initial=np.inf), float)


def _die(plane: TablePlane, form: DieForm, top_px: Array, name: str, chance: float, *, sided: bool) -> Detection:
    """A die whose top face shows about there: how far from it a die stands depends on its side."""
    size = form.size
    top_px = plane.to_image(plane.to_table([top_px]) + size.aside_mm)[0]
    at_mm = plane.to_table([top_px], size.side_mm)[0]
    of_top_mm = plane.sigma_mm([top_px], height_mm=size.side_mm, height_sigma_mm=size.height_sigma_mm)[0]
    return Detection(
        "die",
        name if chance >= _NAMED else UNKNOWN,
        (float(at_mm[0]), float(at_mm[1])),
        Polygon(rectangle_corners(at_mm, form.turn, (size.side_mm, size.side_mm))),
        float(np.hypot(of_top_mm, size.top_sigma_mm)),
        chance,
        (float(top_px[0]), float(top_px[1])),
        height_mm=size.side_mm,
        rotation_deg=float(np.degrees(form.turn)),
        sided=sided,
    )
