"""Trains models/coin_classifier.onnx.

    python -m models.train_coins_classifier --data FOLDER [--minutes 20] [--resume FILE.pt]

FOLDER holds the .npz files that `python -m models.train_coins_data` wrote. The seed is fixed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.coins import CLASSES, CROP_PX, CURRENCIES, OWNERS
from models.training.eight_bits import some_of
from models.training.jpeg import blocky
from models.training.layers import Residual, conv
from models.training.loop import train_for
from models.training.publish import publish

SEED = 21
BATCH = 128
THREADS = 1
# The highest learning rate, of a net that begins and of one that goes on, and the decay of its weights.
RATE, RESUMED_RATE, DECAY = 2e-3, 1e-3, 1e-3
# What a face counts beside a class, and the share of crops that are compressed once more.
FACE_WEIGHT, SQUEEZED = 1.5, 0.3
# Currency of each class by number; -1 for what is no coin.
CURRENCY_OF = torch.tensor([CURRENCIES.index(cls.split("-")[0]) for cls in CLASSES] + [-1])
PHOTOGRAPHED = torch.tensor([CURRENCIES.index("gbp"), CURRENCIES.index("eur")])


class CoinClassifier(nn.Module):
    """Class (NOT_A_COIN last), face (heads, tails) and owner of a crop, as logits."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 24, 2), conv(24, 48, 2), Residual(48), conv(48, 96, 2), Residual(96))
        self.mix = nn.Sequential(nn.Linear(96 * 2, 128), nn.ReLU(), nn.Dropout(0.2))
        self.classes, self.faces, self.owners = (
            nn.Linear(128, len(CLASSES) + 1),
            nn.Linear(128, 2),
            nn.Linear(128, len(OWNERS)),
        )
        # Logits are divided by these before they are published, so that a softmax of them is an honest probability.
        self.register_buffer("temperatures", torch.ones(3))

    def forward(self, crops_bgr: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(n, 3, CROP_PX, CROP_PX) 0 to 255."""
        seen = self.body(crops_bgr / 128 - 1)
        mixed = self.mix(torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1))
        return (
            self.classes(mixed) / self.temperatures[0],
            self.faces(mixed) / self.temperatures[1],
            self.owners(mixed) / self.temperatures[2],
        )


def loss_of(net: CoinClassifier, crops: Tensor, labels: Tensor) -> Tensor:
    """Cross entropies of class, face and owner, added up; a label of -1 does not count.

    A photographed coin must only be told from coins of currencies that were photographed: else the net would learn to tell
    the others by their looking drawn.
    """
    classes, faces, owners = net(crops)
    never_photographed = ~torch.isin(CURRENCY_OF, PHOTOGRAPHED) & (CURRENCY_OF >= 0)
    foreign = (labels[:, 3:] == 1) & never_photographed[None]
    by_class = nn.functional.cross_entropy(classes.masked_fill(foreign, -30.0), labels[:, 0])
    return by_class + sum(
        (share * nn.functional.cross_entropy(each, wanted, ignore_index=-1) if (wanted >= 0).any() else 0.0)
        for share, each, wanted in ((FACE_WEIGHT, faces, labels[:, 1]), (1.0, owners, labels[:, 2]))
    )


def augmented(crops: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turned, never mirrored (a queen looks to her right); another white balance, exposure, noise."""
    count = len(crops)
    turned = np.stack([turned_about(crop, rng) for crop in crops]).astype(np.float32)
    warmth, tint = rng.normal(0, 0.07, count), rng.normal(0, 0.025, count)
    balance = np.stack([1 - warmth, 1 + tint, 1 + warmth], axis=1)[:, None, None]
    gain = np.exp(rng.normal(0, 0.2, (count, 1, 1, 1)))
    turned *= (balance * gain).astype(np.float32)
    turned += rng.normal(0, 8, (count, 1, 1, 1)).astype(np.float32)
    turned += rng.standard_normal(turned.shape, np.float32) * rng.uniform(0, 5, (count, 1, 1, 1)).astype(np.float32)
    side, hole = rng.integers(0, CROP_PX - 14, (count, 2)), rng.random(count) < 0.1
    for index in np.nonzero(hole)[0]:
        row, column = side[index]
        turned[index, row : row + 12, column : column + 12] = rng.uniform(0, 255, 3)
    squeezed = rng.random(count) < SQUEEZED
    turned = np.clip(turned, 0, 255)
    turned[squeezed] = [blocky(crop, rng) for crop in turned[squeezed]]
    return turned


def turned_about(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turned by any angle about near its middle and a little larger or smaller: no two views of a coin are the same."""
    middle = (CROP_PX - 1) / 2 + rng.normal(0, 0.3, 2)
    turn = cv2.getRotationMatrix2D(middle.tolist(), rng.uniform(0, 360), rng.normal(1, 0.015))
    return cv2.warpAffine(crop, turn, (CROP_PX, CROP_PX), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)


def shares(labels: np.ndarray) -> np.ndarray:
    """Chance of each crop to be drawn: classes alike, NOT_A_COIN as often as five, photographs half of a class."""
    weight = np.zeros(len(labels))
    for cls in range(len(CLASSES) + 1):
        for photographed in (0, 1):
            group = (labels[:, 0] == cls) & (labels[:, 3] == photographed)
            if group.any():
                weight[group] = (5 if cls == len(CLASSES) else 1) / group.sum()
    return weight / weight.sum()


def load(files: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Crops and labels."""
    stores = [np.load(path) for path in files]
    return np.concatenate([store["crops"] for store in stores]), np.concatenate([store["labels"] for store in stores])


def train(files: list[Path], minutes: float, resume: Path | None, keep: Path) -> CoinClassifier:
    """Trains for so many minutes of the processor's time."""
    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    rng = np.random.default_rng(SEED)
    crops, labels = load(files)
    chance = np.cumsum(shares(labels))
    net = CoinClassifier().to(memory_format=torch.channels_last)

    def batch_loss() -> Tensor:
        """The loss of the next crops."""
        picked = np.minimum(np.searchsorted(chance, rng.random(BATCH)), len(crops) - 1)
        planes = torch.from_numpy(augmented(crops[picked], rng).transpose(0, 3, 1, 2).copy())
        with torch.autocast("cpu", torch.bfloat16):
            return loss_of(net, planes.to(memory_format=torch.channels_last), torch.from_numpy(labels[picked]))

    rate = RESUMED_RATE if resume else RATE
    train_for(net, minutes, batch_loss, resume, keep, rate, decay=DECAY, clock_s=time.process_time)
    return net


def main() -> None:
    """Trains and publishes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--resume", type=Path)
    options.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = options.parse_args()
    files = sorted(given.data.glob("*.npz"))
    net = train(files, given.minutes, given.resume, given.data / "coin_classifier.pt")
    publish(
        net,
        torch.zeros(1, 3, CROP_PX, CROP_PX),
        "coin_classifier",
        given.out,
        ("crops_bgr",),
        ("classes", "faces", "owners"),
        moving_axes=(0,),
        samples=some_of(load(files)[0], SEED),
    )


if __name__ == "__main__":
    main()
