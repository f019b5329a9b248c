"""Whether what was taken for a sheet's sides are lines: a printed frame, its margin as light as the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import sample

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Flags = NDArray[np.bool_]

# Printed frames are narrower than this, and so far out a side's surroundings are looked at.
_BROADEST_MM, _STEP_MM = 4.0, 0.25
# Places along a side, its corners left out, where other sides' lines end.
_PLACES = np.linspace(0.08, 0.92, 60)
# Beyond a line it gets as light as before it, but for this share of its depth; lines of less depth (levels) are noise.
_AS_BEFORE, _FAINTEST = 0.3, 15.0
# Half a millimetre from an edge a picture shows the surface beside it.
_BESIDE = 2
NOTE = (
    "a line, and no edge, was taken for {sides} of the sheet: if that is a printed frame, the sheet is larger, and the "
    "table off by the margin; lay it on something of another colour, click its corners, or give the frame's size"
)


def are_lines(gray: Image, corners_px: Array, size_mm: tuple[float, float], bent: Callable[[Array], Array]) -> Flags:
    """(4,) bool: which sides are dark lines on light ground: far, right, near and left.

    corners_px  (4, 2) from far left clockwise, as a lens without distortion shows them; bent: how the picture does
    size_mm     of the sheet, (width, depth)
    """
    ways = np.roll(corners_px, -1, axis=0) - corners_px
    lengths_px = np.hypot(*ways.T)[:, None]
    outward_px = np.stack([ways[:, 1], -ways[:, 0]], axis=1) / lengths_px
    px_per_mm = lengths_px / np.array([size_mm[0], size_mm[1]] * 2)[:, None]
    along = corners_px[:, None] + _PLACES[:, None] * ways[:, None]
    off_mm = np.arange(-_BROADEST_MM, _BROADEST_MM + _STEP_MM / 2, _STEP_MM)
    places = along[:, :, None] + off_mm[:, None] * (outward_px * px_per_mm)[:, None, None]
    levels = np.median(sample(gray, bent(places.reshape(-1, 2)).reshape(places.shape)), axis=1)
    return np.array([_is_line(inside, outside) for inside, outside in zip(*_halves(levels), strict=True)], bool)


def _halves(levels: Array) -> tuple[Array, Array]:
    """(4, n) grey levels on the inside of each side, from it inward, and on the outside."""
    middle = levels.shape[1] // 2
    return levels[:, middle::-1], levels[:, middle + _BESIDE :]


def _is_line(inside: Array, outside: Array) -> bool:
    """Whether it is darker within the side than outside, and then as light again."""
    before, darkest = float(np.median(outside)), int(inside.argmin())
    depth = before - float(inside[darkest])
    return depth > _FAINTEST and before - float(inside[darkest:].max()) < _AS_BEFORE * depth
