"""Trains models/pieces.onnx: cards, dice and matches on the top view.

    python -m models.train_pieces --data FOLDER [--minutes 40] [--resume FILE.pt | --resume models/pieces.onnx] [--matches-alone]

FOLDER holds the train*.npz files of `models.train_pieces_data` (and of `models.train_pieces_photos`). Fixed seed.
--resume goes on from kept weights, or at a third of the rate from the published ones. --matches-alone teaches the branch
for matches and leaves all else as it is: taught on for matches as a whole, the net lost cards.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import pieces
from models.train_pieces_data import KINDS
from models.training.loop import RATE, train_for
from models.training.parts import TILES
from models.training.pieces_net import PiecesNet
from models.training.publish import publish
from models.training.resumed import hold
from models.training.resumed import resume as go_on_from

SEED = 31
BATCH = 8
CROP = 256
# Of the rate, where the published net goes on.
RESUMED_RATE = 0.3
# Below the first share a thing is not asked for, above the second it is; between them the net may say what it likes.
SHARES = {"index": (0.35, 0.7), "card": (0.25, 0.5), "die": (0.3, 0.55), "match": (0.3, 0.55)}
# Width of the heat, in cells: how exactly the net is asked to point.
SIGMA = {"index": 0.9, "card": 1.8, "die": 1.1, "match": 1.1}


def targets(rows: np.ndarray, cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wanted (16, cells, cells), heat weights (4, ...), and where measures count (4, ...), from rows in px, angle, share, code."""
    v, u = np.mgrid[0:cells, 0:cells].astype(np.float32)
    wanted = np.zeros((pieces.CHANNELS, cells, cells), np.float32)
    weight, near = np.ones((4, cells, cells), np.float32), np.zeros((4, cells, cells), np.float32)
    for kind, x_px, y_px, angle, visible, code in rows[rows[:, 0] >= 0]:
        k, name, channel = int(kind), KINDS[int(kind)], pieces.HEATS[int(kind)]
        x, y = ((p - (pieces.CELL_PX - 1) / 2) / pieces.CELL_PX for p in (x_px, y_px))
        if visible < SHARES[name][0] or not (-1 < x < cells and -1 < y < cells):
            continue
        heat = np.exp(-(np.square(u - x) + np.square(v - y)) / (2 * SIGMA[name] ** 2))
        if visible < SHARES[name][1]:
            weight[k][heat > 0.02] = 0
            continue
        inside = heat > np.maximum(wanted[channel], 0.3)
        wanted[channel] = np.maximum(wanted[channel], heat)
        near[k][inside] = 1
        if name == "card":
            wanted[pieces.DOUBLE_ANGLE, inside] = np.array([[np.cos(2 * angle)], [np.sin(2 * angle)]])
            wanted[pieces.BACK][inside] = float(code == 2009)
        else:
            wanted[pieces.OFFSET[channel], inside] = (x - u)[inside], (y - v)[inside]
        if channel in pieces.DIRECTION:
            wanted[pieces.DIRECTION[channel], inside] = np.array([[np.cos(angle)], [np.sin(angle)]])
        row, column = round(float(y)), round(float(x))
        if 0 <= row < cells and 0 <= column < cells:
            wanted[channel, row, column] = 1.0
    return wanted, weight, near


def loss_of(output: Tensor, wanted: Tensor, weight: Tensor, near: Tensor) -> Tensor:
    """Focal loss on the heats (as in CornerNet, Law and Deng 2018), absolute loss on measures, logistic on surfaces."""
    logit, heat = output[:, list(pieces.HEATS)], wanted[:, list(pieces.HEATS)]
    chance = torch.sigmoid(logit)
    centre = (heat > 0.999).float() * weight
    hit = centre * (1 - chance) ** 2 * nn.functional.logsigmoid(logit)
    miss = (1 - centre) * weight * (1 - heat) ** 4 * chance**2 * nn.functional.logsigmoid(-logit)
    card = near[:, [KINDS.index("card")]]
    error = (output - wanted).abs()

    def off(channels: slice, *kinds: str) -> Tensor:
        """The mean error of those measures where one of the kinds lies."""
        there = near[:, [KINDS.index(kind) for kind in kinds]].amax(1, keepdim=True)
        return (error[:, channels] * there).sum() / there.sum().clamp(min=1)

    measures = (
        off(pieces.OFFSET[pieces.INDEX], "index", "die")
        + off(pieces.DIRECTION[pieces.INDEX], "index")
        + off(pieces.DOUBLE_ANGLE, "card")
        + off(pieces.OFFSET[pieces.MATCH], "match")
        + off(pieces.DIRECTION[pieces.MATCH], "match")
    )
    logistic = nn.functional.binary_cross_entropy_with_logits
    back = slice(pieces.BACK, pieces.BACK + 1)
    turned = (logistic(output[:, back], wanted[:, back], reduction="none") * card).sum() / card.sum().clamp(min=1)
    surface = logistic(output[:, pieces.SURFACE], wanted[:, pieces.SURFACE])
    return -(hit.sum() + miss.sum()) / centre.sum().clamp(min=1) + measures + 0.5 * turned + surface


