"""Lays one table of solids in Blender and says what stands where."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.solids import TERRAIN
from models.training.rendered import figures, hands, household, mesh
from models.training.rendered.measures import HAND_INDEX, TERRAIN_INDEX

Array = NDArray[np.float64]


# Of `models.solids.FIGURES`, how often each kind of toy soldier comes.
_KINDS = (0, 0, 0, 0, 0, 1, 2)


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure: its kind in `models.solids.FIGURES`, mm with y upwards, rad; its army's colour and its number."""

    kind: int
    at: Array
    facing: float
    radius: float
    elevation: float
    colour: str
    number: int


@dataclass(eq=False)
class Truth:
    """Figures, and footprints of terrain (class, outline, height); `things` says which belong to one thing."""

    figures: list[Figure] = field(default_factory=list)
    footprints: list[tuple[int, Array, float]] = field(default_factory=list)
    things: list[int] = field(default_factory=list)


def lay(rng: np.random.Generator, size_mm: tuple[float, float], crowd: int = 1) -> Truth:
    """Everything on a table about the origin; `crowd` times as much as on a plate-sized piece of one."""
    truth, taken, size = Truth(), [], np.array(size_mm)
    for _ in range(crowd * int(rng.choice([0, 0, 1, 2]))):
        make = household.FLAT[rng.integers(len(household.FLAT))]
        terrain(rng, truth, make, rng.uniform(-0.5, 0.5, 2) * size)
    for _ in range(crowd * int(rng.choice([0, 0, 1, 1, 2, 3]))):
        make = household.SOLID[rng.integers(len(household.SOLID))]
        at = _free(rng, taken, size, 90)
        if at is not None:
            taken.append((at, 70.0))
            terrain(rng, truth, make, at)
    armies = [figures.army(rng) for _ in range(2)]
    number = _armies(rng, truth, taken, size, armies)
    if rng.random() < 0.6:
        _climbers(rng, truth, number, armies)
    if rng.random() < 0.2:
        things = hands.hand(rng)
        mesh.place(things, rng.uniform(-0.3, 0.3, 2) * size, rng.uniform(0, 2 * np.pi), HAND_INDEX)
    return truth


def _free(rng: np.random.Generator, taken: list[tuple[Array, float]], size: Array, apart: float) -> Array | None:
    for _ in range(12):
        at = rng.uniform(-0.5, 0.5, 2) * size
        if all(np.hypot(*(at - other)) > apart + radius for other, radius in taken):
            return at
    return None


def terrain(rng: np.random.Generator, truth: Truth, make: object, at: Array) -> None:
    """One household thing, or some other, set down at (x, y) mm, turned any way."""
    turn = rng.uniform(0, 2 * np.pi)
    things, prints = make(rng)
    mesh.place(things, at, turn, TERRAIN_INDEX)
    c, s = np.cos(turn), np.sin(turn)
    thing = max(truth.things, default=-1) + 1
    for outline, height in prints:
        truth.things.append(thing)
        moved = outline @ np.array([[c, s], [-s, c]]) + at
        truth.footprints.append((TERRAIN.index(household.CLASS.get(make, "unknown")), moved, height))


def _armies(rng: np.random.Generator, truth: Truth, taken: list[tuple[Array, float]], size: Array, armies: list) -> int:
    """Toy soldiers of two colours, or miniatures, strewn or in ranks; returns the number of the next figure."""
    style = rng.random()
    count = int(rng.integers(1, 16)) if style < 0.85 else 0
    tall = rng.uniform(44, 66) if rng.random() < 0.65 else rng.uniform(20, 30)
    ranks = _ranks(rng, count, tall, size) if count and rng.random() < 0.3 and style < 0.6 else None
    for number in range(1, count + 1):
        at = ranks[number - 1] if ranks is not None else _free(rng, taken, size, 0.3 * tall)
        if at is None or any(np.hypot(*(at - other)) < radius for other, radius in taken):
            continue
        kinds = (0,) if ranks is not None else _KINDS if style < 0.6 else (3,)
        figure = _stood(rng, armies, tall * rng.normal(1, 0.05), kinds, at, 0.0, number)
        taken.append((at, 1.15 * figure.radius))
        truth.figures.append(figure)
    return count + 1


def _climbers(rng: np.random.Generator, truth: Truth, number: int, armies: list) -> None:
    """Figures on top of the last book or box."""
    flat_tops = [print_ for print_ in truth.footprints if TERRAIN[print_[0]] in ("book", "box")]
    for _, outline, height in flat_tops[-1:]:
        for index in range(number, number + int(rng.integers(1, 4))):
            at = rng.dirichlet(np.ones(len(outline)) * 2) @ outline
            kinds = _KINDS if rng.random() < 0.7 else (3,)
            truth.figures.append(_stood(rng, armies, rng.uniform(24, 62), kinds, at, height, index))


def _stood(
    rng: np.random.Generator,
    armies: list,
    tall: float,
    kinds: tuple[int, ...],
    at: Array,
    elevation: float,
    number: int,
) -> Figure:
    """One figure of one of those kinds put down at (x, y), `elevation` above the table."""
    colour, plastic = armies[rng.integers(2)]
    kind = int(rng.choice(kinds))
    things, radius = _figure(rng, kind, plastic, tall)
    facing = rng.uniform(-np.pi, np.pi)
    for thing in things:
        thing.location[2] += elevation
    mesh.place(things, at, facing, number)
    return Figure(kind, at, facing, radius, elevation, "none" if kind == 3 else colour, number)


def _ranks(rng: np.random.Generator, count: int, tall: float, size: Array) -> Array:
    """Places of men in rank and file: horses and guns would stand in one another."""
    step, wide = tall * rng.uniform(0.55, 1.0), int(rng.integers(2, 6))
    grid = np.array([(n % wide, n // wide) for n in range(count)], float) * step
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    jitter = rng.normal(0, 0.05 * tall, (count, 2))
    return grid @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.25, 0.25, 2) * size + jitter


def _figure(rng: np.random.Generator, kind: int, plastic: object, tall: float) -> tuple[list[object], float]:
    if kind == 3:
        return figures.miniature(rng)
    if kind == 0 and rng.random() < 0.1:
        return figures.fallen(rng, plastic, tall)
    return (figures.foot, figures.mounted, figures.gun)[kind](rng, plastic, tall)


def draw_footprints(truth: Truth, side_mm: float, px_per_mm: float) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """(n, n) class and height of terrain by its footprint, y downwards."""
    size = round(side_mm * px_per_mm)
    ground, height = np.zeros((size, size), np.uint8), np.zeros((size, size), np.float32)
    for cls, outline, tall in truth.footprints:
        px = (outline * (1, -1) + side_mm / 2) * px_per_mm - 0.5
        corners = np.rint(px * 16).astype(np.int32)
        cv2.fillPoly(ground, [corners], cls, cv2.LINE_8, 4)
        cv2.fillPoly(height, [corners], tall, cv2.LINE_8, 4)
    return ground, height
