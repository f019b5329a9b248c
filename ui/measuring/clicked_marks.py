"""What marks the corners that were clicked: coins, whose tops a person clicks, or what nobody knows how high it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.corners.standing import stands_at
from calibration.kick.reframe import covariance_moved_by, moved_by
from calibration.plane import TablePlane
from calibration.pose import CameraGuess, Rigid
from models.coins import THICKNESS_MM
from ui.eyes import coin_eyes
from ui.measuring.clicked import Click
from vision.detection import Detection
from vision.frame import Frame
from vision.scale.marked_corner import coins_clicked
from vision.scale.three_corners import Looking

Array = NDArray[np.float64]

# What is no coin and stands out may be a draughtsman, a bottle top or a sticker: 95 % of 0 to 3 mm.
THICK_MM = 1.5
# Coins differ so in thickness, for one that has no name.
_COIN_THICK_MM = 0.35
# A coin in a corner may seem to lie so far off the table while the plane is rough, or its top is taken for its foot.
_BEYOND_MM = 60.0


@dataclass(frozen=True)
class Marks:
    """Clicked corners, corrected by what marks them.

    corners    where the table's surface shows at each corner, as far as that is known
    raised_mm  thickness that the clicked marks may have (standard deviation)
    """

    corners: tuple[Click, ...]
    raised_mm: float


@lru_cache(maxsize=1)
def look_for(size_mm: tuple[float, float], currency: str | None) -> Looking:
    """The eyes, for coins on a table of that size and somewhat beyond; kept, since they take seconds to load."""
    width, depth = size_mm
    return coin_eyes((width + 2 * _BEYOND_MM, depth + 2 * _BEYOND_MM), currency).look


def marks_at(
    frame: Frame, plane: TablePlane, corners: Sequence[Click], places_mm: Array, look: Looking
) -> Marks | None:
    """What marks the corners that were clicked; None if they are bare, or if that cannot be told.

    places_mm  (n, 2) where these corners are on the table
    plane  the plane that follows if the clicks are the corners themselves
    """
    clicked_px = np.array(corners, float)[:, :2]
    seen, beyond = seen_beyond(frame, plane, look)
    try:
        coins = coins_clicked(seen, clicked_px, beyond)
    except ValueError:
        camera = CameraGuess(plane.lens, plane.pose)
        standing = sum(stands_at(frame.image_bgr, camera, place) for place in places_mm)
        # Who marks corners marks all alike; one of them may lie in glare.
        return Marks(tuple(corners), THICK_MM) if 2 * standing > len(places_mm) else None
    under_px = beyond.to_image([coin.position_mm for coin in coins])
    has_names = all(coin.cls in THICKNESS_MM for coin in coins)
    return Marks(tuple(Click(u, v) for u, v in under_px.tolist()), 0.0 if has_names else _COIN_THICK_MM)


def seen_beyond(frame: Frame, plane: TablePlane, look: Looking) -> tuple[Sequence[Detection], TablePlane]:
    """What lies on the table and around it, in the frame of a plane whose origin is `_BEYOND_MM` off on both sides; and
    that plane."""
    motion = Rigid(0.0, (-_BEYOND_MM, -_BEYOND_MM))
    pose, covariance = moved_by(plane.pose, motion), covariance_moved_by(plane.covariance, plane.pose, motion)
    beyond = replace(plane, rvec=pose.rvec, tvec=pose.tvec, covariance=covariance)
    return look(frame, beyond), beyond


def beyond_mm(place_mm: Array) -> Array:
    """A place of the table as `seen_beyond` has it."""
    return place_mm + _BEYOND_MM
