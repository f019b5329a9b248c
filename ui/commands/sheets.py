"""`sandtable print`: printable sheets at true size."""

from __future__ import annotations

from pathlib import Path

import click

from rules.json_file import shortened
from ui.length import Length
from ui.new_file import refuse_no_pdf, refuse_overwriting
from ui.results import say
from ui.ruled import NEW_FILE, SETUP_OPTION

_MOST_DIGITS = 4  # no dictionary has 10,000 markers
SHEETS = ("markers", "charuco", "rulers", "hexmat", "map", "tokens")


@click.command("print")
@click.argument("what", type=click.Choice(SHEETS))
@click.argument("out", metavar="OUT.pdf", type=NEW_FILE)
@SETUP_OPTION
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--dictionary", help="Marker dictionary; without it the set-up's, or DICT_4X4_50.")
@click.option("--size-mm", type=Length(5, 180), help="Side of a marker; the set-up's, or 40.")
@click.option("--ids", help="Markers to print, such as 0,1,2,3; the set-up's, or 0 to 3.")
@click.option("--pitch-mm", type=Length(5, 180), default=38.1, show_default=True, help="Of the hexagons.")
@click.option("--card", type=click.Choice(["poker", "bridge"]), default="poker", show_default=True)
def command(
    *,
    what: str,
    out: Path,
    setup_path: Path | None,
    paper: str,
    dictionary: str | None,
    size_mm: float | None,
    ids: str | None,
    pitch_mm: float,
    card: str,
) -> None:
    """Write WHAT as a PDF at true size: markers, charuco, rulers, hexmat, map or tokens."""
    from calibration.markers import dictionary_named
    from ui.qt import application
    from ui.setup_file import files_of, read_setup

    refuse_no_pdf(out)
    refuse_overwriting(files_of(setup_path), (out,))
    setup = read_setup(setup_path) if setup_path is not None else None
    application(headless=True)
    if what in ("markers", "charuco"):
        from ui.sheets.markers import print_charuco, print_markers

        sheet = setup.calibration.markers if setup is not None else None
        if dictionary is not None:
            dictionary_named(dictionary, "--dictionary")
        words = dictionary or (sheet.dictionary if sheet else "DICT_4X4_50")
        if what == "charuco":
            print_charuco(out, paper, words)
        else:
            chosen = _ids(ids) if ids else tuple(sheet.centres) if sheet else (0, 1, 2, 3)
            print_markers(out, paper, words, size_mm or (sheet.size_mm if sheet else 40.0), chosen)
    elif what == "map":
        from ui.sheets.map_sheet import print_map

        if setup is None or setup.rules.map is None:
            raise ValueError("print map: give --setup with a set-up file that has a [map]")
        print_map(out, setup.rules.map, setup.rules.table_size_mm)
    else:
        _print_plain(what, out, paper, pitch_mm, card)
    say(f"wrote {out}; print it at 100 % and measure the ruler line")


def _print_plain(what: str, out: Path, paper: str, pitch_mm: float, card: str) -> None:
    from ui.sheets.hexmat import print_hexmat
    from ui.sheets.rulers import print_rulers
    from ui.sheets.tokens import print_tokens

    if what == "rulers":
        print_rulers(out, paper, card)
    elif what == "hexmat":
        print_hexmat(out, paper, pitch_mm, None)
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
