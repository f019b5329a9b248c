"""`sandtable play`: referee a live match."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from ui.new_file import refuse_no_recording, refuse_overwriting
from ui.ruled import NEW_FILE, PATH, STATE_OPTION, state_of
from ui.telling.results import say

if TYPE_CHECKING:
    from rules.match import Match
    from ui.playing.session import Session
    from vision.source import Source


@click.command("play")
@click.option("--setup", "setup_path", type=PATH, required=True, help="Set-up file (TOML).")
@click.option(
    "--source", default="0", show_default=True, help="Camera number, URL (MJPEG over HTTP, RTSP) or video file."
)
@click.option("--record", type=NEW_FILE, metavar="OUT.mp4", help="Record the annotated picture.")
@click.option("--log", type=NEW_FILE, help="The match log (JSON Lines); a match that it holds already is gone on with.")
@click.option("--headless", is_flag=True, help="Without a window: needs --record or --log, ends with Ctrl-C.")
@STATE_OPTION
def command(
    *, setup_path: Path, source: str, record: Path | None, log: Path | None, headless: bool, state_path: Path | None
) -> None:
    """Referee a live match in the window."""
    from ui.eyes import eyes_for
    from ui.measuring.table import print_of
    from ui.playing.saved import refuse_used, saved_match
    from ui.playing.session import opened_session
    from ui.playing.watching import say_written
    from ui.qt import has_display
    from ui.setup.enrolled import taught_beside
    from ui.setup.setup_file import files_of, read_setup
    from vision.source import open_source

    if headless and record is None and log is None:
        raise click.UsageError("--headless needs --record OUT.mp4 or --log MATCH.jsonl: there is nowhere to write to.")
    refuse_overwriting((Path(source), *files_of(setup_path), state_path), (record, log))
    refuse_no_recording(record)
    refuse_used(log, record)
    _refuse_still(source)
    setup = read_setup(setup_path)
    state = state_of(state_path, setup.rules)
    windowed = has_display() and not headless
    if not windowed and record is None and log is None:
        raise ValueError("there is no display to play on; give --record OUT.mp4 or --log MATCH.jsonl")
    saved = saved_match(log, setup)
    if saved is not None:
        _say_goes_on(saved, log, source)
    with open_source(source, say) as opened:
        look = eyes_for(setup.rules, taught_beside(setup_path), print_of(setup))
        session = opened_session(setup, opened, look, saved, state, say)
        match = _watched(session, opened, setup.rules.game if windowed else None, record, log)
    if _is_gone(log):
        raise OSError(f"{log}: the log is lost: it, or its folder, was removed while the match was played")
    say_written(match, record, log)


def _refuse_still(source: str) -> None:
    """ValueError for a single picture."""
    from ui.still import is_still

    if Path(source).is_file() and is_still(Path(source)):
        raise ValueError(f"{source}: one picture is no match; see it with: sandtable annotate {quote(source)}")


def _say_goes_on(saved: Match, log: Path | None, source: str) -> None:
    """Say which match goes on, and what a film does to it."""
    from ui.telling.words import counted

    say(f"going on with the match in {log}: turn {saved.state.turn}, {counted(len(saved.scene.pieces), 'piece')}")
    if Path(source).is_file():
        say(f"{source}: played from its beginning; if {log} is of this film already, stop and give another log")


def _watched(
    session: Session, opened: Source, title: str | None, record: Path | None, log: Path | None
) -> Match | None:
    """The match at its end, in a window of that title, or in none; a video that breaks off says what is kept of it."""
    from ui.playing.watching import annotate_to, told_files, watch
    from ui.telling.fault import fault_line
    from vision.stream.video_file import BrokenVideoError

    try:
        if title is None:
            return annotate_to(session, opened, record, log, played=True)
        return watch(session, opened, title, record, log)
    except BrokenVideoError as broken:
        if record is None and log is None:
            raise
        kept = told_files(session.referee.match, record, log)
        raise BrokenVideoError(f"{broken}; until there it is kept in {kept}") from None
    except OSError as error:
        if not _is_gone(log):
            raise
        raise OSError(f"{fault_line(error)}; and so is the log {log}") from None


def _is_gone(log: Path | None) -> bool:
    """Whether somebody removed the log while the match was played."""
    return log is not None and not log.exists()
