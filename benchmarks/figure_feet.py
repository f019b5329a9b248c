"""How far off the feet of figures are, and whether the eyes know, on tiles that no net was trained on.

    .venv/bin/python -m benchmarks.figure_feet FILE.npz [FILE.npz ...]

Each FILE holds tables of `models.train_solids_data`. Of every figure that the net of figures points at and that is as
likely there as not, prints how far off its foot is, the share that lies within the stated 95 % interval (2.45 sigma)
and the mean sigma, of all and by heat and slope of the view. Then the constants of `vision/detect/figure/figures.py` as
they are on these tiles (quantile regression, Koenker and Bassett 1978).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.arguments import existing
from benchmarks.figure_chance import SHOWN, Coarse, said, session
from calibration.plane import SIGMAS_95
from models import solids
from models.training.upright import Tile
from vision.detect.figure import chance
from vision.detect.figure.feet import pointed_at
from vision.detect.figure.figures import foot_sigma_mm

Array = NDArray[np.float64]

# As `sandtable evaluate` pairs: within the base, or so near.
NEAR_MM = 6.0
TOLD = 0.5
HEATS, SLOPES = (-2.0, -0.5, 0.5, 1.5, 6.0), (0.0, 0.5, 1.0, 1.5, 3.0)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=existing, nargs="+")
    feet = np.concatenate([foot for path in parser.parse_args().files for foot in feet_of(np.load(path))])
    off_mm, heat, slope = feet.T
    print(f"{len(feet)} feet, {np.median(off_mm):.2f} mm off, p95 {np.percentile(off_mm, 95):.1f}")
    print("all", _held(feet))
    for name, of, edges in (("heat", heat, HEATS), ("slope", slope, SLOPES)):
        for least, most in pairwise(edges):
            print(f"{name} {least} to {most}", _held(feet[(of >= least) & (of < most)]))
    print("fitted: {:.2f} mm at no heat, {:.2f} by heat".format(*fitted(off_mm, heat, slope)))


def feet_of(opened: Any) -> Iterator[Array]:
    """Of each tile (n, 3): how many mm each foot told is off, its heat, and the slope of the view there."""
    looks = (solids.FIGURES_LOOK, solids.TERRAIN_LOOK)
    nets = [(look, session(Path(solids.__file__).with_name(f"{look.net}.onnx"))) for look in looks]
    for picture, slant, rows in zip(*(opened[key] for key in ("tiles", "slant", "rows")), strict=True):
        some = rows[rows[:, 0] >= 0]
        tile = Tile(len(picture), slant.astype(float), some)
        (maps, view), coarse = (said(picture, tile, *net) for net in nets)
        says, foot_px = pointed_at(maps)
        at_mm = view.to_table(foot_px)
        told = chance.chances(says, at_mm, cast("Any", Coarse(*coarse)), solids.FIGURES) > TOLD
        heat = np.logaddexp.reduce(says[solids.HEAT], axis=0)
        yield _paired(at_mm[told], heat[told], some, float(np.hypot(*slant)))


def _paired(at_mm: Array, heat: NDArray[np.float32], rows: NDArray[np.float32], slope: float) -> Array:
    """(n, 3) of the figures that show and that something told is near to."""
    least, most = (px / solids.FIGURES_LOOK.px_per_mm for px in solids.FIGURES_LOOK.radii_px)
    asked = rows[(rows[:, 5] > SHOWN) & (rows[:, 4] > least) & (rows[:, 4] < most)]
    if not len(at_mm) or not len(asked):
        return np.zeros((0, 3))
    away_mm = np.hypot(*(at_mm[:, None] - asked[None, :, 1:3]).transpose(2, 0, 1))
    nearest, off_mm = away_mm.argmin(axis=0), away_mm.min(axis=0)
    paired = off_mm < np.maximum(NEAR_MM, asked[:, 4])
    return np.asarray(np.c_[off_mm, heat[nearest], np.full(len(asked), slope)][paired], float)


def _held(feet: Array) -> str:
    if not len(feet):
        return "none"
    off_mm, heat, slope = feet.T
    sigma_mm = foot_sigma_mm(heat, slope)
    held = np.mean(off_mm <= SIGMAS_95 * sigma_mm)
    return f"{len(feet)}: {held:.1%} within the interval, sigma {sigma_mm.mean():.2f} mm"


def fitted(off_mm: Array, heat: Array, slope: Array) -> tuple[float, float]:
    """Sigma in mm at no heat, seen from above, and the power of e by which it grows with the heat."""

    def loss(parameters: Array) -> float:
        """The pinball loss of the distance within which 95 in 100 lie."""
        at_none_mm, by_heat = parameters
        beyond = off_mm - SIGMAS_95 * foot_sigma_mm(heat, slope, at_none_mm, by_heat)
        return float(np.mean(np.maximum(0.95 * beyond, -0.05 * beyond)))

    at_none_mm, by_heat = minimize(loss, (2.0, -0.5), method="Nelder-Mead").x
    return float(at_none_mm), float(by_heat)


if __name__ == "__main__":
    main()
