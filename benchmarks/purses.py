"""What coins are named that nobody photographed together: purses made of photographs of one denomination each.

    .venv/bin/python -m benchmarks.purses [FOLDER] [--like t3_] [--draws 25]

FOLDER holds pictures with boxes, as for `sandtable evaluate` (../shared/photos/nolicence_us_scenes_single_denom); those
of it are taken whose name begins with `--like`: one camera, one light, one scale. The coins of a purse are drawn from
all of them as they were found and measured there, and named together, no currency told. Each row: how many coins of
each denomination, and how many in a hundred are named right, unknown and wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np

from benchmarks.arguments import existing
from benchmarks.coins import photo_truths
from models.coins import TYPICAL_THICKNESS_MM
from rules.scene import UNKNOWN
from ui.eyes import packaged_eyes
from ui.measuring.measured import measured_plane
from ui.setup.setup_file import read_setup
from vision.classify import Looks
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.coins import measure_circles
from vision.detect.coin.looked_at import SURE_CLASS, LookedAt, classes_of, look_at, named
from vision.detect.coin.proposals import propose
from vision.naming.sticker import Dots
from vision.stream.picture import read_picture

PHOTOS = Path("../shared/photos/nolicence_us_scenes_single_denom")
SEED = 5
CENT, NICKEL, DIME, QUARTER = "usd-1c", "usd-5c", "usd-10c", "usd-25c"
PURSES = (
    *(((cls,), 6) for cls in (CENT, DIME, QUARTER)),
    *((pair, 3) for pair in ((DIME, QUARTER), (CENT, QUARTER), (CENT, DIME), (NICKEL, DIME))),
    *(((CENT, DIME, QUARTER), each) for each in (2, 4)),
    *(((CENT, NICKEL, DIME, QUARTER), each) for each in (1, 2)),
)
# A circle this near to a box's middle, in its width, is that coin.
HIT = 0.3
# Purses are spread over a table this large, so that no coin's neighbours tell of the plane.
TABLE_MM = 400.0

Pool = dict[str, list[LookedAt]]


def pooled(folder: Path, like: str) -> Pool:
    """The coins of the pictures, each by itself, in lists by their true class."""
    pool: Pool = defaultdict(list)
    for path, truths in photo_truths(folder, "dev"):
        if not path.name.startswith(like):
            continue
        setup, frame = read_setup(path.with_suffix(".setup.toml")), read_picture(path)
        plane = measured_plane(setup, frame)
        view = packaged_eyes(setup.rules).coin_view(frame, plane)
        at = measure_circles(frame.image_bgr, plane, propose(frame.image_bgr, view))
        found = look_at(frame.image_bgr, plane, at, None)
        at_px = plane.to_image(at.circles.centre_mm, np.full(len(found.hollow), TYPICAL_THICKNESS_MM))
        for truth in truths:
            off = np.linalg.norm(at_px - truth.centre_px, axis=1) / truth.width_px
            if off.min() < HIT:
                pool[truth.cls].append(found.only(np.arange(len(off)) == off.argmin()))
    return pool


def together(drawn: list[LookedAt], rng: np.random.Generator) -> LookedAt:
    """Coins that were looked at one by one, as the coins of one table, anywhere on it."""
    at = reduce(CoinCircles.and_more, (one.at for one in drawn))
    at = replace(at, circles=replace(at.circles, centre_mm=rng.uniform(0, TABLE_MM, (len(drawn), 2))))
    looks = reduce(Looks.and_more, (one.looks for one in drawn))
    dots = reduce(Dots.and_more, (one.dots for one in drawn))
    crops, tints, reliefs, hollow, apart = (
        np.concatenate([getattr(one, name) for one in drawn])
        for name in ("crops", "tints", "reliefs", "hollow", "apart")
    )
    naming = named(looks, tints, reliefs, at, None)
    return LookedAt(at, crops, looks, tints, reliefs, hollow, apart, dots, naming)


def answers(pool: Pool, kinds: tuple[str, ...], each: int, rng: np.random.Generator) -> Counter[str]:
    """What becomes of one purse."""
    true = [kind for kind in kinds for _ in range(each)]
    drawn = [pool[kind][index] for kind in kinds for index in rng.choice(len(pool[kind]), each, replace=False)]
    named = classes_of(together(drawn, rng).naming, SURE_CLASS)
    return Counter(
        "right" if said == cls else "unknown" if said == UNKNOWN else "wrong"
        for said, cls in zip(named, true, strict=True)
    )


def main() -> None:
    """Print a row for each kind of purse."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=existing, nargs="?", default=PHOTOS)
    options.add_argument("--like", default="t3_")
    options.add_argument("--draws", type=int, default=25)
    given = options.parse_args()
    pool, rng = pooled(given.folder, given.like), np.random.default_rng(SEED)
    for kinds, each in PURSES:
        if all(len(pool[kind]) >= each for kind in kinds):
            total: Counter[str] = sum((answers(pool, kinds, each, rng) for _ in range(given.draws)), Counter())
            shares = (f"{name} {total[name] / total.total():6.1%}" for name in ("right", "unknown", "wrong"))
            print(f"{each} x {', '.join(kinds):36}", *shares)


if __name__ == "__main__":
    main()
