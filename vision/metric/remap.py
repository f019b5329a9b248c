"""Pictures resampled to a view of the table, whatever the camera: the map is worked out once, used for every frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# The maps are computed on every so many pixels and interpolated between: a lens bends less than 0.01 px over that.
_COARSE_PX = 16
# What each of four samples weighs at each place between the middle two: cubic convolution (Keys 1981, a = -1/2).
_AWAY = np.abs(np.arange(_COARSE_PX) / _COARSE_PX + 1 - np.arange(4)[:, None])
_NEAR, _FAR = 1.5 * _AWAY**3 - 2.5 * _AWAY**2 + 1, -0.5 * _AWAY**3 + 2.5 * _AWAY**2 - 4 * _AWAY + 2
_WEIGHTS = np.where(_AWAY <= 1, _NEAR, np.where(_AWAY < 2, _FAR, 0.0))
# A picture with this many of its pixels to one of the view is halved before, so that nothing aliases.
_HALVE_ABOVE = 1.4
# No more than so often: a view that would need more lies beside or behind the camera, and the picture would be gone.
_MOST_HALVINGS = 5


@dataclass(frozen=True, eq=False)
class Remap:
    """Where each pixel of a view lies in the picture.

    halvings  how often the picture is halved before it is resampled
    map_px    places in the halved picture in `cv2.remap`'s fixed point
    """

    halvings: int
    map_px: tuple[NDArray[np.int16], NDArray[np.uint16]]

    @classmethod
    def of(
        cls, plane: TablePlane, to_table: Callable[[Array], Array], height_mm: float, size_px: tuple[int, int]
    ) -> Remap:
        """For a view (width, height) whose pixels lie at `to_table` of them, `height_mm` above the table."""
        at_px = _picture_px(plane, to_table, height_mm, size_px)
        halvings = _halvings(at_px)
        times = 0.5**halvings
        return cls(halvings, _fixed_point(at_px * times + (times - 1) / 2 if halvings else at_px))

    @cached_property
    def halved(self) -> Remap:
        """For every second pixel of every second row of the view."""
        return replace(self, map_px=(self.map_px[0][::2, ::2], self.map_px[1][::2, ::2]))

    def shows(self, picture_px: tuple[int, int], step_px: int) -> NDArray[np.bool_]:
        """(h / step, w / step) whether the middle of each square of the view lies in a picture (width, height)."""
        at = self.map_px[0][(step_px - 1) // 2 :: step_px, (step_px - 1) // 2 :: step_px]
        return np.asarray(((at >= 0) & (at <= (np.array(picture_px) - 1) * 0.5**self.halvings)).all(axis=-1), bool)

    def view_of(self, image_bgr: ImageBgr) -> ImageBgr:
        """The view that this picture shows, (height, width, 3); black where the picture does not reach."""
        for _ in range(self.halvings):
            image_bgr = np.asarray(cv2.resize(image_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(
            cv2.remap(image_bgr, *self.map_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8
        )


def _picture_px(
    plane: TablePlane, to_table: Callable[[Array], Array], height_mm: float, size_px: tuple[int, int]
) -> NDArray[np.float32]:
    """(height, width, 2) where each pixel of the view lies in the picture."""
    columns, rows = ((np.arange(side // _COARSE_PX + 4) - 1) * _COARSE_PX for side in size_px)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(float)
    coarse = plane.to_image(to_table(grid), height_mm).reshape(len(rows), len(columns), 2)
    fine = np.empty((size_px[1], size_px[0], 2), np.float32)
    for axis in (0, 1):
        down = _between(np.nan_to_num(coarse[..., axis], nan=-1e4).T, size_px[1]).T
        fine[..., axis] = _between(down, size_px[0])
    return fine


def _between(samples: Array, count: int) -> Array:
    """(n, count) by cubic convolution between samples (n, k) `_COARSE_PX` apart, of which the first lies before 0.

    Not cv2.remap or cv2.resize: both round places between samples to 1/32, and straight edges came out wavy by a pixel.
    """
    four = np.ascontiguousarray(sliding_window_view(samples, 4, axis=1)).reshape(-1, 4)
    return np.asarray((four @ _WEIGHTS).reshape(len(samples), -1)[:, :count], float)


def _halvings(at_px: NDArray[np.float32]) -> int:
    """How often to halve the picture: by the median scale, so that neither near nor far edge suffers much."""
    step = np.hypot(*np.moveaxis(np.diff(at_px[::_COARSE_PX, ::_COARSE_PX], axis=1), -1, 0)) / _COARSE_PX
    scale = float(np.median(step)) if step.size else 1.0
    return min(_MOST_HALVINGS, int(np.floor(np.log2(scale / _HALVE_ABOVE) + 0.5))) if scale > _HALVE_ABOVE else 0


def _fixed_point(at_px: NDArray[np.float32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    within = np.clip(at_px, -30000, 30000)
    whole, part = cv2.convertMaps(within[..., 0].copy(), within[..., 1].copy(), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)
