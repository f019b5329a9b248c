"""A sheet that was folded, in a picture that shows it flat: each line of sight meets it where it is raised, and sees
what the flat picture shows of that place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.camera import Camera

Array = NDArray[np.float64]
ImageBgr = NDArray[np.uint8]

# Half a fold's ridge, mm, and how far a panel bulges between folds, of the highest ridge.
_WIDE_MM, _BULGE = (18.0, 40.0), (0.1, 0.35)
# Ridges are so high, of the highest, and by so much uneven along the fold.
_HIGH, _UNEVEN = (0.3, 1.0), 0.4
# The sheet's margin about the map; its corners are held flat, where its markers are printed.
_MARGIN_MM, _HELD_MM = 15.0, (30.0, 90.0)
# Until a line of sight meets the sheet.
_STEPS = 12
# How much brighter a slope is that leans to the left by 45 degrees, and to the near edge.
_LIT, _BRIGHT = (-0.35, -0.25), (0.7, 1.3)
# Between pixels so far apart the sheet is evenly sloped.
_COARSE_PX = 4


@dataclass(frozen=True)
class _Fold:
    """A ridge along one axis: where it lies on the other, mm, half its width, its height, and where along it is low."""

    axis: int
    at_mm: float
    wide_mm: float
    high_mm: float
    wave_mm: float
    start: float

    def heights(self, mm: Array) -> Array:
        """(n,) at places (n, 2)."""
        uneven = 1 - _UNEVEN * np.sin(mm[:, 1 - self.axis] / self.wave_mm + self.start) ** 2
        return np.asarray(self.high_mm * uneven * np.exp(-np.abs(mm[:, self.axis] - self.at_mm) / self.wide_mm))


@dataclass(frozen=True)
class FoldedSheet:
    """A sheet over a table of some size that was folded into panels, and laid out."""

    size_mm: tuple[float, float]
    folds: tuple[_Fold, ...]
    panel_mm: tuple[float, float]
    bulge_mm: float

    @classmethod
    def drawn(cls, size_mm: tuple[float, float], high_mm: float, rng: np.random.Generator) -> FoldedSheet:
        """A random sheet of two to four by two panels, whose highest ridge is `high_mm` high."""
        panels = (int(rng.integers(2, 5)), 2)
        panel_mm = (size_mm[0] / panels[0], size_mm[1] / panels[1])
        places = [(axis, panel_mm[axis] * k) for axis in (0, 1) for k in range(1, panels[axis])]
        shares = np.r_[1.0, rng.uniform(*_HIGH, len(places) - 1)]
        folds = tuple(
            _Fold(axis, at, rng.uniform(*_WIDE_MM), high_mm * share, rng.uniform(90, 250), rng.uniform(0, np.pi))
            for (axis, at), share in zip(places, rng.permutation(shares), strict=True)
        )
        return cls(size_mm, folds, panel_mm, high_mm * rng.uniform(*_BULGE))

    def heights(self, mm: Array) -> Array:
        """(n,) mm above the table at places (n, 2); 0 beyond the sheet."""
        bulge = self.bulge_mm * np.prod(np.sin(np.pi * np.clip(mm, 0, self.size_mm) / self.panel_mm) ** 2, axis=1)
        high = np.max([fold.heights(mm) for fold in self.folds], axis=0) + bulge
        corners = np.array([[0, 0], [self.size_mm[0], 0], self.size_mm, [0, self.size_mm[1]]], float)
        to_corner = np.hypot(*(mm[:, None] - corners).transpose(2, 0, 1)).min(axis=1)
        held = np.interp(to_corner, _HELD_MM, (0.0, 1.0))
        on_sheet = ((mm > -_MARGIN_MM) & (mm < np.array(self.size_mm) + _MARGIN_MM)).all(axis=1)
        return np.asarray(np.where(on_sheet, held * high, 0.0), float)


class FoldedView:
    """What a camera sees of a folded sheet, from pictures in which it lies flat: the pieces lie on it."""

    def __init__(self, camera: Camera, sheet: FoldedSheet) -> None:
        width, height = camera.size_px
        columns, rows = ((np.arange(side // _COARSE_PX + 2) * _COARSE_PX).astype(float) for side in (width, height))
        at_px = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        moved_px, light = _met(camera, sheet, at_px)
        coarse = np.column_stack([moved_px, light]).astype(np.float32).reshape(len(rows), len(columns), 3)
        u, v = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in (width, height)))
        fine = cv2.remap(coarse, u / _COARSE_PX, v / _COARSE_PX, cv2.INTER_LINEAR)
        self._u, self._v, self._light = u + fine[..., 0], v + fine[..., 1], fine[..., 2:]

    def of(self, image_bgr: ImageBgr) -> ImageBgr:
        """The picture with the sheet folded."""
        moved = cv2.remap(image_bgr, self._u, self._v, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(np.clip(moved * self._light, 0, 255), np.uint8)


def _met(camera: Camera, sheet: FoldedSheet, at_px: Array) -> tuple[Array, Array]:
    """How far off (n, 2) px the flat picture shows what is seen there of the sheet, and how bright it is (n,)."""
    moved_px, light, eye = np.zeros_like(at_px), np.ones(len(at_px)), camera.eye_mm
    seen_mm = camera.to_plane(at_px)
    near = np.abs(seen_mm - np.array(sheet.size_mm) / 2).max(axis=1) < max(sheet.size_mm)
    seen_mm, met_mm = seen_mm[near], seen_mm[near]
    for _ in range(_STEPS):
        met_mm = seen_mm + (eye[:2] - seen_mm) * (sheet.heights(met_mm) / eye[2])[:, None]
    moved_px[near] = camera.project(np.c_[met_mm, np.zeros(len(met_mm))]) - at_px[near]
    slopes = [(sheet.heights(met_mm + step) - sheet.heights(met_mm - step)) / 2 for step in np.eye(2)]
    light[near] = np.clip(1 + np.array(_LIT) @ slopes, *_BRIGHT)
    return moved_px, light
