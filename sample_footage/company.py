"""A player who sits behind the table and is never still."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

# A jumper, its wool so coarse, in grey levels and px of a picture 1920 across.
_COLOUR_BGR, _WOOL_LEVELS, _WOOL_PX = (70, 60, 110), 14.0, 8
# Who leans over takes so long to do it.
_LEANS_S = 0.8
# The middle, half the breadth, and how far and slowly it sways across and up, in widths of the picture and s.
_MIDDLE, _HALF, _SWAY, _PERIODS_S = 0.5, 0.3, (0.02, 0.003), (2.9, 1.7)


def with_company(image_bgr: ImageBgr, t_s: float, down: float) -> ImageBgr:
    """The picture taken at `t_s`, with a person who covers the share `down` of its height from the top."""
    height, width = image_bgr.shape[:2]
    across, up = (far * width * np.sin(2 * np.pi * t_s / each) for far, each in zip(_SWAY, _PERIODS_S, strict=True))
    body = np.zeros((height, width), np.float32)
    axes = (round(_HALF * width), round(max(0.0, down * height - abs(up))))
    cv2.ellipse(body, (round(_MIDDLE * width + across), 0), axes, 0, 0, 360, 1.0, -1)
    body = cv2.GaussianBlur(body, (0, 0), width / 1600)[..., None]
    wool = np.roll(_jumper(image_bgr.shape), (round(up), round(across)), axis=(0, 1))
    return np.asarray(image_bgr * (1 - body) + wool * body, np.uint8)


def leaning_over(image_bgr: ImageBgr, t_s: float, down: float, from_s: float) -> ImageBgr:
    """The picture taken at `t_s`, with a person who leans into it from `from_s` on, and stays."""
    share = float(np.clip((t_s - from_s) / _LEANS_S, 0, 1))
    return with_company(image_bgr, t_s, down * share) if share > 0 else image_bgr


@cache
def _jumper(shape: tuple[int, ...]) -> NDArray[np.float32]:
    height, width = shape[:2]
    coarse = (round(1920 / _WOOL_PX), round(1920 / _WOOL_PX * height / width))
    knots = np.random.default_rng(8).normal(0, _WOOL_LEVELS, coarse[::-1]).astype(np.float32)
    wool = cv2.resize(knots, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wool[..., None] + np.array(_COLOUR_BGR), np.float32)
