"""`sandtable judge`: which pieces moved from scene to scene, and whether each move was legal."""

from __future__ import annotations

from pathlib import Path

import click

from rules.course.judged_apart import judged_apart
from rules.files.scene_file import read_scene
from rules.legend import as_meant
from ui import ruled
from ui.new_file import refuse_overwriting
from ui.ruled import GAME_OPTION, OUT_OPTION, PATH, SETUP_OPTION, STATE_OPTION
from ui.setup.setup_file import files_of


@click.command("judge")
@click.argument("before_path", metavar="BEFORE", type=PATH)
@click.argument("after_path", metavar="AFTER", type=PATH)
@GAME_OPTION
@SETUP_OPTION
@STATE_OPTION
@OUT_OPTION
def command(
    *,
    before_path: Path,
    after_path: Path,
    game: str | None,
    setup_path: Path | None,
    state_path: Path | None,
    out: Path | None,
) -> None:
    """Which pieces moved from the scene in BEFORE to that in AFTER, and whether each move was legal, as GeoJSON."""
    refuse_overwriting((before_path, after_path, *files_of(setup_path), state_path), (out,))
    before, setup = ruled.scene_and_setup(before_path, ruled.rules_setup(game, setup_path), setup_path is not None)
    after = as_meant(read_scene(after_path, setup.table_size_mm), setup)
    ruled.refuse_two_tables(before, after, before_path, after_path)
    ruled.give_rulings(
        lambda chosen, state: judged_apart(before, after, lambda was, now: chosen.judge(was, now, setup, state)),
        before,
        setup,
        state_path,
        out,
    )
