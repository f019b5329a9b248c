"""A tripod that is kicked: the camera swings for a third of a second and stands a little elsewhere afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from sample_footage.camera import Camera

SWING_S = 0.36
# How far it turns and goes, about each of its axes: at a focal length of 1450 px a quarter of a degree is 6 px.
TURN_DEG, SHIFT_MM = (0.12, 0.5), 1.5
# Somebody walks into it: it stands elsewhere, and near things have gone further in the picture than those behind them.
SHOVED_DEG, SHOVED_MM = (0.3, 1.5), 40.0


@dataclass(frozen=True)
class Kick:
    """turn_deg and shift_mm about and along the camera's own axes, by the end."""

    at_s: float
    turn_deg: tuple[float, float, float]
    shift_mm: tuple[float, float, float]

    def moved(self, camera: Camera, share: float = 1.0) -> Camera:
        """The camera after that share of the way."""
        turn, _ = cv2.Rodrigues(share * np.radians(self.turn_deg))
        rotation = turn @ np.asarray(camera.rotation)
        tvec = turn @ np.asarray(camera.tvec_mm) + share * np.asarray(self.shift_mm)
        rows = tuple(tuple(float(value) for value in row) for row in rotation)
        return replace(camera, rotation=rows, tvec_mm=tuple(float(value) for value in tvec))

    def stands(self, camera: Camera, until_s: float, fps: int) -> list[tuple[float, float, Camera]]:
        """From when to when which camera, from the kick on: a swing that dies away, frame by frame."""
        count = round(SWING_S * fps)
        cuts = [self.at_s + k / fps for k in range(count + 1)]
        shares = [1 - np.exp(-4.0 * k / count) * (1 - np.sin(15.0 * k / count)) for k in range(1, count + 1)]
        swing = [(a, b, self.moved(camera, share)) for a, b, share in zip(cuts, cuts[1:], shares, strict=False)]
        return [*swing, (cuts[-1], until_s, self.moved(camera))]


def drawn_kick(at_s: float, rng: np.random.Generator, is_shoved: bool = False) -> Kick:
    """Any way; a kick, or a shove that carries the tripod elsewhere."""
    turn_deg, shift_mm = (SHOVED_DEG, SHOVED_MM) if is_shoved else (TURN_DEG, SHIFT_MM)
    turn = rng.uniform(*turn_deg, 3) * rng.choice([-1, 1], 3)
    x, y, z = rng.uniform(-shift_mm, shift_mm, 3)
    return Kick(at_s, (float(turn[0]), float(turn[1]), float(turn[2])), (float(x), float(y), float(z)))
