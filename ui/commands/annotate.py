"""`sandtable annotate`: the annotated recording of a match, and its log; or one picture with what is ruled of it."""

from __future__ import annotations

from pathlib import Path

import click

from ui.new_file import refuse_no_recording, refuse_overwriting
from ui.ruled import NEW_FILE, PATH, STATE_OPTION, state_of
from ui.telling.results import say


@click.command("annotate")
@click.argument("video", type=PATH)
@click.option("--setup", "setup_path", type=PATH, required=True, help="Set-up file (TOML).")
@click.option(
    "--out", "-o", type=NEW_FILE, required=True, help="The annotated recording (MP4), or picture (JPEG, PNG)."
)
@click.option("--log", type=NEW_FILE, help="The match log (JSON Lines); it replaces no match that was played.")
@STATE_OPTION
def command(*, video: Path, setup_path: Path, out: Path, log: Path | None, state_path: Path | None) -> None:
    """Referee the match in VIDEO and write the annotated recording to OUT, the log to LOG.

    VIDEO may be a single picture: then OUT is that picture, with what is ruled of the table. Of a state it shows what
    is told of pieces and places; whose turn it is changes nothing in it.
    """
    from ui.eyes import eyes_for
    from ui.measuring.table import print_of
    from ui.paint.painted import paint_picture
    from ui.playing.session import opened_session
    from ui.playing.watching import annotate_to, say_written
    from ui.setup.enrolled import taught_beside
    from ui.setup.setup_file import files_of, read_setup
    from ui.still import is_still
    from ui.telling.words import counted
    from vision.source import FileSource
    from vision.stream.held import HeldPicture

    refuse_overwriting((video, *files_of(setup_path), state_path), (out, log))
    still = is_still(video)
    _refuse_results(video, out, log, still=still)
    setup = read_setup(setup_path)
    state = state_of(state_path, setup.rules)
    with HeldPicture(video) if still else FileSource(video) as source:
        look = eyes_for(setup.rules, taught_beside(setup_path), print_of(setup))
        session = opened_session(setup, source, look, None, state, say)
        if still:
            say(f"wrote {out}: {counted(paint_picture(session, out), 'piece')}")
            return
        match = annotate_to(session, source, out, log)
    say_written(match, out, log)


def _refuse_results(video: Path, out: Path, log: Path | None, *, still: bool) -> None:
    """ValueError for results that such an input does not have, or that would take a match's place."""
    from ui.playing.saved import refuse_replacing, refuse_used

    if still and log is not None:
        raise ValueError(f"{video}: a picture is no match and has no log; leave out --log, or give a video")
    if not still:
        refuse_no_recording(out)
        refuse_used(log, out)
    if log is not None:
        refuse_replacing(log)
