"""How exactly a few of a sheet's printed markers measure the table, with pieces on it.

    .venv/bin/python -m benchmarks.few_markers [PICTURE ...] [--markers 2 4]

Each PICTURE (the stills of sample_footage if none is given) has a set-up beside it which tells the renderer's lens and
where its markers lie, and its truth, whose pieces tell where the camera stood. The table is measured by every two of
them, as if the others were covered, and by all, with the lens file. Printed: error in mm over the table (median of the
pictures' medians, worst place), what is stated for 95 % (median), and how often it holds (93 to 97 % are promised).
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.arguments import existing
from benchmarks.known_map import SIZE_MM, STILLS, true_camera
from benchmarks.table_error import TableError
from calibration.bending.bow import without_bow
from calibration.boards.lens_file import read_lens
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.table import MarkerSheet, markers_seen
from sample_footage.lie_of_the_land import MARKER_CENTRES_MM
from sample_footage.map_sheet import MARKER_MM
from vision.stream.picture import read_picture

SHEET = MarkerSheet("DICT_4X4_50", MARKER_MM, dict(enumerate(MARKER_CENTRES_MM)))


def line(errors: list[TableError]) -> str:
    """What so many markers told, table after table, as one printed line."""
    holds = np.array([100 * each.holds.mean() for each in errors])
    doubt = holds.std() / np.sqrt(len(holds))
    all_places = TableError.joined(errors)
    median_mm = np.median([np.median(each.off_mm) for each in errors])
    figures = f"{median_mm:.3f} mm, worst {all_places.off_mm.max():.2f}"
    return f"{figures}; stated {np.median(all_places.stated_mm):.3f}; holds {holds.mean():.1f} +- {doubt:.1f} %"


def take_picture(picture: Path, told: dict[int, list[TableError]]) -> None:
    """Measure one table by every so many of its markers, and add the errors to those measured by as many."""
    lens: Lens = read_lens(picture.with_suffix(".setup.toml"))
    seen = without_bow(markers_seen(read_picture(picture).image_bgr, SHEET, []), lens)
    camera = true_camera(picture)
    for count, errors in told.items():
        for some in combinations(seen.groups, count):
            plane = fit_plane(seen.only(some), lens, lens.size_px, SIZE_MM)
            errors.append(TableError.all_over(plane, camera))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pictures", type=existing, nargs="*")
    options.add_argument("--markers", type=int, nargs="+", default=(2, 4))
    given = options.parse_args()
    pictures = given.pictures or sorted(STILLS.glob("still-*.jpg"))
    told: dict[int, list[TableError]] = {count: [] for count in given.markers}
    for picture in pictures:
        # Bare tables have no sheet.
        if "markers" in picture.with_suffix(".setup.toml").read_text(encoding="utf-8"):
            take_picture(picture, told)
    for count, errors in told.items():
        print(f"{count} markers, {len(errors)} times: {line(errors)}")


if __name__ == "__main__":
    main()
