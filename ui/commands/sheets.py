"""`sandtable print`: printable sheets at true size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules.files.json_file import shortened
from ui.length import Length
from ui.new_file import refuse_no_pdf, refuse_overwriting
from ui.ruled import NEW_FILE, SETUP_OPTION
from ui.telling.results import say

if TYPE_CHECKING:
    from ui.setup.setup_file import SetupFile

_MOST_DIGITS = 4  # no dictionary has 10,000 markers
SHEETS = ("markers", "charuco", "rulers", "hexmat", "map", "tokens")
_PITCH_MM = 38.1  # an inch and a half
_A4_LONG_MM = 297.0
# Which sheets an option is of.
_OF = {
    "dictionary": ("markers", "charuco"),
    "size_mm": ("markers",),
    "ids": ("markers",),
    "pitch_mm": ("hexmat",),
    "card": ("rulers",),
}


@click.command("print")
@click.argument("what", type=click.Choice(SHEETS))
@click.argument("out", metavar="OUT.pdf", type=NEW_FILE)
@SETUP_OPTION
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    help="a4 without it. A map is then tiled over pages of it; without, it is one page of the table's size.",
)
@click.option("--dictionary", help="Marker dictionary; without it the set-up's, or DICT_4X4_50.")
@click.option(
    "--size-mm", type=Length(5, 180), help="Side of a marker, at most 139 on a4, 143 on letter; the set-up's, or 40."
)
@click.option("--ids", help="Markers to print, such as 0,1,2,3; the set-up's, or 0 to 3.")
@click.option("--pitch-mm", type=Length(5, 180), help=f"Of the hexagons; {_PITCH_MM:g} without it.")
@click.option("--card", type=click.Choice(["poker", "bridge"]), help="Of the rulers; the set-up's, or poker.")
def command(
    *,
    what: str,
    out: Path,
    setup_path: Path | None,
    paper: str | None,
    dictionary: str | None,
    size_mm: float | None,
    ids: str | None,
    pitch_mm: float | None,
    card: str | None,
) -> None:
    """Write WHAT as a PDF at true size: markers, charuco, rulers, hexmat, map or tokens."""
    from ui.qt import application
    from ui.setup.setup_file import files_of, read_setup

    _refuse_strange(what, dictionary=dictionary, size_mm=size_mm, ids=ids, pitch_mm=pitch_mm, card=card)
    refuse_no_pdf(out)
    refuse_overwriting(files_of(setup_path), (out,))
    setup = read_setup(setup_path) if setup_path is not None else None
    application(headless=True)
    sheet_paper, of_what = paper or "a4", ""
    if what in ("markers", "charuco"):
        _print_markers(what, out, setup, sheet_paper, dictionary, size_mm, ids)
    elif what == "map":
        of_what = f" ({_print_map(out, setup, paper)})"
    elif what == "rulers":
        _print_rulers(out, setup, sheet_paper, card)
    else:
        _print_plain(what, out, sheet_paper, pitch_mm or _PITCH_MM)
    say(f"wrote {out}{of_what}; print it at 100 % and measure the ruler line")


def _refuse_strange(what: str, **given: object) -> None:
    """Wrong usage where an option is given that the sheet does not have: it would be passed over."""
    for name, value in given.items():
        if value is not None and what not in _OF[name]:
            raise click.UsageError(f"print {what}: --{name.replace('_', '-')} is of {' and '.join(_OF[name])}.")


def _print_markers(
    what: str,
    out: Path,
    setup: SetupFile | None,
    paper: str,
    dictionary: str | None,
    size_mm: float | None,
    ids: str | None,
) -> None:
    from calibration.fiducials.markers import dictionary_named
    from ui.sheets.markers import print_charuco, print_markers

    sheet = setup.calibration.markers if setup is not None else None
    if dictionary is not None:
        dictionary_named(dictionary, "--dictionary")
    words = dictionary or (sheet.dictionary if sheet else "DICT_4X4_50")
    if what == "charuco":
        print_charuco(out, paper, words)
        return
    chosen = _ids(ids) if ids is not None else tuple(sheet.centres) if sheet else (0, 1, 2, 3)
    if size_mm is None and setup is not None and sheet:
        size_mm, where = sheet.size_mm, f"{setup.path}: [calibration] markers.size_mm"
    else:
        size_mm, where = size_mm or 40.0, "--size-mm"
    _check_marker(size_mm, where, paper)
    print_markers(out, paper, words, size_mm, chosen)


def _check_marker(size_mm: float, where: str, paper: str) -> None:
    """ValueError, which begins with `where`, for a marker that the paper cannot hold whole with its white rim."""
    from ui.sheets.markers import SMALLEST_MARKER_MM, largest_marker_mm

    most_mm = largest_marker_mm(paper)
    if SMALLEST_MARKER_MM <= size_mm <= most_mm:
        return
    more = f" (--paper letter: {largest_marker_mm('letter')})" if paper == "a4" else ""
    raise ValueError(
        f"{where}: {size_mm:g} mm; with the white rim that a marker needs {paper} holds {SMALLEST_MARKER_MM:g} to"
        f" {most_mm} mm{more}"
    )


def _print_map(out: Path, setup: SetupFile | None, paper: str | None) -> str:
    """Print it; the pages, for the person."""
    from ui.sheets.map_sheet import print_map, print_map_tiled
    from ui.sheets.tiles import OVERLAP_MM

    if setup is None or setup.rules.map is None:
        raise ValueError("print map: give --setup with a set-up file that has a [map]")
    if paper is None:
        sheet = print_map(out, setup.rules.map, setup.rules.table_size_mm)
        size = f"one page of {sheet.width_mm:g} x {sheet.height_mm:g} mm"
        is_large = max(sheet.width_mm, sheet.height_mm) > _A4_LONG_MM
        return f"{size}; --paper a4 cuts it into pages of a4" if is_large else size
    rows, columns = print_map_tiled(out, setup.rules.map, setup.rules.table_size_mm, paper).shape
    if rows * columns == 1:
        return f"one page of {paper}"
    return (
        f"{rows * columns} pages of {paper}, {columns} x {rows}, that overlap by {OVERLAP_MM:g} mm: cut each along"
        " the ticks at its left and far side, and lay it on the one before, cross on cross"
    )


def _print_rulers(out: Path, setup: SetupFile | None, paper: str, card: str | None) -> None:
    from rules.setup import CARD_SIZE_MM
    from ui.sheets.rulers import print_rulers

    if card is None and setup is not None:
        print_rulers(out, paper, setup.rules.card, setup.rules.card_mm)
    else:
        print_rulers(out, paper, card or "poker", CARD_SIZE_MM[card or "poker"])


def _print_plain(what: str, out: Path, paper: str, pitch_mm: float) -> None:
    from ui.sheets.hexmat import print_hexmat
    from ui.sheets.tokens import print_tokens

    if what == "hexmat":
        print_hexmat(out, paper, pitch_mm)
    else:
        print_tokens(out, paper)


def _ids(words: str) -> tuple[int, ...]:
    parts = [part.strip() for part in words.split(",")]
    if not all(part.isdecimal() and len(part) <= _MOST_DIGITS for part in parts):
        raise ValueError(f"--ids {shortened(words)}: give numbers with commas between them, such as 0,1,2,3")
    ids = tuple(int(part) for part in parts)
    for marker in ids:
        if ids.count(marker) > 1:
            raise ValueError(
                f"--ids {words!r}: {marker} is there twice, and two alike on a table cannot be told apart; take one out"
            )
    return ids
