"""Toy soldiers, horsemen, field guns and miniatures on bases, as stacks of slices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.looks import STICKER_BGR
from models.training.slices import Layers, capsule, ellipse, rectangle, stack

Array = NDArray[np.float64]

_SKIN = np.array([140.0, 170.0, 215.0])
COLOURS = tuple(STICKER_BGR)


def army_colour(rng: np.random.Generator) -> tuple[str, Array]:
    """A colour's name and its paint."""
    name = COLOURS[rng.integers(len(COLOURS))]
    return name, np.clip(np.array(STICKER_BGR[name], float) * rng.normal(1, 0.12) + rng.normal(0, 10, 3), 5, 250)


@dataclass(frozen=True)
class _Man:
    """A standing man being built: `at` under him, unit vectors ahead and to his side, how `tall` (mm)."""

    layers: Layers
    at: Array
    facing: float
    ahead: Array
    side: Array
    tall: float
    paint: Array

    def slice(self, outline: Array, z: float, paint: Array) -> None:
        """One slice of him at height `z`."""
        self.layers.polygon(outline, z, paint, "figure")

    def base(self, half: tuple[float, float], rng: np.random.Generator) -> None:
        """An oval or a rectangle with these half axes, and his shadow."""
        outline = (
            ellipse(self.at, half, self.facing + rng.choice([0, np.pi / 2]))
            if rng.random() < 0.7
            else rectangle(self.at, (2 * half[0], 2 * half[1]), self.facing)
        )
        self.layers.shadow(ellipse(self.at, (8, 8)), self.tall, rng.uniform(0.15, 0.5))
        stack(self.layers, outline, (0, rng.uniform(1, 3)), self.paint * rng.uniform(0.8, 1.0), "figure")

    def legs(self, rng: np.random.Generator) -> None:
        """From a stride apart up to the hip."""
        stride = rng.uniform(-6, 6) * self.ahead + rng.uniform(2.5, 5) * self.side
        hip = 0.42 * self.tall
        for foot_at in (self.at + stride, self.at - stride):
            for z in np.arange(2, hip, 1.5):
                share = z / hip
                middle = foot_at * (1 - 0.6 * share) + self.at * 0.6 * share
                self.slice(ellipse(middle, (3.6 - share, 3.2)), z, self.paint * (0.5 + 0.3 * share))

    def trunk(self, lean: Array) -> None:
        """From the hip to the shoulders."""
        for z in np.arange(0.4 * self.tall, 0.78 * self.tall, 1.2):
            share = (z / self.tall - 0.4) / 0.38
            middle = self.at + lean * (z - 0.4 * self.tall)
            outline = ellipse(middle, (4.5 + 1.5 * share, 6 + 2.5 * share), self.facing)
            self.slice(outline, z, self.paint * (0.7 + 0.3 * share))

    def arms(self, hands: Array, rng: np.random.Generator) -> None:
        """From the shoulders to the `hands`."""
        for sign in (-1, 1):
            arm = capsule(self.at + sign * self.side * 7, hands + sign * self.side * rng.uniform(0, 6), 2.4)
            self.slice(arm, 0.66 * self.tall, self.paint * 0.9)

    def head(self, lean: Array, rng: np.random.Generator) -> None:
        """A face, of skin or of the plastic, and a hat."""
        face = _SKIN * rng.uniform(0.6, 1.1) if rng.random() < 0.35 else self.paint
        middle = self.at + lean * 0.4 * self.tall
        for z in np.arange(0.8 * self.tall, self.tall, 1.2):
            hat = z > 0.92 * self.tall
            outline = ellipse(middle, (5.0, 5.0) if hat else (4.0, 3.8))
            self.slice(outline, z, (self.paint if hat else face) * (0.8 + 0.2 * (z / self.tall)))

    def rifle(self, hands: Array, rng: np.random.Generator) -> None:
        """Of his plastic or of steel, ahead or across."""
        steel = self.paint * 0.8 if rng.random() < 0.6 else np.array([40.0, 45.0, 50.0])
        way = self.ahead if rng.random() < 0.6 else self.ahead * 0.3 + self.side * rng.normal(0, 0.3)
        barrel = capsule(hands - way * 6, hands + way * rng.uniform(10, 28), 1.1)
        self.slice(barrel, rng.uniform(0.5, 0.8) * self.tall, steel)


