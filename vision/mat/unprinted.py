"""Pictures without the hexes that are printed on the table: nets take their lines for rims of coins, dots for dice.

A line or dot darkens what it is printed on by a share that is much the same all round: how much, and how far to either
side, the median of all that shows nearby tells. Where a stretch of a side looks so, it is divided by that share; where
a piece, a hand or a paper hides it, it does not look so, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from calibration.plane import TablePlane
from vision.detect.hex.hex_marks import InHexes, Near, near_centres, near_corners, near_sides
from vision.detect.hex.hexgrid import HexGrid
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

    What follows from these is reckoned once: most pictures are of the plane of the one before.
    """

    pixel: Indices
    stretch: Indices
    away: Floats
    group: Indices

    @classmethod
    def near(cls, pixel: Indices, at_mm: Floats, near: Near, table_mm: tuple[float, float]) -> Stretches:
        """The stretches near pixels (n,) at places (n, 2); `near` tells which marks these are and how far off."""
        keep = near.away_mm < _GROUND_MM[1]
        pixel, at_mm, away_mm, name = pixel[keep], at_mm[keep], near.away_mm[keep], near.name[keep]
        _, first, stretch = np.unique(name, return_index=True, return_inverse=True)
        part = np.minimum(at_mm[first] / np.array(table_mm) * _PARTS, np.array(_PARTS) - 1).astype(int)
        group = (near.sort[keep][first] * _PARTS[0] + part[:, 0]) * _PARTS[1] + part[:, 1]
        away = np.where(away_mm < _REACH_MM, away_mm / _REACH_MM * _BINS, _BINS)
        return cls(pixel, stretch.ravel(), away.astype(np.float32), group)

    @cached_property
    def alike(self) -> tuple[Indices, ...]:
        """The stretches of each group."""
        return tuple(np.flatnonzero(self.group == each) for each in np.unique(self.group))

    @cached_property
    def means(self) -> csr_array:
        """(stretches * (_BINS + 1), n): what makes the pixels' values the means of each step, the ground's the last."""
        row = self.stretch * (_BINS + 1) + self.away.astype(np.intp)
        number = np.bincount(row, minlength=len(self.group) * (_BINS + 1))
        shares = (1 / np.maximum(number, 1)).astype(np.float32)[row]
        return csr_array((shares, (row, np.arange(len(row)))), shape=(len(number), len(row)))

    @cached_property
    def is_empty(self) -> NDArray[np.bool_]:
        """(stretches * (_BINS + 1),) which steps no pixel shows."""
        return np.asarray(np.diff(self.means.indptr) == 0)

    @cached_property
    def between(self) -> tuple[Indices, Floats]:
        """(n,) of all stretches' steps the one whose middle is the last before each pixel's place, and (n, 1) how far
        it is to the next."""
        at = np.clip(self.away - 0.5, 0, _BINS - 1)
        low = np.minimum(at.astype(np.intp), _BINS - 2)
        return self.stretch * _BINS + low, (at - low).astype(np.float32)[:, None]


def stretches_of(
    grid: HexGrid, plane: TablePlane, size_px: tuple[int, int], table_mm: tuple[float, float]
) -> tuple[Stretches, ...]:
    """Those of a grid's sides, corners and centres in pictures of (width, height)."""
    at_mm = _table_mm(plane, size_px)
    pixel = np.flatnonzero(((at_mm >= 0) & (at_mm <= np.array(table_mm, np.float32))).all(axis=1))
    at_mm = at_mm[pixel]
    points = InHexes.of(grid, at_mm.astype(float))
    off_mm, reach_mm = grid.pitch_mm * np.abs(points.off), _GROUND_MM[1]

    def near(mark: Callable[[InHexes], Near], of_those: NDArray[np.bool_]) -> Stretches:
        """Those of one sort of marks, to which no other points are near enough."""
        return Stretches.near(pixel[of_those], at_mm[of_those], mark(points.of_those(of_those)), table_mm)

    return (
        near(partial(near_sides, stretch_mm=_STRETCH_MM), off_mm > grid.pitch_mm / 2 - reach_mm),
        near(near_corners, off_mm > grid.pitch_mm / np.sqrt(3) - reach_mm),
        near(near_centres, off_mm < reach_mm),
    )


def unprinted(image_bgr: ImageBgr, stretches: Stretches) -> ImageBgr:
    """The picture with the marks taken off where they show."""
    seen = image_bgr.reshape(-1, 3).take(stretches.pixel, axis=0).astype(np.float32)
    means = np.asarray(stretches.means @ seen, np.float32)
    means[stretches.is_empty] = np.nan
    steps = means.reshape(-1, _BINS + 1, 3)
    profile = np.asarray(steps[:, :_BINS] / np.maximum(steps[:, _BINS:], 1.0), np.float32)
    usual = _usual(profile, stretches.alike)
    shows = _shows(profile, usual)
    asked = np.flatnonzero((stretches.away < _BINS) & shows[stretches.stretch])
    lit = np.minimum(seen.take(asked, axis=0) / _taken(usual, stretches, asked), 255.0)
    bare = image_bgr.copy()
    bare.reshape(-1, 3)[stretches.pixel.take(asked)] = np.rint(lit).astype(np.uint8)
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


def _usual(profile: Floats, alike: tuple[Indices, ...]) -> Floats:
    """(stretches, _BINS, 3) the median profile of those that look alike; 1 where there are too few."""
    usual = np.ones_like(profile)
    for of_it in alike:
        if len(of_it) >= _FEWEST:
            usual[of_it] = np.nan_to_num(_median(profile[of_it]), nan=1.0)
    return np.maximum(usual, 0.05)


def _median(values: Floats) -> Floats:
    """That of the first axis, of those that are numbers: numpy's takes twenty times as long where some are none."""
    in_order, count = np.sort(values, axis=0), np.isfinite(values).sum(axis=0, keepdims=True)
    middle = [np.take_along_axis(in_order, np.maximum(at, 0), axis=0)[0] for at in ((count - 1) // 2, count // 2)]
    return np.asarray((middle[0] + middle[1]) / 2, np.float32)


def _shows(profile: Floats, usual: Floats) -> NDArray[np.bool_]:
    """(stretches,) whether the line shows there as it usually does."""
    depth = (1 - usual).max(axis=(1, 2))
    off = np.nan_to_num(np.abs(profile - usual).mean(axis=2), nan=0.0).max(axis=1)
    return np.asarray((depth > _LEAST_DEPTH) & (off < np.minimum(_SAME, _SAME_SHARE * depth)))


def _taken(usual: Floats, stretches: Stretches, asked: Indices) -> Floats:
    """(n, 3) the usual share of light at the pixels asked for, on straight lines between the steps' middles."""
    step, part = stretches.between
    before = step.take(asked)
    steps = usual.reshape(-1, 3)
    low, high = steps.take(before, axis=0), steps.take(before + 1, axis=0)
    return np.asarray(low + part.take(asked, axis=0) * (high - low), np.float32)
