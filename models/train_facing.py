"""Trains models/facing.onnx: which way a toy soldier, horseman or gun faces.

    python -m models.train_facing --data FOLDER [--minutes 40] [--resume FILE.pt] [--share 0.5] [--test FILE.npz]

FOLDER holds the train*.npz files of `models.train_solids_data`. Fixed seed. Prints how those of --test are read. With --share
the weights published lie so far on the way from those of --resume to those in which training ends.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import directions, solids
from models.training.faced import MARGIN_PX, SOLDIERS, Faced, faced_on
from models.training.loop import train_for
from models.training.publish import publish
from models.training.widened import between

SEED = 61
BATCH = 64
# At the rate of the other nets nothing is learned: the loss stays where chance is.
RATE = 1e-3
# How wide the answer for one direction may be, and for one axis, whose two ends look alike at first (von Mises).
CONCENTRATION = {1: 8.0, 2: 4.0}
SHIFT_PX = 3


def stage(into: int, out: int, stride: int) -> nn.Sequential:
    """One dense convolution."""
    return nn.Sequential(nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


class FacingNet(nn.Module):
    """A small dense net over one crop, which is told the slant."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.Sequential(
            stage(3, 24, 1), nn.MaxPool2d(2), stage(24, 32, 1), stage(32, 48, 2), stage(48, 48, 1),
            stage(48, 80, 2), stage(80, 80, 1), stage(80, 96, 2), nn.Flatten(),
        )  # fmt: skip
        cells = (solids.FACING_CROP_PX // 16) ** 2
        self.mixed = nn.Sequential(nn.Linear(96 * cells + 3, 128), nn.ReLU(), nn.Dropout(0.3))
        self.direction = nn.Linear(128, directions.COUNT)
        # Asked for while training only: which axis a thing lies along is learned sooner than which end is its front.
        self.axis = nn.Linear(128, directions.COUNT // 2)

    def seen(self, crops_bgr: Tensor, slant: Tensor) -> Tensor:
        """(n, 3, h, w) 0 to 255 and (n, 2) to (n, 128)."""
        mean = crops_bgr.mean((1, 2, 3), keepdim=True)
        spread = (crops_bgr - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        length = torch.sqrt((slant * slant).sum(1, keepdim=True) + 1e-6)
        return self.mixed(torch.cat([self.stages((crops_bgr - mean) / (spread + 8)), slant, length], 1))

    def forward(self, crops_bgr: Tensor, slant: Tensor) -> Tensor:
        """The same to (n, COUNT) logits."""
        return self.direction(self.seen(crops_bgr, slant))


def likely(facing: Tensor, fold: int) -> Tensor:
    """(n, COUNT / fold) how likely each is to be said for (n,) rad; fold 2 for axes."""
    ways = torch.tensor(directions.RAD[: directions.COUNT // fold], dtype=torch.float32, device=facing.device)
    return (CONCENTRATION[fold] * torch.cos(fold * (facing[:, None] - ways))).softmax(1)


class Batches:
    """Random batches in another light, shifted, mirrored, grainy; riders and guns more often than they come."""

    def __init__(self, faced: Faced) -> None:
        self.faced, self.rng = faced, np.random.default_rng(SEED)
        rare = 1 / np.sqrt(np.bincount(faced.kind, minlength=SOLDIERS))
        self.chance = rare[faced.kind] / rare[faced.kind].sum()

    def next(self) -> tuple[Tensor, Tensor, np.ndarray]:
        """Crops, slant and rad."""
        faced, rng = self.faced, self.rng
        picked = rng.choice(len(faced.kind), BATCH, p=self.chance)
        shift = MARGIN_PX + rng.integers(-SHIFT_PX, SHIFT_PX + 1, (BATCH, 2))
        crops = np.stack([_cut(faced.crops[n], at) for n, at in zip(picked, shift, strict=True)]).astype(np.float32)
        slant, mirrored = faced.slant[picked], rng.random(BATCH) < 0.5
        crops[mirrored] = crops[mirrored, :, ::-1]
        slant[mirrored, 0] *= -1
        facing = np.where(mirrored, np.pi - faced.facing[picked], faced.facing[picked])
        gain = np.exp(rng.normal(0, 0.2, (BATCH, 1, 1, 1)) + rng.normal(0, 0.07, (BATCH, 1, 1, 3)))
        lit = crops * gain.astype(np.float32) + rng.standard_normal(crops.shape, np.float32) * rng.uniform(0, 6)
        return planes(np.clip(lit, 0, 255)), torch.from_numpy(slant), facing


def _cut(crop: np.ndarray, corner_px: np.ndarray) -> np.ndarray:
    column, row = corner_px
    return crop[row : row + solids.FACING_CROP_PX, column : column + solids.FACING_CROP_PX]


def planes(crops: np.ndarray) -> Tensor:
    """(n, h, w, 3) to (n, 3, h, w)."""
    return torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32))


def loss_of(net: FacingNet, batches: Batches) -> Tensor:
    """The loss of the next batch."""
    crops, slant, facing = batches.next()
    return loss_at(net, crops, slant, torch.from_numpy(facing.astype(np.float32)))


def loss_at(net: FacingNet, crops: Tensor, slant: Tensor, facing: Tensor) -> Tensor:
    """Cross entropy of directions and of axes."""
    seen = net.seen(crops, slant)
    said = {1: net.direction(seen), 2: net.axis(seen)}
    losses = [-(likely(facing, fold) * logits.log_softmax(1)).sum(1).mean() for fold, logits in said.items()]
    return torch.stack(losses).sum()


def tell(net: FacingNet, faced: Faced) -> None:
    """Prints how well unseen soldiers are read, as they show and in the mirror."""
    middle = slice(MARGIN_PX, MARGIN_PX + solids.FACING_CROP_PX)
    crops = faced.crops[:, middle, middle]
    net.eval()
    with torch.no_grad():
        seen = net(planes(crops), torch.from_numpy(faced.slant)).numpy()
        beyond = net(planes(crops[:, :, ::-1]), torch.from_numpy(faced.slant * np.array((-1, 1), np.float32))).numpy()
    joined = torch.from_numpy((seen + directions.mirrored(beyond)) / 2)
    net.train()
    said, sure_of = directions.meant(joined.softmax(1).numpy().astype(float))
    within = np.cos(said - faced.facing) > np.cos(np.pi / 4)
    for kind, name in enumerate(solids.FIGURES[:SOLDIERS]):
        some = faced.kind == kind
        sure = some & (sure_of >= directions.SURE)
        print(f"{name}: {within[some].mean():.0%} of {some.sum()} within 45 degrees; told of {sure.sum() / some.sum():.0%},"
              f" of these {within[sure].mean():.0%}")  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--test", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    batches = Batches(faced_on(sorted(args.data.glob("train*.npz")), np.random.default_rng(SEED)))
    net, keep = FacingNet(), args.data / "facing.pt"
    train_for(net, args.minutes, lambda: loss_of(net, batches), args.resume, keep, RATE)
    if args.resume and args.share < 1:
        net.load_state_dict(between(torch.load(args.resume), net.state_dict(), args.share))
        torch.save(net.state_dict(), keep)
    if args.test:
        tell(net, faced_on([args.test], None))
    side = solids.FACING_CROP_PX
    publish(
        net,
        (torch.zeros(2, 3, side, side), torch.zeros(2, 2)),
        "facing",
        args.out,
        ("crops", "slant"),
        ("directions",),
        (0,),
    )


if __name__ == "__main__":
    main()
