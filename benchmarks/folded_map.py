"""How exactly places on a map are measured that was folded and does not lie flat.

    .venv/bin/python -m benchmarks.folded_map [PICTURE ...] [--high 3 6 10] [--as-flat]

Each PICTURE (the stills of sample_footage if none is given) has a set-up and its truth beside it, as for
`benchmarks.known_map`. The sheet is folded in it (`sample_footage/folded.py`): two to four by two panels, the highest
ridge so many mm high, its corners with their markers flat; `--high 0` leaves it flat, and is to change nothing. The
set-up is given the map. Printed: how far places all over the map, and those of the pieces, are off (mm; median, p95,
worst), and how often the stated 95 % interval holds. --as-flat measures as if the map were flat.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.arguments import existing
from benchmarks.known_map import SIZE_MM, STILLS, true_camera
from benchmarks.table_error import GRID, TableError
from rules.files.map_file import read_map
from sample_footage.camera import Camera
from sample_footage.folded import FoldedSheet, FoldedView
from sample_footage.kingsmere import MAP_FILE
from ui.measuring.table import plane_for
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame
from vision.stream.picture import read_picture


def measured(picture: Path, high_mm: float, seed: int, *, as_flat: bool) -> TableError:
    """Of places on the map, as it lies folded."""
    setup = with_map(read_setup(picture.with_suffix(".setup.toml")))
    frame, shown = read_picture(picture), true_camera(picture)
    sheet = FoldedSheet.drawn(SIZE_MM, high_mm, np.random.default_rng(seed))
    folded = FoldedView(Camera.of(shown.lens, shown.rvec, shown.tvec), sheet).of(frame.image_bgr)
    plane = plane_for(setup, Frame(folded, source=frame.source))
    if as_flat:
        plane = plane.flat
    at_px = shown.to_image(GRID, sheet.heights(GRID))
    return TableError.of(plane, at_px, GRID)


def with_map(setup: SetupFile) -> SetupFile:
    """The set-up as if it named the stills' map."""
    return replace(setup, rules=replace(setup.rules, map=read_map(MAP_FILE)))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pictures", type=existing, nargs="*")
    options.add_argument("--high", type=float, nargs="+", default=[3.0, 6.0, 10.0], help="mm")
    options.add_argument("--seed", type=int, default=1, help="of how the sheets are folded")
    options.add_argument("--as-flat", action="store_true")
    given = options.parse_args()
    pictures = given.pictures or [each for each in sorted(STILLS.glob("still-*.jpg")) if "plain-table" not in each.stem]
    for high_mm in given.high:
        print(f"highest ridge {high_mm:g} mm")
        every = []
        for number, picture in enumerate(pictures):
            every.append(measured(picture, high_mm, given.seed + number, as_flat=given.as_flat))
            print(f"  {picture.stem}: {_figures(every[-1])}; stated {np.median(every[-1].stated_mm):.2f}", flush=True)
        print(f"{len(every)} pictures: {_figures(TableError.joined(every))}")


def _figures(error: TableError) -> str:
    middle, p95, worst = np.quantile(error.off_mm, [0.5, 0.95, 1.0])
    return f"{middle:.2f} mm, p95 {p95:.2f}, worst {worst:.2f}; holds {100 * error.holds.mean():.0f} %"


if __name__ == "__main__":
    main()