def foot(layers: Layers, at: Array, facing: float, paint: Array, rng: np.random.Generator) -> float:
    """A man of 50 to 64 mm; returns the mean radius of his base."""
    ahead, side = np.array([np.cos(facing), np.sin(facing)]), np.array([-np.sin(facing), np.cos(facing)])
    man = _Man(layers, at, facing, ahead, side, rng.uniform(48, 64), paint)
    half = (rng.uniform(10, 16), rng.uniform(7, 11))
    man.base(half, rng)
    man.legs(rng)
    lean = rng.normal(0, 0.08) * ahead
    man.trunk(lean)
    hands = at + ahead * rng.uniform(3, 9)
    man.arms(hands, rng)
    man.head(lean, rng)
    if rng.random() < 0.8:
        man.rifle(hands, rng)
    return float(np.sqrt(half[0] * half[1]))


def fallen(layers: Layers, at: Array, facing: float, paint: Array, rng: np.random.Generator) -> float:
    """A man who lies: his base stands on edge behind him."""
    ahead = np.array([np.cos(facing), np.sin(facing)])
    side = np.array([-ahead[1], ahead[0]])
    tall = rng.uniform(48, 62)
    base_at = at - ahead * tall * 0.45
    stack(
        layers, rectangle(base_at, (2.5, rng.uniform(18, 26)), facing), (0, rng.uniform(10, 20)), paint * 0.85, "figure"
    )
    for z in (1, 3, 5, 7, 9):
        spread = 1 - abs(z - 5) / 8
        layers.polygon(
            capsule(base_at + ahead * 3, at + ahead * tall * 0.25, 6 * spread), z, paint * (0.6 + 0.04 * z), "figure"
        )
        layers.polygon(
            ellipse(at + ahead * tall * 0.38, (4.5 * spread, 4.5 * spread)), z, paint * (0.6 + 0.04 * z), "figure"
        )
    layers.polygon(capsule(at + side * 5, at + side * 5 + ahead * 24, 1.2), 8, paint * 0.8, "figure")
    return 12.0


def mounted(layers: Layers, at: Array, facing: float, paint: Array, rng: np.random.Generator) -> float:
    """A horseman."""
    ahead, side = np.array([np.cos(facing), np.sin(facing)]), np.array([-np.sin(facing), np.cos(facing)])
    half = (rng.uniform(22, 32), rng.uniform(8, 13))
    layers.shadow(ellipse(at, (24, 9), facing), 45, rng.uniform(0.15, 0.5))
    if rng.random() < 0.8:
        stack(layers, ellipse(at, half, facing), (0, rng.uniform(1, 3)), paint * 0.85, "figure")
    horse = paint if rng.random() < 0.5 else np.array([40.0, 60.0, 90.0]) * rng.uniform(0.5, 2.2)
    for a, b in ((-16, -4), (-16, 4), (15, -4), (15, 4)):
        for z in np.arange(2, 26, 2.0):
            layers.polygon(
                ellipse(at + ahead * (a + rng.normal(0, 0.4)) + side * b, (2.5, 2.2)), z, horse * 0.6, "figure"
            )
    for z in np.arange(24, 42, 1.5):
        swell = np.sqrt(max(0.15, 1 - ((z - 33) / 10) ** 2))
        layers.polygon(ellipse(at, (22 * swell, 7.5 * swell), facing), z, horse * (0.6 + 0.01 * (z - 24)), "figure")
    for z in np.arange(36, 62, 1.5):
        layers.polygon(ellipse(at + ahead * (18 + (z - 36) * 0.45), (5, 3.2), facing), z, horse * 0.85, "figure")
    layers.polygon(capsule(at + ahead * 27, at + ahead * 39, 3.0), 58, horse * 0.9, "figure")
    for z in np.arange(40, 80, 1.5):
        radius = 6.5 if z < 62 else (4.2 if z < 73 else 5.2)
        layers.polygon(ellipse(at - ahead * 2, (radius * 0.8, radius), facing), z, paint * (0.6 + 0.005 * z), "figure")
    layers.polygon(
        capsule(at, at + ahead * rng.uniform(10, 30) + side * rng.normal(0, 6), 1.2), 62, paint * 0.9, "figure"
    )
    return float(np.sqrt(half[0] * half[1]))


