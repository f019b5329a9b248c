"""What speaks for a coin: fits `vision.detect.coin.odds` to circles of which it is known what they are.

    .venv/bin/python -m benchmarks.coin_odds STILLS ... [--photos ../shared/photos] [--drawn 300] [--rendered FOLDER]
        [--missed 2]

STILLS are folders of stills for tuning (`python -m sample_footage.generate stills --out STILLS --count 22 --seed 5`);
photographs: the `train` splits; drawn: tables as the nets learned from, of another seed, with washers, nuts, buttons
and bottle tops among the coins; rendered: pictures of `models.render_coins`. Every circle that outline and nets do not
rule out is one row: the net's heat, how much of it is edge, how little it looks like no coin, how sure the rim net is,
how far a dot stands out on it, and how far its border differs from the ground. A logistic regression weighs them, a
coin missed being so many times as bad as print taken for one (`--missed`). Printed: the weights, and what is lost and
what is false on each set with the weights in use and with those. Run it whenever the detector, the rim net or the
classifier was trained again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from scipy.optimize import minimize

import vision.detect.coin.odds as odds
from benchmarks.arguments import existing
from benchmarks.coins import LEAST_VISIBLE, Truth, photo_truths, still_truths
from calibration.lens import Lens
from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from models.training import dataset, minted_shots, tables
from ui.eyes import packaged_eyes
from ui.measuring.measured import measured_plane
from ui.setup.setup_file import read_setup
from vision.detect.coin.coins import measure_circles
from vision.detect.coin.looked_at import LookedAt, look_at
from vision.detect.coin.proposals import propose
from vision.eyes import Eyes
from vision.frame import Frame
from vision.light.clarity import clarity_of
from vision.light.developed import developed
from vision.stream.picture import read_picture

PHOTOS = ("euro_scenes_kaa_mit", "uk_scenes_phone_mit")
# A photograph's circles count so much beside a still's: there are many, and most are easy; and those of drawn tables,
# whose clutter is stranger than life, and of rendered ones, whose light is.
WEIGHTS = {"stills": 1.0, "drawn": 0.15, "rendered": 0.3}
PHOTO_WEIGHT = 0.3
DRAWN_SEED, DRAWN_MM, LEAST_PX_PER_MM = 9001, 250.0, 1.05
RIDGE = 0.1
HIT, NEAR = 0.3, 0.6


@dataclass(frozen=True)
class Row:
    """One circle: the evidence for a coin, and whether it is one."""

    where: str
    evidence: tuple[float, ...]
    is_coin: bool


def rows_of(where: str, path: Path, truths: list[Truth]) -> Iterator[Row]:
    """The circles of one picture with a set-up."""
    setup, frame = read_setup(path.with_suffix(".setup.toml")), read_picture(path)
    plane = measured_plane(setup, frame)
    frame = developed(frame, clarity_of(frame, plane, setup.rules.table_size_mm))
    yield from rows_on(where, frame, plane, packaged_eyes(setup.rules), truths)


def rows_on(where: str, frame: Frame, plane: TablePlane, eyes: Eyes, truths: list[Truth]) -> Iterator[Row]:
    """The circles of one table; those beside a coin, on a mostly hidden one, or with a hole are no question."""
    at = measure_circles(frame.image_bgr, plane, propose(frame.image_bgr, eyes.coin_view(frame, plane)))
    if not len(at.rims.support):
        return
    found = look_at(frame.image_bgr, plane, at, eyes.wanted.expected)
    at_px = plane.to_image(at.circles.centre_mm, np.full(len(at.rims.support), TYPICAL_THICKNESS_MM))
    for index, evidence in enumerate(evidence_of(found)):
        off = [float(np.hypot(*(at_px[index] - t.centre_px))) / t.width_px for t in truths]
        nearest = int(np.argmin(off)) if off else -1
        hit = bool(off) and off[nearest] < HIT
        if found.hollow[index] or (hit and not truths[nearest].asked) or (off and not hit and off[nearest] < NEAR):
            continue
        # Photographs have coins without a label.
        if hit or where not in PHOTOS:
            yield Row(where, tuple(evidence), hit)


def evidence_of(found: LookedAt) -> np.ndarray:
    """(n, 6) heat, rim, doubt, look, dot, ground, as `vision.detect.coin.odds` weighs them."""
    at, no_coin = found.at, found.naming.probs[:, -1]
    outline = odds.outline_evidence(at.proposals, at.circles, at.rims)
    return np.c_[outline, odds.look_evidence(no_coin, found.dots, found.apart)]


def drawn_shots(photos: Path, count: int) -> Iterator[tables.Shot]:
    """Tables drawn as those that the nets learned from."""
    return dataset.drawn_shots(photos, count, np.random.default_rng(DRAWN_SEED))


def shot_rows(where: str, shots: Iterable[tables.Shot]) -> Iterator[Row]:
    """The circles of tables that were drawn or rendered."""
    for shot in shots:
        plane, frame = plane_of(shot), Frame(shot.picture_bgr)
        if plane.px_per_mm([(DRAWN_MM / 2, DRAWN_MM / 2)])[0] >= LEAST_PX_PER_MM:
            frame = developed(frame, clarity_of(frame, plane, (DRAWN_MM, DRAWN_MM)))
            yield from rows_on(where, frame, plane, Eyes.packaged((DRAWN_MM, DRAWN_MM)), list(drawn_truths(shot)))


def plane_of(shot: tables.Shot) -> TablePlane:
    """The plane of a drawn table, whose own origin is its middle."""
    camera, middle = shot.camera, np.array([DRAWN_MM / 2, DRAWN_MM / 2, 0])
    lens = Lens.measured(camera.size_px, camera.matrix, (0, 0, 0, 0, 0))
    place = camera.translation - camera.rotation @ middle
    return TablePlane.exact(lens, cv2.Rodrigues(camera.rotation)[0].ravel(), place)


def drawn_truths(shot: tables.Shot) -> Iterator[Truth]:
    """The coins of a drawn table."""
    for item in (item for item in shot.items if item.cls):
        top = np.array([*item.centre_mm, item.top_mm])
        centre, beside = shot.camera.project(np.stack([top, top + np.array([item.radius_mm, 0, 0])]))
        width_px = 2 * float(np.hypot(*(beside - centre)))
        yield Truth(tuple(centre), width_px, item.cls, asked=item.visible_share >= LEAST_VISIBLE)


def fitted(evidence: np.ndarray, is_coin: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(k + 1,) weights, the last of a constant."""
    design, spread = np.c_[evidence, np.ones(len(evidence))], evidence.std(axis=0)

    def loss(weights: np.ndarray) -> float:
        """What the odds miss, and the ridge."""
        told = design @ weights
        missed = weight * (np.logaddexp(0, told) - is_coin * told)
        return float(missed.sum() + RIDGE / 2 * np.square(weights[:-1] * spread).sum())

    return np.asarray(minimize(loss, np.zeros(design.shape[1])).x)


