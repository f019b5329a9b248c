"""How well the solids net sees tables of `models.train_solids_data` on which it was not trained.

    python -m models.score_solids FILE.npz --look terrain|figures [--model FILE.onnx]

Prints, at the scale of the look and for figures of the size that it is asked for: those of which enough shows that are
found within 10 px, the share of right kinds, the distance of the foot (median, 95 %), and what is found where none
stands, per tile. For terrain, each class and hands: the intersection over union, over all tiles, of what the net says
and what is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from models import solids
from models.loading import CENTRE, CENTRED
from models.training.slices import CANVAS_PX, PX_PER_MM
from models.training.upright import Tile, Upright

HEAT, NEAR_PX, RIM_CELLS, SHOWN = 0.35, 10.0, 3, 0.45


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

    def __init__(self, radii_px: tuple[float, float]) -> None:
        self.radii_px = radii_px
        self.labelled = self.right = self.false = self.tiles = 0
        self.errors: list[float] = []
        self.common, self.either = np.zeros(len(solids.TERRAIN) + 1), np.zeros(len(solids.TERRAIN) + 1)

    def add(
        self, maps: np.ndarray, figures: np.ndarray, ground: np.ndarray, hand: np.ndarray, shown: np.ndarray
    ) -> None:
        """One tile; `figures` in px of the view, surfaces and what the view shows by cells."""
        self.tiles += 1
        at, kinds = feet(maps)
        asked = (figures[:, 4] > self.radii_px[0]) & (figures[:, 4] < self.radii_px[1]) & (figures[:, 5] > SHOWN)
        for kind, x, y, *_ in figures[_inside(figures[:, 1:3], shown) & asked]:
            self.labelled += 1
            away = np.hypot(*(at - (x, y)).T)
            if len(away) and away.min() < NEAR_PX:
                self.errors.append(float(away.min()))
                self.right += int(kinds[away.argmin()] == kind)
        gaps = [np.hypot(*(figures[:, 1:3] - p).T).min() if len(figures) else np.inf for p in at[_inside(at, shown)]]
        self.false += sum(gap > 1.5 * NEAR_PX for gap in gaps)
        said = maps[solids.GROUND].argmax(axis=0)[shown]
        for k in range(len(solids.TERRAIN)):
            self.common[k] += np.sum((said == k) & (ground[shown] == k))
            self.either[k] += np.sum((said == k) | (ground[shown] == k))
        hand_said = maps[solids.HAND][shown] > 0
        self.common[-1] += np.sum(hand_said & (hand[shown] > 0))
        self.either[-1] += np.sum(hand_said | (hand[shown] > 0))

    def __str__(self) -> str:
        found = len(self.errors)
        middle, most = np.percentile(self.errors, [50, 95]) if found else (np.nan, np.nan)
        share = self.common / np.maximum(self.either, 1)
        return (
            f"figures {self.labelled}: found {found / max(self.labelled, 1):.1%}, kind right {self.right / max(found, 1):.1%}, "
            f"foot {middle:.1f} px median, {most:.1f} p95; false {self.false / max(self.tiles, 1):.2f} a tile\nIoU "
            + ", ".join(f"{name} {iou:.2f}" for name, iou in zip((*solids.TERRAIN, "hand"), share, strict=True))
        )


def _inside(at_px: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Which of (n, 2) places lie where the view shows the tile, not at its rim."""
    deep = cv2.erode(np.pad(shown, 1).astype(np.uint8), np.ones((2 * RIM_CELLS + 1,) * 2, np.uint8))[1:-1, 1:-1]
    cells = np.clip(np.rint(at_px / solids.CELL_PX), 0, len(shown) - 1).astype(int)
    return np.asarray(deep[cells[:, 1], cells[:, 0]] > 0, bool)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--look", choices=solids.LOOKS, required=True)
    parser.add_argument("--model", type=Path)
    args = parser.parse_args()
    look = solids.LOOKS[args.look]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    net = onnxruntime.InferenceSession(args.model or Path(__file__).with_name(f"{look.net}.onnx"), options)
    print(scored(np.load(args.data), net, look))


def scored(opened: Mapping[str, np.ndarray], net: onnxruntime.InferenceSession, look: solids.Look) -> Tally:
    """All tiles of a file as one look sees them."""
    tally = Tally(look.radii_px)
    parts = {key: opened[key] for key in ("tiles", "slant", "rows", "ground", "hand")}
    # The diagonal of a tile, on the coarsest layer's grid.
    side = int(-(-np.sqrt(2) * CANVAS_PX / PX_PER_MM * look.px_per_mm // solids.STRIDE_PX)) * solids.STRIDE_PX
    for picture, slant, rows, ground, hand in zip(*parts.values(), strict=True):
        view = Upright.whole(side, look.px_per_mm, Tile(len(picture), slant.astype(float), rows))
        told = np.broadcast_to(view.slant[None, :, None, None], (1, 2, *(side // solids.SLANT_PX,) * 2))
        planes = view.picture(picture).transpose(2, 0, 1)[None].astype(np.float32) - np.float32(CENTRE)
        (maps,) = net.run(None, {CENTRED: planes, "slant": told.astype(np.float32)})
        shown = view.surface(np.ones_like(ground)) > 0
        tally.add(
            np.asarray(maps)[0], view.rows(rows[rows[:, 0] >= 0]), view.surface(ground), view.surface(hand), shown
        )
    return tally


if __name__ == "__main__":
    main()
