"""Annotating a whole source: every frame refereed and logged, and painted where it is recorded."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rules.files.log import MatchLog
from ui.paint.banner import Banner
from ui.paint.canvas import Canvas
from ui.paint.overlay import Overlay
from ui.paint.projection import Projection, has_more_room_above
from ui.paint.view import View, banner_of
from ui.playing.loop import Referee, Tick
from ui.playing.recorder import Recorder
from ui.playing.saved import begun_log, header_of_film, refuse_used
from ui.telling.results import kept_unless_refused
from ui.telling.words import MOST_LETTERS, turn_words
from vision.frame import Frame


@dataclass(eq=False)
class Painter:
    """Paints ticks: picture, marks, banner. One canvas and one layer for all frames of a source."""

    canvas: Canvas
    overlay: Overlay
    view: View

    @classmethod
    def over(cls, frame: Frame, projection: Projection, table_size_mm: tuple[float, float]) -> Painter:
        """A painter for pictures like `frame`, which shows a table of that size."""
        height, width = frame.image_bgr.shape[:2]
        above = has_more_room_above(projection, table_size_mm, (width, height))
        return cls(Canvas((width, height)), Overlay((width, height), projection, banner_at_top=above), View())

    def paint(self, tick: Tick, selected: str | None = None, status: str = "") -> Canvas:
        """The painted picture; it is overwritten by the next call."""
        self.canvas.load(tick.frame.image_bgr)
        if tick.plane is not None:
            self.overlay.look_through(tick.plane)
        marks = self.view.marks(tick.match, tick.before, selected) if tick.plane is not None else ()
        self.overlay.paint(self.canvas.image, marks, _with_turn(banner_of(tick, status), tick))
        return self.canvas


def _with_turn(said: Banner, tick: Tick) -> Banner:
    """The banner with turn, phase and player, and what is left on the clock, where one runs."""
    if tick.match is None:
        return said
    return replace(said, turn=turn_words(tick.match.state, tick.left_s, MOST_LETTERS))


@dataclass(frozen=True, eq=False)
class Recording:
    """The painted picture of a match, recorded as the match goes on."""

    painter: Painter
    recorder: Recorder

    def add(self, tick: Tick) -> None:
        """Paint and record one tick."""
        self.recorder.write(self.painter.paint(tick).bgra, tick.frame.t_s)


@contextmanager
def film_log(path: Path, referee: Referee, film: str) -> Iterator[MatchLog]:
    """The log of a film, which takes its name at the end, or that of a part if it is cut off; thrown away if the input
    is at fault, or if somebody plays there meanwhile."""
    with kept_unless_refused(path) as temporary:
        try:
            with MatchLog.create(temporary, header_of_film(referee, film)) as log:
                yield log
        finally:
            refuse_used(path, None)


def annotated(
    frames: Iterable[Frame | None],
    referee: Referee,
    projection: Projection,
    out: Path | None,
    log: Path | None,
    *,
    live: bool = False,
    played: bool = False,
) -> Generator[Tick]:
    """Every tick, recorded to `out` as painted and logged to `log` before it is handed on.

    If the work is interrupted or the disk is full, what was made is kept: under the file's name, or beside a file that
    has that name already. If the input is at fault (ValueError) it is thrown away. Nothing is opened before the first
    frame is there.

    played  whether the match is played now, and not shown by a film: then its log goes on and is always kept, its film
            also if the source breaks off (BrokenVideoError), and no older film is replaced
    """
    with ExitStack() as files:
        recording: Recording | None = None
        match_log: MatchLog | None = None
        for number, tick in enumerate(referee.watch(frames)):
            if number == 0:
                if out is not None:
                    painter = Painter.over(tick.frame, projection, referee.setup.table_size_mm)
                    recorder = Recorder(out, painter.canvas.size_px, live=live, played=played)
                    recording = Recording(painter, files.enter_context(recorder))
                match_log = files.enter_context(_opened(log, referee, tick.frame, played)) if log is not None else None
            if recording is not None:
                recording.add(tick)
            if match_log is not None and tick.events:
                match_log.append(tick.events)
            yield tick


def _opened(path: Path, referee: Referee, first: Frame, played: bool) -> AbstractContextManager[MatchLog]:
    return begun_log(path, referee) if played else film_log(path, referee, first.source)
