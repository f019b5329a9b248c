"""Fiducial markers: which lie where in the picture, their corners to a twentieth of a pixel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import fit_quads, softness_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# A straight printed side leaves edge points within this of its line; more means a wrong or covered side.
_WORST_EDGE_RMS_PX = 0.35
# Corners found at half resolution are off by twice as much; the edge is looked for as far (calibration.edges.edge).
_FARTHEST_CORNER_PX = 4.0
# Beyond the noise of a dim picture (1.5 px find that marker, 1 px does not).
_CALMING_PX = 2.0
# So many px a bit is drawn to be read, as cv2.aruco has it; and where that reads none.
_CELL_PX, _FINE_CELL_PX = 4, 8
# So much of a bit on each side is not read, as cv2.aruco has it.
_UNREAD_SHARE = 0.13
# Of a blurred picture: how far light has run, how often what that took is added back, and how much of a bit on each
# side is then its neighbours'. Of 3 and 5 px, 2 to 5 times and 0.13 to 0.4 these read the most.
_RUN_PX, _SHARPENING, _RUN_SHARE = 3.0, 3.0, 0.3
# cv2.aruco's unrefined corners (RMS 0.7 px), found at half resolution.
_ROUGH_SIGMA_PX = 0.8
# Softer sides are wider than what they are measured in, and the white of the code beside them pulls them: at a blur of
# 2 px by 0.15 px, at 3 and 3.5 px by 0.8 and 1.5 (markers of 60 px).
_SOFT_PX = 1.9
# At less blur than this, markers of 60 px are all read without sharpening.
_SHARP_PX = 1.0


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker seen: corners_px (4, 2) from its top left clockwise, and their standard deviation.

    soft_px  the blur of the picture as all markers show it, a standard deviation; 0 where its corners are rough
    """

    id: int
    corners_px: Array
    sigma_px: float
    soft_px: float = 0.0


def dictionary_named(name: str, key: str = "calibration.markers.dictionary") -> cv2.aruco.Dictionary:
    """An ArUco or AprilTag dictionary such as `DICT_4X4_50` or `DICT_APRILTAG_36h11`; ValueError lists them and says
    that `key` named it."""
    known = sorted(each for each in dir(cv2.aruco) if each.startswith("DICT_"))
    if name not in known:
        raise ValueError(f"{key}: no dictionary {name!r}; there are {', '.join(known)}")
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


def marker_image(dictionary: str, marker_id: int, side_px: int) -> Image:
    """(side_px, side_px) uint8 picture of a marker, its black border included, no white rim."""
    words = dictionary_named(dictionary)
    if not 0 <= marker_id < len(words.bytesList):
        raise ValueError(
            f"{dictionary} has no marker {marker_id}: its last is {len(words.bytesList) - 1}; choose another"
        )
    return np.asarray(cv2.aruco.generateImageMarker(words, marker_id, side_px), np.uint8)


