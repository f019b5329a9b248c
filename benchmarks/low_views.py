"""A printed map seen from low down by webcams with no lens file: is its outline the map's own, and is it stated so?

    .venv/bin/python -m benchmarks.low_views [--tables 12] [--seed 202311] [--degrees 19 29] [--keep FOLDER]

Webcams' lenses (tests/calibration/simulation.py), each changed by up to a fifth, see at 1920 x 1080 a printed map of
720 x 520 mm on planks, wood or cloth (`benchmarks.wide_webcams`), from so many degrees above the horizon. The table is
looked for as `setup --quick` does it: by its outline, refused where a camera stands too low. Printed for each: how many
degrees, what was found or why not, error in mm over the table (median, worst), what is stated (median, worst), and how
often the 95 % interval holds; then all together. CPU seconds a table: eight, most of them for the picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cameras import SIZE
from benchmarks.table_error import TableError
from benchmarks.wide_webcams import BEYOND_MM, FLOOR_PX, MIDDLE_MM, pictured
from calibration.plane import TablePlane
from tests.calibration.simulation import TABLE, WEBCAMS, a_webcam_lens
from tests.calibration.table_picture import a_camera
from ui.measuring.quick import found_table
from ui.setup.fitness import faults_in
from vision.frame import Frame

Array = NDArray[np.float64]

SIZE_MM = (700 + 2 * BEYOND_MM["map"], 500 + 2 * BEYOND_MM["map"])


def cameras(count: int, rng: np.random.Generator, degrees: tuple[float, float]) -> Iterator[tuple[float, TablePlane]]:
    """Cameras that show the whole map, and how many degrees above the horizon they stand."""
    outer = TABLE + np.sign(TABLE - MIDDLE_MM) * BEYOND_MM["map"]
    while count:
        lens = a_webcam_lens(rng, WEBCAMS)
        away_mm, tilt_deg = rng.uniform(750, 1100) * lens.matrix[0, 0] / 1450, float(rng.uniform(*degrees))
        camera = a_camera(tilt_deg, away_mm, rng.uniform(-8, 8), rng.uniform(-30, 30), lens)
        px = camera.to_image(outer)
        if (px > FLOOR_PX).all() and (px < np.array(SIZE) - FLOOR_PX).all():
            count -= 1
            yield tilt_deg, camera


def measured(camera: TablePlane, picture: NDArray[np.uint8]) -> TableError | str:
    """Of the field; or why it is refused."""
    bgr = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    frame = Frame(np.asarray(bgr, np.uint8), 0, 0.0, "a map")
    try:
        plane = found_table(frame, SIZE_MM).plane
        faults_in(frame, plane, SIZE_MM)
    except ValueError as error:
        return str(error)
    return TableError.all_over(plane, camera, BEYOND_MM["map"])


def line_of(found: TableError) -> str:
    """What a table is off, what was stated, and how often that holds."""
    return (
        f"{np.median(found.off_mm):.2f} / {found.off_mm.max():.1f} mm, stated "
        f"{np.median(found.stated_mm):.1f} / {found.stated_mm.max():.1f}, holds {100 * np.mean(found.holds):.0f} %"
    )


def tell_all(told: Sequence[TableError], tables: int) -> None:
    """The same of all tables, on one line."""
    if not told:
        print(f"none of {tables} measured")
        return
    every = TableError.joined(told)
    p50, p95, worst = np.quantile(every.off_mm, [0.5, 0.95, 1.0])
    stated = f"stated {np.median(every.stated_mm):.1f}, holds {100 * np.mean(every.holds):.1f} %"
    print(f"{len(told)} of {tables} measured: {p50:.2f} / {p95:.2f} / {worst:.1f} mm, {stated}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=12)
    options.add_argument("--seed", type=int, default=202311)
    options.add_argument("--degrees", type=float, nargs=2, default=(19.0, 29.0))
    options.add_argument("--keep", type=Path, help="folder for the pictures")
    given = options.parse_args()
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    rng, told = np.random.default_rng(given.seed), list[TableError]()
    for count, (tilt_deg, camera) in enumerate(cameras(given.tables, rng, tuple(given.degrees))):
        picture = pictured("map", camera, rng)
        if given.keep is not None:
            cv2.imwrite(str(given.keep / f"low-{count}.png"), picture)
        found = measured(camera, picture)
        refused = isinstance(found, str)
        print(f"{count}: {tilt_deg:.1f} degrees, {f'refused: {found}' if refused else line_of(found)}", flush=True)
        told += [] if refused else [found]
    tell_all(told, given.tables)


if __name__ == "__main__":
    main()
