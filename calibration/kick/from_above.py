"""What a picture shows of the table, drawn as from above, and by which features that is known again."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import Image, gray_of
from calibration.plane import TablePlane

Array = NDArray[np.float64]

# As from above, so far beyond the table's sides too (a share of the longer one). A picture of more px is softened.
_PX_PER_MM, _BEYOND, _SOFT_PX = 0.6, 0.5, 1.0
# Features lie so far within the picture, px: what is drawn beyond its edge is none.
_EDGE_PX = 9
# Pale wood and cloth show little: a third of the contrast that is asked for elsewhere.
_FEATURES, _CONTRAST = 3000, 0.015
# A feature is known again when its rival is this much farther (Lowe 2004), both ways round.
_RATIO = 0.85
_LETTERS = 128


@dataclass(frozen=True, eq=False)
class FromAbove:
    """The features of a picture of the table, as from above by some plane.

    px     (n, 2) where they are in the picture
    words  (n, 128) of length 1, by which they are known again: roots of SIFT's (Arandjelovic and Zisserman 2012)
    """

    px: Array
    words: NDArray[np.float32]

    @classmethod
    def of(cls, image: Image, plane: TablePlane, table_size_mm: tuple[float, float]) -> FromAbove:
        """The features of a picture drawn as from above by `plane`, which may be that of another picture."""
        to_px, size_px = _view(plane, table_size_mm)
        soft = cv2.GaussianBlur(gray_of(image), (0, 0), _SOFT_PX)
        drawn = cv2.warpPerspective(soft, to_px, size_px, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        finder = cv2.SIFT.create(_FEATURES, contrastThreshold=_CONTRAST)
        points, words = finder.detectAndCompute(drawn, _shown(to_px, size_px, image.shape))
        if not points:
            return cls(np.zeros((0, 2)), np.zeros((0, _LETTERS), np.float32))
        at = np.array([[point.pt for point in points]])
        rooted = np.sqrt(words / np.maximum(words.sum(axis=1, keepdims=True), 1.0))
        return cls(np.asarray(cv2.perspectiveTransform(at, to_px)[0], float), np.asarray(rooted, np.float32))

    def known_again(self, others: FromAbove) -> NDArray[np.int64]:
        """(n, 2) pairs of features, one of these and one of the others, each clearly the nearest to the other."""
        if min(len(self.px), len(others.px)) < 2:
            return np.zeros((0, 2), np.int64)
        apart = np.sqrt(np.maximum(2 - 2 * self.words @ others.words.T, 0.0))
        ours, nearest = np.arange(len(apart)), apart.argmin(axis=1)
        rival = np.partition(apart, 1, axis=1)[:, 1]
        clear = (apart[ours, nearest] < _RATIO * rival) & (apart.argmin(axis=0)[nearest] == ours)
        return np.stack([ours[clear], nearest[clear]], axis=1)


def _view(plane: TablePlane, table_size_mm: tuple[float, float]) -> tuple[Array, tuple[int, int]]:
    """(3, 3) from px of the view, y up, to the picture's, and its size; a lens that bends bends the view."""
    beyond_mm = _BEYOND * max(table_size_mm)
    width, depth = table_size_mm
    corners_mm = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)
    view = ((corners_mm + beyond_mm) * _PX_PER_MM).astype(np.float32)
    to_px = cv2.getPerspectiveTransform(view, plane.to_image(corners_mm).astype(np.float32))
    across, down = (int((side + 2 * beyond_mm) * _PX_PER_MM) for side in table_size_mm)
    return np.asarray(to_px, float), (across, down)


def _shown(to_px: Array, size_px: tuple[int, int], shape: tuple[int, ...]) -> Image:
    """(h, w) 255 where the view is of the picture, of this shape, and not of what lies behind the camera."""
    across, down = np.arange(size_px[0]), np.arange(size_px[1])[:, None]
    u, v, away = (row[0] * across + row[1] * down + row[2] for row in to_px)
    inside = away * away[size_px[1] // 2, size_px[0] // 2] > 0
    for side, length_px in ((u / away, shape[1]), (v / away, shape[0])):
        inside &= (side > 0) & (side < length_px - 1)
    bordered = np.pad(np.where(inside, 255, 0).astype(np.uint8), 1)
    return np.asarray(cv2.erode(bordered, np.ones((_EDGE_PX, _EDGE_PX)))[1:-1, 1:-1], np.uint8)
