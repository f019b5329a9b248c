"""The table as the camera sees what stands on it: away from it is up, and nothing is drawn out along the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.remap import Remap
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Over a piece of the table so wide, by the camera's height, verticals lean by 13 degrees at most for a camera at 45.
_PIECE = 0.45
# What stands at a piece's edges is seen with so much around it.
_MARGIN_PX = 32


@dataclass(frozen=True, eq=False)
class UprightView:
    """A piece of the table at one scale across, as a far camera in the direction of this one would see it.

    plane      the table
    piece_mm   ((x, y), (x, y)) the near left and far right corner of the piece
    linear     (2, 2) px per mm on the table
    origin_px  (2,) where the table's origin lies
    px_per_mm  scale across, and of heights but for the slant
    size_px    (width, height)
    """

    plane: TablePlane
    piece_mm: Array
    linear: Array
    origin_px: Array
    px_per_mm: float
    size_px: tuple[int, int]

    @classmethod
    def of_piece(
        cls, plane: TablePlane, piece_mm: Array, px_per_mm: float, tall_mm: float, multiple_px: int
    ) -> UprightView:
        """The view of one piece and what stands on it up to that height, its sides multiples of `multiple_px`."""
        *foot_mm, high_mm = plane.camera_position_mm
        away = (piece_mm.mean(axis=0) - foot_mm) / high_mm
        cotangent = float(np.hypot(*away))
        ahead = away / cotangent if cotangent > 0 else np.array([0.0, 1.0])
        sine = 1 / np.hypot(1.0, cotangent)
        linear = px_per_mm * np.array([(ahead[1], -ahead[0]), -sine * ahead])
        (left, near), (right, far) = piece_mm
        corners_mm = np.array([(left, near), (right, near), (right, far), (left, far)])
        shown_px = np.vstack([corners_mm, plane.behind(corners_mm, tall_mm)]) @ linear.T
        low = shown_px.min(axis=0) - _MARGIN_PX
        extent = shown_px.max(axis=0) + _MARGIN_PX - low
        width, height = (int(-(-side // multiple_px)) * multiple_px for side in extent)
        return cls(plane, piece_mm, linear, -low, px_per_mm, (width, height))

    @cached_property
    def remap(self) -> Remap:
        """Where each pixel lies in the picture; worked out when it is first asked for."""
        return Remap.of(self.plane, self.to_table, 0.0, self.size_px)

    @property
    def axes(self) -> Array:
        """(2, 2) unit vectors on the table: to the right in the view, and towards the camera."""
        return np.asarray(self.linear / np.linalg.norm(self.linear, axis=1, keepdims=True), float)

    def in_mirror(self, turn_deg: float, times: float, multiple_px: int) -> UprightView:
        """The whole view left for right, then turned clockwise and at so many times the scale, its sides multiples of
        `multiple_px`."""
        cos, sin = times * np.cos(np.radians(turn_deg)), times * np.sin(np.radians(turn_deg))
        warp = np.array([(-cos, -sin), (-sin, cos)])
        corners_px = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * self.size_px @ warp.T
        low = corners_px.min(axis=0)
        width, height = (int(-(-side // multiple_px)) * multiple_px for side in corners_px.max(axis=0) - low)
        return replace(
            self,
            linear=warp @ self.linear,
            origin_px=warp @ self.origin_px - low,
            px_per_mm=self.px_per_mm * times,
            size_px=(width, height),
        )

    def resample(self, image_bgr: ImageBgr) -> ImageBgr:
        """(height, width, 3); black where the picture does not reach."""
        return self.remap.view_of(image_bgr)

    def to_table(self, px: Array) -> Array:
        """(n, 2) px of the view to mm of the table points that show there."""
        return np.asarray((np.asarray(px, float) - self.origin_px) @ np.linalg.inv(self.linear).T, float)

    def to_px(self, mm: Array) -> Array:
        """(n, 2) mm on the table to px of the view."""
        return np.asarray(np.asarray(mm, float) @ self.linear.T + self.origin_px, float)

    def owns(self, mm: Array) -> NDArray[np.bool_]:
        """Which of (..., 2) places on the table lie on this piece; each belongs to one."""
        return self.is_near(mm, 0.0)

    def is_near(self, mm: Array, margin_mm: float) -> NDArray[np.bool_]:
        """Which of (..., 2) places on the table lie on this piece, or no further from it along an axis."""
        low, high = self.piece_mm
        return np.asarray(((mm >= low - margin_mm) & (mm < high + margin_mm)).all(axis=-1), bool)


def upright_views(
    plane: TablePlane, view: TopView, px_per_mm: float, tall_mm: float, multiple_px: int
) -> tuple[UprightView, ...]:
    """The part of the table that a top view shows, as upright views that together cover it."""
    width, height = np.array(view.size_px) / view.px_per_mm
    left, far = view.origin_mm
    step_mm = _PIECE * plane.camera_position_mm[2]
    columns, rows = (max(1, round(side / step_mm)) for side in (width, height))
    xs, ys = np.linspace(left, left + width, columns + 1), np.linspace(far - height, far, rows + 1)
    return tuple(
        UprightView.of_piece(plane, np.array([(x0, y0), (x1, y1)]), px_per_mm, tall_mm, multiple_px)
        for y0, y1 in pairwise(ys)
        for x0, x1 in pairwise(xs)
    )
