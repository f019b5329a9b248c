"""A printed sheet whose picture is known: found on the table by matching, with no marker at all."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.markers import gray_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# A match counts when its rival is this much farther (Lowe 2004), and when it lies on the sheet's homography.
_RATIO = 0.8
_AGREED_PX = 4.0
_FEWEST_MATCHES = 20
_FEATURES = 3000
_WORKING_WIDTH_PX = 1600
# After the patches are aligned; features alone are good to about a pixel.
_ALIGNED_SIGMA_PX = 0.25
_PATCH_PX = 25
_GRID = 12
_LOWEST_CORRELATION = 0.7


@dataclass(frozen=True, eq=False)
class Sheet:
    """A map or mat: its picture, its true size, and where its near left corner lies on the table.

    image      (h, w) or (h, w, 3) uint8, its lower edge the near one, cut at the sheet's edges
    size_mm    (width, depth)
    corner_mm  table frame
    turn_deg   counter-clockwise about that corner
    """

    image: Image
    size_mm: tuple[float, float]
    corner_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0

    def to_table(self, px: Array) -> Array:
        """(n, 2) table mm of pixels of the sheet's own picture."""
        height, width = self.image.shape[:2]
        across = (px[:, 0] + 0.5) / width * self.size_mm[0]
        away = (1 - (px[:, 1] + 0.5) / height) * self.size_mm[1]
        cos, sin = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        turned = np.c_[across * cos - away * sin, across * sin + away * cos]
        return np.asarray(turned + self.corner_mm, float)


def match_sheet(image: Image, sheet: Sheet) -> Correspondences:
    """Points of the sheet found in the picture ("sheet 1", ...), aligned to a quarter of a pixel.

    Raises  ValueError when the sheet is not recognised
    """
    gray, printed = gray_of(image), gray_of(sheet.image)
    homography = _homography(printed, gray)
    found_px, sheet_px = _aligned_patches(printed, gray, homography)
    if len(found_px) < _FEWEST_MATCHES // 2:
        raise ValueError(_NOT_THERE)
    # The patches err together (print, light, paper), so they stand or fall together.
    return Correspondences.of(found_px, sheet.to_table(sheet_px), ["sheet"] * len(found_px), _ALIGNED_SIGMA_PX)


_NOT_THERE = "the map sheet is not recognised in the picture: show more of it, in better light, or give four points"


def _homography(printed: Image, gray: Image) -> Array:
    """(3, 3) sheet px -> picture px."""
    detector = cv2.SIFT.create(_FEATURES)
    shrink = [min(1.0, _WORKING_WIDTH_PX / max(each.shape)) for each in (printed, gray)]
    (points_a, words_a), (points_b, words_b) = (
        detector.detectAndCompute(cv2.resize(each, None, fx=s, fy=s, interpolation=cv2.INTER_AREA), None)
        for each, s in zip((printed, gray), shrink, strict=True)
    )
    if len(points_a) < _FEWEST_MATCHES or len(points_b) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    pairs = cv2.BFMatcher().knnMatch(words_a, words_b, k=2)
    good = [first for first, second in pairs if first.distance < _RATIO * second.distance]
    if len(good) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    source = (np.array([points_a[m.queryIdx].pt for m in good]) + 0.5) / shrink[0] - 0.5
    target = (np.array([points_b[m.trainIdx].pt for m in good]) + 0.5) / shrink[1] - 0.5
    found, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, _AGREED_PX, maxIters=5000)
    if found is None or int(np.sum(inliers)) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    return np.asarray(found, float)


def _aligned_patches(printed: Image, gray: Image, homography: Array) -> tuple[Array, Array]:
    """Picture px and sheet px (n, 2) of a grid of patches, each shifted to where it correlates best."""
    height, width = printed.shape
    u, v = np.meshgrid((np.arange(_GRID) + 0.5) * width / _GRID, (np.arange(_GRID) + 0.5) * height / _GRID)
    sheet_px = np.c_[u.ravel(), v.ravel()]
    expected = np.round(cv2.perspectiveTransform(sheet_px[None], homography)[0])
    reach = _PATCH_PX // 2 + int(2 * _AGREED_PX)
    inside = (expected > reach).all(axis=1) & (expected < np.array(gray.shape[::-1]) - reach - 1).all(axis=1)
    view = np.asarray(cv2.warpPerspective(printed, homography, gray.shape[::-1], flags=cv2.INTER_AREA), np.uint8)
    places, kept = [], []
    for at in expected[inside].astype(int):
        shift = _shift(view, gray, at, reach)
        if shift is not None:
            kept.append(at)
            places.append(at + shift)
    back = np.linalg.inv(homography)
    there = np.array(kept, float).reshape(-1, 2)
    return np.array(places, float).reshape(-1, 2), cv2.perspectiveTransform(there[None], back)[0] if kept else there


def _shift(view: Image, gray: Image, at: NDArray[np.int64], reach: int) -> Array | None:
    """(2,) px by which the patch of `view` at a pixel lies elsewhere in `gray`; None if it is not there."""
    u, v = at
    half = _PATCH_PX // 2
    patch = view[v - half : v + half + 1, u - half : u + half + 1]
    if patch.std() < 6:
        return None
    window = gray[v - reach : v + reach + 1, u - reach : u + reach + 1]
    score = np.asarray(cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED), float)
    row, column = np.unravel_index(int(np.argmax(score)), score.shape)
    if score[row, column] < _LOWEST_CORRELATION or not (0 < row < len(score) - 1 and 0 < column < len(score) - 1):
        return None
    return np.array(
        [column + _vertex(score[row, column - 1 : column + 2]), row + _vertex(score[row - 1 : row + 2, column])]
    ) - (reach - half)


def _vertex(three: Array) -> float:
    """Where the parabola through three samples peaks, from the middle one."""
    a, b, c = three
    return float(0.5 * (a - c) / (a - 2 * b + c)) if a - 2 * b + c < 0 else 0.0
