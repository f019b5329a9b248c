"""The metric top view: the picture resampled to a fixed scale in a plane parallel to the table, whatever the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# The maps are computed on every so many pixels and interpolated between: a lens bends less than 0.01 px over that.
_COARSE_PX = 16
# The longest side of a top view; a table that needs more is shown more coarsely.
_LONGEST_PX = 3200
# A picture with this many of its pixels to one of the top view is halved before, so that nothing aliases.
_HALVE_ABOVE = 1.4


@dataclass(frozen=True, eq=False)
class TopView:
    """Where each pixel of a top view lies in the picture. Built once for a plane, used for every frame.

    origin_mm   table position of the middle of pixel (0, 0): the far left corner; rows run towards the near edge
    px_per_mm   scale
    height_mm   height of the plane shown
    size_px     (width, height)
    halvings    how often the picture is halved before it is resampled
    """

    origin_mm: tuple[float, float]
    px_per_mm: float
    height_mm: float
    size_px: tuple[int, int]
    halvings: int
    _map: tuple[NDArray[np.int16], NDArray[np.uint16]]

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
        at_px = _picture_px(plane, origin, px_per_mm, height_mm, (width, height))
        halvings = _halvings(at_px)
        times = 0.5**halvings
        return cls(
            origin, px_per_mm, height_mm, (width, height), halvings, _fixed_point(at_px * times + (times - 1) / 2)
        )

    @cached_property
    def halved(self) -> TopView:
        """The same table at half the scale: every second pixel of every second row, as `cv2.pyrDown` keeps them."""
        width, height = self.size_px
        size_px = ((width + 1) // 2, (height + 1) // 2)
        halved = (self._map[0][::2, ::2], self._map[1][::2, ::2])
        return replace(self, px_per_mm=self.px_per_mm / 2, size_px=size_px, _map=halved)

    def resample(self, image_bgr: ImageBgr) -> ImageBgr:
        """The picture seen from above: (height, width, 3); black where the picture does not reach."""
        for _ in range(self.halvings):
            image_bgr = np.asarray(cv2.resize(image_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.remap(image_bgr, *self._map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)

    def to_table(self, px: Array) -> Array:
        """(n, 2) px of the top view to mm on the table's grid."""
        return np.asarray(np.asarray(px, float) * (1, -1) / self.px_per_mm + self.origin_mm, float)

    def to_px(self, mm: Array) -> Array:
        """(n, 2) mm on the table's grid to px of the top view: the way back of `to_table`."""
        return np.asarray((np.asarray(mm, float) - self.origin_mm) * (1, -1) * self.px_per_mm, float)


def _picture_px(
    plane: TablePlane, origin_mm: tuple[float, float], px_per_mm: float, height_mm: float, size_px: tuple[int, int]
) -> NDArray[np.float32]:
    """(height, width, 2) where each pixel of the top view lies in the picture."""
    columns, rows = ((np.arange(side // _COARSE_PX + 4) - 1) * _COARSE_PX for side in size_px)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    table_mm = grid * (1, -1) / px_per_mm + origin_mm
    coarse = plane.to_image(table_mm, height_mm).reshape(len(rows), len(columns), 2)
    across, down = _between(size_px[0], len(columns)), _between(size_px[1], len(rows))
    fine = np.stack([down @ np.nan_to_num(coarse[..., axis], nan=-1e4) @ across.T for axis in (0, 1)], axis=-1)
    return np.asarray(fine, np.float32)


def _between(count: int, samples: int) -> Array:
    """(count, samples) weights of cubic convolution (Keys 1981, a = -1/2) between samples `_COARSE_PX` apart.

    Not cv2.remap or cv2.resize: both round places between samples to 1/32, and straight edges came out wavy by a pixel.
    """
    place = np.arange(count) / _COARSE_PX + 1
    away = np.abs(place[:, None] - np.arange(samples)[None])
    near = 1.5 * away**3 - 2.5 * away**2 + 1
    far = -0.5 * away**3 + 2.5 * away**2 - 4 * away + 2
    return np.where(away <= 1, near, np.where(away < 2, far, 0.0))


def _halvings(at_px: NDArray[np.float32]) -> int:
    """How often to halve the picture: by the median scale, so that neither near nor far edge suffers much."""
    step = np.linalg.norm(np.diff(at_px[::_COARSE_PX, ::_COARSE_PX], axis=1), axis=-1) / _COARSE_PX
    scale = float(np.median(step)) if step.size else 1.0
    return max(0, int(np.floor(np.log2(scale / _HALVE_ABOVE) + 0.5))) if scale > _HALVE_ABOVE else 0


def _fixed_point(at_px: NDArray[np.float32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    within = np.clip(at_px, -30000, 30000)
    whole, part = cv2.convertMaps(within[..., 0].copy(), within[..., 1].copy(), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)
