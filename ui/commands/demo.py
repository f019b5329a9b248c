"""`sandtable demo`: the packaged sample match of a game."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import click

from ui.results import say
from ui.ruled import PATH


@click.command("demo")
@click.option("--game", "-g", default="omms", show_default=True, help="omms, omog, osmcg, pocket or omniwar.")
@click.option("--headless", is_flag=True, help="Write the annotated video and the log instead of showing a window.")
@click.option("--out", "-o", type=PATH, default=Path("sandtable-demo"), show_default=True, help="Folder for those.")
def command(*, game: str, headless: bool, out: Path) -> None:
    """Play the packaged sample match of a game, overlays and all."""
    from ui.eyes import eyes_for
    from ui.qt import has_display
    from ui.session import opened_session
    from ui.setup_file import checked_game, read_setup
    from ui.watching import annotate_to, watch
    from vision.source import FileSource

    checked_game(game)
    with as_file(files("sample_footage") / game) as folder:
        video = folder / "match.mp4"
        if not video.is_file():
            raise ValueError(f"there is no sample match of {game}; there is one of {', '.join(_games_with_match())}")
        setup = read_setup(folder / "setup.toml")
        with FileSource(video) as source:
            session = opened_session(setup, source, eyes_for(setup.rules))
            if has_display() and not headless:
                watch(session, source, f"sample match of {game}", None, None)
                return
            out.mkdir(parents=True, exist_ok=True)
            recording, log = out / f"{game}.mp4", out / f"{game}.jsonl"
            match = annotate_to(session, source, recording, log)
    say(f"wrote {recording.resolve()} and {log.resolve()}: {len(match.events) if match else 0} events")


def _games_with_match() -> list[str]:
    return sorted(folder.name for folder in files("sample_footage").iterdir() if (folder / "match.mp4").is_file())
