"""Trains models/card_reader.onnx (rank and suit of an index), models/die_reader.onnx (pips of a top face) and
models/match_reader.onnx (whether a match lies along a patch, and its head at which end).

    python -m models.train_readers --data FOLDER [--photos FOLDER] [--fonts FOLDER] [--minutes 25] [--only dice] [--resume models]

FOLDER holds the train*.npz and test.npz files of `models.train_pieces_data`; indices are also set in all the fonts that
the machine has, dice and matches drawn anew, and what the pieces net proposes by mistake is taught as none. Fixed seed.
--resume goes on from the published readers of dice and matches in a folder, on a part of what is drawn, at a fifth of the rate.
Prints how unseen decks, fonts, dice and matches are read.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import pieces
from models.training.dice import drawn_dice
from models.training.dotted import drawn_dotted
from models.training.eight_bits import some_of
from models.training.indices import drawn_indices, faces
from models.training.proposed import proposed_dice, proposed_sticks
from models.training.publish import publish
from models.training.resumed import hold, resume
from models.training.sticks import drawn_sticks

SEED = 41
BATCH = 64
# So many indices in other fonts join those of the decks; as many again of the decks' as there are.
DRAWN, DRAWN_TEST = 30000, 2000
# So many dice and matches are drawn, and as tests.
DRAWN_THINGS, DRAWN_THINGS_TEST = (12000, 14000), 1200
# So many crops have dots and are no die.
DOTTED = 5000
# Of the drawn dice and matches a net that goes on sees one in so many, at this share of the rate.
RESUMED, RESUMED_RATE = (6, 3), 0.2
DIE_ROW, MATCH_ROW = 2, 3


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


Turn = Callable[[np.ndarray, list[np.ndarray], np.random.Generator], tuple[np.ndarray, list[np.ndarray]]]


def upright(
    crops: np.ndarray, answers: list[np.ndarray], rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """As they are: an index has its own way up."""
    return crops, answers


def any_way(
    crops: np.ndarray, answers: list[np.ndarray], rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Turned by quarters and mirrored: pips say the same."""
    crops = np.rot90(crops, int(rng.integers(4)), (1, 2))
    return (crops[:, :, ::-1] if rng.random() < 0.5 else crops), answers


