"""A forearm, sleeved or bare, with a hand that reaches over the table, points, or holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint

Array = NDArray[np.float64]


def hand(rng: np.random.Generator) -> list[object]:
    """Its fingertips about the origin, the arm along -x."""
    skin_rgb = np.array(paint.SKIN_RGB[rng.integers(len(paint.SKIN_RGB))]) * rng.uniform(0.8, 1.15)
    skin = paint.material(skin_rgb, 0.5, bump_mm=0.5, grain_mm=3, mottle=0.08)
    high, curl = rng.uniform(22, 70), rng.uniform(0.05, 0.5)
    wrist = np.array([-165.0, rng.normal(0, 8), high + rng.uniform(0, 45)])
    side = rng.choice([1, -1])
    along = np.array([-1.0, rng.normal(0, 0.15), 0.1])
    parts = [mesh.limb(wrist + along * 200, wrist, 36, 26)]
    knuckles = [np.array([-85.0 - 4 * abs(k - 1.2), (k - 1.5) * 19, high + 8]) for k in range(4)]
    for k, knuckle in enumerate(knuckles):
        parts += [
            mesh.limb(wrist, knuckle, 19, 11.5),
            *_finger(rng, knuckle, curl + rng.normal(0, 0.12), 76 - 6 * abs(k - 1.2)),
        ]
    thumb = wrist + (35, side * 38, -8)
    parts += [
        mesh.limb(wrist, thumb, 17, 12),
        mesh.limb(thumb, thumb + (48, side * rng.uniform(-12, 14), -high * 0.3), 11.5, 8.5),
    ]
    things = [mesh.body(parts, skin, 2.0)]
    if rng.random() < 0.75:
        cloth = paint.material(paint.colour(rng), 0.9, bump_mm=3, grain_mm=12, mottle=0.1)
        path = wrist + along * np.array([[330.0], [170.0], [rng.uniform(-5, 110)]])
        things.append(mesh.tube(path, np.array([60, 52, rng.uniform(36, 46)]), cloth, 18))
    return things


def _finger(rng: np.random.Generator, knuckle: Array, curl: float, length: float) -> list:
    """Three joints, each bent further down."""
    parts, at, bend = [], knuckle, curl * 0.6
    swing = rng.normal(0, 0.08)
    for share, thick in ((0.45, 10.5), (0.32, 9.2), (0.23, 8.2)):
        ahead = np.array([np.cos(bend) * np.cos(swing), np.sin(swing), -np.sin(bend)])
        end = at + ahead * share * length
        end[2] = max(end[2], 8.0)
        parts.append(mesh.limb(at, end, thick, thick - 1))
        at, bend = end, bend + curl
    return parts
