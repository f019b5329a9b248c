"""Pictures without the hexes that are printed on the table: nets take their lines for rims of coins, dots for dice.

A line or dot darkens what it is printed on by a share that is much the same all round: how much, and how far to either
side, the median of all that shows nearby tells. Where a stretch of a side looks so, it is divided by that share; where
a piece, a hand or a paper hides it, it does not look so, and nothing is changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detect.hex_marks import Near, near_centres, near_corners, near_sides
from vision.detect.hexgrid import HexGrid
from vision.frame import ImageBgr

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Indices = NDArray[np.intp]

# Where the picture's pixels lie on the table is reckoned every so many, and between them on straight lines.
_STEP_PX = 8
# How far from a side a line may darken: 0.8 mm of a broad one, and the blur of a far pixel; the ground beside it.
_REACH_MM, _GROUND_MM = 2.8, (2.8, 4.6)
# The profile of a line is told at so many distances; each side is cut into so many stretches of some 2.5 mm.
_BINS, _STRETCH_MM = 7, 2.5
# Marks of a sort look alike in each of so many parts of the table, columns and rows.
_PARTS = (3, 2)
# A line that darkens less is left; a stretch is one where its profile differs from the usual nowhere by more than this,
# or than so large a share of how much the line darkens.
_LEAST_DEPTH, _SAME, _SAME_SHARE = 0.05, 0.14, 0.5
# From so many stretches on they tell what is usual.
_FEWEST = 12


@dataclass(frozen=True, eq=False)
class Stretches:
    """The pixels near what a grid may draw, as one plane and one size of picture show them.

    pixel    (n,) index into the picture's pixels, row after row
    stretch  (n,) which stretch of a side, or which corner or centre
    away     (n,) distance from it in steps of the profile; those from `_BINS` on show the ground
    group    (stretches,) number of the group whose marks are printed alike
    """

    pixel: Indices
    stretch: Indices
    away: Floats
    group: Indices

    @classmethod
    def near(cls, pixel: Indices, at_mm: Floats, near: Near, table_mm: tuple[float, float]) -> Stretches:
        """Those of marks that lie as `near` tells of the pixels' places (n, 2) on the table."""
        keep = near.away_mm < _GROUND_MM[1]
        pixel, at_mm, away_mm, name = pixel[keep], at_mm[keep], near.away_mm[keep], near.name[keep]
        _, first, stretch = np.unique(name, return_index=True, return_inverse=True)
        part = np.minimum(at_mm[first] / np.array(table_mm) * _PARTS, np.array(_PARTS) - 1).astype(int)
        group = (near.sort[keep][first] * _PARTS[0] + part[:, 0]) * _PARTS[1] + part[:, 1]
        away = np.where(away_mm < _REACH_MM, away_mm / _REACH_MM * _BINS, _BINS)
        return cls(pixel, stretch.ravel(), away.astype(np.float32), group)


def stretches_of(
    grid: HexGrid, plane: TablePlane, size_px: tuple[int, int], table_mm: tuple[float, float]
) -> tuple[Stretches, ...]:
    """Those of a grid's sides, corners and centres in pictures of (width, height)."""
    at_mm = _table_mm(plane, size_px)
    pixel = np.flatnonzero(((at_mm >= 0) & (at_mm <= np.array(table_mm, np.float32))).all(axis=1))
    at_mm = at_mm[pixel]
    places = at_mm.astype(float)
    marks = near_sides(grid, places, _STRETCH_MM), near_corners(grid, places), near_centres(grid, places)
    return tuple(Stretches.near(pixel, at_mm, each, table_mm) for each in marks)


def unprinted(image_bgr: ImageBgr, stretches: Stretches) -> ImageBgr:
    """The picture with the marks taken off where they show."""
    seen = image_bgr.reshape(-1, 3)[stretches.pixel].astype(np.float32)
    step, count = stretches.away.astype(int), len(stretches.group)
    is_line = step < _BINS
    ground = np.maximum(_means(seen[~is_line], stretches.stretch[~is_line], count), 1.0)
    share = np.asarray(seen / ground[stretches.stretch], np.float32)
    cell = stretches.stretch * _BINS + np.minimum(step, _BINS - 1)
    profile = _means(share[is_line], cell[is_line], count * _BINS).reshape(count, _BINS, 3)
    usual = _usual(profile, stretches.group)
    shows = _shows(profile, usual)
    asked = np.flatnonzero(is_line & shows[stretches.stretch])
    taken = _at(usual[stretches.stretch[asked]], stretches.away[asked])
    bare = image_bgr.copy()
    bare.reshape(-1, 3)[stretches.pixel[asked]] = np.clip(np.rint(seen[asked] / taken), 0, 255)
    return bare


def _table_mm(plane: TablePlane, size_px: tuple[int, int]) -> Floats:
    """(width * height, 2) where the picture's pixels lie on the table."""
    width, height = size_px
    u, v = np.meshgrid(np.arange(0, width + _STEP_PX, _STEP_PX), np.arange(0, height + _STEP_PX, _STEP_PX))
    coarse = plane.to_table(np.column_stack([u.ravel(), v.ravel()]).astype(float), 0.0)
    maps = coarse.reshape(*u.shape, 2).astype(np.float32)
    at_u, at_v = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    fine = cv2.remap(maps, at_u / _STEP_PX, at_v / _STEP_PX, cv2.INTER_LINEAR)
    return np.asarray(fine.reshape(-1, 2), np.float32)


def _means(values: Floats, index: Indices, count: int) -> Floats:
    """(count, 3) the means of values (n, 3) by their index (n,); not a number where there are none."""
    number = np.bincount(index, minlength=count).astype(np.float32)
    sums = np.stack([np.bincount(index, values[:, channel], count) for channel in range(3)], axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.where(number > 0, number, np.nan)[:, None], np.float32)


def _usual(profile: Floats, group: Indices) -> Floats:
    """(stretches, _BINS, 3) the median profile of those that look alike; 1 where there are too few."""
    usual = np.ones_like(profile)
    for each in np.unique(group):
        of_it = np.flatnonzero(group == each)
        if len(of_it) >= _FEWEST:
            with np.errstate(all="ignore"):
                usual[of_it] = np.nan_to_num(np.nanmedian(profile[of_it], axis=0), nan=1.0)
    return np.maximum(usual, 0.05)


def _shows(profile: Floats, usual: Floats) -> NDArray[np.bool_]:
    """(stretches,) whether the line shows there as it usually does."""
    depth = (1 - usual).max(axis=(1, 2))
    off = np.nan_to_num(np.abs(profile - usual).mean(axis=2), nan=0.0).max(axis=1)
    return np.asarray((depth > _LEAST_DEPTH) & (off < np.minimum(_SAME, _SAME_SHARE * depth)))


def _at(profile: Floats, away: Floats) -> Floats:
    """(n, 3) the profiles (n, _BINS, 3) at distances (n,) in steps, on straight lines between the steps' middles."""
    at = np.clip(away - 0.5, 0, _BINS - 1)
    low = np.minimum(at.astype(int), _BINS - 2)
    part = (at - low)[:, None]
    each = np.arange(len(away))
    return np.asarray((1 - part) * profile[each, low] + part * profile[each, low + 1], np.float32)
