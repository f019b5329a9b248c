"""The light on each coin, told by the ground about it.

Cheap lenses and windows colour one side of a table more than the other, by as much as one metal differs from another.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from vision.frame import ImageBgr
from vision.light import srgb

Array = NDArray[np.float64]

# The ground about a coin, in radii of its rim, and the parts all round that it is told in.
_GROUND, _PARTS = (1.15, 1.7), 8
# Below so much light, as a share of white, colour is noise.
_LEAST_LIGHT = 1e-3
# A table's ground is of one colour where the parts about its coins differ by no more than this from the middle of each
# (median of the coins; 0.005 to 0.04 on photographs of plain tables, 0.07 and more on print and in heaps), and most
# coins' grounds from each other's: logarithms of red and of blue over green.
_PLAIN, _ALIKE, _MOST = 0.03, 0.12, 0.8
# Of one coin, beyond which a neighbour or something else shows there.
_PLAIN_THERE, _ALIKE_THERE = 0.05, 0.15
# Fewer grounds tell nothing of what the table's is.
_FEW = 3


def in_one_light(tints: Array, crops: ImageBgr) -> Array:
    """Tints (n, 4) (`vision.naming.metal.tints_of`) as the light on the middle of the coins would show them, where
    ground of one colour tells how the light differs; those that were changed have 1 in the last column.

    crops  (n, CROP_PX, CROP_PX, 3) of the same coins, the ground about each in their corners
    """
    if len(tints) < _FEW:
        return tints
    parts = _grounds(crops)
    there = np.median(parts, axis=1)
    uneven = np.median(np.abs(parts - there[:, None]), axis=1).max(axis=1)
    off = there - np.median(there, axis=0)
    apart = np.abs(off).max(axis=1)
    if np.median(uneven) > _PLAIN or np.quantile(apart, _MOST) > _ALIKE:
        return tints
    told = (uneven < _PLAIN_THERE) & (apart < _ALIKE_THERE)
    lit = tints.copy()
    lit[told, :2] -= off[told]
    lit[told, 3] = 1
    return lit


def _grounds(crops: ImageBgr) -> Array:
    """(n, 8, 2) logarithms of red and of blue over green of the ground about each coin, in parts all round."""
    logs = _LOGS[crops.reshape(len(crops), CROP_PX**2, 3)[:, _ground_px()]]
    ratios = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=1)
    return np.stack([_medians(ratios[..., part]) for part in _parts()], axis=1)


def _medians(values: Array) -> Array:
    """(...) of the last axis of (..., k): sorting the whole of so few is twice as fast as `np.median`'s search."""
    in_order, count = np.sort(values, axis=-1), values.shape[-1]
    return np.asarray((in_order[..., (count - 1) // 2] + in_order[..., count // 2]) / 2, float)


@cache
def _ground_px() -> NDArray[np.intp]:
    """Places of the ground in a flat crop."""
    radius = np.hypot(*_from_middle()) / (CROP_PX / 2 * RIM_SHARE)
    return np.flatnonzero((radius > _GROUND[0]) & (radius < _GROUND[1]))


@cache
def _parts() -> tuple[NDArray[np.intp], ...]:
    """Which of these places are in each part."""
    rows, columns = _from_middle()
    angle = np.arctan2(rows, columns).ravel()[_ground_px()]
    part = ((angle / (2 * np.pi) + 0.5) * _PARTS).astype(int) % _PARTS
    return tuple(np.flatnonzero(part == number) for number in range(_PARTS))


def _from_middle() -> Array:
    """(2, CROP_PX, CROP_PX) px from the middle of a crop."""
    return np.asarray(np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2, float)


_LOGS = np.log(np.maximum(srgb.light(np.arange(256.0)), _LEAST_LIGHT))
