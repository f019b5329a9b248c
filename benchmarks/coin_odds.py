"""What speaks for a coin: fits the odds of `vision.detect.coins` to circles of which it is known what they are.

    .venv/bin/python -m benchmarks.coin_odds STILLS [--photos ../shared/photos] [--missed 1.25]

STILLS is a folder of stills for tuning (`python -m sample_footage.generate stills --out STILLS --count 22 --seed 5`);
photographs: the `train` splits. Every circle that outline and nets do not rule out is one row: the net's heat, how much
of it is edge, how little it looks like no coin, how sure the rim net is. A logistic regression weighs them, a coin
missed being so many times as bad as print taken for one (`--missed`). Printed: the weights, and what is lost and what
is false on each set with the weights in use and with those. Run it whenever the detector, the rim net or the classifier
was trained again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import vision.detect.coins as coins
from benchmarks.coins import Truth, photo_truths, still_truths
from models.coins import TYPICAL_THICKNESS_MM
from ui.eyes import packaged_eyes
from ui.measured import measured_plane
from ui.setup_file import read_setup
from vision.clarity import clarity_of
from vision.detect.proposals import propose
from vision.developed import developed
from vision.picture import read_picture

PHOTOS = ("euro_scenes_kaa_mit", "uk_scenes_phone_mit")
# A photograph's circles count so much beside a still's: there are many, and most are easy.
PHOTO_WEIGHT = 0.3
RIDGE = 0.05
HIT, NEAR = 0.3, 0.6


@dataclass(frozen=True)
class Row:
    """One circle: what speaks for it, and whether it is a coin."""

    where: str
    evidence: tuple[float, float, float, float]
    is_coin: bool


def rows_of(where: str, path: Path, truths: list[Truth]) -> Iterator[Row]:
    """The circles of one picture; those beside a coin, on a mostly hidden one, or with a hole are no question."""
    setup, frame = read_setup(path.with_suffix(".setup.toml")), read_picture(path)
    plane = measured_plane(setup, frame)
    frame = developed(frame, clarity_of(frame, plane, setup.rules.table_size_mm))
    eyes = packaged_eyes(setup.rules)
    at = coins.measure_circles(frame.image_bgr, plane, propose(frame.image_bgr, eyes.coin_view(frame, plane)))
    found = coins._looked_at(frame.image_bgr, plane, at, eyes.wanted.expected)
    at_px = plane.to_image(at.circles.centre_mm, np.full(len(at.rims.support), TYPICAL_THICKNESS_MM))
    for index, evidence in enumerate(evidence_of(found)):
        off = [float(np.hypot(*(at_px[index] - t.centre_px))) / t.width_px for t in truths]
        nearest = int(np.argmin(off)) if off else -1
        hit = bool(off) and off[nearest] < HIT
        if found.hollow[index] or (hit and not truths[nearest].asked) or (off and not hit and off[nearest] < NEAR):
            continue
        yield Row(where, tuple(evidence), hit)


def evidence_of(found: coins._Found) -> np.ndarray:
    """(n, 4) heat, rim, look, doubt, as `vision.detect.coins` weighs them."""
    heat = coins._log_odds(found.at.proposals.heat)
    look = -coins._log_odds(found.naming.probs[:, -1])
    doubt = np.log(found.at.circles.radius_sigma_mm / found.at.circles.radius_mm)
    return np.stack([heat, found.at.rims.support - coins._EVEN_SUPPORT, look, doubt - coins._EVEN_DOUBT], axis=1)


def fitted(evidence: np.ndarray, is_coin: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(5,) weights, the last of a constant."""
    design, spread = np.c_[evidence, np.ones(len(evidence))], evidence.std(axis=0)

    def loss(weights: np.ndarray) -> float:
        odds = design @ weights
        missed = weight * (np.logaddexp(0, odds) - is_coin * odds)
        return float(missed.sum() + RIDGE / 2 * np.square(weights[:-1] * spread).sum())

    return np.asarray(minimize(loss, np.zeros(5)).x)


def told(name: str, odds: np.ndarray, rows: list[Row]) -> None:
    """Print what such odds lose and invent, by where the circles are from."""
    print(name)
    for where in dict.fromkeys(row.where for row in rows):
        here = [(odd > 0, row.is_coin) for odd, row in zip(odds, rows, strict=True) if row.where == where]
        lost, false = here.count((False, True)), here.count((True, False))
        print(f"  {where:34} circles {len(here):5d} coins lost {lost:3d} false {false:3d}")


def main() -> None:
    """Print the weights and what each set makes of them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("stills", type=Path)
    options.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    options.add_argument("--missed", type=float, default=1.25)
    given = options.parse_args()
    rows = [row for path, truths in still_truths(given.stills) for row in rows_of("stills", path, truths)]
    for name in (name for name in PHOTOS if (given.photos / name).exists()):
        rows += [
            row for path, truths in photo_truths(given.photos / name, "train") for row in rows_of(name, path, truths)
        ]
    evidence, is_coin = np.array([row.evidence for row in rows]), np.array([row.is_coin for row in rows])
    weight = np.where(is_coin, given.missed, 1.0) * np.where([row.where == "stills" for row in rows], 1.0, PHOTO_WEIGHT)
    weights = fitted(evidence, is_coin, weight)
    told("in use", evidence @ (coins._BY_HEAT, coins._BY_RIM, coins._BY_LOOK, coins._BY_DOUBT), rows)
    even = coins._EVEN_DOUBT - weights[4] / weights[3]
    told("fitted: heat {:.2f}, rim {:.1f}, look {:.2f}, doubt {:.2f}".format(*weights[:4]) + f", even {even:.2f}",
         evidence @ weights[:4] + weights[4], rows)  # fmt: skip


if __name__ == "__main__":
    main()
