"""`sandtable rule`: all rulings for a scene, or one piece's."""

from __future__ import annotations

from pathlib import Path

import click

from ui import ruled
from ui.new_file import refuse_overwriting
from ui.ruled import GAME_OPTION, OUT_OPTION, PATH, SETUP_OPTION, STATE_OPTION
from ui.setup_file import files_of


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
    ruled.give_rulings(lambda chosen, state: chosen.rulings(scene, setup, state, piece), scene, setup, state_path, out)
