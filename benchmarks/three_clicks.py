"""Three clicked corners through a measured lens: on how many tables they do, and how far off the table then is.

    .venv/bin/python -m benchmarks.three_clicks [--tables 300] [--seed 300]

Simulated cameras that show a table of 700 x 500 mm whole, 35 to 80 degrees down, turned and rolled a little, through a
webcam's lens that is off its file as the file says that it may be. A hand clicks three corners, and then the fourth, to
0.4 px and to whole pixels. Printed by how far the camera looks down: where three leave one camera only and the set-up
would take them (`ui.quick`: stated to 10 mm at every corner); their error in mm over the table, how often the stated
95 % interval holds; the same of four.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import GRID
from benchmarks.cameras import SIZE, measured
from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, TablePlane, fit_plane
from tests.calibration.simulation import TABLE
from tests.calibration.table_picture import a_camera, a_lens
from ui.quick import WORST_MM

Array = NDArray[np.float64]

HAND_PX = 0.4
SPANS_DEG = ((35, 45), (45, 55), (55, 65), (65, 80), (35, 80))


def cameras(count: int, rng: np.random.Generator) -> Iterator[TablePlane]:
    """Cameras that show the whole table."""
    while count:
        turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-20, 20)}
        lens = a_lens(SIZE, (rng.uniform(-0.1, 0.1), 0.0, 0.0, 0.0, 0.0))
        camera = a_camera(rng.uniform(35, 80), rng.uniform(850, 1100), **turns, lens=lens)
        px = camera.to_image(TABLE)
        if (px > 0).all() and (px < SIZE).all():
            count -= 1
            yield camera


def judged(camera: TablePlane, px: Array, lens: Lens) -> tuple[Array, Array] | None:
    """Errors in mm over the table and whether each is inside what is stated; None where the corners do not do."""
    try:
        plane = fit_plane(Correspondences.of(px, TABLE[: len(px)]), lens, SIZE, (700, 500))
    except ValueError:
        return None
    if (SIGMAS_95 * plane.sigma_mm(plane.to_image(TABLE))).max() > WORST_MM:
        return None
    places_px = camera.to_image(GRID)
    error_mm = np.hypot(*(plane.to_table(places_px) - GRID).T)
    return error_mm, error_mm <= SIGMAS_95 * plane.sigma_mm(places_px)


def line(told: list[tuple[Array, Array]]) -> str:
    """In figures."""
    if not told:
        return "none"
    errors, inside = (np.concatenate(each) for each in zip(*told, strict=True))
    p50, p95 = np.quantile(errors, [0.5, 0.95])
    return f"{p50:.2f} / {p95:.2f} / {errors.max():.1f} mm, holds {100 * inside.mean():.1f} %"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=300)
    options.add_argument("--seed", type=int, default=300)
    given = options.parse_args()
    rng = np.random.default_rng(given.seed)
    told = []
    for camera in cameras(given.tables, rng):
        px = np.round(camera.to_image(TABLE) + rng.normal(0, HAND_PX, TABLE.shape))
        lens = measured(camera.lens, rng)
        told.append((camera.tilt_deg, judged(camera, px[:3], lens), judged(camera, px, lens)))
    for low, high in SPANS_DEG:
        there = [(three, four) for tilt, three, four in told if low <= tilt < high]
        threes = [three for three, _ in there if three is not None]
        print(f"{low} to {high} degrees down: three do on {len(threes)} of {len(there)}: {line(threes)}")
        print(f"    four: {line([four for _, four in there if four is not None])}")


if __name__ == "__main__":
    main()
