"""Four clicked corners of a bare board whose sides show, with no lens file: do its sides tell how the lens bends?

    .venv/bin/python -m benchmarks.bare_board [--tables 10] [--seed 83224] [--plain]

Rendered boards of 700 x 500 mm with discs on them, lighter or darker than the floor (`benchmarks.three_clicks`), by
webcams' lenses, seven further published ones, three wide ones, six wide webcams' and twenty found later
(tests/calibration/simulation.py), each changed by up to a fifth. With --plain the picture shows nothing but the
player's clicks: no edge tells the bend. A hand clicks the corners to 0.4 px and to whole pixels. Printed: how often
straight edges told the bend, error in mm over the table (median, p95, worst), how often the stated 95 % interval holds.
CPU seconds a board: three.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cameras import SIZE
from benchmarks.table_error import TableError
from benchmarks.three_clicks import HAND_PX, a_bare_table, line
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.simulation import (
    FURTHER_LENSES,
    LATER_LENSES,
    TABLE,
    WEBCAMS,
    WIDE_LENSES,
    WIDE_WEBCAMS,
    a_webcam_lens,
)
from tests.calibration.table_picture import a_camera

KINDS = {
    "webcams": WEBCAMS,
    "further lenses": FURTHER_LENSES,
    "wide lenses": WIDE_LENSES,
    "wide webcams": WIDE_WEBCAMS,
    "twenty later lenses": LATER_LENSES,
}
# So much floor shows round the board, or its sides lie outside the picture.
FLOOR_PX = 15.0


def cameras(
    count: int, rng: np.random.Generator, among: tuple[tuple[float, float, float], ...]
) -> Iterator[TablePlane]:
    """Cameras that show the whole board and its sides."""
    while count:
        lens = a_webcam_lens(rng, among)
        away_mm = rng.uniform(800, 1100) * lens.matrix[0, 0] / 1450
        turns = {"roll_deg": rng.uniform(-8, 8), "pan_deg": rng.uniform(-30, 30)}
        camera = a_camera(rng.uniform(38, 78), away_mm, **turns, lens=lens)
        px = camera.to_image(TABLE)
        if (px > FLOOR_PX).all() and (px < np.array(SIZE) - FLOOR_PX).all():
            count -= 1
            yield camera


def clicked(camera: TablePlane, picture: NDArray[np.uint8], rng: np.random.Generator) -> TablePlane:
    """The table plane that four clicks give."""
    px = np.round(camera.to_image(TABLE) + rng.normal(0, HAND_PX, TABLE.shape))
    points = tuple((*at, *mm) for at, mm in zip(px.tolist(), TABLE.tolist(), strict=True))
    return calibrate_table(picture, CalibrationSpec(points=points, table_size_mm=(700, 500)))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=10)
    options.add_argument("--seed", type=int, default=83224)
    options.add_argument("--plain", action="store_true")
    given = options.parse_args()
    cv2.setNumThreads(1)
    for kind, among in KINDS.items():
        rng, told, bent = np.random.default_rng([given.seed, len(among)]), list[TableError](), 0
        for camera in cameras(given.tables, rng, among):
            shown = (
                np.full((SIZE[1], SIZE[0]), 120, np.uint8) if given.plain else a_bare_table(camera, rng, covered=False)
            )
            plane = clicked(camera, shown, rng)
            told.append(TableError.all_over(plane, camera))
            bent += bool(plane.lens.distortion.any())
        stated = [np.median(each.stated_mm) for each in told]
        spread = f"stated {np.median(stated):.1f} mm, at most {max(stated):.1f}"
        print(f"{kind}: the bend is told on {bent} of {given.tables}; {line(told)}; {spread}", flush=True)


if __name__ == "__main__":
    main()
