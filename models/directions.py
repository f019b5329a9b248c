"""Directions as the net `facing` says them, and what its chances mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

COUNT = 24
# From the right of an upright view by way of the camera.
RAD = (np.arange(COUNT) + 0.5) * 2 * np.pi / COUNT
# Directions no farther apart than this mean the same: the rules ask who stands in a man's front half.
_ALIKE = np.cos(RAD[:, None] - RAD) > np.cos(np.pi / 4)
# From this chance on that a man faces within 45 degrees of it, a direction is told: of sculptors' men never seen
# (models/facing.md) 80 % are right then.
SURE = 0.7
# A gun's barrel and trail are unlike as a man's front and back are not: all 23 sights of what is read as a gun and is
# so sure were right, on 23 stills and seven films of another maker (script; some thirteen guns), 15 of them at 0.7;
# of five on stills never seen four (models/facing.md).
SURE_OF_GUN = 0.5


def meant(likely: Array) -> tuple[Array, Array]:
    """The direction (n,) rad in the middle of the likeliest quarter turn of (n, COUNT) chances, and its chance (n,)."""
    quarter = likely @ _ALIKE
    inside = likely * _ALIKE[quarter.argmax(axis=1)]
    return np.asarray(np.arctan2(inside @ np.sin(RAD), inside @ np.cos(RAD)), float), quarter.max(axis=1)


def mirrored(said: Array) -> Array:
    """(n, COUNT) the chances of directions as they are in the mirror, left for right."""
    return said[:, (COUNT // 2 - 1 - np.arange(COUNT)) % COUNT]
