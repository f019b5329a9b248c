"""A match with no camera: what was typed is refereed, shown on the drawn board, and filmed there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from rules.clock import called
from rules.course.events import Event
from rules.files.log import MatchLog, read_log
from rules.match import Match, apply, replay, start
from rules.misspelt import refuse_misspelt
from rules.setup import Setup
from ui.paint.board import board_frame, board_marks, board_view
from ui.paint.view import View
from ui.playing.annotation import Painter
from ui.playing.recorder import Recorder
from ui.playing.replay import Replay
from ui.setup import typed_setup

# A film needs time to be read, and a picture now and then to be wound to.
SECONDS_AN_EVENT = 3.0
PICTURES_AN_EVENT = 6
_REWINDS = ("undo", "redo")


def refereed(path: Path) -> Replay:
    """The match of a log whose moves nobody has judged, judged as it is played; ValueError if it cannot be."""
    return refereed_anew(*read_log(path), str(path))


def refereed_anew(header: dict[str, object], events: Sequence[Event], where: str) -> Replay:
    """The same of a log that is read already, `where` it was found: what comes through a pipe comes once."""
    try:
        begun = replay(header, events, upto=1)
        match: Match = start(begun.setup, begun.scene, begun.state)
        typed_setup.refuse_misspelt(match.setup, match.game, "line 1: setup")
        refuse_misspelt(match.state, match.setup, match.game, "line 2: state")
        became = [range(len(match.events))]
        for event in events[1:]:
            before = match
            _refuse_undone_undo(event, events)
            match = called(_applied(match, _placed_anew(event, became)), event.time_s)
            became.append(range(len(before.events), len(match.events)))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return Replay(header, match.events)


def _placed_anew(event: Event, became: Sequence[range]) -> Event:
    """An undo or redo with the places of what it names in the refereed log, where a siege may follow a move.

    became  the places there that each event before this one in the typed log has become
    """
    if event.kind not in _REWINDS:
        return event
    named = [place for typed in event.fields["events"] for place in became[typed]]
    return replace(event, fields={**event.fields, "events": named})


def _refuse_undone_undo(event: Event, events: Sequence[Event]) -> None:
    """ValueError for an undo or redo that names another in place of what that one named: nothing would change."""
    for place in event.fields["events"] if event.kind in _REWINDS else ():
        if (other := events[place]).kind in _REWINDS:
            raise ValueError(
                f"event {event.kind!r} at {event.time_s:g} s: event {place} is {other.kind!r} itself; write an undo or "
                f"redo of what it names, {list(other.fields['events'])}; mend it"
            )


def _applied(match: Match, event: Event) -> Match:
    """The match after the event; ValueError names the event if it is impossible."""
    where = f"event {event.kind!r} at {event.time_s:g} s"
    try:
        _refuse_stranger(match, event)
        after = apply(match, event)
        if event.kind == "state":
            refuse_misspelt(after.state, after.setup, after.game, where)
    except ValueError as error:
        raise ValueError(f"{'' if str(error).startswith(where) else f'{where}: '}{error}") from None
    return after


def _refuse_stranger(match: Match, event: Event) -> None:
    """ValueError for a reading that is put right of what never was on the table: nothing would change."""
    piece = event.fields.get("piece")
    if event.kind == "correction" and piece not in match.scene and piece not in match.gone:
        raise ValueError(f"{event.kind}: there is no piece {piece!r} on the table; mend 'piece'")


def board_painter(setup: Setup) -> Painter:
    """A painter for the drawn board of a set-up: its map below, the names of the pieces beside them."""
    painter = Painter.over(board_frame(), board_view(setup.table_size_mm), setup.table_size_mm)
    painter.view = View(ground=board_marks(setup), named=True)
    return painter


def film(shown: Replay, out: Path) -> None:
    """Write the match as a video of the drawn board, a few seconds an event; OSError if it cannot be written."""
    painter = board_painter(shown.match().setup)
    times_s = count(step=SECONDS_AN_EVENT / PICTURES_AN_EVENT)
    with Recorder(out, painter.canvas.size_px) as recorder:
        for place in range(1, len(shown.events) + 1):
            canvas = painter.paint(shown.at(place).tick())
            for time_s in islice(times_s, PICTURES_AN_EVENT):
                recorder.write(canvas.bgra, time_s)


def write_log(shown: Replay, out: Path) -> None:
    """Write the match with its verdicts."""
    with MatchLog.create(out, shown.header) as log:
        log.append(shown.events)
