"""Which references agree with one another, and the camera that they agree on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations

import numpy as np

from calibration.bundle import CameraFit, fit_bundle
from calibration.first_guesses import first_guesses
from calibration.lens import Lens
from calibration.other_lens import is_of_another
from calibration.pose import CameraGuess
from calibration.print_scale import odd_markers, print_scales, resized, scaled, tells_print_scale
from calibration.problem import INK_MM
from calibration.seen import Seen
from calibration.slip import SLIP_MM
from calibration.trusted_few import RICH, trusted_few
from calibration.turned_over import as_shown
from calibration.unmeasured import bent, likeliest

# Hands lay a sheet or read a ruler to about half a millimetre: so much is a slip, not a contradiction.
PLACING_PX = 0.7
# Paper curls and prints a little large: a marker's corners lie to this off its shape.
SHAPE_PX = 0.3
# More cost for a point than this is no chance: markers laid to 1 mm reach 2.4, one 10 mm off its place 4 and more.
_STRAIN = 3.0
# A source is wrong when it lies this many of its sigmas off what the others agree on.
WRONG_SIGMAS = 6.0
# Two explanations whose costs differ by less than this (three sigma) cannot be told apart.
CLEAR_COST = 9.0
# Sources that are left out must have pulled the errors of the others up by this factor.
_CLEARLY_BETTER = 2.0
# Turns, or the size of one marker, explain what slips do not where they leave less than this share of it.
_LEFT_SHARE = 0.1
# What lies turned by more lies wrong.
_MOST_ASKEW_DEG = 20.0
# Ink does not run by so many times what it may; that all markers are larger leaves less than this share of slips then.
_NO_INK, _INK_SHARE = 3.0, 0.5
# Two that agree against one more are no majority to build on.
_PAIR = 2
# Of no more things every two are doubted at once, and only where they leave so many times what noise does.
_MOST_DOUBTED, _MUCH = 8, 2.0
# What two points leave that lie right, once in a thousand times by chance (chi-square of four); and the share of tables
# on which the best of all single ones may leave so much (chi-square of two). Cards and coins tell too little to wait
# for so much: beside six coins 10 of 20 wrong clicks would be doubted no more.
_TWO_COST, _BY_CHANCE = 18.5, 0.001
# Four points fix a plane, and say nothing of whether they are right; two hold a table that cards or coins measure.
_FIXED_BY, _HELD_BY = 4, 2


def fit_agreeing(seen: Seen, lens: Lens) -> CameraFit:
    """The camera that most references agree on; the fit says `ambiguous` where they contradict without a majority."""
    prior = _prior(seen, lens)
    share = _print_scale(seen, prior)
    if share != 1.0:
        seen = scaled(seen, share)
        prior = _prior(seen, lens)
    odd = _odd(seen, prior, lens)
    if odd:
        seen = resized(seen, odd)
        prior = _prior(seen, lens)
    if _lies_askew(seen, prior, lens):
        seen = replace(seen, points=seen.points.turned_a_little())
        prior = _prior(seen, lens)
    kept = _agreed(seen, prior, lens)
    among = seen if kept is None or kept == seen.groups else seen.only(kept)
    part = partial(_fit_part, seen, among)
    prior = prior if among is seen else _prior_by(among, lens, part)
    fit = replace(part(prior), ambiguous=kept is None, turned_over=lens.known and prior is not lens)
    slipping = _fit_slipping(seen, prior) if among is seen else _refit(fit, _slipping(among), prior)
    strained = _strains(slipping, among)
    return replace(fit, bent=bent(seen, lens, fit), print_scale=share, odd=odd, strained=strained)


def as_fitted(seen: Seen, fit: CameraFit) -> Seen:
    """The same as the fit took it: markers in the size they turned out to have, and turned where they lie askew."""
    large = seen if fit.print_scale == 1.0 else scaled(seen, fit.print_scale)
    large = resized(large, fit.odd)
    return replace(large, points=large.points.turned_a_little()) if fit.turns_deg else large


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
    are_things = not (used.circles or used.points.loose) and min(counts) >= _FIXED_BY
    return are_things and _PAIR < len(counts) <= _MOST_DOUBTED and fit.cost > _MUCH * used.points.numbers


def rivals(fit: CameraFit, seen: Seen, lens: Lens) -> Iterator[CameraFit]:
    """The cameras that the references tell without one of them, each in turn, where the rest fix a plane. Where few
    agreed, those that were left out are tried too."""
    groups = seen.groups if is_contested(fit, seen) else fit.groups
    among = as_fitted(seen, fit).only(groups)
    for trusted in combinations(groups, len(groups) - 1):
        rest = among.only(trusted)
        if rest.spare > 0:
            part = partial(_fit_part, among, rest)
            yield part(_prior_by(rest, lens, part))


def rivals_left_out(fit: CameraFit, seen: Seen, lens: Lens) -> list[CameraFit]:
    """The camera of the markers that were left out, if they agree among themselves and only single points were believed
    instead: one hand clicked all of those, and may have told them all wrongly alike."""
    count = seen.points.sources.count
    left = [name for name in seen.points.groups if name not in fit.groups and count(name) >= _FIXED_BY]
    if len(left) < _PAIR or any(count(name) != 1 for name in fit.groups):
        return []
    among = as_fitted(seen, fit).only(tuple(left))
    rival = _fit(among, _prior(among, lens))
    return [rival] if rival.cost <= _MUCH * among.points.numbers else []


def misleads(seen: Seen, lens: Lens) -> bool:
    """Whether a measured lens is of another camera or picture than the one that shows these references."""
    prior = _prior(seen, lens) if lens.known else lens
    return is_of_another(seen, prior, partial(_fit_slipping, seen)) and not _blamed_clicks(seen, prior, lens)


def rivals_of_two(fit: CameraFit, seen: Seen, lens: Lens) -> Iterator[CameraFit]:
    """The cameras that the references tell without two of them, each pair in turn, where the rest leave only noise."""
    among = as_fitted(seen, fit).only(fit.groups)
    prior = _prior(among, lens)
    for trusted in combinations(fit.groups, len(fit.groups) - 2):
        rest = among.only(trusted)
        if len(rest.points) > _FIXED_BY and (rival := _fit(rest, prior)).cost <= _MUCH * rest.points.numbers:
            yield rival


def rivals_of_side(fit: CameraFit, seen: Seen, lens: Lens) -> list[CameraFit]:
    """The cameras that the references tell without two of the clicked points beside cards, where the rest then agrees
    clearly better. A side of the table was then told too long or too short, and it is open which of its ends is right.

    Beside coins nothing else allows for it: 0.7 and 2 % too long held on 1 table of 8 without these, on 6 and 7 with.
    """
    among = as_fitted(seen, fit).only(fit.groups)
    clicks = [name for name in among.points.groups if among.points.sources.count(name) == 1]
    if not among.points.loose or not _FIXED_BY <= len(clicks) <= _MOST_DOUBTED:
        return []
    prior = _prior(among, lens)
    pairs = [{*pair} for pair in combinations(clicks, 2)]
    rests = [among.only(tuple(name for name in fit.groups if name not in pair)) for pair in pairs]
    fits = [_refit(fit, rest, prior) for rest in rests]
    least = min(each.cost for each in fits)
    noise = max(1.0, least / max(rests[0].spare, 1))
    if fit.cost - least < _TWO_COST * noise:
        return []
    return [each for each in fits if each.cost - least < CLEAR_COST * noise]


# Whether a lens file misleads, and what all agree on, are asked of the same references one after the other.
@lru_cache(maxsize=8)
def _prior(seen: Seen, lens: Lens) -> Lens:
    return _prior_by(seen, lens, partial(_fit, seen))


def _prior_by(seen: Seen, lens: Lens, fit: Callable[[Lens], CameraFit]) -> Lens:
    return (as_shown if lens.known else likeliest)(seen, lens, fit)


def _print_scale(seen: Seen, prior: Lens) -> float:
    """The share by which all markers are larger than said, if that explains clearly more than a bend; otherwise 1."""
    if not tells_print_scale(seen):
        return 1.0
    cost = _fit_slipping(seen, prior).cost
    is_inked = abs(_fit(seen, prior).ink_mm) < _NO_INK * INK_MM
    if cost < CLEAR_COST and is_inked:
        return 1.0
    lenses = (prior,) if prior.known or seen.tells_bend else (prior, prior.straight())
    ways = [(share, lens) for lens in lenses for share in print_scales(seen, _fit(seen, lens))]
    left = {way: _fit_slipping(scaled(seen, way[0]), way[1]).cost for way in ways}
    if not left:
        return 1.0
    share, lens = min(left, key=lambda way: left[way])
    least = left[share, lens]
    if least < cost - CLEAR_COST:
        return share
    # Slips, too, explain a few hundredths; then it is the ink that has run the wrong way, or too far, that tells.
    is_clear = _fit(scaled(seen, share), lens).cost < _fit(seen, prior).cost - CLEAR_COST
    return share if not is_inked and least < _INK_SHARE * cost and is_clear else 1.0


def _odd(seen: Seen, prior: Lens, lens: Lens) -> dict[str, float]:
    """The one marker, or the two, of another size than the others, and their share of it, if that explains what slips
    do not, and leaves next to nothing of it."""
    if _fit_slipping(seen, prior).cost < CLEAR_COST:
        return {}
    one, cost = _odd_among(seen, prior, lens, 1)
    if cost < CLEAR_COST:
        return one
    two, cost_of_two = _odd_among(seen, prior, lens, _PAIR)
    return two if cost_of_two < cost - CLEAR_COST else one


def _odd_among(seen: Seen, prior: Lens, lens: Lens, count: int) -> tuple[dict[str, float], float]:
    """So many odd markers, and what is left with them; none where they explain too little."""
    none: tuple[dict[str, float], float] = {}, np.inf
    suspects = odd_markers(seen, _fit(seen, prior), count)
    if not suspects:
        return none
    rest = seen.only(tuple(name for name in seen.groups if name not in suspects))
    part = partial(_fit_part, seen, rest)
    prior_of_rest = _prior_by(rest, lens, part)
    without = part(prior_of_rest)
    found = odd_markers(seen, without, count)
    if found.keys() != suspects.keys():
        return none
    like = resized(seen, found)
    # What clicks, cards and coins leave stays, whatever size the markers are.
    stays = _refit(without, _slipping(rest), prior_of_rest).cost
    cost, least = (fit.cost - stays for fit in (_fit_slipping(seen, prior), _fit_slipping(like, _prior(like, lens))))
    is_clear = least < max(CLEAR_COST, _LEFT_SHARE * cost) and least < cost - count * CLEAR_COST
    return (found, least + stays) if is_clear else none


def _lies_askew(seen: Seen, prior: Lens, lens: Lens) -> bool:
    """Whether markers that each lie a little turned explain what slips do not, and leave next to nothing of it."""
    askew = replace(seen, points=seen.points.turned_a_little())
    if not askew.points.askew or (cost := _fit_slipping(seen, prior).cost) < CLEAR_COST:
        return False
    fit = _fit_slipping(askew, _prior(askew, lens))
    if max(abs(turn) for turn in fit.turns_deg.values()) > _MOST_ASKEW_DEG:
        return False
    return fit.cost < max(CLEAR_COST, _LEFT_SHARE * cost) and fit.cost < cost - CLEAR_COST


def _agreed(seen: Seen, lens: Lens, told: Lens) -> tuple[str, ...] | None:
    """The sources that agree through a lens that was taken from the `told` one; None where they contradict one another
    with no majority. One alone contradicts nobody."""
    if len(seen.groups) == 1:
        return seen.groups
    blamed = _blamed_clicks(seen, lens, told)
    if blamed:
        return tuple(name for name in seen.groups if name not in blamed) if len(blamed) == 1 else None
    whole = _fit(seen, lens)
    is_strained = _strains(_fit_slipping(seen, lens), seen)
    if not (is_strained or _contradicting(_refit(whole, seen.blurred(PLACING_PX), lens), seen)):
        return seen.groups
    # A bend that is estimated too can hide which source is wrong.
    straight = None if lens.known or seen.tells_bend else _majority(seen, lens.straight())
    kept = straight or _majority(seen, lens)
    return seen.groups if kept is not None and not _agrees_better(kept, seen, lens) else kept


def _blamed_clicks(seen: Seen, prior: Lens, told: Lens) -> list[str]:
    """The points beside other things of which one lies wrong: without it all agree, and clearly better. All that may
    be it where several may, or where the measured lens may be wrong as well, or the picture cut out; none where it is.
    """
    is_cut = not told.known and prior.covariance[2, 2] > told.covariance[2, 2]
    lens = (told if prior.covariance[4, 4] > 0 else told.straight()) if is_cut else prior
    clicks = [name for name in seen.points.groups if seen.points.sources.count(name) == 1]
    # Alone, six and more tell whether one of them is wrong or the picture was cut out.
    is_asked = len(clicks) < len(seen.groups) or (is_cut and len(clicks) > _FIXED_BY + 1)
    if not is_asked or len(clicks) <= _HELD_BY:
        return []
    whole, slipping = _fit_slipping(seen, lens), _slipping(seen)
    others = [name for name in seen.points.groups if name not in clicks and name not in seen.points.loose]
    rests = {name: slipping.only(tuple(each for each in seen.groups if each != name)) for name in (*clicks, *others)}
    # Four points agree through some lens or other: that they do without a marker does not blame it.
    rests = {name: rest for name, rest in rests.items() if name in clicks or lens.known or rest.spare > 0}
    fits = {name: _refit(whole, rest, lens) for name, rest in rests.items()}
    best = min(fits, key=lambda name: fits[name].cost)
    least, rest = fits[best].cost, rests[best]
    noise = max(1.0, least / max(rest.spare, 1))
    clear_cost = CLEAR_COST if seen.circles or seen.points.loose else 2 * np.log(len(fits) / _BY_CHANCE)
    if best in others or whole.cost - least < clear_cost * noise or _strains(fits[best], rest):
        return []
    other = Lens.unknown(lens.size_px) if lens.known else prior
    gain = least - _fit_slipping(seen, other).cost if lens.known or is_cut else -np.inf
    if gain > -CLEAR_COST * noise:
        return [] if gain > CLEAR_COST * noise else clicks
    return [name for name in fits if fits[name].cost - least < CLEAR_COST * noise]


def _agrees_better(kept: tuple[str, ...], seen: Seen, lens: Lens) -> bool:
    """Whether those sources agree clearly better without the others; if not, the picture is soft, none is wrong."""
    among = seen.only(kept)
    return _rms_px(_fit(seen, lens), seen) > _CLEARLY_BETTER * _rms_px(_fit(among, lens), among)


def _rms_px(fit: CameraFit, seen: Seen) -> float:
    """Over all places. A coin's rim is one: its many points err together, and would hide a click that is 8 px off."""
    coins = {circle.source for circle in seen.circles}
    squares = {name: np.square(px) for name, px in fit.errors_px(seen).items()}
    places = [[px2.mean()] if name in coins else px2 for name, px2 in squares.items()]
    return float(np.sqrt(np.mean(np.concatenate(places))))


