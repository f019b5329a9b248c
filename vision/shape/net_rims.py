"""Coins' rims as large as the rim net says, and whether the edges of the picture bear them out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.shape.circle import fit_rims
from vision.shape.rim import Circles, look_at_rims

Array = NDArray[np.float64]

# A rim of which less than this share shows has been taken for another edge.
_SUPPORT = 0.6


@dataclass(frozen=True, eq=False)
class NetRims:
    """The rims of n coins.

    at             where and how large, mm
    heights_mm     (n,) of each rim
    is_borne_out   (n,) whether so much of it is edge that it is no other
    """

    at: Circles
    heights_mm: Array
    is_borne_out: NDArray[np.bool_]

    @classmethod
    def seen(
        cls, image_bgr: ImageBgr, plane: TablePlane, near_mm: Array, radii_mm: Array, heights_mm: Array
    ) -> NetRims:
        """The rims near places (n, 2) of about such radii (n,), mm."""
        at = look_at_rims(image_bgr, plane, near_mm, radii_mm, heights_mm)
        rims = fit_rims(image_bgr, plane, at.centre_mm, at.radius_mm, heights_mm, close=True)
        return cls(at, heights_mm, rims.support > _SUPPORT)

    def outline_px(self, number: int, plane: TablePlane, count: int) -> Array:
        """(count, 2) places along one of the rims as the picture shows it."""
        turns = np.linspace(0, 2 * np.pi, count, endpoint=False)
        spokes = np.c_[np.cos(turns), np.sin(turns)] * self.at.radius_mm[number]
        return plane.to_image(self.at.centre_mm[number] + spokes, self.heights_mm[number])
