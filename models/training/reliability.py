"""Whether what is given a chance of nine in ten comes true nine times in ten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BANDS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0001)


def reliability(chances: NDArray[np.float64], came_true: NDArray[np.bool_]) -> Iterator[tuple[int, float, float]]:
    """Of each band of stated chance (n,) with anything in it: how many, the mean that was stated, the share that came true."""
    for low, high in pairwise(BANDS):
        some = (chances >= low) & (chances < high)
        if some.any():
            yield int(some.sum()), float(chances[some].mean()), float(came_true[some].mean())
