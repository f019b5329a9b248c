"""The light in the room: a lamp or window, and what metal mirrors of it.

All light is linear RGB-like but kept in OpenCV's order, blue green red; 1 is white paper in full light.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHADOW_RAYS = 16


@dataclass(frozen=True)
class Light:
    """Azimuth (counter-clockwise from +x) and elevation of the lamp as the table sees it, spread its angular radius.

    key and ambient  share of the light that comes from the lamp and from all around; they need not add up to 1
    tint_bgr         colour of the lamp; falloff: share lost per metre away from `brightest_mm`
    gloss            how strongly shiny paper mirrors the lamp (the glare spot)
    """

    azimuth_deg: float = 120.0
    elevation_deg: float = 52.0
    spread_deg: float = 7.0
    key: float = 0.62
    ambient: float = 0.42
    tint_bgr: tuple[float, float, float] = (0.94, 0.99, 1.03)
    ambient_bgr: tuple[float, float, float] = (1.05, 1.0, 0.96)
    brightest_mm: tuple[float, float] = (250.0, 420.0)
    falloff_per_m: float = 0.35
    gloss: float = 0.05

    def towards(self, azimuth_deg: float | None = None, elevation_deg: float | None = None) -> NDArray[np.float64]:
        """The unit vector from the table to the lamp, or to another direction."""
        side = math.radians(self.azimuth_deg if azimuth_deg is None else azimuth_deg)
        up = math.radians(self.elevation_deg if elevation_deg is None else elevation_deg)
        return np.array([math.cos(side) * math.cos(up), math.sin(side) * math.cos(up), math.sin(up)])

    def samples(self, count: int = SHADOW_RAYS) -> NDArray[np.float64]:
        """Directions over the lamp's disc, (count, 3), by the sunflower rule."""
        k = np.arange(count) + 0.5
        radius, turn = np.radians(self.spread_deg) * np.sqrt(k / count), k * math.pi * (3 - math.sqrt(5))
        main = self.towards()
        side = np.cross(main, [0, 0, 1.0])
        side /= np.linalg.norm(side)
        over = np.cross(side, main)
        rays = main + np.outer(radius * np.cos(turn), side) + np.outer(radius * np.sin(turn), over)
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def strength(self, xy_mm: NDArray[np.floating]) -> Floats:
        """How much of the lamp reaches a point of the table, (n,) for (n, 2); a near lamp falls off to one side."""
        away_m = np.hypot(xy_mm[..., 0] - self.brightest_mm[0], xy_mm[..., 1] - self.brightest_mm[1]) / 1000
        return np.asarray(1 / (1 + self.falloff_per_m * away_m) ** 2, np.float32)

    def on(self, strength: Floats, shadow: Floats | float = 0.0, occlusion: Floats | float = 0.0) -> Floats:
        """Light that falls on a level matt surface, (..., 3)."""
        lamp = np.asarray(self.key * (1 - shadow) * strength, np.float32)[..., None] * np.asarray(
            self.tint_bgr, np.float32
        )
        around = np.asarray(self.ambient * (1 - occlusion) * (0.75 + 0.25 * strength), np.float32)[..., None]
        return np.asarray(lamp + around * np.asarray(self.ambient_bgr, np.float32), np.float32)

    def mirrored(self, directions: Floats, roughness: float = 0.25, shadow: Floats | float = 0.0) -> Floats:
        """What a mirror shows of the room along `directions` (n, 3, unit): ceiling, walls, the lamp, a window."""
        height = directions[..., 2]
        room = 0.30 + 0.55 * np.clip(height, 0, 1) ** 0.8 + 0.10 * directions[..., 0]
        lamp = _lobe(directions, self.towards(), math.radians(self.spread_deg) + roughness) * (1 - shadow)
        window = _lobe(directions, self.towards(self.azimuth_deg + 150, 28), 0.30 + roughness)
        around = (self.ambient * (room + 0.9 * window))[..., None] * np.asarray(self.ambient_bgr, np.float32)
        return np.asarray(
            around * 1.35 + (self.key * 1.5 * lamp)[..., None] * np.asarray(self.tint_bgr, np.float32), np.float32
        )


def _lobe(directions: Floats, centre: NDArray[np.float64], width_rad: float) -> Floats:
    closeness = directions @ centre.astype(np.float32)
    return np.asarray(np.exp((closeness - 1) / (0.5 * width_rad**2)), np.float32)
