"""How well the solids net sees tables of `models.train_solids_data` on which it was not trained.

    python -m models.score_solids FILE.npz [--model models/solids.onnx]

Prints for figures: those of which enough shows that are found within 10 mm, the share of right kinds, the distance of
the foot (median, 95 %), and what is found where none stands, per tile; for terrain, each class and hands: the
intersection over union, over all tiles, of what the net says and what is there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnxruntime

from models import solids

HEAT, NEAR_MM, RIM_MM, SHOWN = 0.35, 10.0, 10.0, 0.45


def feet(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 2) mm of the tile, (n,) kind."""
    strongest = np.logaddexp.reduce(maps[solids.HEAT], axis=0)
    padded = np.pad(strongest, 2, constant_values=-np.inf)
    around = np.lib.stride_tricks.sliding_window_view(padded, (5, 5)).max(axis=(2, 3))
    rows, columns = np.nonzero((strongest >= around) & (strongest > np.log(HEAT / (1 - HEAT))))
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[solids.OFFSET, rows, columns].T, -1.5, 1.5)
    px = cells * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    return (px + 0.5) / solids.TOPVIEW_PX_PER_MM, maps[solids.HEAT][:, rows, columns].argmax(axis=0)


class Tally:
    """Figures found, and overlaps of terrain."""

    def __init__(self) -> None:
        self.labelled = self.right = self.false = self.tiles = 0
        self.errors: list[float] = []
        self.common, self.either = np.zeros(len(solids.TERRAIN) + 1), np.zeros(len(solids.TERRAIN) + 1)

    def add(self, maps: np.ndarray, rows: np.ndarray, ground: np.ndarray, hand: np.ndarray) -> None:
        """One tile."""
        self.tiles += 1
        at, kinds = feet(maps)
        figures = rows[rows[:, 0] >= 0]
        side = ground.shape[0] * solids.CELL_PX / solids.TOPVIEW_PX_PER_MM
        inside = ((figures[:, 1:3] > RIM_MM) & (figures[:, 1:3] < side - RIM_MM)).all(axis=1)
        for kind, x, y, *_ in figures[inside & (figures[:, 5] > SHOWN)]:
            self.labelled += 1
            away = np.hypot(*(at - (x, y)).T)
            if len(away) and away.min() < NEAR_MM:
                self.errors.append(float(away.min()))
                self.right += int(kinds[away.argmin()] == kind)
        gaps = [np.hypot(*(figures[:, 1:3] - p).T).min() if len(figures) else np.inf for p in at]
        self.false += sum(gap > 1.5 * NEAR_MM for gap in gaps)
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
            f"foot {middle:.1f} mm median, {most:.1f} p95; false {self.false / max(self.tiles, 1):.2f} a tile\nIoU "
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
    opened, tally = np.load(args.data), Tally()
    parts = {key: opened[key] for key in ("tiles", "slant", "rows", "ground", "hand")}
    for n, tile in enumerate(parts["tiles"]):
        cells = tile.shape[0] // solids.SLANT_PX
        slant = np.broadcast_to(parts["slant"][n][None, :, None, None], (1, 2, cells, cells))
        picture = tile.transpose(2, 0, 1)[None]
        (maps,) = net.run(None, {"picture": picture.astype(np.float32), "slant": slant.astype(np.float32)})
        tally.add(np.asarray(maps)[0], parts["rows"][n], parts["ground"][n], parts["hand"][n])
    print(tally)


if __name__ == "__main__":
    main()
