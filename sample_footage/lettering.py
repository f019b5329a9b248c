"""Text on pictures, with OpenCV's built-in typefaces, so that no font need be installed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bgr = tuple[float, float, float]


@cache
def _typeface(slanted: bool) -> cv2.FontFace:
    return cv2.FontFace("italic" if slanted else "sans")


@cache
def text_mask(text: str, size_px: int, weight: int = 400, slanted: bool = False) -> NDArray[np.uint8]:
    """The text's ink as a grey picture with a border of half its size, white on black."""
    face = _typeface(slanted)
    x, y, width, height = cv2.getTextSize((0, 0), text, (0, 0), face, size_px, weight)
    border = size_px // 2 + 1
    mask = np.zeros((height + 2 * border, width + 2 * border), np.uint8)
    cv2.putText(mask, text, (border - x, border - y), (255,), face, size_px, weight)
    return mask


def write(
    picture: NDArray[np.uint8],
    text: str,
    at_px: tuple[float, float],
    size_px: int,
    colour: Bgr,
    weight: int = 400,
    slanted: bool = False,
    halo: Bgr | None = None,
    anchor: tuple[float, float] = (0.5, 0.5),
) -> tuple[int, int, int, int]:
    """Write text with the point `anchor` of its box (0 left or top, 1 right or bottom) at `at_px`; returns the box."""
    mask = text_mask(text, size_px, weight, slanted)
    x, y = text_origin(mask, at_px, size_px, anchor)
    if halo is not None:
        reach = max(1, size_px // 7)
        wide = np.asarray(cv2.GaussianBlur(cv2.dilate(mask, _disc(reach)), (0, 0), 0.5 * reach), np.uint8)
        blend(picture, wide, (x, y), halo)
    blend(picture, mask, (x, y), colour)
    border = size_px // 2 + 1
    return x + border, y + border, x + mask.shape[1] - border, y + mask.shape[0] - border


def text_origin(
    mask: NDArray[np.uint8], at_px: tuple[float, float], size_px: int, anchor: tuple[float, float]
) -> tuple[int, int]:
    """Where the mask's top left corner goes."""
    border = size_px // 2 + 1
    width, height = mask.shape[1] - 2 * border, mask.shape[0] - 2 * border
    return round(at_px[0] - anchor[0] * width) - border, round(at_px[1] - anchor[1] * height) - border


def blend(picture: NDArray[np.uint8], mask: NDArray[np.uint8], corner_px: tuple[int, int], colour: Bgr) -> None:
    """Lay a colour over the picture through a mask, cut at the picture's edge."""
    x, y = corner_px
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(picture.shape[1], x + mask.shape[1]), min(picture.shape[0], y + mask.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    alpha = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
    window = picture[y0:y1, x0:x1]
    window[:] = np.rint(window * (1 - alpha) + np.asarray(colour, np.float32) * alpha)


@cache
def _disc(radius_px: int) -> NDArray[np.uint8]:
    size = (2 * radius_px + 1, 2 * radius_px + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)
