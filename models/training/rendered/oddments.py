"""Small things that are no figures, whatever they look like: batteries, washers, bolts, blocks, cones, stones, caps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint, primitives
from models.training.rendered.primitives import Part

Array = NDArray[np.float64]
Stuffs = Callable[[], object]


def oddment(rng: np.random.Generator) -> list[object]:
    """One of them at the origin, mm."""
    metal = rng.random() < 0.5
    rgb = np.full(3, rng.uniform(0.2, 0.8)) * rng.normal(1, 0.05, 3) if metal else paint.colour(rng)

    def stuff() -> object:
        """Its own, or paint."""
        return paint.material(rgb if rng.random() < 0.7 else paint.colour(rng), rng.uniform(0.15, 0.8), float(metal))

    return THINGS[rng.integers(len(THINGS))](rng, stuff)


def _battery(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A rod that lies: a battery, a lipstick, a cartridge, a chalk."""
    radius, long = rng.uniform(3, 9), rng.uniform(18, 60)
    ends = np.array([(-long / 2, 0, radius), (rng.uniform(0, 0.4) * long, 0, radius), (long / 2, 0, radius)])
    nose = ends[2] + (rng.uniform(1, 8), 0, 0)
    parts = [primitives.rod(a, b, radius, radius, 20) for a, b in ((ends[0], ends[1]), (ends[1], ends[2]))]
    return [_of(part, stuff()) for part in (*parts, primitives.rod(ends[2], nose, 0.4 * radius, 0.3 * radius, 12))]


def _washer(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A ring, a nut, or a cap upside down."""
    radius, thick, hole = rng.uniform(6, 18), rng.uniform(1, 6), rng.uniform(0.2, 0.75)
    share = np.array([(hole, 0), (1, 0), (1, thick), (hole, thick), (hole, 0)]) * (radius, 1)
    return [mesh.lathe(share, stuff())]


def _profile(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A piece of an angle bar that stands."""
    high, thick = rng.uniform(5, 25), rng.uniform(2, 6)
    things = []
    for turn in (0.0, np.pi / 2):
        long = rng.uniform(12, 40)
        half = np.array([(0, 0), (long, 0), (long, thick), (0, thick)])
        c, s = np.cos(turn), np.sin(turn)
        things.append(mesh.prism(half @ np.array([[c, s], [-s, c]]), 0, high, stuff()))
    return things


def _block(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """An eraser, a matchbox, a brick; now and then a tower of two."""
    long, wide, high = rng.uniform(6, 40), rng.uniform(6, 24), rng.uniform(4, 40)
    outline = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (long / 2, wide / 2)
    things = [mesh.prism(outline, 0, high, stuff())]
    if rng.random() < 0.25:
        things.append(mesh.prism(outline * rng.uniform(0.4, 1.0), high, high + rng.uniform(3, 20), stuff()))
    return things


def _cone(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A cap, a tea light, a cotton reel, a cone, a marble's half."""
    radius, high = rng.uniform(5, 20), rng.uniform(4, 45)
    return [
        _of(primitives.rod((0, 0, 0), (0, 0, high), radius, radius * rng.choice([0.0, 0.5, 1.0, 1.0]), 24), stuff())
    ]


def _stone(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A pebble, a marble, a nut."""
    radii = rng.uniform(4, 16) * rng.uniform(0.5, 1.0, 3)
    return [_of(primitives.ball((0, 0, 0.9 * radii[2]), radii, 16), stuff())]


def _screw(rng: np.random.Generator, stuff: Stuffs) -> list[object]:
    """A bolt that stands on its head or lies, a pin, a key's ring."""
    long, thick, head = rng.uniform(12, 50), rng.uniform(1.5, 4), rng.uniform(1.5, 2.5)
    a, b, c = (np.array([0, 0, z]) for z in (0, 3, long))
    if rng.random() < 0.6:
        a, b, c = (np.array([p[2], 0, head * thick]) for p in (a, b, c))
    one = stuff()
    return [
        _of(primitives.rod(a, b, head * thick, head * thick, 6), one),
        _of(primitives.rod(b, c, thick, thick, 12), one),
    ]


def _of(part: Part, stuff: object) -> object:
    return mesh.solid(part[0], part[1], stuff, smooth=len(part[1]) > 12)


THINGS = (_battery, _battery, _washer, _profile, _block, _block, _cone, _stone, _screw)
