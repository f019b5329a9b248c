"""Forms fitted to the edges of the top view: the net proposes, and what is measured must lie on edges, rim and foot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from vision.detect.edges import SIGMAS_PX, Edges
from vision.detect.forms import Form

Array = NDArray[np.float64]

# The search draws this many, keeps the best of them and goes on around these, in so many steps at each coarseness
# (cross-entropy method, Rubinstein 1999).
_DRAWN, _KEPT, _STEPS = 160, 16, 6
# What a shape gains for a mm of height: of two edges that may be its foot the outer one is, and the inner one is paint.
_OUTER = 0.0015
# The same for the size of a block: the inner of two edges is a border or a check of the cloth. (A plate's is its well,
# whose edge is the weaker one.)
_OUTER_SIZE = 0.1
# No parameter goes farther from what the net says, in spreads.
_REACH = 2.5
# How coarse the edges are (`edges.SIGMAS_PX`) on which the support is told: on the finest ones soft rims lie on none.
_TOLD_AT = 1
# What a shape must gain on edges to lie one spread farther from what the net says.
_PULL = 0.03


@dataclass(frozen=True, eq=False)
class Fit:
    """What came out: form, footprint, height, and how far the outlines lie on edges, 0 to 1."""

    form: Form
    footprint: Polygon
    height_mm: float
    support: float


@dataclass(frozen=True, eq=False)
class Guess:
    """What a thing may be: a form, its parameters, and how far each may be off, 0 where it is known."""

    form: Form
    start: Array
    spread: Array


def best_fit(guesses: Iterable[Guess], edges: Edges) -> Fit | None:
    """The shape near one of the guesses whose outlines lie best on edges; the same picture gives the same shape.

    All guesses are followed along coarse edges, the best of them along fine ones.
    """
    rng = np.random.default_rng(0)
    coarse = [(guess, *_searched(guess, edges, 0, guess.start, guess.spread, rng)) for guess in guesses]
    if not coarse:
        return None
    guess, middle, width, _ = max(coarse, key=lambda searched: searched[-1])
    for level in range(1, len(SIGMAS_PX)):
        middle, width, _ = _searched(guess, edges, level, middle, width, rng)
    support = float(_support(guess.form, edges, middle[None], _TOLD_AT)[0])
    return Fit(guess.form, guess.form.footprint(middle), float(middle[-1]), support)


def _searched(
    guess: Guess, edges: Edges, level: int, middle: Array, width: Array, rng: np.random.Generator
) -> tuple[Array, Array, float]:
    """Where the search along edges of one coarseness ends: the middle and the spread of the best, and their worth."""
    least = np.maximum(guess.form.least, guess.start - _REACH * guess.spread)
    most = np.minimum(guess.form.most, guess.start + _REACH * guess.spread)
    worth = np.zeros(1)
    for _ in range(_STEPS):
        drawn = np.clip(rng.normal(middle, width, (_DRAWN, len(middle))), least, most)
        far = np.divide(drawn - guess.start, guess.spread, out=np.zeros_like(drawn), where=guess.spread > 0)
        supports = _support(guess.form, edges, drawn, level)
        larger = np.log(guess.form.size(drawn) / guess.form.size(guess.start[None]))
        bonus = _OUTER * drawn[:, -1] + _OUTER_SIZE * larger
        worth = supports - _PULL * np.square(far).mean(axis=1) + bonus
        best = drawn[np.argsort(-worth)[:_KEPT]]
        middle, width = best.mean(axis=0), np.maximum(1.2 * best.std(axis=0), 0.02 * guess.spread)
    return middle, width, float(np.sort(worth)[-_KEPT:].mean())


def _support(form: Form, edges: Edges, drawn: Array, level: int) -> Array:
    """(n,) of all parts of the outlines, by their weights."""
    parts = form.outlines(drawn, np.asarray(edges.plane.camera_position_mm))
    weights = np.array([weight for _, _, weight in parts])
    supports = np.array([edges.support(points, ahead, level) for points, ahead, _ in parts])
    return np.asarray((weights * supports).sum(axis=0) / weights.sum(axis=0), float)
