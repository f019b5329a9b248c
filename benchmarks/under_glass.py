"""How exactly coins are measured that lie on a pane of glass over the map.

    .venv/bin/python -m benchmarks.under_glass [--thick 2 4] [--stills 6] [--seed 40001]

Rendered stills of a map with its four markers under a pane of acrylic so many mm thick (`sample_footage/glass.py`), its
coins on top, by a camera whose lens is known. Each is measured as if there were no pane, and with `glass_mm` in the
set-up. Printed: how far coins that lie on the pane itself are off (mm; median, p95, worst), and how often the stated
95 % interval holds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.plane import SIGMAS_95
from sample_footage.film import lit_table
from sample_footage.glass import GlassView, Pane
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import LOOKS, Still, still
from ui.eyes import eyes_for
from ui.measuring.table import plane_for
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame

Array = NDArray[np.float64]

# Ordinary light, and a camera that looks from lower down.
SHOWN = [number for number, look in enumerate(LOOKS) if look in ("plain", "oblique", "owners")]
# What is farther from every true coin is another.
NEAR_MM = 6.0


def made_of(count: int, seed: int) -> Iterator[Still]:
    """So many stills on the map."""
    numbers = [number for number in range(40 * count) if number % len(LOOKS) in SHOWN]
    return (still(number, seed) for number in numbers[:count])


def picture_of(made: Still, thick_mm: float) -> Frame:
    """What the camera shows."""
    view = GlassView(made.camera, made.ground, made.light, Pane(thick_mm))
    table = lit_table(view, view.bare(), made.pieces)
    return Frame(made.sensor.develop(table, table.shape[:2]), source=made.name)


def setup_of(made: Still, folder: str) -> SetupFile:
    """Its set-up, written there, which knows of no glass."""
    path = Path(folder) / f"{made.name}.toml"
    path.write_text(setup_toml(made.camera), encoding="utf-8")
    return read_setup(path)


def errors(made: Still, frame: Frame, setup: SetupFile) -> tuple[Array, Array]:
    """(n,) how far each coin that was found is off, and what is stated for 95 %."""
    pieces = eyes_for(setup.rules)(frame, plane_for(setup, frame))
    true_mm = np.array([coin.position_mm for coin in made.coins if coin.low_mm == 0])
    coins = [piece for piece in pieces if piece.kind == "coin" and not piece.elevation_mm]
    off = np.array([np.hypot(*(true_mm - coin.position_mm).T).min() for coin in coins])
    stated = SIGMAS_95 * np.array([coin.sigma_mm for coin in coins])
    return off[off < NEAR_MM], stated[off < NEAR_MM]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--thick", type=float, nargs="+", default=[2.0, 4.0], help="mm")
    options.add_argument("--stills", type=int, default=6)
    options.add_argument("--seed", type=int, default=40001)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for thick_mm in given.thick:
            report(list(made_of(given.stills, given.seed)), thick_mm, folder)


def report(stills: list[Still], thick_mm: float, folder: str) -> None:
    """Print what a pane of that thickness does."""
    print(f"a pane of {thick_mm:g} mm")
    every: dict[str, list[tuple[Array, Array]]] = {"as if none": [], "with glass_mm": []}
    for made in stills:
        frame, bare = picture_of(made, thick_mm), setup_of(made, folder)
        told = replace(bare, calibration=replace(bare.calibration, glass_mm=thick_mm))
        for (name, found), setup in zip(every.items(), (bare, told), strict=True):
            found.append(errors(made, frame, setup))
            print(f"  {made.name}, {name}: {_figures(*found[-1])}", flush=True)
    for name, found in every.items():
        print(f"{name}: {_figures(*(np.concatenate(each) for each in zip(*found, strict=True)))}")


def _figures(off_mm: Array, stated_mm: Array) -> str:
    middle, p95 = np.percentile(off_mm, [50, 95])
    holds = 100 * np.mean(off_mm <= stated_mm)
    return f"{len(off_mm)} coins {middle:.2f} mm off, p95 {p95:.2f}, worst {off_mm.max():.2f}; holds {holds:.0f} %"


if __name__ == "__main__":
    main()
