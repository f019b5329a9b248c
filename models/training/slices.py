"""Things with height, drawn as a rectified camera sees them: slice upon slice, each shifted away from the camera.

A point at height z shows at its plan position plus `slant` * z on the table plane; a solid is the stack of its plan
outlines. Crude, fast, and exact about where a thing stands, which is what the nets are to learn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PX_PER_MM = 2.0
# What is known of a table's surface is kept more coarsely.
SURFACE_PX_PER_MM = 1.0
CANVAS_PX = 768
TABLE_MM = CANVAS_PX / PX_PER_MM
_ROUND = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 28, endpoint=False)), np.sin(np.linspace(0, 2 * np.pi, 28, endpoint=False))],
    axis=1,
)


@dataclass(eq=False)
class Layers:
    """The picture and what shows where; `ground` and `height` are plan footprints, `figure` and `hand` as they show."""

    bgr: NDArray[np.float32]
    slant: Array
    sun: Array
    ground: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((CANVAS_PX, CANVAS_PX), np.uint8))
    height: NDArray[np.float32] = field(default_factory=lambda: np.zeros((CANVAS_PX, CANVAS_PX), np.float32))
    figure: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((CANVAS_PX, CANVAS_PX), np.uint8))
    hand: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((CANVAS_PX, CANVAS_PX), np.uint8))
    owner: NDArray[np.int16] = field(default_factory=lambda: np.zeros((CANVAS_PX, CANVAS_PX), np.int16))
    number: int = 0

    def polygon(self, outline_mm: Array, z_mm: float, bgr: Array, mark: str = "") -> None:
        """One slice. `mark` is figure or hand; anything else covers both."""
        px = np.round((outline_mm + self.slant * z_mm) * PX_PER_MM * 16).astype(np.int32)
        colour = tuple(float(c) for c in np.clip(bgr, 0, 255))
        cv2.fillPoly(self.bgr, [px], colour, cv2.LINE_AA, 4)
        for name, layer in (("figure", self.figure), ("hand", self.hand)):
            cv2.fillPoly(layer, [px], 255 if name == mark else 0, cv2.LINE_8, 4)
        cv2.fillPoly(self.owner, [px], self.number, cv2.LINE_8, 4)

    def footprint(self, outline_mm: Array, terrain: int, height_mm: float) -> None:
        """Where a piece of terrain stands, whether it shows or not."""
        px = np.round(outline_mm * PX_PER_MM).astype(np.int32)
        cv2.fillPoly(self.ground, [px], terrain)
        cv2.fillPoly(self.height, [px], height_mm)

    def shadow(self, outline_mm: Array, height_mm: float, depth: float) -> None:
        """What the lamp does not reach: the outline swept along the shadow of its height, softened."""
        far = outline_mm + self.sun * height_mm
        hull = cv2.convexHull(np.concatenate([outline_mm, far]).astype(np.float32) * PX_PER_MM).reshape(-1, 2)
        low, high = np.floor(hull.min(axis=0)).astype(int) - 16, np.ceil(hull.max(axis=0)).astype(int) + 16
        low, high = np.maximum(low, 0), np.minimum(high, CANVAS_PX)
        if (high - low < 4).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillPoly(mask, [np.round(hull - low).astype(np.int32)], 1.0)
        window = np.s_[low[1] : high[1], low[0] : high[0]]
        self.bgr[window] *= 1 - depth * cv2.GaussianBlur(mask, (0, 0), 5.0)[..., None]


def ellipse(centre_mm: Array, axes_mm: tuple[float, float], turn: float = 0.0) -> Array:
    """(28, 2) outline."""
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(centre_mm + (_ROUND * axes_mm) @ np.array([[c, s], [-s, c]]), float)


def rectangle(centre_mm: Array, size_mm: tuple[float, float], turn: float) -> Array:
    """(4, 2) outline of a rectangle whose first side lies along `turn`."""
    c, s = np.cos(turn), np.sin(turn)
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size_mm) / 2
    return np.asarray(centre_mm + half @ np.array([[c, s], [-s, c]]), float)


def capsule(a_mm: Array, b_mm: Array, radius_mm: float) -> Array:
    """Outline of a stick from a to b with round ends."""
    along = b_mm - a_mm
    turn = float(np.arctan2(along[1], along[0]))
    half = np.linspace(-np.pi / 2, np.pi / 2, 10)
    cap = np.stack([np.cos(half), np.sin(half)], axis=1) * radius_mm
    c, s = np.cos(turn), np.sin(turn)
    rotate = np.array([[c, s], [-s, c]])
    return np.concatenate([b_mm + cap @ rotate, a_mm - cap @ rotate])


def stack(
    layers: Layers, outline: Array, z: tuple[float, float], bgr: Array, mark: str = "", top: Array | None = None
) -> None:
    """An upright prism: its side darker towards the ground and by the light, its top in `top` or the same colour."""
    steps = max(2, int((z[1] - z[0]) * max(0.35, float(np.hypot(*layers.slant))) * 1.2))
    for height in np.linspace(z[0], z[1], steps)[:-1]:
        share = (height - z[0]) / max(z[1] - z[0], 1e-6)
        layers.polygon(outline, float(height), bgr * (0.5 + 0.3 * share), mark)
    layers.polygon(outline, z[1], bgr if top is None else top, mark)
