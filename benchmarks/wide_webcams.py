"""Wide webcams with no lens file: a map on a table, a table top, bare wood; found by the outline or by four clicks.

    .venv/bin/python -m benchmarks.wide_webcams [--tables 6] [--seed 621011] [--kinds map top wood]

Six published wide webcams (focal length 0.49 to 0.67 of the width, k1 -0.24 to -0.33), each changed by up to a tenth,
see at 1920 x 1080 a printed map on planks, cloth or wood, a table top on its floor, or a field of 700 x 500 mm amid
bare wood whose grain runs in curves. The table is looked for as `setup --quick` does it, and clicked where that finds
none, to 0.4 px and whole pixels. Printed: how often each, error in mm over the table (median, p95, worst), what is
stated (median), how often the 95 % interval holds. CPU seconds a table: eight, most of them for the picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cameras import SIZE
from benchmarks.table_error import TableError
from benchmarks.three_clicks import HAND_PX, a_bare_table
from calibration.lens import Lens
from calibration.plane import TablePlane
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.map_sheet import MARGIN_MM, kingsmere_sheet_bgr
from tests.calibration.simulation import TABLE, WIDE_WEBCAMS
from tests.calibration.table_picture import a_camera, shoot
from ui.measuring.clicked import Click
from ui.measuring.corners import by_four
from ui.measuring.quick import found_table
from vision.frame import Frame

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

TEXELS, FLOOR_PX, DISCS, DISC_MM = 3, 15.0, 24, 12
MIDDLE_MM = np.array([350.0, 250.0])
WOODS, CLOTHS = ("oak", "walnut", "pine"), ("green-cloth", "grey-cloth")
# How far the field's corner lies from that of what is clicked or found, mm.
BEYOND_MM = {"map": MARGIN_MM, "top": 0.0, "wood": 0.0}


def a_wide_lens(rng: np.random.Generator) -> Lens:
    """A published wide lens or one much like it, off centre by 1 %."""
    focal, k1, k2 = WIDE_WEBCAMS[rng.integers(len(WIDE_WEBCAMS))]
    focal_px, share = focal * rng.uniform(0.92, 1.08) * SIZE[0], rng.uniform(0.85, 1.1)
    u, v = np.array([959.5, 539.5]) + rng.normal(0, 0.01 * SIZE[0], 2)
    distortion = (k1 * share, k2 * share**2, *rng.normal(0, 1e-3, 2), 0.0)
    return Lens.measured(SIZE, [[focal_px, 0, u], [0, focal_px, v], [0, 0, 1]], distortion)


def cameras(count: int, rng: np.random.Generator, beyond_mm: float) -> Iterator[TablePlane]:
    """Cameras that show the whole field, and so much more on every side."""
    outer = TABLE + np.sign(TABLE - MIDDLE_MM) * beyond_mm
    while count:
        lens = a_wide_lens(rng)
        away_mm = rng.uniform(750, 1100) * lens.matrix[0, 0] / 1450
        camera = a_camera(rng.uniform(38, 75), away_mm, rng.uniform(-8, 8), rng.uniform(-30, 30), lens)
        px = camera.to_image(outer)
        if (px > FLOOR_PX).all() and (px < np.array(SIZE) - FLOOR_PX).all():
            count -= 1
            yield camera


def pictured(kind: str, camera: TablePlane, rng: np.random.Generator) -> Picture:
    """What the camera shows."""
    if kind == "top":
        return a_bare_table(camera, rng, covered=False)
    surface = str(rng.choice(WOODS if kind == "wood" else (*WOODS, *CLOTHS)))
    side = round(2 * TABLE_REACH_MM * TEXELS)
    ground = np.asarray(cv2.resize(table_top(surface, int(rng.integers(4))), (side, side)), np.uint8)
    lay = _lay_discs if kind == "wood" else _lay_map
    lay(ground, rng)
    corner = (float(MIDDLE_MM[0] - TABLE_REACH_MM), float(MIDDLE_MM[1] - TABLE_REACH_MM))
    return shoot(camera, ground, TEXELS, corner, rays=2, beyond=60, seed=int(rng.integers(10**6)))


def _at(mm: Array) -> NDArray[np.intp]:
    """(..., 2) texels, right and down, of places on the ground."""
    off_mm = mm - MIDDLE_MM
    return np.asarray(np.round((off_mm * [1, -1] + TABLE_REACH_MM) * TEXELS), np.intp)


def _lay_map(ground: Picture, _: np.random.Generator) -> None:
    sheet = kingsmere_sheet_bgr(TEXELS)
    left, top = _at(TABLE[3] + [-MARGIN_MM, MARGIN_MM]).tolist()
    ground[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet


def _lay_discs(ground: Picture, rng: np.random.Generator) -> None:
    for middle in _at(rng.uniform((30, 30), (670, 470), (DISCS, 2))).tolist():
        cv2.circle(ground, middle, DISC_MM * TEXELS, (int(rng.integers(40, 220)),) * 3, -1, cv2.LINE_AA)


def measured(kind: str, camera: TablePlane, picture: Picture, rng: np.random.Generator) -> tuple[bool, TableError]:
    """Whether the table was found unasked; and how far off the field is."""
    beyond_mm = BEYOND_MM[kind]
    size_mm = (700 + 2 * beyond_mm, 500 + 2 * beyond_mm)
    bgr = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    frame = Frame(np.asarray(bgr, np.uint8), 0, 0.0, kind)
    try:
        plane, unasked = found_table(frame, size_mm).plane, True
    except ValueError:
        outer = TABLE + np.sign(TABLE - MIDDLE_MM) * beyond_mm
        px = np.round(camera.to_image(outer) + rng.normal(0, HAND_PX, outer.shape))
        plane, unasked = by_four(frame, size_mm, [Click(u, v) for u, v in px.tolist()], None).plane, False
    return unasked, TableError.all_over(plane, camera, beyond_mm)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=6)
    options.add_argument("--seed", type=int, default=621011)
    options.add_argument("--kinds", choices=tuple(BEYOND_MM), nargs="+", default=tuple(BEYOND_MM))
    options.add_argument("--keep", type=Path, help="folder for the pictures")
    given = options.parse_args()
    cv2.setNumThreads(1)
    for number, kind in enumerate(given.kinds):
        rng = np.random.default_rng([given.seed, number])
        told = []
        for count, camera in enumerate(cameras(given.tables, rng, BEYOND_MM[kind])):
            picture = pictured(kind, camera, rng)
            if given.keep is not None:
                cv2.imwrite(str(given.keep / f"{kind}-{count}.png"), picture)
            told.append(measured(kind, camera, picture, rng))
        unasked, every = sum(found for found, _ in told), TableError.joined(error for _, error in told)
        p50, p95, worst = np.quantile(every.off_mm, [0.5, 0.95, 1.0])
        print(
            f"{kind}: found unasked {unasked} of {len(told)}; {p50:.2f} / {p95:.2f} / {worst:.1f} mm, "
            f"stated {np.median(every.stated_mm):.1f}, holds {100 * np.mean(every.holds):.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
