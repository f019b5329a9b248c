"""Trains models/card_reader.onnx (rank and suit of an index) and models/die_reader.onnx (pips of a top face).

    python -m models.train_readers --data FOLDER [--fonts FOLDER] [--minutes 25] [--only cards]

FOLDER holds the train*.npz and test.npz files of `models.train_pieces_data`; indices are also set in all the fonts that
the machine has. Fixed seed. Prints how unseen decks and fonts are read.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import pieces
from models.training.eight_bits import some_of
from models.training.indices import drawn_indices, faces
from models.training.publish import publish

SEED = 41
BATCH = 64
# So many indices in other fonts join those of the decks; as many again of the decks' as there are.
DRAWN, DRAWN_TEST = 30000, 2000


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
    """One cosine of the learning rate over so much of the processor's time; an answer of -1 is not asked for."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = Reader(counts, crops.shape[1:3])
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    started, step = time.process_time(), 0
    while (share := (time.process_time() - started) / (60 * minutes)) < 1:
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


def every(files: list[Path], key: str) -> np.ndarray:
    """One array of all files that have it."""
    return np.concatenate([f[key] for f in map(np.load, files) if key in f])


def train_cards(files: list[Path], test: Path, fonts: Path, minutes: float, out: Path) -> None:
    """Trains and publishes the reader of indices."""
    rng = np.random.default_rng(SEED)
    drawn = drawn_indices(faces(fonts, test=False), DRAWN, rng)
    crops, rank, suit = (
        np.concatenate([every(files, key), more]) for key, more in zip(("index", "rank", "suit"), drawn, strict=True)
    )
    net = train(crops, [rank, suit], (len(pieces.RANKS), len(pieces.SUITS)), minutes, turn=False)
    unseen = np.load(test)
    tell("unseen decks", net, unseen["index"], unseen["rank"], unseen["suit"])
    tell("unseen fonts", net, *drawn_indices(faces(fonts, test=True), DRAWN_TEST, rng))
    width, height = pieces.INDEX_CROP_PX
    example = torch.zeros(2, 3, height, width)
    publish(net, example, "card_reader", out, ("crops",), ("rank", "suit"), (0,), some_of(crops, SEED))


def tell(what: str, net: Reader, crops: np.ndarray, ranks: np.ndarray, suits: np.ndarray) -> None:
    """Prints how well indices are read."""
    rank, suit = told(net, crops)
    real = ranks < pieces.RANKS.index("none")
    none = np.mean(rank[~real] == ranks[~real]) if (~real).any() else float("nan")
    print(f"{what}: rank {np.mean(rank[real] == ranks[real]):.2%}, none {none:.2%},"
          f" suit {np.mean(suit[suits >= 0] == suits[suits >= 0]):.2%}")  # fmt: skip


def train_dice(files: list[Path], test: Path, minutes: float, out: Path) -> None:
    """Trains and publishes the reader of pips."""
    net = train(every(files, "dice"), [every(files, "pips")], (len(pieces.PIPS),), minutes, turn=True)
    unseen = np.load(test)
    print(f"unseen dice: {np.mean(told(net, unseen['dice'])[0] == unseen['pips']):.2%}")
    side = pieces.DIE_CROP_PX
    some = some_of(every(files, "dice"), SEED)
    publish(net, torch.zeros(2, 3, side, side), "die_reader", out, ("crops",), ("pips",), (0,), some)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--only", choices=("cards", "dice"))
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    files, test = sorted(args.data.glob("train*.npz")), args.data / "test.npz"
    if args.only != "dice":
        train_cards(files, test, args.fonts, args.minutes, args.out)
    if args.only != "cards":
        train_dice(files, test, 0.4 * args.minutes, args.out)


if __name__ == "__main__":
    main()
