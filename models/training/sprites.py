"""Top faces cut from licensed photographs, and the box of sprites that tables are laid from."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, SIDES
from models.training import motifs
from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, Sprite, outline, procedural, sheen_of
from models.training.tables import SpriteBox

FACES_CSV = Path(__file__).parents[1] / "coin_faces.csv"
_METAL = dict.fromkeys(("gbp-1p", "gbp-2p", "eur-1c", "eur-2c", "eur-5c", "usd-1c"), "copper")
_METAL |= dict.fromkeys(("eur-10c", "eur-20c", "eur-50c", "usd-1"), "gold")
_METAL |= dict.fromkeys(("gbp-1", "gbp-2", "eur-1"), "silver in gold") | {"eur-2": "gold in silver"}


def labelled(split: str) -> Iterator[dict[str, str]]:
    """The rows of coin_faces.csv of that split: set, file, class, face, centre, rim at +x, rim at +y in px."""
    with FACES_CSV.open(encoding="utf-8", newline="") as lines:
        yield from (row for row in csv.DictReader(lines) if row["split"] == split)


def rim_of(row: dict[str, str]) -> NDArray[np.float64]:
    """(3, 2) px: a labelled coin's middle, and its rim at +x and +y."""
    return np.array([[float(row[key]) for key in pair] for pair in (("u", "v"), ("xu", "xv"), ("yu", "yv"))])


def cut_out(photo: NDArray[np.uint8], row: dict[str, str]) -> Sprite:
    """The coin of that row as a sprite."""
    seen = rim_of(row).astype(np.float32)
    middle = (SPRITE_PX - 1) / 2
    flat = np.array(
        [(middle, middle), (middle + SPRITE_RADIUS_PX, middle), (middle, middle - SPRITE_RADIUS_PX)], np.float32
    )
    warp = cv2.getAffineTransform(seen, flat)
    scale = float(np.linalg.norm(seen[1] - seen[0])) / SPRITE_RADIUS_PX
    sharp = photo if scale < 1.4 else cv2.GaussianBlur(photo, (0, 0), 0.4 * scale)
    face = cv2.warpAffine(sharp, warp, (SPRITE_PX, SPRITE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Sprite(np.asarray(face, np.uint8), _alpha(row["class"]))


def _alpha(cls: str) -> NDArray[np.uint8]:
    """A disc a little within the rim, so that no ground comes along; further within where the coin has sides."""
    disc = outline("round", shrink=0.965 if cls in SIDES else 0.985)
    shape = cv2.fillPoly(motifs.blank(), [motifs.to_px(disc)], (255,), cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(shape, (SPRITE_PX, SPRITE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def metal_of(cls: str) -> str:
    """The metals of a coin: its blanks may be photographs of any coin of the same ones."""
    return _METAL.get(cls, "silver")


def photographed(photos: Path) -> dict[tuple[str, str], list[Sprite]]:
    """The top faces of the photographs' train split, by class and face."""
    found: dict[tuple[str, str], list[Sprite]] = defaultdict(list)
    name, photo = "", None
    for row in labelled("train"):
        path = photos / row["set"] / row["file"]
        if str(path) != name and path.exists():
            name, photo = str(path), cv2.imread(str(path))
        if photo is not None and str(path) == name:
            found[row["class"], row["face"]].append(cut_out(photo, row))
    return dict(found)


def metals(photos: Path) -> dict[str, list[Sprite]]:
    """The photographed top faces by what the coin is made of."""
    return _by_metal(photographed(photos))


def _by_metal(faces: dict[tuple[str, str], list[Sprite]]) -> dict[str, list[Sprite]]:
    shelves: dict[str, list[Sprite]] = defaultdict(list)
    for (cls, _), shelf in faces.items():
        shelves[metal_of(cls)].extend(shelf)
    return shelves


def sprite_box(photos: Path, rng: np.random.Generator, struck_each: int = 60) -> SpriteBox:
    """All sprites: `struck_each` struck ones for each class and face, and the photographed ones of the train split."""
    real = photographed(photos)
    blanks = _by_metal(real)
    struck = {
        (cls, face): _strikes(cls, face, struck_each, blanks, rng) for cls in CLASSES for face in ("heads", "tails")
    }
    return SpriteBox(struck, real)


def _strikes(
    cls: str, face: str, count: int, blanks: dict[str, list[Sprite]], rng: np.random.Generator
) -> list[Sprite]:
    real = blanks.get(metal_of(cls), [])
    # A two-metal blank keeps its ring only where both coins have the same ring; they nearly do.
    return [
        procedural(
            cls, face, rng, sheen_of(real[rng.integers(len(real))], rng) if real and rng.random() < 0.5 else None
        )
        for _ in range(count)
    ]
