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
from vision.metric.sampling import colours_at
from vision.rows import Rows

Array = NDArray[np.float64]

# A crop is sampled up to so many times finer than it is kept, so that a near camera's picture does not alias.
_FINEST = 4


@dataclass(frozen=True, eq=False)
class Looks(Rows):
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
    across, down = _spread(seen, CROP_PX * fine)
    cut = colours_at(image_bgr, across, down)
    if fine > 1:
        cut = np.asarray(cv2.resize(cut, (CROP_PX, CROP_PX * count), interpolation=cv2.INTER_AREA), np.uint8)
    return cut.reshape(count, CROP_PX, CROP_PX, 3)


def _spread(corners_px: Array, side: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Picture px, u and v (n * side, side), of a grid between four corners each (left top, right top, right low, left
    low); a coin is small enough for straight lines."""
    share = ((np.arange(side) + 0.5) / side).astype(np.float32)
    top, right, low, left = (corners_px[:, index].astype(np.float32)[:, :, None] for index in range(4))
    begin, end = top + share * (left - top), right + share * (low - right)
    at_px = begin[..., None] + share * (end - begin)[..., None]
    return at_px[:, 0].reshape(-1, side), at_px[:, 1].reshape(-1, side)


def _log_softmax(logits: NDArray[np.float32]) -> Array:
    shifted = logits.astype(float) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), float)
