"""How exactly a known map is found, with pieces on it: by its sheet's picture, by its roads, by its sheet's own edge.

    .venv/bin/python -m benchmarks.known_map [PICTURE ...] [--way print roads outline] [--lens]

Each PICTURE (the stills of sample_footage if none is given) has a set-up beside it which tells the renderer's lens, and
its truth, whose pieces tell where that stood: the set-up's markers would be off by up to 0.3 mm, as any measurement
(`python -m sample_footage.generate stills --seed 1 --count 24 --out FOLDER` makes more, `things` too). Each is given to
what `sandtable setup --quick` calls: with `--sheet`, the map as it was printed; with `--map`, its roads; with neither,
and then the sheet's size as a player reads it off a ruler, to half a millimetre (standard deviation).
Printed: error in mm over the map (median, worst place), what is stated for 95 %, whether it holds; tables without the
map are to be refused. --lens gives the lens as the set-up tells it; without, nobody measured it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.arguments import existing
from benchmarks.table_error import TableError
from calibration.boards.lens_file import read_lens
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from rules.files.map_file import read_map
from sample_footage.ground import SHEET_PX_PER_MM
from sample_footage.kingsmere import MAP_FILE
from sample_footage.map_pdf import write_map_picture
from sample_footage.map_sheet import MARGIN_MM
from ui.measuring.quick import Known, found_table
from vision.stream.picture import read_picture

STILLS = Path(__file__).parent.parent / "sample_footage" / "stills"
SIZE_MM = (700.0, 500.0)
WAYS = ("print", "roads", "outline")
RULER_MM = 0.5
# To what the truth tells where a piece shows.
TOLD_PX = 1e-3


def known(
    way: str, printed: Path, lens_of: Path | None, rng: np.random.Generator
) -> tuple[Known, tuple[float, float], float]:
    """What a player tells `setup --quick`, the size that he gives, and the map's margin within that size (mm)."""
    lens = read_lens(lens_of) if lens_of is not None else None
    if way == "roads":
        return Known(drawn=read_map(MAP_FILE), lens=lens), SIZE_MM, 0.0
    # The print, and the sheet, have a margin round the map.
    width, depth = (side + 2 * MARGIN_MM for side in SIZE_MM)
    if way == "outline":
        width, depth = (side + float(rng.normal(0, RULER_MM)) for side in (width, depth))
    return Known(picture=printed if way == "print" else None, lens=lens), (width, depth), MARGIN_MM


def true_camera(picture: Path) -> TablePlane:
    """The renderer's: its lens by the set-up, its place by where the truth says that the pieces show."""
    lens = read_lens(picture.with_suffix(".setup.toml"))
    pieces = json.loads(picture.with_suffix(".truth.geojson").read_text(encoding="utf-8"))["features"]
    told = [piece["properties"] for piece in pieces]
    shown = Correspondences.of(
        [each["image_px"] for each in told],
        [each["position_mm"] for each in told],
        sigma_px=TOLD_PX,
        height_mm=[each["elevation_mm"] + each["height_mm"] for each in told],
    )
    return fit_plane(shown, lens.straight(), lens.size_px, SIZE_MM)


def measured(picture: Path, way: str, printed: Path, rng: np.random.Generator, *, with_lens: bool) -> TableError | None:
    """Of places on the map; None where it is not found that way."""
    setup = picture.with_suffix(".setup.toml")
    frame = read_picture(picture)
    camera = true_camera(picture)
    told, size_mm, margin_mm = known(way, printed, setup if with_lens else None, rng)
    try:
        found = found_table(frame, size_mm, told)
    except ValueError as error:
        print(f"  {picture.stem}: refused: {error}")
        return None
    if found.way != way:
        print(f"  {picture.stem}: by its {found.way}: {'; '.join(found.refused)}")
        return None
    error = TableError.all_over(found.plane, camera, margin_mm)
    figures = f"{np.median(error.off_mm):.3f} mm, worst {error.off_mm.max():.2f}; stated {error.stated_mm.max():.2f}"
    print(f"  {picture.stem}: {figures}, holds {100 * error.holds.mean():.0f} %", flush=True)
    return error


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pictures", type=existing, nargs="*")
    options.add_argument("--way", choices=WAYS, nargs="+", default=WAYS)
    options.add_argument("--lens", action="store_true")
    options.add_argument("--seed", type=int, default=1, help="of what the ruler tells")
    given = options.parse_args()
    pictures = given.pictures or sorted(STILLS.glob("still-*.jpg"))
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder) / "printed.jpg"
        write_map_picture(printed, SHEET_PX_PER_MM)
        for way in given.way:
            print(f"by its {way}, {'with a' if given.lens else 'no'} lens file")
            rng = np.random.default_rng(given.seed)
            told = [measured(picture, way, printed, rng, with_lens=given.lens) for picture in pictures]
            found = [each for each in told if each is not None]
            if found:
                medians = [float(np.median(error.off_mm)) for error in found]
                every = TableError.joined(found)
                print(
                    f"{len(found)} of {len(pictures)}: {min(medians):.3f} to {max(medians):.3f} mm (median of each), "
                    f"worst place {every.off_mm.max():.2f}; holds {100 * np.mean(every.holds):.1f} %"
                )


if __name__ == "__main__":
    main()
