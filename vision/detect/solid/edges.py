"""How well outlines above the table are borne out by edges of the top view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import BELOW_CAMERA, TablePlane
from vision.detect.solid.borne import borne_out
from vision.frame import ImageBgr
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Blur with which edges are looked for: first as coarse as a fit may be off, at last as fine as pictures are sharp.
SIGMAS_PX = (3.0, 1.5, 1.0)
# An edge of so many grey levels a pixel (in Lab), coarse and fine, bears an outline out wholly: a hard edge is worth no
# more, lest one printed line outweigh a thing's whole dim side.
ENOUGH_LEVELS = (3.0, 6.0, 15.0)
_NOTHING = np.zeros((0, 0), bool)


@dataclass(frozen=True, eq=False)
class Edges:
    """Derivatives of one part of a top view.

    corner_px  (2,) where the part begins in the view
    layers     (h, w, 6) along u, then along v, of L, a and b; one for each of SIGMAS_PX
    hidden     (h, w) what something nearer hides, if anything does: it speaks neither for nor against an outline
    """

    plane: TablePlane
    view: TopView
    corner_px: Array
    layers: tuple[NDArray[np.float32], ...]
    hidden: NDArray[np.bool_] | None = None

    @classmethod
    def within(cls, top: ImageBgr, plane: TablePlane, view: TopView, low_mm: Array, high_mm: Array) -> Edges:
        """The derivatives of that part of `top` that shows the table between two opposite corners, (2,) mm each."""
        corners_px = view.to_px(np.array([low_mm, high_mm]))
        first = np.clip(np.floor(corners_px.min(axis=0)), 0, np.array(view.size_px) - 2).astype(int)
        last = np.clip(np.ceil(corners_px.max(axis=0)), first + 2, view.size_px).astype(int)
        part = top[first[1] : last[1], first[0] : last[0]]
        lab = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2LAB), np.uint8)
        return cls(plane, view, first.astype(float), tuple(_derivatives(lab, sigma) for sigma in SIGMAS_PX))

    def support(self, points_mm: Array, ahead_mm: Array, level: int) -> Array:
        """(n,) how far the outlines through points (n, k, 3) lie on edges where nothing nearer hides them, 0 to 1.

        ahead_mm  (n, k, 3) the next point of the outline after each, which tells its direction
        """
        return self.borne_out(points_mm, ahead_mm, level)[0]

    def borne_out(
        self, points_mm: Array, ahead_mm: Array, level: int, weights: Array | None = None
    ) -> tuple[Array, Array]:
        """As `support`, and (n,) how much of the outlines nothing nearer hides, 0 to 1; both 0 of those that count
        nothing by their weights (n,)."""
        return borne_out(
            np.ascontiguousarray(points_mm, float),
            np.ascontiguousarray(ahead_mm, float),
            self._from_above,
            self.layers[level],
            np.float32(ENOUGH_LEVELS[level]),
            self.hidden if self.hidden is not None else _NOTHING,
            np.ones(len(points_mm)) if weights is None else weights,
        )

    @cached_property
    def _from_above(self) -> tuple[float, ...]:
        *foot_mm, high_mm = self.plane.camera_position_mm
        above = (*foot_mm, high_mm, BELOW_CAMERA * high_mm, *self.view.origin_mm, self.view.px_per_mm, *self.corner_px)
        return tuple(float(each) for each in above)

    def behind(self, *outlines_mm: Polygon) -> Edges:
        """The same edges while something hides the inside of outlines too, table mm."""
        drawn = np.zeros(self.layers[0].shape[:2], np.uint8)
        for outline_mm in outlines_mm:
            px = self.view.to_px(np.array(outline_mm.exterior.coords)) - self.corner_px
            cv2.fillPoly(drawn, [np.rint(px).astype(np.int32)], (1,))
        return replace(self, hidden=drawn > 0 if self.hidden is None else self.hidden | (drawn > 0))


def _derivatives(lab: ImageBgr, sigma_px: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(lab, (0, 0), sigma_px)
    # A Sobel kernel of three weighs eight differences of one pixel.
    both = [cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))]
    return np.asarray(cv2.merge(both), np.float32)
