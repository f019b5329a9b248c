"""How exactly the hex grid of a mat is found, by what it draws, and how often one is seen where none is.

    .venv/bin/python -m benchmarks.hexgrid [--count 4] [--each] [--spoilt]

Pictures of sample_footage/hex_table.py: 1920 x 1080, 700 x 500 mm, 35 to 65 degrees, papers and the map, mats that
cover a part, things on top, noise. Error: pitch; how far the turn moves a hex 100 mm away; the nearest hex centre to
the middle of the grid; the worst hex centre on the table. To reach (issue 3): pitch, turn and origin to 0.3 mm.
`--spoilt`: those pictures as bad light, focus and cameras spoil them (`benchmarks/spoiling.py`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmarks.spoiling import CORRUPTIONS, SEED, Levels
from calibration.plane import TablePlane
from sample_footage.camera import Camera, looking_at
from sample_footage.hex_table import PAPERS, STYLES, TABLE_MM, HexTable, seen_bgr
from tests.vision.planes import plane_of
from vision.detect.hex.hexgrid import HexGrid, find_hexgrid
from vision.frame import Frame
from vision.light.clarity import clarity_of
from vision.light.developed import developed


@dataclass(frozen=True)
class Error:
    """In mm; None of it counts where no grid was found."""

    pitch_mm: float
    turn_mm: float
    origin_mm: float
    worst_mm: float


def a_camera(rng: np.random.Generator) -> Camera:
    """A camera at random over the mat, through a lens that bends."""
    focal = rng.uniform(1320, 1500)
    return looking_at(
        (350.0, 235.0, 0.0), 0.62 * focal, rng.uniform(35, 65), rng.uniform(-10, 10), rng.uniform(-2, 2),
        focal_px=focal, distortion=(rng.uniform(-0.1, 0.05), 0.0, 0.0, 0.0, 0.0),
    )  # fmt: skip


def a_table(style: str, number: int) -> HexTable:
    """A mat of that style."""
    rng = np.random.default_rng([41, number, *style.encode()])
    smallest = 24.0 if style in ("corners", "centres") else 16.0
    part = (60.0, 80.0, 60.0 + rng.uniform(270, 420), 80.0 + rng.uniform(190, 320)) if number % 4 == 3 else None
    return HexTable(
        rng.uniform(smallest, 52.0 if part else 75.0), rng.uniform(0, 60), tuple(rng.uniform(100, 300, 2)), style,  # type: ignore[arg-type]
        PAPERS[number % 3] if number % 8 != 6 else "map", part, int(rng.integers(0, 30)), number,
    )  # fmt: skip


def error_of(found: HexGrid, table: HexTable) -> Error:
    """Against the table's own lattice: the same hexes, whatever names they have."""
    step = table.pitch_mm * np.exp(1j * np.radians(table.direction_deg))
    direction = found.turn_deg + (30 if found.top == "flat" else 0)
    off_deg = (direction - table.direction_deg + 30) % 60 - 30
    cells = found.cells or _cells_on(found)
    at = np.array([complex(*found.centre_mm(cell)) for cell in cells])
    unit = (at - complex(*table.origin_mm)) / step
    r = unit.imag / np.sin(np.pi / 3)
    q = unit.real - r / 2
    true = complex(*table.origin_mm) + step * (np.rint(q) + np.rint(r) * np.exp(1j * np.pi / 3))
    off = np.abs(at - true)
    middle = np.abs(at - at.mean()).argmin()
    return Error(
        abs(found.pitch_mm - table.pitch_mm), 100 * np.radians(abs(off_deg)), float(off[middle]), float(off.max())
    )


def _cells_on(found: HexGrid) -> list[tuple[int, int]]:
    reach = range(-60, 61)
    cells = [(q, r) for q in reach for r in reach]
    at = [found.centre_mm(cell) for cell in cells]
    return [c for c, (x, y) in zip(cells, at, strict=True) if 0 <= x <= TABLE_MM[0] and 0 <= y <= TABLE_MM[1]]


def main() -> None:
    """Print what was found on mats of each style, or spoilt in each way, errors in mm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4, help="pictures of each style")
    parser.add_argument("--each", action="store_true", help="a line for each picture")
    parser.add_argument("--spoilt", action="store_true", help="of all styles, spoilt in each way")
    told = parser.parse_args()
    print(f"{'':12} found  pitch  turn@100  origin  worst hex (mm, largest of all)   confidence   ms")
    if not told.spoilt:
        for style in (*STYLES, "none"):
            row(style, [seen(style, number) for number in range(told.count * (2 if style == "none" else 1))], told.each)
        return
    mats = [seen(style, number) for style in STYLES for number in range(told.count)]
    for name, (spoil, strengths) in CORRUPTIONS.items():
        for strength in strengths:
            rng = np.random.default_rng(SEED)
            spoilt = [mat._replace(picture=spoil(mat.picture, strength, rng)) for mat in mats]
            row(f"{name} {strength:g}", spoilt, told.each)


class Seen(NamedTuple):
    """A mat, and a picture of it from where its plane says."""

    table: HexTable
    picture: Levels
    plane: TablePlane


def seen(style: str, number: int) -> Seen:
    """A picture of a mat of that style."""
    table, camera = a_table(style, number), a_camera(np.random.default_rng([43, number]))
    return Seen(table, seen_bgr(table, camera, noise=2.0 + number % 3), plane_of(camera))


def _as_eyes_see(picture: Levels, plane: TablePlane) -> Levels:
    frame = Frame(picture)
    return developed(frame, clarity_of(frame, plane, TABLE_MM)).image_bgr


def row(what: str, mats: Sequence[Seen], each: bool) -> None:
    """Print one line of pictures."""
    errors, confidences, ms = [], [], []
    for number, (table, picture, plane) in enumerate(mats):
        begun = time.perf_counter()
        found = find_hexgrid(_as_eyes_see(picture, plane), plane, TABLE_MM)
        ms.append(1000 * (time.perf_counter() - begun))
        if each:
            said = f"{found.pitch_mm:.2f} {found.confidence:.2f} {error_of(found, table)}" if found else "none"
            print(f"  {number}: pitch {table.pitch_mm:.1f} {table.paper} {table.part_mm} {table.things} things: {said}")
        if found is not None:
            errors.append(error_of(found, table))
            confidences.append(found.confidence)
    worst = [
        max((getattr(e, key) for e in errors), default=float("nan"))
        for key in ("pitch_mm", "turn_mm", "origin_mm", "worst_mm")
    ]
    least = min(confidences, default=float("nan"))
    print(
        f"{what:12} {len(errors)}/{len(mats)}  {worst[0]:6.3f} {worst[1]:6.3f}  {worst[2]:6.3f}  {worst[3]:6.3f}"
        f"{'':24} {least:6.2f} {np.median(ms):8.0f}"
    )


if __name__ == "__main__":
    main()
