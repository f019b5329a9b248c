"""`sandtable setup`: the guided set-up."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from ui.results import say, whole_file
from ui.ruled import PATH
from vision.frame import Frame


@click.command("setup")
@click.argument("out", metavar="[OUT.toml]", type=PATH, default=Path("sandtable.toml"))
@click.option("--picture", type=PATH, help="A picture of the table, to click its corners in.")
@click.option("--source", help="Camera number or URL to take that picture from.")
@click.option("--quick", is_flag=True, help="No question: the table by its outline, or by the cards on it.")
@click.option("--game", default="omms", show_default=True, help="Of a quick set-up.")
@click.option("--size", type=float, nargs=2, default=(700.0, 500.0), show_default=True, help="Of its table, mm.")
def command(
    *, out: Path, picture: Path | None, source: str | None, quick: bool, game: str, size: tuple[float, float]
) -> None:
    """Ask for camera, table, game, players, legend and map, and write the set-up file OUT.toml.

    With --quick nothing is asked but one click: whether the grid that is shown lies on the table.
    """
    from ui.qt import has_display
    from ui.setup_file import read_setup
    from ui.table import plane_for
    from ui.wizard import asked

    if out.exists():
        click.confirm(f"{out} exists; replace it", abort=True, err=True)
    frame = _picture(picture, source)
    clicks = None
    if frame is not None and has_display() and not quick:
        from ui.window.clicks import clicks_in

        clicks = clicks_in(frame)
    text = _quick_text(frame, game, size) if quick else asked(out.parent, clicks)
    with whole_file(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
        setup = read_setup(temporary)
        if frame is not None:
            plane = plane_for(setup, frame)
            say(f"the table fits the picture to {plane.reprojection_error_px:.2f} px")
    say(f"wrote {out}; next: sandtable play --setup {out}")


def _quick_text(frame: Frame | None, game: str, size_mm: tuple[float, float]) -> str:
    """The text of a set-up that a person confirmed, or clicked the corners of; unseen without a display."""
    from ui.calibration_block import CalibrationBlock
    from ui.qt import has_display
    from ui.quick import found_table, grid_px, quick_text
    from ui.setup_file import checked_game
    from ui.wizard import CORNERS, corner_points

    if frame is None:
        raise click.UsageError("Give --picture or --source with --quick.")
    checked_game(game)
    try:
        found = found_table(frame, size_mm)
    except ValueError as error:
        if not has_display():
            raise
        say(f"not found ({error}): click its corners")
    else:
        said = f"Found by its {found.way}: {found.trust.light}, believe {found.trust.believe_mm:.1f} mm."
        for line in (said, *found.plane.notes):
            say(line)
        if not has_display() or _is_right(frame, grid_px(found.plane, size_mm), said):
            return quick_text(game, size_mm, found.block)
    from ui.window.clicks import clicks_in

    corners = clicks_in(frame)(tuple(f"the {name} corner of the table" for name, _ in CORNERS))
    return quick_text(game, size_mm, CalibrationBlock(corner_points(corners, size_mm)))


def _is_right(frame: Frame, lines_px: list[NDArray[np.float64]], said: str) -> bool:
    from ui.window.confirm import confirmed

    return confirmed(frame, lines_px, said)


def _picture(picture: Path | None, source: str | None) -> Frame | None:
    from ui.still import first_frame
    from vision.picture import read_picture

    if picture is not None:
        return read_picture(picture)
    return first_frame(source) if source is not None else None
