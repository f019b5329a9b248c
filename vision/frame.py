"""One picture with its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ImageBgr = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """image_bgr: (h, w, 3) uint8; t_s: seconds from the source's own clock; source: what a person calls it; unlit_bgr:
    the same picture before it was lit up, where it was (`vision.light.developed`)."""

    image_bgr: ImageBgr
    index: int = 0
    t_s: float = 0.0
    source: str = ""
    unlit_bgr: ImageBgr | None = None
