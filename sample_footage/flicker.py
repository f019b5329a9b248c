"""A lamp that flickers with the mains, as a rolling shutter shows it: bands that wander through the picture."""

from __future__ import annotations

import numpy as np

from vision.frame import ImageBgr
from vision.light import srgb

# So long it takes to read out the rows of a picture: most of its thirtieth of a second.
READ_OUT_S = 0.028
# Clocks of cameras and of the mains disagree by so much.
_OFF = 1.003


def flickering(image_bgr: ImageBgr, t_s: float, depth: float, mains_hz: float) -> ImageBgr:
    """The picture taken at `t_s`, by a lamp whose light varies by `depth` of it to both sides, twice in each period of
    the mains."""
    rows_s = t_s + np.linspace(0, READ_OUT_S, len(image_bgr))
    light = 1 + depth * np.sin(2 * np.pi * 2 * mains_hz * _OFF * rows_s)
    return srgb.rounded(srgb.light_in(image_bgr) * light.astype(np.float32)[:, None, None])
