"""Collecting views of a board from a live camera, with a word on where to hold it next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, BoardView, find_board, usual_board
from calibration.lens_fit import GOOD_VIEWS, coverage_of
from vision.frame import Frame

# A board takes 0.1 s to find; more often is not needed while somebody moves it about.
_LOOK_EVERY_S = 0.6
# A view counts when its corners lie this share of the picture's width from every view before.
_NEW_VIEW = 0.06
WANTED_VIEWS = 2 * GOOD_VIEWS
_WANTED_COVERAGE = 0.8

Look = Callable[[Frame, BoardView | None, Sequence[BoardView]], bool]


@dataclass(frozen=True, eq=False)
class Quarter:
    """A quarter of the picture: its name, its rows and columns among the cells of `coverage_of`, and what share of
    them holds a corner."""

    name: str
    cells: tuple[NDArray[np.intp], NDArray[np.intp]]
    share: float


def _unwatched(*_: object) -> bool:
    """Nobody looks: on until there are enough."""
    return True


def collected(
    frames: Iterable[Frame], board: Board | None, say: Callable[[str], None], look: Look = _unwatched
) -> tuple[list[BoardView], Board]:
    """Views from a source until there are enough, it ends, or Ctrl-C says that it is enough; and the board in them.

    look  is shown each picture, the board where it was seen last, and the views; False says that it is enough
    ValueError if no board was seen.
    """
    views: list[BoardView] = []
    view: BoardView | None = None
    due_s = 0.0
    with suppress(KeyboardInterrupt):
        for frame in frames:
            if frame.t_s >= due_s:
                due_s = frame.t_s + _LOOK_EVERY_S
                board = board or usual_board([frame.image_bgr])
                view = find_board(frame.image_bgr, board, f"{frame.t_s:.1f} s") if board is not None else None
                if view is not None and _is_new(view, views):
                    views.append(view)
                    say(_progress(views))
            if not look(frame, view, views) or _are_enough(views):
                break
    if board is None:
        raise ValueError("no chessboard or ChArUco board came into view; print one: sandtable print charuco")
    return views, board


def _are_enough(views: list[BoardView]) -> bool:
    return len(views) >= WANTED_VIEWS and bool(coverage_of(views).mean() >= _WANTED_COVERAGE)


def _is_new(view: BoardView, views: list[BoardView]) -> bool:
    return all(_moved(view, other) > _NEW_VIEW * view.size_px[0] for other in views)


def _moved(view: BoardView, other: BoardView) -> float:
    """The mean distance of the corners that both views show, px; far apart if they share none."""
    seen = {tuple(place): corner for place, corner in zip(view.board.tolist(), view.corners_px, strict=True)}
    pairs = [
        (seen[tuple(place)], corner)
        for place, corner in zip(other.board.tolist(), other.corners_px, strict=True)
        if tuple(place) in seen
    ]
    return float(np.mean([np.hypot(*(here - there)) for here, there in pairs])) if pairs else np.inf


def _progress(views: list[BoardView]) -> str:
    coverage = coverage_of(views)
    return f"view {len(views)}: {coverage.mean():.0%} of the picture covered; {hint(coverage)}"


def hint(coverage: NDArray[np.bool_]) -> str:
    """Where to hold the board next, by what `coverage_of` tells."""
    quarter = emptiest(coverage)
    return f"hold the board in the {quarter.name}" if quarter is not None else "tilt the board, and go on"


def emptiest(coverage: NDArray[np.bool_]) -> Quarter | None:
    """The quarter of the picture with the fewest corners; None where all have enough."""
    rows, columns = (np.array_split(np.arange(side), 2) for side in coverage.shape)
    quarters = [
        Quarter(f"{upper} {left}", (rows[r], columns[c]), float(coverage[np.ix_(rows[r], columns[c])].mean()))
        for r, upper in enumerate(("upper", "lower"))
        for c, left in enumerate(("left", "right"))
    ]
    quarter = min(quarters, key=lambda each: each.share)
    return quarter if quarter.share < _WANTED_COVERAGE else None
