"""Lays and shoots tables for the pieces net and its readers.

    python -m models.train_pieces_data --decks FOLDER --photos FOLDER --out FILE.npz --tables 400 --seed 1 [--test]

Writes tiles (n, 384, 384, 3), their labels, and the crops of indices and dice that the readers learn from.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.pieces import DIE_CROP_PX, DIE_CROP_PX_PER_MM, INDEX_CROP_PX, INDEX_CROP_PX_PER_MM, PIPS, RANKS, SUITS
from models.training.decks import decks
from models.training.flat_tables import TABLE_MM, Label, Table, laid_table
from models.training.grounds import grounds
from models.training.looks import STICKER_BGR, Sprite, procedural, with_sticker
from models.training.photographed import map_sheets
from models.training.slanted import Photo, shoot
from models.training.stored import store

KINDS = ("index", "card", "die", "match")
# Things that show less than this are not asked for by a reader.
READABLE = 0.8
_NO_RANK, _NO_PIPS = RANKS.index("none"), PIPS.index("none")
# So many things of a table are kept, at most.
MOST = 160


def code(label: Label) -> int:
    """A class as one number: 100 * rank + suit for cards (suit 9 for none), pips for dice."""
    if label.kind in ("die", "match"):
        return int(label.cls) if label.kind == "die" else 0
    if label.cls in ("JOKER", "BACK"):
        return 1309 if label.cls == "JOKER" else 2009
    return 100 * RANKS.index(label.cls[:-1]) + SUITS.index(label.cls[-1])


def rows(labels: list[Label]) -> np.ndarray:
    """(MOST, 6): kind, x, y, angle, visible share, class code; -1 where there is none."""
    table = np.full((MOST, 6), -1, np.float32)
    for index, label in enumerate([known for known in labels if known.kind in KINDS][:MOST]):
        table[index] = (KINDS.index(label.kind), label.x_mm, label.y_mm, label.angle, label.visible, code(label))
    return table


def index_crop(photo: Photo, at_mm: np.ndarray, angle: float, rng: np.random.Generator) -> np.ndarray:
    """A crop whose downward axis points along `angle`, missed a little as a detector misses."""
    at = at_mm + rng.normal(0, 0.7, 2)
    scale = INDEX_CROP_PX_PER_MM * np.exp(rng.normal(0, 0.05))
    return photo.cut(INDEX_CROP_PX, scale, at, angle - np.pi / 2 + rng.normal(0, 0.07))


def die_crop(photo: Photo, at_mm: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A crop at any turn: dice have none."""
    scale = DIE_CROP_PX_PER_MM * np.exp(rng.normal(0, 0.06))
    return photo.cut((DIE_CROP_PX, DIE_CROP_PX), scale, at_mm + rng.normal(0, 0.8, 2), rng.uniform(0, 2 * np.pi))


def reader_crops(photo: Photo, labels: list[Label], rng: np.random.Generator) -> tuple[list, list]:
    """(crop, rank, suit) and (crop, pips) of what is seen well, and of places where there is nothing to read."""
    index, dice = [], []
    for label in labels:
        at = np.array([label.x_mm, label.y_mm])
        if at.min() <= 8 or at.max() >= TABLE_MM - 8 or label.visible < READABLE:
            continue
        if label.kind == "index":
            index += _index_crops(photo, label, at, rng)
        elif label.kind == "other":  # a coin with a dot looks like a one
            dice.append((die_crop(photo, at, rng), _NO_PIPS))
        elif label.kind == "die":
            dice.append((die_crop(photo, at, rng), int(label.cls) - 1))
    known = np.array([(lab.x_mm, lab.y_mm) for lab in labels]) if labels else np.zeros((0, 2))
    for _ in range(3):
        at = rng.uniform(15, TABLE_MM - 15, 2)
        if not len(known) or np.hypot(*(known - at).T).min() > 16:
            index.append((index_crop(photo, at, rng.uniform(0, 2 * np.pi), rng), _NO_RANK, -1))
            dice.append((die_crop(photo, at, rng), _NO_PIPS))
    return index, dice


def _index_crops(
    photo: Photo, label: Label, at_mm: np.ndarray, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, int, int]]:
    """An index, at times also the wrong way up or what lies beside it, which is none."""
    rank, suit = divmod(code(label), 100)
    yield index_crop(photo, at_mm, label.angle, rng), rank, suit if suit < len(SUITS) else -1
    if rng.random() < 0.12:
        along = np.array([np.cos(label.angle), np.sin(label.angle)])
        wrong = at_mm + rng.choice([-1, 1]) * rng.uniform(5, 14) * along
        yield index_crop(photo, wrong, label.angle + rng.choice([0, np.pi]), rng), _NO_RANK, -1


def sprites(rng: np.random.Generator) -> list[Sprite]:
    """Coins to lie about, bare and with dots."""
    bare = [
        procedural(cls, face, rng)
        for cls in ("gbp-1p", "gbp-10p", "gbp-20p", "eur-2", "usd-25c")
        for face in ("heads", "tails")
    ]
    dotted = [with_sticker(coin, colour, rng)[0] for coin in bare for colour in rng.choice(list(STICKER_BGR), 3)]
    return bare + dotted


class Shelf:
    """What is gathered of tables; the same arrays as `models.train_pieces_photos` stores."""

    def __init__(self) -> None:
        self.tiles: list[np.ndarray] = []
        self.labels: list[np.ndarray] = []
        self.surfaces: list[np.ndarray] = []
        self.index: list[tuple[np.ndarray, int, int]] = []
        self.dice: list[tuple[np.ndarray, int]] = []

    def add(self, table: Table, rng: np.random.Generator) -> None:
        """One table as one camera shows it."""
        photo = shoot(table, table.slant, rng)
        known = table.labels()
        self.tiles.append(photo.top_view())
        self.labels.append(rows(known))
        self.surfaces.append(table.surface[::8, ::8] > 0)
        index, dice = reader_crops(photo, known, rng)
        self.index += index
        self.dice += dice

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it: tiles (n, 384, 384, 3), labels (n, MOST, 6), surfaces (n, 96, 96), crops and what they show."""
        index, rank, suit = zip(*self.index, strict=True)
        dice, pips = zip(*self.dice, strict=True)
        parts = (self.tiles, self.labels, self.surfaces, index, rank, suit, dice, pips)
        names = ("tiles", "labels", "surfaces", "index", "rank", "suit", "dice", "pips")
        return {name: np.array(part) for name, part in zip(names, parts, strict=True)}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=Path, required=True)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", action="store_true", help="decks kept for testing, drawn grounds of another seed")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    packs = list(decks(args.decks, args.test).values())
    coins = sprites(rng)
    maps = () if args.test else map_sheets(args.photos)
    shelf = Shelf()
    for number, ground in enumerate(grounds(rng, args.tables, (), maps)):
        shelf.add(laid_table(ground, packs[rng.integers(len(packs))], coins, rng), rng)
        if number % 50 == 0:
            print(number, len(shelf.index), len(shelf.dice), flush=True)
    store(args.out, shelf.arrays())


if __name__ == "__main__":
    main()
