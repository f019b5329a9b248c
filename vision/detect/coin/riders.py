"""Coins that lie on a larger one so nearly in its middle that the detector sees one coin: a net that is shown the
larger one tells them (`models.riding`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import CROP_PX, DIAMETER_MM, RIM_SHARE
from models.loading import load_model
from models.riding import SMALLER
from vision.detect.coin.proposals import Proposals
from vision.frame import ImageBgr
from vision.shape.rim import SIGMA_OF_SPREAD, Circles

Array = NDArray[np.float64]

# From this chance on one is looked at as a coin.
_SURE = 0.9
# A rider lies within the rim below it, or beyond by this at most, since it shows aside by its height, mm.
_BEYOND_MM = 2.5
# Two circles are one coin if centres and radii agree to this share of the radius.
_SAME_SHARE = 0.1
# Beside what rides show its side and its shadow.
_BESIDE_MM = 0.8
_SMALLEST_MM = min(DIAMETER_MM.values()) / 2 - 0.5
_SHARES = (2 * np.arange(CROP_PX) + 1) / CROP_PX - 1
# Where the pixels of a crop lie, in radii of its circle, (CROP_PX, CROP_PX, 2).
_ACROSS = np.stack(np.meshgrid(_SHARES, -_SHARES), axis=-1) / RIM_SHARE
NONE_RIDE = Circles(np.zeros((0, 2)), *np.zeros((3, 0)))


def riders(plane: TablePlane, below: Circles, crops: ImageBgr) -> tuple[Proposals, Circles]:
    """Circles that lie on the coins `below`, in the plane these were measured in, and how sure that is.

    crops  (n, CROP_PX, CROP_PX, 3) the coins below, as the classifier sees them
    """
    # Nothing lies on the smallest.
    asked = np.flatnonzero(SMALLER * below.radius_mm > _SMALLEST_MM)
    centre, radius = below.centre_mm[asked], below.radius_mm[asked]
    away = (centre - plane.camera_position_mm[:2]) / plane.camera_position_mm[2]
    told = _told(crops[asked], away)
    chance = 1 / (1 + np.exp(-told[:, 0]))
    on_it = Circles(
        centre + told[:, 1:3] * radius[:, None],
        radius * np.exp(told[:, 3]),
        SIGMA_OF_SPREAD * np.exp(told[:, 4]) * radius,
        SIGMA_OF_SPREAD * np.exp(told[:, 5]) * radius,
    )
    seen = (chance > _SURE) & (on_it.radius_mm > _SMALLEST_MM)
    found = on_it.only(seen)
    return Proposals(found.centre_mm, found.radius_mm, chance[seen]), found


def are_known(riding: Circles, others: Circles, share: float = _SAME_SHARE) -> NDArray[np.bool_]:
    """(n,) which of n circles that ride are among m others: the detector saw both coins.

    share  of the radius, to which middle and radius agree
    """
    apart = np.linalg.norm(riding.centre_mm[:, None] - others.centre_mm[None], axis=-1)
    larger = np.abs(np.log(riding.radius_mm[:, None] / others.radius_mm[None]))
    return np.asarray(((apart < share * riding.radius_mm[:, None]) & (larger < share)).any(axis=1))


def carriers_of(circles: Circles, riding: Circles) -> NDArray[np.bool_]:
    """(n,) which of n circles have one of m that ride within their own."""
    return np.asarray(_fit(circles, riding).any(axis=1))


def lie_on(circles: Circles, riding: Circles) -> NDArray[np.bool_]:
    """(m,) which of m circles that ride lie within one of n."""
    return np.asarray(_fit(circles, riding).any(axis=0))


def _fit(circles: Circles, riding: Circles) -> NDArray[np.bool_]:
    """(n, m) which of m that ride lie within which of n circles."""
    apart = np.linalg.norm(circles.centre_mm[:, None] - riding.centre_mm[None], axis=-1)
    below, above = circles.radius_mm[:, None], riding.radius_mm[None]
    return np.asarray((above < SMALLER * below) & (apart + above < below + _BEYOND_MM))


def covered(circles: Circles, riding: Circles) -> NDArray[np.bool_]:
    """(n, CROP_PX, CROP_PX) where smaller ones of m that ride show in the crops of n circles."""
    hidden = np.zeros((len(circles.radius_mm), CROP_PX, CROP_PX), bool)
    for centre, radius in zip(riding.centre_mm, riding.radius_mm, strict=True):
        apart = np.linalg.norm(circles.centre_mm - centre, axis=1)
        below = np.flatnonzero((radius < SMALLER * circles.radius_mm) & (apart < circles.radius_mm + radius))
        at = circles.centre_mm[below, None, None] + circles.radius_mm[below, None, None, None] * _ACROSS
        hidden[below] |= np.linalg.norm(at - centre, axis=-1) < radius + _BESIDE_MM
    return hidden


def _told(crops: ImageBgr, away: Array) -> Array:
    """(n, 6) what the net says; see `models.riding.OUTPUTS`."""
    if not len(crops):
        return np.zeros((0, 6))
    seen = {
        "crops": np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32),
        "views": np.asarray(away, np.float32),
    }
    (told,) = load_model("rider").run(None, seen)
    return np.asarray(np.clip(told, (-30, -1, -1, -1, -6, -6), (30, 1, 1, 0, 1, 1)), float)
