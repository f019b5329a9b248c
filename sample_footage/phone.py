"""A phone that lies on the table and plays a film without end."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.camera import Camera
from vision.frame import ImageBgr

Array = NDArray[np.float64]

_SIZE_MM, _THICK_MM, _RIM_MM = (156.0, 76.0), 8.0, 3.0
_PX_PER_MM, _BLACK = 4, 18
# The film: a new picture of so many soft patches each so often, that goes by at so many px in a second.
_PATCHES, _CUT_S, _PAN_PX_S, _PICTURES = (6, 12), 1.3, 120.0, 40


@dataclass(frozen=True, eq=False)
class Phone:
    """Where it lies: its lower left corner, mm, and how it is turned, degrees."""

    at_mm: tuple[float, float]
    turn_deg: float = 20.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(4))

    def shown(self, image_bgr: ImageBgr, camera: Camera, t_s: float) -> ImageBgr:
        """The picture that a camera took at `t_s`, with the phone in it."""
        face = self._face(t_s)
        height, width = face.shape[:2]
        corners_px = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        onto = cv2.getPerspectiveTransform(corners_px, self._corners_px(camera).astype(np.float32))
        size_px = image_bgr.shape[1::-1]
        seen = cv2.warpPerspective(face, onto, size_px, flags=cv2.INTER_AREA)
        share = cv2.warpPerspective(np.ones((height, width), np.float32), onto, size_px)[..., None]
        return np.asarray(np.rint(image_bgr * (1 - share) + seen * share), np.uint8)

    def _corners_px(self, camera: Camera) -> Array:
        """(4, 2), from its upper left one on, clockwise."""
        (long, high), turn = _SIZE_MM, np.radians(self.turn_deg)
        along, up = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        flat = np.array(self.at_mm) + np.outer([0, long, long, 0], along) + np.outer([high, high, 0, 0], up)
        return camera.project(np.c_[flat, np.full(4, _THICK_MM)])

    def _face(self, t_s: float) -> ImageBgr:
        face = np.full((*(round(each * _PX_PER_MM) for each in _SIZE_MM[::-1]), 3), _BLACK, np.uint8)
        rim = round(_RIM_MM * _PX_PER_MM)
        screen = face[rim:-rim, rim:-rim]
        patches = self._pictures[int(t_s / _CUT_S) % _PICTURES]
        still = cv2.resize(patches, screen.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        screen[:] = np.roll(still, round(t_s * _PAN_PX_S), axis=1)
        return face

    @cached_property
    def _pictures(self) -> NDArray[np.uint8]:
        return self.rng.integers(0, 256, (_PICTURES, *_PATCHES, 3)).astype(np.uint8)
