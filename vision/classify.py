"""What a coin looks like: crops of its top face, and what the classifier says of class, face and owner."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import CROP_PX, RIM_SHARE
from models.loading import load_model
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# A crop is sampled up to so many times finer than it is kept, so that a near camera's picture does not alias.
_FINEST = 4


@dataclass(frozen=True, eq=False)
class Looks:
    """What n crops look like, as log probabilities.

    classes  (n, 24) in the order of `models.coins.CLASSES`, then 'not a coin'; blind to the coin's size
    faces    (n, 2) heads, tails
    owners   (n, 11) in the order of `models.coins.OWNERS`
    """

    classes: Array
    faces: Array
    owners: Array


def classify(crops: ImageBgr) -> Looks:
    """Log probabilities for crops (n, CROP_PX, CROP_PX, 3)."""
    session = load_model("coin_classifier")
    picture = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
    if not len(picture):
        return Looks(*(np.zeros((0, output.shape[1])) for output in session.get_outputs()))
    return Looks(*(_log_softmax(logits) for logits in session.run(None, {"crops_bgr": picture})))


def crops_of(image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, radius_mm: Array, height_mm: Array) -> ImageBgr:
    """Squares (n, CROP_PX, CROP_PX, 3) about top faces at `height_mm` (n,), in the table's own directions."""
    count = len(centre_mm)
    if not count:
        return np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    half = (radius_mm / RIM_SHARE)[:, None, None]
    corners = centre_mm[:, None] + half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
    seen = plane.to_image(corners.reshape(-1, 2), np.repeat(height_mm, 4)).reshape(count, 4, 2)
    widest = np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1).max() / CROP_PX
    fine = int(np.clip(np.ceil(widest / 1.5), 1, _FINEST))
    at_px = _spread(seen, CROP_PX * fine)
    across, down = at_px[..., 0].copy(), at_px[..., 1].copy()
    cut = cv2.remap(image_bgr, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    crops = cut.reshape(count, CROP_PX * fine, CROP_PX * fine, 3)
    if fine > 1:
        crops = np.stack([cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA) for crop in crops])
    return np.asarray(crops, np.uint8)


def _spread(corners_px: Array, side: int) -> NDArray[np.float32]:
    """(n * side, side, 2) picture px of a grid between four corners each; a coin is small enough for straight lines."""
    share = ((np.arange(side) + 0.5) / side).astype(np.float32)
    right, down = share[None, None, :, None], share[None, :, None, None]
    left_top, right_top, right_low, left_low = (
        corners_px[:, None, None, index].astype(np.float32) for index in range(4)
    )
    upper = left_top + right * (right_top - left_top)
    lower = left_low + right * (right_low - left_low)
    return np.asarray(upper + down * (lower - upper), np.float32).reshape(-1, side, 2)


def _log_softmax(logits: NDArray[np.float32]) -> Array:
    shifted = logits.astype(float) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), float)
