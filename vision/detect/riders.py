"""Coins that lie on a larger one so nearly in its middle that the detector sees one coin: looked for where what was
found looks like no coin, as two together do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import DIAMETER_MM, TYPICAL_THICKNESS_MM
from vision.detect.proposals import Proposals
from vision.frame import ImageBgr
from vision.rim import Circles, look_at_rims

Array = NDArray[np.float64]

# One coin in sixty looks this much like none; two coins, one on the other, mostly do.
_ODD = 0.1
# Guesses: this share of the lower coin, in so many directions as far out as they go, and in the middle. The rim net
# goes on from there.
_GUESSED, _DIRECTIONS = 0.72, 8
# The upper coin is this much smaller at least, for its rim and the lower one's to show apart, and lies within the lower
# one's rim but for what its height moves it.
_SMALLER, _BEYOND_MM = 0.85, 2.5
_SMALLEST_MM = min(DIAMETER_MM.values()) / 2 - 0.5
# How sure the rim net must be of the radius (logarithm of sigma over radius): of coins seen whole it mostly is.
_SURE = -4.2
# The detector has no say.
_EVEN_HEAT = 0.5


def riders(image_bgr: ImageBgr, plane: TablePlane, below: Circles, no_coin: Array) -> Proposals:
    """Circles that may lie on the coins `below`, of which `no_coin` (n,) is the chance that they look like none."""
    odd = np.nonzero(no_coin > _ODD)[0]
    lower, centre, radius = _guesses(below, odd)
    seen = look_at_rims(image_bgr, plane, centre, radius, np.full(len(radius), TYPICAL_THICKNESS_MM))
    off = np.linalg.norm(seen.centre_mm - below.centre_mm[lower], axis=1)
    fits = (seen.radius_mm > _SMALLEST_MM) & (seen.radius_mm < _SMALLER * below.radius_mm[lower])
    fits &= off + seen.radius_mm < below.radius_mm[lower] + _BEYOND_MM
    doubt = np.where(fits, np.log(seen.radius_sigma_mm / seen.radius_mm), np.inf)
    best = np.array([_surest(doubt, lower == index) for index in np.unique(lower)], np.intp)
    best = best[doubt[best] < _SURE]
    return Proposals(seen.centre_mm[best], seen.radius_mm[best], np.full(len(best), _EVEN_HEAT))


def are_carriers(circles: Circles, is_rider: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,) which of n circles have one of those that may be riders within their own."""
    apart = np.linalg.norm(circles.centre_mm[:, None] - circles.centre_mm[None], axis=-1)
    below, above = circles.radius_mm[:, None], circles.radius_mm[None]
    fits = (above < _SMALLER * below) & (apart + above < below + _BEYOND_MM)
    return np.asarray((fits & is_rider[None]).any(axis=1))


def _surest(doubt: Array, among: NDArray[np.bool_]) -> int:
    return int(np.where(among, doubt, np.inf).argmin())


def _guesses(below: Circles, odd: NDArray[np.intp]) -> tuple[NDArray[np.intp], Array, Array]:
    """Which coin is below, centre (m, 2) and radius (m,) of each guess."""
    angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    ways = np.concatenate([np.zeros((1, 2)), np.stack([np.cos(angles), np.sin(angles)], axis=1)])
    lower = np.repeat(odd[_SMALLER * below.radius_mm[odd] > _SMALLEST_MM], len(ways))
    radius = _GUESSED * below.radius_mm[lower]
    out_mm = (below.radius_mm[lower] - radius)[:, None] * np.tile(ways, (len(lower) // len(ways), 1))
    return lower, below.centre_mm[lower] + out_mm, radius
