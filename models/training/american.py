"""What American coins bear on their tails, drawn with a few strokes each (`models.training.motifs` has the strokes)."""

from __future__ import annotations

import numpy as np

from models.training import motifs
from models.training.motifs import Canvas


def memorial(canvas: Canvas, rng: np.random.Generator) -> None:
    """A wide hall of twelve columns with an attic and wings, on steps."""
    half, top, foot = rng.uniform(0.70, 0.80), rng.uniform(0.16, 0.24), rng.uniform(-0.30, -0.22)
    for step, wide in ((0.0, 0.0), (0.06, 0.04), (0.12, 0.08)):
        motifs.line(canvas, np.array([(-half - wide, foot - step), (half + wide, foot - step)]), 0.03, 220)
    for height in (top, top + 0.10):
        motifs.line(canvas, np.array([(-half, height), (half, height)]), 0.035, 235)
    attic = np.array([(-0.72, 0.10), (-0.68, 0.24), (0.68, 0.24), (0.72, 0.10)]) * (half, 1) + (0, top)
    motifs.line(canvas, attic, 0.035, 235)
    for at in np.linspace(-half + 0.05, half - 0.05, 12):
        motifs.line(canvas, np.array([(at, foot), (at, top)]), 0.04, int(rng.integers(150, 240)))
    motifs.line(canvas, np.array([(-half, foot), (-half, top + 0.1)]), 0.03, 220)
    motifs.line(canvas, np.array([(half, foot), (half, top + 0.1)]), 0.03, 220)
    motifs.text_line(canvas, "E PLURIBUS", (0.0, top + 0.44), 0.085, 190)
    motifs.text_line(canvas, "UNUM", (0.0, top + 0.34), 0.085, 190)


def union_shield(canvas: Canvas, rng: np.random.Generator) -> None:
    """A shield of thirteen stripes with a scroll across it."""
    wide, top = rng.uniform(0.52, 0.60), rng.uniform(0.52, 0.60)
    shape = np.array([(-1, 0.86), (-0.9, 1.0), (-0.35, 0.92), (0, 1.0), (0.35, 0.92), (0.9, 1.0), (1, 0.86),
                      (0.94, -0.2), (0.7, -0.75), (0, -1.15), (-0.7, -0.75), (-0.94, -0.2)])  # fmt: skip
    motifs.line(canvas, shape * (wide, top), 0.045, 245, closed=True)
    motifs.line(canvas, np.array([(-wide, 0.5 * top), (wide, 0.5 * top)]), 0.04, 220)
    for at in np.linspace(-0.85, 0.85, 13):
        low = -1.05 + 0.5 * abs(at)
        motifs.line(
            canvas, np.array([(at * wide, 0.45 * top), (at * wide, low * top)]), 0.03, int(rng.integers(140, 230))
        )
    scroll = np.array([(-0.92, -0.12), (-0.6, -0.02), (0.6, -0.02), (0.92, -0.12), (0.86, -0.36), (0.6, -0.28),
                       (-0.6, -0.28), (-0.86, -0.36)]) * rng.uniform(0.82, 0.92)  # fmt: skip
    motifs.fill(canvas, scroll, 170)
    motifs.line(canvas, scroll, 0.035, 245, closed=True)
    motifs.text_line(canvas, "ONE CENT", (0.0, -0.13), 0.17, 250)


