"""Trains models/relief.onnx: whose money a coin's relief is, and of dollars which coin.

    python -m models.train_relief --photos FOLDER --stamps FOLDER --data FOLDER [--minutes 30] [--resume FILE.pt]

STAMPS is the folder `usr/share/tuxpaint/stamps/symbols/money` of Debian's tuxpaint-stamps-default: the only American
reliefs at hand, six heads. The seed is fixed.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.coins import CROP_PX, RIM_SHARE
from models.reliefs import DESIGNS, INPUT, OFTEN, OUTPUT, design_of
from models.training import sprites, struck
from models.training.jpeg import blocky
from models.training.layers import Residual, conv
from models.training.loop import train_for
from models.training.publish import publish

Float = NDArray[np.float32]

SEED = 91
BATCH = 128
# The highest rate; with it, and stopped early, coins never seen were told best (models/relief.md).
RATE = 1.2e-3
# Drawings of each class and face.
DRAWN_EACH, PIECED, METALS = 40, 1500, 700
# How sure a label is.
SURE = 0.94
# How often a relief of each source is struck: photographs and drawings of pounds and euros, scans and drawings of
# dollars; foreign coins, mirrored ones and such as are pieced together of two are nobody's, so that a relief which is
# photographed and looks like no pound is not a pound for that.
PER_SOURCE = {
    "gbp": 0.17, "eur": 0.12, "eur-stamp": 0.05, "usd-stamp": 0.17,
    "gbp-drawn": 0.08, "eur-drawn": 0.03, "usd-drawn": 0.18, "foreign": 0.12, "mirrored": 0.08, "pieced": 0.18,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mint:
    """What coins are struck from: reliefs (SIDE_PX, SIDE_PX) with their designs by source, '' for none; metals; and how
    deep reliefs are."""

    reliefs: dict[str, list[tuple[Float, str]]]
    metals: list[Float]
    depths: Float


class ReliefNet(nn.Module):
    """Log odds of each design, of a crop's relief alone."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(1, 24, 2), conv(24, 48, 2), Residual(48), conv(48, 80, 2), Residual(80))
        self.mix = nn.Sequential(nn.Linear(160, 96), nn.ReLU(), nn.Dropout(0.3), nn.Linear(96, len(DESIGNS)))
        off = torch.arange(CROP_PX) - (CROP_PX - 1) / 2
        inside = torch.hypot(off[:, None], off) < 0.95 * RIM_SHARE * CROP_PX / 2
        self.register_buffer("inside", inside.float()[None, None])
        self.register_buffer("share", _around(self.inside).clamp(min=0.05))

    def forward(self, crops_grey: Tensor) -> Tensor:
        """(n, 1, CROP_PX, CROP_PX) 0 to 255."""
        seen = self.body(self.relief(crops_grey))
        return self.mix(torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1))

    def relief(self, crops_grey: Tensor) -> Tensor:
        """Each place beside those around it, as strong as on any other coin."""
        light = torch.log(crops_grey.clamp(min=1) / 255)
        beside = (light - _around(light * self.inside) / self.share) * self.inside
        spread = (beside.square().sum(dim=(2, 3), keepdim=True) / self.inside.sum()).sqrt()
        return (beside / (spread + 0.02)).clamp(-3, 3)


def _around(light: Tensor) -> Tensor:
    for _ in range(2):
        light = nn.functional.avg_pool2d(nn.functional.avg_pool2d(light, (7, 1), 1, (3, 0)), (1, 7), 1, (0, 3))
    return light


def mint(photos: Path, stamps: Path, rng: np.random.Generator) -> Mint:
    """Everything that reliefs are lifted off, once."""
    real = sprites.photographed(photos)
    found: dict[str, list[tuple[Float, str]]] = {name: [] for name in PER_SOURCE}
    for (cls, _), shelf in real.items():
        found[cls[:3]] += [(struck.relief_of(each.bgr), cls[:3]) for each in shelf]
    found["usd-stamp"] = [(struck.stamp(stamps / name), cls) for cls, name in struck.US_STAMPS.items()]
    found["eur-stamp"] = [(struck.stamp(path), "eur") for path in sorted(stamps.glob(struck.EURO_STAMPS))]
    for pattern in struck.FOREIGN_STAMPS:
        found["foreign"] += [(struck.stamp(path), "") for path in sorted(stamps.glob(pattern))]
    for cls, face in struck.kinds():
        found[f"{cls[:3]}-drawn"] += [(struck.drawn(cls, face, rng), design_of(cls)) for _ in range(DRAWN_EACH)]
    lifted = {name: [relief for relief, _ in shelf] for name, shelf in found.items()}
    found["pieced"] = [(_pieced(lifted, rng), "") for _ in range(PIECED)]
    found["mirrored"] = [(each[:, ::-1], "") for name in ("gbp", "eur", "usd-stamp") for each in lifted[name][:300]]
    shelf = [each for faces in real.values() for each in faces]
    some = rng.permutation(len(shelf))[:METALS]
    return Mint(
        found,
        [struck.metal_of(shelf[index], rng) for index in some],
        np.array([struck.depth_of(shelf[index]) for index in some], np.float32),
    )


