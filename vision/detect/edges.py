"""How well outlines above the table are borne out by edges of the top view."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.topview import TopView

Array = NDArray[np.float64]

# Edges are looked for as coarse as a fit is far off, then as fine as pictures are sharp.
SIGMAS_PX = (3.0, 1.5, 1.0)
# An edge of so many grey levels a pixel (in Lab), coarse and fine, bears an outline out wholly: a hard edge is worth no
# more, lest one printed line outweigh a thing's whole dim side.
ENOUGH_LEVELS = (3.0, 6.0, 15.0)


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
        """Of the part of `top` that shows the table between two corners."""
        corners_px = view.to_px(np.array([low_mm, high_mm]))
        first = np.clip(np.floor(corners_px.min(axis=0)), 0, np.array(view.size_px) - 2).astype(int)
        last = np.clip(np.ceil(corners_px.max(axis=0)), first + 2, view.size_px).astype(int)
        part = top[first[1] : last[1], first[0] : last[0]]
        lab = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2LAB), np.uint8)
        return cls(plane, view, first.astype(float), tuple(_derivatives(lab, sigma) for sigma in SIGMAS_PX))

    def support(self, points_mm: Array, ahead_mm: Array, level: int) -> Array:
        """(n,) how far the outlines through points (n, k, 3) lie on edges, 0 to 1.

        ahead_mm  (n, k, 3) the next point of the outline after each, which tells its direction
        """
        at_px, ahead_px = self._shown_px(points_mm), self._shown_px(ahead_mm)
        ahead = (ahead_px - at_px).astype(np.float32)
        along_u, along_v = ahead[..., 0], ahead[..., 1]
        u, v = self._cells(at_px)
        slope = self.layers[level][v, u]
        across = slope[..., 3:] * along_u[..., None] - slope[..., :3] * along_v[..., None]
        squared = np.einsum("...i,...i", across, across) / (along_u * along_u + along_v * along_v + 1e-12)
        borne = np.minimum(np.sqrt(squared) / ENOUGH_LEVELS[level], 1)
        if self.hidden is None:
            return np.asarray(borne.mean(axis=1), float)
        shown = ~self.hidden[v, u]
        return np.asarray((borne * shown).sum(axis=1) / np.maximum(shown.sum(axis=1), 1), float)

    def shown(self, points_mm: Array) -> Array:
        """(n,) how much of points (n, k, 3) nothing nearer hides, 0 to 1."""
        if self.hidden is None:
            return np.ones(len(points_mm))
        u, v = self._cells(self._shown_px(points_mm))
        return np.asarray(1 - self.hidden[v, u].mean(axis=1), float)

    def behind(self, outline_mm: Polygon) -> Edges:
        """The same where something hides what an outline on the table holds."""
        px = self.view.to_px(np.array(outline_mm.exterior.coords)) - self.corner_px
        drawn = np.zeros(self.layers[0].shape[:2], np.uint8)
        return replace(self, hidden=cv2.fillPoly(drawn, [np.rint(px).astype(np.int32)], (1,)) > 0)

    def _cells(self, at_px: Array) -> NDArray[np.intp]:
        """(2, ...) columns and rows of the nearest cells."""
        rows, columns = self.layers[0].shape[:2]
        return np.moveaxis(np.clip(np.rint(at_px).astype(int), 0, (columns - 1, rows - 1)), -1, 0)

    def _shown_px(self, points_mm: Array) -> Array:
        """Where points (..., 3) above the table show in the part."""
        shown_mm = self.plane.behind(points_mm[..., :2], points_mm[..., 2])
        return np.asarray(self.view.to_px(shown_mm) - self.corner_px, float)


def _derivatives(lab: ImageBgr, sigma_px: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(lab, (0, 0), sigma_px).astype(np.float32)
    # A Sobel kernel of three weighs eight differences of one pixel.
    return np.concatenate([cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1))], axis=2)
