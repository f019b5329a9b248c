"""Lays a table that `models.render_solids` rendered on a ground, turned any way, in its own light."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendered.measures import HAND_INDEX, TERRAIN_INDEX, WHOLE_MM
from models.training.slices import CANVAS_PX, PX_PER_MM, Layers

Array = NDArray[np.float64]
_GAMMA = 2.2


def overlay(layers: Layers, path: Path, rng: np.random.Generator) -> list[tuple[float, ...]]:
    """Compose in linear light; rows (kind, x, y, facing, radius, number) in mm of the canvas, y downwards."""
    with np.load(path) as stored:
        parts = {key: stored[key] for key in stored.files}
    turn = rng.uniform(0, 2 * np.pi)
    warp = _warp(len(parts["rgba"]), turn, rng.uniform(-45, 45, 2))
    layers.slant = float(parts["cotangent"]) * np.array([np.sin(turn), -np.cos(turn)])
    rgba = _onto(parts["rgba"], warp, cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        rgba = cv2.GaussianBlur(rgba, (0, 0), rng.uniform(0.4, 1.6))
    _blend(layers, rgba, rng)
    owner = _onto(parts["owner"], warp, cv2.INTER_NEAREST)
    layers.owner[:] = owner
    layers.figure[:] = np.where((owner > 0) & (owner < TERRAIN_INDEX), 255, 0)
    layers.hand[:] = np.where(owner == HAND_INDEX, 255, 0)
    layers.ground[:] = _onto(parts["ground"], warp, cv2.INTER_NEAREST)
    layers.height[:] = _onto(parts["height"].astype(np.float32), warp, cv2.INTER_NEAREST)
    return [_row(row, warp, turn, len(parts["rgba"])) for row in parts["rows"].astype(float)]


def _warp(size_px: int, turn: float, shift_mm: Array) -> Array:
    """(2, 3) from px of the rendered picture to px of the canvas."""
    c, s = np.cos(turn), np.sin(turn)
    linear = np.array([[c, -s], [s, c]]) * WHOLE_MM / size_px * PX_PER_MM
    return np.c_[linear, CANVAS_PX / 2 + shift_mm * PX_PER_MM - linear @ np.full(2, (size_px - 1) / 2)]


def _onto(layer: np.ndarray, warp: Array, how: int) -> np.ndarray:
    return cv2.warpAffine(layer, warp, (CANVAS_PX, CANVAS_PX), flags=how)


def _blend(layers: Layers, rgba: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Things over ground; how bright a ground looks next to them is anybody's guess, within reason."""
    gain = np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.08, 3))
    lit = (rgba[..., 2::-1].astype(np.float32) / 255) ** _GAMMA * gain
    ground = (np.clip(layers.bgr, 0, 255) / 255) ** _GAMMA
    share = rgba[..., 3:].astype(np.float32) / 255
    layers.bgr[:] = np.clip(lit + ground * (1 - share), 0, 1) ** (1 / _GAMMA) * 255


def _row(row: Array, warp: Array, turn: float, size_px: int) -> tuple[float, ...]:
    kind, x, y, facing, radius, number = row
    px = np.array([x, -y]) / WHOLE_MM * size_px + (size_px - 1) / 2
    at = (warp[:, :2] @ px + warp[:, 2]) / PX_PER_MM
    return (kind, *at, turn - facing, radius, number)
