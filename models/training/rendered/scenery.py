"""Scenery as war gamers make it: trees, hedges, hills of foam, ruined walls, houses and rocks; and dice, which are none.

Each function builds one thing about the origin and returns its objects and its footprints, as `household` does. The eyes
have no name for any of it but `unknown`; it is there to be told from who stands among it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint
from models.training.rendered.household import Built, rectangle

Array = NDArray[np.float64]
_ROUND, _RINGS = 18, 10
# Grass, moss, dead leaves, autumn, snow.
_LEAVES = ((0.05, 0.16, 0.03), (0.12, 0.18, 0.05), (0.2, 0.13, 0.05), (0.4, 0.16, 0.03), (0.6, 0.62, 0.65))


def tree(rng: np.random.Generator) -> Built:
    """One to four trees, all round or all pointed, on a disc or on nothing: trunks with clumps of flock."""
    leaves, bark = _foliage(rng), paint.material(np.array([0.14, 0.09, 0.05]) * rng.uniform(0.4, 1.5), 0.9, bump_mm=0.5)
    count, crown = int(rng.choice([1, 1, 2, 4])), _pointed if rng.random() < 0.35 else _round
    tall = rng.uniform(45, 130)
    feet = [rng.normal(0, 0.25 * tall, 2) if count > 1 else np.zeros(2) for _ in range(count)]
    things = [
        thing for foot in feet for thing in (_trunk(rng, foot, 0.6 * tall, bark), *crown(rng, foot, tall, leaves))
    ]
    ground = np.concatenate([foot + mesh.ring(12) * 0.12 * tall for foot in feet])
    if rng.random() < 0.6:
        ground = mesh.ring() * (np.hypot(*ground.T).max() + rng.uniform(2, 15))
        things.append(mesh.prism(ground, 0, rng.uniform(1.5, 4), _earth(rng), 0.93))
    return things, [(_hull(ground), tall)]


def _pointed(rng: np.random.Generator, foot: Array, tall: float, leaves: object) -> list[object]:
    wide = tall * rng.uniform(0.12, 0.25)
    middle = np.array([*foot, 0.52 * tall])
    return [_clump(rng, middle, np.array([wide, wide, 0.48 * tall]), leaves, taper=rng.uniform(0.3, 1))]


def _round(rng: np.random.Generator, foot: Array, tall: float, leaves: object) -> list[object]:
    clumps = []
    for _ in range(int(rng.integers(2, 6))):
        radius = tall * rng.uniform(0.14, 0.28)
        at = np.array([*(foot + rng.normal(0, 0.1 * tall, 2)), tall * rng.uniform(0.5, 0.85)])
        clumps.append(_clump(rng, at, radius * np.array([1, 1, rng.uniform(0.6, 1.2)]), leaves))
    return clumps


def hedge(rng: np.random.Generator) -> Built:
    """A row of clumps on a strip."""
    length, wide, tall = rng.uniform(60, 160), rng.uniform(8, 18), rng.uniform(12, 40)
    leaves = _foliage(rng)
    steps = np.arange(-length / 2, length / 2, 0.8 * wide)
    size = np.array([wide * 0.8, wide / 2, tall * 0.55])
    things: list[object] = [
        _clump(rng, np.array([x, rng.normal(0, 1), tall * 0.45]), size * rng.uniform(0.8, 1.2), leaves) for x in steps
    ]
    strip = rectangle((length + wide, wide * 1.4))
    things.append(mesh.prism(strip, 0, 2.5, _earth(rng), 0.95))
    return things, [(strip, tall)]


def hill(rng: np.random.Generator) -> Built:
    """Layers of foam, each smaller than that below, flocked."""
    radius = rng.uniform(40, 100)
    outline = mesh.ring(24) * radius * _wavy(rng, 24)[:, None] * (1.0, rng.uniform(0.5, 1.0))
    outline = _hull(outline)
    step, count, earth = rng.uniform(8, 25), int(rng.integers(1, 4)), _earth(rng)
    layers: list[object] = []
    for n in range(count):
        layers.append(mesh.prism(outline * 0.75**n, n * step, (n + 1) * step, earth, rng.uniform(0.8, 0.98)))
    return layers, [(outline, count * step)]


def ruin(rng: np.random.Generator) -> Built:
    """One or two walls at a corner, broken along the top, with gaps for windows, perhaps rubble."""
    stone = _masonry(rng)
    thick, tall = rng.uniform(3, 9), rng.uniform(25, 110)
    things, prints = [], []
    for n in range(int(rng.integers(1, 3))):
        blocks, length = _wall(rng, (thick, tall), stone, n == 1)
        things += blocks
        prints.append((_turned(rectangle((length, thick)) + (length / 2, 0), n == 1), tall))
    for _ in range(int(rng.integers(0, 8))):
        side, at = rng.uniform(3, 10), rng.uniform(0, 50, 2)
        things.append(mesh.prism(rectangle((side, side * rng.uniform(0.5, 1))) + at, 0, side * 0.6, stone, 0.8))
    return things, prints


def _wall(
    rng: np.random.Generator, size: tuple[float, float], stone: object, is_turned: bool
) -> tuple[list[object], float]:
    """Pieces so thick and at most so tall, side by side from the corner, and how long they are together."""
    (thick, tall), end, width = size, rng.uniform(40, 130), rng.uniform(8, 20)
    blocks, length, height = [], 0.0, tall * rng.uniform(0.6, 1)
    while length < end:
        height = float(np.clip(height * rng.uniform(0.6, 1.4), 0.2 * tall, tall))
        # Now and then there is a piece only above a window.
        low = 0.6 * height if rng.random() < 0.1 else 0.0
        block = _turned(rectangle((width, thick)) + (length + width / 2, 0), is_turned)
        blocks.append(mesh.prism(block, low, height, stone))
        length += width * float(rng.choice([1, 1, 1, 1.6]))
    return blocks, length


def house(rng: np.random.Generator) -> Built:
    """Four walls, painted openings and a pitched or flat roof."""
    size, tall = np.array([rng.uniform(40, 120), rng.uniform(35, 90)]), rng.uniform(30, 80)
    walls = rectangle((float(size[0]), float(size[1])))
    roof, top = _roof(rng, size, tall)
    return [mesh.prism(walls, 0, tall, _masonry(rng)), *_openings(rng, size, tall), roof], [(walls, top)]


def _openings(rng: np.random.Generator, size: Array, tall: float) -> list[object]:
    hole = paint.material(np.full(3, rng.uniform(0.01, 0.1)), 0.6)
    places = [
        (x, sign * (size[1] / 2 + 0.1))
        for sign in (-1, 1)
        for x in np.arange(-size[0] / 2 + 12, size[0] / 2 - 8, rng.uniform(16, 30))
    ]
    return [mesh.prism(rectangle((8, 1)) + at, tall * 0.35, tall * 0.7, hole) for at in places]


def _roof(rng: np.random.Generator, size: Array, tall: float) -> tuple[object, float]:
    """A roof on walls so long, wide and tall, and how high it reaches."""
    tiles = paint.material(paint.colour(rng), 0.8, mottle=0.3, grain_mm=4)
    if rng.random() < 0.3:
        return mesh.prism(rectangle((float(size[0]), float(size[1]))) * 1.04, tall, tall + 3, tiles), tall + 3
    (x, y), top = size / 2 * 1.08, tall + rng.uniform(15, 45)
    points = [(-x, -y, tall), (x, -y, tall), (x, y, tall), (-x, y, tall), (-x, 0, top), (x, 0, top)]
    faces: list[tuple[int, ...]] = [(0, 1, 5, 4), (2, 3, 4, 5), (0, 4, 3), (1, 2, 5), (3, 2, 1, 0)]
    return mesh.solid(np.array(points), faces, tiles), top


def rocks(rng: np.random.Generator) -> Built:
    """One to five boulders."""
    grey = paint.material(np.full(3, rng.uniform(0.04, 0.5)) * rng.normal(1, 0.1, 3), 0.9, 0.0, 1.5, 5, 0.4)
    things: list[object] = []
    outline = []
    for _ in range(int(rng.integers(1, 6))):
        size = rng.uniform(6, 32) * rng.uniform(0.6, 1.0, 3)
        at = rng.normal(0, 25, 2)
        things.append(_clump(rng, np.array([*at, 0.4 * size[2]]), size, grey, 0.12))
        outline.append((at + mesh.ring(14) * size[:2], 1.3 * float(size[2])))
    return things, outline


def die(rng: np.random.Generator) -> Built:
    """A die by its body, corners off, with pips on top: no terrain, so without a footprint."""
    side = rng.uniform(10, 17)
    plastic = paint.material(paint.colour(rng), rng.uniform(0.1, 0.5))
    ink = paint.material(np.full(3, rng.choice([0.02, 0.8])), 0.5)
    body = [mesh.prism(rectangle((side, side)), 0.0, side, plastic, 0.97)]
    pips = rng.permutation(9)[: rng.integers(1, 7)]
    spots = np.array([(n // 3 - 1, n % 3 - 1) for n in pips]) * 0.28 * side
    body += [mesh.prism(mesh.ring(10) * 0.09 * side + at, side, side + 0.1, ink) for at in spots]
    return body, []


THINGS = (tree, tree, tree, hedge, hill, ruin, ruin, house, rocks)


def _foliage(rng: np.random.Generator) -> object:
    tint = np.array(_LEAVES[rng.integers(len(_LEAVES))]) * rng.uniform(0.5, 1.8)
    return paint.material(tint, 1.0, bump_mm=2.5, grain_mm=rng.uniform(1.5, 4), mottle=0.6)


def _earth(rng: np.random.Generator) -> object:
    tint = np.array(_LEAVES[rng.integers(3)]) * rng.uniform(0.6, 2.5)
    return paint.material(tint, 1.0, bump_mm=0.6, grain_mm=2, mottle=0.5)


def _masonry(rng: np.random.Generator) -> object:
    tint = np.full(3, rng.uniform(0.05, 0.5)) * np.exp(rng.normal(0, 0.15, 3))
    return paint.material(tint, 0.9, bump_mm=0.8, grain_mm=rng.uniform(2, 8), mottle=0.4)


def _trunk(rng: np.random.Generator, foot: Array, tall: float, bark: object) -> object:
    lean = np.array([*(foot + rng.normal(0, 0.06 * tall, 2)), tall])
    return mesh.tube(np.linspace([*foot, 0.0], lean, 4), np.array([0.07, 0.045, 0.04, 0.02]) * tall, bark)


def _clump(
    rng: np.random.Generator, at: Array, size: Array, stuff: object, rough: float = 0.22, taper: float = 0.0
) -> object:
    """An egg with a rugged skin, thinner upwards by `taper`, its lower side not below the table."""
    bumps = cv2.resize(rng.normal(0, 1, (5, 7)).astype(np.float32), (_ROUND, _RINGS), interpolation=cv2.INTER_CUBIC)
    bumps = 1 + rough * (bumps + 0.5 * rng.normal(0, 1, bumps.shape))
    polar = np.linspace(0.05, np.pi - 0.05, _RINGS)[:, None, None]
    circle = mesh.ring(_ROUND)[None]
    skin = np.concatenate([circle * np.sin(polar), np.broadcast_to(-np.cos(polar), (_RINGS, _ROUND, 1))], axis=2)
    shape = size * skin * np.clip(bumps, 0.4, 1.6)[..., None]
    shape[..., :2] *= 1 - taper * (skin[..., 2:] + 1) / 2.2
    points = (at + shape).reshape(-1, 3)
    points[:, 2] = np.maximum(points[:, 2], 0)
    faces: list[tuple[int, ...]] = [
        (k * _ROUND + i, k * _ROUND + (i + 1) % _ROUND, (k + 1) * _ROUND + (i + 1) % _ROUND, (k + 1) * _ROUND + i)
        for k in range(_RINGS - 1)
        for i in range(_ROUND)
    ]
    faces.append(tuple(range((_RINGS - 1) * _ROUND, _RINGS * _ROUND)))
    return mesh.solid(points, faces, stuff, smooth=True)


def _turned(outline: Array, is_turned: bool) -> Array:
    """The same along the other wall of a corner."""
    return _hull(outline[:, ::-1] if is_turned else outline)


def _wavy(rng: np.random.Generator, count: int) -> Array:
    """(count,) factors about 1 that change smoothly round a circle."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return 1 + sum(rng.normal(0, 0.12 / n) * np.cos(n * angle + rng.uniform(0, 6)) for n in (1, 2, 3, 4))


def _hull(points: Array) -> Array:
    """(n, 2) convex outline."""
    return cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(float)
