"""The licensed photographs that nets learn from: what is labelled on them, and grounds cut from those on which nothing
stands but flat things and dice."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.grounds import GROUND_PX, GROUND_PX_PER_MM

Picture = NDArray[np.uint8]

DICE, CARDS = "dice_white_table_mit", "cards_clutter_edje_apache2"
COINS = ("euro_scenes_kaa_mit", "uk_scenes_phone_mit")
_SETS = (*COINS, DICE, CARDS)
# A typical size in mm of what a box of each kind holds: coins about 23, a die with its sides 20, a card askew 80.
_BOX_MM = {"coin": 23.0, "die": 20.0, "card": 80.0}
_BARE = Path(__file__).with_name("bare_photographs.txt")
# How many mm across a ground is cut; what is missing is mirrored.
_SIDE_MM = GROUND_PX / GROUND_PX_PER_MM


def train_rows(folder: Path) -> Iterator[dict[str, str]]:
    """The labels of the train split of one set: file, split, kind, class, x, y, w, h in px; none if the set is absent."""
    table = folder / "labels.csv"
    if table.exists():
        with table.open(encoding="utf-8", newline="") as lines:
            yield from (row for row in csv.DictReader(lines) if row["split"] == "train")


def boxes(folder: Path) -> dict[str, list[tuple[str, NDArray[np.float64]]]]:
    """Class and (x, y, w, h) of every box of one set, by file."""
    found = defaultdict(list)
    for row in train_rows(folder):
        found[row["file"]].append((row["class"], np.array([float(row[key]) for key in "xywh"])))
    return found


def map_sheets(photos: Path) -> tuple[Path, ...]:
    """Sheets of the Ordnance Survey's 1:250 000 map, which are open data."""
    return tuple(sorted(photos.glob("maps_os250k_ogl/*.tif")))


def scales(photos: Path, *, littered: bool = False) -> dict[Path, float]:
    """Px per mm of every usable training photograph, by the size of what is labelled on it. Of pictures of cards only
    those on which nothing stands, or all if `littered`."""
    bare = set(_BARE.read_text().split("\n"))
    found: dict[Path, list[float]] = {}
    for folder in _SETS:
        for row in train_rows(photos / folder):
            if row["kind"] in _BOX_MM and (littered or folder != CARDS or row["file"] in bare):
                side_px = np.sqrt(float(row["w"]) * float(row["h"]))
                found.setdefault(photos / folder / row["file"], []).append(side_px / _BOX_MM[row["kind"]])
    return {path: float(np.median(values)) for path, values in sorted(found.items())}


def ground(photos: dict[Path, float], rng: np.random.Generator) -> Picture:
    """A square of one photograph at GROUND_PX_PER_MM, within a third of its true scale."""
    path = list(photos)[rng.integers(len(photos))]
    picture = cv2.imread(str(path))
    px_per_mm = photos[path] * np.exp(rng.normal(0, 0.15))
    side = int(min(_SIDE_MM * px_per_mm, *picture.shape[:2]))
    top, left = (int(rng.integers(0, extent - side + 1)) for extent in picture.shape[:2])
    scale = GROUND_PX_PER_MM / px_per_mm
    piece = cv2.resize(
        picture[top : top + side, left : left + side],
        None,
        fx=scale,
        fy=scale,
        interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
    )
    while len(piece) < GROUND_PX:
        rest = min(GROUND_PX - len(piece), len(piece) - 1)
        piece = cv2.copyMakeBorder(
            piece, rest // 2, rest - rest // 2, rest // 2, rest - rest // 2, cv2.BORDER_REFLECT_101
        )
    return np.ascontiguousarray(piece[:GROUND_PX, :GROUND_PX])
