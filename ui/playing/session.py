"""Opening a match to watch: source, first picture, table plane, eyes, referee, and the log that it goes on from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain
from threading import Thread

from calibration.plane import TablePlane
from rules.games import game_named
from rules.match import Match
from rules.state import State
from rules.warm import warm
from ui.measuring.landmarks import landmarks_of
from ui.measuring.map_seen import UNSEEN, ByMap, as_the_map_shows
from ui.measuring.measured import measured_plane
from ui.measuring.since import moved_since
from ui.measuring.table import anchor_of
from ui.paint.grid import grid_finder
from ui.playing.loop import Referee
from ui.playing.pulse import Pulse
from ui.setup.setup_file import SetupFile
from ui.still import first_of
from vision.beside import beside_frames
from vision.frame import Frame
from vision.look_at import LookAt, Readied
from vision.observe import Observer
from vision.source import Source

# So long a camera or film is looked at that does not show the table as its set-up says.
PATIENCE_S = 8.0
# A film is looked at again so long after its beginning, and then each time a third later: of some sheets a try takes
# seconds.
_AGAIN_S, _LATER = 0.5, 4 / 3
_TOO_LATE = f"so in the film's first {PATIENCE_S:.0f} s: if the table shows later, cut off what comes before"


@dataclass(eq=False)
class Session:
    """A match about to be watched: all its frames, the first included, and who referees them.

    frames  None among them tells that a live source has had nothing new for a moment
    """

    first: Frame
    frames: Iterator[Frame | None]
    plane: TablePlane
    referee: Referee


def opened_session(
    setup: SetupFile,
    source: Source,
    look: LookAt,
    saved: Match | None = None,
    state: State | None = None,
    tell: Callable[[str], None] | None = None,
) -> Session:
    """The session of a source, with `look` as its eyes; it goes on with the `saved` match, if there is one.

    state  of a match that begins: turn, phase, and what the camera cannot see
    tell   takes a line where the source does not show the table yet or was moved, and each note of the plane
    ValueError if the source has no picture or the table cannot be measured in those of the first `PATIENCE_S`.
    """
    frames = source.beats()
    first, by_map = _first_measured(setup, source, frames, tell)
    plane = by_map.plane
    beside = _beside(setup, look, first, plane) if source.live else None
    eyes = Observer(plane, look, setup.rules.table_size_mm, beside=beside, landmarks=landmarks_of(setup))
    referee = Referee(setup.rules, eyes, state=state or State(), pulse=Pulse(source, eyes))
    anchor = anchor_of(setup)
    referee.moved = moved_since(anchor, plane, first) if anchor is not None else by_map.moved
    if tell is not None:
        moved = [str(referee.moved["sentence"])] if referee.moved is not None else []
        for line in dict.fromkeys((*moved, *plane.notes)):
            tell(line)
    finder = grid_finder(setup.rules, look)
    if finder is not None:
        referee.find_grid = lambda frame: finder(frame, eyes.plane)
    if saved is not None:
        referee.take_up(saved)
    return Session(first, chain([first], frames), plane, referee)


def _beside(setup: SetupFile, look: LookAt, first: Frame, plane: TablePlane) -> Executor:
    """The thread in which the eyes look.

    Until the table has been still for a moment nothing is looked at: in that time eyes and rules are loaded, so that
    the first look and the first rulings need not wait for it.
    """
    beside, game = beside_frames(), game_named(setup.rules.game)
    if isinstance(look, Readied):
        loads = Thread(target=warm, args=([game],), name="warm")
        # The looks are waited for longest.
        beside.submit(look.make_ready, first, plane).add_done_callback(lambda _: loads.start())
    return beside


def _first_measured(
    setup: SetupFile, source: Source, frames: Iterator[Frame | None], tell: Callable[[str], None] | None
) -> tuple[Frame, ByMap]:
    """The first picture in which the table can be measured, and its map seen: when a match is begun a hand that laid
    the last piece is often still over a corner, and a film may begin black."""
    frame, said = first_of(frames, source), ""
    until_s = frame.t_s + PATIENCE_S
    while True:
        is_last = frame.t_s > until_s
        try:
            by_map = as_the_map_shows(setup, measured_plane(setup, frame), frame)
            if is_last or not (source.live and by_map.is_unseen):
                break
            why = UNSEEN
        except ValueError as error:
            if is_last and source.live:
                raise
            if is_last:
                raise ValueError(f"{error}; {_TOO_LATE}") from None
            why = str(error)
        if tell is not None and source.live and not said:
            tell(f"{why}; looking for {PATIENCE_S:.0f} s more: take hands off the table")
        said = said or why
        following = first_of(frames, source) if source.live else _later(frame, frames)
        if following is None:
            raise ValueError(why)
        frame = following
    if tell is not None and said and not source.live:
        tell(f"{said}; the match begins at {frame.t_s:.1f} s, where the table can be measured")
    return frame, by_map


def _later(frame: Frame, frames: Iterator[Frame | None]) -> Frame | None:
    """A later frame of a film; None if there is none, or if a held picture is shown again and again."""
    due_s = max(frame.t_s + _AGAIN_S, frame.t_s * _LATER)
    later = next((each for each in frames if each is not None and each.t_s >= due_s), None)
    return later if later is not None and later.image_bgr is not frame.image_bgr else None
