"""Samples in shared memory: some processes draw them anew without end while others learn from those that are there."""

from __future__ import annotations

import mmap
import time
from collections.abc import Mapping

import numpy as np
from numpy.typing import DTypeLike, NDArray

_WAIT_S = 0.02


class Pool:
    """`room` samples; each writer has a part of its own, in which a new sample takes the place of the oldest.

    To be made before processes are forked. A sample that is overwritten while it is read comes out mixed; of a thousand
    that are read a few may, which no net minds.
    """

    def __init__(self, parts: Mapping[str, tuple[tuple[int, ...], DTypeLike]], room: int, writers: int) -> None:
        self.each = room // writers
        self.arrays = {key: _shared((self.each * writers, *shape), kind) for key, (shape, kind) in parts.items()}
        self.written = _shared((writers,), np.int64)

    def put(self, writer: int, sample: Mapping[str, NDArray[np.generic]]) -> None:
        """Add one."""
        slot = writer * self.each + int(self.written[writer] % self.each)
        for key, array in self.arrays.items():
            array[slot] = sample[key]
        self.written[writer] += 1

    def draw(self, rng: np.random.Generator, count: int) -> dict[str, NDArray[np.generic]]:
        """`count` samples by chance, some perhaps twice."""
        there = np.minimum(self.written, self.each)
        writer = rng.choice(len(there), count, p=there / there.sum())
        slots = writer * self.each + rng.integers(0, there[writer])
        return {key: array[slots] for key, array in self.arrays.items()}

    def wait(self, total: float) -> None:
        """Until so many have been written."""
        while self.written.sum() < total:
            time.sleep(_WAIT_S)


def _shared(shape: tuple[int, ...], kind: DTypeLike) -> NDArray[np.generic]:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(mmap.mmap(-1, max(size, 1)), kind, int(np.prod(shape))).reshape(shape)
