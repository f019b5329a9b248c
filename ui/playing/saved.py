"""The log of a match that is played: begun, or taken up again where it was left; and that of a film."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rules.course.resume import resume
from rules.files.json_file import json_text
from rules.files.log import MatchLog, match_header, refuse_played
from rules.files.setup_record import setup_from_record, setup_record
from rules.match import Match, read_log
from rules.setup import Setup
from ui.playing.loop import Referee
from ui.playing.unfinished import refuse_recorded
from ui.setup.setup_file import SetupFile

# In the head of the log of a film that was annotated: its name.
_FILM = "film"


def refuse_used(log: Path | None, film: Path | None) -> None:
    """BlockingIOError where another program plays the match of that log or records that film: one would be lost."""
    if log is not None:
        refuse_played(log)
    if film is not None:
        refuse_recorded(film)


def refuse_replacing(log: Path) -> None:
    """ValueError where the log of a film would take the place of anything but such a log, which could be made again: of
    a match that was played no film brings back what was typed and clicked."""
    if log.is_file() and log.stat().st_size > 0 and not _is_of_film(log):
        raise ValueError(
            f"{log}: a match that was played, or another file, is there already, and no film would bring it back; "
            "give another name"
        )


def _is_of_film(log: Path) -> bool:
    """Whether the log is of a film, and nobody has played on in it, of which a note would tell."""
    try:
        header, events = read_log(log)
    except ValueError:
        return False
    return _FILM in header and all(event.kind != "note" for event in events)


def saved_match(log: Path | None, setup: SetupFile) -> Match | None:
    """The match in `log`, to be gone on with; None where nothing was played yet.

    ValueError if it is no match log, cannot be followed, or was played with another set-up.
    """
    if log is None or not log.exists() or log.stat().st_size == 0:
        return None
    header, events = read_log(log)
    _refuse_other_setup(log, header, setup)
    return resume(log) if events else None


def begun_log(path: Path, referee: Referee) -> MatchLog:
    """The log to write on: that of the match which the referee took up again, or a new one."""
    return MatchLog.resume(path) if referee.names is not None else MatchLog.create(path, header_of(referee))


def header_of(referee: Referee) -> dict[str, Any]:
    """The first line of the match's log, dated now."""
    return match_header(referee.setup, datetime.now(UTC).isoformat(timespec="seconds"))


def header_of_film(referee: Referee, film: str) -> dict[str, Any]:
    """The first line of the log of a film that is annotated."""
    return {**header_of(referee), _FILM: Path(film).name}


def _refuse_other_setup(log: Path, header: Mapping[str, Any], setup: SetupFile) -> None:
    then = _record(setup_from_record(header.get("setup"), f"{log}: line 1: setup"))
    now = _record(setup.rules)
    differ = [key for key in now if now[key] != then[key]]
    if differ:
        raise ValueError(
            f"{log}: this match was played with another {', '.join(differ)} than {setup.path} has; "
            "give its own set-up, or another --log"
        )


def _record(setup: Setup) -> dict[str, Any]:
    """As the log's head has it: lists, not tuples."""
    record: dict[str, Any] = json.loads(json_text(setup_record(setup)))
    return record
