"""Coins on larger ones where the detector saw one circle. The rim net then tells the smaller coin, or a size between
both (5 cents on 50 were read as 25); asked from a larger guess it tells the larger coin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from models.riding import SMALLER
from vision.classify import crops_of
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.looked_at import odds_by_outline
from vision.detect.coin.riders import carriers_of, riders
from vision.frame import ImageBgr
from vision.shape.circle import fit_rims
from vision.shape.rim import Circles, look_at_rims
from vision.shape.surround import apart_from_ground

# The larger is asked for from a guess so much larger than what was told: from 1.25 on the net fell back to that.
_LARGER_GUESS = 1.4
# So much of the larger one's rim shows.
_RIM_BELOW = 0.9
# Print goes round one coin, and none lies below it, where what shows between both rims differs from the ground outside
# by no more levels, or where the rim net doubts the larger one (logarithm of sigma over radius) more than that. On
# films by another maker four hexagons differ by 5 to 11, five coins below others by 37 to 62, doubted by -2.8 at most.
# Of nine hexagons on stills drawn afterwards eight differ by 5 to 18, and all are doubted by -2.7 at least (*script*).
_GROUND_LEVELS, _MOST_DOUBT = 18.0, -2.75


def parted(image_bgr: ImageBgr, plane: TablePlane, coins: CoinCircles) -> CoinCircles:
    """The n circles, but each that lies on a larger coin replaced by that one; what rides on it is found later."""
    asked = (odds_by_outline(coins) > 0) & ~_lie_in_one(coins.circles)
    # One glance tells which are alone.
    asked[asked] = _may_carry(_larger(image_bgr, plane, coins.circles.only(asked), looks=1), coins.circles.only(asked))
    if not asked.any():
        return coins
    within = coins.only(asked)
    circles = _larger(image_bgr, plane, within.circles)
    height = _heights(circles)
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, height, close=True)
    is_below = _may_carry(circles, within.circles) & (rims.support > _RIM_BELOW)
    is_below[is_below] = _carry(image_bgr, plane, circles.only(is_below), within.circles.only(is_below))
    asked[asked] = is_below
    return coins.only(~asked).and_more(CoinCircles(within.proposals, circles, rims).only(is_below))


def _larger(image_bgr: ImageBgr, plane: TablePlane, circles: Circles, looks: int = 3) -> Circles:
    """What the rim net tells from a larger guess at each of n circles."""
    guess = circles.centre_mm, _LARGER_GUESS * circles.radius_mm, _heights(circles)
    return look_at_rims(image_bgr, plane, *guess, looks)


def _may_carry(larger: Circles, circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n pairs are a coin and a smaller one whose middle lies near its own."""
    apart = np.linalg.norm(larger.centre_mm - circles.centre_mm, axis=1)
    return np.asarray((circles.radius_mm < SMALLER * larger.radius_mm) & (apart < circles.radius_mm))


def _carry(image_bgr: ImageBgr, plane: TablePlane, larger: Circles, circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n pairs are no print round one coin, and show a smaller coin on the larger."""
    crops = crops_of(image_bgr, plane, larger.centre_mm, larger.radius_mm, _heights(larger))
    between = ((1 + circles.radius_mm / larger.radius_mm) / 2).round(2).tolist()
    levels = [apart_from_ground(crops[i : i + 1], (share,))[0] for i, share in enumerate(between)]
    is_sure = np.log(larger.radius_sigma_mm / larger.radius_mm) < _MOST_DOUBT
    return carriers_of(larger, riders(plane, larger, crops)[1]) & is_sure & (np.array(levels) > _GROUND_LEVELS)


def _lie_in_one(circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n circles lie in another of them, so that both were seen."""
    apart = np.linalg.norm(circles.centre_mm[:, None] - circles.centre_mm[None], axis=-1)
    smaller = circles.radius_mm[:, None] < SMALLER * circles.radius_mm[None]
    return np.asarray((smaller & (apart < circles.radius_mm[None])).any(axis=1))


def _heights(circles: Circles) -> NDArray[np.float64]:
    return np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
