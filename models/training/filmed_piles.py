"""Tables with coins on coins as the sample footage's renderer shows them, with seeds that none of its own has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.coins import CLASSES
from models.training.jpeg import compressed
from models.training.piles import CEILING_MM, NEAR_MM, Piles, Top, how_many, smaller
from sample_footage.camera import Camera, looking_at
from sample_footage.coin import Coin
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.scene_truth import visible_shares
from sample_footage.still_pictures import LOOKS, light_for, one_coin, sensor_for

# A coin lies so far off the one below it, mm.
_OFF_MM = (0.3, 0.8, 1.6, 3.5)
# Tables laid anew for each ground, which takes as long as two tables.
_LAYINGS = 4
_SURFACES = ("oak", "walnut", "pine", "green-cloth", "grey-cloth", "white")
_PLACES = 60


def filmed_piles(seed: int, count: int, riding: bool = False) -> Iterator[Piles]:
    """So many tables, 30 to 75 degrees down, in every light that the stills have; `riding` as for `piles`."""
    for number in range(count):
        rng = np.random.default_rng([seed, number // _LAYINGS])
        look = str(rng.choice(LOOKS))
        camera = _camera(rng)
        if number % _LAYINGS == 0:
            ground = Ground(str(rng.choice(_SURFACES)), bool(rng.random() < 0.7), int(rng.integers(1000)))
            view = View(camera, ground, light_for(look, camera, rng))
            bare = view.bare()
        rng = np.random.default_rng([seed, number, 1])
        coins = _piled_coins(rng, riding)
        table = lit_table(view, bare, coins)
        picture = compressed(sensor_for(look, rng).develop(table, table.shape[:2]), (60, 95), rng)
        shares = visible_shares(coins, camera)
        tops = (Top(np.array(c.position_mm), c.radius_mm, c.high_mm, shares[c.id], c.low_mm) for c in coins)
        yield Piles(picture, camera.project, camera.eye_mm, tuple(tops))


def _camera(rng: np.random.Generator) -> Camera:
    focal, elevation = rng.uniform(1320, 1620), rng.uniform(33, 60) if rng.random() < 0.7 else rng.uniform(30, 75)
    bend = (rng.uniform(-0.16, 0.06), rng.uniform(-0.03, 0.05), rng.normal(0, 6e-4), rng.normal(0, 6e-4), 0.0)
    target, far = (350 + rng.uniform(-10, 10), 228 + rng.uniform(-8, 6), 0.0), focal / 1480 * rng.uniform(650, 1000)
    return looking_at(target, far, elevation, rng.uniform(-8, 8), rng.uniform(-2, 2), (1920, 1080), focal, bend)


def _piled_coins(rng: np.random.Generator, riding: bool) -> tuple[Coin, ...]:
    money = str(rng.choice(("gbp", "eur", "usd", "")))
    classes = [cls for cls in CLASSES if cls.startswith(money)]
    coins: list[Coin] = []
    for number, place in enumerate(rng.uniform((30, 30), (670, 470), (_PLACES, 2))):
        lowest = one_coin(f"c{number}", str(rng.choice(classes)), (float(place[0]), float(place[1])), rng)
        gap_mm = rng.choice((0.2, 3.0, 8.0))
        if all(np.hypot(*(place - c.position_mm)) > c.radius_mm + lowest.radius_mm + gap_mm for c in coins):
            coins += [lowest, *_on(lowest, classes, rng, riding)]
    return tuple(coins)


def _on(lowest: Coin, classes: list[str], rng: np.random.Generator, riding: bool) -> Iterator[Coin]:
    below, off_mm, alike = lowest, rng.choice(_OFF_MM), rng.random() < 0.35
    off_mm = min(off_mm, NEAR_MM) if riding else off_mm
    for level in range(how_many(rng, riding)):
        x, y = (float(value + rng.normal(0, off_mm)) for value in below.position_mm)
        cls = lowest.cls if alike else str(rng.choice(classes))
        cls = str(rng.choice(smaller(classes, below.cls))) if riding else cls
        upper = replace(one_coin(f"{lowest.id}-{level}", cls, (x, y), rng), low_mm=below.high_mm, on=below.id)
        if upper.high_mm < CEILING_MM:
            yield upper
            below = upper
