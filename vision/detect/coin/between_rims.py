"""Coins on larger ones where the detector saw one circle. The rim net then tells the smaller coin, or a size between
both (5 cents on 50 were read as 25); asked from a larger guess, a coin's thickness lower, it tells the larger coin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from models.riding import SMALLER
from vision.classify import crops_of
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.looked_at import odds_by_outline
from vision.detect.coin.riders import are_known, carriers_of, riders
from vision.frame import ImageBgr
from vision.shape.circle import fit_rims
from vision.shape.rim import Circles, look_at_rims
from vision.shape.surround import apart_from_ground

# The larger is asked for from a guess so much larger than what was told (from 1.25 on the net fell back to that), and a
# coin's thickness lower: of 38 lower coins that nothing had found, path traced by another maker, it told 9 from the
# smaller one's own middle and 21 from there (*script*).
_LARGER_GUESS, _LOOKS = 1.4, 3
# So much of the larger one's rim shows where any coin is seen on it; less where the very circle that was measured is
# (middle and radius to the second share), since what rides hides and shades the rim below.
_WHOLE_RIM, _PART_OF_RIM, _NEAR_SHARE = 0.9, 0.7, 0.15
# Of a coin on another both rims are doubted: of those 38 upper ones ten have odds below 0, one below this.
_LEAST_ODDS = -2.0
# What was measured is the smaller coin where the rim net tells it again to this share; else a size between both.
_SAME_SHARE = 0.05
# Print goes round one coin, and none lies below it, where what shows between both rims differs from the ground outside
# by no more levels, or where the rim net doubts the larger one (logarithm of sigma over radius) more than that. On
# films by another maker four hexagons differ by 5 to 11, five coins below others by 37 to 62, doubted by -2.8 at most.
# Of nine hexagons on stills drawn afterwards eight differ by 5 to 18, and all are doubted by -2.7 at least (*script*).
_GROUND_LEVELS, _MOST_DOUBT = 18.0, -2.75
# And a coin's edges lie on its rim or within it: those of 22 coins below others, path traced, at 0.90 to 1.00 of the
# radius that the rim net told, of the sample's to 1.02, those of 18 drawn hexagons at 1.01 to 1.2 (*script*).
_WITHIN_RIM, _ON_RIM = (0.9, 1.0), 1.05


def parted(image_bgr: ImageBgr, plane: TablePlane, coins: CoinCircles) -> CoinCircles:
    """The n circles, and the larger coins that some of them lie on. What was read between two rims goes: what rides
    there is found later."""
    asked = (odds_by_outline(coins) > _LEAST_ODDS) & ~_lie_in_one(coins.circles)
    asked[asked], circles = _larger(image_bgr, plane, coins.circles.only(asked))
    if not asked.any():
        return coins
    rims = fit_rims(image_bgr, plane, circles.centre_mm, circles.radius_mm, _heights(circles), close=True)
    shows = rims.support > _PART_OF_RIM
    asked[asked] = shows
    larger = CoinCircles(coins.proposals.only(asked), circles.only(shows), rims.only(shows))
    is_below, is_met = _carry(image_bgr, plane, larger, coins.only(asked))
    goes = asked.copy()
    goes[asked] = is_below & ~is_met
    is_below[is_below] = _are_new(larger.circles.only(is_below))
    return coins.only(~goes).and_more(larger.only(is_below)) if is_below.any() else coins


def _are_new(circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n circles are none of those before: two coins may lie on one."""
    order = np.arange(len(circles.radius_mm))
    told = [are_known(circles.only(order == i), circles.only(order < i), _NEAR_SHARE).any() for i in order]
    return ~np.array(told, bool)


def _larger(image_bgr: ImageBgr, plane: TablePlane, circles: Circles) -> tuple[NDArray[np.bool_], Circles]:
    """(n,) which of n circles may lie on a larger one, and these m larger ones. The rim net is asked for one below
    each, look by look while it tells one: most are alone, and the first tells it."""
    may_lie = np.full(len(circles.radius_mm), True)
    lower = plane.to_table(plane.to_image(circles.centre_mm, TYPICAL_THICKNESS_MM), 2 * _heights(circles))
    larger = replace(circles, centre_mm=lower, radius_mm=_LARGER_GUESS * circles.radius_mm)
    for _ in range(_LOOKS):
        larger = look_at_rims(image_bgr, plane, larger.centre_mm, larger.radius_mm, _heights(larger), looks=1)
        still = _may_carry(larger, circles.only(may_lie))
        larger, may_lie[may_lie] = larger.only(still), still
    return may_lie, larger


def _may_carry(larger: Circles, circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n pairs are a coin and a smaller one whose middle lies near its own."""
    apart = np.linalg.norm(larger.centre_mm - circles.centre_mm, axis=1)
    return np.asarray((circles.radius_mm < SMALLER * larger.radius_mm) & (apart < circles.radius_mm))


def _carry(
    image_bgr: ImageBgr, plane: TablePlane, larger: CoinCircles, coins: CoinCircles
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n,) which of n pairs are no print round one coin, and show a smaller coin on the larger; and which show it where
    it was measured."""
    below, circles = larger.circles, coins.circles
    crops = crops_of(image_bgr, plane, below.centre_mm, below.radius_mm, _heights(below))
    riding = riders(plane, below, crops)[1]
    shows = (larger.rims.support > _WHOLE_RIM) & (odds_by_outline(coins) > 0)
    edge = larger.rims.radius_mm / below.radius_mm
    is_near = are_known(circles, riding, _NEAR_SHARE) & (edge > _WITHIN_RIM[0]) & (edge < _WITHIN_RIM[1])
    is_carrier = carriers_of(below, riding) & (shows | is_near) & (edge < _ON_RIM) & ~_are_print(crops, below, circles)
    again = look_at_rims(image_bgr, plane, riding.centre_mm, riding.radius_mm, _heights(riding))
    return is_carrier, is_near & are_known(circles, again, _SAME_SHARE)


def _are_print(crops: ImageBgr, larger: Circles, circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n larger circles, shown in crops, are rather print round the smaller ones."""
    between = ((1 + circles.radius_mm / larger.radius_mm) / 2).round(2).tolist()
    levels = np.array([apart_from_ground(crops[i : i + 1], (share,))[0] for i, share in enumerate(between)])
    doubt = np.log(larger.radius_sigma_mm / larger.radius_mm)
    return np.asarray((doubt >= _MOST_DOUBT) | (levels <= _GROUND_LEVELS), bool)


def _lie_in_one(circles: Circles) -> NDArray[np.bool_]:
    """(n,) which of n circles lie in another of them, so that both were seen."""
    apart = np.linalg.norm(circles.centre_mm[:, None] - circles.centre_mm[None], axis=-1)
    smaller = circles.radius_mm[:, None] < SMALLER * circles.radius_mm[None]
    return np.asarray((smaller & (apart < circles.radius_mm[None])).any(axis=1))


def _heights(circles: Circles) -> NDArray[np.float64]:
    return np.full(len(circles.radius_mm), TYPICAL_THICKNESS_MM)
