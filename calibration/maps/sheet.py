"""A printed sheet whose picture is known: found on the table by matching, with no marker at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners.sheet_corners import find_sheet_corners
from calibration.edges.softness import SHARP_PX, softened, softness_px
from calibration.fiducials.markers import gray_of
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.kick.patch_shift import refined
from calibration.kick.texture import CORNER_GAP_PX, FAR, Texture, flow, to_full, to_half
from calibration.lens import Lens
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# A match counts when its rival is this much farther (Lowe 2004), and when it lies on the sheet's homography, which a
# webcam's bend leaves by some px.
_RATIO = 0.8
_AGREED_PX = 6.0
_FEWEST_MATCHES = 20
# So many features are asked of each picture, shrunk to this width if it is wider.
_FEATURES, _WORKING_WIDTH_PX = 3000, 1600
# Corners followed by flow, until they tell by how they scatter, and at best; features alone are good to about a pixel.
_ALIGNED_SIGMA_PX, _BEST_SIGMA_PX = 0.25, 0.01
# Followed there and back a corner comes to within this (half px), or it is a piece's, a hand's or a shadow's.
_BACK_HALF_PX = 0.3
# Where a small picture of few details has so few corners that hardly enough are left, others between them count too.
_GAPS_HALF_PX, _ENOUGH_FOLLOWED = (CORNER_GAP_PX, 5, 3), 25
# What lies farther than so many times the median off the plane, and than this, is no print.
_STRAY, _STRAY_PX = 3.5, 0.1
# So many of the places that were found, all over the sheet, measure the table; none lies nearer to its edge than this
# share of it.
_USED, _MARGIN = 200, 0.05
# Where the print has lines in one direction only, flow is as good as where it starts from; and what bends too much for
# the first guess is found from the second. Of a shift a sixth too much is told, which each round leaves to the next.
_ROUNDS, _TRIMS = 3, 3
# A picture that is cut at the print's edges has its shape, to a millimetre or two of what was cut or measured.
_SAME_SHAPE = 0.01
# Between places so many px apart in the picture the print is taken to be evenly stretched.
_STEP_PX = 8
# A pixel is the mean of so many sight rays by so many, from its middle: eighths of `_STEP_PX` are exact in cv2's 32nds.
_RAYS_PX = (-0.25, 0.25)
_NOT_THERE = "the map sheet is not recognised in the picture: show more of it, in better light, or give four points"
_MIRRORED = (
    "the map sheet is not recognised in the picture, but mirrored: switch mirroring off in the camera's program, or "
    "name a picture of the sheet that is not mirrored"
)


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

    @property
    def off_shape(self) -> float:
        """By what share (log) its picture is wider for its depth than the size that was told; 0 without a picture."""
        if self.image is None:
            return 0.0
        (height, width), (width_mm, depth_mm) = self.image.shape[:2], self.size_mm
        return float(np.log(width * depth_mm / (height * width_mm)))

    def to_table(self, share: Array) -> Array:
        """(n, 2) table mm of places on the sheet: shares of its width from the left and of its depth from the far."""
        across, away = share[:, 0] * self.size_mm[0], (1 - share[:, 1]) * self.size_mm[1]
        cos, sin = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        turned = np.c_[across * cos - away * sin, across * sin + away * cos]
        return np.asarray(turned + self.corner_mm, float)

    def of_table(self, mm: Array) -> Array:
        """(n, 2) shares on the sheet of table mm: the inverse of `to_table`."""
        cos, sin = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        x, y = (mm - self.corner_mm).T
        return np.stack([(x * cos + y * sin) / self.size_mm[0], 1 - (y * cos - x * sin) / self.size_mm[1]], axis=1)


def match_sheet(image: Image, sheet: Sheet, lens: Lens, notes: list[str] | None = None) -> Correspondences:
    """Points of the sheet found in the picture ("sheet 1", ...), aligned to a quarter of a pixel.

    notes   is told what is in doubt of a sheet that is found by its outline
    Raises  ValueError when the sheet is not recognised, or its picture has not its shape
    """
    if sheet.image is None:
        corners = find_sheet_corners(image, sheet.size_mm, lens, notes)
        share = corners.table_mm / sheet.size_mm * [1, -1] + [0, 1]
        return replace(corners, table_mm=sheet.to_table(share))
    gray, printed = gray_of(image), gray_of(sheet.image)
    _check_shape(sheet, printed)
    laid: _Laid = _Flat(_recognised(printed, gray))
    blur_px, drawn = SHARP_PX, _view(printed, lens.size_px, laid)
    found_px, sheet_px, crowd = _followed(printed, drawn, gray, laid, blur_px)
    for n in range(_ROUNDS):
        _, plane = _on_plane(found_px, sheet.to_table((sheet_px + 0.5) / printed.shape[::-1]), lens)
        laid = _OnTable(plane, sheet, (printed.shape[1], printed.shape[0]))
        drawn = _view(printed, lens.size_px, laid)
        if n == 0:
            blur_px = softness_px(drawn, Texture.of(gray), to_half(found_px))
            found_px, sheet_px, crowd = _followed(printed, drawn, gray, laid, blur_px)
        found_px, sheet_px = _refined(softened(drawn, blur_px), gray, laid, sheet_px)
    seen, _ = _on_plane(found_px, sheet.to_table((sheet_px + 0.5) / printed.shape[::-1]), lens)
    return replace(seen, crowd=crowd)


def _check_shape(sheet: Sheet, printed: Image) -> None:
    """ValueError where the picture is of more or less than has that size: a lens that nobody measured fits either."""
    (height, width), (width_mm, depth_mm) = printed.shape, sheet.size_mm
    if abs(sheet.off_shape) > _SAME_SHAPE + 1 / min(width, height):
        raise ValueError(
            f"the map sheet's picture is {width / height:.3f} times as wide as deep, {width_mm:g} x {depth_mm:g} mm "
            f"are {width_mm / depth_mm:.3f} times: cut the picture at the sheet's edges, or give the size of what it "
            "shows"
        )


def _recognised(printed: Image, gray: Image) -> Array:
    """(3, 3) sheet px -> picture px; ValueError says whether the sheet shows mirrored."""
    try:
        return _homography(printed, gray)
    except ValueError:
        try:
            _homography(printed, np.ascontiguousarray(gray[:, ::-1]))
        except ValueError:
            raise ValueError(_NOT_THERE) from None
        raise ValueError(_MIRRORED) from None


def _homography(printed: Image, gray: Image) -> Array:
    """(3, 3) sheet px -> picture px."""
    a, b = _features_of(printed.shape, printed.tobytes()), _features(gray)
    if a.words is None or b.words is None or min(len(a.px), len(b.px)) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    pairs = cv2.BFMatcher().knnMatch(a.words, b.words, k=2)
    clear = [first for first, second in pairs if first.distance < _RATIO * second.distance]
    # Each place once: hundreds of matches to one place are a homography too, but a folded one.
    good = list({match.trainIdx: match for match in sorted(clear, key=lambda m: -m.distance)}.values())
    if len(good) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    source, target = a.px[[match.queryIdx for match in good]], b.px[[match.trainIdx for match in good]]
    found, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, _AGREED_PX, maxIters=5000)
    if found is None or int(np.sum(inliers)) < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    return np.asarray(found, float)


class _Features(NamedTuple):
    """Where they are (n, 2), px of the picture, and words (n, 128) that tell them apart; None where there is none."""

    px: Array
    words: NDArray[np.float32] | None


def _features(gray: Image) -> _Features:
    shrink = min(1.0, _WORKING_WIDTH_PX / max(gray.shape))
    small = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    points, words = cv2.SIFT.create(_FEATURES).detectAndCompute(small, None)
    px = np.array([point.pt for point in points], float).reshape(-1, 2)
    return _Features((px + 0.5) / shrink - 0.5, np.asarray(words, np.float32) if len(points) else None)


@lru_cache(maxsize=1)
def _features_of(shape: tuple[int, ...], content: bytes) -> _Features:
    """Those of a print, which is looked for again, mirrored or in the next picture: they take a third of a second."""
    return _features(np.frombuffer(content, np.uint8).reshape(shape))


class _Laid(Protocol):
    """How the print lies before the camera."""

    def to_picture(self, sheet_px: Array) -> Array:
        """(n, 2) picture px of the print's px."""
        ...

    def to_print(self, px: Array) -> Array:
        """(n, 2) the print's px that show at picture px."""
        ...


