"""Cameras over tables for tests: planes known exactly, made from the camera's place and not by a fit."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import Lens
from calibration.plane import TablePlane
from sample_footage.camera import Camera


def plane_from(
    eye_mm: tuple[float, float, float],
    target_mm: tuple[float, float],
    size_px: tuple[int, int] = (1280, 960),
    focal_px: float = 1400.0,
    distortion: tuple[float, ...] = (0, 0, 0, 0, 0),
) -> TablePlane:
    """The plane of a camera at `eye_mm` that looks at `target_mm` on the table, x to the right in the picture."""
    forward = np.array([*target_mm, 0.0]) - eye_mm
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0)) if abs(forward[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    matrix = np.array([[focal_px, 0, (size_px[0] - 1) / 2], [0, focal_px, (size_px[1] - 1) / 2], [0, 0, 1]])
    lens = Lens.measured(size_px, matrix, distortion)
    return TablePlane.exact(lens, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ np.array(eye_mm))


def plane_of(camera: Camera) -> TablePlane:
    """The plane of a camera that renders."""
    lens = Lens.measured(camera.size_px, camera.matrix, camera.distortion)
    return TablePlane.exact(lens, camera.rvec, np.asarray(camera.tvec_mm))


def drawn_discs(
    plane: TablePlane,
    discs: list[tuple[float, float, float, float]],
    size_px: tuple[int, int] = (1280, 960),
    foot: bool = True,
) -> np.ndarray:
    """Bright discs (x, y, radius, height in mm) on grey, each with its dark side, drawn eight times finer."""
    fine = 8
    picture = np.full((size_px[1], size_px[0], 3), 120, np.uint8)
    around = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    for x, y, radius_mm, height_mm in discs:
        rim_mm = np.array([x, y]) + radius_mm * np.stack([np.cos(around), np.sin(around)], axis=1)
        top, low = plane.to_image(rim_mm, height_mm), plane.to_image(rim_mm, 0.0)
        corner = np.floor(np.vstack([top, low]).min(axis=0)).astype(int) - 6
        width, height = np.ceil(np.vstack([top, low]).max(axis=0)).astype(int) + 6 - corner
        window = picture[corner[1] : corner[1] + height, corner[0] : corner[0] + width]
        patch = cv2.resize(window, None, fx=fine, fy=fine, interpolation=cv2.INTER_NEAREST)
        for outline, colour in ((cv2.convexHull(np.vstack([top, low]).astype(np.float32))[:, 0], 60), (top, 210)):
            if colour == 210 or foot:
                points = np.rint(((outline - corner + 0.5) * fine - 0.5) * 16).astype(np.int32)
                cv2.fillPoly(patch, [points], (colour,) * 3, cv2.LINE_AA, 4)
        window[:] = cv2.resize(patch, (int(width), int(height)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)
