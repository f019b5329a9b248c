"""Coins on larger ones where the detector saw one circle. The rim net then tells the smaller coin, or a size between
both (5 cents on 50 were read as 25); asked from a larger guess it tells the larger coin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from models.riding import SMALLER
from vision.circle import fit_rims
from vision.classify import crops_of
from vision.detect.coin_circles import CoinCircles
from vision.detect.looked_at import odds_by_outline
from vision.detect.riders import carriers_of, riders
from vision.frame import ImageBgr
from vision.rim import Circles, look_at_rims

# The larger is asked for from a guess so much larger than what was told: from 1.25 on the net fell back to that.
_LARGER_GUESS = 1.4
# So much of the larger one's rim shows.
_RIM_BELOW = 0.9


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
    is_below[is_below] = _carry(image_bgr, plane, circles.only(is_below))
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


def _carry(image_bgr: ImageBgr, plane: TablePlane, circles: Circles) -> NDArray[np.bool_]:
    """(n,) on which of n circles a smaller coin shows."""
    crops = crops_of(image_bgr, plane, circles.centre_mm, circles.radius_mm, _heights(circles))
    return carriers_of(circles, riders(plane, circles, crops)[1])


def _lie_in_one(circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n circles lie in another of them, so that both were seen."""
    apart = np.linalg.norm(circles.centre_mm[:, None] - circles.centre_mm[None], axis=-1)
    smaller = circles.radius_mm[:, None] < SMALLER * circles.radius_mm[None]
    return np.asarray((smaller & (apart < circles.radius_mm[None])).any(axis=1))


def _heights(circles: Circles) -> NDArray[np.float64]:
    return np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
