"""`sandtable replay`: step through a recorded match without its video."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ui.interruption import is_end_of_input
from ui.playing.replay import Replay, stepped
from ui.ruled import PATH

_HELP = "Enter: next, b: back, a number: there, q: end"


@click.command("replay")
@click.argument("log", metavar="MATCH.jsonl", type=PATH)
@click.option("--text", is_flag=True, help="In the terminal, even where there is a display.")
def command(*, log: Path, text: bool) -> None:
    """Step through the match in MATCH.jsonl, forwards and backwards, without its video.

    Typed moves that nobody has judged are judged on the way.
    """
    from ui.playing.by_hand import refereed_anew
    from ui.qt import has_display

    replay = Replay.read(log)
    if replay.is_typed:
        replay = refereed_anew(replay.header, replay.events, str(log))
    if has_display() and not text:
        from ui.window.replay import show_replay

        show_replay(replay, log.name)
    elif sys.stdin.isatty():
        for shown in stepped(replay, _answers()):
            click.echo(shown.line())
    else:
        for place in range(1, len(replay.events) + 1):
            click.echo(replay.at(place).line())


def _answers() -> Iterator[str]:
    click.echo(_HELP, err=True)
    while True:
        try:
            answer = click.prompt("", default="", show_default=False, prompt_suffix="> ", err=True)
        except click.Abort as interruption:
            if is_end_of_input(interruption):
                return
            raise
        yield answer
