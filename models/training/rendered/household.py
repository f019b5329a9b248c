"""Household terrain: mugs, plates, books, boxes, napkins, paper strips, pencils, and other solids without a name.

Each function builds one thing about the origin and returns its objects and its footprints: plan outline and height, mm.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint

Array = NDArray[np.float64]
Built = tuple[list[object], list[tuple[Array, float]]]


def rectangle(size: tuple[float, float]) -> Array:
    """(4, 2) corners about the origin."""
    return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size


def mug(rng: np.random.Generator) -> Built:
    """A mug, cup or beaker, straight or flared, with or without a handle, empty or filled."""
    radius, tall = rng.uniform(30, 48), rng.uniform(55, 115)
    base, wall = radius * rng.uniform(0.62, 1.0), rng.uniform(2, 4)
    glaze = paint.material(paint.colour(rng), rng.uniform(0.05, 0.4), mottle=float(rng.choice([0, 0, 0.2])), grain_mm=8)
    share = np.linspace(0, 1, 8)
    side = np.c_[base + (radius - base) * share ** rng.uniform(0.4, 2), share * tall]
    inner = np.c_[side[::-1, 0] - wall, share[::-1] * (tall - wall) + wall]
    things = [
        mesh.lathe(np.r_[[(0.0, 0.0)], side, [(radius - wall / 2, tall + wall / 3)], inner, [(0.0, wall)]], glaze)
    ]
    if rng.random() < 0.5:
        things.append(_band(rng, side))
    if rng.random() < 0.75:
        things.append(_handle(rng, side, glaze))
    if rng.random() < 0.6:
        things.append(_drink(rng, side, wall))
    return things, [(mesh.ring() * radius, tall)]


def _band(rng: np.random.Generator, side: Array) -> object:
    """A painted ring about the side (n, 2) radius and z."""
    stuff = paint.material(paint.colour(rng), 0.3)
    z = np.sort(rng.uniform(0.1, 0.95, 2)) * side[-1, 1]
    return mesh.lathe(np.c_[np.interp(z, side[:, 1], side[:, 0]) + 0.25, z], stuff)


def _handle(rng: np.random.Generator, side: Array, glaze: object) -> object:
    tall, angle = side[-1, 1], np.linspace(-np.pi / 2, np.pi / 2, 12)
    reach, rise = rng.uniform(20, 32), tall * rng.uniform(0.22, 0.36)
    root = np.interp(0.5 * tall, side[:, 1], side[:, 0]) - 2
    path = np.c_[root + reach * np.cos(angle), np.zeros(12), tall * 0.52 + rise * np.sin(angle)]
    return mesh.tube(path, rng.uniform(3.5, 6), glaze)


def _drink(rng: np.random.Generator, side: Array, wall: float) -> object:
    drinks = ((0.03, 0.015, 0.008), (0.25, 0.10, 0.04), (0.35, 0.2, 0.1), (0.6, 0.6, 0.58), (0.3, 0.12, 0.01))
    z = rng.uniform(0.35, 0.93) * side[-1, 1]
    width = float(np.interp(z, side[:, 1], side[:, 0])) - wall
    return mesh.prism(mesh.ring() * width, z - 1, z, paint.material(np.array(drinks[rng.integers(len(drinks))]), 0.05))


def plate(rng: np.random.Generator) -> Built:
    """A plate or saucer, its rim wider than its foot, perhaps with a painted border."""
    radius = rng.uniform(55, 130)
    tall, well = 0.1 * radius + rng.uniform(2, 9), radius * rng.uniform(0.5, 0.75)
    glaze = paint.material(paint.colour(rng), rng.uniform(0.05, 0.5))
    profile = [(0, 1), (well, 1), (well, 0), (radius * 0.8, tall * 0.4), (radius, tall), (radius - 2, tall + 1.5)]
    profile += [(radius * 0.8, tall * 0.4 + 3), (well, 4.5), (well * 0.6, 4.0), (0, 4.0)]
    things = [mesh.lathe(np.array(profile, float), glaze)]
    if rng.random() < 0.4:
        inner = rng.uniform(0.86, 0.97)
        slope = (tall * 0.6 - 1.5) / (radius * 0.2 - 2)
        ends = np.array([(radius - 2, tall + 1.7), (radius * inner, tall + 1.7 - slope * (radius * (1 - inner) - 2))])
        things.append(mesh.lathe(ends, paint.material(paint.colour(rng), 0.3)))
    return things, [(mesh.ring() * radius, tall)]


def book(rng: np.random.Generator) -> Built:
    """One book or a stack of up to three, the larger ones below."""
    size, turn, shift, z = np.array([rng.uniform(120, 240), rng.uniform(95, 170)]), 0.0, np.zeros(2), 0.0
    things: list[object] = []
    prints = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        thick = rng.uniform(6, 40)
        board = paint.material(paint.colour(rng), rng.uniform(0.3, 0.8))
        leaves = paint.material(np.array([0.75, 0.70, 0.6]) * rng.uniform(0.7, 1.1), 0.9)
        inset = rng.uniform(0, 5)
        layers = [
            mesh.prism(rectangle(tuple(size)), z, z + 1.5, board),
            mesh.prism(rectangle(tuple(size - inset)), z + 1.5, z + thick - 1.5, leaves),
            mesh.prism(rectangle(tuple(size)), z + thick - 1.5, z + thick, board),
            _face(rng, size, z + thick + 0.1),
        ]
        if rng.random() < 0.8:
            spine = np.array([(-size[0] / 2 - 1, 0), (-size[0] / 2 + 2, 0)])
            corners = np.array(
                [
                    (x, s * size[1] / 2)
                    for x, s in ((spine[0, 0], -1), (spine[1, 0], -1), (spine[1, 0], 1), (spine[0, 0], 1))
                ]
            )
            layers.append(mesh.prism(corners, z, z + thick, board))
        mesh.place(layers, shift, turn, 0)
        prints.append((_moved(rectangle(tuple(size)), shift, turn), z + thick))
        things, z = [*things, *layers], z + thick
        size, turn, shift = size * rng.uniform(0.65, 0.97), turn + rng.normal(0, 0.2), shift + rng.normal(0, 5, 2)
    return things, prints


def _face(rng: np.random.Generator, size: Array, z: float) -> object:
    face = mesh.sheet(tuple(size), np.zeros((2, 2)), paint.printed(paint.cover(rng), rng.uniform(0.15, 0.7)))
    face.location = (0, 0, z)
    return face


def _moved(outline: Array, shift: Array, turn: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    return outline @ np.array([[c, s], [-s, c]]) + shift


def box(rng: np.random.Generator) -> Built:
    """A cardboard, plastic or tin box; a cutting board when it is low."""
    size, tall = np.array([rng.uniform(40, 220), rng.uniform(35, 150)]), rng.uniform(10, 110)
    tint = paint.colour(rng) if rng.random() < 0.65 else np.array([0.42, 0.28, 0.16]) * rng.uniform(0.6, 1.3)
    stuff = paint.material(tint, rng.uniform(0.15, 0.9), mottle=0.08, grain_mm=10)
    things = [mesh.prism(rectangle(tuple(size)), 0, tall, stuff, rng.uniform(0.97, 1.0))]
    if rng.random() < 0.55:
        things.append(_face(rng, size * 0.97, tall + 0.1))
        sides = paint.printed(paint.cover(rng), 0.5)
        for sign in (1, -1):
            side = mesh.sheet((size[0] * 0.97, tall * 0.97), np.zeros((2, 2)), sides)
            side.rotation_euler, side.location = (sign * np.pi / 2, 0, 0), (0, -sign * (size[1] / 2 + 0.2), tall / 2)
            things.append(side)
    if rng.random() < 0.3:
        things.append(mesh.prism(rectangle(tuple(size + 3)), tall * rng.uniform(0.6, 0.85), tall + 1, stuff))
    return things, [(rectangle(tuple(size)), tall)]


def napkin(rng: np.random.Generator) -> Built:
    """A folded paper or cloth napkin: soft creases, waves and a print."""
    side = rng.uniform(90, 190)
    size = (side, side * float(rng.choice([1.0, 1.0, 0.5])))
    waves = cv2.resize(rng.normal(0, 1, (5, 5)).astype(np.float32), (30, 30), interpolation=cv2.INTER_CUBIC)
    lift = 1.5 + np.abs(waves) * rng.uniform(0.2, 2.5)
    crease = np.abs(np.linspace(-1, 1, 30))
    lift += (
        rng.uniform(0, 2) * (1 - np.clip(crease * 6, 0, 1))[None, :]
        + rng.uniform(0, 2) * (1 - np.clip(crease * 6, 0, 1))[:, None]
    )
    cloth = paint.printed(paint.pattern(rng), 0.9)
    things = [mesh.sheet(size, mesh.finer(lift, size), cloth)]
    for n in range(rng.integers(0, 3)):
        smaller = (size[0] - 2 * n, size[1] - 1)
        under = mesh.sheet(smaller, mesh.finer(np.full((2, 2), 0.4 + 0.3 * n), smaller), cloth)
        under.rotation_euler = (0, 0, rng.normal(0, 0.02))
        things.append(under)
    return things, [(rectangle(size), 2.0)]


def paper(rng: np.random.Generator) -> Built:
    """A strip of coloured paper, perhaps with a bend on the way, nearly flat."""
    width, turn, at = rng.uniform(18, 70), 0.0, np.zeros(2)
    tints = (
        (0.26, 0.11, 0.05),
        (0.22, 0.22, 0.22),
        (0.03, 0.16, 0.5),
        (0.07, 0.3, 0.08),
        (0.8, 0.8, 0.8),
        (0.7, 0.5, 0.1),
    )
    stuff = paint.material(np.array(tints[rng.integers(len(tints))]) * rng.uniform(0.5, 1.2), 0.9)
    things, prints = [], []
    for _ in range(rng.integers(1, 4)):
        turn, length = turn + rng.normal(0, 0.5), rng.uniform(60, 160)
        ahead = np.array([np.cos(turn), np.sin(turn)])
        middle = at + ahead * length / 2
        lift = 0.3 + np.abs(rng.normal(0, rng.uniform(0, 0.6), (3, 6))).cumsum(axis=1) * 0.3
        strip = mesh.sheet((length + 4, width), mesh.finer(lift, (length + 4, width)), stuff)
        mesh.place([strip], middle, turn, 0)
        things.append(strip)
        prints.append((_moved(rectangle((length + 4, width)), middle, turn), 0.0))
        at = at + ahead * length
    return things, prints


def pencils(rng: np.random.Generator) -> Built:
    """Pencils or pens laid in a row, end to end or side by side."""
    things, prints = [], []
    length = rng.uniform(90, 185)
    wood, sides = paint.material(np.array([0.55, 0.36, 0.2]), 0.7), int(rng.choice([6, 6, 12]))
    for i in range(rng.integers(1, 4)):
        for j in range(rng.integers(1, 3)):
            at = np.array([i * (length + 4), j * 8.5 + rng.normal(0, 1)])
            lacquer, lead = paint.material(paint.colour(rng), 0.25), paint.material(np.full(3, 0.03), 0.4)
            pieces = [(-0.5, 0.41, 3.7, 3.7, lacquer), (0.41, 0.48, 3.6, 1.2, wood), (0.48, 0.5, 1.2, 0.3, lead)]
            if rng.random() < 0.5:
                pieces.append((-0.54, -0.5, 3.4, 3.4, paint.material(paint.colour(rng), 0.6)))
            for start, end, thick, thin, stuff in pieces:
                rod = np.array([(start * length, 0, 3.7), (end * length, 0, 3.7)])
                points, faces = mesh.tube_mesh(rod, np.array([thick, thin]), sides)
                things.append(mesh.solid(points, faces, stuff))
                mesh.place([things[-1]], at, 0.0, 0)
            prints.append((rectangle((length, 8.0)) + at, 8.0))
    return things, prints


def other(rng: np.random.Generator) -> Built:
    """A can, a phone, a stone, a bowl, a roll of tape, a bottle: solid, but none of those that have a name."""
    make = (_can, _phone, _stone, _bowl, _roll, _bottle)[rng.integers(6)]
    return make(rng, paint.material(paint.colour(rng), rng.uniform(0.05, 0.6), float(rng.random() < 0.25)))


def _turned(profile: list[tuple[float, float]], stuff: object, radius: float, tall: float) -> Built:
    return [mesh.lathe(np.array(profile, float), stuff)], [(mesh.ring() * radius, tall)]


def _can(rng: np.random.Generator, stuff: object) -> Built:
    r, h = rng.uniform(15, 40), rng.uniform(15, 125)
    rim = [(r, h - 2), (r * 0.93, h), (r * 0.9, h - 2), (0, h - 2)]
    return _turned([(0, 0), (r * 0.95, 0), (r, 2), *rim], stuff, r, h)


def _phone(rng: np.random.Generator, stuff: object) -> Built:
    size, tall = (rng.uniform(120, 165), rng.uniform(60, 80)), rng.uniform(6, 11)
    glass = paint.material(np.full(3, rng.uniform(0.005, 0.05)), 0.08)
    face = mesh.prism(rectangle((size[0] - 6, size[1] - 5)), tall, tall + 0.3, glass)
    return [mesh.prism(rectangle(size), 0, tall, stuff), face], [(rectangle(size), tall)]


def _bowl(rng: np.random.Generator, stuff: object) -> Built:
    r, h = rng.uniform(45, 90), rng.uniform(35, 75)
    inside = [(r - 3, h), (r * 0.8, h * 0.5), (r * 0.4, 5), (0, 5)]
    return _turned([(0, 0), (r * 0.5, 0), (r * 0.85, h * 0.5), (r, h), *inside], stuff, r, h)


def _roll(rng: np.random.Generator, stuff: object) -> Built:
    r, h = rng.uniform(25, 55), rng.uniform(10, 50)
    hole = r * rng.uniform(0.4, 0.8)
    return _turned([(hole, 0), (r, 0), (r, h), (hole, h), (hole, 0)], stuff, r, h)


def _bottle(rng: np.random.Generator, stuff: object) -> Built:
    r, h = rng.uniform(25, 40), rng.uniform(90, 160)
    return _turned([(0, 0), (r, 0), (r, h * 0.6), (r * 0.4, h * 0.8), (r * 0.4, h), (0, h)], stuff, r, h)


def _stone(rng: np.random.Generator, _stuff: object) -> Built:
    radius, tall = rng.uniform(18, 60), rng.uniform(10, 60)
    circle = mesh.ring(14)
    outline = circle * radius * rng.uniform(0.75, 1.2, (14, 1))
    rock = paint.material(
        np.full(3, rng.uniform(0.05, 0.5)) * rng.normal(1, 0.1, 3), 0.9, bump_mm=2, grain_mm=6, mottle=0.4
    )
    hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2).astype(float)
    return [mesh.prism(hull, 0, tall * 0.5, rock, 0.95), mesh.prism(hull * 0.95, tall * 0.5, tall, rock, 0.55)], [
        (hull, tall)
    ]


FLAT: tuple[Callable[[np.random.Generator], Built], ...] = (napkin, paper)
SOLID: tuple[Callable[[np.random.Generator], Built], ...] = (mug, mug, plate, book, box, pencils, other, other)
CLASS = {
    mug: "mug",
    plate: "plate",
    book: "book",
    box: "box",
    napkin: "napkin",
    paper: "paper",
    pencils: "pencils",
    other: "unknown",
}
