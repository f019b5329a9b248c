"""Upright things as parameters: drums (mugs, plates) and blocks (books, boxes, sheets), and outlines that they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from vision.detect.box.block_outlines import block_outlines, corners

Array = NDArray[np.float64]

# Points on a rim, on the half of a foot that shows, and on each of the two sides that join them.
_RIM, _FOOT, _SIDE = 48, 24, 14
# The foot of a drum bends out of sight a little before its sides.
_FOOT_REACH = 1.35
# How much the parts of a drum count, where all of them show.
_RIM_WEIGHT, _FOOT_WEIGHT, _SIDES_WEIGHT = 0.5, 0.3, 0.3
# Points of an outline above the table and those a little ahead, (n, k, 3) mm each, and what they count (n,).
Part = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class Form:
    """A form that things have: its outlines by its parameters, and how far these go.

    outlines   function of parameters (n, parameters) and the camera's place (3,) mm: the outlines that it sees
    footprint  function of one set of parameters: the polygon on the table, mm
    size       function of (n, parameters): (n,) as the area of a block; constant for drums, whose size does not count
    least      least and most value of each parameter; the last parameter is the height in mm
    """

    outlines: Callable[[Array, Array], list[Part]]
    footprint: Callable[[Array], Polygon]
    size: Callable[[Array], Array]
    least: Array
    most: Array


def _drum(shapes: Array, eye_mm: Array) -> list[Part]:
    """(n, 6) x, y, radius of the rim, that of the foot as a share of it, breadth of the lip, height: the rim, the near
    half of the foot, and the two sides that join them.

    The far half of a rim ends against what lies behind it, the near half against the dark inside of the thing.
    """
    x, y, radius, share, lip, height = shapes.T[..., None]
    towards = np.arctan2(eye_mm[1] - y, eye_mm[0] - x)
    turns = np.linspace(-np.pi / 2, 3 * np.pi / 2, _RIM, endpoint=False)
    edge = radius - lip * (turns < np.pi / 2)
    near = towards + np.linspace(-_FOOT_REACH, _FOOT_REACH, _FOOT)
    rim, rim_ahead = (_circle(x, y, height, edge, towards + turns + step) for step in (0, 0.02))
    foot, foot_ahead = (_circle(x, y, 0 * height, radius * share, near + step) for step in (0, 0.02))
    whole = np.ones(len(shapes))
    parts = [(rim, rim_ahead, _RIM_WEIGHT * whole), (foot, foot_ahead, _FOOT_WEIGHT * whole)]
    return [*parts, *_sides(shapes, eye_mm)]


def _sides(shapes: Array, eye_mm: Array) -> list[Part]:
    """Tangents to the foot and to the rim as it shows on the table; none where the one hides the other."""
    at, radius, height = shapes[:, :2], shapes[:, 2], shapes[:, 5]
    larger = eye_mm[2] / (eye_mm[2] - height)
    shown = eye_mm[:2] + (at - eye_mm[:2]) * larger[:, None]
    foot_radius, rim_radius = radius * shapes[:, 3], radius * larger
    apart = np.linalg.norm(shown - at, axis=1)
    valid = apart > 1.2 * np.abs(foot_radius - rim_radius)
    cosine = np.divide(foot_radius - rim_radius, apart, out=np.zeros_like(apart), where=valid)
    ahead = (shown - at) / (apart[:, None] + 1e-9)
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * np.sqrt(1 - cosine**2)[:, None]
    parts = []
    for normal in (cosine[:, None] * ahead + aside, cosine[:, None] * ahead - aside):
        start, end = at + foot_radius[:, None] * normal, shown + rim_radius[:, None] * normal
        parts.append((*_line(start, end), 0.5 * _SIDES_WEIGHT * valid))
    return parts


def _line(start: Array, end: Array) -> tuple[Array, Array]:
    """Points on the table from start (n, 2) to end, and those a millimetre ahead."""
    along = end - start
    step = along / (np.linalg.norm(along, axis=1, keepdims=True) + 1e-9)
    points = start[:, None] + along[:, None] * np.linspace(0.05, 0.95, _SIDE)[None, :, None]
    flat = np.concatenate([points, np.zeros((*points.shape[:2], 1))], axis=2)
    return flat, flat + np.append(step, np.zeros((len(step), 1)), axis=1)[:, None]


def _circle(x: Array, y: Array, z: Array, radius: Array, angle: Array) -> Array:
    u, v = x + radius * np.cos(angle), y + radius * np.sin(angle)
    return np.stack([u, v, np.broadcast_to(z, u.shape)], axis=-1)


def rim_of(x: Array, y: Array, radius: Array, height: Array) -> tuple[Array, Array]:
    """Points (n, k, 3) of level circles of such middles, radii and heights (n,), and those a little ahead; mm."""
    turns = np.linspace(0.0, 2 * np.pi, _RIM, endpoint=False)
    x, y, radius, height = (each[:, None] for each in (x, y, radius, height))
    return _circle(x, y, height, radius, turns), _circle(x, y, height, radius, turns + 0.02)


def disc(shape: Array) -> Polygon:
    """The disc under a rim, of x, y and radius, mm; what follows these does not count."""
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return Polygon(shape[:2] + shape[2] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _block(shapes: Array, eye_mm: Array) -> list[Part]:
    """(n, 6) x, y, length, breadth, turn in radians, height: the four sides of the top, those of the foot that face the
    camera, and the upright edges that show."""
    return list(zip(*block_outlines(shapes, eye_mm), strict=True))


DRUM = Form(
    _drum,
    disc,
    lambda shapes: np.ones(len(shapes)),
    np.array([-9e9, -9e9, 10, 0.5, 0, 0]),
    np.array([9e9, 9e9, 200, 1, 8, 180]),
)
BLOCK = Form(
    _block,
    lambda shape: Polygon(corners(shape[None])[0]),
    lambda shapes: shapes[:, 2] * shapes[:, 3],
    np.array([-9e9, -9e9, 8, 8, -9e9, 0]),
    np.array([9e9, 9e9, 500, 500, 9e9, 150]),
)
