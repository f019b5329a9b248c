"""`sandtable setup`: the guided set-up."""

from __future__ import annotations

from pathlib import Path

import click

from ui.results import say, whole_file
from ui.ruled import PATH
from vision.frame import Frame


@click.command("setup")
@click.argument("out", metavar="[OUT.toml]", type=PATH, default=Path("sandtable.toml"))
@click.option("--picture", type=PATH, help="A picture of the table, to click its corners in.")
@click.option("--source", help="Camera number or URL to take that picture from.")
def command(*, out: Path, picture: Path | None, source: str | None) -> None:
    """Ask for camera, table, game, players, legend and map, and write the set-up file OUT.toml."""
    from ui.qt import has_display
    from ui.setup_file import read_setup
    from ui.table import plane_for
    from ui.wizard import asked

    if out.exists():
        click.confirm(f"{out} exists; replace it", abort=True, err=True)
    frame = _picture(picture, source)
    clicks = None
    if frame is not None and has_display():
        from ui.window.clicks import clicks_in

        clicks = clicks_in(frame)
    text = asked(out.parent, clicks)
    with whole_file(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
        setup = read_setup(temporary)
        if frame is not None:
            plane = plane_for(setup, frame)
            say(f"the table fits the picture to {plane.reprojection_error_px:.2f} px")
    say(f"wrote {out}; next: sandtable play --setup {out}")


def _picture(picture: Path | None, source: str | None) -> Frame | None:
    from ui.still import first_frame
    from vision.picture import read_picture

    if picture is not None:
        return read_picture(picture)
    return first_frame(source) if source is not None else None
