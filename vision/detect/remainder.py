"""What a block leaves of what the net sees: it stands on it or hides it, or it is not that thing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy

from calibration.plane import TablePlane

Array = NDArray[np.float64]

# What the net sees is asked at about so many places. A block need not reach the outermost, for the net sees edges soft.
_ASKED, _SOFT_MM = 80, 5.0
# What it leaves beyond this share costs so much support for the whole, until the net sees two things for sure. Else the
# top alone of a box is worth more than the box, as a sheet (rendered pictures, seeds 5, 6, 41107 and 15001).
_LEFT, _COST, _ANOTHER = 0.1, 0.3, 0.4


@dataclass(frozen=True, eq=False)
class Remainder:
    """What a block would leave over of one footprint that the net sees.

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
        c, s = np.cos(blocks[:, 4]), np.sin(blocks[:, 4])
        turned = np.moveaxis(np.array([(c, s), (-s, c)]), -1, 0)
        at = (self.places_mm - self.eye_mm[:2]) @ np.moveaxis(turned, 1, 2)
        middle = np.einsum("nij,nj->ni", turned, blocks[:, :2] - self.eye_mm[:2])
        low, high = (middle + sign * (blocks[:, 2:4] / 2 + _SOFT_MM) for sign in (-1, 1))
        # What a block hides is its foot drawn out from below the camera, up to its top.
        top = self.eye_mm[2] / np.maximum(self.eye_mm[2] - blocks[:, 5], 1.0)
        first, last = zip(*(_drawn_out(at[..., n], low[:, n, None], high[:, n, None]) for n in (0, 1)), strict=True)
        least = np.maximum(1.0, np.max(first, axis=0))
        return np.asarray((least > np.minimum(top[:, None], np.min(last, axis=0))).mean(axis=1), float)


def _drawn_out(at: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """By how much at least and at most a span must be drawn out from 0 to hold a place; the least is more than the most
    where it never does."""
    with np.errstate(divide="ignore", invalid="ignore"):
        to_low, to_high = at / low, at / high
    about_0 = (low < 0) & (high > 0)
    first = np.where(about_0, np.where(at > 0, to_high, to_low), np.minimum(to_low, to_high))
    return first, np.where(about_0, np.inf, np.maximum(to_low, to_high))