def _strains(slipping: CameraFit, seen: Seen) -> bool:
    """Whether even the best camera does not explain what was seen, each thing slipping a little."""
    return slipping.cost > max(4 * CLEAR_COST, _STRAIN * len(seen.points))


def _slipping(seen: Seen) -> Seen:
    """The same, each thing laid down and printed as hands and printers do it."""
    placing_mm = max(seen.points.placing_mm, SLIP_MM)
    return replace(seen, points=replace(seen.points, placing_mm=placing_mm)).blurred(SHAPE_PX)


def _majority(seen: Seen, lens: Lens) -> tuple[str, ...] | None:
    """The sources that the clearly best explanation keeps."""
    trials = sorted(_trials(seen, lens), key=lambda fit: _whole_cost(fit, seen))
    if not trials:
        return None
    blamed = _contradicting(trials[0], seen)
    rivals = [fit for fit in trials if _contradicting(fit, seen) != blamed]
    if rivals and _whole_cost(rivals[0], seen) - _whole_cost(trials[0], seen) < CLEAR_COST:
        return None
    kept = tuple(name for name in seen.groups if name not in blamed)
    # Four points agree through some lens or other, whatever they are.
    agree = lens.known or seen.only(kept).spare > 0 or len(kept) > len(blamed)
    return kept if agree and _holds_table(kept, seen) else None


