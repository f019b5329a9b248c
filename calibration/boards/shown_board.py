"""Which board pictures show: ours, a usual one, or any other ChArUco or chessboard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.boards.board import (
    MARKED_BOARDS,
    MIRRORED,
    PLAIN_BOARDS,
    USUAL_BOARDS,
    Board,
    largest_chessboard,
    usual_board,
    whole_board,
)
from calibration.boards.marked_board import Layout, board_laid_so, markers_layout, shows_mirrored

Image = NDArray[np.uint8]

# So many pictures, from the first to the last, are asked which board they show.
_ASKED = 7
# One may be taken for another; so many that show the same are not.
_AGREED = 2


def shown_board(images: Sequence[Image]) -> Board | None:
    """The board that the most pictures show: in a folder one picture may show another, or two.

    Some pictures say each which it shows, for a chessboard holds smaller ones: such a one is seen in all of them.
    ValueError where as many of them show one mirrored.
    """
    places = np.unique(np.linspace(0, len(images) - 1, _ASKED).round().astype(int)) if images else ()
    asked = [images[place] for place in places]
    layouts = [markers_layout(image) for image in asked]
    votes = _votes_by_markers(asked, layouts)
    unread = [image for image, layout in zip(asked, layouts, strict=True) if layout is None]
    mirrored = 0
    for image in unread:
        marked = usual_board([image], MARKED_BOARDS)
        if marked is None and shows_mirrored(image):
            mirrored += 1
        elif (board := marked or usual_board([image], PLAIN_BOARDS)) is not None:
            votes.setdefault(board, []).append(image)
    if mirrored and mirrored >= max(map(len, votes.values()), default=0):
        raise ValueError(MIRRORED)
    if max(map(len, votes.values()), default=0) < _AGREED and (told := largest_chessboard(asked, _AGREED)) is not None:
        return told
    if not votes:
        return usual_board([image for place, image in enumerate(images) if place not in places])
    most = max(votes, key=lambda board: (len(votes[board]), _how_usual(board)))
    parts = [image for board in votes if board != most and not board.dictionary for image in votes[board]]
    return whole_board(votes[most], most, parts)


def _votes_by_markers(images: Sequence[Image], layouts: Sequence[Layout | None]) -> dict[Board, list[Image]]:
    """The pictures that show each board whose markers are read, which several pictures tell together."""
    shown: dict[tuple[str, int, bool], list[tuple[Image, Layout]]] = {}
    for image, layout in zip(images, layouts, strict=True):
        if layout is not None:
            shown.setdefault(layout.numbering, []).append((image, layout))
    return {board_laid_so([layout for _, layout in pairs]): [image for image, _ in pairs] for pairs in shown.values()}


def _how_usual(board: Board) -> int:
    return -USUAL_BOARDS.index(board) if board in USUAL_BOARDS else -len(USUAL_BOARDS)
