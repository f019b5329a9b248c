"""Tables of bare coins, half of two metals: their cores are easily taken for smaller coins that lie on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.coins import CLASSES, DIAMETER_MM, SIDES, THICKNESS_MM
from models.training import grounds
from models.training.dataset import clutter_photos
from models.training.looks import outline, procedural, with_sticker
from models.training.piles import Piles, Top
from models.training.shot import Array, Item, aimed, compose, developed

_OF_TWO_METALS = ("gbp-1", "gbp-2", "eur-1", "eur-2")
_OWNERS = ("none", "none", "red", "blue", "green", "yellow", "white", "black")
_PITCH_MM, _ACROSS, _LAYINGS = 42.0, 4, 4


def bare_tables(photos: Path, seed: int, count: int) -> Iterator[Piles]:
    """So many tables of 16 coins, 35 to 85 degrees down."""
    rng = np.random.default_rng(seed)
    maps = tuple(sorted(photos.glob("maps_os250k_ogl/*.tif")))
    for ground in grounds.grounds(rng, -(-count // _LAYINGS), clutter_photos(photos), maps):
        for _ in range(_LAYINGS):
            items = [_coin(np.array(at, float), rng) for at in np.ndindex(_ACROSS, _ACROSS)]
            px_per_mm = float(np.exp(rng.uniform(np.log(1.2), np.log(3.2))))
            side = round((_ACROSS + 1) * _PITCH_MM * px_per_mm)
            camera = aimed(rng, rng.uniform(35, 85), px_per_mm, (side, side), np.zeros(2))
            picture = developed(compose(ground, items, camera, rng), rng)
            tops = tuple(Top(each.centre_mm, each.radius_mm, each.top_mm, each.visible_share, 0.0) for each in items)
            yield Piles(picture, camera.project, camera.eye_mm, tops)


def _coin(place: Array, rng: np.random.Generator) -> Item:
    cls = str(rng.choice(_OF_TWO_METALS if rng.random() < 0.5 else CLASSES))
    sprite, owner = procedural(cls, str(rng.choice(("heads", "tails"))), rng), str(rng.choice(_OWNERS))
    if owner != "none":
        sprite, _ = with_sticker(sprite, owner, rng)
    centre = (place - (_ACROSS - 1) / 2) * _PITCH_MM + rng.uniform(-5, 5, 2)
    edge = outline(cls) if cls in SIDES else outline("round")
    return Item(sprite, edge, DIAMETER_MM[cls] / 2, centre, 0.0, THICKNESS_MM[cls], rng.uniform(0, 6), cls)
