"""Pictures of all that is not only coins: cards, some overlapping and some with coins on them, dice and matchsticks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from shapely import Point, Polygon

from sample_footage.block import Block
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.ground import Ground
from sample_footage.still_pictures import Still, camera_for, light_for, one_coin, sensor_for, write_still

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry

    from sample_footage.coin import Coin

    Place = tuple[float, float]

LOOKS = ("plain", "warm", "oblique", "dim", "blur", "noise", "low-sun", "glare")
SURFACES = ("green-cloth", "grey-cloth", "walnut", "pine", "oak")
CARDS = (*(rank + suit for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")), "JOKER", "BACK")
DIE_BODIES_BGR = ((0.78, 0.8, 0.8), (0.05, 0.05, 0.5), (0.3, 0.1, 0.03), (0.02, 0.02, 0.02), (0.08, 0.3, 0.06))
GAP_MM = 3.0


def things(number: int, seed: int) -> Still:
    """Picture `number` of the set that is drawn from `seed`; every other one lies on the map."""
    rng = np.random.default_rng([seed, number, 2])
    look = LOOKS[number % len(LOOKS)]
    has_map = number % 2 == 1
    camera = camera_for(look, rng)
    ground = Ground("oak" if has_map else SURFACES[number // 2 % len(SURFACES)], has_map, int(rng.integers(1000)))
    coins, blocks = _laid_out(rng, [_corner(x, y) for x in (0, 700) for y in (0, 500)])
    looks = (look,) if look != "plain" else ()
    light, sensor = light_for(look, camera, rng), sensor_for(look, rng)
    return Still(f"things-{number:03d}-{look}", looks, camera, ground, light, sensor, coins, 88, blocks)


def _corner(x: float, y: float) -> BaseGeometry:
    return Point(x, y).buffer(62, cap_style="square")


def _laid_out(rng: np.random.Generator, taken: list[BaseGeometry]) -> tuple[tuple[Coin, ...], tuple[Block, ...]]:
    """Big things first, so that there is room; nothing overlaps but what lies on a card."""
    cards = [_card(f"card{k}", str(rng.choice(CARDS)), taken, rng) for k in range(6)]
    above = [_overlapping(card, str(rng.choice(CARDS)), rng) for card in cards[:1]]
    taken += [_outline(card).buffer(GAP_MM) for card in above]
    dice = [_die(f"die{k}", taken, rng) for k in range(6)]
    matches = [_match(f"match{k}", taken, rng) for k in range(5)]
    coins = [_coin(f"c{k}", taken, rng) for k in range(10)]
    coins += [_coin_on(card, rng) for card in cards[2:5]]
    return tuple(coins), (*cards, *above, *dice, *matches)


def _settled(make: Callable[[Place], Block], taken: list[BaseGeometry], rng: np.random.Generator) -> Block:
    """Try places until the thing lies free and wholly on the table."""
    while True:
        block = make((round(float(rng.uniform(20, 680)), 3), round(float(rng.uniform(20, 480)), 3)))
        outline = _outline(block)
        x0, y0, x1, y1 = outline.bounds
        if min(x0, y0, 700 - x1, 500 - y1) > 4 and not any(outline.intersects(other) for other in taken):
            taken.append(outline.buffer(GAP_MM))
            return block


def _outline(block: Block) -> Polygon:
    return Polygon(block.solid.corners_mm())


def _turn(rng: np.random.Generator) -> float:
    return round(float(rng.uniform(0, 360)), 2)


def _card(name: str, cls: str, taken: list[BaseGeometry], rng: np.random.Generator) -> Block:
    turn_deg = _turn(rng)
    return _settled(lambda at: Block(name, "card", cls, at, turn_deg), taken, rng)


def _overlapping(card: Block, cls: str, rng: np.random.Generator) -> Block:
    """A second card laid over the lower half of the first, whose upper index still shows."""
    shift = card.solid.placed(np.array([[-rng.uniform(26, 40), rng.uniform(-16, 16)]]))[0]
    turn_deg = round(card.turn_deg + float(rng.uniform(-20, 20)), 2) % 360
    at = (round(float(shift[0]), 3), round(float(shift[1]), 3))
    return Block(f"{card.id}-over", "card", cls, at, turn_deg, card.high_mm, on=card.id)


def _die(name: str, taken: list[BaseGeometry], rng: np.random.Generator) -> Block:
    pips, turn_deg, body = str(rng.integers(1, 7)), _turn(rng), DIE_BODIES_BGR[int(rng.integers(len(DIE_BODIES_BGR)))]
    return _settled(lambda at: Block(name, "die", pips, at, turn_deg, tint_bgr=body), taken, rng)


def _match(name: str, taken: list[BaseGeometry], rng: np.random.Generator) -> Block:
    turn_deg, head = _turn(rng), ((0.05, 0.04, 0.4), (0.1, 0.07, 0.06), (0.05, 0.2, 0.05))[int(rng.integers(3))]
    return _settled(lambda at: Block(name, "match", "match", at, turn_deg, tint_bgr=head), taken, rng)


def _coin(name: str, taken: list[BaseGeometry], rng: np.random.Generator) -> Coin:
    """A coin of any currency where nothing else lies."""
    cls = str(rng.choice([cls for cls in COIN_STOCK if cls != "usd-1-silver"]))
    while True:
        at = (round(float(rng.uniform(24, 676)), 3), round(float(rng.uniform(24, 476)), 3))
        coin = one_coin(name, cls, at, rng)
        outline = Point(at).buffer(coin.radius_mm + GAP_MM)
        if not any(outline.intersects(other) for other in taken):
            taken.append(outline)
            return coin


def _coin_on(card: Block, rng: np.random.Generator) -> Coin:
    """A coin that lies wholly on a card."""
    own = np.array([[rng.uniform(-22, 22), rng.uniform(-12, 12)]])
    x, y = card.solid.placed(own)[0]
    cls = str(rng.choice([cls for cls in COIN_STOCK if cls != "usd-1-silver"]))
    coin = one_coin(f"{card.id}-coin", cls, (round(float(x), 3), round(float(y), 3)), rng)
    return replace(coin, low_mm=card.high_mm, on=card.id)


def write_things(out: Path, count: int, seed: int) -> None:
    """A set of pictures with truth."""
    for number in range(count):
        write_still(things(number, seed), out)
