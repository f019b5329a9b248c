"""Trains models/rider.onnx: a smaller coin on a larger one, by what the larger one's circle shows.

    python -m models.train_riders --data FOLDER [--photos FOLDER] [--rendered FOLDER] [--minutes 20] [--resume FILE.pt]
        [--unseen FOLDER]
    python -m models.train_riders --data FOLDER --tell FILE.pt [--unseen FOLDER]      # only tells how those weights do
    python -m models.train_riders --data FOLDER --part 0 [--photos FOLDER]     # only draws one part of the tables

Draws tables with coins on coins (`models.training.piles`, `filmed_piles`) and with none (`bare_coins`) into
FOLDER/rider_*.npz, which are used again if they are there. With photographs, the coins of the train split teach too, as
they are and with dots and smaller coins laid on them (`carriers`); and with --rendered the pictures of
`models.render_coins`. Fixed seeds. Prints what is found of
tables of other seeds (--unseen: of pictures of `models.render_coins`, too), and how often it is right when so sure.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.coins import CROP_PX, RIM_SHARE, TYPICAL_THICKNESS_MM
from models.riding import OUTPUTS, SMALLER, VIEW
from models.training.bare_coins import bare_tables
from models.training.carriers import as_they_lie, carriers
from models.training.coin_lessons import kept, options, tell_all
from models.training.filmed_piles import filmed_piles
from models.training.layers import Residual, conv
from models.training.loop import train_for
from models.training.piles import Piles, Top, minted_piles, piles
from models.training.publish import publish
from models.training.reliability import reliability
from models.training.relit import relit
from models.training.stored import stored

SEED = 82
# Drawn tables and filmed ones, by the seed that draws them; others for testing.
DRAWN, FILMED = {191: 130, 192: 130}, {181: 36, 182: 36}
BARE = {171: 160}
# Photographed coins of the train split with dots and coins laid on them; those of the dev split for testing.
CARRIERS = {161: 9000}
TEST_DRAWN, TEST_FILMED, TEST_BARE, TEST_CARRIERS = (199, 24), (189, 6), (179, 40), (169, 800)
BATCH = 128
GUESSES = 3
# How far off the circles below are, in radii, as those that are found are.
OFF = 0.025
# So many circles of pairs lie between the rims of both, up to so far from the lower one's, since the rim net takes
# either's edge (40 of 142 pairs of cut-out photographs); so many of bare coins on an inner ring, no smaller than this.
BETWEEN, FARTHEST, WITHIN, INNERMOST = 0.3, 0.6, 0.1, 0.8
# A coin hidden more than this is not asked for; one that is hidden by what does not ride on it is no example.
LEAST_VISIBLE = 0.5
# A coin beyond the rim below by more than this stands out by itself.
BEYOND_MM = 2.5
# So many cameras show each rendered table.
RENDERED_ROUNDS = 6
FINE = 2

Array = NDArray[np.float64]
Crops = NDArray[np.uint8]
_ACROSS = ((np.arange(CROP_PX * FINE) + 0.5) / (CROP_PX * FINE) * 2 - 1) / RIM_SHARE
_GRID = np.stack(np.meshgrid(_ACROSS, -_ACROSS), axis=-1)


class Taught(NamedTuple):
    """Crops (n, CROP_PX, CROP_PX, 3), their `VIEW`s (n, 2), and the answers (n, 4): rides, x, y, log_radius."""

    crops: Crops
    views: Array
    answers: Array


Example = tuple[Crops, Array, Array]


class RiderNet(nn.Module):
    """Convolutions over the crop; where its edges lie is the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 20, 2), conv(20, 40, 2), Residual(40), conv(40, 64, 2), Residual(64))
        cells = (CROP_PX // 8) ** 2
        self.narrow = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * cells, 64), nn.ReLU())
        self.mix = nn.Sequential(nn.Linear(64 + len(VIEW), 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, len(OUTPUTS)))

    def forward(self, crops_bgr: Tensor, views: Tensor) -> Tensor:
        """(n, 3, CROP_PX, CROP_PX) 0 to 255 and (n, 2) to (n, 6); see `models.riding`."""
        seen = crops_bgr / 128 - 1
        seen = self.body(seen - seen.mean(dim=(2, 3), keepdim=True))
        return self.mix(torch.cat([self.narrow(seen), views], dim=1))


