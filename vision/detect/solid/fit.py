"""Forms fitted to the edges of the top view: the net proposes, and what is measured must lie on edges, rim and foot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from vision.detect.solid.edges import SIGMAS_PX, Edges
from vision.detect.solid.forms import Form

Array = NDArray[np.float64]

# The search draws this many, keeps the best of them and goes on around these, in so many steps at each coarseness
# (cross-entropy method, Rubinstein 1999).
_EFFORT = (160, 16, 6)
# The same around guesses that are near from the first.
_NEAR_EFFORT = (96, 12, 4)
# What a shape gains by its height: of two edges that may be its foot the outer one is, and the inner one is paint; the
# more the lower it is.
_OUTER, _OUTER_MM = 0.04, 25.0
# The same for the size of a block: the inner of two edges is a border or a check of the cloth. (A plate's is its well,
# whose edge is the weaker one.)
_OUTER_SIZE = 0.1
# No parameter goes farther from what the net says, in spreads.
_REACH = 2.5
# A shape that is worth so much less than another is e times less likely.
_DOUBT = 0.02
# How coarse the edges are (`edges.SIGMAS_PX`) on which the support is told: on the finest ones soft rims lie on none.
_TOLD_AT = 1
# What is hidden of an outline may lie on edges as half of what is tried does.
HIDDEN = 0.6
# What a shape must gain on edges to lie one spread farther from what the net says.
_PULL = 0.03


# Given shapes (n, parameters), how much speaks against each beside edges: (n,).
Against = Callable[[Array], Array]
# Middles and heights, which stand there among the parameters, that are so far apart are of two shapes.
_PLACE, _APART_MM = [0, 1, -1], 4.0


@dataclass(frozen=True, eq=False)
class Fit:
    """The shape that fits best, and how sure it is.

    shape            the form's parameters
    support          how far the outlines lie on edges, 0 to 1
    doubt_mm         how far off the middle is along each axis where other guesses lie on edges nearly as well
    height_doubt_mm  the same of the height
    """

    form: Form
    shape: Array
    footprint: Polygon
    height_mm: float
    support: float
    doubt_mm: float
    height_doubt_mm: float

    def beside(self, rival: Fit, favour: float = 0.0) -> Fit:
        """The same shape, as unsure as another of its form leaves it that was searched for by itself.

        favour  how much better the other counts than its edges say
        """
        chance = float(np.exp(min(rival.support + favour - self.support, 0.0) / _DOUBT))
        x, y, height_mm = np.sqrt(chance / (1 + chance)) * np.abs(rival.shape - self.shape)[_PLACE]
        doubt_mm, height_doubt_mm = np.hypot(
            (self.doubt_mm, self.height_doubt_mm), (np.hypot(x, y) / np.sqrt(2), height_mm)
        )
        return replace(self, doubt_mm=float(doubt_mm), height_doubt_mm=float(height_doubt_mm))


@dataclass(frozen=True, eq=False)
class Guess:
    """What a thing may be: a form, its parameters, and how far each may be off, 0 where it is known.

    size     whose gain is 0 (`Form.size`): a larger shape counts as better, a smaller as worse; that of `start` if None
    high_mm  least height of the thing
    against  how much is to be taken off the support of shapes
    """

    form: Form
    start: Array
    spread: Array
    size: float | None = None
    high_mm: float = 0.0
    against: Against | None = None


# A guess, the middle and the spread of the best near it, and their worth.
_Searched = tuple[Guess, Array, Array, float]


def best_fit(guesses: Iterable[Guess], edges: Edges, first: int = 0, several: int = 1) -> Fit | None:
    """The shape near one of the guesses whose outlines lie best on edges; the same picture gives the same shape.

    All guesses are followed along coarse edges, the best of them along fine ones.

    first    how coarse the first ones are (`edges.SIGMAS_PX`)
    several  how many are followed along fine ones
    """
    rng = np.random.default_rng(0)
    effort = _EFFORT if first == 0 else _NEAR_EFFORT
    coarse = [(guess, *_searched(guess, edges, first, guess.start, guess.spread, rng, effort)) for guess in guesses]
    if not coarse:
        return None
    apart = _best_apart(coarse, several)
    ends = [_followed(one, edges, first, rng) for one in apart]
    won = int(np.argmax([worth for *_, worth in ends]))
    guess, middle, _, _ = best = ends.pop(won)
    del apart[won]
    support = float(_support(guess.form, edges, middle[None], _TOLD_AT)[0])
    doubt_mm = _doubt_mm(best, ends, [one for one in coarse if all(_are_apart(one, lost) for lost in apart)])
    return Fit(guess.form, middle, guess.form.footprint(middle), float(middle[-1]), support, *doubt_mm)


def _followed(searched: _Searched, edges: Edges, first: int, rng: np.random.Generator) -> _Searched:
    """Where one of the searches ends along the finest edges, and what that is worth."""
    guess, middle, width, _ = searched
    for level in range(first + 1, len(SIGMAS_PX)):
        middle, width, _ = _searched(guess, edges, level, middle, width, rng)
    return guess, middle, width, float(worths(guess, edges, middle[None], _TOLD_AT)[0])


def _best_apart(searched: Sequence[_Searched], several: int) -> list[_Searched]:
    """The best of them, so many, none of them where a better one ends."""
    best: list[_Searched] = []
    for one in sorted(searched, key=lambda one: -one[-1]):
        if len(best) < several and all(_are_apart(one, other) for other in best):
            best.append(one)
    return best


def _are_apart(one: _Searched, other: _Searched) -> bool:
    """Whether two searches ended at different shapes."""
    return bool(np.abs(one[1][_PLACE] - other[1][_PLACE]).max() > _APART_MM)


def worths(guess: Guess, edges: Edges, shapes: Array, level: int) -> Array:
    """(n,) of shapes (n, parameters): how far they lie on edges of one coarseness, and what their size gains."""
    worth = _support(guess.form, edges, shapes, level) + _gains(guess, shapes)
    return worth if guess.against is None else worth - guess.against(shapes)


def _doubt_mm(best: _Searched, lost: Sequence[_Searched], others: Sequence[_Searched]) -> tuple[float, float]:
    """How far others that lie nearly as well on edges are from the best: the middle along each axis, and the height.

    lost    those that were followed along fine edges as it was, which part what lies as well on coarse ones
    others  those that were not, and where it was found itself: what they are worth on coarse edges
    """
    alike = [one for one in others if one[0].form is best[0].form]
    near = [one for one in lost if one[0].form is best[0].form]
    likeliest = max(worth for *_, worth in alike)
    short = [*(worth - likeliest for *_, worth in alike), *(worth - best[-1] for *_, worth in near)]
    chance = np.exp(np.array(short) / _DOUBT)
    off = np.square(np.array([middle for _, middle, _, _ in [*alike, *near]]) - best[1])
    x, y, height = np.sqrt(chance @ off[:, _PLACE] / chance.sum())
    return float(np.hypot(x, y) / np.sqrt(2)), float(height)


def _gains(guess: Guess, shapes: Array) -> Array:
    """(n,) what size gains."""
    size = guess.form.size(guess.start[None]) if guess.size is None else guess.size
    return np.asarray(
        _OUTER * np.log1p(shapes[:, -1] / _OUTER_MM) + _OUTER_SIZE * np.log(guess.form.size(shapes) / size), float
    )


def _searched(
    guess: Guess,
    edges: Edges,
    level: int,
    middle: Array,
    width: Array,
    rng: np.random.Generator,
    effort: tuple[int, int, int] = _EFFORT,
) -> tuple[Array, Array, float]:
    """Where the search along edges of one coarseness ends: the middle and the spread of the best, and their worth."""
    least = np.maximum(guess.form.least, guess.start - _REACH * guess.spread)
    least[-1] = max(least[-1], guess.high_mm)
    most = np.minimum(guess.form.most, guess.start + _REACH * guess.spread)
    worth = np.zeros(1)
    drawn_n, kept, steps = effort
    for _ in range(steps):
        drawn = np.clip(rng.normal(middle, width, (drawn_n, len(middle))), least, most)
        far = np.divide(drawn - guess.start, guess.spread, out=np.zeros_like(drawn), where=guess.spread > 0)
        worth = worths(guess, edges, drawn, level) - _PULL * np.square(far).mean(axis=1)
        best = drawn[np.argsort(-worth)[:kept]]
        middle, width = best.mean(axis=0), np.maximum(1.2 * best.std(axis=0), 0.02 * guess.spread)
    return middle, width, float(np.sort(worth)[-kept:].mean())


def _support(form: Form, edges: Edges, drawn: Array, level: int) -> Array:
    """(n,) of all parts of the outlines, by their weights."""
    parts = form.outlines(drawn, np.asarray(edges.plane.camera_position_mm))
    weights = np.array([weight for _, _, weight in parts])
    borne = [edges.borne_out(points, ahead, level, weight) for points, ahead, weight in parts]
    supports, shown = (np.array(each) for each in zip(*borne, strict=True))
    if edges.hidden is not None:
        supports = shown * supports + (1 - shown) * HIDDEN
    return np.asarray((weights * supports).sum(axis=0) / weights.sum(axis=0), float)
