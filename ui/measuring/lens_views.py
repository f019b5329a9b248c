"""Collecting views of a board from a live camera, with a word on where to hold it next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.boards.board import (
    MARKED_BOARDS,
    MIRRORED,
    PLAIN_BOARDS,
    Board,
    BoardView,
    find_board,
    grown_chessboard,
    is_part,
    usual_board,
    whole_board,
)
from calibration.boards.lens_fit import FEWEST_VIEWS, GOOD_VIEWS, coverage_of
from calibration.boards.marked_board import Layout, board_laid_so, markers_layout, shows_mirrored
from ui.playing.pulse import Ailing
from vision.frame import Frame
from vision.stream.health import Trouble

# A board takes 0.1 s to find; more often is not needed while somebody moves it about.
_LOOK_EVERY_S = 0.6
# A board that comes into view shows in part at first.
_LOOKS_AT_UNUSUAL = 4
# One look may take what lies beside a chessboard for squares of it.
_LOOKS_AGREED = 2
# A view counts when its corners lie this share of the picture's width from every view before.
_NEW_VIEW = 0.06
WANTED_VIEWS = 2 * GOOD_VIEWS
_WANTED_COVERAGE = 0.8
# Without any board for this long it is said what is looked for.
_REMIND_S = 6.0
# A camera that is lost for so long is not waited for any more.
GIVEN_UP_S = 10.0

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
    frames: Iterable[Frame | None],
    board: Board | None,
    say: Callable[[str], None],
    look: Look = _unwatched,
    camera: Ailing | None = None,
) -> tuple[list[BoardView], Board]:
    """Views from a source until there are enough, it ends, or Ctrl-C says that it is enough; and the board in them.

    frames  from the source; None among them says that a live source has had nothing new for a moment
    look    called with each picture, the board as last seen, and the views; it returns False when these are enough
    camera  tells what is wrong with the camera; one that stays lost for `GIVEN_UP_S` is given up
    ValueError if no board was seen, or the camera was lost before there were views enough.
    """
    search = Search(board, say)
    with suppress(KeyboardInterrupt):
        for frame in frames:
            if frame is not None:
                search.see(frame)
            elif camera is not None and search.is_given_up(camera.trouble):
                break
            if search.shown is not None and not look(search.shown, search.view, search.views):
                break
            if _are_enough(search.views):
                break
    if search.board is None:
        raise ValueError("no chessboard or ChArUco board came into view; print one: sandtable print charuco board.pdf")
    return search.views, search.board


@dataclass(eq=False)
class Search:
    """What was found so far: the board, its views that count, and the view in the picture shown last."""

    board: Board | None
    say: Callable[[str], None]
    views: list[BoardView] = field(default_factory=list)
    view: BoardView | None = None
    shown: Frame | None = None
    _looks: int = 0
    _layouts: list[Layout] = field(default_factory=list)
    _grown: list[Board] = field(default_factory=list)
    _due_s: float = 0.0
    _told: str = ""
    _lost_since_s: float | None = None

    def see(self, frame: Frame) -> None:
        """Take the next picture; look for the board in it if the last look was long enough ago."""
        self.shown, self._lost_since_s = frame, None
        if frame.t_s < self._due_s:
            return
        self._due_s = frame.t_s + _LOOK_EVERY_S
        self._looks += 1
        self.board, told = self.board or self._board_in(frame), self.board is not None
        self.view = self._view_in(frame)
        if told and (self.view is None or _is_new(self.view, self.views)):
            self._ask_for_whole(frame)
        if self.view is None:
            self._remind(frame)
        elif self.views and self.view.size_px != self.views[0].size_px:
            self._tell(_switched(self.view, self.views[0]))
        elif _is_new(self.view, self.views):
            self.views.append(self.view)
            self.say(_progress(self.views))

    def _view_in(self, frame: Frame) -> BoardView | None:
        return find_board(frame.image_bgr, self.board, f"{frame.t_s:.1f} s") if self.board is not None else None

    def _ask_for_whole(self, frame: Frame) -> None:
        """Begin anew where the chessboard turns out to be a part of another board: no two views of a part tell the same
        corners."""
        part = self.board
        if part is None or part.dictionary or (whole := self._whole_of(part, frame)) is None:
            return
        if self.views:
            self.say(f"the board is the {whole.name}, not the {part.name}: the views begin anew")
        self.board, self.views = whole, []
        self.view = self._view_in(frame)

    def _whole_of(self, part: Board, frame: Frame) -> Board | None:
        """The board that a chessboard is a part of: one whose markers are read by now, or a larger one that shows more
        often; None for none. One look may take what lies beside it for squares."""
        if (layout := markers_layout(frame.image_bgr)) is not None:
            return self._marked_board(layout)
        grown = self._grown_in(frame)
        if grown is None or not is_part(part, grown):
            return None
        lead = self._grown.count(grown) - self._grown.count(part)
        return grown if lead >= _LOOKS_AGREED else None

    def _grown_in(self, frame: Frame) -> Board | None:
        grown = grown_chessboard(frame.image_bgr)
        self._grown += [grown] if grown is not None else []
        return grown

    def is_given_up(self, trouble: Trouble | None) -> bool:
        """Whether a camera that brings nothing has been away for too long; what is wrong is told once."""
        if trouble is None:
            return False
        so_far = f"Ctrl-C ends with the {len(self.views)} views so far"
        self._tell(f"the camera brings no picture; trying again for {GIVEN_UP_S:.0f} s; {so_far}")
        now_s = time.monotonic()
        self._lost_since_s = self._lost_since_s or now_s
        if now_s - self._lost_since_s < GIVEN_UP_S:
            return False
        if len(self.views) < FEWEST_VIEWS:
            raise ValueError(
                f"the camera was lost after {len(self.views)} views, and at least {FEWEST_VIEWS} are needed: "
                "start it and begin again"
            )
        self.say(f"the camera stays lost: going on with {len(self.views)} views")
        return True

    def _board_in(self, frame: Frame) -> Board | None:
        """The board that a picture shows; None for none, or for a mirrored one with markers, which is told.

        All boards with markers are tried in each picture, then the search that grows, and one chessboard in turn, since
        all take a second. A chessboard contains smaller ones: if any is seen, all are tried in their order.
        """
        if (layout := markers_layout(frame.image_bgr)) is not None:
            return self._marked_board(layout)
        if (marked := usual_board([frame.image_bgr], MARKED_BOARDS)) is not None:
            return marked
        if shows_mirrored(frame.image_bgr):
            self._tell(MIRRORED)
            return None
        if (grown := self._grown_in(frame)) is not None:
            return grown if grown in PLAIN_BOARDS or self._grown.count(grown) >= _LOOKS_AGREED else None
        if usual_board([frame.image_bgr], (PLAIN_BOARDS[self._looks % len(PLAIN_BOARDS)],)) is None:
            return None
        board = usual_board([frame.image_bgr], PLAIN_BOARDS)
        return whole_board([frame.image_bgr], board) if board is not None else None

    def _marked_board(self, layout: Layout) -> Board | None:
        """The board whose markers lie so: a usual one at once, any other once a few pictures have shown how large it
        is."""
        alike = [each for each in self._layouts if each.numbering == layout.numbering]
        self._layouts = [*alike, layout]
        board = board_laid_so(self._layouts)
        return board if board in MARKED_BOARDS or len(self._layouts) >= _LOOKS_AT_UNUSUAL else None

    def _remind(self, frame: Frame) -> None:
        if not self.views and frame.t_s > _REMIND_S and self._told != MIRRORED:
            self._tell(
                "no board is seen yet: hold one whole, flat and in good light; "
                "sandtable print charuco board.pdf makes one"
            )

    def _tell(self, sentence: str) -> None:
        """Say it, but not twice in a row."""
        if sentence != self._told:
            self.say(sentence)
        self._told = sentence


def _switched(view: BoardView, first: BoardView) -> str:
    now, then = (f"{width} x {height}" for width, height in (view.size_px, first.size_px))
    return f"the camera switched from {then} to {now}: switch it back, only views of one size count"


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
