"""Pictures of a camera that switches to another size, at the size that the table was measured in."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.frame import ImageBgr

Size = tuple[int, int]


def same_size(image_bgr: ImageBgr, size_px: Size) -> ImageBgr:
    """The picture at `size_px` (width, height): scaled as a whole, its middle in the middle, black beside it.

    So a camera that shows fewer pixels of the same view, or leaves out its sides, shows every place where it was. One
    that lies on its side is turned back, or else upside down, which is told and measured (`vision.tripod.stand`).
    """
    height, width = image_bgr.shape[:2]
    if (width, height) == size_px:
        return image_bgr
    if (height, width) == size_px:
        return cast(ImageBgr, cv2.rotate(image_bgr, cv2.ROTATE_90_COUNTERCLOCKWISE))
    (inner, rows, columns), whole = _inside((width, height), size_px), np.zeros((size_px[1], size_px[0], 3), np.uint8)
    whole[rows, columns] = _scaled(image_bgr, inner)
    return whole


def as_shown_by(image_bgr: ImageBgr, camera_px: Size) -> ImageBgr:
    """The same view as `same_size` would show it from a camera of another size: as coarse, and black beside it."""
    height, width = image_bgr.shape[:2]
    if camera_px in ((width, height), (height, width)):
        return image_bgr
    inner, rows, columns = _inside(camera_px, (width, height))
    whole = np.zeros_like(image_bgr)
    whole[rows, columns] = _scaled(_scaled(image_bgr[rows, columns], camera_px), inner)
    return whole


def _inside(camera_px: Size, size_px: Size) -> tuple[Size, slice, slice]:
    """The size of the scaled picture, and its rows and columns in the whole."""
    factor = min(size_px[0] / camera_px[0], size_px[1] / camera_px[1])
    width, height = (round(side * factor) for side in camera_px)
    left, top = (size_px[0] - width) // 2, (size_px[1] - height) // 2
    return (width, height), slice(top, top + height), slice(left, left + width)


def _scaled(image_bgr: ImageBgr, size_px: Size) -> ImageBgr:
    shrinks = size_px[0] < image_bgr.shape[1]
    way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return cast(ImageBgr, cv2.resize(image_bgr, size_px, interpolation=way))
