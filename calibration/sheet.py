"""A printed sheet whose picture is known: found on the table by matching, with no marker at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.markers import gray_of
from calibration.sheet_corners import find_sheet_corners
from calibration.texture import FAR, Texture, flow, to_full

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# A match counts when its rival is this much farther (Lowe 2004), and when it lies on the sheet's homography.
_RATIO = 0.8
_AGREED_PX = 4.0
_FEWEST_MATCHES = 20
_FEATURES = 3000
_WORKING_WIDTH_PX = 1600
# Corners followed by flow; features alone are good to about a pixel.
_ALIGNED_SIGMA_PX = 0.25
_ALIGNED_PX = 1.5
# Corners near one another err alike (print, light, blur): of those that are used so many are independent.
_USED, _INDEPENDENT = 200, 42
_MARGIN = 0.05
# Where the print has lines in one direction only, flow is as good as where it starts from.
_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class Sheet:
    """A map or mat: its picture, its true size, and where its near left corner lies on the table.

    image      (h, w) or (h, w, 3) uint8, its lower edge the near one, cut at the sheet's edges; None if only the
               sheet's outline is to be found
    size_mm    (width, depth)
    corner_mm  table frame
    turn_deg   counter-clockwise about that corner
    """

    image: Image | None
    size_mm: tuple[float, float]
    corner_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0

    def to_table(self, share: Array) -> Array:
        """(n, 2) table mm of places on the sheet: shares of its width from the left and of its depth from the far."""
        across, away = share[:, 0] * self.size_mm[0], (1 - share[:, 1]) * self.size_mm[1]
        cos, sin = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        turned = np.c_[across * cos - away * sin, across * sin + away * cos]
        return np.asarray(turned + self.corner_mm, float)


def match_sheet(image: Image, sheet: Sheet, lens: Lens) -> Correspondences:
    """Points of the sheet found in the picture ("sheet 1", ...), aligned to a quarter of a pixel.

    Raises  ValueError when the sheet is not recognised
    """
    if sheet.image is None:
        corners = find_sheet_corners(image, sheet.size_mm, lens)
        share = corners.table_mm / sheet.size_mm * [1, -1] + [0, 1]
        return replace(corners, table_mm=sheet.to_table(share))
    gray, printed = gray_of(image), gray_of(sheet.image)
    homography = _homography(printed, gray)
    for _ in range(_ROUNDS):
        found_px, sheet_px, homography = _aligned(printed, gray, homography)
    # The corners err together (print, light, paper), so they stand or fall together.
    seen = Correspondences.of(
        found_px, sheet.to_table((sheet_px + 0.5) / printed.shape[::-1]), ["sheet"] * len(found_px), _ALIGNED_SIGMA_PX
    )
    return replace(seen, crowd=max(1.0, len(found_px) / _INDEPENDENT))


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
    clear = [first for first, second in pairs if first.distance < _RATIO * second.distance]
    # Each place once: hundreds of matches to one place are a homography too, but a folded one.
    good = list({match.trainIdx: match for match in sorted(clear, key=lambda m: -m.distance)}.values())
    if len(good) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    source = (np.array([points_a[m.queryIdx].pt for m in good]) + 0.5) / shrink[0] - 0.5
    target = (np.array([points_b[m.trainIdx].pt for m in good]) + 0.5) / shrink[1] - 0.5
    found, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, _AGREED_PX, maxIters=5000)
    if found is None or int(np.sum(inliers)) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    return np.asarray(found, float)


def _view(printed: Image, gray: Image, homography: Array) -> Image:
    """The print as the camera sees it; made coarse enough first, or its fine lines would flicker."""
    height, width = printed.shape
    square = np.array([[[-1, -1], [1, -1], [1, 1], [-1, 1]]]) * 20.0 + (width / 2, height / 2)
    seen = cv2.contourArea(cv2.perspectiveTransform(square, homography).astype(np.float32))
    shrink = min(1.0, float(np.sqrt(seen)) / 40)
    small = cv2.resize(printed, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    # The picture's corner, not its first pixel's centre, stays where it is.
    grow = np.array([[1 / shrink, 0, (1 / shrink - 1) / 2], [0, 1 / shrink, (1 / shrink - 1) / 2], [0, 0, 1]])
    return np.asarray(cv2.warpPerspective(small, homography @ grow, gray.shape[::-1]), np.uint8)


def _aligned(printed: Image, gray: Image, homography: Array) -> tuple[Array, Array, Array]:
    """Picture px and sheet px (n, 2) of the print's corners, followed from where the homography expects them.

    Also the homography that they agree on.
    """
    height, width = printed.shape
    expected = Texture.of(_view(printed, gray, homography))
    # What lies round the sheet is not known, and it shows in what is seen near its edge.
    inner = np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]]) * (1 - 2 * _MARGIN) * (width, height)
    outline_px = cv2.perspectiveTransform(inner + np.array([width, height]) * _MARGIN, homography)[0]
    places = expected.corners(np.asarray(outline_px, float), None)
    after, found = flow(expected, Texture.of(gray), places, FAR)
    if found.sum() < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    sheet_px = cv2.perspectiveTransform(to_full(places[found])[None], np.linalg.inv(homography))[0]
    found_px = to_full(after[found])
    nearer, inliers = cv2.findHomography(sheet_px, found_px, cv2.RANSAC, _ALIGNED_PX)
    if nearer is None or np.sum(inliers) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    agreed = np.flatnonzero(np.ravel(inliers) > 0)
    few = agreed[np.linspace(0, len(agreed) - 1, min(len(agreed), _USED)).astype(int)]
    return found_px[few], np.asarray(sheet_px[few], float), np.asarray(nearer, float)
