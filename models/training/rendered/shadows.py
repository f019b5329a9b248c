"""What the things on a table take of the ground's light: their meshes thrown on the ground from many sides.

Cycles spends three quarters of its time on an empty ground's shadows, and they are grainy; these take half a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PX_PER_MM = 1.0
# From so many sides does a lamp of some width shine, and the room.
_LAMP_SIDES, _ROOM_SIDES = 9, 28
# A narrower lamp is a point; what is lower throws shadows across the whole table.
_POINT_RAD, _LEAST_UP = 0.03, 0.08
# Turns of the golden ratio spread evenly.
_GOLDEN = 0.618
# Faces larger than this are filled, of smaller ones the corners are close enough.
FINE_MM2 = 2.0


@dataclass(frozen=True, eq=False)
class Lamp:
    """The unit vector towards it, its width (rad), and the light that it gives to a level table."""

    towards: Array
    width: float
    level: float

    def sides(self, rng: np.random.Generator) -> list[tuple[Array, float]]:
        """Unit vectors towards parts of it, and their light."""
        count = _LAMP_SIDES if self.width > _POINT_RAD else 1
        spread = self.towards + rng.normal(0, self.width / 4, (count, 3)) * (count > 1)
        unit = spread / np.linalg.norm(spread, axis=1, keepdims=True)
        return [(each, self.level / count) for each in unit if each[2] > _LEAST_UP]


@dataclass(frozen=True, eq=False)
class Room:
    """A panorama (h, w, 3), its zenith first, and the light that it gives to a level table."""

    sky: Array
    level: float

    def sides(self, rng: np.random.Generator) -> list[tuple[Array, float]]:
        """Unit vectors towards parts of it that would give a level table as much each if they shone alike."""
        out = np.sqrt((np.arange(_ROOM_SIDES) + rng.random()) / _ROOM_SIDES)
        turn = 2 * np.pi * (np.arange(_ROOM_SIDES) * _GOLDEN + rng.random())
        towards = np.stack([out * np.cos(turn), out * np.sin(turn), np.sqrt(1 - out**2)], axis=1)
        high, wide = self.sky.shape[:2]
        rows = (np.arccos(towards[:, 2]) / np.pi * high).astype(int)
        columns = ((0.5 - np.arctan2(towards[:, 1], towards[:, 0]) / (2 * np.pi)) * wide).astype(int) % wide
        shine = self.sky[rows, columns].mean(axis=1) * np.pi / _ROOM_SIDES
        return [(each, float(s)) for each, s in zip(towards, shine, strict=True) if each[2] > _LEAST_UP]


@dataclass(frozen=True, eq=False)
class Body:
    """All that stands on the table, mm: corners (n, 3) and the convex faces that are coarse, each (m, 3)."""

    points: Array
    faces: list[Array]


def cast(rng: np.random.Generator, things: Body, shining: tuple[Lamp, Room], side_mm: float) -> NDArray[np.float32]:
    """(n, n) share of its light that the ground about the origin lacks, y downwards."""
    size = round(side_mm * PX_PER_MM)
    lacking, level = np.zeros((size, size), np.float32), 1e-9
    for source in shining:
        for towards, strength in source.sides(rng):
            lacking += np.float32(strength) * _shadow(things, towards, size)
            level += strength
    # The ground that shows beside a thing is the ground outside its footprint, not the night below it.
    return np.asarray(cv2.GaussianBlur(cv2.erode(lacking / level, np.ones((3, 3))), (0, 0), 0.6), np.float32)


def _shadow(things: Body, towards: Array, size: int) -> NDArray[np.float32]:
    mask = np.zeros((size, size), np.uint8)
    shift = towards[:2] / towards[2]

    def thrown(points: Array) -> Array:
        """(n, 2) px of the ground to which the light carries points (n, 3)."""
        return np.asarray(((points[:, :2] - points[:, 2:] * shift) * (1, -1) * PX_PER_MM) + size / 2 - 0.5)

    px = np.rint(thrown(things.points)).astype(int)
    px = px[((px >= 0) & (px < size)).all(axis=1)]
    mask[px[:, 1], px[:, 0]] = 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if things.faces:
        corners = np.rint(thrown(np.concatenate(things.faces)) * 16).astype(np.int32)
        for start, end in pairwise(np.cumsum([0, *(len(face) for face in things.faces)])):
            cv2.fillConvexPoly(mask, corners[start:end], 1, cv2.LINE_8, 4)
    return mask.astype(np.float32)
