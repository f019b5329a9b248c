"""Arms of simple toy soldiers and what their hands hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import primitives
from models.training.rendered.troops import Piece, Troop

Array = NDArray[np.float64]

# Where a hand is from the neck, ahead, outwards and up; and some spread.
_HANDS = (
    (0.02, 0.16, -0.3),
    (0.2, 0.1, -0.08),
    (0.03, 0.17, 0.2),
    (0.0, 0.32, -0.02),
    (0.1, 0.02, -0.16),
    (0.14, 0.14, 0.08),
)
_SPREAD = 0.05
# Which way what is held points.
_AHEAD, _UP, _DOWN, _ACROSS = (1.0, 0, 0), (0, 0, 1.0), (0, 0, -1.0), (0.1, 1.0, 0.5)
_WAYS = (_AHEAD, _AHEAD, _UP, _UP, (0.7, 0, 0.7), (-0.5, 0.2, 0.8), _DOWN, _ACROSS)


def arms(rng: np.random.Generator, troop: Troop, neck: Array) -> list[Piece]:
    """Two arms; the right one holds a weapon, the left one the same or a shield."""
    pieces: list[Piece] = []
    hands = [_hand(rng, neck, side) for side in (1, -1)]
    both = rng.random() < 0.35
    if both:
        hands[1] = neck + (rng.uniform(0.08, 0.2), -0.05, rng.uniform(-0.18, 0.0))
        hands[0] = hands[1] + (0.14, 0.08, rng.normal(0, 0.04))
    for hand, side in zip(hands, (1, -1), strict=True):
        shoulder = neck + (0, side * troop.broad, -0.03)
        elbow = (shoulder + hand) / 2
        if rng.random() < 0.6:
            elbow = elbow + (-0.02, side * 0.05, -0.06)
        slim = troop.thick * 0.85
        pieces += [
            ("coat", troop.stick(shoulder, elbow, troop.thick, slim)),
            ("coat", troop.stick(elbow, hand, slim, slim)),
        ]
        pieces.append(("skin", primitives.ball(hand, slim * 1.15, troop.sides)))
    way = np.asarray(hands[0] - hands[1] if both else _WAYS[rng.integers(len(_WAYS))], float) + rng.normal(0, 0.15, 3)
    pieces += _held(rng, troop, hands[1], way / np.linalg.norm(way))
    return pieces + (_shield(rng, troop, hands[0]) if not both and rng.random() < 0.25 else [])


def _hand(rng: np.random.Generator, neck: Array, side: int) -> Array:
    ahead, outwards, up = np.array(_HANDS[rng.integers(len(_HANDS))]) + rng.normal(0, _SPREAD, 3)
    return neck + (ahead, side * outwards, up)


def _held(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    hold = (_rifle, _rifle, _rifle, _spear, _sword, _banner, _hammer, _nothing)
    return hold[rng.integers(len(hold))](rng, troop, grip, way)


def _rifle(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    thin = rng.uniform(0.012, 0.024)
    butt = primitives.slab(grip - way * rng.uniform(0.1, 0.2), grip + way * 0.08, 3 * thin, 2 * thin)
    return [("kit", butt), ("kit", primitives.rod(grip, grip + way * rng.uniform(0.25, 0.6), thin, thin, troop.sides))]


def _spear(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    thin = rng.uniform(0.009, 0.018)
    back, tip = grip - way * rng.uniform(0.1, 0.5), grip + way * rng.uniform(0.4, 0.9)
    back[2] = max(back[2], 0.0)
    return [
        ("kit", primitives.rod(back, tip, thin, thin, troop.sides)),
        ("kit", primitives.rod(tip, tip + way * 0.1, 2.5 * thin, 0.0, troop.sides)),
    ]


def _sword(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    return [("kit", primitives.slab(grip - way * 0.05, grip + way * rng.uniform(0.2, 0.5), 0.045, 0.02))]


def _banner(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    low, high = grip * (1, 1, 0.3), np.array([grip[0], grip[1], grip[2] + rng.uniform(0.4, 0.8)])
    cloth = high - (0.16, 0, 0)
    return [
        ("kit", primitives.rod(low, high, 0.014, 0.014, troop.sides)),
        ("hat", primitives.slab(cloth - (0, 0, rng.uniform(0.15, 0.35)), cloth, 0.3, 0.015)),
    ]


def _hammer(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    end = grip + way * rng.uniform(0.15, 0.35)
    return [
        ("kit", primitives.rod(grip - way * 0.08, end, 0.016, 0.016, troop.sides)),
        ("kit", primitives.ball(end, rng.uniform(0.03, 0.07, 3), troop.sides)),
    ]


def _nothing(rng: np.random.Generator, troop: Troop, grip: Array, way: Array) -> list[Piece]:
    return []


def _shield(rng: np.random.Generator, troop: Troop, hand: Array) -> list[Piece]:
    """Before the hand: a round one, or a tall one."""
    if rng.random() < 0.5:
        wide = rng.uniform(0.09, 0.18)
        return [("kit", primitives.rod(hand, hand + (0.03, 0.02, 0), wide, wide, troop.sides))]
    tall = rng.uniform(0.1, 0.22)
    return [("kit", primitives.slab(hand - (0, 0, tall), hand + (0, 0, tall), 0.03, rng.uniform(0.16, 0.28)))]
