"""Which clicked points are wrong: without one of them all else agrees, and clearly better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.doubt.fitted import CLEAR_COST, FIXED_BY, HELD_BY, fit_slipping, refit, slipping, strains
from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

# The share of right tables on which the best of all single points may leave so much by chance (chi-square of two).
# Cards and coins tell too little to wait for so much: beside six coins 10 of 20 wrong clicks would be doubted no more.
_BY_CHANCE = 0.001


def blamed_clicks(seen: Seen, prior: Lens, told: Lens) -> list[str]:
    """The points of which one lies wrong: all that may be it where several may, or where the measured lens may be wrong
    as well, or the picture cut out; none where it is.

    prior  the lens taken from the `told` one
    """
    is_cut = not told.known and prior.covariance[2, 2] > told.covariance[2, 2]
    lens = (told if prior.covariance[4, 4] > 0 else told.straight()) if is_cut else prior
    clicks = [name for name in seen.points.groups if seen.points.sources.count(name) == 1]
    if not _are_asked(clicks, seen, is_cut):
        return []
    whole = fit_slipping(seen, lens)
    trials = _trials(clicks, seen, whole, lens)
    best = min(trials, key=lambda name: trials[name].cost)
    least, noise = trials[best].cost, trials[best].noise
    if best not in clicks or whole.cost - least < _clear_cost(seen, len(trials)) * noise or trials[best].strains:
        return []
    if lens.known or is_cut:
        other = Lens.unknown(lens.size_px) if lens.known else prior
        gain = least - fit_slipping(seen, other).cost
        if gain > -CLEAR_COST * noise:
            return [] if gain > CLEAR_COST * noise else clicks
    return [name for name, trial in trials.items() if trial.cost - least < CLEAR_COST * noise]


@dataclass(frozen=True, eq=False)
class _Trial:
    """The references without one of them, each slipping a little, and the camera that they lead to."""

    rest: Seen
    fit: CameraFit

    @property
    def cost(self) -> float:
        """The fit's."""
        return self.fit.cost

    @property
    def noise(self) -> float:
        """How many times as much they leave as noise does, 1 at least."""
        return max(1.0, self.cost / max(self.rest.spare, 1))

    @property
    def strains(self) -> bool:
        """Whether even that camera does not explain what was seen."""
        return strains(self.fit, self.rest)


def _are_asked(clicks: Sequence[str], seen: Seen, is_cut: bool) -> bool:
    """Whether there are points enough, and something beside them to tell which is wrong. Alone, six and more tell
    whether one of them is, or the picture was cut out."""
    is_beside = len(clicks) < len(seen.groups) or (is_cut and len(clicks) > FIXED_BY + 1)
    return is_beside and len(clicks) > HELD_BY


def _trials(clicks: Sequence[str], seen: Seen, whole: CameraFit, lens: Lens) -> dict[str, _Trial]:
    """By its name, the references without each of the points, or of what else lies fixed."""
    others = [name for name in seen.points.groups if name not in clicks and name not in seen.points.loose]
    slipped = slipping(seen)
    rests = {name: slipped.only(tuple(each for each in seen.groups if each != name)) for name in (*clicks, *others)}
    return {
        name: _Trial(rest, refit(whole, rest, lens))
        for name, rest in rests.items()
        # Four points agree through some lens or other: that they do without a marker does not blame it.
        if name in clicks or lens.known or rest.spare > 0
    }


def _clear_cost(seen: Seen, count: int) -> float:
    """By how much the best of so many trials must be better."""
    return CLEAR_COST if seen.circles or seen.points.loose else float(2 * np.log(count / _BY_CHANCE))
