"""Crops of a table that was drawn: its coins, and circles that show none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.training import tables
from models.training.crop_label import NO_COIN, Label, label_of, missed
from models.training.shot import Array, Item
from models.training.tables import Shot

Picture = NDArray[np.uint8]
# Of a coin at least such a share shows; of so many a circle beside it is cut too.
_LEAST_VISIBLE, _BESIDE = 0.7, 0.12
# So many of the other things are cut, and so many places of the ground are tried.
_CLUTTER, _BARE = 0.7, 7


def shot_crops(shot: Shot, rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    """A handful of crops, each with what it shows."""
    for item in shot.items:
        if not _is_within(shot, item):
            continue
        if item.cls and item.visible_share > _LEAST_VISIBLE:
            yield from _of_coin(shot, item, rng)
        elif not item.cls and rng.random() < _CLUTTER:
            yield from _of_clutter(shot, item, rng)
    for _ in range(_BARE):
        yield from _of_ground(shot, rng)


def _is_within(shot: Shot, item: Item) -> bool:
    """Whether the picture shows all of its outline."""
    outline_mm = item.outline * item.radius_mm + item.centre_mm
    px = shot.camera.project(np.c_[outline_mm, np.full(len(outline_mm), item.top_mm)])
    return bool((px > 1).all() and (px < np.array(shot.picture_bgr.shape[1::-1]) - 2).all())


def _cut(shot: Shot, centre_mm: Array, radius_mm: float, height_mm: float) -> Picture:
    return tables.crop(shot.picture_bgr, shot.camera, centre_mm, radius_mm, height_mm)


def _of_coin(shot: Shot, item: Item, rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    """The coin, as nearly as the rim finder would cut it, and now and then a circle that misses it."""
    centre_mm = item.centre_mm + rng.normal(0, 0.02, 2) * item.radius_mm
    radius_mm = item.radius_mm * rng.normal(1, 0.02)
    label = label_of(item.cls, item.face, item.owner, item.photographed)
    yield _cut(shot, centre_mm, radius_mm, item.top_mm), label
    if rng.random() < _BESIDE:
        yield _cut(shot, *missed(item.centre_mm, item.radius_mm, rng), item.top_mm), NO_COIN


def _of_clutter(shot: Shot, item: Item, rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    """What is no coin, whole and a part of it."""
    for share in (rng.normal(1, 0.06), rng.uniform(0.35, 0.9)):
        radius_mm = item.radius_mm * share
        shift_mm = rng.normal(0, 0.2, 2) * (item.radius_mm - radius_mm)
        yield _cut(shot, item.centre_mm + shift_mm, radius_mm, item.top_mm), NO_COIN


def _of_ground(shot: Shot, rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    """A circle of bare ground, unless a coin lies there."""
    centre_mm, radius_mm = rng.uniform(-90, 90, 2), rng.uniform(8, 20)
    reach_mm = [np.linalg.norm(item.centre_mm - centre_mm) - item.radius_mm for item in shot.items if item.cls]
    if min(reach_mm, default=99.0) > 0.6 * radius_mm:
        yield _cut(shot, centre_mm, radius_mm, 0.0), NO_COIN
