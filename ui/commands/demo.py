"""`sandtable demo`: the packaged sample match of a game."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import click

from ui.ruled import NAMES, PATH
from ui.telling.results import say


@click.command("demo")
@click.option("--game", "-g", default="omms", show_default=True, help=f"{NAMES}.")
@click.option("--headless", is_flag=True, help="Write the annotated video and the log instead of showing a window.")
@click.option("--out", "-o", type=PATH, default=Path("sandtable-demo"), show_default=True, help="Folder for those.")
def command(*, game: str, headless: bool, out: Path) -> None:
    """Play the packaged sample match of a game, overlays and all."""
    from ui.qt import has_display
    from ui.setup.setup_file import checked_game
    from ui.telling.words import counted

    checked_game(game)
    into = None if has_display() and not headless else out
    with as_file(files("sample_footage") / game) as folder:
        if (folder / "match.mp4").is_file():
            count = _seen(folder, game, into)
        elif (folder / "match.jsonl").is_file():
            count = _typed(folder, game, into)
        else:
            raise ValueError(f"{game} has no sample match; play one of your own: sandtable play --setup SETUP.toml")
    if into is not None:
        recording, log = _results(into, game)
        say(f"wrote {recording.resolve()} and {log.resolve()}: {counted(count, 'event')}")


def _seen(folder: Path, game: str, into: Path | None) -> int:
    """Watch the match in the folder's video, in the window or `into` files; how many events it had."""
    from ui.eyes import eyes_for
    from ui.playing.session import opened_session
    from ui.playing.watching import annotate_to, watch
    from ui.setup.setup_file import read_setup
    from vision.source import FileSource

    setup = read_setup(folder / "setup.toml")
    with FileSource(folder / "match.mp4") as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        if into is None:
            match = watch(session, source, f"sample match of {game}", None, None)
        else:
            match = annotate_to(session, source, *_results(into, game))
    return len(match.events) if match else 0


def _typed(folder: Path, game: str, into: Path | None) -> int:
    """Referee the match that was typed into the folder's log, on the drawn board; how many events it had."""
    from ui.playing.by_hand import SECONDS_AN_EVENT, film, refereed, write_log

    shown = refereed(folder / "match.jsonl")
    if into is None:
        from ui.window.replay import show_replay

        show_replay(shown, f"sample match of {game}", SECONDS_AN_EVENT)
    else:
        from ui.qt import application

        application(headless=True)
        recording, log = _results(into, game)
        film(shown, recording)
        write_log(shown, log)
    return len(shown.events)


def _results(into: Path, game: str) -> tuple[Path, Path]:
    """The recording and the log, in a folder that is made if it is not there."""
    into.mkdir(parents=True, exist_ok=True)
    return into / f"{game}.mp4", into / f"{game}.jsonl"
