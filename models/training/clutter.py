"""Things that are no coins but look like it: washers, nuts, buttons, bottle tops, paper dots, batteries, dice."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, STICKER_BGR, Sprite

_MIDDLE = (SPRITE_PX - 1) / 2
Mask = NDArray[np.uint8]


def clutter(rng: np.random.Generator) -> tuple[Sprite, float, float]:
    """A thing seen from above, its radius and its height in mm."""
    make, smallest, largest, height = _KINDS[rng.integers(len(_KINDS))]
    bgr, alpha = make(rng)
    return (
        Sprite(np.clip(bgr, 0, 255).astype(np.uint8), alpha),
        rng.uniform(smallest, largest),
        rng.uniform(0.1, height),
    )


def _disc(radius: float, centre: tuple[float, float] = (0.0, 0.0)) -> Mask:
    mask = np.zeros((SPRITE_PX, SPRITE_PX), np.uint8)
    at = [round((_MIDDLE + value * SPRITE_RADIUS_PX) * 16) for value in centre]
    cv2.circle(mask, (at[0], at[1]), round(radius * SPRITE_RADIUS_PX * 16), (255,), -1, cv2.LINE_AA, 4)
    return mask


def _polygon(points: NDArray[np.float64]) -> Mask:
    mask = np.zeros((SPRITE_PX, SPRITE_PX), np.uint8)
    cv2.fillPoly(mask, [np.rint((points * SPRITE_RADIUS_PX + _MIDDLE) * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return mask


def _regular(sides: int, turn: float, radius: float = 1.0) -> NDArray[np.float64]:
    angles = turn + np.arange(sides) * 2 * np.pi / sides
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _metal(rng: np.random.Generator) -> NDArray[np.float32]:
    tone = (
        np.array([1.0, 1.02, 1.03]) * rng.uniform(60, 235)
        if rng.random() < 0.8
        else np.array([70, 140, 180]) * rng.uniform(0.6, 1.2)
    )
    ramp = np.linspace(-1, 1, SPRITE_PX)
    angle = rng.uniform(0, 2 * np.pi)
    light = (
        1
        + rng.uniform(0, 0.4) * (np.cos(angle) * ramp[None] + np.sin(angle) * ramp[:, None])
        + rng.normal(0, 0.03, (SPRITE_PX, SPRITE_PX))
    )
    if rng.random() < 0.5:
        distance = np.hypot(ramp[None], ramp[:, None])
        light = light + rng.uniform(0, 0.15) * np.sin(distance * rng.uniform(20, 80))
    return np.asarray(light[..., None] * tone, np.float32)


def _plain(rng: np.random.Generator) -> NDArray[np.float32]:
    colours = list(STICKER_BGR.values())
    tone = np.array(colours[rng.integers(len(colours))]) * rng.normal(1, 0.1, 3)
    return np.asarray(tone * (1 + rng.normal(0, 0.02, (SPRITE_PX, SPRITE_PX, 1))), np.float32)


def _print(face: NDArray[np.float32], text: str, rng: np.random.Generator) -> None:
    ink = np.zeros((SPRITE_PX, SPRITE_PX), np.uint8)
    cv2.putText(ink, text, (30, 80), cv2.FONT_HERSHEY_TRIPLEX, 1.6, (255,), 3, cv2.LINE_AA)
    face[ink > 127] = rng.uniform(0, 255, 3)


def _washer(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    hole = rng.uniform(0.18, 0.72)
    alpha = cv2.subtract(_disc(1.0), _disc(hole))
    return _metal(rng), alpha


def _nut(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    alpha = cv2.subtract(_polygon(_regular(6, rng.uniform(0, 1))), _disc(rng.uniform(0.4, 0.6)))
    face = _metal(rng)
    face[_disc(0.8) < 128] *= rng.uniform(0.4, 0.9)
    return face, alpha


def _button(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    face, alpha = _plain(rng), _disc(1.0)
    face[_disc(rng.uniform(0.6, 0.85)) < 128] *= rng.uniform(0.7, 1.2)
    for at in _regular(int(rng.choice([2, 4])), rng.uniform(0, 3), 0.22):
        alpha = cv2.subtract(alpha, _disc(0.09, (float(at[0]), float(at[1]))))
    return face, alpha


def _bottle_top(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    angles = np.linspace(0, 2 * np.pi, 210, endpoint=False)
    edge = (0.95 + 0.05 * np.sin(21 * angles))[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    face = _plain(rng)
    face[_disc(rng.uniform(0.75, 0.85)) < 128] *= 0.6
    if rng.random() < 0.7:
        _print(face, "XO", rng)
    return face, _polygon(edge)


def _token(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    """A flat counter or a paper dot without a coin under it, plain or printed."""
    face = _plain(rng)
    if rng.random() < 0.5:
        face[_disc(rng.uniform(0.5, 0.9)) < 128] = rng.uniform(0, 255, 3)
    if rng.random() < 0.3:
        _print(face, str(rng.integers(1, 50)), rng)
    return face, _disc(1.0)


def _battery(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    along = np.linspace(-1, 1, SPRITE_PX)
    face = np.broadcast_to(
        np.sqrt(np.clip(1 - np.square(along / 0.32), 0, 1))[:, None, None] * (60, 60, 60), (SPRITE_PX, SPRITE_PX, 3)
    ).astype(np.float32)
    face[:, SPRITE_PX * 3 // 4 :] *= rng.uniform(0.5, 3, 3)
    return face + rng.uniform(0, 40), _polygon(np.array([(-1, -0.3), (0.94, -0.3), (0.94, 0.3), (-1, 0.3)]))


def _box(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    """A die, an eraser, a bracket: a block with dots or without."""
    face = _plain(rng) if rng.random() < 0.7 else _metal(rng)
    if rng.random() < 0.6:
        for at in _regular(int(rng.integers(1, 6)), rng.uniform(0, 3), 0.4):
            face[_disc(0.12, (float(at[0]), float(at[1]))) > 128] = rng.choice([20, 240])
    return face, _polygon(_regular(4, np.pi / 4) * (1.0, rng.uniform(0.4, 1.0)))


def _stick(rng: np.random.Generator) -> tuple[NDArray[np.float32], Mask]:
    width = rng.uniform(0.02, 0.08)
    return _plain(rng), _polygon(np.array([(-1, -width), (1, -width), (1, width), (-1, width)]))


Maker = Callable[[np.random.Generator], tuple[NDArray[np.float32], Mask]]
# Maker, smallest and largest radius, greatest height in mm.
_KINDS: tuple[tuple[Maker, float, float, float], ...] = (
    (_washer, 7, 20, 2.5),
    (_washer, 7, 16, 2.5),
    (_washer, 9, 14, 2.0),
    (_nut, 7, 14, 8),
    (_button, 6, 15, 4),
    (_bottle_top, 13, 17, 6),
    (_token, 5, 20, 3),
    (_token, 5, 14, 0.2),
    (_battery, 22, 27, 10),
    (_box, 9, 20, 14),
    (_stick, 20, 80, 3),
)
