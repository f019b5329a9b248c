"""Trains models/card_reader.onnx (rank and suit of an index) and models/die_reader.onnx (pips of a top face).

    python -m models.train_readers --data FOLDER [--minutes 15]

FOLDER holds the train*.npz and test.npz files of `models.train_pieces_data`. Fixed seed. Prints how the unseen decks are read.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import pieces
from models.training.publish import publish

SEED = 41
BATCH = 64


def stage(into: int, out: int) -> nn.Sequential:
    """Two dense convolutions, the first one halving the picture."""
    return nn.Sequential(
        nn.Conv2d(into, out, 3, 2, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
        nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
    )  # fmt: skip


class Reader(nn.Module):
    """A small dense classifier with one head for each question."""

    def __init__(self, answers: tuple[int, ...], size_px: tuple[int, int]) -> None:
        super().__init__()
        self.stages = nn.Sequential(stage(3, 24), stage(24, 48), stage(48, 72), stage(72, 96))
        cells = ((size_px[0] + 15) // 16) * ((size_px[1] + 15) // 16)
        self.squeeze = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * cells, 96), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(96, count) for count in answers)

    def forward(self, crops_bgr: Tensor) -> tuple[Tensor, ...]:
        """(n, 3, h, w) 0 to 255 to logits, one (n, answers) for each question."""
        # Contrast is brought to one measure, so that shade and glare do not matter.
        mean = crops_bgr.mean((1, 2, 3), keepdim=True)
        spread = (crops_bgr - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        features = self.squeeze(self.stages((crops_bgr - mean) / (spread + 8)))
        return tuple(head(features) for head in self.heads)


def augmented(crops: np.ndarray, rng: np.random.Generator, turn: bool) -> Tensor:
    """Another light for each crop; dice also turned by quarters and mirrored."""
    if turn:
        crops = np.rot90(crops, int(rng.integers(4)), (1, 2))
        crops = crops[:, :, ::-1] if rng.random() < 0.5 else crops
    gain = np.exp(rng.normal(0, 0.2, (len(crops), 1, 1, 1)) + rng.normal(0, 0.06, (len(crops), 1, 1, 3)))
    noisy = crops * gain + rng.normal(0, 8, (len(crops), 1, 1, 1)) + rng.normal(0, rng.uniform(0, 5), crops.shape)
    return torch.from_numpy(np.clip(noisy, 0, 255).astype(np.float32).transpose(0, 3, 1, 2).copy())


def train(crops: np.ndarray, answers: list[np.ndarray], counts: tuple[int, ...], minutes: float, turn: bool) -> Reader:
    """One cosine of the learning rate over the time given; an answer of -1 is not asked for."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = Reader(counts, crops.shape[1:3])
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    started, step = time.time(), 0
    while (share := (time.time() - started) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        picked = rng.choice(len(crops), BATCH, replace=False)
        logits = net(augmented(crops[picked], rng, turn))
        wanted = [torch.from_numpy(answer[picked].astype(np.int64)) for answer in answers]
        loss = sum(
            nn.functional.cross_entropy(given, want, ignore_index=-1, label_smoothing=0.03)
            for given, want in zip(logits, wanted, strict=True)
            if bool((want >= 0).any())
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        if step % 200 == 0:
            print(f"{share:5.1%} step {step} loss {float(loss):.3f}", flush=True)
    return net.eval()


def told(net: Reader, crops: np.ndarray) -> list[np.ndarray]:
    """The most likely answers."""
    with torch.no_grad():
        parts = [
            net(torch.from_numpy(crops[n : n + 256].astype(np.float32).transpose(0, 3, 1, 2).copy()))
            for n in range(0, len(crops), 256)
        ]
    return [torch.cat([part[k] for part in parts]).argmax(1).numpy() for k in range(len(parts[0]))]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    files = [np.load(path) for path in sorted(args.data.glob("train*.npz"))]
    test = np.load(args.data / "test.npz")

    def every(key: str) -> np.ndarray:
        return np.concatenate([f[key] for f in files if key in f])

    cards = train(
        every("index"), [every("rank"), every("suit")], (len(pieces.RANKS), len(pieces.SUITS)), args.minutes, turn=False
    )
    rank, suit = told(cards, test["index"])
    real = test["rank"] < pieces.RANKS.index("none")
    print(f"unseen decks: rank {np.mean(rank[real] == test['rank'][real]):.2%}, none {np.mean(rank[~real] == test['rank'][~real]):.2%},"
          f" suit {np.mean(suit[test['suit'] >= 0] == test['suit'][test['suit'] >= 0]):.2%}")  # fmt: skip
    width, height = pieces.INDEX_CROP_PX
    publish(cards, torch.zeros(2, 3, height, width), "card_reader", args.out, ("crops",), ("rank", "suit"), (0,))
    dice = train(every("dice"), [every("pips")], (len(pieces.PIPS),), args.minutes * 0.7, turn=True)
    (pips,) = told(dice, test["dice"])
    print(f"unseen dice: {np.mean(pips == test['pips']):.2%}")
    side = pieces.DIE_CROP_PX
    publish(dice, torch.zeros(2, 3, side, side), "die_reader", args.out, ("crops",), ("pips",), (0,))


if __name__ == "__main__":
    main()
