"""What a crop shows, and circles that show no coin."""

from __future__ import annotations

import numpy as np

from models.coins import CLASSES, FACES, OWNERS
from models.training.shot import Array

# Indices of class (behind all: no coin), face and owner (-1: not told), and 1 for a photographed coin.
Label = tuple[int, int, int, int]
NO_COIN: Label = (len(CLASSES), -1, -1, 0)


def label_of(cls: str, face: str, owner: str = "none", photographed: bool = False) -> Label:
    """The label of a crop that shows this coin."""
    return CLASSES.index(cls), FACES.index(face) if face != "unknown" else -1, OWNERS.index(owner), int(photographed)


def missed(centre: Array, radius: float, rng: np.random.Generator) -> tuple[Array, float]:
    """A circle that misses the coin: beside it, too small, or too large."""
    if rng.random() < 0.5:
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        return centre + rng.uniform(0.5, 1.2) * radius * way, radius * rng.uniform(0.7, 1.2)
    return centre, radius * (rng.uniform(0.45, 0.78) if rng.random() < 0.6 else rng.uniform(1.35, 1.8))
