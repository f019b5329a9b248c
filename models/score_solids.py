"""How well the solids net sees tables of `models.train_solids_data` on which it was not trained.

    python -m models.score_solids FILE.npz [--model models/solids.onnx]

Prints for each of the two scales at which the net looks, for figures of the size that it is asked for there: those of
which enough shows that are found within 10 px, the share of right kinds, the distance of the foot (median, 95 %), and
what is found where none stands, per tile. For terrain (at the first scale), each class and hands: the intersection over
union, over all tiles, of what the net says and what is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from models import solids
from models.training.slices import PX_PER_MM

HEAT, NEAR_PX, RIM_PX, SHOWN = 0.35, 10.0, 10.0, 0.45


def feet(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 2) px of the view, (n,) kind."""
    strongest = np.logaddexp.reduce(maps[solids.HEAT], axis=0)
    padded = np.pad(strongest, 2, constant_values=-np.inf)
    around = np.lib.stride_tricks.sliding_window_view(padded, (5, 5)).max(axis=(2, 3))
    rows, columns = np.nonzero((strongest >= around) & (strongest > np.log(HEAT / (1 - HEAT))))
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[solids.OFFSET, rows, columns].T, -1.5, 1.5)
    return cells * solids.CELL_PX + (solids.CELL_PX - 1) / 2, maps[solids.HEAT][:, rows, columns].argmax(axis=0)


class Tally:
    """Figures found, and overlaps of terrain."""

    def __init__(self) -> None:
        self.labelled = self.right = self.false = self.tiles = 0
        self.errors: list[float] = []
        self.common, self.either = np.zeros(len(solids.TERRAIN) + 1), np.zeros(len(solids.TERRAIN) + 1)

    def add(self, maps: np.ndarray, figures: np.ndarray, ground: np.ndarray, hand: np.ndarray) -> None:
        """One tile; `figures` in px of the view."""
        self.tiles += 1
        at, kinds = feet(maps)
        side = ground.shape[0] * solids.CELL_PX
        inside = ((figures[:, 1:3] > RIM_PX) & (figures[:, 1:3] < side - RIM_PX)).all(axis=1)
        asked = (figures[:, 4] > solids.RADII_PX[0]) & (figures[:, 4] < solids.RADII_PX[1]) & (figures[:, 5] > SHOWN)
        for kind, x, y, *_ in figures[inside & asked]:
            self.labelled += 1
            away = np.hypot(*(at - (x, y)).T)
            if len(away) and away.min() < NEAR_PX:
                self.errors.append(float(away.min()))
                self.right += int(kinds[away.argmin()] == kind)
        gaps = [np.hypot(*(figures[:, 1:3] - p).T).min() if len(figures) else np.inf for p in at]
        self.false += sum(gap > 1.5 * NEAR_PX for gap in gaps)
        said = maps[solids.GROUND].argmax(axis=0)
        for k in range(len(solids.TERRAIN)):
            self.common[k] += np.sum((said == k) & (ground == k))
            self.either[k] += np.sum((said == k) | (ground == k))
        self.common[-1] += np.sum((maps[solids.HAND] > 0) & (hand > 0))
        self.either[-1] += np.sum((maps[solids.HAND] > 0) | (hand > 0))

    def __str__(self) -> str:
        found = len(self.errors)
        middle, most = np.percentile(self.errors, [50, 95]) if found else (np.nan, np.nan)
        share = self.common / np.maximum(self.either, 1)
        return (
            f"figures {self.labelled}: found {found / max(self.labelled, 1):.1%}, kind right {self.right / max(found, 1):.1%}, "
            f"foot {middle:.1f} px median, {most:.1f} p95; false {self.false / max(self.tiles, 1):.2f} a tile\nIoU "
            + ", ".join(f"{name} {iou:.2f}" for name, iou in zip((*solids.TERRAIN, "hand"), share, strict=True))
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path, default=Path(__file__).with_name("solids.onnx"))
    args = parser.parse_args()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    net = onnxruntime.InferenceSession(args.model, options)
    opened = np.load(args.data)
    for px_per_mm in (solids.TOPVIEW_PX_PER_MM, solids.CLOSE_PX_PER_MM):
        print(f"{px_per_mm:g} px/mm: {scored(opened, net, px_per_mm)}")


def scored(opened: Mapping[str, np.ndarray], net: onnxruntime.InferenceSession, px_per_mm: float) -> Tally:
    """All tiles of a file at one scale."""
    tally = Tally()
    parts = {key: opened[key] for key in ("tiles", "slant", "rows", "ground", "hand")}
    for n, tile in enumerate(parts["tiles"]):
        side = round(len(tile) / PX_PER_MM * px_per_mm)
        picture = cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA).transpose(2, 0, 1)[None]
        slant = np.broadcast_to(parts["slant"][n][None, :, None, None], (1, 2, *(side // solids.SLANT_PX,) * 2))
        (maps,) = net.run(None, {"picture": picture.astype(np.float32), "slant": slant.astype(np.float32)})
        figures = parts["rows"][n][parts["rows"][n][:, 0] >= 0].copy()
        figures[:, 1:3] = (figures[:, 1:3] * PX_PER_MM + 0.5) * (px_per_mm / PX_PER_MM) - 0.5
        figures[:, 4] *= px_per_mm
        cells = ((np.arange(side // solids.CELL_PX) + 0.5) * (len(parts["ground"][n]) * solids.CELL_PX / side)).astype(
            int
        )
        surfaces = [parts[key][n][np.ix_(cells, cells)] for key in ("ground", "hand")]
        tally.add(np.asarray(maps)[0], figures, *surfaces)
    return tally


if __name__ == "__main__":
    main()
