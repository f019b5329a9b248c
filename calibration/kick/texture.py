"""What a tracker can hold on to: the table's own texture, evened out against changes of light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import gray_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Half resolution: 2 px of the picture are still one here, and flow is good to a tenth.
REDUCTION = 2
_CORNERS = 300
CORNER_GAP_PX = 9
_SHARP_REACH = 4
_FLOW_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 0.02)
# Mean grey difference of a tracked patch; more is another patch.
_WORST_PATCH = 22.0
_DETAIL = 1000
_RATIO = 0.8
_AGREED_PX = 3.0
_FEWEST_MATCHES = 18


@dataclass(frozen=True, eq=False)
class Texture:
    """One picture at half resolution, with its slow light taken out.

    even             (h, w) uint8 about 128
    level, contrast  mean and standard deviation of the grey as it was
    """

    even: Image
    level: float
    contrast: float

    @classmethod
    def of(cls, image: Image) -> Texture:
        """From a picture (h, w) or (h, w, 3) uint8."""
        return cls.of_half(halved(image))

    @classmethod
    def of_half(cls, gray: Image) -> Texture:
        """From a grey picture (h, w) uint8 of half the resolution."""
        mean, deviation = (float(np.ravel(each)[0]) for each in cv2.meanStdDev(gray))
        slow = cv2.blur(gray, (31, 31))
        even = cv2.addWeighted(gray, 1.0, slow, -1.0, 128.0)
        return cls(np.asarray(even, np.uint8), mean, deviation)

    def sharpness(self, places: Array) -> Array:
        """(n,) how much fine detail there is about each place (half px), relative to the light."""
        patches = self.patches(places, _SHARP_REACH)
        across, down = np.diff(patches, 2, axis=2), np.diff(patches, 2, axis=1)
        fine = np.abs(across).mean(axis=(1, 2)) + np.abs(down).mean(axis=(1, 2))
        return np.asarray(fine / max(self.level, 1.0), float)

    def patches(self, places: Array, reach_px: int) -> NDArray[np.float32]:
        """(n, 2 reach + 1, 2 reach + 1) what lies about each place (half px), to the nearest pixel; grey about 128."""
        height, width = self.even.shape
        reach = np.arange(-reach_px, reach_px + 1)
        column = np.clip(np.round(places[:, 0]), reach_px, width - 1 - reach_px).astype(int)
        row = np.clip(np.round(places[:, 1]), reach_px, height - 1 - reach_px).astype(int)
        return self.even[row[:, None, None] + reach[:, None], column[:, None, None] + reach].astype(np.float32)

    @cached_property
    def mirrored(self) -> Texture:
        """The same texture, left and right exchanged."""
        return Texture(np.ascontiguousarray(self.even[:, ::-1]), self.level, self.contrast)

    @cached_property
    def details(self) -> tuple[Array, Image]:
        """ORB features: places (n, 2) in half-resolution px and descriptors (n, 32)."""
        points, words = cv2.ORB.create(_DETAIL, fastThreshold=8).detectAndCompute(self.even, None)
        places = np.array([point.pt for point in points], float).reshape(-1, 2)
        return places, np.asarray(words if len(places) else np.zeros((0, 32)), np.uint8)

    def corners(self, outline_px: Array, ignore: Mask | None = None, gap_px: int = CORNER_GAP_PX) -> Array:
        """(n, 2) float32 half-resolution px of trackable corners within an outline in full px, so far apart."""
        where = np.zeros(self.even.shape, np.uint8)
        cv2.fillPoly(where, [np.round(to_half(outline_px)).astype(np.int32)], 255)
        if ignore is not None:
            where[half_mask(ignore, self.even)] = 0
        found = cv2.goodFeaturesToTrack(self.even, _CORNERS, 0.02, gap_px, mask=where, blockSize=5)
        # cv2 gives None for none.
        return np.asarray(found if np.size(found) > 1 else np.zeros((0, 2)), float).reshape(-1, 2)


@dataclass(frozen=True)
class Search:
    """How far flow looks: pyramid levels above the first, and its window in half px."""

    levels: int
    window_px: int


# Near finds what moved by up to 5 half px in a third of the time of far, which reaches 30.
NEAR, FAR = Search(1, 11), Search(3, 15)


def flow(before: Texture, now: Texture, places: Array, search: Search) -> tuple[Array, Mask]:
    """Where each place (n, 2) of `before` is `now`, and whether its patch was found there; half px."""
    if not len(places):
        return places, np.zeros(0, bool)
    start = places.astype(np.float32).reshape(-1, 1, 2)
    after, status, miss = cv2.calcOpticalFlowPyrLK(
        before.even,
        now.even,
        start,
        np.empty_like(start),
        winSize=(search.window_px, search.window_px),
        maxLevel=search.levels,
        criteria=_FLOW_STOP,
    )
    found = (np.ravel(status) > 0) & (np.ravel(miss) < _WORST_PATCH)
    return np.asarray(after, float).reshape(-1, 2), found


@dataclass(frozen=True, eq=False)
class Match:
    """motion: (3, 3) homography from half px of one texture to half px of another; places: (n, 2) half px of the one
    of the features that bear it out."""

    motion: Array
    places: Array


def matched(before: Texture, now: Texture) -> Match | None:
    """How `before` shows in `now` by features, however far it moved; None where too few agree."""
    (places_a, words_a), (places_b, words_b) = before.details, now.details
    if min(len(places_a), len(places_b)) < _FEWEST_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(words_a, words_b, k=2)
    good = [first for first, second in pairs if first.distance < _RATIO * second.distance]
    if len(good) < _FEWEST_MATCHES:
        return None
    source = np.array([places_a[match.queryIdx] for match in good])
    target = np.array([places_b[match.trainIdx] for match in good])
    found, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, _AGREED_PX)
    if found is None or np.sum(inliers) < _FEWEST_MATCHES:
        return None
    return Match(np.asarray(found, float), source[np.ravel(inliers) > 0])


def halved(image: Image) -> Image:
    """(h, w) uint8 grey, of half the resolution of a picture (h, w) or (h, w, 3)."""
    small = cv2.resize(image, None, fx=1 / REDUCTION, fy=1 / REDUCTION, interpolation=cv2.INTER_AREA)
    return gray_of(np.asarray(small, np.uint8))


def to_half(px: Array) -> Array:
    """Full px (..., 2) to half px: the middle of a 2 x 2 block is half a pixel from the middle of its first."""
    return (px + 0.5) / REDUCTION - 0.5


def to_full(px: Array) -> Array:
    """Half px (..., 2) to full px."""
    return (px + 0.5) * REDUCTION - 0.5


def half_mask(mask: Mask, like: Image) -> Mask:
    """(h, w) a mask of the full picture at the size of `like`, which has half its resolution."""
    small = cv2.resize(mask.astype(np.uint8), (like.shape[1], like.shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(small, bool)
