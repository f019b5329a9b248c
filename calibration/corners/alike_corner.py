"""A table's fourth corner, three being clicked: where a mark lies that looks like the clicked ones. Whoever marks
corners, by tape, a sticker, a cross of chalk or a die, marks all four alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.maps.overhead import overhead
from calibration.pose import CameraGuess

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Scores = NDArray[np.float32]

# A mark is what shows within so many mm of a corner; the fourth is looked for so far about where each camera has it.
_MARK_MM, _ABOUT_MM, _AGAIN_MM = 17.0, 80.0, 6.0
# How finely marks are looked at, at first and again, px to the mm, and by how many degrees they are turned.
_COARSE, _FINE = (0.8, 30), (1.6, 10)
# Of the places that look alike so many a camera, and so many in all, are looked at again.
_PEAKS, _AGAIN = 3, 4
# Places nearer than this are one.
_SAME_PX = 18.0
# Correlation from which the three clicked marks are alike and a fourth is like them, and by how much more than any
# other place. In view: of six drawn marks the fourth had 0.94 to 0.98, other places 0.81 at most; of coins on six
# tables 0.68 to 0.85; bare wood and cloth, clicked where nothing lay, 0.53 to 0.90, in several places where much
# (`benchmarks.marked_corners --drawn`).
_LIKE_EACH_OTHER, _LIKE, _CLEARLY = 0.4, 0.6, 0.1

# A disc whose levels' squares differ from their mean's by no more in all is flat: a tenth of a level each.
_FLAT = 20.0

_NONE = "no mark like the clicked ones shows where the far left corner may be"


@dataclass(frozen=True, eq=False)
class _Place:
    """A place in the picture, how much it looks as the marks do (-1 to 1), and the camera that had it there."""

    at_px: Array
    score: float
    camera: CameraGuess


def alike_corner(image: Image, cameras: Sequence[CameraGuess], corners_mm: Array) -> Array:
    """(2,) px of the fourth corner's mark in a picture (h, w, 3).

    cameras     such as may have taken the picture: all show the first three corners where they were clicked
    corners_mm  (4, 2) of the table
    Raises      ValueError, one line, where the three are not alike, or no place or several look as they do
    """
    places = _apart([place for camera in cameras for place in _places(image, camera, corners_mm)])[:_AGAIN]
    again = _apart([_nearer(image, place, corners_mm) for place in places])
    if not again or again[0].score < _LIKE:
        raise ValueError(_NONE)
    if len(again) > 1 and again[1].score > again[0].score - _CLEARLY:
        raise ValueError("several places look like the clicked corners where the far left one may be")
    return again[0].at_px


def _places(image: Image, camera: CameraGuess, corners_mm: Array) -> Iterator[_Place]:
    """Those that look most like the marks, were the picture this camera's; none where these are not alike."""
    px_per_mm, step_deg = _COARSE
    marks = _marks(image, camera, corners_mm[:3], px_per_mm)
    alike = min(float(_likeness(one, other, px_per_mm, step_deg).max()) for one, other in permutations(marks, 2))
    if alike < _LIKE_EACH_OTHER:
        return
    scores, to_px = _scores(image, camera, marks, corners_mm[3], _ABOUT_MM, _COARSE)
    reach = round(_MARK_MM * px_per_mm)
    for _ in range(_PEAKS):
        row, column = np.unravel_index(int(scores.argmax()), scores.shape)
        yield _place(scores, to_px, camera)
        scores[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach] = -1


def _nearer(image: Image, place: _Place, corners_mm: Array) -> _Place:
    """The same place looked at more finely."""
    marks = _marks(image, place.camera, corners_mm[:3], _FINE[0])
    at_mm = place.camera.pose.to_table(place.camera.lens, place.at_px[None])[0]
    scores, to_px = _scores(image, place.camera, marks, at_mm, _AGAIN_MM, _FINE)
    return _place(scores, to_px, place.camera)


