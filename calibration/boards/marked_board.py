"""Which ChArUco board a picture shows, of any size and dictionary: told by where its markers lie among one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.board import MARKED_BOARDS, Board, usual_board
from calibration.fiducials.markers import dictionary_named, gray_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# The first of a kind hold the same markers as its larger ones (DICT_4X4_50, DICT_4X4_1000).
_SIZES = (50, 100, 250)
_KINDS = (
    *(f"DICT_{bits}X{bits}_{_SIZES[-1]}" for bits in (4, 5, 6, 7)),
    "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_25h9",
    "DICT_APRILTAG_36h11",
)
# To look for all of one kind takes five times as long as for these.
_ASKED_FIRST = 50
_FEWEST_MARKERS, _FEWEST_ROWS = 6, 3
_COLUMNS = range(3, 31)
# By the right numbering a strong barrel bends a whole board's middles by a third of a square; any other leaves more
# than twice as much as the right one.
_WORST_SQUARES, _OF_THE_NEXT = 0.4, 0.5
# A marker's side, of a square's, and how far it is measured off: 2 % too small where light runs into black.
_SHARES, _SAME_SHARE = (0.3, 0.97), 0.06


@dataclass(frozen=True)
class Layout:
    """How the markers that a picture shows are numbered and lie.

    kind           the largest dictionary of the kind that was read
    columns, rows  squares across, and as many rows as show
    begins_marked  as in `Board`
    share          a marker's side, of a square's
    off_squares    how far the markers' middles lie from where they should, root mean square
    """

    kind: str
    columns: int
    rows: int
    begins_marked: bool
    share: float
    off_squares: float

    @property
    def numbering(self) -> tuple[str, int, bool]:
        """What all pictures of one board have in common, however much of it they show."""
        return self.kind, self.columns, self.begins_marked


def markers_layout(image: Image) -> Layout | None:
    """How the markers of a ChArUco board lie that a picture shows, in three rows and columns or more; None for none."""
    gray = gray_of(image)
    for kind in _KINDS:
        if len(_detector(kind, _ASKED_FIRST).detectMarkers(gray)[0]) < _FEWEST_MARKERS:
            continue
        corners, ids, _ = _detector(kind, _SIZES[-1]).detectMarkers(gray)
        layout = _likeliest(kind, np.array(corners, float).reshape(-1, 4, 2), np.ravel(ids))
        if layout is not None:
            return layout
    return None


def board_laid_so(layouts: Sequence[Layout]) -> Board:
    """The board that is numbered as in all these pictures, as large as they show it together: a usual one, where one
    is so numbered and no smaller."""
    kind, columns, begins_marked = layouts[0].numbering
    rows = max(layout.rows for layout in layouts)
    share = float(np.median([layout.share for layout in layouts]))
    for usual in MARKED_BOARDS:
        alike = usual.columns == columns and usual.rows >= rows and abs(usual.marker_share - share) < _SAME_SHARE
        if alike and not begins_marked and str(usual.dictionary).startswith(kind.removesuffix(str(_SIZES[-1]))):
            return usual
    rows += begins_marked and rows % 2
    return Board(columns, rows, _dictionary(kind, columns * rows // 2), round(share, 3), begins_marked)


def shows_mirrored(image: Image) -> bool:
    """Whether a ChArUco board shows as in a mirror. Its squares alone are a chessboard's, which has no sides: they tell
    the lens of the mirrored picture, which is not the camera's."""
    turned = np.ascontiguousarray(image[:, ::-1])
    return markers_layout(turned) is not None or usual_board([turned], MARKED_BOARDS) is not None


def _dictionary(kind: str, markers: int) -> str:
    """The smallest of a kind that holds so many."""
    if not kind.endswith(f"_{_SIZES[-1]}"):
        return kind
    return kind.replace(str(_SIZES[-1]), str(next(size for size in _SIZES if size >= min(markers, _SIZES[-1]))))


@lru_cache(maxsize=2 * len(_KINDS))
def _detector(kind: str, most: int) -> cv2.aruco.ArucoDetector:
    """Of the first so many markers of a kind."""
    words = dictionary_named(kind)
    return cv2.aruco.ArucoDetector(
        cv2.aruco.Dictionary(words.bytesList[:most], words.markerSize, words.maxCorrectionBits)
    )


def _likeliest(kind: str, quads: Array, ids: NDArray[np.intp]) -> Layout | None:
    """The numbering that explains where markers (n, 4, 2) px lie; None where none does, or two do."""
    tried = [_laid(kind, quads, ids, columns, begins) for columns in _COLUMNS for begins in (False, True)]
    ranked = sorted((each for each in tried if each is not None), key=lambda each: each.off_squares)
    if not ranked or ranked[0].off_squares > _WORST_SQUARES:
        return None
    if len(ranked) > 1 and ranked[0].off_squares > _OF_THE_NEXT * ranked[1].off_squares:
        return None
    return ranked[0] if _SHARES[0] < ranked[0].share < _SHARES[1] else None


def _laid(kind: str, quads: Array, ids: NDArray[np.intp], columns: int, begins_marked: bool) -> Layout | None:
    """How markers (n, 4, 2) px lie if they are numbered so; None where they lie in fewer than three rows or columns."""
    squares = _squares_of(ids, columns, begins_marked)
    if min(len(np.unique(squares[:, axis])) for axis in (0, 1)) < _FEWEST_ROWS:
        return None
    middles = quads.mean(axis=1)
    to_squares, _ = cv2.findHomography(middles, squares + 0.5, 0)
    if np.shape(to_squares) != (3, 3):
        return None
    off = cv2.perspectiveTransform(middles[None], to_squares)[0] - squares - 0.5
    sides = cv2.perspectiveTransform(quads.reshape(1, -1, 2), to_squares)[0].reshape(-1, 4, 2)
    share = float(np.median(np.linalg.norm(sides - np.roll(sides, 1, axis=1), axis=2)))
    off_squares = float(np.sqrt(np.mean(np.sum(np.square(off), axis=1))))
    return Layout(kind, columns, int(squares[:, 1].max()) + 1, begins_marked, share, off_squares)


def _squares_of(ids: NDArray[np.intp], columns: int, begins_marked: bool) -> Array:
    """(n, 2) column and row of the squares that bear markers of these numbers: every second one, row by row."""
    in_first = (columns + begins_marked) // 2
    pair, left = np.divmod(ids, columns)
    is_second = left >= in_first
    place = np.where(is_second, left - in_first, left)
    return np.column_stack([2 * place + (is_second == begins_marked), 2 * pair + is_second]).astype(float)
