"""A tripod that is carried elsewhere, round the table's middle or aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sample_footage.camera import Camera

# Where the cameras of drawn tables look.
MIDDLE_MM = np.array([350.0, 228.0, 0.0])
# The camera after that share of the way.
Carry = Callable[["Camera", float], "Camera"]


def round_by(degrees: float) -> Carry:
    """Round the table's middle."""

    def carry(camera: Camera, share: float) -> Camera:
        """Turned about the upright through it."""
        turn = np.radians(degrees * share)
        about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        rotation = np.asarray(camera.rotation)
        return _posed(camera, rotation @ about, rotation @ (MIDDLE_MM - about @ MIDDLE_MM) + camera.tvec_mm)

    return carry


def aside_by(dx_mm: float, dy_mm: float, dz_mm: float) -> Carry:
    """Without turning it; the table goes on showing."""

    def carry(camera: Camera, share: float) -> Camera:
        """Shifted along the table's axes."""
        rotation = np.asarray(camera.rotation)
        return _posed(camera, rotation, camera.tvec_mm - rotation @ (np.array([dx_mm, dy_mm, dz_mm]) * share))

    return carry


def _posed(camera: Camera, rotation: NDArray[np.float64], tvec_mm: NDArray[np.float64]) -> Camera:
    (a, b, c), (x, y, z) = (tuple(map(float, row)) for row in rotation), map(float, tvec_mm)
    return replace(camera, rotation=(a, b, c), tvec_mm=(x, y, z))
