"""Tiles and crops for the pieces net from licensed photographs: dice with their labels, coins as what is no card, die or match.

    python -m models.train_pieces_photos --photos FOLDER --out FILE.npz

Only the `train` split of the licensed sets. Dice photographs have no scale: the middle box of each is taken for a 16 mm die at
some turn (20 mm a side).
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import cv2
import numpy as np

from models.pieces import CELL_PX, DIE_CROP_PX, DIE_CROP_PX_PER_MM, INDEX_CROP_PX, PIPS, RANKS, TOPVIEW_PX_PER_MM
from models.train_pieces_data import MOST
from models.training.photographed import COINS, DICE, boxes
from models.training.stored import store

TILE_PX = 384
# A box around a 16 mm die at a random turn, its sides showing a little: the mean of 4/pi times the side.
_BOX_MM = 20.0
SEED = 77


def tile_at(picture: np.ndarray, left: int, top: int) -> np.ndarray:
    """A tile, the picture mirrored beyond its borders."""
    tall, wide = (max(0, TILE_PX - side) for side in picture.shape[:2])
    padded = cv2.copyMakeBorder(picture, 0, tall, 0, wide, cv2.BORDER_CONSTANT, value=(110, 110, 110))
    return padded[top : top + TILE_PX, left : left + TILE_PX]


class Shelf:
    """What is gathered, in the form of `models.train_pieces_data`."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(SEED)
        self.tiles, self.labels, self.dice, self.pips, self.index = [], [], [], [], []

    def add_dice(self, picture: np.ndarray, dice: list[tuple[str, np.ndarray]]) -> None:
        """Three tiles of a photograph of dice, at slightly different scales."""
        side_px = float(np.median([max(box[2], box[3]) for _, box in dice]))
        for _ in range(3):
            scale = TOPVIEW_PX_PER_MM * _BOX_MM / side_px * np.exp(self.rng.normal(0, 0.06))
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            left, top = (
                int(self.rng.integers(0, max(1, side - TILE_PX + 1))) for side in (small.shape[1], small.shape[0])
            )
            rows = np.full((MOST, 6), -1, np.float32)
            for n, (cls, box) in enumerate(dice[:MOST]):
                x, y = (box[:2] + box[2:] / 2) * scale - (left, top)
                inside = 0 <= x < TILE_PX and 0 <= y < TILE_PX
                rows[n] = (2, (x + 0.5) / TOPVIEW_PX_PER_MM, (y + 0.5) / TOPVIEW_PX_PER_MM, 0, float(inside), int(cls))
            self.tiles.append(tile_at(small, left, top))
            self.labels.append(rows)
        for cls, box in dice:
            for _ in range(2):
                self.add_die_crop(picture, box[:2] + box[2:] / 2, side_px / _BOX_MM, PIPS.index(cls))

    def add_die_crop(self, picture: np.ndarray, at_px: np.ndarray, px_per_mm: float, answer: int) -> None:
        """One crop, turned and missed a little."""
        scale = DIE_CROP_PX_PER_MM / px_per_mm * np.exp(self.rng.normal(0, 0.07))
        soft = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale) if scale < 0.8 else picture
        warp = cv2.getRotationMatrix2D((0, 0), self.rng.uniform(0, 360), scale)
        warp[:, 2] = DIE_CROP_PX / 2 - warp[:, :2] @ (at_px + self.rng.normal(0, 0.7, 2) * px_per_mm)
        self.dice.append(cv2.warpAffine(soft, warp, (DIE_CROP_PX, DIE_CROP_PX), borderMode=cv2.BORDER_REPLICATE))
        self.pips.append(answer)

    def add_coins(self, picture: np.ndarray, setup: dict, coins: list[tuple[str, np.ndarray]]) -> None:
        """Two empty tiles of a photograph of coins, and its coins as no dice."""
        points = np.array(setup["calibration"]["points"], np.float32)
        table_px = (points[:, 2:] * (1, -1) + (0, setup["table"]["size_mm"][1])) * TOPVIEW_PX_PER_MM
        to_top, _ = cv2.findHomography(points[:, :2], table_px.astype(np.float32))
        size = tuple(int(side * TOPVIEW_PX_PER_MM) for side in setup["table"]["size_mm"])
        if min(size) < 100 or max(size) > 4000:
            return
        top = cv2.warpPerspective(picture, to_top, size, flags=cv2.INTER_AREA)
        for _ in range(2):
            left, down = (int(self.rng.integers(0, max(1, side - TILE_PX + 1))) for side in size)
            self.tiles.append(tile_at(top, left, down))
            self.labels.append(np.full((MOST, 6), -1, np.float32))
            at = self.rng.uniform(0, 1, 2) * (np.array(size) - INDEX_CROP_PX).clip(1)
            crop = top[int(at[1]) : int(at[1]) + INDEX_CROP_PX[1], int(at[0]) : int(at[0]) + INDEX_CROP_PX[0]]
            if crop.shape[:2] == INDEX_CROP_PX[::-1]:
                self.index.append(crop)
        for _, box in coins:
            self.add_die_crop(picture, box[:2] + box[2:] / 2, float(max(box[2:])) / 22.0, PIPS.index("none"))

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it; no tile has a card's surface, no crop shows an index."""
        count = len(self.index)
        return {
            "tiles": np.array(self.tiles),
            "labels": np.array(self.labels),
            "surfaces": np.zeros((len(self.tiles), TILE_PX // CELL_PX, TILE_PX // CELL_PX), bool),
            "dice": np.array(self.dice),
            "pips": np.array(self.pips),
            "index": np.array(self.index),
            "rank": np.full(count, RANKS.index("none")),
            "suit": np.full(count, -1),
        }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    shelf = Shelf()
    for name, dice in boxes(args.photos / DICE).items():
        shelf.add_dice(cv2.imread(str(args.photos / DICE / name)), [d for d in dice if d[0] in PIPS])
    for folder in COINS:
        for name, coins in boxes(args.photos / folder).items():
            path = args.photos / folder / name
            setup = path.with_name(f"{path.stem}.setup.toml")
            if setup.exists():
                shelf.add_coins(cv2.imread(str(path)), tomllib.loads(setup.read_text(encoding="utf-8")), coins)
    store(args.out, shelf.arrays())
    print(len(shelf.tiles), "tiles,", len(shelf.dice), "die crops")


if __name__ == "__main__":
    main()
