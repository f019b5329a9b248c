"""The four corners of a map sheet or a mat that lies on a table of another colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.cards import find_rectangles
from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.markers import gray_of
from calibration.pose import guesses_from_points

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

_SMALLEST_OF_PICTURE, _LARGEST_OF_PICTURE = 0.08, 0.97
# A sheet's edge is a fold or a cut: straight to about this.
_CORNER_SIGMA_PX = 0.7
_SHAPE_TOLERANCE = 0.08
_NAMES = ("far left", "far right", "near right", "near left")


def find_sheet_corners(image: Image, size_mm: tuple[float, float], lens: Lens) -> Correspondences:
    """The corners of a sheet of known size, its near edge towards the camera.

    size_mm  (width, depth); the sheet's near left corner is the origin
    Raises   ValueError when no such outline is seen whole
    """
    gray = gray_of(image)
    for surface in (gray, 255 - gray):
        for rectangle in find_rectangles(np.asarray(surface, np.uint8), _LARGEST_OF_PICTURE, _SMALLEST_OF_PICTURE):
            corners = _level(rectangle.corners, size_mm, lens)
            if corners is not None:
                width, depth = size_mm
                table = np.array([[0, depth], [width, depth], [width, 0], [0, 0]], float)
                names = [f"sheet corner {name}" for name in _NAMES]
                return Correspondences.of(corners, table, names, _CORNER_SIGMA_PX)
    raise ValueError(
        f"no outline of a sheet of {size_mm[0]:g} x {size_mm[1]:g} mm is seen whole: "
        "uncover its corners, lay it on something darker or lighter, or click them"
    )


def _level(quad: Array, size_mm: tuple[float, float], lens: Lens) -> Array | None:
    """The corners from far left clockwise, as a camera held upright sees them; None if the shape is another."""
    width, depth = size_mm
    shape = np.array([[0, depth], [width, depth], [width, 0], [0, 0]])
    best: tuple[float, Array] | None = None
    for first in range(4):
        corners = np.roll(quad, first, axis=0)
        for guess in guesses_from_points(corners, shape, lens):
            found = guess.pose.to_table(guess.lens, corners)
            sides = np.hypot(*(np.roll(found, -1, axis=0) - found).T)
            off = float(np.abs(np.nan_to_num(sides) / (width, depth, width, depth) - 1).max())
            upright = float(guess.pose.rotation[0, 0])
            if guess.pose.position_mm[2] > 0 and off < _SHAPE_TOLERANCE and (best is None or upright > best[0]):
                best = (upright, corners)
    return best[1] if best is not None and best[0] > np.cos(np.radians(60)) else None