def print_told(name: str, log_odds: np.ndarray, rows: list[Row]) -> None:
    """Print what such odds lose and invent, by where the circles are from."""
    print(name)
    for where in dict.fromkeys(row.where for row in rows):
        here = [(odd > 0, row.is_coin) for odd, row in zip(log_odds, rows, strict=True) if row.where == where]
        lost, false = here.count((False, True)), here.count((True, False))
        print(f"  {where:34} circles {len(here):5d} coins lost {lost:3d} false {false:3d}")


def main() -> None:
    """Print the weights and what each set makes of them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("stills", type=existing, nargs="+")
    options.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    options.add_argument("--drawn", type=int, default=300, help="how many tables")
    options.add_argument("--rendered", type=Path, help="a folder of models.render_coins")
    options.add_argument("--missed", type=float, default=2.0)
    given = options.parse_args()
    stills = [picture for folder in given.stills for picture in still_truths(folder)]
    rows = [row for path, truths in stills for row in rows_of("stills", path, truths)]
    for name in (name for name in PHOTOS if (given.photos / name).exists()):
        rows += [
            row for path, truths in photo_truths(given.photos / name, "train") for row in rows_of(name, path, truths)
        ]
    rows += shot_rows("drawn", drawn_shots(given.photos, given.drawn))
    if given.rendered:
        rows += shot_rows("rendered", minted_shots.shots(given.rendered, np.random.default_rng(DRAWN_SEED), 2))
    evidence, is_coin = np.array([row.evidence for row in rows]), np.array([row.is_coin for row in rows])
    weight = np.where(is_coin, given.missed, 1.0) * [WEIGHTS.get(row.where, PHOTO_WEIGHT) for row in rows]
    print_told("in use", evidence @ (*odds.BY_OUTLINE, *odds.BY_LOOKS), rows)
    *weights, constant = fitted(evidence, is_coin, weight)
    names = ("heat", "rim", "doubt", "look", "dot", "ground")
    said = ", ".join(f"{name} {each:.2f}" for name, each in zip(names, weights, strict=True))
    even = odds.EVEN_DOUBT - constant / weights[names.index("doubt")]
    print_told(f"fitted: {said}, even doubt {even:.2f}", evidence @ weights + constant, rows)


if __name__ == "__main__":
    main()
