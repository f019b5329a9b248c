"""The metric top view: the picture resampled to a fixed scale in a plane parallel to the table, whatever the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.remap import Remap

Array = NDArray[np.float64]

# The longest side of a top view; a table that needs more is shown more coarsely.
_LONGEST_PX = 3200


@dataclass(frozen=True, eq=False)
class TopView:
    """Where each pixel of a top view lies on the table. Built once for a plane, used for every frame.

    origin_mm   table position of the middle of pixel (0, 0): the far left corner; rows run towards the near edge
    px_per_mm   scale
    height_mm   height of the plane shown
    size_px     (width, height)
    remap       where each pixel lies in the picture
    table_mm    (width, depth) of the table, without the margin
    """

    origin_mm: tuple[float, float]
    px_per_mm: float
    height_mm: float
    size_px: tuple[int, int]
    remap: Remap
    table_mm: tuple[float, float]

    @classmethod
    def of_table(
        cls,
        plane: TablePlane,
        table_size_mm: tuple[float, float],
        px_per_mm: float,
        height_mm: float,
        margin_mm: float,
        multiple_px: int = 1,
    ) -> TopView:
        """The whole table with a margin, its sides padded to multiples of `multiple_px` for a net that needs them."""
        extent = np.asarray(table_size_mm, float) + 2 * margin_mm
        px_per_mm = min(px_per_mm, _LONGEST_PX / extent.max())
        width, height = (int(-(-side * px_per_mm // multiple_px)) * multiple_px for side in extent)
        origin = (-margin_mm, table_size_mm[1] + margin_mm)
        remap = Remap.of(plane, lambda px: px * (1, -1) / px_per_mm + origin, height_mm, (width, height))
        return cls(origin, px_per_mm, height_mm, (width, height), remap, table_size_mm)

    def grown(self, plane: TablePlane, by_px: int) -> TopView:
        """The same view with so many pixels more on every side."""
        left, far = self.origin_mm
        origin = (left - by_px / self.px_per_mm, far + by_px / self.px_per_mm)
        size_px = (self.size_px[0] + 2 * by_px, self.size_px[1] + 2 * by_px)
        remap = Remap.of(plane, lambda px: px * (1, -1) / self.px_per_mm + origin, self.height_mm, size_px)
        return replace(self, origin_mm=origin, size_px=size_px, remap=remap)

    @cached_property
    def halved(self) -> TopView:
        """The same table at half the scale: every second pixel of every second row, as `cv2.pyrDown` keeps them."""
        width, height = self.size_px
        size_px = ((width + 1) // 2, (height + 1) // 2)
        return replace(self, px_per_mm=self.px_per_mm / 2, size_px=size_px, remap=self.remap.halved)

    def resample(self, image_bgr: ImageBgr) -> ImageBgr:
        """The picture seen from above: (height, width, 3); black where the picture does not reach."""
        return self.remap.view_of(image_bgr)

    def to_table(self, px: Array) -> Array:
        """(n, 2) px of the top view to mm on the table's grid."""
        return np.asarray(np.asarray(px, float) * (1, -1) / self.px_per_mm + self.origin_mm, float)

    def to_px(self, mm: Array) -> Array:
        """(n, 2) mm on the table's grid to px of the top view: the way back of `to_table`."""
        return np.asarray((np.asarray(mm, float) - self.origin_mm) * (1, -1) * self.px_per_mm, float)
