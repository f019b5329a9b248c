"""Small rectangular patches of the table, cut straight from the picture at a fixed scale and turn."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]

_FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


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
    seen = plane.to_image(corners.reshape(-1, 2)).reshape(-1, 4, 2).astype(np.float32)
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    areas_px = np.abs(_areas(seen)) / (width * height)
    return np.stack(
        [
            _cut(image_bgr, corner, whole, _finer(area))
            for corner, area in zip(np.nan_to_num(seen, nan=-1e4), areas_px.tolist(), strict=True)
        ]
    )


def _areas(corners_px: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) signed areas of quadrangles (n, 4, 2): half the cross product of their diagonals."""
    one, other = corners_px[:, 2] - corners_px[:, 0], corners_px[:, 3] - corners_px[:, 1]
    return np.asarray((one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2, np.float32)


def _finer(area: float) -> int:
    """How many times as fine as asked for a patch is cut at first, where a pixel of it holds so much of the picture."""
    return min(max(math.ceil(math.sqrt(area) / 1.2), 1), 4) if math.isfinite(area) else 1


def _cut(
    image_bgr: ImageBgr, corners_px: NDArray[np.float32], whole_px: NDArray[np.float32], finer: int
) -> NDArray[np.uint8]:
    """One patch between its four corners, through a picture small enough not to alias."""
    size_px = int(whole_px[2, 0]), int(whole_px[2, 1])
    patch2px = cv2.getPerspectiveTransform(whole_px * finer - np.float32(0.5), corners_px)
    cut = cv2.warpPerspective(
        image_bgr, patch2px, (size_px[0] * finer, size_px[1] * finer), flags=_FLAGS, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut if finer == 1 else cv2.resize(cut, size_px, interpolation=cv2.INTER_AREA), np.uint8)
