"""The weights of `vision/detect/figure/chance.py`, fitted on tiles that neither net was trained on.

    .venv/bin/python -m benchmarks.figure_chance FILE.npz [FILE.npz ...] [--figures FILE.onnx] [--terrain FILE.onnx]

Each FILE holds tables of `models.train_solids_data`. Prints, of every peak of the net of figures, how well it is told
by the chances that are shipped from the peaks where a figure stands (log loss; found and false a tile at 0.5), the
weights of a multinomial logistic regression (soldier, base, nothing) on what speaks for them, and the same by these,
each half of the tiles by the weights of the other. A chance and its net belong together: fit it anew whenever the net
of figures is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.arguments import existing
from models import solids
from models.loading import CENTRE, CENTRED
from models.training.slices import CANVAS_PX, PX_PER_MM
from models.training.upright import Tile, Upright
from vision.detect.figure import chance
from vision.detect.figure.feet import pointed_at

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# A peak so near to a foot is it; about a figure of which less shows, or that is too small or large, nothing is asked.
NEAR_MM, SHOWN = 6.0, 0.45
# Keeps weights that the tiles do not tell near zero.
RIDGE = 1e-2


@dataclass(frozen=True, eq=False)
class Places:
    """A view of a tile as the eyes know views: places on the table are mm of the tile."""

    seen: Upright

    def to_px(self, mm: Array) -> Array:
        """(n, 2) mm to px of the view."""
        return np.asarray(mm * PX_PER_MM @ self.seen.warp[:, :2].T + self.seen.warp[:, 2], float)

    def to_table(self, px: Array) -> Array:
        """(n, 2) px of the view to mm."""
        return np.asarray((px - self.seen.warp[:, 2]) @ np.linalg.inv(self.seen.warp[:, :2]).T / PX_PER_MM, float)


@dataclass(frozen=True, eq=False)
class Coarse:
    """What the net of terrain says of a tile."""

    maps: Floats
    view: Places


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=existing, nargs="+")
    parser.add_argument("--figures", type=existing)
    parser.add_argument("--terrain", type=existing)
    args = parser.parse_args()
    nets = {
        look.net: (look, session(path or Path(solids.__file__).with_name(f"{look.net}.onnx")))
        for look, path in ((solids.FIGURES_LOOK, args.figures), (solids.TERRAIN_LOOK, args.terrain))
    }
    tiles = [told for path in args.files for told in told_of(np.load(path), nets)]
    evidence, truth = (np.concatenate([tile[k] for tile in tiles]) for k in (0, 1))
    half = np.concatenate([np.full(len(tile[1]), n % 2) for n, tile in enumerate(tiles)])
    asked = sum(tile[2] for tile in tiles)
    print(f"{len(tiles)} tiles, {asked} figures, {len(truth)} peaks, {int((truth > 0).sum())} of them figures")
    print("shipped:", _score(evidence @ chance.WEIGHTS.T, truth, asked, len(tiles)))
    weights = fitted(evidence, truth)
    print("fitted: ", np.round(weights, 2).tolist())
    crossed = np.zeros((len(truth), 2))
    for one in (0, 1):
        crossed[half == one] = evidence[half == one] @ fitted(evidence[half != one], truth[half != one]).T
    print("crossed:", _score(crossed, truth, asked, len(tiles)))


def session(path: Path) -> onnxruntime.InferenceSession:
    """The net in that file, on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options)


def told_of(opened: Any, nets: dict[str, tuple[solids.Look, Any]]) -> Iterator[tuple[Array, Array, int]]:
    """Of each tile: (n, 5) what speaks for each peak, (n,) 1 for a soldier, 2 for a base, how many are asked for."""
    parts = {key: opened[key] for key in ("tiles", "slant", "rows")}
    for picture, slant, rows in zip(*parts.values(), strict=True):
        some = rows[rows[:, 0] >= 0]
        tile = Tile(len(picture), slant.astype(float), some)
        maps, view = said(picture, tile, *nets[solids.FIGURES_LOOK.net])
        coarse = Coarse(*said(picture, tile, *nets[solids.TERRAIN_LOOK.net]))
        says, at_px = pointed_at(maps)
        inside = view.seen.shows(at_px, len(picture))
        at_mm, says = view.to_table(at_px[inside]), says[:, inside]
        stands, counts, asked = _judged(at_mm, some)
        yield chance.evidence(says, at_mm, cast("Any", coarse))[counts], stands[counts], asked


def said(picture: NDArray[np.uint8], tile: Tile, look: solids.Look, net: Any) -> tuple[Floats, Places]:
    """(CHANNELS, rows, columns) what a net says of all of a tile, and the view that it saw."""
    side = int(-(-np.sqrt(2) * CANVAS_PX / PX_PER_MM * look.px_per_mm // solids.STRIDE_PX)) * solids.STRIDE_PX
    view = Upright.whole(side, look.px_per_mm, tile)
    told = np.broadcast_to(view.slant[None, :, None, None], (1, 2, *(side // solids.SLANT_PX,) * 2))
    planes = view.picture(picture).transpose(2, 0, 1)[None].astype(np.float32) - np.float32(CENTRE)
    (maps,) = net.run(None, {CENTRED: planes, "slant": told.astype(np.float32)})
    return np.asarray(maps)[0], Places(view)


def _judged(at_mm: Array, rows: Floats) -> tuple[Array, NDArray[np.bool_], int]:
    """(n,) 1 for the nearest peak to a soldier, 2 to a base, (n,) whether it counts, how many figures are asked for."""
    least, most = (px / solids.FIGURES_LOOK.px_per_mm for px in solids.FIGURES_LOOK.radii_px)
    asked = (rows[:, 5] > SHOWN) & (rows[:, 4] > least) & (rows[:, 4] < most)
    away = np.hypot(*(at_mm[:, None] - rows[None, :, 1:3]).transpose(2, 0, 1)).reshape(len(at_mm), len(rows))
    stands, counts = np.zeros(len(at_mm)), ~(away[:, ~asked] < 2 * NEAR_MM).any(axis=1)
    for n in np.nonzero(asked)[0]:
        if len(at_mm) and away[:, n].min() < NEAR_MM:
            nearest = away[:, n].argmin()
            stands[nearest], counts[nearest] = 1 + (solids.FIGURES[int(rows[n, 0])] == "base"), True
    return stands, counts, int(asked.sum())


def fitted(evidence: Array, truth: Array) -> Array:
    """(2, 5) weights of the evidence for soldiers and for bases."""
    there = np.stack([truth == 1, truth == 2], axis=1).astype(float)

    def loss(flat: Array) -> tuple[float, Array]:
        """Log loss and its slope."""
        logits = evidence @ flat.reshape(2, -1).T
        either = np.logaddexp(0, np.logaddexp.reduce(logits, axis=1))
        slope = (np.exp(logits - either[:, None]) - there).T @ evidence
        total = either.sum() - (there * logits).sum() + RIDGE * flat @ flat
        return float(total), slope.ravel() + 2 * RIDGE * flat

    found = minimize(loss, np.zeros(2 * evidence.shape[1]), jac=True, method="BFGS").x
    return np.asarray(found, float).reshape(2, -1)


def _score(logits: Array, truth: Array, asked: int, tiles: int) -> str:
    any_figure, there = np.logaddexp.reduce(logits, axis=1), (truth > 0).astype(float)
    loss = (np.logaddexp(0, any_figure) - there * any_figure).mean()
    told = there[any_figure > 0]
    return f"log loss {loss:.4f}, found {told.sum() / asked:.1%}, false {(1 - told).sum() / tiles:.2f} a tile"


if __name__ == "__main__":
    main()
