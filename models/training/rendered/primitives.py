"""Rods, slabs, balls and cones as parts of a body: what simple toys are put together from. Lengths are shares of a man."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.training.rendered import mesh

Array = NDArray[np.float64]
# Points (n, 3), and the corners of each face.
Part = tuple[Array, list[tuple[int, ...]]]

_LEAST = 1e-3


def rod(a: ArrayLike, b: ArrayLike, radius_a: float, radius_b: float, sides: int) -> Part:
    """A cylinder or a cone with flat ends from a to b."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if np.linalg.norm(b - a) < _LEAST:
        b = a + (0, 0, _LEAST)
    return mesh.tube_mesh(np.array([a, b]), np.maximum([radius_a, radius_b], _LEAST), sides)


def slab(a: ArrayLike, b: ArrayLike, deep: float, wide: float) -> Part:
    """A box from a to b, `wide` across and `deep` the third way."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    along = (b - a) / max(float(np.linalg.norm(b - a)), _LEAST)
    ahead = np.array([1.0, 0, 0]) if abs(along[0]) < 0.9 else np.array([0, 0, 1.0])
    across = np.cross(along, ahead)
    across /= np.linalg.norm(across)
    third = np.cross(across, along)
    ways = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    corners = [end + u * third * deep / 2 + v * across * wide / 2 for end in (a, b) for u, v in ways]
    faces: list[tuple[int, ...]] = [(0, 1, 2, 3), (7, 6, 5, 4)]
    faces += [(i, i + 4, (i + 1) % 4 + 4, (i + 1) % 4) for i in range(4)]
    return np.array(corners), faces


def ball(at: ArrayLike, radii: ArrayLike, sides: int) -> Part:
    """A ball or an egg of those half axes (3,), or one for all."""
    bend = np.linspace(-np.pi / 2, np.pi / 2, max(4, sides // 2 + 1))
    points, faces = turned(np.stack([np.maximum(np.cos(bend), 0.02), np.sin(bend)], axis=1), sides)
    return points * np.broadcast_to(np.asarray(radii, float), 3) + np.asarray(at, float), faces


def turned(profile: Array, sides: int) -> Part:
    """A body turned on a lathe: (n, 2) radius and height from its foot up."""
    climbing = np.maximum.accumulate(profile[:, 1] + np.arange(len(profile)) * 1e-5)
    path = np.c_[np.zeros((len(profile), 2)), climbing]
    return mesh.tube_mesh(path, np.maximum(profile[:, 0], _LEAST), sides)


def wheel(at: ArrayLike, radius: float, thick: float, sides: int) -> Part:
    """A disc that stands on its rim, its axle along y."""
    at = np.asarray(at, float)
    return rod(at - (0, thick / 2, 0), at + (0, thick / 2, 0), radius, radius, sides)


def moved(part: Part, by: ArrayLike) -> Part:
    """The same elsewhere."""
    return part[0] + np.asarray(by, float), part[1]