def either_end(
    crops: np.ndarray, answers: list[np.ndarray], rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """A match turned by half has its head at the other end; mirrored across its length it has not."""
    crops, ends = crops.copy(), answers[0].copy()
    half, across = rng.random(len(crops)) < 0.5, rng.random(len(crops)) < 0.5
    crops[half], ends[half] = crops[half][:, ::-1, ::-1], np.array([1, 0, 2])[ends[half]]
    crops[across] = crops[across][:, ::-1]
    return crops, [ends]


def augmented(crops: np.ndarray, rng: np.random.Generator) -> Tensor:
    """Another light for each crop."""
    gain = np.exp(rng.normal(0, 0.2, (len(crops), 1, 1, 1)) + rng.normal(0, 0.06, (len(crops), 1, 1, 3)))
    noisy = crops * gain + rng.normal(0, 8, (len(crops), 1, 1, 1)) + rng.normal(0, rng.uniform(0, 5), crops.shape)
    return torch.from_numpy(np.clip(noisy, 0, 255).astype(np.float32).transpose(0, 3, 1, 2).copy())


def train(
    crops: np.ndarray,
    answers: list[np.ndarray],
    counts: tuple[int, ...],
    minutes: float,
    turn: Turn,
    published: Path | None = None,
) -> Reader:
    """One cosine of the learning rate over so much of the processor's time; an answer of -1 is not asked for.

    published  the net to go on from, if any
    """
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = Reader(counts, crops.shape[1:3]).to(memory_format=torch.channels_last)
    if published is not None:
        resume(net, published)
        hold(net)
    rate = 2e-3 * (RESUMED_RATE if published is not None else 1.0)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    started, step = time.process_time(), 0
    while (share := (time.process_time() - started) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        picked = rng.choice(len(crops), BATCH, replace=False)
        turned, sought = turn(crops[picked], [answer[picked].astype(np.int64) for answer in answers], rng)
        # bfloat16 and channels last halve the time of a step; losses stay in single precision.
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(augmented(turned, rng).to(memory_format=torch.channels_last))
        wanted = [torch.from_numpy(each) for each in sought]
        loss = sum(
            nn.functional.cross_entropy(given.float(), want, ignore_index=-1, label_smoothing=0.02)
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
    net = train(crops, [rank, suit], (len(pieces.RANKS), len(pieces.SUITS)), minutes, upright)
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


def bare(files: list[Path], row: int) -> np.ndarray:
    """Tiles on which no thing of that row of `models.train_pieces_data` lies: grounds to draw others on."""
    return np.concatenate([f["tiles"][~(f["labels"][:, :, 0] == row).any(axis=1)] for f in map(np.load, files)])


def train_dice(
    files: list[Path], test: Path, photos: Path, minutes: float, out: Path, published: Path | None = None
) -> None:
    """Trains and publishes the reader of pips."""
    rng = np.random.default_rng(SEED)
    part = RESUMED[0] if published is not None else 1
    known = every(files, "dice"), every(files, "pips")
    told_apart = known, proposed_dice(photos, rng), drawn_dice(bare(files[:3], DIE_ROW), DRAWN_THINGS[0] // part, rng)
    dotted = drawn_dotted(DOTTED, rng), np.full(DOTTED, pieces.PIPS.index("none"))
    crops, pips = (np.concatenate(each) for each in zip(*told_apart, dotted, strict=True))
    net = train(crops, [pips], (len(pieces.PIPS),), minutes, any_way, published)
    unseen = np.load(test)
    print(f"unseen dice: {np.mean(told(net, unseen['dice'])[0] == unseen['pips']):.2%}")
    drawn, said = drawn_dice(bare([test], DIE_ROW), DRAWN_THINGS_TEST // part, rng)
    print(f"unseen dice, traced: {np.mean(told(net, drawn)[0] == said):.2%}")
    side = pieces.DIE_CROP_PX
    publish(net, torch.zeros(2, 3, side, side), "die_reader", out, ("crops",), ("pips",), (0,), some_of(crops, SEED))


def train_matches(
    files: list[Path], test: Path, photos: Path, minutes: float, out: Path, published: Path | None = None
) -> None:
    """Trains and publishes the reader of sticks."""
    rng = np.random.default_rng(SEED)
    part = RESUMED[1] if published is not None else 1
    drawn = drawn_sticks(bare(files[:5:2], MATCH_ROW), DRAWN_THINGS[1] // part, rng)
    crops, shows = (np.concatenate(each) for each in zip(proposed_sticks(files, photos), drawn, strict=True))
    net = train(crops, [shows], (len(pieces.STICKS),), minutes, either_end, published)
    unseen, said = drawn_sticks(bare([test], MATCH_ROW), DRAWN_THINGS_TEST, rng)
    print(f"unseen sticks: {np.mean(told(net, unseen)[0] == said):.2%}")
    width, height = pieces.STICK_CROP_PX
    publish(
        net, torch.zeros(2, 3, height, width), "match_reader", out, ("crops",), ("shows",), (0,), some_of(crops, SEED)
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--only", choices=("cards", "dice", "matches"))
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    files, test = sorted(args.data.glob("train*.npz")), args.data / "test.npz"
    if args.only in (None, "cards"):
        train_cards(files, test, args.fonts, args.minutes, args.out)
    if args.only in (None, "dice"):
        train_dice(
            files, test, args.photos, 0.2 * args.minutes, args.out, args.resume and args.resume / "die_reader.onnx"
        )
    if args.only in (None, "matches"):
        train_matches(
            files, test, args.photos, 0.1 * args.minutes, args.out, args.resume and args.resume / "match_reader.onnx"
        )


if __name__ == "__main__":
    main()
