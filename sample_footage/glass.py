"""A pane of glass over the map, pieces on top: what lies under it shows nearer to the camera than it lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sample_footage.camera import Camera
from sample_footage.ground import Ground, View
from sample_footage.light import Light

Array = NDArray[np.float64]

# Of acrylic, for the yellow light of the sodium line.
ACRYLIC = 1.491


@dataclass(frozen=True)
class Pane:
    """How thick it is, and how much slower light is in it."""

    thick_mm: float
    refraction: float = ACRYLIC

    def under(self, places_mm: Array, camera_mm: Array) -> Array:
        """(..., 2) where sight through places (..., 2) of the pane's upper side meets the map; heights count from
        there."""
        away_mm = places_mm - camera_mm[:2]
        flat_mm = np.linalg.norm(away_mm, axis=-1, keepdims=True)
        sine = flat_mm / np.hypot(flat_mm, camera_mm[2]) / self.refraction
        along_mm = self.thick_mm * sine / np.sqrt(1 - sine**2)
        return np.asarray(places_mm + away_mm / np.maximum(flat_mm, 1e-9) * along_mm, float)


class GlassView(View):
    """A camera over a ground under glass; what stands on it stands on the pane."""

    def __init__(self, camera: Camera, ground: Ground, light: Light, pane: Pane) -> None:
        super().__init__(camera, ground, light)
        self.pane = pane

    def _colour_at(self, xy_mm: Array) -> NDArray[np.uint8]:
        return super()._colour_at(self.pane.under(xy_mm, self.camera.eye_mm))
