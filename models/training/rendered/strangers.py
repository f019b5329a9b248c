"""Round things that are no coins, as Blender objects: washers, nuts, buttons, bottle tops, counters, bases of miniatures.

Each maker builds one at the origin, and returns its objects, its radius and how high its upper face is, mm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import figures, mesh, paint

Array = NDArray[np.float64]
Made = tuple[list[object], float, float]

_TURNS = 72
_ANGLE = np.linspace(0, 2 * np.pi, _TURNS, endpoint=False)
# Steel, zinc, brass, copper (linear RGB), by eye.
_METALS = ((0.55, 0.55, 0.55), (0.62, 0.63, 0.66), (0.25, 0.25, 0.26), (0.72, 0.52, 0.2), (0.75, 0.4, 0.25))
# Crimps of a crown cap: 21 everywhere (DIN 6099).
_CRIMPS = 21


@dataclass(frozen=True, eq=False)
class Stranger:
    """One that lies: where (2,), its radius and how high its upper face is, mm."""

    at_mm: Array
    radius_mm: float
    top_mm: float


def stranger(rng: np.random.Generator) -> Made:
    """Any of them."""
    return _MAKERS[rng.integers(len(_MAKERS))](rng)


def _metal(rng: np.random.Generator) -> object:
    rgb = np.array(_METALS[rng.integers(len(_METALS))]) * rng.normal(1, 0.1)
    return paint.material(rgb, rng.uniform(0.12, 0.5), 1.0, bump_mm=rng.uniform(0, 0.05), grain_mm=rng.uniform(0.5, 4))


def _plastic(rng: np.random.Generator) -> object:
    return paint.material(paint.colour(rng), rng.uniform(0.15, 0.8))


def _turned(profile: list[tuple[float, float]], stuff: object, radius: float) -> object:
    """A body of revolution; `profile` holds (share of the radius, height in mm)."""
    circle = radius * np.c_[np.cos(_ANGLE), np.sin(_ANGLE)]
    return mesh.skin([np.c_[circle * share, np.full(_TURNS, z)] for share, z in profile], stuff)


def _washer(rng: np.random.Generator) -> Made:
    """A flat ring, its edges broken, as DIN 125 and DIN 9021 have them and wider."""
    radius, thick, hole = rng.uniform(6, 18), rng.uniform(0.8, 2.8), rng.uniform(0.25, 0.62)
    soft = rng.uniform(0.05, 0.3) * thick
    edge = soft / radius
    profile = [
        (hole, 0.0),
        (hole, thick - soft),
        (hole + edge, thick),
        (1 - edge, thick),
        (1.0, thick - soft),
        (1.0, 0.0),
    ]
    return [_turned(profile, _metal(rng), radius)], radius, thick


def _nut(rng: np.random.Generator) -> Made:
    """A hexagon with broken corners and a hole, M5 to M14; some with a flange."""
    radius, hole = rng.uniform(4.6, 13), rng.uniform(0.5, 0.62)
    thick = radius * rng.uniform(0.6, 1.0)
    hexagon = np.cos(np.pi / 6) / np.cos(_ANGLE % (np.pi / 3) - np.pi / 6)
    rounded, low = np.minimum(hexagon, 0.93), 0.12 * radius
    stuff, ways = _metal(rng), np.c_[np.cos(_ANGLE), np.sin(_ANGLE)] * radius
    shares = (
        (np.full(_TURNS, hole), 0.0),
        (np.full(_TURNS, hole), thick - 0.05 * radius),
        (np.full(_TURNS, hole + 0.06), thick),
        (rounded, thick),
        (hexagon, thick - low),
        (hexagon, 0.0),
    )
    nut = mesh.skin([np.c_[ways * share[:, None], np.full(_TURNS, z)] for share, z in shares], stuff, smooth=False)
    if rng.random() > 0.2:
        return [nut], radius, thick
    flange = _turned([(hole, 0.0), (0.95, 0.15 * thick), (1.25, 0.08 * thick), (1.25, 0.0)], stuff, radius)
    return [nut, flange], 1.25 * radius, 0.15 * thick


def _button(rng: np.random.Generator) -> Made:
    """A button with a rim and two or four holes."""
    radius, thick = rng.uniform(6, 15), rng.uniform(1.6, 4)
    rim, deep = rng.uniform(0.6, 0.88), rng.uniform(0, 0.35) * thick
    low = thick - deep
    profile = [(0.01, low), (rim - 0.08, low), (rim, thick), (0.93, thick), (1.0, 0.75 * thick), (0.9, 0.0)]
    things = [_turned(profile, _plastic(rng), radius)]
    dark, count, turn = paint.material(np.full(3, 0.02), 0.9), int(rng.choice([2, 4])), rng.uniform(0, 2 * np.pi)
    for k in range(count):
        way = turn + 2 * np.pi * k / count
        at = rng.uniform(0.2, 0.24) * radius * np.array([np.cos(way), np.sin(way)])
        things.append(mesh.prism(mesh.ring(16) * 0.08 * radius + at, low, low + 0.03, dark))
    return things, radius, thick


def _bottle_top(rng: np.random.Generator) -> Made:
    """A crown cap, painted or printed."""
    radius, high = rng.normal(15.5, 0.4), rng.uniform(5.5, 6.5)
    crimped = 1 + 0.045 * np.sin(_CRIMPS * _ANGLE)
    ways = np.c_[np.cos(_ANGLE), np.sin(_ANGLE)] * radius
    smooth = ((0.02, high), (0.76, high), (0.86, 0.93 * high), (0.9, 0.8 * high))
    hoops = [np.c_[ways * share, np.full(_TURNS, z)] for share, z in smooth]
    hoops.append(np.c_[ways * crimped[:, None], np.zeros(_TURNS)])
    stuff = _plastic(rng) if rng.random() < 0.7 else _metal(rng)
    things = [mesh.skin(hoops, stuff)]
    if rng.random() < 0.7:
        things.append(mesh.label(0.78 * radius, high + 0.03, paint.printed(paint.cover(rng, (160, 160)), 0.35)))
    return things, radius, high


def _counter(rng: np.random.Generator) -> Made:
    """A round counter of card, wood or plastic, plain or printed."""
    radius, thick = rng.uniform(6, 20), rng.uniform(0.6, 4)
    edge = rng.uniform(0.02, 0.2) * thick
    profile = [(0.01, thick), (1 - edge / radius, thick), (1.0, thick - edge), (1.0, 0.0)]
    things = [_turned(profile, _plastic(rng), radius)]
    if rng.random() < 0.6:
        face = paint.printed(paint.cover(rng, (160, 160)), rng.uniform(0.3, 0.9))
        things.append(mesh.label(rng.uniform(0.6, 0.97) * radius, thick + 0.03, face))
    return things, radius, thick


def _base(rng: np.random.Generator) -> Made:
    """A base of a miniature on which nothing stands."""
    return figures.disc(rng, figures.disc_size(rng, oval=0.1))


def _miniature(rng: np.random.Generator) -> Made:
    """A painted figure on its base; of its height only the base's counts."""
    things, radius = figures.miniature(rng)
    return things, radius, float(mesh.corners(things[:1])[:, 2].max())


_MAKERS = (_washer, _washer, _nut, _nut, _button, _bottle_top, _counter, _base, _miniature, _miniature)