def _pieced(lifted: dict[str, list[Float]], rng: np.random.Generator) -> Float:
    """Half of one relief and half of another, turned."""
    shelf = lifted["gbp"] + lifted["foreign"] + lifted["usd-stamp"] * 10 + lifted["eur"][::8]
    one, other = (np.rot90(shelf[index], int(rng.integers(4))) for index in rng.integers(0, len(shelf), 2))
    off, angle = np.arange(struck.SIDE_PX) - (struck.SIDE_PX - 1) / 2, rng.uniform(0, 2 * np.pi)
    beyond = off[:, None] * np.sin(angle) + off * np.cos(angle) > rng.uniform(-8, 8)
    return np.where(beyond, one, other[:, ::-1])


def batch(source: Mint, rng: np.random.Generator) -> tuple[Float, Float]:
    """Crops (n, 1, CROP_PX, CROP_PX) 0 to 255, and how likely each design is (n, designs)."""
    names = rng.choice(list(PER_SOURCE), BATCH, p=np.array(list(PER_SOURCE.values())) / sum(PER_SOURCE.values()))
    drawn = [source.reliefs[name][rng.integers(len(source.reliefs[name]))] for name in names]
    crops = np.stack([_crop(source, relief, rng) for relief, _ in drawn])
    return crops[:, None], np.stack([_likely(design) for _, design in drawn])


def _likely(design: str) -> Float:
    whose = np.array([design == each for each in DESIGNS], float)
    return np.asarray((SURE * whose + (1 - SURE) * OFTEN) if design else OFTEN, np.float32)


def _crop(source: Mint, relief: Float, rng: np.random.Generator) -> Float:
    relief = _lit_anew(relief, rng)
    metal = source.metals[rng.integers(len(source.metals))]
    depth = source.depths[rng.integers(len(source.depths))] * np.exp(rng.normal(0, 0.3))
    light = np.exp(np.rot90(metal, rng.integers(4)) * rng.uniform(0.5, 1.3) + depth * relief)
    ground = np.exp(rng.normal(0, 0.8))
    light = np.where(struck.disc(0.985, struck.SIDE_PX) > 0, light, ground) * rng.uniform(0.06, 0.45)
    return _seen(np.power(np.clip(light, 0, 1), 1 / 2.2).astype(np.float32) * 255, rng)


def _lit_anew(relief: Float, rng: np.random.Generator) -> Float:
    """As it is, dark for light, or as a lamp from one side shows it."""
    how = rng.random()
    if how < 0.5:
        return relief
    if how < 0.65:
        return -relief
    soft = cv2.GaussianBlur(relief, (0, 0), rng.uniform(0.5, 1.5))
    angle = rng.uniform(0, 2 * np.pi)
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * np.cos(angle) + cv2.Sobel(soft, cv2.CV_32F, 0, 1) * np.sin(angle)
    slope /= max(float(slope.std()), 1e-3)
    return np.asarray(np.clip(rng.uniform(0.3, 1) * slope + rng.uniform(-0.5, 0.8) * relief, -3, 3), np.float32)


def _seen(picture: Float, rng: np.random.Generator) -> Float:
    """As the eyes cut it out: turned, seen askew, as coarse and noisy as cameras are, compressed now and then."""
    scale = RIM_SHARE * CROP_PX / 2 / struck.RADIUS_PX * rng.normal(1, 0.025)
    angle, coarse = rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(np.log(0.6), np.log(1.9))))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.45 * coarse / scale)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.full(2, (struck.SIDE_PX - 1) / 2)
    shift = np.full(2, (CROP_PX - 1) / 2) + rng.normal(0, 0.4, 2) - turn @ middle
    crop = cv2.warpAffine(soft, np.c_[turn, shift], (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    crop = crop * np.exp(rng.normal(0, 0.25)) + rng.normal(0, 6)
    crop += rng.standard_normal(crop.shape) * rng.uniform(0, 4)
    crop = np.clip(crop, 0, 255)
    if rng.random() < 0.2:
        crop = blocky(np.repeat(crop[..., None], 3, axis=2), rng)[..., 0]
    return np.asarray(crop, np.float32)


def main() -> None:
    """Trains and publishes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    options.add_argument("--stamps", type=Path, required=True)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--resume", type=Path)
    options.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = options.parse_args()
    given.data.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    source, net = mint(given.photos, given.stamps, rng), ReliefNet()

    def batch_loss() -> Tensor:
        """The loss of coins struck anew."""
        crops, likely = batch(source, rng)
        return nn.functional.cross_entropy(net(torch.from_numpy(crops)), torch.from_numpy(likely))

    train_for(net, given.minutes, batch_loss, given.resume, given.data / "relief.pt", RATE)
    publish(
        net,
        torch.zeros(1, 1, CROP_PX, CROP_PX),
        "relief",
        given.out,
        (INPUT,),
        (OUTPUT,),
        moving_axes=(0,),
        samples=np.concatenate([batch(source, rng)[0] for _ in range(8)]),
    )


if __name__ == "__main__":
    main()
