"""Arms as the camera sees them, and the shadow that they throw: triangles drawn from far to near."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.coin_draw import Patch
from sample_footage.hand import Mesh, Person, arm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.light import Light

    Floats = NDArray[np.float64]

OVERSAMPLING = 2
COARSE = 4  # shadows are drawn at this fraction of the picture, then enlarged
GAPS_PX = (5, 21)  # between neighbouring points of hand and sleeve, at that fraction
NEAREST_MM = 60.0  # what is nearer to the lens is not drawn
FAR_PX = 9999.0
SHIFT = 3  # sub-pixel bits of OpenCV's fixed-point corners


@dataclass(frozen=True)
class Pose:
    """Where the pinching fingers are (mm), which way the arm reaches (counter-clockwise from +x), how open they are."""

    at_mm: tuple[float, float, float]
    reach_deg: float
    spread: float = 0.0


def posed(mesh: Mesh, pose: Pose) -> Mesh:
    """The mesh on the table."""
    turn = math.radians(pose.reach_deg)
    rotation = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])
    return Mesh(
        mesh.points @ rotation.T + pose.at_mm, mesh.faces, mesh.normals @ rotation.T, mesh.colours, mesh.openness
    )


class Arm:
    """One person's arm in one pose over the table."""

    def __init__(self, person: Person, pose: Pose) -> None:
        self.parts = [posed(mesh, pose) for mesh in arm(person, pose.spread)]

    def patch(self, camera: Camera, light: Light) -> Patch | None:
        """Its pixels; None when it is out of the picture."""
        px, depth, corners = zip(*(_seen(part, camera) for part in self.parts), strict=True)
        window = _window(np.vstack(px), camera)
        if window is None:
            return None
        (u0, v0), (width, height) = window
        colour = np.zeros((height * OVERSAMPLING, width * OVERSAMPLING, 3), np.float32)
        cover = np.zeros(colour.shape[:2], np.uint8)
        shades = [_shade(part, camera, light)[part.faces].mean(axis=1) for part in self.parts]
        triangles = np.concatenate([p[part.faces] for p, part in zip(px, self.parts, strict=True)])
        far = np.concatenate([d[part.faces].mean(axis=1) for d, part in zip(depth, self.parts, strict=True)])
        facing = np.concatenate(corners)
        order = np.argsort(-far)
        order = order[facing[order]]
        fixed = np.rint(((triangles - (u0, v0) + 0.5) * OVERSAMPLING - 0.5) * 2**SHIFT).astype(np.int32)
        for triangle, shade in zip(fixed[order], np.concatenate(shades)[order].tolist(), strict=True):
            cv2.fillConvexPoly(colour, triangle, shade, cv2.LINE_8, SHIFT)
            cv2.fillConvexPoly(cover, triangle, 255, cv2.LINE_8, SHIFT)
        soft = cv2.GaussianBlur(colour, (0, 0), 0.9)
        alpha = cv2.GaussianBlur(cover, (0, 0), 0.9).astype(np.float32) / 255
        size = (width, height)
        return Patch(
            (u0, v0),
            np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.float32),
            np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_AREA), np.float32),
        )

    def shadow(self, camera: Camera, light: Light) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """How much of the lamp and of the room the arm takes from each pixel's table point, two (rows, columns)."""
        lamp = self._fallen(camera, light.towards(), light.spread_deg)
        above = self._fallen(camera, np.array([0.0, 0, 1.0]), 28.0)
        return lamp, np.asarray(0.5 * above, np.float32)

    def _fallen(self, camera: Camera, towards: Floats, spread_deg: float) -> NDArray[np.float32]:
        """Each part's points laid on the table along the light, closed to an area, and softened by their height."""
        width, height = camera.size_px
        total = np.zeros((height // COARSE, width // COARSE), np.float32)
        for part, gap_px in zip(self.parts, GAPS_PX, strict=True):
            shift = part.points[:, 2:3] * (towards[:2] / towards[2])
            px = _projected(np.column_stack([part.points[:, :2] - shift, np.zeros(len(part.points))]), camera) / COARSE
            cell = np.rint(px).astype(int)
            inside = (cell >= 0).all(axis=1) & (cell < (total.shape[1], total.shape[0])).all(axis=1)
            mask = np.zeros(total.shape, np.uint8)
            mask[cell[inside, 1], cell[inside, 0]] = 255
            mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((gap_px, gap_px), np.uint8)), np.uint8)
            typical_mm = float(np.median(part.points[inside, 2])) if inside.any() else 60.0
            blur_px = max(0.7, 1.1 * typical_mm * math.tan(math.radians(spread_deg)) / COARSE)
            total = np.maximum(
                total, cv2.GaussianBlur(mask, (0, 0), min(blur_px, 44.0 / COARSE)).astype(np.float32) / 255
            )
        return np.asarray(cv2.resize(total, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _projected(points_mm: Floats, camera: Camera) -> Floats:
    """Pixels, kept within `FAR_PX`: beside and behind the camera the lens model runs away to infinity."""
    px = np.nan_to_num(camera.project(points_mm), nan=-FAR_PX, posinf=FAR_PX, neginf=-FAR_PX)
    return np.asarray(np.clip(px, -FAR_PX, FAR_PX))


def _seen(mesh: Mesh, camera: Camera) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Pixels and depth of the points; which faces look at the camera and lie in front of it."""
    depth = mesh.points @ np.asarray(camera.rotation)[2] + camera.tvec_mm[2]
    ahead = camera.faces(mesh.points) & (depth > NEAREST_MM)
    px = np.where(ahead[:, None], _projected(mesh.points, camera), -FAR_PX)
    a, b, c = (px[mesh.faces[:, k]] for k in range(3))
    area = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    width, height = camera.size_px
    centre = (a + b + c) / 3
    inside = (np.abs(centre[:, 0] - width / 2) < width / 2 + 80) & (np.abs(centre[:, 1] - height / 2) < height / 2 + 80)
    return px, depth, (area < 0) & inside & ahead[mesh.faces].all(axis=1)


def _window(px: Floats, camera: Camera) -> tuple[tuple[int, int], tuple[int, int]] | None:
    width, height = camera.size_px
    visible = px[(px[:, 0] > -60) & (px[:, 0] < width + 60) & (px[:, 1] > -60) & (px[:, 1] < height + 60)]
    if len(visible) < 3:
        return None
    u0, v0 = np.maximum(np.floor(visible.min(axis=0)).astype(int) - 4, 0)
    u1, v1 = np.minimum(np.ceil(visible.max(axis=0)).astype(int) + 5, (width, height))
    return ((int(u0), int(v0)), (int(u1 - u0), int(v1 - v0))) if u1 > u0 and v1 > v0 else None


def _shade(mesh: Mesh, camera: Camera, light: Light) -> Floats:
    """Matt light with a soft edge between light and shade, as skin and wool have, and a faint sheen."""
    lamp = np.clip((mesh.normals @ light.towards() + 0.25) / 1.25, 0, 1)
    sky = 0.5 + 0.5 * mesh.normals[:, 2]
    bounce = 0.22 * (1 - sky)
    key = (light.key * lamp * (0.35 + 0.65 * mesh.openness))[:, None] * np.asarray(light.tint_bgr)
    around = (light.ambient * (sky + bounce) * mesh.openness)[:, None] * np.asarray(light.ambient_bgr)
    to_eye = camera.eye_mm - mesh.points
    half = light.towards() + to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    sheen = 0.05 * light.key * np.clip(np.sum(half * mesh.normals, axis=1), 0, 1) ** 24 * mesh.openness
    return np.asarray(mesh.colours * (key + around) + sheen[:, None])