class Store:
    """All tiles of some files, cut into batches."""

    def __init__(self, files: list[Path]) -> None:
        self.files = [np.load(path, allow_pickle=False) for path in files]
        self.tiles = np.concatenate([f["tiles"] for f in self.files])
        self.labels = np.concatenate([f["labels"] for f in self.files])
        self.surfaces = np.concatenate([f["surfaces"] for f in self.files])

    def batch(self, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Random crops, mirrored never (an index has a hand), turned by quarters, in another light."""
        tiles, wanted, weights, nears = [], [], [], []
        for n in rng.choice(len(self.tiles), BATCH, replace=False):
            left, top = (int(v) * 8 for v in rng.integers(0, (self.tiles.shape[1] - CROP) // 8 + 1, 2))
            rows = self.labels[n].copy()
            real = rows[:, 0] >= 0
            # The middle of the tile in mm is the middle of the tile in px: half a pixel off the scaled origin.
            rows[real, 1] = rows[real, 1] * pieces.TOPVIEW_PX_PER_MM - 0.5 - left
            rows[real, 2] = rows[real, 2] * pieces.TOPVIEW_PX_PER_MM - 0.5 - top
            quarter = int(rng.integers(4))
            tile = np.rot90(self.tiles[n, top : top + CROP, left : left + CROP], quarter)
            surface = np.rot90(self.surfaces[n][top // 4 : (top + CROP) // 4, left // 4 : (left + CROP) // 4], quarter)
            for _ in range(quarter):  # rot90 turns counter-clockwise: (x, y) -> (y, side - 1 - x)
                rows[real, 1], rows[real, 2] = rows[real, 2].copy(), CROP - 1 - rows[real, 1]
                rows[real, 3] -= np.pi / 2
            want, weight, near = targets(rows, CROP // pieces.CELL_PX)
            want[pieces.SURFACE] = surface
            gain = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.05, 3))
            tiles.append(np.clip(tile * gain + rng.normal(0, 5), 0, 255).astype(np.float32).transpose(2, 0, 1))
            wanted.append(want)
            weights.append(weight)
            nears.append(near)
        return tuple(torch.from_numpy(np.ascontiguousarray(np.stack(a))) for a in (tiles, wanted, weights, nears))  # type: ignore[return-value]


def train(store: Store, minutes: float, resume: Path | None, keep: Path, *, matches_alone: bool = False) -> PiecesNet:
    """Trains for so many minutes; one cosine of the learning rate over the time given.

    matches_alone  only the branch for matches learns: cards and dice stay what they are
    """
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net, rate = PiecesNet().to(memory_format=torch.channels_last), RATE
    if resume is not None and resume.suffix == ".onnx":
        go_on_from(net, resume)
        hold(net)
        resume, rate = None, RESUMED_RATE * RATE

    for name, weight in net.named_parameters():
        weight.requires_grad_(not matches_alone or name.startswith("sticks."))

    def batch_loss() -> Tensor:
        """The loss of the next batch."""
        tiles, wanted, weights, near = store.batch(rng)
        # bfloat16 halves the time of a step; losses stay in single precision.
        with torch.autocast("cpu", torch.bfloat16):
            output = net(tiles.to(memory_format=torch.channels_last))
        return loss_of(output.float(), wanted, weights, near)

    train_for(net, minutes, batch_loss, resume, keep, rate)
    return net


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--matches-alone", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    store = Store(sorted(args.data.glob("train*.npz")))
    net = train(store, args.minutes, args.resume, args.data / "pieces.pt", matches_alone=args.matches_alone)
    tiles = np.concatenate([file["tiles"][:TILES] for file in store.files])
    publish(net, torch.zeros(1, 3, 256, 256), "pieces", args.out, ("picture",), ("maps",), (2, 3), tiles=tiles)


if __name__ == "__main__":
    main()
