"""How markers were printed and laid after all, where that explains what a slip of each does not: all of them, or one or
two, in another size than said, or each a little turned."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from calibration.doubt.fitted import CLEAR_COST, fit_all, fit_part, fit_slipping, prior_by, prior_of, refit, slipping
from calibration.fiducials.print_scale import odd_markers, print_scales, resized, scaled, tells_print_scale
from calibration.fit.bundle import CameraFit
from calibration.fit.problem import INK_MM
from calibration.fit.seen import Seen
from calibration.lens import Lens

# Turns, or the size of one marker, explain what slips do not where they leave less than this share of it.
_LEFT_SHARE = 0.1
# What lies turned by more lies wrong.
_MOST_ASKEW_DEG = 20.0
# Ink does not run by so many times what it may; that all markers are larger leaves less than this share of slips then.
_NO_INK, _INK_SHARE = 3.0, 0.5
# So many markers at most are of another size.
_MOST_ODD = 2


def as_laid(seen: Seen, lens: Lens) -> tuple[Seen, float, dict[str, float]]:
    """The references as they were printed and laid, by what share all markers are larger than said (1 as a rule), and
    of those that are alone in it their share."""
    share = _print_scale(seen, prior_of(seen, lens))
    large = seen if share == 1.0 else scaled(seen, share)
    odd = _odd(large, lens)
    like = resized(large, odd) if odd else large
    return (_turned(like) if _lies_askew(like, lens) else like), share, odd


def as_fitted(seen: Seen, fit: CameraFit) -> Seen:
    """The same as the fit took it: markers in the size they turned out to have, and turned where they lie askew."""
    large = seen if fit.print_scale == 1.0 else scaled(seen, fit.print_scale)
    like = resized(large, fit.odd)
    return _turned(like) if fit.turns_deg else like


def _turned(seen: Seen) -> Seen:
    return replace(seen, points=seen.points.turned_a_little())


def _print_scale(seen: Seen, prior: Lens) -> float:
    """The share by which all markers are larger than said, if that explains clearly more than a bend; otherwise 1."""
    if not tells_print_scale(seen):
        return 1.0
    cost = fit_slipping(seen, prior).cost
    is_inked = abs(fit_all(seen, prior).ink_mm) < _NO_INK * INK_MM
    if cost < CLEAR_COST and is_inked:
        return 1.0
    lenses = (prior,) if prior.known or seen.tells_bend else (prior, prior.straight())
    ways = [(share, lens) for lens in lenses for share in print_scales(seen, fit_all(seen, lens))]
    left = {way: fit_slipping(scaled(seen, way[0]), way[1]).cost for way in ways}
    if not left:
        return 1.0
    share, lens = min(left, key=lambda way: left[way])
    least = left[share, lens]
    if least < cost - CLEAR_COST:
        return share
    # Slips, too, explain a few hundredths; then it is the ink that has run the wrong way, or too far, that tells.
    is_clear = fit_all(scaled(seen, share), lens).cost < fit_all(seen, prior).cost - CLEAR_COST
    return share if not is_inked and least < _INK_SHARE * cost and is_clear else 1.0


def _odd(seen: Seen, lens: Lens) -> dict[str, float]:
    """The one marker, or the two, of another size than the others, and their share of it, if that explains what slips
    do not, and leaves next to nothing of it."""
    if fit_slipping(seen, prior_of(seen, lens)).cost < CLEAR_COST:
        return {}
    one, cost = _odd_among(seen, lens, 1)
    if cost < CLEAR_COST:
        return one
    two, cost_of_two = _odd_among(seen, lens, _MOST_ODD)
    return two if cost_of_two < cost - CLEAR_COST else one


def _odd_among(seen: Seen, lens: Lens, count: int) -> tuple[dict[str, float], float]:
    """So many odd markers, and what is left with them; none where they explain too little."""
    none: tuple[dict[str, float], float] = {}, np.inf
    prior = prior_of(seen, lens)
    suspects = odd_markers(seen, fit_all(seen, prior), count)
    if not suspects:
        return none
    rest = seen.only(tuple(name for name in seen.groups if name not in suspects))
    part = partial(fit_part, seen, rest)
    prior_of_rest = prior_by(rest, lens, part)
    without = part(prior_of_rest)
    found = odd_markers(seen, without, count)
    if found.keys() != suspects.keys():
        return none
    like = resized(seen, found)
    # What clicks, cards and coins leave stays, whatever size the markers are.
    stays = refit(without, slipping(rest), prior_of_rest).cost
    cost, least = (fit.cost - stays for fit in (fit_slipping(seen, prior), fit_slipping(like, prior_of(like, lens))))
    is_clear = least < max(CLEAR_COST, _LEFT_SHARE * cost) and least < cost - count * CLEAR_COST
    return (found, least + stays) if is_clear else none


def _lies_askew(seen: Seen, lens: Lens) -> bool:
    """Whether markers that each lie a little turned explain what slips do not, and leave next to nothing of it."""
    askew = _turned(seen)
    if not askew.points.askew or (cost := fit_slipping(seen, prior_of(seen, lens)).cost) < CLEAR_COST:
        return False
    fit = fit_slipping(askew, prior_of(askew, lens))
    if max(abs(turn) for turn in fit.turns_deg.values()) > _MOST_ASKEW_DEG:
        return False
    return fit.cost < max(CLEAR_COST, _LEFT_SHARE * cost) and fit.cost < cost - CLEAR_COST
