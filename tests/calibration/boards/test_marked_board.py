"""ChArUco boards of any size and dictionary, told by where their markers lie."""

import cv2
import numpy as np
import pytest

from calibration.boards.board import USUAL_BOARDS, Board, find_board
from calibration.boards.marked_board import board_laid_so, markers_layout, shows_mirrored
from calibration.boards.shown_board import shown_board

SQUARE_PX = 60


def sheet(board):
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
    drawn = cv2.aruco.CharucoBoard((board.columns, board.rows), 1.0, board.marker_share, words)
    drawn.setLegacyPattern(board.begins_marked)
    whole = drawn.generateImage((board.columns * SQUARE_PX, board.rows * SQUARE_PX))
    return cv2.GaussianBlur(np.pad(whole, 40, constant_values=235), (0, 0), 0.8)


def aslant(picture, seed=0):
    """As a camera sees it from one side, by another each time."""
    height, width = picture.shape
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    pushed = corners + np.random.default_rng(seed).uniform(-0.12, 0.12, (4, 2)) * (width, height) + 60
    turned = cv2.getPerspectiveTransform(corners, pushed.astype(np.float32))
    return cv2.warpPerspective(picture, turned, (width + 120, height + 120), borderValue=90)


BOARDS = [
    Board(8, 6, "DICT_5X5_50", 0.75, begins_marked=True),
    Board(10, 6, "DICT_7X7_50", 0.7, begins_marked=True),
    Board(8, 6, "DICT_5X5_50", 0.75),
    Board(11, 8, "DICT_4X4_50", 0.75),
    Board(14, 9, "DICT_5X5_100", 0.78),
    Board(6, 9, "DICT_6X6_50", 0.5),
    Board(9, 7, "DICT_APRILTAG_36h11", 0.75),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_any_board_is_told_by_its_markers(board):
    """Only usual ones were: those of OpenCV before 4.6 and of other sizes passed for chessboards, or for none."""
    told = shown_board([aslant(sheet(board), seed) for seed in range(4)])
    assert told is not None
    assert (told.columns, told.rows, told.dictionary) == (board.columns, board.rows, board.dictionary)
    assert told.begins_marked == board.begins_marked
    assert told.marker_share == pytest.approx(board.marker_share, abs=0.03)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_its_corners_lie_where_the_squares_meet(board):
    view = find_board(sheet(board), board)
    assert view is not None and len(view.board) == (board.columns - 1) * (board.rows - 1)
    assert np.abs(view.corners_px - (SQUARE_PX * (view.board + 1) + 39.5)).max() < 0.1


@pytest.mark.parametrize("usual", [board for board in USUAL_BOARDS if board.dictionary], ids=lambda board: board.name)
def test_a_usual_board_is_that_one_even_where_a_part_of_it_shows(usual):
    whole = sheet(usual)
    layout = markers_layout(whole[: -SQUARE_PX - 40])
    assert layout is not None and board_laid_so([layout]) == usual == shown_board([whole])


def test_a_board_is_as_large_as_its_pictures_show_it_together():
    board = Board(8, 11, "DICT_4X4_50", 0.75)
    whole = sheet(board)
    layouts = [markers_layout(whole[: 6 * SQUARE_PX]), markers_layout(whole[5 * SQUARE_PX :])]
    assert all(layouts) and layouts[0].rows < 7
    assert board_laid_so(layouts).rows == 11


def test_a_mirrored_board_is_told_whatever_its_size():
    picture = sheet(Board(8, 6, "DICT_5X5_50", 0.75))
    assert shows_mirrored(picture[:, ::-1]) and not shows_mirrored(picture)
    with pytest.raises(ValueError, match="mirrored"):
        shown_board([picture[:, ::-1]])


def test_markers_that_lie_about_are_no_board():
    """Six and more of a table's markers lie as no board numbers them."""
    rng = np.random.default_rng(5)
    table = np.full((700, 900), 200, np.uint8)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, place in enumerate(rng.permutation(24)[:10]):
        left, top = 40 + 140 * (place % 6) + rng.integers(30), 40 + 160 * (place // 6) + rng.integers(30)
        table[top : top + 80, left : left + 80] = 255
        table[top + 10 : top + 70, left + 10 : left + 70] = cv2.aruco.generateImageMarker(words, number, 60)
    assert len(cv2.aruco.ArucoDetector(words).detectMarkers(table)[0]) == 10
    assert markers_layout(table) is None and shown_board([table]) is None


@pytest.mark.parametrize(("columns", "rows"), [(7, 7), (13, 9), (12, 9), (5, 4)])
def test_any_chessboard_is_told_whole(columns, rows):
    """One of 8 x 8 squares, as people have, was taken for a part of it, and no two views told the same."""
    squares = np.kron(np.indices((rows + 1, columns + 1)).sum(axis=0) % 2, np.ones((48, 48)))
    picture = np.pad(np.where(squares, 230, 25), 60, constant_values=230).astype(np.uint8)
    assert shown_board([aslant(picture, seed) for seed in range(4)]) == Board(columns, rows)
