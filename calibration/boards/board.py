"""Chessboards and ChArUco boards in pictures: the points that a lens is calibrated by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import dictionary_named, gray_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# Six corners fix a view and leave some to judge it by.
FEWEST_CORNERS = 6
_SADDLE_WINDOW = (5, 5)
_LEAST_WINDOW = 2
_SADDLE_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-3)
_SEARCH_WIDTH_PX = 1280
# So many of the pictures that show a chessboard are asked whether it is a part of each larger usual one.
_ASKED_WHOLE = 2
# Of fewer inner corners a carpet may show as many.
_LEAST_CHESSBOARD = (4, 3)
# The smallest usual one is larger.
_LEAST_ALONE = (5, 4)
# So many sizes are looked for, the largest first.
_TRIED = 4


@dataclass(frozen=True)
class Board:
    """A flat board of squares.

    columns, rows  squares, for a ChArUco board; inner corners, for a chessboard (dictionary None)
    marker_share   marker side over square side
    begins_marked  whether the first square bears a marker, as on boards of even rows that OpenCV drew before 4.6
    """

    columns: int
    rows: int
    dictionary: str | None = None
    marker_share: float = 25 / 34
    begins_marked: bool = False

    @property
    def name(self) -> str:
        """What a person calls it."""
        kind = f"ChArUco board of {self.dictionary}" if self.dictionary else "chessboard"
        return f"{self.columns} x {self.rows} {kind}"


# What `sandtable print charuco` prints, then the boards that OpenCV's own pages and most tutorials use.
USUAL_BOARDS = (
    Board(7, 5, "DICT_4X4_50"),
    Board(7, 5, "DICT_5X5_100"),
    Board(5, 7, "DICT_6X6_250", 0.5),
    Board(5, 7, "DICT_6X6_250", 2 / 3),
    Board(9, 6),
    Board(10, 7),
    Board(8, 6),
    Board(7, 6),
    Board(7, 5),
    Board(8, 5),
    Board(11, 8),
    Board(6, 4),
)
MARKED_BOARDS = tuple(board for board in USUAL_BOARDS if board.dictionary)
PLAIN_BOARDS = tuple(board for board in USUAL_BOARDS if not board.dictionary)
MIRRORED = (
    "the board shows mirrored: switch mirroring off in the camera's program, and take the pictures again (or print the "
    "board anew, if its markers are printed mirrored)"
)


@dataclass(frozen=True, eq=False)
class BoardView:
    """The corners of a board in one picture: corners_px (n, 2), board (n, 2) in squares, and the picture's name.

    bent  (n, 3) squares by which a bent board's corners lie off a flat one's; None of a flat one
    """

    name: str
    corners_px: Array
    board: Array
    size_px: tuple[int, int]
    bent: Array | None = None

    @property
    def points(self) -> Array:
        """(n, 3) the corners on the board, squares."""
        flat = np.column_stack([self.board, np.zeros(len(self.board))])
        return flat if self.bent is None else flat + self.bent


def find_board(image: Image, board: Board, name: str = "") -> BoardView | None:
    """The board's inner corners, sub-pixel; None if it is not seen whole (a ChArUco board may be seen in part, by more
    than a row)."""
    gray = gray_of(image)
    corners = _charuco(gray, board) if board.dictionary else _chessboard(gray, board)
    if corners is None or len(corners[0]) < FEWEST_CORNERS or _are_in_row(corners[1]):
        return None
    return BoardView(name, corners[0], corners[1], (gray.shape[1], gray.shape[0]))


def usual_board(images: Iterable[Image], boards: Sequence[Board] = USUAL_BOARDS) -> Board | None:
    """The first of the boards that one of the pictures shows."""
    for image in images:
        for board in boards:
            if find_board(image, board) is not None:
                return board
    return None


def whole_board(images: Sequence[Image], board: Board, others: Sequence[Image] = ()) -> Board:
    """The largest board that holds a chessboard which these pictures show, if one shows it; else that one.

    A chessboard holds smaller ones, of which one is found here and another there: of one of 11 x 8 that was taken for
    8 x 6 no two views told the same. One of no usual size must be shown by half as many pictures, of these and `others`
    that show another part.
    """
    if board.dictionary:
        return board
    sides = sorted((board.columns, board.rows))
    fewest = max(min(2, len(images)), (len(images) + 1) // 2)
    if (largest := largest_chessboard([*images, *others], fewest, (sides[1], sides[0]))) is not None:
        return largest
    larger = [each for each in PLAIN_BOARDS if is_part(board, each)]
    larger.sort(key=lambda each: -each.columns * each.rows)
    asked = images[:_ASKED_WHOLE]
    return next((each for each in larger if any(find_board(image, each) is not None for image in asked)), board)


def largest_chessboard(
    images: Sequence[Image], fewest: int, holds: tuple[int, int] = _LEAST_CHESSBOARD
) -> Board | None:
    """The largest chessboard, whatever its size, that at least so many of the pictures show whole and that is larger
    than one of `holds` inner corners, longer side first; None for none.

    OpenCV finds a part here and another there, of which the longest sides are the whole board's.
    """
    shown = {size for image in images if (size := _squares_shown(gray_of(image))) is not None}
    joint = {(max(longer for longer, _ in shown), max(shorter for _, shorter in shown))} if shown else set()
    larger = [size for size in shown | joint if is_part(Board(*holds), Board(*size))]
    for size in sorted(larger, key=lambda each: -each[0] * each[1])[:_TRIED]:
        board = Board(*size)
        whole = (1 for image in images if find_board(image, board) is not None)
        if sum(islice(whole, fewest)) == fewest:
            return board
    return None


def grown_chessboard(image: Image) -> Board | None:
    """The chessboard that a picture shows whole, by a search that grows from a few squares; None for none, or one of
    less than 6 x 4 or 5 x 5 inner corners. To ask for each usual one in turn takes ten times as long, but sees some
    that this does not."""
    size = _squares_shown(gray_of(image))
    if size is None or not is_part(Board(*_LEAST_ALONE), Board(*size)):
        return None
    return Board(*size) if find_board(image, Board(*size)) is not None else None


def is_part(board: Board, whole: Board) -> bool:
    """Whether a chessboard is smaller than another that holds it."""
    sides, longer = (sorted((each.columns, each.rows)) for each in (board, whole))
    return sides != longer and sides[0] <= longer[0] and sides[1] <= longer[1]


def _squares_shown(gray: Image) -> tuple[int, int] | None:
    """The inner corners, longer side first, of the largest chessboard that a picture shows."""
    flags = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_LARGER
    found, _, squares = cv2.findChessboardCornersSBWithMeta(_shrunk(gray)[0], _LEAST_CHESSBOARD, flags)
    return (max(squares.shape), min(squares.shape)) if found else None


def _are_in_row(board: Array) -> bool:
    """Whether corners (n, 2), or all of them but one, lie on a line: they tell no view, and one such view told OpenCV
    that all contradict one another."""
    others = [np.delete(board, corner, axis=0) for corner in range(len(board))]
    return any(np.linalg.matrix_rank(few - few[0]) < 2 for few in others)


def _charuco(gray: Image, board: Board) -> tuple[Array, Array] | None:
    corners, ids, _, _ = _charuco_detector(board).detectBoard(gray)
    # cv2 gives None for no corners, whatever its stubs say.
    if np.size(corners) < 2 * FEWEST_CORNERS or np.size(ids) < FEWEST_CORNERS:
        return None
    numbers = np.ravel(ids)
    places = np.c_[numbers % (board.columns - 1), numbers // (board.columns - 1)]
    return _at_saddles(gray, np.asarray(corners, np.float32), board), places.astype(float)


def _at_saddles(gray: Image, corners: NDArray[np.float32], board: Board) -> Array:
    """(n, 2) where the squares of a ChArUco board meet, by a window that no marker reaches into: OpenCV's own corners
    of boards through a wide lens were 0.20 px off (RMS), so 0.09, as a chessboard's are."""
    corners = corners.reshape(-1, 1, 2)
    window = min(_SADDLE_WINDOW[0], int(_shortest_gap(corners[:, 0]) * (1 - board.marker_share) / 2) - 1)
    if window < _LEAST_WINDOW:
        return np.asarray(corners, float).reshape(-1, 2)
    refined = cv2.cornerSubPix(gray, corners.copy(), (window, window), (-1, -1), _SADDLE_STOP)
    return np.asarray(refined, float).reshape(-1, 2)


