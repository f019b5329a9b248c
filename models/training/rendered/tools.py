"""What lies about on a table and has a head and a body, yet is no figure: screwdrivers, spoons, forks, keys, lighters, pots
of paint. Each lies or stands at the origin, its length along x."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint, primitives
from models.training.rendered.primitives import Part

Array = NDArray[np.float64]
Built = list[object]
_SIDES = 20


def tool(rng: np.random.Generator) -> Built:
    """One of them, mm."""
    return TOOLS[rng.integers(len(TOOLS))](rng)


def _screwdriver(rng: np.random.Generator) -> Built:
    """A bellied handle, often of two colours, and a thin shaft."""
    long, thick = rng.uniform(35, 110), rng.uniform(6, 16)
    share = np.linspace(0, 1, 14)
    radius = thick * (0.75 + rng.uniform(0.1, 0.3) * np.sin(rng.uniform(4, 10) * share + rng.uniform(0, 6)))
    radius[0], radius[-1] = 0.5 * thick, 0.4 * thick
    split = int(rng.choice([4, 7, 10, 13]))
    handle = np.stack([radius, share * long], axis=1)
    shaft = ((0, 0, long), (0, 0, long + rng.uniform(30, 120)), *([rng.uniform(1.5, 4)] * 2), 12)
    parts = [(primitives.turned(handle[: split + 1], _SIDES), _plastic(rng))]
    if split < len(handle) - 1:
        parts.append((primitives.turned(handle[split:], _SIDES), _plastic(rng)))
    return _laid([*parts, (primitives.rod(*shaft), _metal(rng))], float(radius.max()))


def _spoon(rng: np.random.Generator) -> Built:
    """A bowl or a head of tines, and a handle of another width; of metal or bright plastic."""
    stuff = _metal(rng) if rng.random() < 0.5 else _plastic(rng)
    long, wide, thick = rng.uniform(60, 160), rng.uniform(4, 9), rng.uniform(1.5, 4)
    handle = primitives.slab((0, 0, thick), (long, 0, thick + rng.uniform(0, 8)), thick, 2 * wide)
    grip = primitives.ball((0, 0, thick), (rng.uniform(1, 3) * wide, rng.uniform(1.0, 1.6) * wide, thick), _SIDES)
    bowl = np.array([rng.uniform(14, 32), rng.uniform(9, 22), rng.uniform(2, 8)])
    parts: list[Part] = [handle, grip]
    if rng.random() < 0.6:
        parts.append(primitives.ball((long + 0.8 * bowl[0], 0, bowl[2] + 1), bowl, _SIDES))
    else:
        tines = np.linspace(-1, 1, int(rng.integers(3, 5))) * 0.7 * bowl[1]
        parts.append(primitives.slab((long, 0, 4), (long + 14, 0, 4), thick, 1.6 * bowl[1]))
        parts += [primitives.slab((long + 13, y, 4), (long + 2 * bowl[0], y, 3), thick, 2.4) for y in tines]
    other = stuff if rng.random() < 0.7 else _plastic(rng)
    return [_of(part, stuff if n else other) for n, part in enumerate(parts)]


def _key(rng: np.random.Generator) -> Built:
    """A bow, a blade, and a fob as often as not."""
    stuff, bow, long = _metal(rng), rng.uniform(9, 15), rng.uniform(22, 40)
    share = np.array([(0.35, 0), (1, 0), (1, 2.2), (0.35, 2.2), (0.35, 0)]) * (bow, 1)
    things = [mesh.lathe(share, stuff), _of(primitives.slab((0.9 * bow, 0, 1.2), (long, 0, 1.2), 2.2, 7), stuff)]
    if rng.random() < 0.5:
        end = -bow - rng.uniform(15, 45)
        things.append(_of(primitives.slab((-bow, 0, 3), (end, 0, 3), 5, rng.uniform(8, 30)), _plastic(rng)))
    return things


def _lighter(rng: np.random.Generator) -> Built:
    """A body with a head of metal: a lighter, a memory stick, a tube of glue."""
    half, long = rng.uniform(5, 12), rng.uniform(30, 70)
    a, b, c = (np.array([0, 0, z]) for z in (0, long, long + rng.uniform(6, 25)))
    body = primitives.ball((0, 0, long / 2), (0.6 * half, half, 0.55 * long), _SIDES)
    if rng.random() < 0.6:
        body = primitives.slab(a, b, 1.2 * half, 2 * half)
    head = primitives.slab(b, c, 1.0 * half, rng.uniform(0.8, 1.9) * half)
    parts = [(body, _plastic(rng)), (head, _metal(rng) if rng.random() < 0.6 else _plastic(rng))]
    return _laid(parts, 0.6 * half) if rng.random() < 0.7 else [_of(part, stuff) for part, stuff in parts]


def _pot(rng: np.random.Generator) -> Built:
    """A pot of paint, a dropper, a bottle, a salt cellar: it stands, stouter than a man turned on a lathe."""
    radius = rng.uniform(9, 22)
    high, cap = radius * rng.uniform(1.4, 3.2), rng.uniform(5, 16)
    neck, shoulder = rng.uniform(0.5, 0.95) * radius, high * rng.uniform(0.6, 0.95)
    top = neck * rng.uniform(0.8, 1.1)
    parts = [
        (primitives.turned(np.array([(radius, 0), (radius, shoulder), (neck, high)]), 24), _plastic(rng)),
        (primitives.rod((0, 0, high), (0, 0, high + cap), neck * 1.1, top, 24), _plastic(rng)),
    ]
    if rng.random() < 0.5:
        band = primitives.rod((0, 0, 0.15 * high), (0, 0, 0.8 * shoulder), 1.01 * radius, 1.01 * radius, 24)
        parts.append((band, _plastic(rng)))
    return [_of(part, stuff) for part, stuff in parts]


def _laid(parts: list[tuple[Part, object]], radius: float) -> Built:
    """What was made upright along z, laid along x on a table."""
    laid = []
    for (points, faces), stuff in parts:
        x, y, z = points.T
        laid.append(_of((np.stack([z, y, radius - x], axis=1), faces), stuff))
    return laid


def _plastic(rng: np.random.Generator) -> object:
    return paint.material(paint.colour(rng), rng.uniform(0.15, 0.8))


def _metal(rng: np.random.Generator) -> object:
    return paint.material(np.full(3, rng.uniform(0.3, 0.85)) * rng.normal(1, 0.04, 3), rng.uniform(0.1, 0.5), 1.0)


def _of(part: Part, stuff: object) -> object:
    return mesh.solid(part[0], part[1], stuff, smooth=len(part[1]) > 12)


TOOLS: tuple[Callable[[np.random.Generator], Built], ...] = (_screwdriver, _screwdriver, _spoon, _key, _lighter, _pot)
