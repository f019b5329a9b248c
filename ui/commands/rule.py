"""`sandtable rule`: all rulings for a scene, or one piece's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from rules.game import Game, Ruling
from rules.state import State
from ui import ruled
from ui.new_file import refuse_overwriting
from ui.ruled import GAME_OPTION, OUT_OPTION, PATH, SETUP_OPTION, STATE_OPTION
from ui.setup.setup_file import files_of
from ui.telling.results import say

# An empty list told nothing: of another game's scene, of a base that nobody named, of a table without its hexes.
_UNRULED = (
    "it has no part in {game} as it is told, or none in this phase; is it another game's? Else say in the set-up or "
    "the state what it is"
)


@click.command("rule")
@click.argument("scene_path", metavar="SCENE", type=PATH)
@GAME_OPTION
@SETUP_OPTION
@STATE_OPTION
@click.option("--piece", help="Rule on this piece only.")
@OUT_OPTION
def command(
    *,
    scene_path: Path,
    game: str | None,
    setup_path: Path | None,
    state_path: Path | None,
    piece: str | None,
    out: Path | None,
) -> None:
    """All rulings for the scene in SCENE, or one piece's, as GeoJSON."""
    refuse_overwriting((scene_path, *files_of(setup_path), state_path), (out,))
    scene, setup = ruled.scene_and_setup(scene_path, ruled.rules_setup(game, setup_path), setup_path is not None)
    if piece is not None and piece not in scene:
        there = f"there are {', '.join(each.id for each in scene)}" if scene.pieces else "the scene is empty"
        raise ValueError(f"{scene_path}: there is no piece {piece!r}; {there}")

    def ask(chosen: Game, state: State) -> Iterable[Ruling]:
        return chosen.rulings(scene, setup, state, piece)

    if not ruled.give_rulings(ask, scene, setup, state_path, out) and scene.pieces:
        what = piece or "what lies there"
        say(f"sandtable: nothing is ruled of {what}: {_UNRULED.format(game=setup.game)}")