@lru_cache(maxsize=8)
def _charuco_detector(board: Board) -> cv2.aruco.CharucoDetector:
    words = dictionary_named(str(board.dictionary))
    sheet = cv2.aruco.CharucoBoard((board.columns, board.rows), 1.0, board.marker_share, words)
    sheet.setLegacyPattern(board.begins_marked)
    return cv2.aruco.CharucoDetector(sheet)


def _chessboard(gray: Image, board: Board) -> tuple[Array, Array] | None:
    """Found on a smaller picture, refined on the whole one; a saddle is what cornerSubPix is right for."""
    small, shrink = _shrunk(gray)
    size = (board.columns, board.rows)
    flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
    found, corners = cv2.findChessboardCorners(small, size, flags=flags)
    if not found:
        found, corners = cv2.findChessboardCornersSB(small, size, flags=cv2.CALIB_CB_NORMALIZE_IMAGE)
    if not found:
        return None
    seeds = ((np.asarray(corners, np.float32).reshape(-1, 1, 2) + 0.5) / shrink - 0.5).astype(np.float32)
    window = min(_SADDLE_WINDOW[0], max(_LEAST_WINDOW, int(_shortest_gap(seeds[:, 0]) / 3)))
    refined = cv2.cornerSubPix(gray, seeds, (window, window), (-1, -1), _SADDLE_STOP)
    places = np.c_[np.tile(np.arange(board.columns), board.rows), np.repeat(np.arange(board.rows), board.columns)]
    return np.asarray(refined, float).reshape(-1, 2), places.astype(float)


def _shrunk(gray: Image) -> tuple[Image, float]:
    """The picture as chessboards are looked for in, and its size, of the whole one's."""
    shrink = min(1.0, _SEARCH_WIDTH_PX / max(gray.shape))
    return np.asarray(cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8), shrink


def _shortest_gap(corners: NDArray[np.float32]) -> float:
    return float(np.hypot(*np.diff(corners, axis=0).T).min())
