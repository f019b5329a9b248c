"""How a lens draws places out from its axis, and the way back, in units of half the picture's diagonal.

values  (6,) as `calibration.bending.plumb_line.Bend` has them: two radial shares, the axis (2), and how askew the lens
        sits (2)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Newton's steps back: ten come to within 0.02 px in the corners of the widest lenses, everywhere else far nearer.
_STEPS = 10
# No lens folds its picture: what a step of a fit may try is kept from it, and from what lies behind the camera.
_LEAST_SLOPE, _FARTHEST = 0.3, 2.5


def bent(straight: Array, values: Array) -> Array:
    """Where the lens shows places (..., 2), both from the picture's middle."""
    from_axis = straight - values[2:4]
    share, askew = _drawn(from_axis, values)
    return np.asarray(from_axis * share + askew + values[2:4], float)


def straightened(shown: Array, values: Array) -> Array:
    """Where a lens without distortion would show what this one shows at places (..., 2)."""
    from_axis = shown - values[2:4]
    straight = from_axis
    for _ in range(_STEPS):
        share, askew = _drawn(straight, values)
        square = np.square(straight).sum(axis=-1, keepdims=True)
        slope = np.maximum(1 + 3 * values[0] * square + 5 * values[1] * square**2, _LEAST_SLOPE)
        straight = straight - (straight * share + askew - from_axis) / slope
        straight = straight * np.minimum(1, _FARTHEST / np.maximum(np.linalg.norm(straight, axis=-1), 1.0))[..., None]
    return np.asarray(straight + values[2:4], float)


def _drawn(from_axis: Array, values: Array) -> tuple[Array, Array]:
    """By what share (..., 1) places (..., 2) are drawn out, and by what (..., 2) a lens that sits askew moves them."""
    square = np.square(from_axis).sum(axis=-1, keepdims=True)
    share = 1 + values[0] * square + values[1] * square**2
    p1, p2 = values[4:]
    cross = 2 * from_axis.prod(axis=-1, keepdims=True) * [p1, p2]
    return share, cross + (square + 2 * from_axis**2) * [p2, p1]