@dataclass(frozen=True, eq=False)
class _Flat:
    """By a homography from the print's px to the picture's: no lens, no camera."""

    homography: Array

    def to_picture(self, sheet_px: Array) -> Array:
        """(n, 2) picture px of the print's px."""
        return np.asarray(cv2.perspectiveTransform(sheet_px[None], self.homography)[0], float)

    def to_print(self, px: Array) -> Array:
        """(n, 2) the print's px that show at picture px."""
        return np.asarray(cv2.perspectiveTransform(px[None], np.linalg.inv(self.homography))[0], float)


@dataclass(frozen=True, eq=False)
class _OnTable:
    """By a camera over the table, its lens's bend included; `size_px` is the print's."""

    plane: TablePlane
    sheet: Sheet
    size_px: tuple[int, int]

    def to_picture(self, sheet_px: Array) -> Array:
        """(n, 2) picture px of the print's px."""
        return self.plane.to_image(self.sheet.to_table((sheet_px + 0.5) / self.size_px))

    def to_print(self, px: Array) -> Array:
        """(n, 2) the print's px that show at picture px."""
        return self.sheet.of_table(self.plane.to_table(px)) * self.size_px - 0.5


def _on_plane(found_px: Array, mm: Array, lens: Lens) -> tuple[Correspondences, TablePlane]:
    """The places that lie on one plane, as points of the sheet, and that plane; what strays is left out."""
    kept, sigma_px = np.ones(len(found_px), bool), _ALIGNED_SIGMA_PX
    for _ in range(_TRIMS):
        plane = fit_plane(_of_sheet(found_px[kept], mm[kept], sigma_px), lens, lens.size_px)
        off_px = np.nan_to_num(np.hypot(*(plane.to_image(mm) - found_px).T), nan=np.inf)
        kept = off_px < max(_STRAY * float(np.median(off_px[kept])), _STRAY_PX)
        if kept.sum() < _FEWEST_MATCHES:
            raise ValueError(_NOT_THERE)
        # Of each coordinate. What says that it is worse than it is leaves a lens file more of its error.
        sigma_px = max(float(np.sqrt(np.mean(np.square(off_px[kept])) / 2)), _BEST_SIGMA_PX)
    few = np.flatnonzero(kept)[np.linspace(0, kept.sum() - 1, min(int(kept.sum()), _USED)).astype(int)]
    return _of_sheet(found_px[few], mm[few], sigma_px), plane


