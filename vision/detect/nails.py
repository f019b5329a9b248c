"""Nails and other sticks that one reading takes for a match: read again, each from a little aside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import STICK_CROP_PX, STICK_CROP_PX_PER_MM
from vision.frame import ImageBgr
from vision.patch import patches
from vision.read import read_sticks

Array = NDArray[np.float64]

# From how far ahead (mm), to the left (mm) and turned so (rad) each is read again, and in a mirror, too.
_ASIDE = np.array([(ahead, left, left * 0.04 / 0.7) for ahead in (-2.0, 2.0) for left in (-0.7, 0.7)])
# A match is one from everywhere, and its head lies at the same end each time: the mean log odds of a match, and this
# much of those of its end. Of 245 rendered matches (two makers) the least have 4.2 and 4.4; of 42 nails that were
# told as one, 17 have less than this.
_OF_HEAD, _ENOUGH = 0.5, 4.1
# No reader is surer than this that there is none, or one.
_LEAST = 1e-9


def are_matches(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> NDArray[np.bool_]:
    """(n,) whether the sticks, one a place (n, 2) in the table's plane and a turn (n,), are matches from aside, too."""
    reads = _read_from_aside(image_bgr, plane, at_mm, angle_rad)
    none = np.clip(np.exp(reads[..., 2]), _LEAST, 1 - _LEAST)
    match, ahead = np.log(1 / none - 1), reads[..., 0] - reads[..., 1]
    return np.asarray(match.mean(axis=1) + _OF_HEAD * np.abs(ahead.mean(axis=1)) >= _ENOUGH, bool)


def _read_from_aside(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> Array:
    """(n, 8, 3) what is read of each, as `vision.read.read_sticks` has it."""
    ahead = np.stack([np.cos(angle_rad), np.sin(angle_rad)], axis=1)[:, None]
    left = np.stack([-np.sin(angle_rad), np.cos(angle_rad)], axis=1)[:, None]
    seen_at = at_mm[:, None] + _ASIDE[:, :1] * ahead + _ASIDE[:, 1:2] * left
    turns = angle_rad[:, None] + _ASIDE[:, 2]
    crops = patches(image_bgr, plane, seen_at.reshape(-1, 2), turns.reshape(-1), STICK_CROP_PX, STICK_CROP_PX_PER_MM)
    both = np.stack([crops, crops[:, ::-1]], axis=1)
    return read_sticks(both.reshape(-1, *crops.shape[1:])).reshape(len(at_mm), 2 * len(_ASIDE), 3)
