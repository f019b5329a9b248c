"""Whether one picture of a board was turned over or mirrored and the others not. A telephone held the other way round
turns its pictures, and the lens's axis then lies on the other side of their middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens

Array = NDArray[np.float64]

# By which sides of a picture are exchanged: left and right, top and bottom.
_WAYS = {
    "turned by 180 degrees": (True, True),
    "mirrored left for right": (True, False),
    "mirrored top to bottom": (False, True),
}
# By so many variances more of the squares that are left nothing is better explained by chance: odds of 20,000 to 1.
_NO_CHANCE = 20.0
# Turned back it agrees with the others: so much of what they contradict one another by is gone. Of views that were not
# turned, by a lens whose axis strays by 1.5 px from view to view or of a curled board, mostly 0.3 to 0.55; of turned
# ones 0.7 to 0.97.
_AGREES = 2 / 3
# Of the information of one view, which does not tell all of a lens.
_UNTOLD = 1e-9
_POSE = 6
_TINY = float(np.finfo(float).tiny)
# One view is of another lens where it contradicts the others by so much of all that is left: strange ones among six to
# fifteen by 0.4 to 0.99 where they moved the lens, and no right view beside them by as much. Right views by 0.11 at
# most, in photographs of a board that bent in the hands by 0.38 (of six or seven such by 0.51).
_OTHER_LENS = 0.4


@dataclass(frozen=True, eq=False)
class ViewTold:
    """What one view tells of the lens, whatever the board's pose. Through a lens whose parameters differ by d, its
    squared errors grow by d @ information @ d + 2 * pull @ d.

    information  (n, n), px^-2
    pull         (n,) half of how the squares grow
    """

    information: Array
    pull: Array

    @property
    def own_step(self) -> Array:
        """(n,) minus what takes the lens's parameters to those that this view alone tells, to first order."""
        return np.asarray(np.linalg.lstsq(self.information, self.pull, rcond=_UNTOLD)[0], float)


@dataclass(frozen=True)
class TurnedOver:
    """The view that was turned over, by its number, how, and by how much less all views leave were it turned back."""

    view: int
    how: str
    gain_px2: float = field(default=0.0, compare=False)


def apart_px2(told: Sequence[ViewTold]) -> float:
    """By how much more views leave, squared, through the lens that was fitted to all of them than each through its
    own."""
    return sum(float(each.pull @ each.own_step) for each in told)


def told_apart(told: Sequence[ViewTold], squares_px2: float, corners: int) -> float:
    """By how much more views leave through one lens than each through its own, by what chance takes of that (an F
    ratio, which is 1 on the mean where corners err by themselves).

    told         of each view, at the lens that was fitted to all of them
    squares_px2  all that this lens leaves, squared
    corners      how many corners all views have
    """
    gained_px2, size = apart_px2(told), len(told[0].pull)
    left = 2 * corners - len(told) * (_POSE + size)
    if left <= 0 or gained_px2 <= 0:
        return 0.0
    return gained_px2 / (size * (len(told) - 1)) / max((squares_px2 - gained_px2) / left, _TINY)


def other_lens(told: Sequence[ViewTold], squares_px2: float, variance_px2: float) -> int | None:
    """The view that was taken through another lens, zoom or camera, by its number; None where no single one was.

    told          of each view, at the lens that was fitted to all of them
    squares_px2   all that this lens leaves, squared
    variance_px2  of each coordinate of a corner
    """
    information = np.sum([each.information for each in told], axis=0)
    off_px2 = [_contradicted_px2(each, information) for each in told]
    odd = int(np.argmax(off_px2))
    return odd if off_px2[odd] > max(_NO_CHANCE * variance_px2, _OTHER_LENS * squares_px2) else None


def turned_over(told: Sequence[ViewTold], lens: Lens, variance_px2: float) -> TurnedOver | None:
    """The view that, turned back, is explained so much better together with the others; None where none is, or where
    the lens's axis lies so near the pictures' middle that it is all the same.

    told          of each view, at the lens that was fitted to all of them
    variance_px2  of each coordinate of a corner
    """
    information = np.sum([each.information for each in told], axis=0)
    gains = {
        TurnedOver(number, how): _gain_px2(each, information, lens, sides)
        for number, each in enumerate(told)
        for how, sides in _WAYS.items()
    }
    best = max(gains, key=lambda one: gains[one])
    least_px2 = max(_NO_CHANCE * variance_px2, _AGREES * _contradicted_px2(told[best.view], information))
    return replace(best, gain_px2=gains[best]) if gains[best] > least_px2 else None


def _contradicted_px2(view: ViewTold, information: Array) -> float:
    """By how much less a view and all others leave, each through a lens of their own."""
    others = np.linalg.lstsq(information - view.information, view.pull)[0]
    return float(view.pull @ (others + view.own_step))


def _gain_px2(view: ViewTold, information: Array, lens: Lens, sides: tuple[bool, bool]) -> float:
    """By how much less all views leave if one is turned back and the lens fitted anew, to first order."""
    sign, back = np.ones(len(lens.parameters)), np.zeros(len(lens.parameters))
    for axis in np.flatnonzero(sides):
        sign[2 + axis], back[2 + axis] = -1.0, lens.size_px[axis] - 1.0
        if not lens.fisheye:
            sign[7 - axis] = -1.0  # p2 pulls to the left or right, p1 up or down
    # Turned back, a view shows through a lens what it showed before through that lens turned over.
    over = sign * lens.parameters + back - lens.parameters
    turned = sign[:, None] * view.information * sign
    pull = sign * (view.pull + view.information @ over) - view.pull
    step = np.linalg.lstsq(information - view.information + turned, pull)[0]
    return float(pull @ step - over @ view.information @ over - 2 * view.pull @ over)
