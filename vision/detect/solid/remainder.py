"""What a block leaves over of a thing that the net sees, since it neither stands there nor hides it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy

from calibration.plane import TablePlane
from rules.compiled import compiled

Array = NDArray[np.float64]

# What the net sees is asked at about so many places. A block need not reach the outermost, for the net sees edges soft.
_ASKED, _SOFT_MM = 80, 5.0
# What it leaves beyond this share costs so much support for the whole, until the net sees two things for sure. Else the
# top alone of a box is worth more than the box, as a sheet (rendered pictures, seeds 5, 6, 41107 and 15001).
_LEFT, _COST, _ANOTHER = 0.1, 0.3, 0.4


@dataclass(frozen=True, eq=False)
class Remainder:
    """Places spread over one footprint that the net sees, to tell how much of it a block leaves over.

    places_mm  (m, 2) places spread evenly over the footprint
    eye_mm     (3,) where the camera is
    """

    places_mm: Array
    eye_mm: Array

    @classmethod
    def of(cls, footprint: Polygon, plane: TablePlane) -> Remainder:
        """Spread places evenly over a footprint that the net sees."""
        step = float(np.sqrt(footprint.area / _ASKED))
        low_x, low_y, high_x, high_y = footprint.bounds
        x, y = np.meshgrid(np.arange(low_x, high_x, step) + step / 2, np.arange(low_y, high_y, step) + step / 2)
        grid = np.stack([x.ravel(), y.ravel()], axis=1)
        return cls(grid[contains_xy(footprint, *grid.T)], np.asarray(plane.camera_position_mm, float))

    def cost(self, blocks: Array) -> Array:
        """(n,) how much to take off the support of each of blocks (n, 6; `forms.BLOCK`) for what it leaves over."""
        return np.asarray(_COST * (np.clip(self.left(blocks), _LEFT, _ANOTHER) - _LEFT), float)

    def left(self, blocks: Array) -> Array:
        """(n,) the share of the places on which blocks (n, 6) neither stand nor hide them."""
        return _left(np.ascontiguousarray(blocks, float), self.places_mm, self.eye_mm)


@compiled
def _left(blocks: Array, places_mm: Array, eye_mm: Array) -> Array:
    """As `Remainder.left`: what a block hides is its foot drawn out from below the camera, up to its top."""
    shares = np.zeros(len(blocks))
    for n in range(len(blocks)):
        c, s = np.cos(blocks[n, 4]), np.sin(blocks[n, 4])
        x, y = blocks[n, 0] - eye_mm[0], blocks[n, 1] - eye_mm[1]
        along, aside = c * x + s * y, c * y - s * x
        half_long, half_broad = blocks[n, 2] / 2 + _SOFT_MM, blocks[n, 3] / 2 + _SOFT_MM
        top = eye_mm[2] / max(eye_mm[2] - blocks[n, 5], 1.0)
        for k in range(len(places_mm)):
            x, y = places_mm[k, 0] - eye_mm[0], places_mm[k, 1] - eye_mm[1]
            first_x, last_x = _drawn_out(c * x + s * y, along - half_long, along + half_long)
            first_y, last_y = _drawn_out(c * y - s * x, aside - half_broad, aside + half_broad)
            shares[n] += max(1.0, first_x, first_y) > min(top, last_x, last_y)
    return shares / len(places_mm)


@compiled
def _drawn_out(at: float, low: float, high: float) -> tuple[float, float]:
    """By how much at least and at most a span must be drawn out from 0 to hold a place; the least is more than the most
    where it never does."""
    to_low, to_high = at / low, at / high
    if low < 0 < high:
        return (to_high if at > 0 else to_low), np.inf
    return min(to_low, to_high), max(to_low, to_high)
