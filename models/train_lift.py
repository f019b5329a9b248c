"""Trains models/lift.onnx: how high a coin's upper face lies, by what shows before it.

    python -m models.train_lift --data FOLDER [--photos FOLDER] [--rendered FOLDER] [--minutes 15] [--resume FILE.pt]
        [--unseen FOLDER]
    python -m models.train_lift --data FOLDER --tell FILE.pt [--unseen FOLDER]      # only tells how those weights do

Draws tables with coins on coins (`models.training.piles`, `filmed_piles`) and cuts out what shows before each coin, into
FOLDER/lift_*.npz, which are used again if they are there. With photographs, the coins of the train split teach too,
all of which lie flat, and with --rendered the pictures of `models.render_coins`. Fixed seeds. Prints the errors on
tables of other seeds (--unseen: on pictures of `models.render_coins`, too), and how often it is right when so sure.
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

from models.coins import DIAMETER_MM, THICKNESS_MM, TYPICAL_THICKNESS_MM
from models.lifts import BELOW_MM, OVERSURE, RAYS, ROUND, STEPS, TOPS_MM, VIEW, front_rays
from models.training import sprites
from models.training.coin_lessons import kept, options, tell_all
from models.training.filmed_piles import filmed_piles
from models.training.layers import Residual, conv
from models.training.loop import train_for
from models.training.piles import Piles, Top, minted_piles, piles
from models.training.publish import publish
from models.training.reliability import reliability
from models.training.relit import relit
from models.training.shot import developed
from models.training.stored import stored

SEED = 81
# Drawn tables by the seed that draws them, and filmed ones, which are fewer and count so many times; some for testing.
TABLES = {91: 520, 92: 520, 93: 520, 94: 600, 95: 400, 96: 400}
FILMED_SEED, FILMED_TABLES, FILMED_TIMES = 81, 40, 3
TEST_SEED, TEST_TABLES, TEST_FILMED_SEED, TEST_FILMED_TABLES = 99, 80, 83, 24
BATCH = 128
GUESSES = 2
# How far off circles are, in radii, and towards the camera, mm, as the rim net's are.
OFF, LEANING_MM = 0.018, (0.12, 0.22)
LEAST_VISIBLE = 0.6
PHOTO_ROUNDS = 3
# So many cameras show each rendered table.
RENDERED_ROUNDS = 6
# No coin on the table is as thick, few on others lie lower.
LOW_MM = 3.0
# How wide the right answer is, mm: heights are told to no less.
SPREAD_MM = 0.25

Array = NDArray[np.float64]
Strips = NDArray[np.uint8]
_AROUND = np.arange(ROUND) * (2 * np.pi / ROUND)
_SPOKES = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=1)


class Taught(NamedTuple):
    """Strips (n, RAYS, STEPS, 3), their `VIEW`s (n, 3), and the heights of the upper faces, mm (n,)."""

    strips: Strips
    views: Array
    tops_mm: Array


class LiftNet(nn.Module):
    """Convolutions over the strip; where its edges lie is the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, (2, 1)), conv(16, 24, 2), conv(24, 32, 2), Residual(32))
        rows, columns = -(-RAYS // 8), STEPS // 4
        self.narrow = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * rows * columns, 64), nn.ReLU())
        self.mix = nn.Sequential(nn.Linear(64 + len(VIEW), 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, len(TOPS_MM)))

    def forward(self, strips_bgr: Tensor, views: Tensor) -> Tensor:
        """(n, 3, RAYS, STEPS) 0 to 255 and (n, 3) to (n, 24) logits; see `models.lifts`."""
        seen = strips_bgr / 128 - 1
        seen = self.body(seen - seen.mean(dim=(2, 3), keepdim=True))
        return self.mix(torch.cat([self.narrow(seen), views], dim=1))


def strips_of(seen: Piles, rng: np.random.Generator) -> Iterator[tuple[Strips, Array, float]]:
    """The strips that guessed circles show of each coin in sight."""
    for top in seen.tops:
        for _ in range(GUESSES if top.visible_share > LEAST_VISIBLE else 0):
            yield from _strip_of(seen, top, rng)


