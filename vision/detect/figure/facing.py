"""Which way a toy soldier faces, read off a crop around him by a net of its own."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models import directions
from models.loading import load_model
from models.solids import FACING_CROP_PX, FACING_FOOT_PX, facing_share
from vision.frame import ImageBgr
from vision.metric.upright import UprightView

Array = NDArray[np.float64]
Crops = NDArray[np.uint8]
Slants = NDArray[np.float32]
# Of a view, the slant there (n, 2), (n, 2) px of feet and (n,) radii of bases in px: what n soldiers say.
ReadFacing = Callable[[ImageBgr, Slants, Array, Array], Array]

# Each is shown a little smaller and a little larger than his size says: both together are surer (models/facing.md).
_SCALES = (0.87, 1 / 0.87)


def read_facing(seen: ImageBgr, slant: Slants, foot_px: Array, radius_px: Array) -> Array:
    """(n, COUNT) the chance of each direction, from the right by way of the camera. Each soldier is read as he shows
    and in the mirror, at two scales."""
    if not len(foot_px):
        return np.zeros((0, directions.COUNT))
    logits = np.mean([_both_ways(seen, slant, foot_px, facing_share(radius_px) * scale) for scale in _SCALES], axis=0)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), float)


def _both_ways(seen: ImageBgr, slant: Slants, foot_px: Array, share: Array) -> Array:
    """(n, COUNT) logits of what shows, and what shows in the mirror."""
    crops = np.stack([crop(seen, *of) for of in zip(foot_px, share, strict=True)])
    beyond = _said(crops[:, :, ::-1], slant * np.array((-1, 1), np.float32))
    return (_said(crops, slant) + directions.mirrored(beyond)) / 2


def _said(crops: Crops, slant: Slants) -> Array:
    """(n, COUNT) logits."""
    planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
    (logits,) = load_model("facing").run(None, {"crops": planes, "slant": np.ascontiguousarray(slant, np.float32)})
    return np.asarray(logits, float)


def told_deg(likely: Array, view: UprightView, is_gun: NDArray[np.bool_]) -> list[float | None]:
    """The direction that each of (n, COUNT) chances means, counter-clockwise from +x; None where doubtful, which guns
    (n,) are less."""
    rad, chance = directions.meant(likely)
    ahead = np.stack([np.cos(rad), np.sin(rad)], axis=1) @ view.axes
    angles = np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0])) % 360
    is_sure = chance >= np.where(is_gun, directions.SURE_OF_GUN, directions.SURE)
    return [float(deg) if sure else None for deg, sure in zip(angles, is_sure, strict=True)]


def crop(seen: ImageBgr, foot_px: Array, share: float) -> ImageBgr:
    """(h, w, 3) what the reader sees of who stands at `foot_px` (2,), `share` px to a px of the view; black beyond."""
    side = round(FACING_CROP_PX / share)
    first = np.rint(foot_px - (np.array(FACING_FOOT_PX) + 0.5) / share + 0.5).astype(int)
    low = np.maximum(first, 0)
    part = seen[low[1] : max(0, first[1] + side), low[0] : max(0, first[0] + side)]
    cut = np.zeros((side, side, 3), np.uint8)
    column, row = low - first
    cut[row : row + part.shape[0], column : column + part.shape[1]] = part
    small = (FACING_CROP_PX, FACING_CROP_PX)
    return np.asarray(cv2.resize(cut, small, interpolation=cv2.INTER_AREA), np.uint8)