def _place(scores: Scores, to_px: Array, camera: CameraGuess) -> _Place:
    """The likest among the scores."""
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    u, v, depth = to_px @ np.array([column, row, 1.0])
    return _Place(np.array([u, v]) / depth, float(scores[row, column]), camera)


def _apart(places: list[_Place]) -> list[_Place]:
    """The likest first, each place once."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda each: -each.score):
        if all(np.hypot(*(place.at_px - other.at_px)) > _SAME_PX for other in kept):
            kept.append(place)
    return kept


def _marks(image: Image, camera: CameraGuess, corners_mm: Array, px_per_mm: float) -> list[Image]:
    """What shows about each corner, with room to turn it."""
    return [overhead(image, camera, at_mm, 1.5 * _MARK_MM, px_per_mm)[0] for at_mm in corners_mm]


def _scores(
    image: Image,
    camera: CameraGuess,
    marks: list[Image],
    at_mm: Array,
    about_mm: float,
    look: tuple[float, int],
) -> tuple[Scores, Array]:
    """How much each place so far about one looks as the marks do, by the two that it is like most; and (3, 3) from a
    place among the scores (column, row) to px of the picture."""
    px_per_mm, step_deg = look
    view, to_px = overhead(image, camera, at_mm, about_mm + _MARK_MM, px_per_mm)
    each = np.stack([_likeness(view, mark, px_per_mm, step_deg) for mark in marks])
    shift = np.eye(3)
    shift[:2, 2] = _side_px(px_per_mm) // 2
    return np.sort(each, axis=0)[1:].mean(axis=0), to_px @ shift


def _likeness(view: Image, mark: Image, px_per_mm: float, step_deg: int) -> Scores:
    """Correlation of a mark's disc with each place of a view, turned as suits it best; -1 where all is flat.

    As OpenCV's TM_CCOEFF_NORMED with the disc for a mask, but that how much a view varies within it is worked out once
    for all turns.
    """
    side = _side_px(px_per_mm)
    from_middle = np.arange(side) - (side - 1) / 2
    disc = np.asarray(np.hypot(from_middle, from_middle[:, None]) < side / 2, np.float32)
    # About its mean, lest squares grow so large that single precision loses what varies.
    light = np.asarray(view - view.mean(), np.float32)
    varied = _varied(light, disc)
    each = [_alike(light, _turned(mark, turn_deg, side), disc) for turn_deg in range(0, 360, step_deg)]
    likest = np.max(each, axis=0) / np.sqrt(np.maximum(varied, _FLAT))
    return np.asarray(np.where(varied > _FLAT, likest, -1), np.float32)


def _varied(light: Scores, disc: Scores) -> Scores:
    """The sum of the squares by which a view (h, w, 3) differs from its mean within the disc about each place."""
    every = np.dstack([disc] * 3)
    means = sum(np.square(cv2.matchTemplate(layer, disc, cv2.TM_CCORR)) for layer in cv2.split(light)) / disc.sum()
    return np.asarray(cv2.matchTemplate(np.square(light), every, cv2.TM_CCORR) - means, np.float32)


def _alike(light: Scores, mark: Image, disc: Scores) -> Scores:
    """How far a view goes along with a mark, both about their means, for a mark that varies by one in all."""
    off = (mark - (mark * disc[..., None]).sum(axis=(0, 1)) / disc.sum()) * disc[..., None]
    unit = np.asarray(off / max(float(np.linalg.norm(off)), np.sqrt(_FLAT)), np.float32)
    return np.asarray(cv2.matchTemplate(light, unit, cv2.TM_CCORR), np.float32)


def _turned(mark: Image, turn_deg: float, side: int) -> Image:
    middle = (mark.shape[0] - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), turn_deg, 1)
    turn[:, 2] += (side - 1) / 2 - middle
    return np.asarray(cv2.warpAffine(mark, turn, (side, side)), np.uint8)


def _side_px(px_per_mm: float) -> int:
    """How wide a mark is, an odd number."""
    return int(2 * _MARK_MM * px_per_mm) | 1