def _strip_of(seen: Piles, top: Top, rng: np.random.Generator) -> Iterator[tuple[Strips, Array, float]]:
    """One strip, none if part of it is out of the picture."""
    nearer = (seen.eye_mm[2] - TYPICAL_THICKNESS_MM) / (seen.eye_mm[2] - top.top_mm)
    centre = seen.eye_mm[:2] + nearer * (top.centre_mm - seen.eye_mm[:2])
    radius = top.radius_mm * nearer * rng.normal(1, OFF)
    away = seen.eye_mm[:2] - centre
    towards = away / np.linalg.norm(away)
    centre = centre + rng.normal(0, OFF, 2) * radius + rng.normal(*LEANING_MM) * towards
    rays = _SPOKES[front_rays(np.array([np.arctan2(towards[1], towards[0])]))[0]]
    rim = np.repeat((centre + radius * rays)[:, None], STEPS, axis=1)
    heights = np.broadcast_to(TYPICAL_THICKNESS_MM - BELOW_MM, (RAYS, STEPS))[..., None]
    px = seen.project(np.concatenate([rim, heights], axis=2).reshape(-1, 3)).reshape(RAYS, STEPS, 2)
    size = np.array(seen.picture_bgr.shape[1::-1])
    if (px > 0).all() and (px < size - 1).all():
        strip = cv2.remap(seen.picture_bgr, *np.moveaxis(px.astype(np.float32), -1, 0), cv2.INTER_LINEAR)
        step_px = np.linalg.norm(px[RAYS // 2, -1] - px[RAYS // 2, 0]) / (STEPS - 1)
        view = np.array([np.linalg.norm(away) / seen.eye_mm[2], radius / 10, step_px])
        yield np.asarray(strip, np.uint8), view, top.top_mm


def drawn(photos: Path, seed: int, count: int) -> Taught:
    """All strips of so many tables."""
    return _cut_out(piles(photos, seed, count), seed)


def filmed(seed: int, count: int) -> Taught:
    """The same of tables that the sample footage's renderer shows."""
    return _cut_out(filmed_piles(seed, count), seed)


def rendered(folder: Path, seed: int) -> Taught:
    """The same of the pictures of `models.render_coins`."""
    return _cut_out(minted_piles(folder, np.random.default_rng(seed), RENDERED_ROUNDS), seed)


def _cut_out(tables: Iterable[Piles], seed: int) -> Taught:
    rng = np.random.default_rng(seed)
    return _taught(strip for seen in tables for strip in strips_of(seen, rng))


def _taught(found: Iterable[tuple[Strips, Array, float]]) -> Taught:
    strips, views, tops = zip(*found, strict=True)
    return Taught(np.array(strips), np.array(views), np.array(tops))


def photographed(photos: Path, seed: int) -> Taught:
    """The photographs made for training: coins that lie flat. Seen as an ellipse whose nearer side shows lower down."""
    rng = np.random.default_rng(seed)
    found = []
    for row in sprites.labelled("train"):
        photo = cv2.imread(str(photos / row["set"] / row["file"]))
        for _ in range(PHOTO_ROUNDS if photo is not None else 0):
            found.extend(_photographed_strip(photo, row, rng))
    return _taught(found)


def _photographed_strip(
    photo: Strips, row: dict[str, str], rng: np.random.Generator
) -> Iterator[tuple[Strips, Array, float]]:
    centre, *rim = sprites.rim_of(row)
    out, axes, _ = np.linalg.svd(np.stack([rim[0] - centre, rim[1] - centre], axis=1))
    down = out[:, 1] * np.sign(out[1, 1])
    flatness, radius_mm = min(axes[1] / axes[0], 0.999), DIAMETER_MM[row["class"]] / 2
    shift = np.sqrt(1 - flatness**2) / flatness
    px_per_mm = axes[0] / radius_mm
    scale = min(1.0, float(np.exp(rng.uniform(np.log(1.2), np.log(3.4)))) / px_per_mm)
    turn = rng.normal(0, np.pi / ROUND / 2) + (np.arange(RAYS) - RAYS // 2) * 2 * np.pi / ROUND
    across = np.array([down[1], -down[0]])
    ring = centre + axes[0] * np.sin(turn)[:, None] * across + axes[1] * np.cos(turn)[:, None] * down
    ring = centre + (ring - centre) * rng.normal(1, OFF) + rng.normal(0, OFF, 2) * axes[0]
    px = ring[:, None] + (BELOW_MM * shift * flatness * px_per_mm)[:, None] * down
    soft = developed(
        cv2.resize(_around(photo, px)[0], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32),
        rng,
    )
    at = ((px - _around(photo, px)[1] + 0.5) * scale - 0.5).astype(np.float32)
    strip = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    step_px = np.linalg.norm(at[RAYS // 2, -1] - at[RAYS // 2, 0]) / (STEPS - 1)
    yield np.asarray(strip, np.uint8), np.array([shift, radius_mm / 10, step_px]), THICKNESS_MM[row["class"]]


def _around(photo: Strips, px: Array) -> tuple[Strips, Array]:
    """The part of the photograph that holds those places, and its corner."""
    low = np.maximum(np.floor(px.min(axis=(0, 1))).astype(int) - 12, 0)
    high = np.ceil(px.max(axis=(0, 1))).astype(int) + 12
    return photo[low[1] : high[1], low[0] : high[0]], low


def gathered(data: Path, photos: Path, minted: Path | None) -> Taught:
    """All that is learnt from."""
    parts = [
        stored(data / f"lift_{seed}.npz", Taught, partial(drawn, photos, seed, count)) for seed, count in TABLES.items()
    ]
    parts += [stored(data / "lift_filmed.npz", Taught, partial(filmed, FILMED_SEED, FILMED_TABLES))] * FILMED_TIMES
    if photos.exists():
        parts.append(stored(data / "lift_photographed.npz", Taught, partial(photographed, photos, SEED)))
    if minted:
        parts.append(stored(data / "lift_rendered.npz", Taught, partial(rendered, minted, SEED)))
    return Taught(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def augmented(strips: Strips, rng: np.random.Generator) -> Tensor:
    """In another light, and mirrored."""
    seen = relit(strips, rng)
    mirrored = rng.random(len(strips)) < 0.5
    seen[mirrored] = seen[mirrored, ::-1]
    return torch.from_numpy(np.ascontiguousarray(seen.transpose(0, 3, 1, 2)))


def loss_of(told: Tensor, tops_mm: Tensor) -> Tensor:
    """Cross entropy against the right height, a little spread."""
    away = (torch.from_numpy(TOPS_MM).float() - tops_mm[:, None]) / SPREAD_MM
    return -(torch.softmax(-away.square() / 2, dim=1) * torch.log_softmax(told, dim=1)).sum(dim=1).mean()


def tell(name: str, net: LiftNet, taught: Taught) -> None:
    """Prints the errors, mm, and how often those lie on others that are said to."""
    net.eval()
    with torch.no_grad():
        logits = net(*(torch.from_numpy(each).float() for each in (taught.strips.transpose(0, 3, 1, 2), taught.views)))
    chance = torch.softmax(logits / OVERSURE, dim=1).numpy()
    mean = chance @ TOPS_MM
    sigma = np.sqrt(np.maximum(chance @ TOPS_MM**2 - mean**2, 0.01))
    high = taught.tops_mm > LOW_MM
    loss = float(loss_of(logits / OVERSURE, torch.from_numpy(taught.tops_mm).float()))
    print(f"{name}: {len(high)} strips, loss {loss:.3f}")
    for count, said, was in reliability(chance[:, TOPS_MM > LOW_MM].sum(axis=1), high):
        print(f"  of {count} with a chance of {said:.3f} {was:.3f} lie on others")
    for which, some in (("on the table", ~high), ("on others", high)):
        error = np.abs(mean - taught.tops_mm)[some]
        print(
            f"  {which}, {some.sum()}:", *(f"p{q} {np.percentile(error, q):.2f}" for q in (50, 80, 95)), "mm,", end=" "
        )
        print(f"within 1.96 sigma {100 * np.mean(error < 1.96 * sigma[some]):.1f} %")


def tests(args: argparse.Namespace) -> dict[Path, Callable[[], Taught]]:
    """Tables to test with, by the file that each set is kept in."""
    makes = {
        "drawn": partial(drawn, args.photos, TEST_SEED, TEST_TABLES),
        "filmed": partial(filmed, TEST_FILMED_SEED, TEST_FILMED_TABLES),
    }
    if args.unseen:
        makes["unseen"] = partial(rendered, args.unseen, SEED)
    return {args.data / f"lift_test_{name}.npz": make for name, make in makes.items()}


def train(taught: Taught, minutes: float, resume: Path | None, keep: Path) -> LiftNet:
    """Trains for so many minutes; one cosine of the learning rate over the time given."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    net = LiftNet()

    def batch_loss() -> Tensor:
        """The loss of the next batch."""
        picked = rng.choice(len(taught.strips), BATCH, replace=False)
        views, tops = (torch.from_numpy(each[picked]).float() for each in (taught.views, taught.tops_mm))
        return loss_of(net(augmented(taught.strips[picked], rng), views), tops)

    train_for(net, minutes, batch_loss, resume, keep)
    return net


def main() -> None:
    """The command line."""
    args = options(__doc__, minutes=15).parse_args()
    if args.tell:
        tell_all(kept(LiftNet(), args.tell), tell, Taught, tests(args))
        return
    taught = gathered(args.data, args.photos, args.rendered)
    net = train(taught, args.minutes, args.resume, args.data / "lift.pt")
    tell_all(net, tell, Taught, tests(args))
    example = torch.zeros(2, 3, RAYS, STEPS), torch.zeros(2, len(VIEW))
    some = np.random.default_rng(SEED).choice(len(taught.strips), 1024, replace=False)
    samples = np.asarray(taught.strips[some].transpose(0, 3, 1, 2), np.float32), taught.views[some]
    publish(net, example, "lift", args.out, ("strips", "views"), ("tops",), (0,), samples)


if __name__ == "__main__":
    main()
