"""A lamp that goes through all colours, as strips of lights do in many a player's room."""

from __future__ import annotations

import numpy as np

from vision.frame import ImageBgr
from vision.light import srgb

# Blue, green and red wax and wane one after the other, once in so many s.
_PERIOD_S = 12.0
_PHASES = 2 * np.pi * np.arange(3) / 3


def in_turning_colours(image_bgr: ImageBgr, t_s: float, depth: float) -> ImageBgr:
    """The picture taken at `t_s`, its blue, green and red light stronger and weaker by `depth` in turn."""
    gains = 1 + depth * np.sin(2 * np.pi * t_s / _PERIOD_S + _PHASES)
    return srgb.rounded(srgb.light_in(image_bgr) * gains.astype(np.float32))
