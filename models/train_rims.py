"""Trains models/rim.onnx: how large a coin is and where, from the picture around a guess.

    python -m models.train_rims --data FOLDER [--photos FOLDER] [--rendered FOLDER] [--tables 3600] [--minutes 25]
        [--resume FILE.pt]

Draws tables as for the other coin nets (`models.training.tables`) and cuts each coin's surroundings out as strips, with
the guess off by what the detector is off, into FOLDER/rims.npz, which is used again if it is there. With photographs,
those of the train split teach too, and with --rendered the pictures of `models.render_coins`, each as some cameras show
it. What the coin detector takes for coins where none lies (`models.training.look_alikes`) is asked for circles that are
not there, so that the net learns to doubt it. Fixed seed. Prints the errors on tables of another seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.coins import TYPICAL_THICKNESS_MM
from models.rims import DIRECTIONS, OUTPUTS, RAYS, SHARES, STEPS
from models.training import look_alikes, minted_shots, sprites
from models.training.dataset import drawn_shots
from models.training.eight_bits import some_of
from models.training.layers import Residual, conv
from models.training.loop import train_for
from models.training.publish import publish
from models.training.shot import Pinhole
from models.training.stored import stored
from models.training.tables import Shot

SEED, TEST_SEED = 71, 72
SHOTS, TEST_SHOTS = 3600, 200
GUESSES = 3
BATCH = 128
# How far off the guesses are, in radii: as the detector's proposals, and as this net's own first answer.
FAR, NEAR = (0.06, 0.09), (0.015, 0.025)
# A coin of which less shows is not asked for: of a two pence that carries a five pence half does.
LEAST_VISIBLE = 0.36
# Mats of hexes and drawn tables on which look-alikes are found, their share of a batch, and how far off the circle lies
# that is asked for there: by such a share of the radius, and in the logarithm of it.
MATS, BARE_SHOTS, OF_BATCH, NOWHERE = 450, 900, 0.15, (0.12, 0.15)
# So many guesses about each photographed coin, each from another distance.
PHOTO_ROUNDS = 6
# So many cameras show each rendered table.
RENDERED_ROUNDS = 6

Array = NDArray[np.float64]
Strips = NDArray[np.uint8]


class Taught(NamedTuple):
    """Strips (n, RAYS, STEPS, 3), and what the net ought to say of them (n, 3); nan where no coin is."""

    strips: Strips
    wanted: Array


class RimNet(nn.Module):
    """Convolutions over the strip; nothing is pooled away, for where an edge lies is the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, (2, 1)), conv(16, 24, 2), Residual(24), conv(24, 36, 2), Residual(36))
        self.mix = nn.Sequential(
            nn.Flatten(), nn.Linear(36 * (RAYS // 8) * (STEPS // 4), 96), nn.ReLU(), nn.Linear(96, len(OUTPUTS))
        )

    def forward(self, strips_bgr: Tensor) -> Tensor:
        """(n, 3, RAYS, STEPS) 0 to 255 to (n, 5); see `models.rims.OUTPUTS`."""
        seen = strips_bgr / 128 - 1
        seen = seen - seen.mean(dim=(2, 3), keepdim=True)
        return self.mix(self.body(seen))


def guesses(rng: np.random.Generator, count: int) -> Array:
    """(count, 3) where circles are guessed to be: off by x and y in radii, and times the radius."""
    spread = np.where(rng.random(count)[:, None] < 0.6, FAR, NEAR)
    return np.c_[rng.normal(0, 1, (count, 2)) * spread[:, :1], np.exp(rng.normal(0, 1, count) * spread[:, 1])]


def wanted_of(guess: Array) -> Array:
    """(n, 3) what the net ought to say of guesses: where the coin lies in the guess's radii, log of its radius."""
    return np.c_[-guess[:, :2] / guess[:, 2:], -np.log(guess[:, 2])]


def unrolled(picture: Strips, at_px: Array) -> Strips:
    """Strips (n, RAYS, STEPS, 3) at picture positions (n, RAYS, STEPS, 2)."""
    flat = at_px.reshape(-1, STEPS, 2).astype(np.float32)
    seen = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(-1, RAYS, STEPS, 3), np.uint8)


def rays_of(guess: Array, centre: Array, radius: Array) -> Array:
    """(n, RAYS, STEPS, 2) points along the rays of guesses about circles."""
    middle = centre + guess[:, :2] * radius[:, None]
    reach = radius * guess[:, 2]
    return np.asarray(
        middle[:, None, None] + reach[:, None, None, None] * SHARES[None, None, :, None] * DIRECTIONS[None, :, None]
    )


def coins_of(shot: Shot) -> tuple[Array, Array]:
    """Centres (n, 2) and radii (n,) of the coins in sight, mm, as seen in the plane of a typical coin's rim."""
    shown = [item for item in shot.items if item.cls and item.visible_share > LEAST_VISIBLE]
    centres, radii = [], []
    for item in shown:
        rim = np.append(item.centre_mm, item.top_mm) + item.radius_mm * np.c_[DIRECTIONS, np.zeros(RAYS)]
        px = shot.camera.project(rim)
        if (px > 1).all() and (px < np.array(shot.picture_bgr.shape[1::-1]) - 2).all():
            flat = shot.camera.on_plane(px, TYPICAL_THICKNESS_MM)
            centres.append(flat.mean(axis=0))
            radii.append(np.linalg.norm(flat - flat.mean(axis=0), axis=1).mean())
    return np.array(centres).reshape(-1, 2), np.array(radii)


def strips_of(
    picture: Strips, camera: Pinhole, coins: tuple[Array, Array], rng: np.random.Generator
) -> tuple[Strips, Array]:
    """Strips of some guesses about each coin, and what is wanted of them."""
    centre, radius = (np.repeat(each, GUESSES, axis=0) for each in coins)
    guess = guesses(rng, len(centre))
    rays = rays_of(guess, centre, radius)
    px = camera.project(np.c_[rays.reshape(-1, 2), np.full(rays.size // 2, TYPICAL_THICKNESS_MM)])
    return unrolled(picture, px.reshape(rays.shape)), wanted_of(guess)


def drawn(photos: Path, seed: int, shots: int) -> Iterator[tuple[Strips, Array]]:
    """Strips of each table's coins, and what is wanted of them."""
    rng = np.random.default_rng(seed)
    for shot in drawn_shots(photos, shots, rng):
        coins = coins_of(shot)
        if len(coins[1]):
            yield strips_of(shot.picture_bgr, shot.camera, coins, rng)


def rendered(folder: Path, seed: int) -> Iterator[tuple[Strips, Array]]:
    """The same of the pictures of `models.render_coins`."""
    rng = np.random.default_rng(seed)
    for shot in minted_shots.shots(folder, rng, RENDERED_ROUNDS):
        coins = coins_of(shot)
        if len(coins[1]):
            yield strips_of(shot.picture_bgr, shot.camera, coins, rng)


def mistaken(photos: Path, seed: int) -> Iterator[tuple[Strips, Array]]:
    """Strips of what the coin detector wrongly takes for coins; nothing (nan) is asked of them."""
    rng = np.random.default_rng(seed)
    for shot in chain(look_alikes.hex_mats(seed, MATS), drawn_shots(photos, BARE_SHOTS, rng)):
        circles = look_alikes.look_alikes(shot)
        if len(circles[1]):
            strips, wanted = strips_of(shot.picture_bgr, shot.camera, circles, rng)
            yield strips, np.full_like(wanted, np.nan)


def photographed(photos: Path, seed: int) -> Iterator[tuple[Strips, Array]]:
    """The same of the photographs made for training, whose circles were read by us."""
    rng = np.random.default_rng(seed)
    name, photo = Path(), None
    for row in sprites.labelled("train"):
        path = photos / row["set"] / row["file"]
        if path != name:
            name, photo = path, cv2.imread(str(path))
        if photo is None:
            continue
        centre, *rim = sprites.rim_of(row)
        guess = guesses(rng, PHOTO_ROUNDS)
        rays = rays_of(guess, np.zeros((PHOTO_ROUNDS, 2)), np.ones(PHOTO_ROUNDS))
        soft = seen_from_afar(photo, centre, rim, rng)
        yield unrolled(soft[0], soft[1] + rays @ soft[2]), wanted_of(guess)


def seen_from_afar(
    photo: Strips, centre: Array, rim: list[Array], rng: np.random.Generator
) -> tuple[Strips, Array, Array]:
    """The coin's part of the photograph as a farther camera shows it, its centre there, and its rim at x and y."""
    axes = np.array(rim) - centre
    longest = np.linalg.norm(axes, axis=1).max()
    low = np.maximum(np.floor(centre - 1.8 * longest).astype(int), 0)
    high = np.ceil(centre + 1.8 * longest).astype(int)
    piece = photo[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, float(np.exp(rng.uniform(np.log(9), np.log(40)))) / longest)
    small = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (centre - low + 0.5) * scale - 0.5, axes * scale


def gathered(parts: Iterator[tuple[Strips, Array]]) -> Taught:
    """All strips, and what is wanted of them."""
    strips, wanted = zip(*parts, strict=True)
    return Taught(np.concatenate(strips), np.concatenate(wanted))


def to_learn_from(args: argparse.Namespace) -> Taught:
    """Tables that are drawn, photographed and rendered, and look-alikes, one after the other."""
    sources = [drawn(args.photos, SEED, args.tables)]
    sources += [photographed(args.photos, SEED)] if args.photos.exists() else []
    sources += [rendered(args.rendered, SEED)] if args.rendered else []
    return gathered(chain(*sources, mistaken(args.photos, SEED)))


def augmented(strips: Strips, wanted: Array, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Strips turned, mirrored and in another light and noise. Where no coin is (nan), some circle is asked for that is
    not there."""
    nowhere = rng.normal(0, 1, wanted.shape) * (NOWHERE[0], NOWHERE[0], NOWHERE[1])
    seen, told = strips.astype(np.float32), np.where(np.isnan(wanted), nowhere, wanted)
    for index in range(len(seen)):
        rays = int(rng.integers(RAYS))
        turn = 2 * np.pi * rays / RAYS
        cos, sin = np.cos(turn), np.sin(turn)
        seen[index] = np.roll(seen[index], rays, axis=0)
        told[index, :2] = told[index, :2] @ np.array([[cos, sin], [-sin, cos]])
        if rng.random() < 0.5:
            seen[index] = np.roll(seen[index, ::-1], 1, axis=0)
            told[index, 1] *= -1
    count = len(seen)
    seen *= np.exp(rng.normal(0, 0.25, (count, 1, 1, 1)) + rng.normal(0, 0.06, (count, 1, 1, 3))).astype(np.float32)
    seen += rng.standard_normal(seen.shape, np.float32) * rng.uniform(0, 6, (count, 1, 1, 1)).astype(np.float32)
    channels_first = np.ascontiguousarray(np.clip(seen, 0, 255).transpose(0, 3, 1, 2))
    return torch.from_numpy(channels_first), torch.from_numpy(told.astype(np.float32))


def loss_of(told: Tensor, wanted: Tensor) -> Tensor:
    """Minus the log likelihood under Laplace's law: the median is learnt, and how far off it is."""
    away = (told[:, :3] - wanted).abs()
    centre, radius = told[:, 3].clamp(-7, 0), told[:, 4].clamp(-7, 0)
    return ((away[:, :2].sum(dim=1)) / centre.exp() + 2 * centre + away[:, 2] / radius.exp() + radius).mean()


def tell(net: RimNet, strips: Strips, wanted: Array) -> None:
    """Prints the errors, in per cent of the radius."""
    net.eval()
    seen = torch.from_numpy(np.ascontiguousarray(strips.transpose(0, 3, 1, 2)))
    with torch.no_grad():
        told = torch.cat([net(part.float()) for part in seen.split(512)]).numpy()
    centre = np.linalg.norm(told[:, :2] - wanted[:, :2], axis=1)
    radius = np.abs(told[:, 2] - wanted[:, 2])
    for name, error in (("centre", centre), ("radius", radius)):
        print(f"unseen tables, {name}:", *(f"p{q} {np.percentile(100 * error, q):.2f} %" for q in (50, 68, 90, 95, 99)))


def shares(wanted: Array) -> Array:
    """(n,) running sums of the strips' chances to be drawn, such that a fixed share of a batch shows no coin."""
    no_coin = np.isnan(wanted[:, 0])
    chance = np.where(no_coin, OF_BATCH / max(no_coin.sum(), 1), (1 - OF_BATCH) / max((~no_coin).sum(), 1))
    return np.cumsum(chance) / chance.sum()


def train(strips: Strips, wanted: Array, minutes: float, resume: Path | None, keep: Path) -> RimNet:
    """Trains for so many minutes; one cosine of the learning rate over the time given."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = RimNet()
    chance = shares(wanted)

    def batch_loss() -> Tensor:
        """The loss of the next batch."""
        picked = np.searchsorted(chance, rng.random(BATCH))
        seen, told = augmented(strips[picked], wanted[picked], rng)
        return loss_of(net(seen), told)

    train_for(net, minutes, batch_loss, resume, keep)
    return net


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--rendered", type=Path)
    parser.add_argument("--tables", type=int, default=SHOTS)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    args = parser.parse_args()
    strips, wanted = stored(args.data / "rims.npz", Taught, partial(to_learn_from, args))
    net = train(strips, wanted, args.minutes, args.resume, args.data / "rim.pt")
    tell(net, *gathered(drawn(args.photos, TEST_SEED, TEST_SHOTS)))
    example = torch.zeros(2, 3, RAYS, STEPS)
    publish(net, example, "rim", args.out, ("strips",), ("circles",), (0,), some_of(strips, SEED))


if __name__ == "__main__":
    main()