def examples(seen: Piles, rng: np.random.Generator) -> Iterator[Example]:
    """Each coin that carries a smaller one or nothing, from guesses of its circle."""
    for below in seen.tops:
        on_it = [top for top in seen.tops if abs(top.low_mm - below.top_mm) < 1e-6 and _apart_mm(top, below) < 0]
        riders = [top for top in on_it if _rides(top, below)]
        is_plain = not on_it and below.visible_share > 1 - LEAST_VISIBLE / 2
        if is_plain or (len(on_it) == 1 and riders):
            for _ in range(GUESSES):
                yield from _example(seen, below, riders[0] if riders else None, rng)


def _apart_mm(one: Top, other: Top) -> float:
    return float(np.linalg.norm(one.centre_mm - other.centre_mm)) - one.radius_mm - other.radius_mm


def _rides(top: Top, below: Top) -> bool:
    within = _apart_mm(top, below) + 2 * top.radius_mm < BEYOND_MM
    return within and top.radius_mm < SMALLER * below.radius_mm and top.visible_share > LEAST_VISIBLE


def _circle(seen: Piles, top: Top) -> tuple[Array, float]:
    """Centre and radius in the plane of a typical coin's rim."""
    nearer = (seen.eye_mm[2] - TYPICAL_THICKNESS_MM) / (seen.eye_mm[2] - top.top_mm)
    return seen.eye_mm[:2] + nearer * (top.centre_mm - seen.eye_mm[:2]), top.radius_mm * nearer


def _example(seen: Piles, below: Top, rider: Top | None, rng: np.random.Generator) -> Iterator[Example]:
    """One crop, none if part of it is out of the picture."""
    centre, radius = _guess(seen, below, rider, rng)
    at = np.concatenate([centre + radius * _GRID, np.full((*_GRID.shape[:2], 1), TYPICAL_THICKNESS_MM)], axis=2)
    px = seen.project(at.reshape(-1, 3)).reshape(_GRID.shape)
    if (px > 0).all() and (px < np.array(seen.picture_bgr.shape[1::-1]) - 1).all():
        yield (
            _cut(seen.picture_bgr, px),
            (centre - seen.eye_mm[:2]) / seen.eye_mm[2],
            _answer(seen, centre, radius, rider),
        )


def _guess(seen: Piles, below: Top, rider: Top | None, rng: np.random.Generator) -> tuple[Array, float]:
    """The circle that is found in the place of the lower coin's."""
    centre, radius = _circle(seen, below)
    if rider and rng.random() < BETWEEN:
        at, wide = _circle(seen, rider)
        share = rng.uniform(0, FARTHEST)
        centre, radius = centre + share * (at - centre), radius + share * (wide - radius)
    elif rider is None and rng.random() < WITHIN:
        radius *= rng.uniform(INNERMOST, 1)
    return centre + rng.normal(0, OFF, 2) * radius, radius * rng.normal(1, OFF)


