"""`sandtable setup`: the guided set-up."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules.files.json_file import stem_beside
from ui.length import TABLE_SIDE
from ui.new_file import refuse_overwriting
from ui.ruled import NEW_FILE, PATH
from ui.setup.setup_file import CURRENCIES
from ui.telling.fault import fault_line
from ui.telling.results import say, whole_file

if TYPE_CHECKING:
    from ui.measuring.sight import Sight
    from ui.setup.calibration_block import CalibrationBlock
    from ui.setup.viewing import Viewing

_GAME, _SIZE_MM = "omms", (700.0, 500.0)
_QUICK = "--game, --size, --sheet, --map and --lens"
_SEEN = ".seen.jpg"
_CAMERA = "Camera: its number (0 is the first), or the address of a stream (Enter: none yet)"


@click.command("setup")
@click.argument("out", metavar="[OUT.toml]", type=NEW_FILE, default=Path("sandtable.toml"))
@click.option("--picture", type=PATH, help="A picture of the table, to click its corners in.")
@click.option("--source", help="Camera number or URL to take that picture from.")
@click.option("--quick", is_flag=True, help="No question: the table by its outline, or by the cards on it.")
@click.option("--game", help=f"Of a quick set-up; {_GAME} without it.")
@click.option("--size", type=TABLE_SIDE, nargs=2, help="Of its table, mm; {:g} {:g} without it.".format(*_SIZE_MM))
@click.option("--currency", type=click.Choice(CURRENCIES), help="Of the coins on it: tells five pence from a dime.")
@click.option("--sheet", type=PATH, help="Picture of the printed map or mat that lies there, cut at its edges.")
@click.option("--lens", type=PATH, help="Lens file from `calibrate lens`, for a quick set-up: three corners will do.")
@click.option("--map", "map_file", type=PATH, help="The map that lies there, its roads where the file has them.")
def command(
    *,
    out: Path,
    picture: Path | None,
    source: str | None,
    quick: bool,
    game: str | None,
    size: tuple[float, float] | None,
    currency: str | None,
    sheet: Path | None,
    lens: Path | None,
    map_file: Path | None,
) -> None:
    """Ask for camera, table, game, players, legend and map, and write the set-up file OUT.toml.

    With --quick nothing is asked but one click: whether the grid that is shown lies on the table. A --sheet or --map
    tells by itself where it lies, pieces on it and all.
    """
    from ui.qt import has_display
    from ui.setup.viewing import Viewing
    from ui.setup.wizard import asked

    if (game or size or sheet or map_file or lens) and not quick:
        raise click.UsageError(f"{_QUICK} are for --quick; without it they are asked for.")
    if picture is not None and source is not None:
        raise click.UsageError("Give either --picture or --source.")
    _refuse_what_is_kept(out)
    sight = _sight(picture, source, quick=quick)
    seen = out.with_name(f"{stem_beside(out, _SEEN)}{_SEEN}")
    refuse_overwriting((picture, sheet, lens, map_file), (out, seen))
    viewing = Viewing(sight, say, Path(seen.name)) if sight is not None else None
    if quick:
        if viewing is None:
            raise click.UsageError("Give --picture or --source with --quick.")
        told = _Told(game or _GAME, size or _SIZE_MM, currency, sheet, map_file, lens)
        text = _quick_text(out, viewing, told)
    else:
        by_clicks = viewing.by_clicks if viewing is not None and has_display() else None
        text = asked(out.parent, by_clicks, currency, viewing.check_lens if viewing is not None else None)
    holds = _written(text, out, seen, viewing)
    live = f" --source {shlex.quote(str(sight.source))}" if sight is not None and sight.is_live else ""
    play = f"sandtable play --setup {shlex.quote(str(out))}{live}"
    say(f"wrote {out}; {'next' if holds else 'mend that first, then'}: {play}")


def _refuse_what_is_kept(out: Path) -> None:
    """FileExistsError where it is no ordinary file, ValueError where a person would rather keep it."""
    if out.exists() and not out.is_file():
        raise FileExistsError(f"{out}: this is no ordinary file; name one")
    if out.exists() and not click.confirm(f"{out} exists; replace it", err=True):
        raise ValueError(f"{out}: left as it is; give another name")


def _sight(picture: Path | None, source: str | None, *, quick: bool) -> Sight | None:
    """The table to look at: a picture, a camera, or the camera that a person at a terminal names; None for none."""
    from ui.measuring.sight import Sight
    from ui.qt import has_display

    if picture is None and source is None:
        return _asked_sight() if not quick and has_display() and sys.stdin.isatty() else None
    sight = Sight(picture, source, say)
    if not quick:
        sight.take()  # what shows no picture is told before all questions and not after them
    return sight


def _written(text: str, out: Path, seen: Path, viewing: Viewing | None) -> bool:
    """Write the set-up, and beside it the picture that was clicked in; whether the set-up holds (see `_holds`)."""
    from ui.measuring.since import picture_kept
    from ui.setup.setup_text import seen_text

    clicked = viewing.clicked if viewing is not None else None
    with whole_file(out) as temporary, picture_kept(clicked, seen) as shown:
        temporary.write_text(text.replace(seen_text(seen.name), seen_text(shown.name)), encoding="utf-8")
        holds = _holds(temporary, out, viewing, {temporary.name: out.name, shown.name: seen.name})
        temporary.write_text(text, encoding="utf-8")
    return holds


def _holds(temporary: Path, out: Path, viewing: Viewing | None, called: Mapping[str, str]) -> bool:
    """Whether the set-up at `temporary`, that will be `out`, can be read and fits what is seen. ValueError if not,
    unless a person at a terminal keeps it so: all answers and clicks would be lost by what one line mends.

    called  what files of now will be called, by their names until then
    """
    from ui.setup.setup_file import read_setup

    while True:
        try:
            setup = read_setup(temporary)
            if viewing is not None:
                viewing.check(setup)
        except (ValueError, OSError) as fault:
            told = fault_line(fault)
            for name, later in called.items():
                told = told.replace(name, later)
            if not sys.stdin.isatty():
                raise ValueError(told) from None
            say(told)
            if viewing is not None and viewing.sight.is_live and _said_yes("Look once more"):
                viewing.look_again()
            elif _said_yes(f"Write your answers to {out} all the same, to be mended there"):
                return False
            else:
                raise ValueError(f"{out}: not written") from None
        else:
            return True


def _said_yes(question: str) -> bool:
    return bool(click.confirm(question, default=True, err=True))


def _asked_sight() -> Sight | None:
    """The camera that a person names, once it shows something; None for none."""
    from ui.measuring.sight import Sight

    while source := str(click.prompt(_CAMERA, default="", show_default=False, err=True)).strip():
        sight = Sight(None, source, say)
        try:
            sight.take()
        except (ValueError, OSError) as error:
            say(fault_line(error))
            continue
        return sight
    return None


@dataclass(frozen=True)
class _Told:
    """What the options of a quick set-up tell; `sheet`, `map_file` and `lens` are files."""

    game: str
    size_mm: tuple[float, float]
    currency: str | None
    sheet: Path | None
    map_file: Path | None
    lens: Path | None


def _quick_text(out: Path, viewing: Viewing, told: _Told) -> str:
    """The text of a set-up that a person confirmed, or clicked the corners of; unseen without a display."""
    from calibration.boards.lens_file import lens_in
    from rules.files.map_file import read_map
    from ui.measuring.quick import Known, quick_text
    from ui.setup.setup_file import checked_game
    from ui.setup.toml_section import read_toml
    from ui.setup.wizard import lent_camera
    from vision.stream.picture import read_picture

    checked_game(told.game)
    # Through a pipe it comes once only.
    lens_file = read_toml(told.lens) if told.lens is not None else None
    lens = lens_in(lens_file.text, lens_file.path) if lens_file is not None else None
    if lens is not None and told.lens is not None:
        viewing.check_fits(lens, told.lens)
    if told.sheet is not None:
        read_picture(told.sheet)
    named = os.path.relpath(told.map_file, out.parent) if told.map_file is not None else None
    camera = lent_camera(lens_file) if lens_file is not None else None
    known = Known(
        told.sheet,
        read_map(told.map_file) if told.map_file is not None else None,
        lens,
    )
    block = _beside(viewing.found(told.size_mm, known, told.currency), out)
    return quick_text(told.game, told.size_mm, block, named, camera, told.currency)


def _beside(block: CalibrationBlock, out: Path) -> CalibrationBlock:
    """With the sheet's picture named as from the set-up file's folder."""
    if block.sheet is None or block.sheet.picture is None:
        return block
    picture = Path(os.path.relpath(block.sheet.picture, out.parent))
    return replace(block, sheet=replace(block.sheet, picture=picture))
