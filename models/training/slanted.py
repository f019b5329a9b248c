"""Shoots a flat table at a slant and brings it back to the top view, with all that a cheap camera loses on the way."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import TOPVIEW_PX_PER_MM
from models.training.flat_tables import CANVAS_PX, CANVAS_PX_PER_MM, TILE_PX, Table
from models.training.jpeg import compressed

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Photo:
    """A developed picture and the affine map (2, 3) from table mm to its px."""

    bgr: Picture
    mm2px: Array

    def top_view(self, origin_mm: tuple[float, float] = (0.0, 0.0)) -> Picture:
        """The tile at TOPVIEW_PX_PER_MM."""
        return self.cut(
            (TILE_PX, TILE_PX), TOPVIEW_PX_PER_MM, np.array(origin_mm) + TILE_PX / 2 / TOPVIEW_PX_PER_MM, 0.0
        )

    def cut(self, size_px: tuple[int, int], px_per_mm: float, centre_mm: Array, angle: float) -> Picture:
        """A crop whose middle is `centre_mm`, its x axis turned by `angle` on the table."""
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / px_per_mm
        shift = centre_mm - turn @ (np.array(size_px) - 1) / 2
        crop2px = np.c_[self.mm2px[:, :2] @ turn, self.mm2px[:, :2] @ shift + self.mm2px[:, 2]]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(self.bgr, crop2px, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def shoot(table: Table, slant: Array, rng: np.random.Generator) -> Photo:
    """The table seen from where `slant` (see `flat_tables`) says, at a random resolution and light."""
    cotangent = float(np.hypot(*slant))
    axis = slant / cotangent if cotangent > 1e-6 else np.array([1.0, 0.0])
    squeeze = 1 / np.hypot(1.0, cotangent)
    px_per_mm = np.exp(rng.uniform(np.log(1.3), np.log(4.5)))
    turn = np.array([axis, [-axis[1], axis[0]]])
    back = np.array([[1.0, 0], [0, 1]]) if rng.random() < 0.3 else turn.T
    linear = back @ np.diag([squeeze, 1.0]) @ turn * px_per_mm / CANVAS_PX_PER_MM
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float) * CANVAS_PX @ linear.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    canvas2px = np.c_[linear, -low]
    size = tuple(int(v) for v in np.ceil(high - low))
    softened = cv2.GaussianBlur(table.bgr, (0, 0), max(0.3, 0.45 * CANVAS_PX_PER_MM / px_per_mm))
    picture = cv2.warpAffine(softened, canvas2px, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    mm2px = np.c_[linear * CANVAS_PX_PER_MM, -low]
    return Photo(developed(picture, rng), mm2px)


def developed(picture: NDArray[np.float32], rng: np.random.Generator) -> Picture:
    """Light, lens blur, noise and JPEG."""
    high, wide = picture.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32) / max(high, wide)
    fall = rng.uniform(-0.4, 0.4, 2)
    light = 1 + fall[0] * (x - 0.5) + fall[1] * (y - 0.5)
    if rng.random() < 0.3:  # the edge of a shadow
        a = rng.uniform(0, 2 * np.pi)
        edge = (x - rng.uniform(0.2, 0.8)) * np.cos(a) + (y - rng.uniform(0.2, 0.8)) * np.sin(a)
        light = light * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-edge * rng.uniform(20, 200))))
    white = rng.uniform(0.45, 1.15) * np.exp(rng.normal(0, 0.09, 3))
    picture = picture * (light[..., None] * white).astype(np.float32)
    if rng.random() < 0.2:  # a lamp's glare
        spot = np.exp(-(np.square(x - rng.uniform(0, 1)) + np.square(y - rng.uniform(0, 1))) / rng.uniform(0.001, 0.03))
        picture = picture + (rng.uniform(30, 160) * spot)[..., None]
    picture = 255 * np.clip(picture / 255, 0, 1) ** rng.uniform(0.75, 1.3)
    picture = _blurred(picture, rng)
    picture = picture + rng.normal(0, rng.uniform(0.5, 9), picture.shape).astype(np.float32)
    if rng.random() < 0.2:
        # A webcam's sharpening.
        picture = cv2.addWeighted(picture, 1.6, cv2.GaussianBlur(picture, (0, 0), 1.2), -0.6, 0)
    return compressed(np.clip(picture, 0, 255).astype(np.uint8), (45, 97), rng)


def _blurred(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.2)), np.float32)
    if rng.random() < 0.15:
        length, a = int(rng.integers(2, 5)), rng.uniform(0, np.pi)
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        reach = (int(length * np.cos(a)), int(length * np.sin(a)))
        cv2.line(kernel, (length - reach[0], length - reach[1]), (length + reach[0], length + reach[1]), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    return picture
