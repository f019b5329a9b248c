"""What British coins bear on their tails, drawn with a few strokes each (`models.training.motifs` has the strokes)."""

from __future__ import annotations

import numpy as np

from models.training import motifs
from models.training.motifs import Canvas, Points


def thistle(canvas: Canvas, rng: np.random.Generator) -> None:
    """A thistle under a crown, with two leaves."""
    motifs.line(canvas, np.array([(0.0, -0.5), (0.0, -0.05)]), 0.05, 210)
    bulb = np.array([(-0.14, -0.05), (0.14, -0.05), (0.2, 0.12), (0.12, 0.24), (-0.12, 0.24), (-0.2, 0.12)])
    motifs.fill(canvas, bulb + rng.normal(0, 0.02, bulb.shape), 200)
    for lean in np.linspace(-0.2, 0.2, 6):
        motifs.line(canvas, np.array([(0.5 * lean, 0.22), (lean, 0.4)]), 0.03, 235)
    for side in (-1, 1):
        leaf = np.array([(0.0, -0.35), (0.25, -0.1), (0.3, -0.3), (0.5, -0.1), (0.45, -0.35), (0.15, -0.45)])
        motifs.line(canvas, (leaf + rng.normal(0, 0.03, leaf.shape)) * (side, 1), 0.05, 225)
    crown(canvas, (0.0, 0.50), 0.24)


def rose(canvas: Canvas, rng: np.random.Generator) -> None:
    """A double rose of five petals under a crown."""
    for radius, size, turn in ((0.28, 0.16, 0.0), (0.13, 0.09, 0.6)):
        for angle in np.arange(5) * 2 * np.pi / 5 + np.pi / 2 + turn:
            at = radius * np.cos(angle), radius * np.sin(angle) - 0.12
            motifs.disc(canvas, at, size, int(rng.integers(150, 190)))
            motifs.disc(canvas, at, size, 245, 0.03)
    motifs.disc(canvas, (0.0, -0.12), 0.07, 235)
    crown(canvas, (0.0, 0.46), 0.26)


def crowned_lion(canvas: Canvas, rng: np.random.Generator) -> None:
    """A lion that walks to the left with its face to the onlooker and a crown on its head."""
    lion(canvas, rng, np.array([0.0, -0.05]), rng.uniform(0.95, 1.1), walks=True)
    crown(canvas, (-0.36, 0.42), 0.15)


def britannia(canvas: Canvas, rng: np.random.Generator) -> None:
    """A seated figure with a trident and a shield."""
    body = np.array([(-0.1, 0.35), (0.12, 0.3), (0.18, -0.1), (0.42, -0.2), (0.45, -0.55), (-0.25, -0.55), (-0.2, 0.0)])
    motifs.fill(canvas, body + rng.normal(0, 0.03, body.shape), 190)
    motifs.disc(canvas, (0.02, 0.46), 0.10, 225)
    motifs.line(canvas, np.array([(-0.42, -0.6), (-0.34, 0.62)]), 0.035, 235)
    for at in (-0.42, -0.34, -0.26):
        motifs.line(canvas, np.array([(at, 0.5), (at, 0.66)]), 0.025, 235)
    motifs.line(canvas, np.array([(-0.1, 0.2), (-0.36, 0.1)]), 0.05, 225)
    motifs.disc(canvas, (0.5, -0.3), 0.2, 160)
    motifs.disc(canvas, (0.5, -0.3), 0.2, 245, 0.035)
    for _ in range(6):
        fold = rng.uniform((-0.15, -0.5), (0.4, 0.2))
        motifs.line(canvas, np.vstack([fold, fold + rng.normal((0.05, -0.2), 0.05)]), 0.025, 245)


def arms_part(canvas: Canvas, rng: np.random.Generator) -> None:
    """A cut from the royal arms, larger than the coin: quarters with lions that walk, one that rears, or a harp."""
    corner, turn = rng.uniform(-0.5, 0.5, 2), rng.uniform(-0.12, 0.12)
    motifs.line(canvas, np.array([(-1, corner[1] - turn), (1, corner[1] + turn)]), 0.07, 240)
    motifs.line(canvas, np.array([(corner[0] + turn, -1), (corner[0] - turn, 1)]), 0.07, 240)
    for side in ((-1, 1), (1, 1), (-1, -1), (1, -1)):
        middle = corner + 0.55 * np.array(side)
        if np.abs(middle).max() < 0.85:
            _quarter(canvas, rng, middle, side[0] * side[1] > 0)


def crown(canvas: Canvas, at: tuple[float, float], wide: float) -> None:
    """Arches and a cross on a band."""
    left, low = at[0] - wide, at[1]
    motifs.line(canvas, np.array([(left, low), (at[0] + wide, low)]), 0.06, 240)
    for share in (-1.0, 0.0, 1.0):
        motifs.line(canvas, np.array([(at[0] + share * wide, low), (at[0], low + 0.8 * wide)]), 0.04, 225)
        motifs.disc(canvas, (at[0] + share * wide, low + 0.12), 0.035, 245)
    motifs.disc(canvas, (at[0], low + 0.9 * wide), 0.045, 250)


def lion(canvas: Canvas, rng: np.random.Generator, at: Points, size: float, walks: bool) -> None:
    """A lion that walks or rears, its tail over its back."""
    body = np.array([(-0.38, 0.22), (-0.1, 0.14), (0.3, 0.16), (0.42, 0.02), (0.3, -0.06), (-0.1, -0.06), (-0.34, 0.0)])
    legs = [[(-0.3, 0.0), (-0.36, -0.36)], [(-0.14, -0.04), (-0.1, -0.38)], [(0.26, -0.02), (0.22, -0.38)],
            [(0.38, 0.0), (0.42, -0.36)], [(0.4, 0.08), (0.56, 0.3), (0.3, 0.44)]]  # fmt: skip
    angle = 0.0 if walks else -0.9
    frame = size * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    motifs.fill(canvas, body @ frame + at, int(rng.integers(180, 225)))
    for leg in legs:
        motifs.line(canvas, (np.array(leg) + rng.normal(0, 0.015, (len(leg), 2))) @ frame + at, 0.075 * size, 220)
    head = np.array([-0.4, 0.26]) @ frame + at
    motifs.disc(canvas, (float(head[0]), float(head[1])), 0.14 * size, 240)


def _quarter(canvas: Canvas, rng: np.random.Generator, middle: Points, walking: bool) -> None:
    if walking:
        for height in (-0.3, 0.0, 0.3):
            lion(canvas, rng, middle + np.array([0.0, height]), 0.42, walks=True)
    elif rng.random() < 0.6:
        lion(canvas, rng, middle, 0.8, walks=False)
    else:
        for string in np.linspace(-0.2, 0.2, 6):
            motifs.line(canvas, middle + np.array([(string, -0.35), (string + 0.1, 0.3)]), 0.025, 215)
        motifs.line(canvas, middle + np.array([(-0.3, 0.35), (0.32, 0.3), (0.0, -0.45), (-0.3, 0.35)]), 0.06, 240)
