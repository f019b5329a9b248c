"""`sandtable map import`: game maps from open map data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.length import ORDINATE, TABLE_SIDE, Length
from ui.new_file import refuse_overwriting
from ui.ruled import NEW_FILE, PATH

if TYPE_CHECKING:
    from ui.map_import.places import Found


@click.group("map")
def command() -> None:
    """Make game maps from open map data."""


@command.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option("--out", "-o", required=True, type=NEW_FILE, help="The map file (GeoJSON).")
@click.option("--size-mm", type=TABLE_SIDE, nargs=2, default=(700.0, 500.0), show_default=True, help="The table.")
@click.option("--scale", type=Length(100, 1e8), default=250000.0, show_default=True, help="1 : this.")
@click.option(
    "--origin",
    type=ORDINATE,
    nargs=2,
    help="East and north (m), or longitude and latitude, of the near left corner; the data's middle without.",
)
def import_(
    *,
    files: tuple[Path, ...],
    out: Path,
    size_mm: tuple[float, float],
    scale: float,
    origin: tuple[float, float] | None,
) -> None:
    """Roads, settlements, land and water of FILE... (GeoPackage, Shapefile, GeoJSON) as a game map."""
    from rules.files.json_file import write_json
    from ui.map_import.coordinates import in_degrees, notes_of
    from ui.map_import.document import bounds_of, degree_bounds_of, lie_words, map_document
    from ui.map_import.ground import laid_true
    from ui.map_import.sheet import MapSheet
    from ui.telling.results import say

    refuse_overwriting(files, (out,))
    found_in = _useful_in(files)
    degrees = in_degrees(found_in)
    found = [one for each in found_in.values() for one in each]
    if not found:
        raise ValueError(
            f"{files[0]}: no road, settlement, water or land that the game could use; give other layers or files"
        )
    bounds = (degree_bounds_of if degrees else bounds_of)(found)
    sheet = MapSheet.over(bounds, size_mm, scale, origin, degrees=degrees)
    found, sheet, turned = laid_true(found, sheet, str(files[0]))
    document = map_document(found, sheet, str(files[0]), lie_words(bounds, degrees=degrees))
    write_json(out, document)
    for note in (*notes_of(found_in), *turned):
        say(f"sandtable: {note}")
    kinds = [feature["properties"]["kind"] for feature in document["features"]]
    say(f"wrote {out}: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)))


def _useful_in(files: tuple[Path, ...]) -> dict[Path, list[Found]]:
    """What the game can use of each file, one that is named twice being read once: its towns would lie there twice."""
    from ui.map_import.document import useful
    from ui.map_import.layers import read_features
    from ui.telling.progress import progress

    found_in = {}
    different = {os.path.realpath(path): path for path in files}
    with progress("reading", len(different)) as advance:
        for done, path in enumerate(different.values(), start=1):
            found_in[path] = useful(read_features(path))
            advance(done)
    return found_in