def monticello(canvas: Canvas, rng: np.random.Generator) -> None:
    """A house with a dome over a portico of four columns, and two low wings."""
    half, top, foot = rng.uniform(0.70, 0.78), rng.uniform(0.06, 0.14), rng.uniform(-0.32, -0.24)
    for height in (foot, foot - 0.06, top):
        motifs.line(canvas, np.array([(-half, height), (half, height)]), 0.03, 230)
    for at in (-half, -0.5 * half, 0.5 * half, half):
        motifs.line(canvas, np.array([(at, foot), (at, top)]), 0.03, 220)
    arc = np.linspace(0.05 * np.pi, 0.95 * np.pi, 14)
    dome = np.c_[rng.uniform(0.26, 0.32) * np.cos(arc), top + 0.12 + rng.uniform(0.24, 0.3) * np.sin(arc)]
    motifs.line(canvas, dome, 0.035, 240)
    motifs.line(canvas, np.array([(-0.34, top + 0.14), (0.34, top + 0.14)]), 0.03, 220)
    motifs.line(canvas, np.array([(-0.27, top - 0.08), (0, top + 0.08), (0.27, top - 0.08)]), 0.035, 240, closed=True)
    for at in (-0.22, -0.08, 0.08, 0.22):
        motifs.line(canvas, np.array([(at, foot), (at, top - 0.08)]), 0.045, 225)
    for at in rng.uniform(0.35, 0.95, 4) * half:
        for side in (-1, 1):
            motifs.line(
                canvas, np.array([(at * side, foot + 0.1), (at * side, top - 0.12)]), 0.05, int(rng.integers(120, 200))
            )
    motifs.text_line(canvas, "MONTICELLO", (0.0, foot - 0.15), 0.10, 210)


def perched_eagle(canvas: Canvas, rng: np.random.Generator) -> None:
    """A bird with raised, drooping wings on a bundle of arrows, over two branches."""
    for side in (-1, 1):
        outer = np.array([(0.14, 0.42), (0.34, 0.56), (0.58, 0.40), (0.66, 0.0), (0.56, -0.30)])
        outer = (outer + rng.normal(0, 0.02, outer.shape)) * (side, 1)
        motifs.line(canvas, outer, 0.05, 240)
        for share in np.linspace(0.15, 0.95, 8):
            tip = np.array([(0.18 + 0.46 * share) * side, -0.36 + 0.12 * share])
            root = np.array([(0.14 + 0.3 * share) * side, 0.42 - 0.08 * share])
            motifs.line(canvas, np.vstack([root, tip]), 0.035, int(rng.integers(130, 235)))
        motifs.sprig(canvas, rng, (0.06 * side, -0.62), (0.58 * side, -0.46), 6)
    motifs.fill(
        canvas, np.array([(-0.1, 0.3), (0.1, 0.3), (0.16, 0.0), (0.1, -0.35), (-0.1, -0.35), (-0.16, 0.0)]), 210
    )
    motifs.disc(canvas, (rng.choice([-0.05, 0.05]), 0.40), 0.10, 235)
    for height in (-0.42, -0.46):
        motifs.line(canvas, np.array([(-0.42, height), (0.42, height)]), 0.035, 235)


def lettered_torch(canvas: Canvas, rng: np.random.Generator) -> None:
    """A torch between a branch of olive and one of oak, with a motto across them."""
    motifs.line(canvas, np.array([(0.0, -0.62), (0.0, 0.28)]), rng.uniform(0.10, 0.15), 215)
    flame = np.array([(-0.12, 0.28), (-0.14, 0.42), (-0.03, 0.5), (0.0, 0.66), (0.08, 0.5), (0.14, 0.42), (0.12, 0.28)])
    motifs.line(canvas, flame + rng.normal(0, 0.02, flame.shape), 0.05, 240, closed=True)
    for side, leaves in ((-1, 8), (1, 6)):
        motifs.sprig(canvas, rng, (0.30 * side, -0.60), (rng.uniform(0.30, 0.42) * side, 0.48), leaves)
        for _ in range(3):
            motifs.disc(canvas, (rng.uniform(0.25, 0.5) * side, rng.uniform(-0.4, 0.4)), 0.05, 235)
    motto = rng.uniform(-0.36, -0.24)
    for words, at in (("EPLU", -0.46), ("RIBU", -0.16), ("SU", 0.14), ("NUM", 0.46)):
        motifs.text_line(canvas, words, (at, motto), 0.13, 230)
