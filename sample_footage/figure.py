"""A figure that stands, or is held, at a place: what the truth, the hands and the film know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.coin_draw import Patch
from sample_footage.shadows import Disc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sample_footage.camera import Camera

    Floats = NDArray[np.float32]

SOFT_PX = 0.7  # of a cut's edge: about what a pixel and the lens take


@dataclass(frozen=True)
class Figure:
    """A soldier or a miniature on its base; turn_deg is where it faces, counter-clockwise from +x.

    number   of its objects in the renderer
    tall_mm  from its foot to its top, where fingers hold it
    """

    id: str
    cls: str
    position_mm: tuple[float, float]
    number: int
    radius_mm: float
    tall_mm: float
    owner: str = "none"
    turn_deg: float = 0.0
    low_mm: float = 0.0
    on: str | None = None
    face: str = "unknown"

    @property
    def kind(self) -> str:
        """As scenes name it."""
        return "base" if self.cls == "base" else "soldier"

    @property
    def high_mm(self) -> float:
        """Height of its top."""
        return self.low_mm + self.tall_mm

    @property
    def solid(self) -> Disc:
        """The shape that throws its shadow while it is held."""
        return Disc(self.position_mm, self.radius_mm, self.low_mm, self.high_mm)

    def foot_px(self, camera: Camera) -> NDArray[np.float64]:
        """Where its foot shows, (2,)."""
        return np.asarray(camera.project([(*self.position_mm, self.low_mm)])[0])


def cut_out(picture: Floats, shown: NDArray[np.bool_]) -> Patch:
    """What a linear picture shows where the mask is set."""
    u, v, width, height = cv2.boundingRect(shown.astype(np.uint8))
    window = (slice(v, v + height), slice(u, u + width))
    cover = cv2.GaussianBlur(shown[window].astype(np.float32), (0, 0), SOFT_PX)
    return Patch((u, v), np.asarray(picture[window] * cover[..., None], np.float32), np.asarray(cover, np.float32))
