"""`sandtable scene`: what lies on the table in a picture or a video, measured."""

from __future__ import annotations

from pathlib import Path

import click

from ui.length import SECONDS
from ui.new_file import refuse_overwriting
from ui.ruled import OUT_OPTION, PATH, SETUP_OPTION
from ui.telling.results import give, say


@click.command("scene")
@click.argument("input_path", metavar="INPUT", type=PATH)
@SETUP_OPTION
@click.option("--at", "at_s", type=SECONDS, metavar="SECONDS", help="In a video: when; its beginning without.")
@OUT_OPTION
def command(*, input_path: Path, setup_path: Path | None, at_s: float | None, out: Path | None) -> None:
    """What lies on the table in the picture or video INPUT, measured, as GeoJSON."""
    from rules.files.scene_file import scene_document
    from ui.eyes import eyes_for
    from ui.measuring.table import print_of
    from ui.setup.enrolled import taught_beside
    from ui.setup.setup_file import files_of, read_setup
    from ui.still import frames_of, still_scene

    refuse_overwriting((input_path, *files_of(setup_path)), (out,))
    setup = read_setup(setup_path) if setup_path is not None else None
    frames = frames_of(input_path, at_s)
    look = eyes_for(setup.rules if setup else None, taught_beside(setup_path), print_of(setup))
    scene = still_scene(setup, frames, look)
    give(scene_document(scene), out)  # before the remarks: where it cannot be written, that alone is told
    for note in scene.notes:
        say(f"sandtable: {note}")
