"""A picture that Qt paints on and numpy reads, without a copy between them."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage

from vision.frame import ImageBgr
from vision.stream.same_size import same_size

ImageBgra = NDArray[np.uint8]


class Canvas:
    """A QImage that owns its pixels, with `bgra` (h, w, 4) as a view of the same memory.

    The other way round, a QImage over a numpy buffer, makes PyQt6's QPainter paint into a hidden copy.
    """

    def __init__(self, size_px: tuple[int, int]) -> None:
        width, height = size_px
        self.image = QImage(width, height, QImage.Format.Format_RGB32)
        if self.image.isNull():
            raise ValueError(f"cannot hold a picture of {width} x {height} pixels")
        bits = self.image.bits()
        if bits is None:
            raise ValueError(f"cannot reach the pixels of a picture of {width} x {height}")
        bits.setsize(self.image.sizeInBytes())
        # 32-bit rows have no padding, so the view is (h, w, 4) as it stands.
        self.bgra: ImageBgra = np.frombuffer(cast(memoryview, bits), np.uint8).reshape(height, width, 4)

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height)."""
        return self.image.width(), self.image.height()

    def load(self, image_bgr: ImageBgr) -> None:
        """Copy a (h, w, 3) picture onto the canvas, as `same_size` fits one of a camera that has switched."""
        cv2.cvtColor(same_size(image_bgr, self.size_px), cv2.COLOR_BGR2BGRA, dst=self.bgra)

    def bgr(self) -> ImageBgr:
        """A (h, w, 3) copy of what is on the canvas."""
        return np.asarray(cv2.cvtColor(self.bgra, cv2.COLOR_BGRA2BGR), np.uint8)
