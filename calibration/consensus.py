"""Which references agree with one another, and the camera that they agree on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations

import numpy as np

from calibration.bundle import CameraFit, Seen, fit_bundle
from calibration.lens import Lens
from calibration.pose import CameraGuess, guesses_from_circle, guesses_from_points, rigid_between
from calibration.reframe import moved_by

# Hands lay a sheet or read a ruler to about half a millimetre: so much is a slip, not a contradiction.
PLACING_PX = 0.7
# A source is wrong when it lies this many of its sigmas off what the others agree on.
WRONG_SIGMAS = 6.0
# Two explanations whose costs differ by less than this (three sigma) cannot be told apart.
CLEAR_COST = 9.0
_MOST_TRIALS = 60
# So many points of one source (a sheet, a map's roads) hold a plane without another.
_RICH = 12


def fit_agreeing(seen: Seen, lens: Lens) -> CameraFit:
    """The camera that most of the sources agree on; `ambiguous` where they contradict with no majority."""
    loosely = seen.blurred(PLACING_PX)
    whole = _fit(loosely, lens)
    strained = whole.cost > CLEAR_COST * len(seen.points)
    if not (strained or _contradicting(whole, loosely)):
        return _fit(seen, lens)
    trials = sorted(_trials(loosely, lens), key=lambda fit: _truncated_cost(fit, loosely))
    if not trials:
        return replace(_fit(seen, lens), ambiguous=True)
    blamed = _contradicting(trials[0], loosely)
    rivals = [fit for fit in trials if _contradicting(fit, loosely) != blamed]
    if rivals and _truncated_cost(rivals[0], loosely) - _truncated_cost(trials[0], loosely) < CLEAR_COST:
        return replace(_fit(seen, lens), ambiguous=True)
    return _fit(seen.only(tuple(name for name in seen.groups if name not in blamed)), lens)


def _trials(seen: Seen, lens: Lens) -> Collection[CameraFit]:
    """For each way to trust a few sources: the fit to all that agree with them."""
    known: dict[tuple[str, ...], CameraFit] = {}
    for trusted in _samples(seen):
        agreed = trusted
        for _ in range(4):
            if agreed not in known:
                known[agreed] = _fit(seen.only(agreed), lens)
            wrong = _contradicting(known[agreed], seen)
            grown = tuple(name for name in seen.groups if name not in wrong)
            if grown == agreed or not set(trusted) <= set(grown):
                break
            agreed = grown
    return known.values()


def _samples(seen: Seen) -> list[tuple[str, ...]]:
    """One rich source, two with more than four points between them, or four single points, of those that lie fixed."""
    counts = {name: seen.points.sources.count(name) for name in seen.points.groups}
    fixed = [name for name in counts if name not in seen.points.loose] or list(counts)
    single = [name for name in fixed if counts[name] == 1]
    pairs = [pair for pair in combinations(fixed, 2) if counts[pair[0]] + counts[pair[1]] > 4]
    rich = [(name,) for name in fixed if counts[name] >= _RICH]
    enough = len(single) >= 4 and len(seen.groups) > 4
    every = [
        *(rich if len(seen.groups) > 1 else []),
        *(pairs if len(seen.groups) > 2 else []),
        *(combinations(single, 4) if enough else []),
    ]
    if len(every) <= _MOST_TRIALS:
        return every
    return [every[i] for i in np.random.default_rng(0).choice(len(every), _MOST_TRIALS, replace=False)]


def _contradicting(fit: CameraFit, seen: Seen) -> set[str]:
    worst = {name: float(np.nan_to_num(px, nan=np.inf).max()) for name, px in fit.errors_px(seen).items()}
    sigma = _sigma_px(seen)
    return {name for name in seen.groups if worst[name] > WRONG_SIGMAS * sigma[name]}


def _truncated_cost(fit: CameraFit, seen: Seen) -> float:
    """Each source's cost and the strain on the lens, a contradicting source counting no more than the gate.

    A rich source counts as several: a map's roads outweigh four clicks.
    """
    sigma, ceiling = _sigma_px(seen), 2 * WRONG_SIGMAS**2
    squares = {name: np.square(px / sigma[name]) for name, px in fit.errors_px(seen).items()}
    told = sum(
        min(float(np.nan_to_num(each, nan=np.inf).max()), ceiling) * max(1.0, len(each) / _RICH)
        for name, each in squares.items()
        if name in seen.points.groups
    )
    told += sum(min(float(squares[circle.source].max()), ceiling) for circle in seen.circles)
    followed = sum(float(squares[name].sum()) for name in fit.groups)
    return told + max(fit.cost - followed, 0.0)


def _sigma_px(seen: Seen) -> dict[str, float]:
    sigma = {circle.source: circle.sigma_px for circle in seen.circles}
    return sigma | {n: float(seen.points.only((n,)).sigma_px.max()) for n in seen.points.groups}


def _fit(seen: Seen, lens: Lens) -> CameraFit:
    return fit_bundle(seen, lens, first_guesses(seen, lens))


def first_guesses(seen: Seen, lens: Lens) -> list[CameraGuess]:
    """Cameras to start from: by the fixed points, or by one loose shape (brought to what is fixed), or by a circle."""
    points = seen.points
    fixed = points.only(tuple(name for name in points.groups if name not in points.loose))
    if len(fixed) >= 4:
        return guesses_from_points(fixed.image_px, fixed.table_mm, lens)
    loose = next((name for name in points.groups if name in points.loose), None)
    if loose is None:
        return guesses_from_circle(seen.circles[0].rim_px, seen.circles[0].radius_mm, lens)
    shape = points.only((loose,))
    guesses = guesses_from_points(shape.image_px, shape.table_mm, lens)
    if len(fixed) < 2:
        return guesses
    there = [guess.pose.to_table(guess.lens, fixed.image_px) for guess in guesses]
    motions = [rigid_between(fixed.table_mm, mm) for mm in there]
    return [replace(g, pose=moved_by(g.pose, motion)) for g, motion in zip(guesses, motions, strict=True)]
