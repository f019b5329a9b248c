"""Bowls as parameters, and the outlines that they show: a rim, and below it a wall that bends in to a narrow foot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.solid.forms import Form, Part, disc, rim_of

Array = NDArray[np.float64]

# A wall is a row of circles from the foot to the rim, and its outline is looked for so many ways from the way to the
# camera; then drawn with so many points as far as it shows.
_UP = np.linspace(0.0, 1.0, 13)
_WAYS = np.linspace(0.0, 1.45, 16)
_POINTS = np.linspace(-1.0, 1.0, 18)
# It shows where it is so far outside the rim, as a share of that and in mm: nearer its edges are the rim's.
_OUTSIDE, _OUTSIDE_MM = 0.04, 2.0
# What rim and wall count, the wall if it shows so far round on either side.
_RIM_WEIGHT, _WALL_WEIGHT, _WHOLLY = 0.5, 0.6, 1.2


@dataclass(frozen=True, eq=False)
class Wall:
    """The circles of walls as they show on the table, in the direction of the camera.

    towards  (n, 2) from the middle to the camera, of length 1
    shown    (n, 2) the middle of the rim as it shows, mm
    nearer   (n, circles) how much nearer than that the middle of each circle shows, mm
    radii    (n, circles) as they show, mm
    """

    towards: Array
    shown: Array
    nearer: Array
    radii: Array

    @classmethod
    def of(cls, shapes: Array, eye_mm: Array) -> Wall:
        """Of bowls (n, 6) x, y, radius of the rim, that of the foot as a share of it, how the wall bends (straight at
        1, round at 0.5), height; `eye_mm` (3,) is the camera."""
        radius, share, bend, height = shapes[:, 2:].T[..., None]
        larger = eye_mm[2] / (eye_mm[2] - height * _UP)
        away = shapes[:, :2] - eye_mm[:2]
        apart = np.linalg.norm(away, axis=1, keepdims=True) + 1e-9
        shown = eye_mm[:2] + away * larger[:, -1:]
        return cls(-away / apart, shown, apart * (larger[:, -1:] - larger), radius * _bent(share, bend) * larger)

    def outermost(self, ways: Array) -> tuple[Array, Array, Array]:
        """How far out the wall reaches from the middle of the rim in directions (n, k) from `towards`, in radians, and
        how much nearer and how large the circle is that does; (n, k) mm each."""
        reach = self.nearer[:, None] * np.cos(ways)[..., None] + self.radii[:, None]
        best = reach.argmax(axis=2)
        nearer, radii = (np.take_along_axis(each, best, axis=1) for each in (self.nearer, self.radii))
        return reach.max(axis=2), nearer, radii

    @property
    def shows_to(self) -> Array:
        """(n,) how far round on either side the wall shows below the rim, in radians."""
        ways = np.broadcast_to(_WAYS, (len(self.radii), len(_WAYS)))
        rim = self.radii[:, -1:]
        outside = self.outermost(ways)[0] - rim > np.maximum(_OUTSIDE * rim, _OUTSIDE_MM)
        return np.asarray(np.where(outside, ways, 0.0).max(axis=1), float)

    def outline(self) -> tuple[Array, Array]:
        """(n, k, 2) the outline below the rim as far as it shows, mm, and its direction there, of length 1."""
        ways = self.shows_to[:, None] * _POINTS
        _, nearer, radii = self.outermost(ways)
        towards, aside = self.towards[:, None], np.stack([-self.towards[:, 1], self.towards[:, 0]], axis=1)[:, None]
        c, s = np.cos(ways)[..., None], np.sin(ways)[..., None]
        points = self.shown[:, None] + nearer[..., None] * towards + radii[..., None] * (c * towards + s * aside)
        return points, c * aside - s * towards


def _bent(share: Array, bend: Array) -> Array:
    return np.asarray(share + (1 - share) * _UP**bend, float)


def shown_share(shapes: Array, eye_mm: Array) -> Array:
    """(n,) how much of the walls of bowls shows below the rim, 0 to 1."""
    return np.minimum(Wall.of(shapes, eye_mm).shows_to / _WHOLLY, 1.0)


def _bowl(shapes: Array, eye_mm: Array) -> list[Part]:
    """The whole rim, and the outline of the wall below it as far as that shows."""
    wall = Wall.of(shapes, eye_mm)
    points, along = wall.outline()
    flat = np.zeros((*points.shape[:2], 1))
    shown = np.minimum(wall.shows_to / _WHOLLY, 1.0)
    rim, ahead = rim_of(shapes[:, 0], shapes[:, 1], shapes[:, 2], shapes[:, 5])
    below = np.concatenate([points, flat], axis=2), np.concatenate([points + along, flat], axis=2)
    return [(rim, ahead, np.full(len(shapes), _RIM_WEIGHT)), (*below, _WALL_WEIGHT * shown)]


def wall_and_rim(shape: Array, eye_mm: Array) -> tuple[Array, Array]:
    """(k, 2) the outline of one bowl's wall as it shows on the table, and the rim above each of its points, mm."""
    wall = Wall.of(shape[None], eye_mm)
    (points,), (middle,) = wall.outline()[0], wall.shown
    out = points - middle
    return points, middle + out / np.linalg.norm(out, axis=1, keepdims=True) * wall.radii[0, -1]


BOWL = Form(
    _bowl,
    disc,
    lambda shapes: np.ones(len(shapes)),
    np.array([-9e9, -9e9, 10, 0.3, 0.25, 5]),
    np.array([9e9, 9e9, 200, 0.8, 1.0, 120]),
)