def _holds_table(kept: tuple[str, ...], seen: Seen) -> bool:
    """Whether of what lies fixed, if anything does, so much is kept that the table can neither shift nor turn."""
    fixed = [name for name in seen.points.sources if name not in seen.points.loose]
    return not fixed or sum(name in kept for name in fixed) >= _HELD_BY


def _trials(seen: Seen, lens: Lens) -> Collection[CameraFit]:
    """For each way to trust a few sources: the fit to all that agree with them."""
    slipping = _slipping(seen)
    known: dict[tuple[str, ...], CameraFit] = {}
    for trusted in trusted_few(seen):
        agreed = trusted
        for _ in range(4):
            if agreed not in known:
                known[agreed] = _fit(slipping.only(agreed), lens)
            wrong = _contradicting(known[agreed], seen)
            grown = tuple(name for name in seen.groups if name not in wrong)
            if grown == agreed or not set(trusted) <= set(grown):
                break
            agreed = grown
    return known.values()


def _contradicting(fit: CameraFit, seen: Seen) -> set[str]:
    return {name for name, off in _sigmas_off(fit, seen).items() if off > WRONG_SIGMAS}


def _whole_cost(fit: CameraFit, seen: Seen) -> float:
    """What the fit costs, and what it does not follow, a contradicting source counting no more than the gate.

    A rich source counts as several: a map's roads outweigh four clicks.
    """
    off = _sigmas_off(fit, seen)
    left = {name: min(off[name] ** 2, 2 * WRONG_SIGMAS**2) for name in seen.groups if name not in fit.groups}
    return fit.cost + sum(cost * max(1.0, seen.points.sources.count(name) / RICH) for name, cost in left.items())