def _of_sheet(found_px: Array, mm: Array, sigma_px: float) -> Correspondences:
    """The corners are of one sheet, so they stand or fall together; each errs by itself (`calibration.fit.noise`)."""
    return Correspondences.of(found_px, mm, ["sheet"] * len(found_px), sigma_px)


def _view(printed: Image, size_px: tuple[int, int], laid: _Laid) -> Image:
    """The print as a perfect lens would show it; made coarse enough first, or its fine lines would flicker."""
    height, width = printed.shape
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 20.0 + (width / 2, height / 2)
    seen = cv2.contourArea(laid.to_picture(square).astype(np.float32))
    shrink = min(1.0, float(np.sqrt(seen)) / 40 * len(_RAYS_PX))
    small = cv2.resize(printed, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    u, v = np.meshgrid(*(np.arange(0, side + _STEP_PX, _STEP_PX, dtype=float) for side in size_px))
    # The picture's corner, not its first pixel's centre, stays where it is.
    where = (laid.to_print(np.c_[u.ravel(), v.ravel()]) + 0.5) * shrink - 0.5
    coarse = np.nan_to_num(where, nan=-1e4).clip(-1e4, 1e4).reshape(*u.shape, 2).astype(np.float32)
    # Chords lie off their curve, on the mean by a twelfth of the second difference: a hundredth of a pixel.
    coarse = np.asarray(coarse - cv2.Laplacian(coarse, -1) / 12, np.float32)
    total = np.zeros(size_px[::-1], np.float32)
    for right, down in product(_RAYS_PX, _RAYS_PX):
        stretch = np.array([[_STEP_PX, 0, -right], [0, _STEP_PX, -down]])
        maps = cv2.warpAffine(coarse, stretch, size_px, flags=cv2.INTER_LINEAR)
        cv2.accumulate(cv2.remap(small, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(_RAYS_PX) ** 2), np.uint8)


def _followed(printed: Image, drawn: Image, gray: Image, laid: _Laid, blur_px: float) -> tuple[Array, Array, float]:
    """Picture px and sheet px (n, 2) of the print's corners, followed from where they are expected, there and back, and
    as how many one of them counts: those between others, whose patches overlap, err as these do."""
    height, width = printed.shape
    expected, now = Texture.of(softened(drawn, blur_px)), Texture.of(gray)
    # What lies round the sheet is not known, and it shows in what is seen near its edge.
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (1 - 2 * _MARGIN) + _MARGIN
    outline_px, apart = laid.to_picture(inner * (width, height)), 0
    for gap_px in _GAPS_HALF_PX:
        places = expected.corners(outline_px, None, gap_px)
        after, there = flow(expected, now, places, FAR)
        back, again = flow(now, expected, after, FAR)
        found = there & again & (np.hypot(*(back - places).T) < _BACK_HALF_PX)
        apart = apart or max(int(found.sum()), 1)
        if found.sum() >= _ENOUGH_FOLLOWED:
            break
    if found.sum() < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    crowd = max(1.0, float(found.sum()) / apart)
    return to_full(after[found]), laid.to_print(to_full(places[found])), crowd


def _refined(expected: Image, gray: Image, laid: _Laid, sheet_px: Array) -> tuple[Array, Array]:
    """The same, of the pixels in which those places of the print are expected, to a fraction of a pixel."""
    places_px = np.round(laid.to_picture(sheet_px))
    found_px = refined(expected, gray, places_px, places_px)
    seen = np.isfinite(found_px).all(axis=1)
    if seen.sum() < _FEWEST_MATCHES:
        raise ValueError(_NOT_THERE)
    return found_px[seen], laid.to_print(places_px[seen])
