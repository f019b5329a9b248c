"""Small rectangular patches of the table, cut straight from the picture at a fixed scale and turn."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]


def patches(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    turn_rad: Array,
    size_px: tuple[int, int],
    px_per_mm: float,
) -> NDArray[np.uint8]:
    """(n, height, width, 3) patches about `centre_mm` (n, 2) on the table plane.

    turn_rad  (n,) table angle of each patch's x axis, counter-clockwise; its y axis points 90 degrees clockwise of it
    size_px   (width, height)
    """
    width, height = size_px
    if not len(centre_mm):
        return np.zeros((0, height, width, 3), np.uint8)
    across = (np.array([(0, 0), (width, 0), (width, height), (0, height)]) - (width / 2, height / 2)) / px_per_mm
    right = np.stack([np.cos(turn_rad), np.sin(turn_rad)], axis=1)
    down = np.stack([right[:, 1], -right[:, 0]], axis=1)
    corners = centre_mm[:, None] + across[None, :, :1] * right[:, None] + across[None, :, 1:] * down[:, None]
    seen = plane.to_image(corners.reshape(-1, 2)).reshape(-1, 4, 2)
    return np.stack([_cut(image_bgr, corner, size_px) for corner in seen.astype(np.float32)])


def _cut(image_bgr: ImageBgr, corners_px: NDArray[np.float32], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """One patch between its four corners, through a picture small enough not to alias."""
    width, height = size_px
    scale = float(np.sqrt(cv2.contourArea(corners_px) / (width * height)))
    finer = int(np.clip(np.ceil(scale / 1.2), 1, 4)) if np.isfinite(scale) else 1
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) * finer - 0.5
    patch2px = cv2.getPerspectiveTransform(target, np.nan_to_num(corners_px, nan=-1e4))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpPerspective(
        image_bgr, patch2px, (width * finer, height * finer), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut if finer == 1 else cv2.resize(cut, size_px, interpolation=cv2.INTER_AREA), np.uint8)
