"""`sandtable setup`: the guided set-up."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np
from numpy.typing import NDArray

from ui.length import TABLE_SIDE
from ui.results import say, whole_file
from ui.ruled import NEW_FILE, PATH
from vision.frame import Frame

if TYPE_CHECKING:
    from ui.calibration_block import CalibrationBlock


@click.command("setup")
@click.argument("out", metavar="[OUT.toml]", type=NEW_FILE, default=Path("sandtable.toml"))
@click.option("--picture", type=PATH, help="A picture of the table, to click its corners in.")
@click.option("--source", help="Camera number or URL to take that picture from.")
@click.option("--quick", is_flag=True, help="No question: the table by its outline, or by the cards on it.")
@click.option("--game", default="omms", show_default=True, help="Of a quick set-up.")
@click.option("--size", type=TABLE_SIDE, nargs=2, default=(700.0, 500.0), show_default=True, help="Of its table, mm.")
@click.option("--sheet", type=PATH, help="Picture of the printed map or mat that lies there, cut at its edges.")
@click.option("--lens", type=PATH, help="Lens file from `calibrate lens`, for a quick set-up: three corners will do.")
@click.option("--map", "map_file", type=PATH, help="The map that lies there, its roads where the file has them.")
def command(
    *,
    out: Path,
    picture: Path | None,
    source: str | None,
    quick: bool,
    game: str,
    size: tuple[float, float],
    sheet: Path | None,
    lens: Path | None,
    map_file: Path | None,
) -> None:
    """Ask for camera, table, game, players, legend and map, and write the set-up file OUT.toml.

    With --quick nothing is asked but one click: whether the grid that is shown lies on the table. A --sheet or --map
    tells by itself where it lies, pieces on it and all.
    """
    from ui.qt import has_display
    from ui.setup_file import read_setup
    from ui.table import plane_for
    from ui.wizard import asked

    if (sheet or map_file or lens) and not quick:
        raise click.UsageError("--sheet, --map and --lens are for --quick; without it they are asked for.")
    if picture is not None and source is not None:
        raise click.UsageError("Give either --picture or --source.")
    if out.exists():
        click.confirm(f"{out} exists; replace it", abort=True, err=True)
    frame = _picture(picture, source)
    if quick:
        text = _quick_text(out, frame, game, size, sheet, map_file, lens)
    else:
        text = asked(out.parent, partial(_by_clicks, frame) if frame is not None and has_display() else None)
    with whole_file(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
        setup = read_setup(temporary)
        if frame is not None:
            plane = plane_for(setup, frame)
            say(f"the table fits the picture to {plane.reprojection_error_px:.2f} px")
    say(f"wrote {out}; next: sandtable play --setup {out}")


def _quick_text(
    out: Path,
    frame: Frame | None,
    game: str,
    size_mm: tuple[float, float],
    sheet: Path | None,
    map_file: Path | None,
    lens: Path | None,
) -> str:
    """The text of a set-up that a person confirmed, or clicked the corners of; unseen without a display."""
    from calibration.lens_file import read_lens
    from rules.map_file import read_map
    from ui.qt import has_display
    from ui.quick import Known, found_table, grid_px, quick_text
    from ui.setup_file import checked_game
    from ui.wizard import lent_camera

    if frame is None:
        raise click.UsageError("Give --picture or --source with --quick.")
    checked_game(game)
    named = os.path.relpath(map_file, out.parent) if map_file is not None else None
    camera = lent_camera(lens) if lens is not None else None
    known = Known(
        sheet,
        read_map(map_file) if map_file is not None else None,
        read_lens(lens) if lens is not None else None,
    )
    try:
        found = found_table(frame, size_mm, known)
    except ValueError as error:
        if not has_display():
            raise
        say(f"not found ({error}): click its corners")
    else:
        said = f"Found by its {found.way}: {found.trust.light}, believe {found.trust.believe_mm:.1f} mm."
        untrue = found.refused if found.way not in ("print", "roads") else ()
        for line in (*untrue, said, *found.plane.notes):
            say(line)
        if not has_display() or _is_right(frame, grid_px(found.plane, size_mm), said):
            return quick_text(game, size_mm, _beside(found.block, out), named, camera)
    return quick_text(game, size_mm, _by_clicks(frame, size_mm, lens), named, camera)


def _by_clicks(frame: Frame, size_mm: tuple[float, float], lens: Path | None) -> CalibrationBlock:
    """The table by its corners, clicked in a window, three where those do."""
    from calibration.lens_file import read_lens
    from ui.corners import clicked_corners
    from ui.window.clicks import clicks_in
    from ui.window.fourth import shown_in

    measured = read_lens(lens) if lens is not None else None
    return clicked_corners(frame, size_mm, clicks_in(frame), shown_in(frame, size_mm), measured, say)


def _beside(block: CalibrationBlock, out: Path) -> CalibrationBlock:
    """With the sheet's picture named as from the set-up file's folder."""
    if block.sheet is None or block.sheet.picture is None:
        return block
    picture = Path(os.path.relpath(block.sheet.picture, out.parent))
    return replace(block, sheet=replace(block.sheet, picture=picture))


def _is_right(frame: Frame, lines_px: list[NDArray[np.float64]], said: str) -> bool:
    from ui.window.confirm import confirmed

    return confirmed(frame, lines_px, said)


def _picture(picture: Path | None, source: str | None) -> Frame | None:
    from ui.still import first_frame
    from vision.picture import read_picture

    if picture is not None:
        return read_picture(picture)
    return first_frame(source) if source is not None else None
