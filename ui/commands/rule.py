"""`sandtable rule`: all rulings for a scene, or one piece's."""

from __future__ import annotations

from pathlib import Path

import click

from rules.ruling_file import rulings_document
from ui.grid import with_seen_grid
from ui.new_file import refuse_overwriting
from ui.results import give
from ui.ruled import (
    GAME_OPTION,
    OUT_OPTION,
    PATH,
    SETUP_OPTION,
    STATE_OPTION,
    blaming,
    rules_setup,
    scene_and_setup,
    state_of,
)
from ui.setup_file import checked_game


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
    refuse_overwriting((scene_path, setup_path, state_path), (out,))
    scene, setup = scene_and_setup(scene_path, rules_setup(game, setup_path), setup_path is not None)
    if piece is not None and piece not in scene:
        there = f"there are {', '.join(each.id for each in scene)}" if scene.pieces else "the scene is empty"
        raise ValueError(f"{scene_path}: there is no piece {piece!r}; {there}")
    state = with_seen_grid(state_of(state_path, setup), scene, setup)
    with blaming(state_path):
        rulings = checked_game(setup.game).rulings(scene, setup, state, piece)
    give(rulings_document(rulings), out)
