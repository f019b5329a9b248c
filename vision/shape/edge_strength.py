"""How much edge there is along rays from the middle of a coin: one compiled loop, which keeps each ray in the cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Floats = NDArray[np.float32]

# Beside the loudest edge of its own ray each counts for so much of what is usual round the coin.
_USUAL, _NONE = np.float32(0.25), np.float32(1e-6)


@compiled
def edge_strengths(colours: NDArray[np.uint8], slope: Floats, floor: np.float32) -> Floats:
    """(n, rays, steps) 0 to 1: how much edge there is in colours (n, rays, steps, 3) along rays.

    slope  what each of an odd number of steps counts for the change at the middle one, grey levels per px
    floor  change of so many levels per px is noise

    A ray over dark ground counts as much as one over bright ground, but noise does not count as an edge.
    """
    count, rays, steps, _ = colours.shape
    reach = len(slope) // 2
    strength = np.zeros((count, rays, steps), np.float32)
    wide, change = np.zeros(3 * (steps + 2 * reach), np.float32), np.zeros(3 * steps, np.float32)
    loudest = np.zeros(rays, np.float32)
    for n in range(count):
        for ray in range(rays):
            for step in range(steps + 2 * reach):
                for channel in range(3):
                    wide[3 * step + channel] = colours[n, ray, min(max(step - reach, 0), steps - 1), channel]
            change[:] = 0
            for tap in range(len(slope)):
                for at in range(3 * steps):
                    change[at] += slope[tap] * wide[3 * tap + at]
            for step in range(steps):
                blue, green, red = change[3 * step], change[3 * step + 1], change[3 * step + 2]
                steep = np.sqrt(blue * blue + green * green + red * red)
                strength[n, ray, step] = max(steep - floor, np.float32(0))
            loudest[ray] = strength[n, ray].max()
        usual = _USUAL * np.float32(np.median(loudest)) + _NONE
        for ray in range(rays):
            for step in range(steps):
                strength[n, ray, step] /= loudest[ray] + usual
    return strength
