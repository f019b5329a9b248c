"""A rectangle of known size, measured: the strongest edges near its four sides, and the rigid place that fits most."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# Along each side an edge is looked for every so many mm, away from the rounded corners.
_SPACING_MM = 2.0
_CORNER_MM = 6.0
# Searches go this far to both sides of where the edge should be, narrower each time.
_WINDOWS_MM = (6.0, 3.0, 1.5, 1.0)
_STEP_MM = 0.2
# An edge this near to the fitted side (mm) supports it.
_INLIER_MM = 0.8
# Grey levels per mm: weaker slopes are texture.
_WEAKEST = 12.0


@dataclass(frozen=True)
class RectangleFit:
    """Where a rectangle lies.

    centre_mm, angle_rad  its middle and the direction of its length
    support               share of the edge samples that lie on its sides
    residual_mm           RMS distance of those samples
    """

    centre_mm: tuple[float, float]
    angle_rad: float
    size_mm: tuple[float, float]
    support: float
    residual_mm: float
    samples: int

    def corners(self) -> Array:
        """(4, 2) counter-clockwise."""
        return rectangle_corners(np.array(self.centre_mm), self.angle_rad, self.size_mm)


def rectangle_corners(centre_mm: Array, angle_rad: float, size_mm: tuple[float, float]) -> Array:
    """(4, 2) corners of a rectangle of length and breadth `size_mm`, counter-clockwise."""
    along = np.array([np.cos(angle_rad), np.sin(angle_rad)]) * size_mm[0] / 2
    across = np.array([-np.sin(angle_rad), np.cos(angle_rad)]) * size_mm[1] / 2
    return np.array([centre_mm + i * along + j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def fit_rectangle(
    image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, angle_rad: float, size_mm: tuple[float, float]
) -> RectangleFit:
    """The place near the given one where a rectangle of length and breadth `size_mm` has most edge under its sides."""
    state = np.array([centre_mm[0], centre_mm[1], angle_rad], float)
    offsets, strengths, model = np.zeros(0), np.zeros(0), np.zeros((0, 3))
    for window_mm in _WINDOWS_MM:
        points, normals, model = _side_samples(state, size_mm)
        offsets, strengths = _edges(image_bgr, plane, points, normals, window_mm)
        state = state + _robust_step(offsets, strengths, model, window_mm)
    points, normals, model = _side_samples(state, size_mm)
    offsets, strengths = _edges(image_bgr, plane, points, normals, _WINDOWS_MM[-1])
    good = (strengths > _WEAKEST) & (np.abs(offsets) < _INLIER_MM)
    residual = float(np.sqrt(np.mean(np.square(offsets[good])))) if good.any() else np.inf
    return RectangleFit(
        (float(state[0]), float(state[1])), float(state[2]), size_mm, float(good.mean()), residual, int(good.sum())
    )


def _side_samples(state: Array, size_mm: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Points (n, 2) on the sides, their outward normals (n, 2), and d(offset)/d(x, y, angle) (n, 3)."""
    along, across = np.array([np.cos(state[2]), np.sin(state[2])]), np.array([-np.sin(state[2]), np.cos(state[2])])
    points, normals = [], []
    for axis, other, half, length in (
        (along, across, size_mm[0] / 2, size_mm[1]),
        (across, along, size_mm[1] / 2, size_mm[0]),
    ):
        places = np.arange(-length / 2 + _CORNER_MM, length / 2 - _CORNER_MM + 1e-9, _SPACING_MM)
        for sign in (-1, 1):
            points.append(state[:2] + sign * half * axis + places[:, None] * other)
            normals.append(np.broadcast_to(sign * axis, (len(places), 2)))
    at, normal = np.concatenate(points), np.concatenate(normals)
    arm = at - state[:2]
    turning = normal[:, 1] * arm[:, 0] - normal[:, 0] * arm[:, 1]
    return at, normal, np.c_[normal, turning]


def _edges(
    image_bgr: ImageBgr, plane: TablePlane, points: Array, normals: Array, window_mm: float
) -> tuple[Array, Array]:
    """(n,) signed distance along the normal to the strongest slope in the window, and its grey levels per mm."""
    steps = np.arange(-window_mm, window_mm + 1e-9, _STEP_MM)
    rays = points[:, None] + steps[None, :, None] * normals[:, None]
    ends = plane.to_image(np.concatenate([rays[:, 0], rays[:, -1]])).reshape(2, -1, 2)
    share = ((steps + window_mm) / (2 * window_mm))[None, :, None]
    at_px = np.nan_to_num(ends[0][:, None] * (1 - share) + ends[1][:, None] * share, nan=-1e4).astype(np.float32)
    u, v = np.ascontiguousarray(at_px[..., 0]), np.ascontiguousarray(at_px[..., 1])
    seen = cv2.remap(image_bgr, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), sigmaX=2.0, sigmaY=0.01)
    slope = np.abs(np.diff(smooth, axis=1)).max(axis=2) / _STEP_MM
    best = slope.argmax(axis=1)
    inner = np.clip(best, 1, slope.shape[1] - 2)
    low, mid, high = (slope[np.arange(len(best)), inner + k] for k in (-1, 0, 1))
    bend = low - 2 * mid + high
    fine = np.where(np.abs(bend) > 1e-6, 0.5 * (low - high) / np.where(np.abs(bend) > 1e-6, bend, 1), 0)
    offsets = -window_mm + (inner + 0.5 + np.clip(fine, -1, 1)) * _STEP_MM
    return offsets, slope[np.arange(len(best)), best]


def _robust_step(offsets: Array, strengths: Array, model: Array, window_mm: float) -> Array:
    """The rigid step (dx, dy, dangle) that brings the sides to the edges, outliers weighted down again and again."""
    strong = strengths > _WEAKEST
    if strong.sum() < 8:
        return np.zeros(3)
    scale = window_mm / 2
    step = np.zeros(3)
    for _ in range(6):
        residual = offsets - model @ step
        weight = strong / (1 + np.square(residual / scale)) ** 2
        # A weak prior keeps a card of which one side shows from sliding along it.
        normal = (model * weight[:, None]).T @ model + np.diag([0.5, 0.5, 300.0])
        step = np.linalg.solve(normal, (model * weight[:, None]).T @ offsets)
        scale = max(0.3, scale * 0.7)
    return step
