"""Markers that lie in one another's places: laid so they would agree, as the set-up has them they do not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import Marker, corners_mm

Array = NDArray[np.float64]

# All ways to lay so many markers are tried (720 for six); of one alone any place will do.
_MOST, _FEWEST = 6, 2
# RMS, as shares of their size: in one another's places markers leave more than the first (0.67 to 1.4 on drawn tables);
# where they should lie less than the second, bent by a wide lens (0.13) or laid askew (0.08); and so many times less.
_ELSEWHERE, _LYING, _CLEARLY = 0.3, 0.15, 4.0
# Among exchanges that explain what is seen up to so many times as badly as the best, the one that moves fewest counts.
_ALIKE = 2.0
# If the markers are placed right, the picture shows at least this share of what lies between them.
_SHOWN = 0.5
_COLUMNS, _ROWS = 6, 5


def exchanged(
    markers: Collection[Marker],
    centres_mm: Mapping[int, tuple[float, float]],
    size_mm: float,
    turn_deg: Mapping[int, float],
    size_px: tuple[int, int],
) -> dict[int, int]:
    """Which markers lie at another one's place: by id, the id whose place it is. Empty where all lie as the set-up has
    them, or where no exchange explains how they lie and shows most of what lies between them.

    turn_deg  of each marker as told, wherever it lies
    size_px   (width, height) of the picture
    """
    if not _FEWEST <= len(markers) <= len(centres_mm) <= _MOST:
        return {}
    seen = {marker.id: marker.corners_px for marker in markers}
    lying = {
        (marker, place): corners_mm(centres_mm[place], size_mm, turn_deg.get(marker, 0.0))
        for marker in seen
        for place in centres_mm
    }
    told_off = _off(seen, {marker: lying[marker, marker] for marker in seen})
    if told_off < _ELSEWHERE * size_mm:
        return {}
    ways = []
    for places in _ways(tuple(seen), tuple(centres_mm)):
        corners = {marker: lying[marker, place] for marker, place in places.items()}
        off = _off(seen, corners)
        if off < min(_LYING * size_mm, told_off / _CLEARLY) and _shown(seen, corners, centres_mm, size_px) >= _SHOWN:
            ways.append((off, places))
    if not ways:
        return {}
    most = _ALIKE * min(off for off, _ in ways)
    likely = [(sum(marker != place for marker, place in way.items()), off, way) for off, way in ways if off <= most]
    return min(likely, key=lambda each: each[:2])[2]


def _ways(markers: tuple[int, ...], places: tuple[int, ...]) -> Iterator[dict[int, int]]:
    for way in permutations(places, len(markers)):
        if way != markers:
            yield dict(zip(markers, way, strict=True))


def in_words(places: Mapping[int, int]) -> str:
    """The pairs that are exchanged, and what else lies elsewhere, in words."""
    moved = {marker: place for marker, place in places.items() if marker != place}
    pairs = [
        (marker, place)
        for marker, place in moved.items()
        if moved.get(place, marker) == marker and not (place in moved and place < marker)
    ]
    lone = [(marker, place) for marker, place in moved.items() if moved.get(place, marker) != marker]
    words = [f"{min(pair)} and {max(pair)}" for pair in pairs]
    said = [f"markers {', '.join(sorted(words))} seem exchanged"] if words else []
    return ", ".join([*said, *(f"marker {marker} seems to lie at the place of {place}" for marker, place in lone)])


def _homography(seen: Mapping[int, Array], corners: Mapping[int, Array]) -> Array | None:
    """(3, 3) from the picture to table mm."""
    px, mm = np.concatenate([seen[marker] for marker in seen]), np.concatenate([corners[marker] for marker in seen])
    homography, _ = cv2.findHomography(px, mm)
    # OpenCV gives None for what tells none, whatever its stubs say.
    return np.asarray(homography, float) if np.ndim(homography) == 2 else None


def _off(seen: Mapping[int, Array], corners: Mapping[int, Array]) -> float:
    """How far markers that lie so are off what the picture shows, RMS mm."""
    homography = _homography(seen, corners)
    if homography is None:
        return np.inf
    px, mm = np.concatenate([seen[marker] for marker in seen]), np.concatenate([corners[marker] for marker in seen])
    lies_mm = cv2.perspectiveTransform(px[:, None], homography)[:, 0]
    return float(np.sqrt(np.mean(np.sum(np.square(lies_mm - mm), axis=1))))


def _shown(
    seen: Mapping[int, Array],
    corners: Mapping[int, Array],
    centres_mm: Mapping[int, tuple[float, float]],
    size_px: tuple[int, int],
) -> float:
    """What share of what lies between all told places the picture shows if the markers lie so."""
    homography = _homography(seen, corners)
    if homography is None or abs(np.linalg.det(homography)) < np.finfo(float).tiny:
        return 0.0
    (left, near), (right, far) = np.min(list(centres_mm.values()), axis=0), np.max(list(centres_mm.values()), axis=0)
    x, y = np.meshgrid(np.linspace(left, right, _COLUMNS), np.linspace(near, far, _ROWS))
    back = np.linalg.inv(homography)
    places = np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)]) @ back.T
    # Behind the camera the third number has another sign than at what is seen.
    middle = np.append(np.concatenate(list(corners.values())).mean(axis=0), 1.0) @ back.T
    ahead = places[:, 2] * middle[2] > 0
    px = places[:, :2] / np.where(ahead, places[:, 2], 1.0)[:, None]
    return float((ahead & (px >= 0).all(axis=1) & (px <= np.array(size_px) - 1).all(axis=1)).mean())
