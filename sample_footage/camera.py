"""The camera that takes the pictures: OpenCV's pinhole with distortion, and a pose over the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from calibration.lens import Lens

# How far beside the picture's corners, in shares of their distance from its middle, a lens is still as it is in it.
_BESIDE = 1.4


@dataclass(frozen=True)
class Camera:
    """size_px (width, height); distortion k1 k2 p1 p2 k3; rotation and tvec_mm take table mm to the camera's frame."""

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    rotation: tuple[tuple[float, float, float], ...]
    tvec_mm: tuple[float, float, float]

    @classmethod
    def of(cls, lens: Lens, rvec: ArrayLike, tvec_mm: ArrayLike) -> Camera:
        """What a set-up's lens and a truth's pose tell."""
        rotation = cv2.Rodrigues(np.asarray(rvec, float))[0].tolist()
        (fx, _, cx), (_, fy, cy), _ = lens.matrix.tolist()
        k1, k2, p1, p2, k3 = np.asarray(lens.distortion[:5], float).tolist()
        x, y, z = np.asarray(tvec_mm, float).tolist()
        return cls(lens.size_px, (fx, fy), (cx, cy), (k1, k2, p1, p2, k3), tuple(map(tuple, rotation)), (x, y, z))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The 3 x 3 camera matrix."""
        return np.array(
            [[self.focal_px[0], 0, self.centre_px[0]], [0, self.focal_px[1], self.centre_px[1]], [0, 0, 1.0]]
        )

    @property
    def rvec(self) -> NDArray[np.float64]:
        """The rotation as a Rodrigues vector."""
        return np.asarray(cv2.Rodrigues(np.asarray(self.rotation, float))[0], float).ravel()

    @property
    def eye_mm(self) -> NDArray[np.float64]:
        """Where the camera stands, in table mm."""
        return np.asarray(-np.asarray(self.rotation).T @ np.asarray(self.tvec_mm), float)

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """(n, 3) table points to (n, 2) px, lens included."""
        points = np.asarray(points_mm, float).reshape(-1, 1, 3)
        px, _ = cv2.projectPoints(
            points, self.rvec, np.asarray(self.tvec_mm, float), self.matrix, np.asarray(self.distortion)
        )
        return np.asarray(px, float).reshape(-1, 2)

    def faces(self, points_mm: ArrayLike) -> NDArray[np.bool_]:
        """(n,) which of (n, 3) table points lie ahead of the camera and not far beside its picture: farther out a bent
        lens's formula leads back into the picture."""
        points = np.asarray(points_mm, float) @ np.asarray(self.rotation).T + self.tvec_mm
        farthest = np.hypot(*(np.asarray(self.size_px) / (2 * np.asarray(self.focal_px))))
        return np.asarray(np.hypot(points[:, 0], points[:, 1]) < _BESIDE * farthest * points[:, 2], bool)

    def rays(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) px to (n, 3) directions in the table's frame, each one unit long along the optical axis."""
        flat = self._straightened(np.asarray(points_px, float).reshape(-1, 2))
        return np.asarray(np.column_stack([flat, np.ones(len(flat))]) @ np.asarray(self.rotation))

    def _straightened(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) px to where they lie in a picture without distortion, one focal length before the lens."""
        if not any(self.distortion):
            return np.asarray((points_px - self.centre_px) / self.focal_px)
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        bent = np.asarray(self.distortion)
        flat = cv2.undistortPoints(points_px.reshape(-1, 1, 2), self.matrix, bent, criteria=criteria)
        return np.asarray(flat, float).reshape(-1, 2)

    def to_plane(self, points_px: ArrayLike, height_mm: float = 0.0) -> NDArray[np.float64]:
        """(n, 2) px to (n, 2) mm on the level plane at that height."""
        rays, eye = self.rays(points_px), self.eye_mm
        reach = (height_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + reach[:, None] * rays[:, :2])


def looking_at(
    target_mm: tuple[float, float, float],
    distance_mm: float,
    elevation_deg: float,
    azimuth_deg: float = 0.0,
    roll_deg: float = 0.0,
    size_px: tuple[int, int] = (1920, 1080),
    focal_px: float = 1450.0,
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
    centre_px: tuple[float, float] | None = None,
) -> Camera:
    """A camera `elevation_deg` above the horizon with the target in its middle.

    azimuth_deg  0 stands at the near edge, 90 at the right
    """
    up, side = math.radians(elevation_deg), math.radians(azimuth_deg)
    away = np.array([math.sin(side) * math.cos(up), -math.cos(side) * math.cos(up), math.sin(up)])
    eye = np.asarray(target_mm) + distance_mm * away
    forward = -away
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turn = math.radians(roll_deg)
    x, y = math.cos(turn) * right + math.sin(turn) * down, math.cos(turn) * down - math.sin(turn) * right
    rotation = np.array([x, y, forward])
    centre = centre_px or ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    rows = tuple(tuple(float(value) for value in row) for row in rotation)
    tvec = tuple(float(value) for value in -rotation @ eye)
    return Camera(size_px, (focal_px, focal_px), centre, distortion, rows, tvec)  # type: ignore[arg-type]