def _cut(picture: Crops, px: Array) -> Crops:
    fine = cv2.remap(picture, *np.moveaxis(px.astype(np.float32), -1, 0), cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(fine, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _answer(seen: Piles, centre: Array, radius: float, rider: Top | None) -> Array:
    if rider is None:
        return np.zeros(4)
    at, wide = _circle(seen, rider)
    return np.array([1.0, *((at - centre) / radius), np.log(wide / radius)])


def drawn(photos: Path, seed: int, count: int) -> Taught:
    """All examples of so many tables."""
    return _gathered(piles(photos, seed, count, riding=True), seed)


def filmed(seed: int, count: int) -> Taught:
    """The same of tables that the sample footage's renderer shows."""
    return _gathered(filmed_piles(seed, count, riding=True), seed)


def bare(photos: Path, seed: int, count: int) -> Taught:
    """The same of tables on which nothing lies on anything."""
    return _gathered(bare_tables(photos, seed, count), seed)


def carrying(photos: Path, split: str, seed: int, count: int) -> Taught:
    """The same of photographed coins, with and without smaller ones laid on them."""
    return _gathered(carriers(photos, split, seed, count), seed)


def rendered(folder: Path, seed: int) -> Taught:
    """The same of the pictures of `models.render_coins`."""
    return _gathered(minted_piles(folder, np.random.default_rng(seed), RENDERED_ROUNDS), seed)


def _gathered(tables: Iterable[Piles], seed: int) -> Taught:
    rng = np.random.default_rng(seed)
    found = (example for seen in tables for example in examples(seen, rng))
    return Taught(*(np.array(each) for each in zip(*found, strict=True)))


def photographed(photos: Path, seed: int) -> Taught:
    """The photographs made for training: coins on which nothing lies."""
    return _gathered(as_they_lie(photos, "train", seed), seed)


def parts_of(data: Path, photos: Path, minted: Path | None) -> list[Callable[[], Taught]]:
    """All that is learnt from, each made when it is asked for."""
    found = [
        partial(stored, data / f"rider_{seed}.npz", Taught, partial(drawn, photos, seed, n))
        for seed, n in DRAWN.items()
    ]
    found += [
        partial(stored, data / f"rider_{seed}.npz", Taught, partial(filmed, seed, n)) for seed, n in FILMED.items()
    ]
    found += [
        partial(stored, data / f"rider_{seed}.npz", Taught, partial(bare, photos, seed, n)) for seed, n in BARE.items()
    ]
    if photos.exists():
        found.append(partial(stored, data / "rider_photographed.npz", Taught, partial(photographed, photos, SEED)))
        found += [
            partial(stored, data / f"rider_{seed}.npz", Taught, partial(carrying, photos, "train", seed, n))
            for seed, n in CARRIERS.items()
        ]
    if minted:
        found.append(partial(stored, data / "rider_rendered.npz", Taught, partial(rendered, minted, SEED)))
    return found


def turned(crops: Crops, views: Array, answers: Array, rng: np.random.Generator) -> tuple[Crops, Array, Array]:
    """Mirrored and turned by quarters, the view and the answer with them."""
    crops, views, answers = crops.copy(), views.copy(), answers.copy()
    for flipped, axis in ((rng.random(len(crops)) < 0.5, 2), (rng.random(len(crops)) < 0.5, 1)):
        crops[flipped] = np.flip(crops[flipped], axis)
        side = 0 if axis == 2 else 1
        views[flipped, side] *= -1
        answers[flipped, 1 + side] *= -1
    across = rng.random(len(crops)) < 0.5
    # Rows run down, y up: laid across, x and y change places and signs.
    crops[across] = crops[across].transpose(0, 2, 1, 3)
    views[across] = -views[across][:, ::-1]
    answers[across, 1:3] = -answers[across][:, [2, 1]]
    return crops, views, answers


def loss_of(told: Tensor, answers: Tensor) -> Tensor:
    """Cross entropy of whether one rides, and where one does, Laplace's law for its circle."""
    rides = answers[:, 0]
    asked = functional.binary_cross_entropy_with_logits(told[:, 0], rides)
    spread = told[:, 4:].clamp(-6, 1)
    off = torch.stack(
        [(told[:, 1:3] - answers[:, 1:3]).abs().sum(dim=1) / 2, (told[:, 3] - answers[:, 3]).abs()], dim=1
    )
    where = (off * torch.exp(-spread) + spread).sum(dim=1)
    return asked + 0.3 * (where * rides).sum() / rides.sum().clamp(min=1)


def tell(name: str, net: RiderNet, taught: Taught) -> None:
    """Prints what is found at several chances, and how far off."""
    net.eval()
    with torch.no_grad():
        views = torch.from_numpy(taught.views).float()
        told = net(torch.from_numpy(taught.crops.transpose(0, 3, 1, 2).astype(np.float32)), views).numpy()
    rides = taught.answers[:, 0] > 0
    for count, said, was in reliability(1 / (1 + np.exp(-told[:, 0].astype(float))), rides):
        print(f"  of {count} with a chance of {said:.3f} {was:.3f} carry one")
    for chance in (0.5, 0.8, 0.9, 0.97):
        said = told[:, 0] > np.log(chance / (1 - chance))
        found, false = (f"{100 * np.mean(said[some]):.1f}" if some.any() else "-" for some in (rides, ~rides))
        print(f"{name}: from {chance}: {found} % of {rides.sum()} found, {false} % of {(~rides).sum()} false")
    off = np.abs(told[rides, 1:4] - taught.answers[rides, 1:4])
    if rides.any():
        print("  off, in radii:", *(f"p{q} {np.round(np.percentile(off, q, axis=0), 3)}" for q in (50, 95)))


def tests(args: argparse.Namespace) -> dict[Path, Callable[[], Taught]]:
    """Tables to test with, by the file that each set is kept in."""
    makes = {
        "drawn": partial(drawn, args.photos, *TEST_DRAWN),
        "bare": partial(bare, args.photos, *TEST_BARE),
        "filmed": partial(filmed, *TEST_FILMED),
        "carriers": partial(carrying, args.photos, "dev", *TEST_CARRIERS),
    }
    if args.unseen:
        makes["unseen"] = partial(rendered, args.unseen, SEED)
    return {args.data / f"rider_test_{name}.npz": make for name, make in makes.items()}


def train(taught: Taught, minutes: float, resume: Path | None, keep: Path) -> RiderNet:
    """Trains for so many minutes; one cosine of the learning rate over the time given."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = RiderNet()

    def batch_loss() -> Tensor:
        """The loss of the next batch."""
        picked = rng.choice(len(taught.crops), BATCH, replace=False)
        crops, views, answers = turned(taught.crops[picked], taught.views[picked], taught.answers[picked], rng)
        seen = torch.from_numpy(np.ascontiguousarray(relit(crops, rng).transpose(0, 3, 1, 2)))
        return loss_of(net(seen, torch.from_numpy(views).float()), torch.from_numpy(answers).float())

    train_for(net, minutes, batch_loss, resume, keep)
    return net


def main() -> None:
    """The command line."""
    parser = options(__doc__, minutes=20)
    parser.add_argument("--part", type=int)
    args = parser.parse_args()
    if args.tell:
        tell_all(kept(RiderNet(), args.tell), tell, Taught, tests(args))
        return
    parts = parts_of(args.data, args.photos, args.rendered)
    if args.part is not None:
        parts[args.part]()
        return
    taught = Taught(*(np.concatenate(each) for each in zip(*(part() for part in parts), strict=True)))
    net = train(taught, args.minutes, args.resume, args.data / "rider.pt")
    tell_all(net, tell, Taught, tests(args))
    example = torch.zeros(2, 3, CROP_PX, CROP_PX), torch.zeros(2, len(VIEW))
    some = np.random.default_rng(SEED).choice(len(taught.crops), 1024, replace=False)
    samples = (
        np.asarray(taught.crops[some].transpose(0, 3, 1, 2), np.float32),
        np.asarray(taught.views[some], np.float32),
    )
    publish(net, example, "rider", args.out, ("crops", "views"), ("told",), (0,), samples)


if __name__ == "__main__":
    main()
