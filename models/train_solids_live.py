"""Trains figures, terrain and facing at once on a GPU, on tables that all other cores lay meanwhile.

    python -m models.train_solids_live --decks FOLDER --rendered FOLDER [--photos FOLDER] [--maps FOLDER] --out FOLDER
        --minutes 9 [--workers 14] [--boards 0.5] [--coarsest 0.8] [--coins 14] [--rate 1.5e-3] [--device cuda]
        [--share 0.5]

No table is seen twice: each worker lays those of `models.render_solids` on ever other grounds, in other light, and cuts
crops for all three nets (`models.training.pool`). They go on from models/checkpoints. Kept in --out are the mean of the
last weights (Polyak and Juditsky 1992), NAME.pt, and models of it, or of what lies --share of the way from where it
began to there (Wortsman et al. 2022). Seeds are fixed, but how fast the machine is decides how much is seen.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models import solids, train_facing
from models.train_solids import LOW, SolidsNet, loss_on
from models.train_solids_data import Tables, parser_of
from models.training import faced
from models.training.loop import train_for
from models.training.pool import Pool
from models.training.publish import publish
from models.training.solid_crops import PARTS, crop_of
from models.training.widened import between

CHECKPOINTS = Path(__file__).with_name("checkpoints")
Parts = dict[str, Tensor]
_FACED_PX = solids.FACING_CROP_PX + 2 * faced.MARGIN_PX
FACED = {
    "crops": ((_FACED_PX, _FACED_PX, 3), np.uint8),
    "slant": ((2,), np.float32),
    "facing": ((), np.float32),
    "kind": ((), np.int64),
}
# Samples kept; crops cut from each table; the share of men on foot that are kept, so that riders and guns are not rare.
ROOM = {"figures": 26000, "terrain": 10000, "facing": 150000}
CROPS = {"figures": 8, "terrain": 3}
FOOT_SHARE = 0.4
BATCH = {"figures": 64, "terrain": 48, "facing": 256}
# How often a sample is seen, at most, on average: a net waits for others.
SEEN = {"figures": 8.0, "terrain": 8.0, "facing": 10.0}
# A few hundred steps are averaged.
DECAY = 0.998


def lay(pools: dict[str, Pool], worker: int, args: argparse.Namespace) -> None:
    """One worker, without end."""
    cv2.setNumThreads(1)
    os.nice(2)
    rng = np.random.default_rng((args.seed, worker))
    tables = Tables(args, rng)
    order = order_of(len(tables.rendered), rng)
    while True:
        table = tables.table(next(order))
        for name, count in CROPS.items():
            for _ in range(count):
                pools[name].put(worker, crop_of(table, solids.LOOKS[name], rng))
        for crop, slant, facing, kind in faced.soldiers_on(table["tiles"], table["slant"], table["rows"], rng):
            if kind or rng.random() < FOOT_SHARE:
                pools["facing"].put(worker, {"crops": crop, "slant": slant, "facing": facing, "kind": kind})


def order_of(count: int, rng: np.random.Generator) -> Iterator[int]:
    """All of `count` rendered tables in random order, again and again."""
    while True:
        yield from (int(n) for n in rng.permutation(count))


def batches(pool: Pool, name: str, device: str, seed: int) -> Iterator[Parts]:
    """Batches on the device, each drawn while the last is learned from."""
    rng = np.random.default_rng(seed)

    def drawn(number: int) -> Parts:
        """The batch of that number, when samples enough are there."""
        pool.wait(max(number * BATCH[name] / SEEN[name], 8 * BATCH[name]))
        parts = {key: torch.from_numpy(part) for key, part in pool.draw(rng, BATCH[name]).items()}
        return {key: part.pin_memory() for key, part in parts.items()} if device == "cuda" else parts

    number = 0
    with ThreadPoolExecutor(1) as ahead:
        waiting = ahead.submit(drawn, number)
        while True:
            number += 1
            batch, waiting = waiting.result(), ahead.submit(drawn, number)
            yield {key: part.to(device, non_blocking=True) for key, part in batch.items()}


def learn_solids(name: str, pool: Pool, args: argparse.Namespace) -> None:
    """The net of one look."""
    net = SolidsNet(LOW[name]).to(args.device, memory_format=torch.channels_last)
    supply = batches(pool, name, args.device, args.seed)
    learn(net, name, args.rate, lambda: loss_on(net, next(supply), True), args)


def learn_facing(name: str, pool: Pool, args: argparse.Namespace) -> None:
    """The net of directions."""
    net = train_facing.FacingNet().to(args.device)
    supply = batches(pool, name, args.device, args.seed)
    learn(net, name, train_facing.RATE, lambda: facing_loss(net, *shifted(next(supply))), args)


def shifted(batch: Parts) -> tuple[Tensor, Tensor, Tensor]:
    """Crops (n, 3, h, w), slants and facings, all of a batch shifted alike and half of them mirrored."""
    crops, slant, facing = batch["crops"].permute(0, 3, 1, 2).float(), batch["slant"].clone(), batch["facing"].clone()
    far, side = 2 * train_facing.SHIFT_PX + 1, solids.FACING_CROP_PX
    across, down = (torch.randint(far, (2,)) + faced.MARGIN_PX - train_facing.SHIFT_PX).tolist()
    crops = crops[:, :, down : down + side, across : across + side].contiguous()
    half = len(crops) // 2
    crops[:half] = crops[:half].flip(3)
    slant[:half, 0] *= -1
    facing[:half] = torch.pi - facing[:half]
    return crops, slant, facing


def facing_loss(net: train_facing.FacingNet, crops: Tensor, slant: Tensor, facing: Tensor) -> Tensor:
    """The loss of crops that are lit anew."""
    drawn = torch.randn(5, len(crops), 1, 1, 1, device=crops.device)
    gain = torch.exp(0.2 * drawn[0] + 0.07 * torch.cat(list(drawn[1:4]), 1))
    grain = torch.randn_like(crops) * 6 * torch.rand(len(crops), 1, 1, 1, device=crops.device)
    return train_facing.loss_at(net, (crops * gain + grain).clamp(0, 255), slant, facing)


def learn(net: nn.Module, name: str, rate: float, batch_loss: Callable[[], Tensor], args: argparse.Namespace) -> None:
    """Train one net and keep the mean of its last weights."""
    averaged = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(DECAY), use_buffers=True)
    train_for(net, args.minutes, batch_loss, CHECKPOINTS / f"{name}.pt", args.out / f"{name}.pt", rate, averaged)


def publish_all(args: argparse.Namespace) -> None:
    """Models of what was learned."""
    side = solids.FACING_CROP_PX
    for name in ROOM:
        kept = args.out / f"{name}.pt"
        end, start = (torch.load(path, map_location="cpu") for path in (kept, CHECKPOINTS / kept.name))
        weights = between(start, end, args.share)
        if name == "facing":
            facing = train_facing.FacingNet()
            facing.load_state_dict(weights)
            example = (torch.zeros(2, 3, side, side), torch.zeros(2, 2))
            publish(facing, example, name, args.out, ("crops", "slant"), ("directions",), (0,))
        else:
            net = SolidsNet(LOW[name])
            net.load_state_dict(weights)
            example = (torch.zeros(1, 3, 256, 256), torch.zeros(1, 2, 64, 64))
            publish(net, example, name, args.out, ("picture", "slant"), ("maps",), (2, 3))


def run_learner(name: str, pool: Pool, args: argparse.Namespace) -> None:
    """One process for each net."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    (learn_facing if name == "facing" else learn_solids)(name, pool, args)


def main() -> None:
    """The command line."""
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--share", type=float, default=1.0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    pools = {name: Pool(FACED if name == "facing" else PARTS, room, args.workers) for name, room in ROOM.items()}
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=lay, args=(pools, n, args), daemon=True) for n in range(args.workers)]
    learners = [fork.Process(target=run_learner, args=(name, pool, args)) for name, pool in pools.items()]
    for process in (*workers, *learners):
        process.start()
    for process in learners:
        process.join()
    publish_all(args)


if __name__ == "__main__":
    main()