def corners_mm(centre_mm: tuple[float, float], size_mm: float, turn_deg: float = 0.0) -> Array:
    """(4, 2) table corners of a marker in the order of `Marker.corners_px`.

    turn_deg  counter-clockwise, seen from above; at 0 its top side is away from the near edge
    """
    upright = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * size_mm / 2
    turn = np.radians(turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(upright @ rotation.T + centre_mm, float)


def find_markers(image: Image, dictionary: str, wanted: Collection[int] | None = None) -> tuple[Marker, ...]:
    """All markers of a dictionary, or the wanted ones, by id.

    image   (h, w) or (h, w, 3) uint8
    wanted  ids; when one of them (or, without it, any at all) is missing at half resolution, the whole is searched,
            then with its bits read more finely, then without its noise, and then sharpened, if it is not sharp
    Error   0.04 px RMS on rendered 50 px markers, 1/8 of cornerSubPix, which rounds convex corners off inward
    """
    gray = gray_of(image)
    seeds: dict[int, Array] = {}
    for search in (_half_resolution_quads, _quads, _fine_quads, _calm_quads, _sharp_quads):
        if search is _sharp_quads and _shows_sharp(gray, seeds):
            break
        seeds = {**search(gray, dictionary), **seeds}
        if seeds if wanted is None else not set(wanted) - seeds.keys():
            break
    named = {marker_id: quad for marker_id, quad in seeds.items() if wanted is None or marker_id in wanted}
    fitted = {marker.id: marker for marker in follow_markers(gray, named)}
    # Blurred, bent or half shaded: the detector's own corners will do, with the detector's own error.
    rough = {i: Marker(i, quad, _ROUGH_SIGMA_PX) for i, quad in named.items()}
    return tuple((rough | fitted)[marker_id] for marker_id in sorted(rough))


def _shows_sharp(gray: Image, seeds: dict[int, Array]) -> bool:
    """Whether the markers that were found are sharp: one that is missing is hidden then, not blurred."""
    return bool(seeds) and float(softness_of(gray, np.array([*seeds.values()], float)).max()) < _SHARP_PX


def shown_twice(image: Image, dictionary: str, ids: Collection[int]) -> tuple[int, ...]:
    """Which of the ids a picture (h, w) or (h, w, 3) shows in two places: nobody can tell which of these is meant."""
    seen = [(marker_id, quad) for marker_id, quad in _detected(gray_of(image), dictionary) if marker_id in ids]
    pairs = combinations(seen, 2)
    return tuple(sorted({one for (one, quad), (other, there) in pairs if one == other and _are_apart(quad, there)}))


def numbers_shown(gray: Image, dictionaries: Sequence[str]) -> dict[str, frozenset[int]]:
    """By dictionary, which markers of each a grey picture (h, w) shows, in one search for all; sharpened, if it shows
    none of any."""
    detector = cv2.aruco.ArucoDetector([dictionary_named(name) for name in dictionaries], _reading(_FINE_CELL_PX))
    for picture in (gray, _sharpened(gray)):
        _, ids, _, which = detector.detectMarkersMultiDict(picture)
        # cv2 gives None for no ids, whatever its stubs say.
        if ids is not None and np.size(ids):
            pairs = list(zip(np.ravel(which).tolist(), np.ravel(ids).tolist(), strict=True))
            return {name: frozenset(int(i) for n, i in pairs if n == at) for at, name in enumerate(dictionaries)}
    return dict.fromkeys(dictionaries, frozenset())


def _are_apart(quad: Array, other: Array) -> bool:
    """Whether two outlines are of two things, and not one marker's outer and inner one."""
    return bool(np.hypot(*(quad.mean(axis=0) - other.mean(axis=0))) > np.ptp(quad, axis=0).max())


def follow_markers(gray: Image, seeds: dict[int, Array]) -> tuple[Marker, ...]:
    """The markers near the seed corners (4, 2) px of each id, without a search; those not there are left out."""
    if not seeds:
        return ()
    ids, quads = sorted(seeds), np.array([seeds[marker_id] for marker_id in sorted(seeds)], float)
    fitted, sigma_px, rms_px = fit_quads(gray, quads)
    moved_px = np.hypot(*(fitted - quads).transpose(2, 0, 1)).max(axis=1)
    good = (rms_px < _WORST_EDGE_RMS_PX) & (moved_px < _FARTHEST_CORNER_PX)
    # Of one picture all are as soft, and those show it best that show large.
    soft_px = float(softness_of(gray, fitted[good]).max(initial=0.0))
    if soft_px > _SOFT_PX:
        sigma_px = np.maximum(sigma_px, _ROUGH_SIGMA_PX)
    return tuple(Marker(ids[i], fitted[i], float(sigma_px[i]), soft_px) for i in np.flatnonzero(good))


def gray_of(image: Image) -> Image:
    """(h, w) uint8 of a colour or grey picture."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _half_resolution_quads(gray: Image, dictionary: str) -> dict[int, Array]:
    """Detection costs by the pixel; the edge fit makes up for what half of them lose."""
    half = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    # The middle of a 2 x 2 block is half a pixel from the middle of its first.
    return {marker_id: 2 * quad + 0.5 for marker_id, quad in _quads(half, dictionary).items()}


def _calm_quads(gray: Image, dictionary: str) -> dict[int, Array]:
    """In the dark noise breaks the outlines that the detector looks for: one of 100 px was missed, black on brown."""
    return _quads(np.asarray(cv2.GaussianBlur(gray, (0, 0), _CALMING_PX), np.uint8), dictionary)


def _fine_quads(gray: Image, dictionary: str) -> dict[int, Array]:
    """Seen aslant, a marker's whole corners lie up to a pixel aside, and its bits beside the cells that are read."""
    return dict(_detected(gray, dictionary, _FINE_CELL_PX))


def _sharp_quads(gray: Image, dictionary: str) -> dict[int, Array]:
    """Out of focus or in motion, bits run into one another, and a marker's side into the white beside it."""
    return dict(_detected(_sharpened(gray), dictionary, _FINE_CELL_PX, _RUN_SHARE))


def _sharpened(gray: Image) -> Image:
    run = cv2.GaussianBlur(gray, (0, 0), _RUN_PX)
    return np.asarray(cv2.addWeighted(gray, 1 + _SHARPENING, run, -_SHARPENING, 0), np.uint8)


def _quads(gray: Image, dictionary: str) -> dict[int, Array]:
    return dict(_detected(gray, dictionary))


def _detected(
    gray: Image, dictionary: str, cell_px: int = _CELL_PX, unread_share: float = _UNREAD_SHARE
) -> list[tuple[int, Array]]:
    quads, ids, _ = _detector(dictionary, cell_px, unread_share).detectMarkers(gray)
    # cv2 gives None for no ids, whatever its stubs say.
    numbers = np.ravel(ids).tolist() if len(quads) else []
    return [(int(i), np.asarray(quad, float).reshape(4, 2)) for i, quad in zip(numbers, quads, strict=True)]


@lru_cache(maxsize=8)
def _detector(dictionary: str, cell_px: int, unread_share: float) -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(dictionary_named(dictionary), _reading(cell_px, unread_share))


def _reading(cell_px: int, unread_share: float = _UNREAD_SHARE) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.perspectiveRemovePixelPerCell = cell_px
    parameters.perspectiveRemoveIgnoredMarginPerCell = unread_share
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return parameters
