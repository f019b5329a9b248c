"""A sleeve and a hand that reach over the table, slice upon slice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.household import any_paint
from models.training.slices import TABLE_MM, Layers, capsule

Array = NDArray[np.float64]

# Skins in the light of a room, blue to red.
_SKINS_BGR = ((140, 165, 210), (110, 140, 190), (70, 95, 140), (45, 60, 95), (150, 180, 230))
# From the wrist to where the fingers begin, mm.
_PALM_MM = 95


@dataclass(frozen=True)
class _Hand:
    """Where it reaches: unit vectors ahead and to its side, the wrist and the palm's end, mm, and the skin's colour."""

    ahead: Array
    side: Array
    wrist: Array
    aim: Array
    skin: Array


def hand(layers: Layers, rng: np.random.Generator) -> None:
    """A sleeve and a hand that reach in from the table's edge, fingers together, spread, or holding."""
    edge, aim = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.75, 2) * TABLE_MM
    ahead = -np.array([np.cos(edge), np.sin(edge)])
    skin = rng.choice(_SKINS_BGR) * rng.uniform(0.8, 1.15)
    reaching = _Hand(ahead, np.array([-ahead[1], ahead[0]]), aim - ahead * _PALM_MM, aim, skin)
    sleeve, high = any_paint(rng), rng.uniform(15, 70)
    layers.shadow(capsule(reaching.wrist - ahead * 300, aim, 36), high, rng.uniform(0.15, 0.45))
    for z in np.linspace(high, high + 45, 9):
        _arm(layers, reaching, z, z - high, sleeve, rng)
    for z in np.linspace(high, high + 28, 7):
        _fingers(layers, reaching, z, z - high, rng)


def _round(up_mm: float, middle_mm: float, radius_mm: float) -> float:
    """How wide a slice of something round is so far up, of its widest."""
    return float(np.sqrt(max(0.1, 1 - ((up_mm - middle_mm) / radius_mm) ** 2)))


def _arm(layers: Layers, reaching: _Hand, z: float, up_mm: float, sleeve: Array, rng: np.random.Generator) -> None:
    """A slice of the wrist and of the sleeve over it."""
    wide, shade = _round(up_mm, 22, 26), 0.65 + 0.35 * up_mm / 45
    wrist, ahead = reaching.wrist, reaching.ahead
    layers.polygon(capsule(wrist - ahead * 400, wrist + ahead * 4, 30 * wide), z, reaching.skin * shade, "hand")
    cuff = capsule(wrist - ahead * 400, wrist - ahead * rng.uniform(38, 44), 42 * wide)
    layers.polygon(cuff, z, sleeve * shade * rng.uniform(0.95, 1.05), "hand")


def _fingers(layers: Layers, reaching: _Hand, z: float, up_mm: float, rng: np.random.Generator) -> None:
    """A slice of the palm, of four fingers and of the thumb, which bend down."""
    wide, skin = _round(up_mm, 14, 17), reaching.skin * (0.6 + 0.4 * up_mm / 28)
    wrist, aim, ahead, side = reaching.wrist, reaching.aim, reaching.ahead, reaching.side
    layers.polygon(capsule(wrist + ahead * 10, aim - ahead * 20, 38 * wide), z, skin, "hand")
    for k in np.arange(-2, 2) + 0.5:
        tip = aim + ahead * rng.uniform(22, 30) * (1 - 0.12 * abs(k)) + side * k * rng.uniform(14, 24)
        layers.polygon(capsule(aim - ahead * 14 + side * k * 16, tip, 8.5 * wide), z * 0.8, skin, "hand")
    thumb = capsule(wrist + ahead * 30 + side * 30, aim - ahead * 20 + side * rng.uniform(36, 52), 9.5 * wide)
    layers.polygon(thumb, z * 0.7, skin, "hand")
