"""How high a coin lies, by what shows before it: the side of a stack goes on where that of a coin on the table ends.

A coin that hides those below it looks, from its face alone, like one that lies flat elsewhere: at 45 degrees the top of
four shows 6 mm from where it lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from models.lifts import BELOW_MM, OVERSURE, ROUND, TOPS_MM, front_rays
from models.loading import load_model
from vision.frame import ImageBgr
from vision.metric.around import let_down
from vision.shape.rim import Circles

Array = NDArray[np.float64]

# Half of the thinnest coin (a dime, 1.35 mm): a coin lies on another if it lies higher than this, else on the table.
_LEAST_MM = 0.7
# Coins on coins are so much rarer on tables than where it learnt, where they were every second one.
_RARER = 0.06
# Where others on a table lie on others it is as frequent as among these (the first may be a mistake) and so many more
# coins of any table. What is told asks for sure ones; what is stated as doubt counts each by its chance, which is asked
# again at each frequency until that stays: of ten coins that each lie on others by nine to one most do. What misleads
# the net is mostly the table's light, so that a coin says less beside the others than alone: its log odds count by this
# share. (Told by these too, 61 of 118 path traced tops are lifted for 43, but of 119 coins on the table eight for 0.)
_COINS_ELSE, _MISTAKEN, _SHARED, _ROUNDS = 10, 1.0, 0.8, 30
# Below the first chance of a stack nothing is said of it: a coin that plainly lies flat. From the second on it is told
# (of 2,290 coins flat on photographs: of one, before which a shadow lies; of 126 tops in metal 50 are told, from 0.8 on
# 43); between them the coin stays on the table and its sigma says what is not excluded.
_PLAIN, _SURE = 0.1, 0.65
# The net's heights of coins that surely lie on others err by so much more than it says: the spread of its narrowest
# answers, under 0.7, is 1.1 there, that of its wide ones is right (stills of seeds 5, 6, 501, 41001, 41002 and 83222).
_UNTOLD_MM = 0.5


@dataclass(frozen=True, eq=False)
class Lifts:
    """How high n coins lie above the table.

    lift_mm   (n,) 0 where it may lie on the table
    sigma_mm  (n,) standard deviation of that; 0 where it plainly lies on the table
    is_sure   (n,) whether it lies on something past doubt
    log_odds  (n,) of that, were coins on others as frequent as coins on the table
    """

    lift_mm: Array
    sigma_mm: Array
    is_sure: NDArray[np.bool_]
    log_odds: Array


def tops_of(image_bgr: ImageBgr, plane: TablePlane, circles: Circles) -> Array:
    """(n, 24) chances of the heights `TOPS_MM` of n coins' upper faces.

    circles  as measured in the plane of a typical coin's rim
    """
    if not len(circles.radius_mm):
        return np.zeros((0, len(TOPS_MM)))
    away = plane.camera_position_mm[:2] - circles.centre_mm
    rays = front_rays(np.arctan2(away[:, 1], away[:, 0]))
    at = (circles.centre_mm, circles.radius_mm, np.full(len(away), TYPICAL_THICKNESS_MM))
    strips, step_px = let_down(image_bgr, plane, at, rays, ROUND, BELOW_MM)
    shift = np.linalg.norm(away, axis=1) / plane.camera_position_mm[2]
    told = {
        "strips": np.ascontiguousarray(strips.transpose(0, 3, 1, 2), np.float32),
        "views": np.stack([shift, circles.radius_mm / 10, step_px], axis=1).astype(np.float32),
    }
    (logits,) = load_model("lift").run(None, told)
    chance = np.exp((logits.astype(float) - logits.max(axis=1, keepdims=True)) / OVERSURE)
    return np.asarray(chance / chance.sum(axis=1, keepdims=True), float)


def lifts_of(tops: Array, thickness_mm: Array, carries: NDArray[np.bool_] | None = None) -> Lifts:
    """How high n coins of one table lie.

    tops          (n, 24) chances of the heights `TOPS_MM` of their upper faces
    thickness_mm  (n,) of each coin's class
    carries       (n,) whether another is seen on it, if any may be: it counts with that one for the stack that it is in

    Where others likely lie on others, a coin that may merely do so states, in its sigma, what it would then be off.
    """
    lift = TOPS_MM - thickness_mm[:, None]
    lies_high = lift > _LEAST_MM
    frequent = _of_the_sure(tops, lies_high)
    chance = _weighed(tops, lies_high, frequent)
    lift = np.where(lies_high, lift, 0.0)
    of_stack = (chance * lies_high).sum(axis=1)
    is_sure = of_stack > _SURE
    told = np.where(is_sure, (chance * lift).sum(axis=1) / np.maximum(of_stack, 1e-9), 0.0)
    square = (chance * np.square(lift - told[:, None])).sum(axis=1)
    seen = slice(None) if carries is None else ~carries
    doubt = _doubt_mm(tops, lift, _of_any(tops[seen], lies_high[seen]))
    sigma = np.where(is_sure, np.sqrt(square + _UNTOLD_MM**2), doubt)
    return Lifts(told, sigma, is_sure, _log_odds(tops, lies_high))


def _doubt_mm(tops: Array, lift_mm: Array, frequent: float) -> Array:
    """(n,) standard deviations of coins told to lie on the table, by the lift (n, 24) at each height."""
    chance = _weighed(tops, lift_mm > 0, frequent)
    of_stack = (chance * (lift_mm > 0)).sum(axis=1)
    square = (chance * np.square(lift_mm)).sum(axis=1)
    in_doubt = square / np.maximum(of_stack, 1e-9) if frequent > _RARER else square
    return np.where(of_stack > _PLAIN, np.sqrt(in_doubt), 0.0)


def _log_odds(tops: Array, lies_high: NDArray[np.bool_]) -> Array:
    """(n,) that it lies on something, by the net alone."""
    of_stack = np.clip((tops * lies_high).sum(axis=1), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(of_stack / (1 - of_stack)), float)


def _weighed(tops: Array, lies_high: NDArray[np.bool_], frequent: float) -> Array:
    """(n, 24) the chances where coins on others are so frequent beside those on the table."""
    chance = np.where(lies_high, frequent * tops, tops)
    return np.asarray(chance / chance.sum(axis=1, keepdims=True), float)


def _of_the_sure(tops: Array, lies_high: NDArray[np.bool_]) -> float:
    """How many coins surely lie on others on this table for each that does not."""
    sure = int(((_weighed(tops, lies_high, _RARER) * lies_high).sum(axis=1) > _SURE).sum())
    return _beside(sure, len(tops))


def _of_all(tops: Array, lies_high: NDArray[np.bool_]) -> float:
    """How many coins lie on others on this table for each that lies on it, by what all of them together may do."""
    odds = np.exp(_SHARED * _log_odds(tops, lies_high))
    frequent = _RARER
    for _ in range(_ROUNDS):
        frequent = _beside(float((frequent * odds / (1 + frequent * odds)).sum()), len(tops))
    return frequent


def _of_any(tops: Array, lies_high: NDArray[np.bool_]) -> float:
    """How many coins lie on others for each that lies on the table, by those that surely do or by all together."""
    return max(_of_the_sure(tops, lies_high), _of_all(tops, lies_high))


def _beside(on_others: float, count: int) -> float:
    """How many coins lie on others for each that does not, where so many of `count` seem to."""
    return max(_RARER, (on_others - _MISTAKEN + _RARER * _COINS_ELSE) / (count - on_others + _COINS_ELSE))


def placed_by(plane: TablePlane, circles: Circles, lifts: Lifts) -> Array:
    """(n, 2) where the circles lie on the line of sight, lifted where they surely are."""
    if not lifts.is_sure.any():
        return circles.centre_mm
    height = TYPICAL_THICKNESS_MM + np.where(lifts.is_sure, lifts.lift_mm, 0.0)
    return plane.to_table(plane.to_image(circles.centre_mm, TYPICAL_THICKNESS_MM), height)
