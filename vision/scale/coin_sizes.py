"""Coins that the eyes named, as large as they show: rulers for a table of which little else is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Circle
from calibration.plane import TablePlane
from models.coins import DIAMETER_MM, THICKNESS_MM
from vision.detection import ON_ANOTHER_MM, Detection
from vision.frame import ImageBgr
from vision.shape.circle import fit_rims
from vision.shape.rim import look_at_rims

Array = NDArray[np.float64]

# A rim of which less than this share shows has been taken for another edge; of coins on coins the height is in doubt.
_SUPPORT = 0.6
# Of the radius, its error from coin to coin, and on a plane that is far off. What shows large the net takes for larger
# still, what shows small for smaller: by this power of the diameter in px over the usual (48 rendered stills, seed 5).
SIZE_SHARE, ROUGH_SHARE = 0.008, 0.03
_DRAWN_OUT, _USUAL_PX = 0.018, 39.0
_AROUND = np.linspace(0, 2 * np.pi, 16, endpoint=False)


@dataclass(frozen=True)
class CoinEllipse:
    """A named coin as the picture shows it: centre and whole axes in px, the first axis turned by `angle_deg`."""

    cls: str
    centre_px: tuple[float, float]
    axes_px: tuple[float, float]
    angle_deg: float


def coin_sizes(image_bgr: ImageBgr, plane: TablePlane, seen: Sequence[Detection]) -> tuple[CoinEllipse, ...]:
    """The rims of the named coins on the bare table, as large as they show.

    plane  may be some per cent off
    """
    named = [each for each in seen if each.kind == "coin" and each.cls in DIAMETER_MM]
    coins = [each for each in named if each.elevation_mm < ON_ANOTHER_MM]
    centres_mm = np.array([each.position_mm for each in coins], float).reshape(-1, 2)
    radii_mm = np.array([DIAMETER_MM[each.cls] / 2 for each in coins])
    heights_mm = np.array([each.elevation_mm + THICKNESS_MM[each.cls] for each in coins])
    circles = look_at_rims(image_bgr, plane, centres_mm, radii_mm, heights_mm)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, heights_mm, close=True)
    px_per_mm = plane.px_per_mm(circles.centre_mm, heights_mm)
    radius_mm = circles.radius_mm * (2 * circles.radius_mm * px_per_mm / _USUAL_PX) ** -_DRAWN_OUT
    found: list[CoinEllipse] = []
    for k in np.flatnonzero(rims.support > _SUPPORT):
        spokes = np.c_[np.cos(_AROUND), np.sin(_AROUND)] * radius_mm[k]
        rim_px = plane.to_image(circles.centre_mm[k] + spokes, heights_mm[k])
        if np.isfinite(rim_px).all():
            (u, v), (a, b), angle_deg = cv2.fitEllipseDirect(rim_px.astype(np.float32))
            found.append(CoinEllipse(coins[k].cls, (u, v), (a, b), angle_deg))
    return tuple(found)


def as_rulers(coins: Sequence[CoinEllipse], share: float = SIZE_SHARE) -> tuple[Circle, ...]:
    """The coins as discs of known size of which only the size was measured, to that share of it."""
    return tuple(
        Circle.of_ellipse(
            f"{coin.cls} {number}",
            coin.centre_px,
            coin.axes_px,
            coin.angle_deg,
            diameter_mm=DIAMETER_MM[coin.cls],
            height_mm=THICKNESS_MM[coin.cls],
            sigma_px=share * float(np.sqrt(np.prod(coin.axes_px))) / 2,
            size_only=True,
        )
        for number, coin in enumerate(coins, start=1)
    )
