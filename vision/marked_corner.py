"""A table whose corners coins mark: three of them clicked, the fourth is the coin that lies where the corner should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import THICKNESS_MM
from vision.coin_sizes import CoinEllipse

Array = NDArray[np.float64]

# A mark lies within so many sigmas of where three corners and all coins say, and of no more than so many mm: then few
# coins lie there by chance, and who clicked three coins has laid a fourth.
_SIGMAS, _WIDEST_MM = 3.0, 60.0


def marked_corners(coins: Sequence[CoinEllipse], clicked_px: Array, plane: TablePlane, fourth_mm: Array) -> Array:
    """(4, 2) px where the table shows under the coins that mark its corners, the fourth last.

    clicked_px  (3, 2) on three of the coins
    plane       as these and the coins' sizes tell it, to some cm at the fourth
    fourth_mm   (2,) where that corner is
    Raises      ValueError, one line, where a click is on no coin, or none or several lie where the fourth should
    """
    centres_px = np.array([coin.centre_px for coin in coins], float).reshape(-1, 2)
    heights_mm = np.array([THICKNESS_MM[coin.cls] for coin in coins])
    marks = [_clicked(coins, centres_px, at_px) for at_px in clicked_px]
    places_mm = plane.to_table(centres_px, heights_mm)
    sigma_mm = plane.sigma_mm(centres_px, 0.0, heights_mm)
    near = np.hypot(*(places_mm - fourth_mm).T) < np.minimum(_SIGMAS * sigma_mm, _WIDEST_MM)
    there = sorted(set(np.flatnonzero(near).tolist()) - set(marks))
    if len(there) != 1:
        raise ValueError(f"{len(there) or 'no'} coins lie where the far left corner may be")
    return plane.to_image(places_mm[[*marks, *there]])


def _clicked(coins: Sequence[CoinEllipse], centres_px: Array, at_px: Array) -> int:
    """Which coin was clicked."""
    off_px = np.hypot(*(centres_px - at_px).T)
    nearest = int(off_px.argmin())
    if off_px[nearest] > min(coins[nearest].axes_px) / 2:
        raise ValueError("not all three clicked corners have a coin in them")
    return nearest