def _sigmas_off(fit: CameraFit, seen: Seen) -> dict[str, float]:
    """By source, how far its worst place is off, in what a place may be off with a slip."""
    sigma = {circle.source: circle.sigma_px for circle in seen.circles}
    sigma |= {name: float(seen.points.only((name,)).sigma_px.max()) for name in seen.points.groups}
    errors = fit.errors_px(seen).items()
    return {
        name: float(np.nan_to_num(px, nan=np.inf, posinf=np.inf).max() / np.hypot(sigma[name], PLACING_PX))
        for name, px in errors
    }


# The same references are asked for their camera, for its lens, and whether they agree: a tenth of a second each time.
@lru_cache(maxsize=8)
def _fit(seen: Seen, lens: Lens) -> CameraFit:
    return fit_bundle(seen, lens, first_guesses(seen, lens))


def _fit_part(seen: Seen, part: Seen, lens: Lens) -> CameraFit:
    """The fit of a part of the references, from where all led to too: what is left may lead nowhere by itself, as three
    points beside coins, or four of which three lie on a line."""
    if part is seen:
        return _fit(seen, lens)
    return min((_fit(part, lens), _refit(_fit(seen, lens), part, lens)), key=lambda fit: fit.cost)


@lru_cache(maxsize=8)
def _fit_slipping(seen: Seen, lens: Lens) -> CameraFit:
    return _refit(_fit(seen, lens), _slipping(seen), lens)


def _refit(fit: CameraFit, seen: Seen, lens: Lens) -> CameraFit:
    """The fit of the same references doubted more, or of a part of them, from where they led to."""
    return fit_bundle(seen, lens, [CameraGuess(fit.lens, fit.pose)])
