"""How much of outlines lies on edges: the inner loop of all fits to the top view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Array = NDArray[np.float64]


@compiled
def _shown_px(at_mm: Array, from_above: tuple[float, ...]) -> tuple[float, float]:
    """Where a point (3,) shows in the part of the view; `from_above` as below."""
    foot_x, foot_y, high, most, left, far, px_per_mm, first_u, first_v = from_above
    below = min(at_mm[2], most)
    share = below / (high - below)
    u = (at_mm[0] + (at_mm[0] - foot_x) * share - left) * px_per_mm - first_u
    v = -(at_mm[1] + (at_mm[1] - foot_y) * share - far) * px_per_mm - first_v
    return u, v


@compiled
def borne_out(
    points_mm: Array,
    ahead_mm: Array,
    from_above: tuple[float, ...],
    slopes: NDArray[np.float32],
    enough: np.float32,
    hidden: NDArray[np.bool_],
    weights: Array,
) -> tuple[Array, Array]:
    """(n,) how far the outlines through points (n, k, 3) lie on edges where they show, 0 to 1, and (n,) the share of
    them that shows.

    ahead_mm    (n, k, 3) the next point of the outline after each
    from_above  x and y of the camera's foot, its height, the most of it that counts, then the view's origin, its px a
                mm, and where the part begins in it
    slopes      (h, w, 6) along u, then along v, in three colours
    enough      from which slope on an edge bears out wholly
    hidden      (h, w) what does not show; (0, 0) where all does
    weights     (n,) what each outline counts: those that count nothing are passed over
    """
    rows, columns = slopes.shape[:2]
    count, of_each = points_mm.shape[:2]
    borne, shown = np.zeros(count), np.zeros(count)
    for n in range(count):
        if weights[n] == 0:
            continue
        for k in range(of_each):
            u, v = _shown_px(points_mm[n, k], from_above)
            column = min(max(int(np.rint(u)), 0), columns - 1)
            row = min(max(int(np.rint(v)), 0), rows - 1)
            if hidden.size > 0 and hidden[row, column]:
                continue
            ahead_u, ahead_v = _shown_px(ahead_mm[n, k], from_above)
            along_u, along_v = np.float32(ahead_u - u), np.float32(ahead_v - v)
            squared = np.float32(0.0)
            for colour in range(3):
                across = slopes[row, column, 3 + colour] * along_u - slopes[row, column, colour] * along_v
                squared += across * across
            length = along_u * along_u + along_v * along_v + np.float32(1e-12)
            borne[n] += min(np.sqrt(squared / length) / enough, 1.0)
            shown[n] += 1.0
        borne[n] /= max(shown[n], 1.0)
        shown[n] /= of_each
    return borne, shown
