"""Tiles for the detector and crops for the classifier: shot on drawn tables, and cut from training photographs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX
from models.training import grounds, minted_shots, sprites, tables
from models.training.crop_label import Label
from models.training.photo_cuts import photo_crops, photo_tile
from models.training.photographed import CARDS, DICE, map_sheets, train_rows
from models.training.shot import Array
from models.training.shot_crops import shot_crops
from models.training.stored import store
from models.training.tables import TILE_PX, Shot

MOST_COINS = 48
# So many coins of each class and face are struck for the tables that are drawn.
STRUCK_EACH = 40
Picture = NDArray[np.uint8]


@dataclass(eq=False)
class Harvest:
    """What was gathered: tiles with the circles in them, crops with their labels."""

    tiles: list[Picture] = field(default_factory=list)
    circles: list[Array] = field(default_factory=list)
    crops: list[Picture] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def add(self, shot: Shot, rng: np.random.Generator) -> None:
        """One tile of a table that was shot, turned any way, and a handful of crops."""
        tile, mm2tile = tables.topview(shot, rng.uniform(0, 2 * np.pi))
        self._keep(tile, tables.tile_truth(shot, mm2tile), shot_crops(shot, rng))

    def add_photo(self, photo: Picture, path: Path, coins: list[dict[str, str]], rng: np.random.Generator) -> None:
        """The same of a photograph, whose set-up lies beside it."""
        self._keep(*photo_tile(photo, path, coins, rng), photo_crops(photo, coins, rng))

    def _keep(self, tile: Picture, circles: Array, crops: Iterable[tuple[Picture, Label]]) -> None:
        self.tiles.append(tile)
        self.circles.append(circles)
        for crop, label in crops:
            self.crops.append(crop)
            self.labels.append(label)

    def save(self, path: Path) -> None:
        """Writes one .npz; circles padded with rows of -1."""
        circles = np.full((len(self.tiles), MOST_COINS, 4), -1, np.float32)
        for row, found in zip(circles, self.circles, strict=True):
            row[: len(found)] = found[:MOST_COINS]
        parts = {
            "tiles": np.array(self.tiles, np.uint8).reshape(-1, TILE_PX, TILE_PX, 3),
            "circles": circles,
            "crops": np.array(self.crops, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3),
            "labels": np.array(self.labels, np.int64).reshape(-1, 4),
        }
        store(path, parts)


def drawn(photos: Path, seed: int, shots: int) -> Harvest:
    """`shots` tables of our own, one tile and a handful of crops from each."""
    rng = np.random.default_rng(seed)
    harvest = Harvest()
    for shot in drawn_shots(photos, shots, rng):
        harvest.add(shot, rng)
    return harvest


def drawn_shots(photos: Path, count: int, rng: np.random.Generator) -> Iterator[Shot]:
    """`count` tables of our own as cameras see them."""
    box = sprites.sprite_box(photos, rng, STRUCK_EACH)
    for ground in coin_grounds(photos, count, rng):
        yield tables.random_shot(box, ground, rng)


def minted(folder: Path, seed: int, rounds: int) -> Harvest:
    """The same of each picture of `models.render_coins`, `rounds` times."""
    rng = np.random.default_rng(seed)
    harvest = Harvest()
    for shot in minted_shots.shots(folder, rng, rounds):
        harvest.add(shot, rng)
    return harvest


def photographed(photos: Path, seed: int, rounds: int) -> Harvest:
    """Tiles and crops from every photograph of the train split, `rounds` times, each turned, scaled and developed anew."""
    rng = np.random.default_rng(seed)
    rows: dict[Path, list[dict[str, str]]] = defaultdict(list)
    for row in sprites.labelled("train"):
        rows[photos / row["set"] / row["file"]].append(row)
    harvest = Harvest()
    for path, coins in rows.items():
        photo = cv2.imread(str(path))
        if photo is not None:
            for _ in range(rounds):
                harvest.add_photo(photo, path, coins, rng)
    return harvest


def clutter_photos(photos: Path) -> tuple[Path, ...]:
    """Photographs made for training that hold no coin: cards among clutter, dice."""
    found = {photos / folder / row["file"] for folder in (CARDS, DICE) for row in train_rows(photos / folder)}
    return tuple(sorted(found))


def coin_grounds(photos: Path, count: int, rng: np.random.Generator) -> Iterator[Picture]:
    """`count` grounds for coins: drawn ones, and such as are cut from photographs without coins and from maps."""
    yield from grounds.grounds(rng, count, clutter_photos(photos), map_sheets(photos))
