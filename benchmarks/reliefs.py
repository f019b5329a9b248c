"""What the net of reliefs says of coins that it never saw, and how far that may be believed.

    .venv/bin/python -m benchmarks.reliefs [PHOTOS]

Crops of single coins, British (`nolicence_uk_single_self`) and European (`nolicence_euro_single_crops`), and of the
American ones on tables (`nolicence_us_scenes_single_denom`, all but `t3_*`, by their set-ups) are shown to the net. It
prints for each kind what the net says for each currency on average (logarithms of likelihood ratios), how often a
dollar is ranked above a pound of its width and metal (area under the curve), and the multinomial logistic regression,
each currency and each kind in it weighing the same, whose constants stand in `vision/naming/relief.py`.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.arguments import existing
from benchmarks.coins import photo_truths
from models.coins import CROP_PX, CURRENCIES, DIAMETER_MM, RIM_SHARE, TYPICAL_THICKNESS_MM
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.classify import crops_of
from vision.frame import Frame, ImageBgr
from vision.naming.relief import by_currency, chances_of

Array = NDArray[np.float64]

SINGLES, TABLES, KEPT_APART = (
    ("nolicence_uk_single_self", "nolicence_euro_single_crops"),
    "nolicence_us_scenes_single_denom",
    "t3_",
)
MOST_EACH = 20
ALIKE = (("usd-10c", "gbp-5p"), ("usd-25c", "gbp-10p"), ("usd-1c", "gbp-1p"))


def single_coins(folder: Path) -> dict[str, list[ImageBgr]]:
    """Crops of coins that fill their pictures or the boxes in them, by class."""
    found: dict[str, list[ImageBgr]] = defaultdict(list)
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if len(found[row["class"]]) < MOST_EACH and (picture := cv2.imread(str(folder / row["file"]))) is not None:
                height, width = picture.shape[:2]
                box = np.array([float(row[key]) for key in "xywh"] if row["w"] else [0, 0, width, height])
                found[row["class"]].append(_cut(picture, box[:2] + box[2:] / 2, box[2:].mean() / 2))
    return found


def _cut(picture: ImageBgr, centre_px: Array, radius_px: float) -> ImageBgr:
    scale = RIM_SHARE * CROP_PX / 2 / radius_px
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.3, 0.45 / scale))
    warp = np.c_[scale * np.eye(2), (CROP_PX - 1) / 2 - scale * centre_px]
    return np.asarray(cv2.warpAffine(soft, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def on_tables(folder: Path) -> dict[str, list[ImageBgr]]:
    """Crops of labelled coins on measured tables, by class."""
    found: dict[str, list[ImageBgr]] = defaultdict(list)
    for path, truths in photo_truths(folder, "dev"):
        if not path.name.startswith(KEPT_APART):
            frame = Frame(cv2.imread(str(path)), source=str(path))
            plane = plane_for(read_setup(path.with_suffix(".setup.toml")), frame)
            height = np.full(len(truths), TYPICAL_THICKNESS_MM)
            centre = plane.to_table(np.array([truth.centre_px for truth in truths]), height)
            radius = np.array([DIAMETER_MM[truth.cls] / 2 for truth in truths])
            for truth, crop in zip(truths, crops_of(frame.image_bgr, plane, centre, radius, height), strict=True):
                found[truth.cls].append(crop)
    return found


def fitted(said: dict[str, Array]) -> Array:
    """Slope and biases of euros and dollars."""
    whose = np.concatenate([np.full(len(each), CURRENCIES.index(cls[:3])) for cls, each in said.items()])
    kinds = {currency: sum(cls.startswith(currency) for cls in said) for currency in CURRENCIES}
    weight = np.concatenate([np.full(len(each), 1 / len(each) / kinds[cls[:3]]) for cls, each in said.items()])
    seen = np.concatenate(list(said.values()))

    def loss(unknowns: Array) -> float:
        logits = unknowns[0] * seen + np.array([0, *unknowns[1:]])
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return -float(weight @ logits[np.arange(len(whose)), whose])

    return np.asarray(minimize(loss, np.array([1.0, 0.0, 0.0])).x, float)


def main() -> None:
    """Print it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing, nargs="?", default=Path("../shared/photos"))
    photos = options.parse_args().photos
    crops: dict[str, list[ImageBgr]] = {}
    for name in SINGLES:
        crops |= single_coins(photos / name)
    crops |= on_tables(photos / TABLES)
    said = {cls: by_currency(chances_of(np.stack(each))) for cls, each in sorted(crops.items())}
    print(f"{'coins':10}     n  " + "  ".join(f"{currency:>5}" for currency in CURRENCIES))
    for cls, each in said.items():
        print(f"{cls:10} {len(each):5}  " + "  ".join(f"{value:5.2f}" for value in each.mean(axis=0)))
    for dollar, pound in ALIKE:
        rank = (said[dollar] @ (-1, 0, 1))[:, None] - said[pound] @ (-1, 0, 1)
        print(f"{dollar} above {pound}: {np.mean((rank > 0) + 0.5 * (rank == 0)):.2f}")
    print("slope {:.2f}, bias of eur {:.2f}, of usd {:.2f}".format(*fitted(said)))


if __name__ == "__main__":
    main()
