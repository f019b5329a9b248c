"""Which references agree with one another, and which contradict them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from calibration.doubt.blamed_clicks import blamed_clicks
from calibration.doubt.fitted import CLEAR_COST, HELD_BY, fit_all, fit_slipping, refit, slipping, strains
from calibration.doubt.trusted_few import RICH, trusted_few
from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

# Hands lay a sheet or read a ruler to about half a millimetre: so much is a slip, not a contradiction.
_PLACING_PX = 0.7
# A source is wrong when it lies this many of its sigmas off what the others agree on.
_WRONG_SIGMAS = 6.0
# Sources that are left out must have pulled the errors of the others up by this factor.
_CLEARLY_BETTER = 2.0


def agreeing(seen: Seen, lens: Lens, told: Lens) -> tuple[str, ...] | None:
    """The sources that agree through a lens that was taken from the `told` one; None where they contradict one another
    with no majority. One alone contradicts nobody."""
    if len(seen.groups) == 1:
        return seen.groups
    blamed = blamed_clicks(seen, lens, told)
    if blamed:
        return tuple(name for name in seen.groups if name not in blamed) if len(blamed) == 1 else None
    whole = fit_all(seen, lens)
    is_strained = strains(fit_slipping(seen, lens), seen)
    if not (is_strained or _contradicting(refit(whole, seen.blurred(_PLACING_PX), lens), seen)):
        return seen.groups
    # A bend that is estimated too can hide which source is wrong.
    straight = None if lens.known or seen.tells_bend else _majority(seen, lens.straight())
    kept = straight or _majority(seen, lens)
    return seen.groups if kept is not None and not _agrees_better(kept, seen, lens) else kept


def _agrees_better(kept: tuple[str, ...], seen: Seen, lens: Lens) -> bool:
    """Whether those sources agree clearly better without the others; if not, the picture is soft, none is wrong."""
    among = seen.only(kept)
    return _rms_px(fit_all(seen, lens), seen) > _CLEARLY_BETTER * _rms_px(fit_all(among, lens), among)


def _rms_px(fit: CameraFit, seen: Seen) -> float:
    """Over all places. A coin's rim is one: its many points err together, and would hide a click that is 8 px off."""
    coins = {circle.source for circle in seen.circles}
    squares = {name: np.square(px) for name, px in fit.errors_px(seen).items()}
    places = [[px2.mean()] if name in coins else px2 for name, px2 in squares.items()]
    return float(np.sqrt(np.mean(np.concatenate(places))))


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
    return not fixed or sum(name in kept for name in fixed) >= HELD_BY


def _trials(seen: Seen, lens: Lens) -> Collection[CameraFit]:
    """For each way to trust a few sources: the fit to all that agree with them."""
    slipped = slipping(seen)
    known: dict[tuple[str, ...], CameraFit] = {}
    for trusted in trusted_few(seen):
        kept = trusted
        for _ in range(4):
            if kept not in known:
                known[kept] = fit_all(slipped.only(kept), lens)
            wrong = _contradicting(known[kept], seen)
            grown = tuple(name for name in seen.groups if name not in wrong)
            if grown == kept or not set(trusted) <= set(grown):
                break
            kept = grown
    return known.values()


def _contradicting(fit: CameraFit, seen: Seen) -> set[str]:
    return {name for name, off in _sigmas_off(fit, seen).items() if off > _WRONG_SIGMAS}


def _whole_cost(fit: CameraFit, seen: Seen) -> float:
    """What the fit costs, and what it does not follow, a contradicting source counting no more than the gate.

    A rich source counts as several: a map's roads outweigh four clicks.
    """
    off = _sigmas_off(fit, seen)
    left = {name: min(off[name] ** 2, 2 * _WRONG_SIGMAS**2) for name in seen.groups if name not in fit.groups}
    return fit.cost + sum(cost * max(1.0, seen.points.sources.count(name) / RICH) for name, cost in left.items())


def _sigmas_off(fit: CameraFit, seen: Seen) -> dict[str, float]:
    """By source, how far its worst place is off, in what a place may be off with a slip."""
    sigma = {circle.source: circle.sigma_px for circle in seen.circles}
    sigma |= {name: float(seen.points.only((name,)).sigma_px.max()) for name in seen.points.groups}
    errors = fit.errors_px(seen).items()
    return {
        name: float(np.nan_to_num(px, nan=np.inf, posinf=np.inf).max() / np.hypot(sigma[name], _PLACING_PX))
        for name, px in errors
    }
