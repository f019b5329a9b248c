"""Household terrain: mugs, plates, books, boxes, napkins, paper strips, pencils and other solids."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from models.solids import TERRAIN
from models.training.slices import Layers, capsule, ellipse, rectangle, stack

Array = NDArray[np.float64]


def any_paint(rng: np.random.Generator) -> Array:
    """Blue, green and red of something painted, two in five nearly white or grey."""
    return np.full(3, rng.uniform(150, 250)) * rng.normal(1, 0.03, 3) if rng.random() < 0.4 else rng.uniform(10, 240, 3)


def _mark(layers: Layers, outline: Array, kind: str, height_mm: float) -> None:
    layers.footprint(outline, TERRAIN.index(kind), height_mm)


def mug(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """An open cylinder with a handle, empty or filled."""
    radius, tall, paint = rng.uniform(32, 48), rng.uniform(60, 115), any_paint(rng)
    handle = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(handle), np.sin(handle)])
    _mark(layers, ellipse(at, (radius, radius)), "mug", tall)
    layers.shadow(ellipse(at, (radius, radius)), tall, rng.uniform(0.15, 0.5))
    _wall(layers, at, radius, tall, paint, handle_first=bool(out @ layers.slant > 0), out=out)
    inside = any_paint(rng) if rng.random() < 0.3 else paint * 0.9
    layers.polygon(ellipse(at, (radius - 3.5, radius - 3.5)), tall, inside * 0.75)
    fill = rng.uniform(0.3, 0.95) * tall
    drink = rng.choice([(20, 40, 70), (15, 20, 30), (200, 210, 215), (60, 110, 160)]) * rng.uniform(0.7, 1.2)
    surface = ellipse(at, (radius - 3.5, radius - 3.5))
    shown = _clipped(surface + layers.slant * fill, surface + layers.slant * tall)
    if shown is not None:
        layers.polygon(shown - layers.slant * fill, fill, drink if rng.random() < 0.6 else inside * 0.55)


def _wall(layers: Layers, at: Array, radius: float, tall: float, paint: Array, handle_first: bool, out: Array) -> None:
    def handle() -> None:
        """The handle, layer by layer, from its foot up."""
        for z in np.arange(0.2 * tall, 0.85 * tall, 1.5):
            bulge = np.sqrt(max(0.0, 1 - ((z / tall - 0.52) / 0.36) ** 2)) * 26
            layers.polygon(
                capsule(at + out * (radius + bulge - 4), at + out * (radius + bulge + 2), 5), z, paint * 0.75
            )

    if handle_first:
        handle()
    stack(layers, ellipse(at, (radius, radius)), (0, tall), paint, top=paint * 1.05)
    if not handle_first:
        handle()


def _clipped(a: Array, b: Array) -> Array | None:
    """The common part of two convex outlines."""
    area, common = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return common.reshape(-1, 2).astype(float) if area > 1 else None


def plate(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """A plate or saucer, its rim wider than its foot."""
    radius, paint = rng.uniform(60, 125), any_paint(rng)
    tall = 0.12 * radius + rng.uniform(2, 8)
    _mark(layers, ellipse(at, (radius, radius)), "plate", tall)
    layers.shadow(ellipse(at, (radius, radius)), tall, rng.uniform(0.1, 0.4))
    for z in np.linspace(0, tall, 12):
        size = radius * (0.6 + 0.4 * z / tall)
        layers.polygon(ellipse(at, (size, size)), z, paint * (0.6 + 0.4 * z / tall))
    if rng.random() < 0.5:
        ring = rng.uniform(0, 220, 3)
        layers.polygon(ellipse(at, (radius * 0.97,) * 2), tall, ring)
        layers.polygon(ellipse(at, (radius * rng.uniform(0.88, 0.95),) * 2), tall, paint)
    well = radius * rng.uniform(0.6, 0.75)
    layers.polygon(ellipse(at, (well, well)), tall * 0.5, paint * rng.uniform(0.86, 0.97))
    layers.polygon(ellipse(at, (well - 2, well - 2)), tall * 0.45, paint * rng.uniform(0.9, 1.0))


def _printed(
    layers: Layers, at: Array, size: tuple[float, float], turn: float, z: float, rng: np.random.Generator
) -> None:
    """Titles and pictures on a cover."""
    axis, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    for _ in range(rng.integers(0, 7)):
        shift = axis * rng.uniform(-0.35, 0.35) * size[0] + across * rng.uniform(-0.35, 0.35) * size[1]
        piece = (size[0] * rng.uniform(0.05, 0.5), size[1] * rng.uniform(0.03, 0.3))
        layers.polygon(rectangle(at + shift, piece, turn), z, rng.uniform(0, 255, 3))


def book(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """One book or a stack of up to three, the larger ones below."""
    turn, z = rng.uniform(0, np.pi), 0.0
    size = np.array([rng.uniform(120, 240), rng.uniform(95, 170)])
    outline = rectangle(at, tuple(size), turn)
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        thick, cover = rng.uniform(8, 40), any_paint(rng)
        _mark(layers, rectangle(at, tuple(size), turn), "book", z + thick)
        layers.shadow(outline, z + thick, rng.uniform(0.1, 0.35))
        stack(layers, rectangle(at, tuple(size), turn), (z, z + 2), cover)
        stack(
            layers,
            rectangle(at, tuple(size - 5), turn),
            (z + 2, z + thick - 2),
            np.array([205.0, 220, 225]) * rng.uniform(0.8, 1.05),
        )
        stack(layers, rectangle(at, tuple(size), turn), (z + thick - 2, z + thick), cover, top=cover)
        _printed(layers, at, tuple(size), turn, z + thick, rng)
        z += thick
        size, turn, at = size * rng.uniform(0.65, 0.95), turn + rng.normal(0, 0.2), at + rng.normal(0, 5, 2)


def box(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """A cardboard, plastic or tin box; a cutting board when it is low."""
    turn, size = rng.uniform(0, np.pi), (rng.uniform(40, 220), rng.uniform(35, 150))
    tall, paint = (
        rng.uniform(12, 110),
        any_paint(rng) if rng.random() < 0.7 else np.array([110.0, 160, 190]) * rng.uniform(0.7, 1.1),
    )
    outline = rectangle(at, size, turn)
    _mark(layers, outline, "box", tall)
    layers.shadow(outline, tall, rng.uniform(0.15, 0.5))
    stack(layers, outline, (0, tall), paint, top=paint * rng.uniform(0.95, 1.15))
    _printed(layers, at, size, turn, tall, rng)


def napkin(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """A folded paper or cloth napkin: nearly flat, soft edges, often patterned."""
    turn, side = rng.uniform(0, np.pi), rng.uniform(90, 190)
    size = (side, side * rng.choice([1.0, 1.0, 0.5]))
    paint = np.full(3, rng.uniform(190, 252)) if rng.random() < 0.5 else rng.uniform(40, 240, 3)
    outline = rectangle(at, size, turn) + rng.normal(0, 1.5, (4, 2))
    _mark(layers, outline, "napkin", 2.0)
    layers.shadow(outline, 3, rng.uniform(0.1, 0.3))
    stack(layers, outline, (0, 2), paint)
    c, s = np.cos(turn), np.sin(turn)
    for _ in range(rng.integers(0, 5)):
        k = rng.uniform(-0.45, 0.45)
        line = (
            np.array([(-0.5, k), (0.5, k)] if rng.random() < 0.5 else [(k, -0.5), (k, 0.5)])
            * size
            @ np.array([[c, s], [-s, c]])
            + at
        )
        layers.polygon(capsule(line[0], line[1], rng.uniform(0.4, 1.0)), 2, paint * rng.uniform(0.8, 0.95))
    if rng.random() < 0.5:
        ink = rng.uniform(0, 230, 3)
        for _ in range(rng.integers(8, 50)):
            dot = rng.uniform(-0.45, 0.45, 2) * size @ np.array([[c, s], [-s, c]]) + at
            layers.polygon(ellipse(dot, (rng.uniform(1, 6),) * 2), 2, ink)


def paper(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """A strip of coloured paper, straight or bent."""
    turn, width, paint = rng.uniform(0, 2 * np.pi), rng.uniform(18, 70), _strip_colour(rng)
    points, where = [at], at
    for _ in range(rng.integers(1, 4)):
        turn += rng.normal(0, 0.5)
        where = where + np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(60, 160)
        points.append(where)
    for a, b in pairwise(points):
        middle, along = (a + b) / 2, b - a
        outline = rectangle(middle, (float(np.hypot(*along)) + 4, width), float(np.arctan2(along[1], along[0])))
        _mark(layers, outline, "paper", 0.0)
        layers.polygon(outline, 0.2, paint * rng.uniform(0.97, 1.03))


def _strip_colour(rng: np.random.Generator) -> Array:
    choices = [(60, 95, 140), (130, 130, 130), (190, 110, 40), (80, 150, 70), (235, 235, 235), (90, 190, 220)]
    return np.clip(np.array(choices[rng.integers(len(choices))]) * rng.normal(1, 0.15) + rng.normal(0, 12, 3), 5, 250)


def pencils(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """Pencils laid in a row, end to end or side by side."""
    turn, length = rng.uniform(0, np.pi), rng.uniform(90, 185)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]])
    count, abreast = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    for i in range(count):
        for j in range(abreast):
            middle = at + along * i * (length + 4) + across * (j * 8.5 + rng.normal(0, 1))
            a, b = middle - along * length / 2, middle + along * length / 2
            paint = rng.uniform(10, 240, 3)
            _mark(layers, capsule(a, b, 4), "pencils", 8.0)
            layers.shadow(capsule(a, b, 4), 7, rng.uniform(0.1, 0.4))
            for z in (1.5, 3, 4.5, 6, 7):
                width = 3.8 * np.sqrt(max(0.1, 1 - ((z - 3.7) / 4) ** 2))
                layers.polygon(capsule(a, b, width), z, paint * (0.5 + 0.07 * z))
            for share, ink in ((0.06, np.array([120.0, 175, 215])), (0.02, paint * 0.3)):
                layers.polygon(capsule(b - along * length * share, b + along * 2, 3.0), 6, ink)


def other_solid(layers: Layers, at: Array, rng: np.random.Generator) -> None:
    """A can, a bottle, a phone, a bowl, a stone: solid, but none of those that have a name."""
    kind = rng.integers(4)
    paint = any_paint(rng)
    if kind == 0:
        radius, tall = rng.uniform(15, 40), rng.uniform(20, 130)
        outline = ellipse(at, (radius, radius))
    elif kind == 1:
        size, tall = (rng.uniform(120, 165), rng.uniform(60, 80)), rng.uniform(6, 11)
        outline, paint = rectangle(at, size, rng.uniform(0, np.pi)), np.full(3, rng.uniform(8, 60))
    elif kind == 2:
        angles = np.sort(rng.uniform(0, 2 * np.pi, 9))
        radius, tall = rng.uniform(18, 60), rng.uniform(10, 60)
        outline = at + np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius * rng.uniform(0.7, 1.2, (9, 1))
        outline = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2).astype(float)
    else:
        radius, tall = rng.uniform(45, 90), rng.uniform(35, 75)
        outline = ellipse(at, (radius, radius))
    _mark(layers, outline, "unknown", tall)
    layers.shadow(outline, tall, rng.uniform(0.15, 0.5))
    stack(layers, outline, (0, tall), paint, top=paint * rng.uniform(0.8, 1.15))
    if kind == 3:
        layers.polygon(at + (outline - at) * 0.93, tall, paint * 0.7)
        layers.polygon(at + (outline - at) * 0.7, tall * 0.6, paint * 0.85)


THINGS = (mug, plate, book, box, napkin, paper, pencils, other_solid)