def gun(layers: Layers, at: Array, facing: float, paint: Array, rng: np.random.Generator) -> float:
    """A field gun: two wheels, a barrel ahead, a trail behind."""
    ahead, side = np.array([np.cos(facing), np.sin(facing)]), np.array([-np.sin(facing), np.cos(facing)])
    wheel, track = rng.uniform(11, 17), rng.uniform(12, 18)
    layers.shadow(ellipse(at, (wheel, track)), wheel, rng.uniform(0.2, 0.5))
    metal = paint if rng.random() < 0.5 else np.array([45.0, 60.0, 70.0]) * rng.uniform(0.6, 2.2)
    for z in np.arange(1, 8, 1.5):
        layers.polygon(capsule(at, at - ahead * rng.uniform(30, 34), 2.5), z, paint * 0.7, "figure")
    for sign in (-1, 1):
        hub = at + sign * side * track
        for z in np.arange(0, 2 * wheel, 1.2):
            reach = np.sqrt(max(0.0, wheel**2 - (z - wheel) ** 2))
            layers.polygon(
                capsule(hub - ahead * reach, hub + ahead * reach, 1.4), z, paint * (0.5 + 0.2 * z / wheel), "figure"
            )
    for z in np.arange(wheel, wheel + 7, 1.2):
        layers.polygon(
            capsule(at - ahead * 12, at + ahead * rng.uniform(24, 34), 3.0),
            z,
            metal * (0.6 + 0.06 * (z - wheel)),
            "figure",
        )
    return wheel


def miniature(layers: Layers, at: Array, facing: float, rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """A painted figure of no particular kind on a round or oval base of 20 to 60 mm; mean radius and half axes."""
    half = (
        (float(rng.uniform(10, 30)),) * 2
        if rng.random() < 0.75
        else (float(rng.uniform(22, 36)), float(rng.uniform(14, 22)))
    )
    rim = np.array([30.0, 30.0, 30.0]) if rng.random() < 0.6 else rng.uniform(10, 160, 3)
    soil = rng.choice([(60, 90, 80), (50, 110, 70), (70, 100, 140), (90, 95, 100), (35, 35, 35)]) * rng.uniform(
        0.6, 1.4
    )
    thick = rng.uniform(2.5, 5)
    layers.shadow(ellipse(at, half, facing), 20, rng.uniform(0.15, 0.5))
    stack(layers, ellipse(at, half, facing), (0, thick), rim, "figure", top=soil)
    size = min(half)
    paints = [rng.uniform(10, 235, 3) for _ in range(4)]
    tall = rng.uniform(1.2, 2.6) * size + 8
    drift = rng.normal(0, 0.12, 2)
    for z in np.arange(thick, tall, 1.2):
        share = (z - thick) / tall
        width = size * (0.35 + 0.3 * np.sin(3 * share + rng.uniform(0, 0.2))) * (1 - 0.55 * share)
        layers.polygon(
            ellipse(at + drift * (z - thick) + rng.normal(0, 0.3, 2), (width, width * rng.uniform(0.5, 0.9)), facing),
            z,
            paints[int(share * 4) % 4] * rng.uniform(0.7, 1.1),
            "figure",
        )
    if rng.random() < 0.6:
        reach = np.array([np.cos(facing), np.sin(facing)]) * rng.uniform(0.6, 1.5) * size
        layers.polygon(capsule(at, at + reach, 1.3), 0.6 * tall, paints[0] * 0.8, "figure")
    return float(np.sqrt(half[0] * half[1])), half
