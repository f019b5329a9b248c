"""The cameras that references tell where some of them are left out: rivals of the one that was fitted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from calibration.doubt.fitted import CLEAR_COST, FIXED_BY, fit_all, fit_part, prior_by, prior_of, refit
from calibration.doubt.laid import as_fitted
from calibration.doubt.trusted_few import RICH
from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

# Two that agree against one more are no majority to build on.
_PAIR = 2
# Of no more things every two are doubted at once, and only where they leave so many times what noise does.
_MOST_DOUBTED, _MUCH = 8, 2.0
# What two points leave that lie right, once in a thousand times by chance (chi-square of four).
_TWO_COST = 18.5


def is_contested(fit: CameraFit, seen: Seen) -> bool:
    """Whether so few references agreed that those left out may be the right ones: two of three markers, or of four."""
    fixed = [name for name in seen.points.groups if name not in seen.points.loose]
    kept = [name for name in fixed if name in fit.groups]
    is_rich = any(seen.points.sources.count(name) >= RICH for name in kept)
    return len(kept) < len(fixed) and len(kept) <= _PAIR and not is_rich


def leaves_much(fit: CameraFit, seen: Seen) -> bool:
    """Whether what was fitted are only a few things of four corners or more, and they leave more than noise."""
    used = as_fitted(seen, fit).only(fit.groups)
    counts = [used.points.sources.count(name) for name in used.points.groups]
    are_things = not (used.circles or used.points.loose) and min(counts) >= FIXED_BY
    return are_things and _PAIR < len(counts) <= _MOST_DOUBTED and fit.cost > _MUCH * used.points.numbers


def rivals(fit: CameraFit, seen: Seen, lens: Lens) -> Iterator[CameraFit]:
    """The cameras that the references tell without one of them, each in turn, where the rest fix a plane. Where few
    agreed, those that were left out are tried too."""
    groups = seen.groups if is_contested(fit, seen) else fit.groups
    among = as_fitted(seen, fit).only(groups)
    for trusted in combinations(groups, len(groups) - 1):
        rest = among.only(trusted)
        if rest.spare > 0:
            part = partial(fit_part, among, rest)
            yield part(prior_by(rest, lens, part))


def rivals_left_out(fit: CameraFit, seen: Seen, lens: Lens) -> list[CameraFit]:
    """The camera of the markers that were left out, if they agree among themselves and only single points were believed
    instead: one hand clicked all of those, and may have told them all wrongly alike."""
    count = seen.points.sources.count
    left = [name for name in seen.points.groups if name not in fit.groups and count(name) >= FIXED_BY]
    if len(left) < _PAIR or any(count(name) != 1 for name in fit.groups):
        return []
    among = as_fitted(seen, fit).only(tuple(left))
    rival = fit_all(among, prior_of(among, lens))
    return [rival] if rival.cost <= _MUCH * among.points.numbers else []


def rivals_of_two(fit: CameraFit, seen: Seen, lens: Lens) -> Iterator[CameraFit]:
    """The cameras that the references tell without two of them, each pair in turn, where the rest leave only noise."""
    among = as_fitted(seen, fit).only(fit.groups)
    prior = prior_of(among, lens)
    for trusted in combinations(fit.groups, len(fit.groups) - 2):
        rest = among.only(trusted)
        if len(rest.points) > FIXED_BY and (rival := fit_all(rest, prior)).cost <= _MUCH * rest.points.numbers:
            yield rival


def rivals_of_side(fit: CameraFit, seen: Seen, lens: Lens) -> list[CameraFit]:
    """The cameras that the references tell without two of the clicked points beside cards, where the rest then agrees
    clearly better. A side of the table was then told too long or too short, and it is open which of its ends is right.

    Beside coins nothing else allows for it: 0.7 and 2 % too long held on 1 table of 8 without these, on 6 and 7 with.
    """
    among = as_fitted(seen, fit).only(fit.groups)
    clicks = [name for name in among.points.groups if among.points.sources.count(name) == 1]
    if not among.points.loose or not FIXED_BY <= len(clicks) <= _MOST_DOUBTED:
        return []
    prior = prior_of(among, lens)
    pairs = [{*pair} for pair in combinations(clicks, 2)]
    rests = [among.only(tuple(name for name in fit.groups if name not in pair)) for pair in pairs]
    fits = [refit(fit, rest, prior) for rest in rests]
    least = min(each.cost for each in fits)
    noise = max(1.0, least / max(rests[0].spare, 1))
    if fit.cost - least < _TWO_COST * noise:
        return []
    return [each for each in fits if each.cost - least < CLEAR_COST * noise]
