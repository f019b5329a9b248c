"""What lies on the table, as solids that take each other's light: exact in three dimensions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.light import SHADOW_RAYS, Light

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Points = NDArray[np.floating]
    Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Disc:
    """A level disc of some thickness: centre, radius, lower and upper face, mm."""

    xy_mm: tuple[float, float]
    radius_mm: float
    low_mm: float
    high_mm: float

    def gap_mm(self, xy_mm: Points) -> NDArray[np.float64]:
        """How far points lie from its outline, 0 inside, (n,)."""
        away = np.hypot(xy_mm[:, 0] - self.xy_mm[0], xy_mm[:, 1] - self.xy_mm[1])
        return np.asarray(np.maximum(away - self.radius_mm, 0), float)

    def meets(self, xy_mm: Points, slope: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
        """Whether the ways from points along `slope` cross its outline between `low` and `high` above them."""
        to_x, to_y = self.xy_mm[0] - xy_mm[:, 0], self.xy_mm[1] - xy_mm[:, 1]
        nearest = np.clip((to_x * slope[0] + to_y * slope[1]) / max(float(slope @ slope), 1e-9), low, high)
        off_x, off_y = to_x - nearest * slope[0], to_y - nearest * slope[1]
        return np.asarray(off_x**2 + off_y**2 < self.radius_mm**2)


@dataclass(frozen=True)
class Bar:
    """A level box: centre, half its length and breadth along its own axes, its turn, lower and upper face, mm."""

    xy_mm: tuple[float, float]
    half_mm: tuple[float, float]
    turn_deg: float
    low_mm: float
    high_mm: float

    @property
    def radius_mm(self) -> float:
        """Of the circle around it."""
        return math.hypot(*self.half_mm)

    def own(self, vectors: Points) -> NDArray[np.float64]:
        """Table directions in the box's own axes, (n, 2)."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return np.asarray(np.asarray(vectors, float) @ np.array([[cos, -sin], [sin, cos]]))

    def placed(self, own_mm: Points) -> NDArray[np.float64]:
        """Points in the box's own axes on the table, (n, 2)."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return np.asarray(np.asarray(own_mm, float) @ np.array([[cos, sin], [-sin, cos]]) + self.xy_mm)

    def corners_mm(self) -> NDArray[np.float64]:
        """Its outline counter-clockwise, (4, 2)."""
        a, b = self.half_mm
        return self.placed(np.array([(a, b), (-a, b), (-a, -b), (a, -b)]))

    def gap_mm(self, xy_mm: Points) -> NDArray[np.float64]:
        """How far points lie from its outline, 0 inside, (n,)."""
        beyond = np.maximum(np.abs(self.own(xy_mm - np.asarray(self.xy_mm))) - self.half_mm, 0)
        return np.asarray(np.hypot(beyond[:, 0], beyond[:, 1]))

    def meets(self, xy_mm: Points, slope: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
        """Whether the ways from points along `slope` cross its outline between `low` and `high` above them."""
        start, way = self.own(xy_mm - np.asarray(self.xy_mm)), self.own(slope[None])[0]
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        one, other = (-np.asarray(self.half_mm) - start) / way, (np.asarray(self.half_mm) - start) / way
        enter = np.maximum(np.minimum(one, other).max(axis=1), low)
        leave = np.minimum(np.maximum(one, other).min(axis=1), high)
        return np.asarray(enter < leave)


Solid = Disc | Bar


def shadow_of(solids: Sequence[Solid], xy_mm: Points, height_mm: float, light: Light) -> Floats:
    """Share of the lamp that the solids hide from points at `height_mm`, (n,) for (n, 2)."""
    hidden = np.zeros((SHADOW_RAYS, len(xy_mm)), bool)
    above = [solid for solid in solids if solid.high_mm > height_mm + 1e-6]
    for row, ray in zip(hidden, light.samples(), strict=True):
        for solid in above:
            low, high = max(solid.low_mm - height_mm, 0.0), solid.high_mm - height_mm
            np.logical_or(row, solid.meets(xy_mm, ray[:2] / ray[2], low, high), out=row)
    return np.asarray(hidden.mean(axis=0), np.float32)


def occlusion_of(solids: Sequence[Solid], xy_mm: Points, height_mm: float) -> Floats:
    """How much darker it is close beside the solids, where less of the room is seen; 0 to about 0.55."""
    open_share = np.ones(len(xy_mm), np.float32)
    for solid in solids:
        rise = solid.high_mm - height_mm
        if rise > 0.05:
            hover = max(solid.low_mm - height_mm, 0.0)
            near = np.exp(-solid.gap_mm(xy_mm) / (0.8 * rise)).astype(np.float32)
            open_share *= 1 - 0.55 * near / np.float32(1 + hover / 8)
    return np.asarray(1 - open_share, np.float32)
