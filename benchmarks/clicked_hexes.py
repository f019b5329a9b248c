"""Tables with a hex mat by four clicked corners: how far off they are, by the clicks alone and with the hexes.

    .venv/bin/python -m benchmarks.clicked_hexes [--tables 12] [--seed 351] [--lenses webcams later wide file]
                                             [--stretched 0.002] [--each]

Mats of sample_footage/hex_table.py in eight styles on four papers, of 24 to 52 mm, every fourth a part of the table,
things on top, seen at 1920 x 1080 from 38 to 72 degrees by webcams, by cameras published later than what the clicks'
interval was made with, by wide ones (tests/calibration/simulation.py), and by one whose lens file is right. The table's
corners are clicked to 0.4 px and whole pixels. Mats may be stretched some way, a standard deviation. Printed, for
clicks alone and as `sandtable` measures OmniWar's tables: error in mm over the table (median, p95, worst), what is
stated (median), how often the 95 % interval holds, on how many tables the hexes were used, and CPU seconds for the
plane. 6 CPU seconds a table, most of them for the picture.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.table_error import TableError
from benchmarks.three_clicks import HAND_PX
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, calibrate_table
from sample_footage.hex_table import PAPERS, STYLES, TABLE_MM, HexTable, seen_bgr
from tests.calibration.simulation import LATER_LENSES, SIZE, TABLE, WEBCAMS, WIDE_WEBCAMS, a_webcam_lens
from tests.calibration.table_picture import a_camera, a_lens
from vision.detect.hex.hex_places import HexPlaces

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

LENSES = ("webcams", "later", "wide", "file")
# So much floor shows round the table.
FLOOR_PX = 12.0
MIDDLE_MM = np.array(TABLE_MM) / 2
MATS = tuple(style for style in STYLES if style != "none")


@dataclass(frozen=True, eq=False)
class Shown:
    """A camera as `seen_bgr` asks it, through any lens, of a mat that is stretched (2, 2) about the table's middle."""

    camera: TablePlane
    stretch: Array

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) of the picture."""
        return self.camera.lens.size_px

    def to_plane(self, points_px: ArrayLike) -> Array:
        """(n, 2) table mm; far away where the table is not seen."""
        off = np.nan_to_num(self.camera.to_table(points_px), nan=-1e4) - MIDDLE_MM
        return off @ np.linalg.inv(self.stretch) + MIDDLE_MM


@dataclass(frozen=True, eq=False)
class Clicked:
    """A mat, the camera that shows it, the picture, and the clicked corners."""

    table: HexTable
    camera: TablePlane
    picture: Picture
    spec: CalibrationSpec


def a_lens_of(kind: str, rng: np.random.Generator) -> Lens:
    """A lens of that kind."""
    if kind == "file":
        return a_lens(SIZE)
    among = {"webcams": WEBCAMS, "later": LATER_LENSES, "wide": WIDE_WEBCAMS}[kind]
    return a_webcam_lens(rng, among)


def a_view(kind: str, rng: np.random.Generator) -> TablePlane:
    """A camera that shows the whole table."""
    while True:
        lens = a_lens_of(kind, rng)
        away_mm = rng.uniform(750, 1000) * lens.matrix[0, 0] / 1450
        camera = a_camera(rng.uniform(38, 72), away_mm, rng.uniform(-5, 5), rng.uniform(-25, 25), lens)
        px = camera.to_image(TABLE)
        if (px > FLOOR_PX).all() and (px < np.array(SIZE) - FLOOR_PX).all():
            return camera


def a_mat(rng: np.random.Generator, number: int) -> HexTable:
    """A mat in the style of that number."""
    part = (60.0, 60.0, 60.0 + rng.uniform(300, 480), 60.0 + rng.uniform(220, 360)) if number % 4 == 3 else None
    return HexTable(
        rng.uniform(24.0, 52.0), rng.uniform(0, 60), tuple(rng.uniform(100, 300, 2)),  # type: ignore[arg-type]
        MATS[number % len(MATS)], PAPERS[int(rng.integers(len(PAPERS)))], part, int(rng.integers(0, 26)),
        int(rng.integers(10**6)),
    )  # fmt: skip


def clicked(kind: str, seed: int, number: int, stretched: float = 0.0) -> Clicked:
    """One of the tables."""
    rng = np.random.default_rng([seed, number, *kind.encode()])
    table, camera = a_mat(rng, number), a_view(kind, rng)
    longer, slanted = rng.normal(0, stretched, 2)
    stretch = np.eye(2) + np.array([[longer, slanted], [slanted, -longer]]) / 2
    picture = seen_bgr(table, Shown(camera, stretch), noise=2.0 + number % 3)  # type: ignore[arg-type]
    px = np.round(camera.to_image(TABLE) + rng.normal(0, HAND_PX, TABLE.shape))
    points = tuple(map(tuple, np.hstack([px, TABLE]).tolist()))
    spec = CalibrationSpec(points=points, table_size_mm=TABLE_MM, lens=camera.lens if kind == "file" else None)
    return Clicked(table, camera, picture, spec)


def row(kind: str, tables: list[Clicked], *, hexes: bool, each: bool) -> None:
    """Measure those tables and print a line."""
    errors, used, cpu_s = list[TableError](), 0, []
    for number, one in enumerate(tables):
        see = HexPlaces(one.picture, TABLE_MM) if hexes else None
        begun = time.process_time()
        try:
            plane = calibrate_table(one.picture, one.spec, see)
        except ValueError as error:
            print(f"  {kind} {number} is refused, and not counted: {error}", flush=True)
            continue
        cpu_s.append(time.process_time() - begun)
        is_used = any("places of the hexes" in note for note in plane.notes)
        error = TableError.all_over(plane, one.camera)
        used += is_used
        errors.append(error)
        if each:
            mat = (
                f"{one.table.style}, {one.table.paper}, {one.table.pitch_mm:.0f} mm{', part' * bool(one.table.part_mm)}"
            )
            held = f"{error.off_mm.max():.2f} of {error.stated_mm.max():.2f} mm at most"
            print(f"  {kind} {number} ({mat}): {held}{', hexes' * is_used}; {'; '.join(plane.notes)}", flush=True)
    every = TableError.joined(errors)
    p50, p95, worst = np.quantile(every.off_mm, [0.5, 0.95, 1.0])
    print(
        f"{kind:8} {'with hexes' if hexes else 'clicks':10} {p50:5.2f} / {p95:5.2f} / {worst:5.2f}   "
        f"{np.median(every.stated_mm):5.2f}   {100 * np.mean(every.holds):5.1f} %   {used:3d} of {len(errors)}   "
        f"{np.mean(cpu_s):.1f}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=12, help="of each kind of lens")
    options.add_argument("--seed", type=int, default=351)
    options.add_argument("--lenses", choices=LENSES, nargs="+", default=LENSES)
    options.add_argument("--stretched", type=float, default=0.0, help="share by which one axis of a mat is longer")
    options.add_argument("--each", action="store_true", help="a line for each table")
    given = options.parse_args()
    cv2.setNumThreads(1)
    print("lenses   by          error p50 / p95 / worst   stated   holds   hexes used   CPU s")
    for kind in given.lenses:
        tables = [clicked(kind, given.seed, number, given.stretched) for number in range(given.tables)]
        for hexes in (False, True):
            row(kind, tables, hexes=hexes, each=given.each)


if __name__ == "__main__":
    main()
