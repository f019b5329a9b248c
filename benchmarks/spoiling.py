"""Pictures spoilt as bad light, bad focus and cheap cameras spoil them, at three strengths each."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import srgb

# Lengths in px are meant for pictures of this width.
WIDTH_PX = 1920
# Of what is spoilt by chance.
SEED = 7

Light = NDArray[np.float32]
Levels = NDArray[np.uint8]


def developed(light: Light) -> Light:
    """Light to grey levels, not yet rounded; what is brighter than white is white."""
    return np.asarray(srgb.level(np.clip(light, 0, 1)))


def rounded(levels: NDArray[np.floating]) -> Levels:
    """The picture as a camera stores it: whole grey levels, 0 to 255."""
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def dark(image_bgr: Levels, share: float, rng: np.random.Generator) -> Levels:
    """So much of the light only; the sensor's own noise of two grey levels stays."""
    return rounded(developed(srgb.light_in(image_bgr) * share) + rng.normal(0, 2.0, image_bgr.shape))


def warm(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """A lamp's light that the camera did not balance; at 1 there is a third of the blue left."""
    return rounded(developed(srgb.light_in(image_bgr) * (np.array([0.33, 0.75, 1.2]) ** strength).astype(np.float32)))


def mixed(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """Light of two colours: warm from one side, cold from the other."""
    turn = np.linspace(-1, 1, image_bgr.shape[1], dtype=np.float32)[None, :, None] * rng.choice([-1, 1])
    return rounded(developed(srgb.light_in(image_bgr) * np.exp(strength * turn * np.float32([-0.7, 0.0, 0.5]))))


def glare(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """A lamp mirrored by the table: a soft spot, half as bright a twentieth of the picture's width away."""
    height, width = image_bgr.shape[:2]
    u, v = rng.uniform(0.3, 0.7, 2) * (width, height)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    spot = strength * np.exp(-(np.square(columns - u) + np.square(rows - v)) / (2 * (0.0425 * width) ** 2))
    return rounded(developed(srgb.light_in(image_bgr) + spot[..., None].astype(np.float32)))


def shadow(image_bgr: Levels, share: float, rng: np.random.Generator) -> Levels:
    """The edge of a shadow straight across the table: on one side so much of the light only."""
    height, width = image_bgr.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    beyond = (columns - width / 2) * np.cos(turn) + (rows - height / 2) * np.sin(turn)
    soft = 1 / (1 + np.exp(-np.clip(beyond / (8 * width / WIDTH_PX), -30, 30)))
    return rounded(developed(srgb.light_in(image_bgr) * (share + (1 - share) * soft)[..., None].astype(np.float32)))


def blur(image_bgr: Levels, sigma_px: float, rng: np.random.Generator) -> Levels:
    """A picture out of focus by a Gaussian of `sigma_px`."""
    soft = cv2.GaussianBlur(srgb.light_in(image_bgr), (0, 0), sigma_px * image_bgr.shape[1] / WIDTH_PX)
    return rounded(developed(np.asarray(soft, np.float32)))


def jpeg(image_bgr: Levels, quality: float, rng: np.random.Generator) -> Levels:
    """A picture squeezed by JPEG, as a webcam or a messenger does it."""
    _, coded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def noise(image_bgr: Levels, levels: float, rng: np.random.Generator) -> Levels:
    """Noise of so many levels, as a small sensor in poor light makes it."""
    grey = rng.normal(0, levels, (*image_bgr.shape[:2], 1)) + rng.normal(0, levels / 2, image_bgr.shape)
    return rounded(image_bgr + grey)


Spoil = Callable[[Levels, float, np.random.Generator], Levels]
CORRUPTIONS: dict[str, tuple[Spoil, tuple[float, float, float]]] = {
    "dark": (dark, (0.4, 0.15, 0.05)),
    "warm": (warm, (0.4, 0.7, 1.0)),
    "mixed": (mixed, (0.4, 0.7, 1.0)),
    "glare": (glare, (0.3, 0.8, 2.0)),
    "shadow": (shadow, (0.6, 0.4, 0.2)),
    "blur": (blur, (1.0, 2.0, 3.5)),
    "jpeg": (jpeg, (50, 25, 10)),
    "noise": (noise, (5.0, 10.0, 20.0)),
}
