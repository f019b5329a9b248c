"""How well is a table measured whose picture a program turns by 180 degrees, by the lens as it was before?

    .venv/bin/python -m benchmarks.turned_lens [--tables 60] [--seed 5]

Cameras over the table with lenses as webcams have them, or fisheyes off centre by 12 px, the lens's file exact; the
references err as they are said to. Printed, for pictures as by that file and for such as are turned: the errors of 20
places each (median, p95, mm), how often the stated 95 % interval holds, and on how many tables the lens was turned (on
none that is as by its file, if all is well). A minute.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from tests.calibration.simulation import EIGHT_POINTS, MARKERS, POINTS, SIZE, a_webcam_lens
from tests.calibration.table_picture import a_camera

Array = NDArray[np.float64]
REFERENCES = {"four markers": (MARKERS, 0.05), "eight clicks": (EIGHT_POINTS, 0.3), "four clicks": (POINTS, 0.3)}
PLACES = 20
# At this focal length the table fills the picture from 900 mm.
FOCAL_PX = 1450


def a_fisheye(rng: np.random.Generator) -> Lens:
    """Wide, bent, its axis off the picture's middle."""
    focal_px = rng.uniform(0.35, 0.5) * SIZE[0]
    x, y = (np.array(SIZE) - 1) / 2 + rng.normal(0, 12, 2)
    bent = (rng.normal(0, 0.03), rng.normal(0, 0.01), 0, 0)
    return Lens.measured(SIZE, [[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]], bent, fisheye=True)


LENSES = {"webcam": a_webcam_lens, "fisheye": a_fisheye}


def measured(name: str, kind: str, is_turned: bool, rng: np.random.Generator) -> tuple[Array, Array, bool]:
    """One table: errors of its places, what is stated for 95 %, and whether the lens was turned."""
    (mm, sources), noise_px = REFERENCES[name]
    lens = LENSES[kind](rng)
    away_mm = rng.uniform(750, 1000) * lens.matrix[0, 0] / FOCAL_PX
    turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-30, 30)}
    camera = a_camera(rng.uniform(35, 75), away_mm, **turns, lens=lens.upside_down() if is_turned else lens)
    px = camera.to_image(mm) + rng.normal(0, noise_px, mm.shape)
    plane = fit_plane(Correspondences.of(px, mm, sources, noise_px), lens, SIZE, (700, 500))
    seen_px = camera.to_image(rng.uniform((0, 0), (700, 500), (PLACES, 2)))
    off_mm = np.hypot(*(plane.to_table(seen_px) - camera.to_table(seen_px)).T)
    return off_mm, SIGMAS_95 * plane.sigma_mm(seen_px), any("upside down" in note for note in plane.notes)


def row(name: str, kind: str, is_turned: bool, tables: int, seed: int) -> str:
    """The line of one way to measure a table."""
    rng = np.random.default_rng(seed)
    every = [measured(name, kind, is_turned, rng) for _ in range(tables)]
    off_mm, stated_mm, turned = (np.array(each) for each in zip(*every, strict=True))
    median, most = np.percentile(off_mm, [50, 95])
    way = "turned" if is_turned else "as by its file"
    holds = f"holds {np.mean(off_mm <= stated_mm):6.1%}, lens turned on {turned.sum()} of {tables}"
    return f"{name:13} {kind:8} {way:14} {median:6.3f} {most:6.3f} mm, {holds}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    for name, kind, is_turned in product(REFERENCES, LENSES, (False, True)):
        print(row(name, kind, is_turned, args.tables, args.seed), flush=True)


if __name__ == "__main__":
    main()
