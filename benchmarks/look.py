"""What one look at a whole table costs, stage by stage: 60 pieces on the map at 1080p.

    .venv/bin/python -m benchmarks.look [PICTURE_FOLDER] [--looks 15]

The picture of `benchmarks.full_table` (made first if the folder has none; 42 coins, 6 cards, 6 dice, 6 matches) with
fresh noise each time goes through the eyes of `sandtable scene`. Three tables: one whose every look is the first, as
for a picture; one that was looked at before, of which a place as large as a coin changed between looks; and the stages
of the first, each counted in the thread that it runs in (OpenCV on one thread; nested stages taken off the one that
they run in). CPU ms are those of the whole process, wall ms those of the clock: on a machine with other work only a
run ahead of it (`chrt -r 1 python -m benchmarks.look`) tells what two free cores take.

To reach: a whole look 60 ms on two cores; the detector net 8 ms on one thread at 960 x 720.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import vision.detect.card.card_ends
import vision.detect.card.card_fits
import vision.detect.card.card_hints
import vision.detect.coin.coins
import vision.detect.coin.looked_at
import vision.detect.die.dice
import vision.eyes
import vision.metric.heat
import vision.metric.strips
import vision.metric.topview
import vision.shape.rim
from benchmarks.coins import net_ms
from benchmarks.full_table import write_full_table
from benchmarks.stage_clock import Name, StageClock
from calibration.plane import TablePlane
from ui.eyes import packaged_eyes
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.eyes import Eyes
from vision.frame import Frame, ImageBgr
from vision.stream.picture import read_picture

NOISE_LEVELS = 2.0
# Where something else lies in every other look, px of the picture.
CHANGED = (slice(600, 680), slice(700, 790)), (slice(760, 840), slice(1100, 1190))
STAGES: tuple[tuple[Any, str], ...] = (
    (vision.metric.topview.TopView, "resample"),
    (vision.metric.heat, "_whole"),
    (vision.metric.strips.InStrips, "_near"),
    (vision.metric.strips.InStrips, "maps"),
    (vision.metric.strips.InStrips, "_join"),
    (vision.eyes, "proposals_in"),
    (vision.detect.coin.coins, "fit_rims"),
    (vision.shape.rim, "_told"),
    (vision.detect.coin.coins, "look_at_rims"),
    (vision.detect.coin.looked_at, "crops_of"),
    (vision.detect.coin.looked_at, "classify"),
    (vision.detect.coin.looked_at, "name_coins"),
    (vision.detect.coin.coins, "measure_circles"),
    (vision.detect.coin.coins, "name_circles"),
    (vision.eyes, "peaks_in"),
    (vision.detect.card.card_fits, "fit_rectangles"),
    (vision.detect.card.card_hints, "read_indices"),
    (vision.detect.card.card_ends, "read_indices"),
    (vision.eyes, "find_cards"),
    (vision.detect.die.dice, "read_dice"),
    (vision.eyes, "find_dice"),
    (vision.eyes, "find_matches"),
)


def net_stage(net: str, *_: Any) -> str:
    """What the stage of a net is called."""
    return f"net {net}"


NAMES: dict[str, Name] = {
    "_whole": net_stage,
    "_near": "net pieces, near",
    "maps": "net pieces, far",
    "_join": "net pieces, join",
    "_told": "net rim",
}


def noisy(image_bgr: ImageBgr, rng: np.random.Generator) -> Frame:
    """The picture with a sensor's noise, as another frame."""
    grey = rng.normal(0, NOISE_LEVELS, (*image_bgr.shape[:2], 1))
    return Frame(np.clip(image_bgr + grey, 0, 255).astype(np.uint8))


def timings(look: Callable[[int], object], looks: int) -> np.ndarray:
    """(looks, 2) CPU and wall ms."""
    rows = []
    for number in range(looks):
        cpu, wall = time.process_time(), time.perf_counter()
        look(number)
        rows.append((1e3 * (time.process_time() - cpu), 1e3 * (time.perf_counter() - wall)))
    return np.array(rows)


def row(name: str, values: np.ndarray) -> str:
    """A line of the least, median and p95."""
    return f"{name:34} {values.min():7.1f} {np.quantile(values, 0.5):7.1f} {np.quantile(values, 0.95):7.1f}"


def told(name: str, rows: np.ndarray) -> None:
    """Print the stages' ms."""
    print(row(f"{name}, CPU ms", rows[:, 0]))
    print(row(f"{name}, wall ms", rows[:, 1]))


def whole_looks(eyes: Eyes, frames: list[Frame], plane: TablePlane) -> np.ndarray:
    """Every look as if it were the first."""
    fresh = [Eyes(eyes.table_size_mm, eyes.wanted) for _ in frames]
    for each in fresh:
        each._views = eyes._views  # the views are made once for a camera
    return timings(lambda number: fresh[number].look(frames[number], plane), len(frames))


def stages(eyes: Eyes, frames: list[Frame], plane: TablePlane) -> dict[str, np.ndarray]:
    """CPU ms of each stage in each look."""
    found: list[dict[str, float]] = []
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    for frame in frames:
        clock, fresh = StageClock(), Eyes(eyes.table_size_mm, eyes.wanted)
        fresh._views = eyes._views
        with clock.counting((owner, name, NAMES.get(name, name)) for owner, name in STAGES):
            fresh.look(frame, plane)
        found.append(clock.spent)
    cv2.setNumThreads(threads)
    return {name: np.array([spent.get(name, 0.0) for spent in found]) for name in found[0]}


def main() -> None:
    """Print what a look takes, by stage, in ms."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-full-table")
    options.add_argument("--looks", type=int, default=15)
    given = options.parse_args()
    picture = write_full_table(given.folder)
    setup, frame = read_setup(picture.with_suffix(".setup.toml")), read_picture(picture)
    plane, eyes, rng = plane_for(setup, frame), packaged_eyes(setup.rules), np.random.default_rng(60)
    changed = frame.image_bgr.copy()
    changed[CHANGED[0]] = changed[CHANGED[1]]
    frames = [noisy(frame.image_bgr, rng) for _ in range(given.looks)]
    others = [noisy((frame.image_bgr, changed)[number % 2], rng) for number in range(given.looks)]
    for number in range(4):
        seen = eyes.look(frames[number % len(frames)], plane)
    print(f"{len(seen)} pieces seen of 60; OpenCV threads: {cv2.getNumThreads()}")
    print(f"{'':34} {'least':>7} {'p50':>7} {'p95':>7}")
    told("a whole table", whole_looks(eyes, frames, plane))
    told("a place changed", timings(lambda number: eyes.look(others[number], plane), given.looks))
    for name, spent in sorted(stages(eyes, frames, plane).items(), key=lambda item: -float(np.median(item[1]))):
        print(row(f"  {name}", spent))
    print(f"the coin detector net at 960 x 720, one thread: {net_ms():.1f} CPU ms; budget: whole table 60, net 8")


if __name__ == "__main__":
    main()
