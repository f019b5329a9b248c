"""How a disc stands out from the ground around it: print does not, and a washer shows the ground through its hole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from vision.frame import ImageBgr

Array = NDArray[np.float64]

_RAYS = 48
# Where along a ray, in radii, the middle, the disc's border and the ground outside it are looked at.
_MIDDLE, _BORDER, _OUTSIDE = (0.08, 0.16, 0.24), (0.80, 0.85, 0.90), (1.12, 1.17, 1.22)
# A disc stands out as it does in all but its least clear quarter: one side may lie in shadow or on a neighbour.
_LEAST = 0.25
# Ground and disc differ by noise and by sharpening; print differs from the paper by more.
_STEP_FLOOR, _UNREST_FLOOR = 2.0, 3.0
# Through a hole the ground is seen: the middle differs from it by so small a share of what the border does, where that
# is told from noise at all. Of 1,900 coins in photographs made for training none is below 0.2 (two-metal coins).
_HOLE_SHARE, _LEAST_CONTRAST = 0.15, 20.0


@dataclass(frozen=True, eq=False)
class Surround:
    """What n discs look like beside what they lie on.

    clear    (n,) logarithm of how much border and ground differ over how much the ground differs from itself
    hollow   (n,) whether the ground shows in the middle
    """

    clear: Array
    hollow: NDArray[np.bool_]


def surround_of(crops: ImageBgr) -> Surround:
    """Of crops (n, CROP_PX, CROP_PX, 3), as `vision.classify.crops_of` cuts them."""
    middle, border, outside = (_along_rays(crops, shares) for shares in (_MIDDLE, _BORDER, _OUTSIDE))
    ground = np.median(outside, axis=1, keepdims=True)
    step = np.quantile(np.linalg.norm(border - outside, axis=-1), _LEAST, axis=1)
    unrest = np.median(np.linalg.norm(outside - ground, axis=-1), axis=1)
    contrast = np.linalg.norm(np.median(border, axis=1, keepdims=True) - ground, axis=-1)[:, 0]
    hole = np.linalg.norm(np.median(middle, axis=1, keepdims=True) - ground, axis=-1)[:, 0]
    return Surround(
        np.asarray(np.log((step + _STEP_FLOOR) / (unrest + _UNREST_FLOOR)), float),
        (contrast > _LEAST_CONTRAST) & (hole < _HOLE_SHARE * contrast),
    )


def _along_rays(crops: ImageBgr, shares: tuple[float, ...]) -> Array:
    """(n, rays, 3) mean colours along each ray at these shares of the radius."""
    angles = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    reach_px = np.asarray(shares)[:, None] * (CROP_PX / 2 * RIM_SHARE)
    columns, rows = (
        np.clip(np.rint((CROP_PX - 1) / 2 + reach_px * part).astype(int), 0, CROP_PX - 1)
        for part in (np.cos(angles), np.sin(angles))
    )
    return np.asarray(crops[:, rows, columns].mean(axis=1, dtype=float), float)
