"""A table whose corners coins mark: three of them clicked, the fourth is the coin that lies where the corner should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detection import Detection

Array = NDArray[np.float64]

# A mark lies within so many sigmas of where three corners and all coins say, and of no more than so many mm: then few
# coins lie there by chance, and who clicked three coins has laid a fourth.
_SIGMAS, _WIDEST_MM = 4.0, 60.0


def marked_corners(seen: Sequence[Detection], clicked_px: Array, plane: TablePlane, fourth_mm: Array) -> Array:
    """(4, 2) px where the table shows under the coins that mark its corners, the fourth last.

    seen        what lies there, its class known or not
    clicked_px  (3, 2) on three of the coins
    plane       as these and the coins' sizes tell it, to some cm at the fourth
    fourth_mm   (2,) where that corner is
    Raises      ValueError, one line, where a click is on no coin, or none or several lie where the fourth should
    """
    coins = [each for each in seen if each.kind == "coin"]
    marks = [_clicked(coins, at_px, plane) for at_px in clicked_px]
    places_mm = np.array([coin.position_mm for coin in coins], float)
    places_px = plane.to_image(places_mm)
    near = np.hypot(*(places_mm - fourth_mm).T) < np.minimum(_SIGMAS * plane.sigma_mm(places_px), _WIDEST_MM)
    there = sorted(set(np.flatnonzero(near).tolist()) - set(marks))
    if len(there) != 1:
        raise ValueError(f"{len(there) or 'no'} coins lie where the far left corner may be")
    return np.asarray(places_px[[*marks, *there]], float)


def coins_clicked(seen: Sequence[Detection], clicked_px: Array, plane: TablePlane) -> list[Detection]:
    """The coin under each click (n, 2); ValueError, one line, where one is on none, or two are on the same."""
    coins = [each for each in seen if each.kind == "coin"]
    marks = [_clicked(coins, at_px, plane) for at_px in clicked_px]
    if len({*marks}) < len(marks):
        raise ValueError("two of the clicked corners have the same coin in them")
    return [coins[mark] for mark in marks]


def _clicked(coins: Sequence[Detection], at_px: Array, plane: TablePlane) -> int:
    """Which coin was clicked."""
    off_px = np.hypot(*(np.array([coin.image_px for coin in coins], float).reshape(-1, 2) - at_px).T)
    nearest = int(off_px.argmin()) if len(coins) else 0
    if not len(coins) or off_px[nearest] > _radius_px(coins[nearest], plane):
        raise ValueError("not all clicked corners have a coin in them")
    return nearest


def _radius_px(coin: Detection, plane: TablePlane) -> float:
    return float(np.sqrt(coin.footprint.area / np.pi) * plane.px_per_mm([coin.position_mm])[0])
