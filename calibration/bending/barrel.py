"""A strong barrel, told by a few lines among many that are curved by themselves.

Through a wide lens wood's grain and a map's roads are lines too, and the sheet's sides are a few among them: no
majority agrees. But they bow by dozens of sigmas, each to its own side of the picture, and one lens straightens all:
what agrees so by chance is reckoned (Bayes factor, MacKay 2003, chapter 28).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.bending.straight_lines import CURVED_SIGMAS, KNOTS, WIDEST, Lines
from calibration.edges.long_edge import LongEdge, roughness_px

Array = NDArray[np.float64]

# A side that is bowed through 60 px is no cubic; what leaves this much of a curve of the fifth degree is no one line.
_DEGREE, _ROUGHEST_PX = 5, 0.5
# Wide webcams' second coefficient undoes the first by this much of its square (six published ones: 0.65 to 0.97).
_UNDONE, _UNDONE_SIGMA = 0.8, 0.06
_STARTS = np.linspace(-0.16, -0.6, 23)
_MOST_STARTS = 3
# The lines that stand far off at first are let go little by little.
_SCHEDULE = (9.0, 9.0, 6.0, 6.0, 4.0, 4.0, *[CURVED_SIGMAS] * 10)
# Lines that are curved by themselves bow, and swing, by this share of their length; and as many are straight.
_OWN_BOW, _STRAIGHT_SHARE = 0.01, 0.3
# Bowed by so many sigmas, so many things, to so many sides of the axis at least: a curled sheet's lines bow to one.
_BOWED, _FEWEST_BOWED, _FEWEST_SIDES = 12.0, 3, 2
# The logarithm of how much likelier the lines are with the bend than without it, or than as curves of their own. Over
# 27 rendered wide webcams 6.7 to 90, of 150 tables of random curves one had 3, of 110 photographs none.
_SURE = 5.0


def barrel_of(edges: Sequence[LongEdge], size_px: tuple[int, int]) -> tuple[Lines, Array] | None:
    """The lines of a picture and the values (6,) of the strong barrel that straightens some of them past doubt."""
    smooth = [e for e in edges if len(e.points_px) >= KNOTS and roughness_px(e.points_px, _DEGREE) < _ROUGHEST_PX]
    if len(smooth) < _FEWEST_BOWED:
        return None
    lines = Lines.of(smooth, size_px)
    starts = sorted(map(_barrel, _STARTS), key=lambda start: lines.cost(start, _SCHEDULE[0]))
    values = min((lines.fitted(start, _SCHEDULE) for start in starts[:_MOST_STARTS]), key=lines.cost)
    return (lines, values) if _is_bowed(lines, values) and _is_sure(lines, values, size_px) else None


def _barrel(share: float) -> Array:
    return np.array([share, _UNDONE * share**2, 0.0, 0.0, 0.0, 0.0])


def _is_bowed(lines: Lines, values: Array) -> bool:
    """Whether enough of the things that agree are bowed in the picture, on more than one side of the axis."""
    straight = np.r_[0.0, 0.0, values[2:]]
    bowed = (lines.square(values) < 1) & (lines.square(straight, _BOWED) > 1)
    chord = lines.knots[:, -1] - lines.knots[:, 0]
    across = np.stack([-chord[:, 1], chord[:, 0]], axis=1) / np.hypot(*chord.T)[:, None]
    off_axis = ((lines.knots.mean(axis=1) - values[2:4]) * across).sum(axis=1, keepdims=True) * across
    sides = np.round(np.arctan2(off_axis[:, 1], off_axis[:, 0]) / (np.pi / 2)).astype(int) % 4
    is_inward, things = values[0] < 0, len(lines.only(bowed).once().length)
    return is_inward and things >= _FEWEST_BOWED and len(set(sides[bowed].tolist())) >= _FEWEST_SIDES


def _is_sure(lines: Lines, values: Array, size_px: tuple[int, int]) -> bool:
    """Whether the lines are likelier with this bend than without, or curved by themselves, its freedom paid for."""
    information, _ = lines.normal(values)
    before = _held_near(values)
    off = (values[1] - _UNDONE * values[0] ** 2) / _UNDONE_SIGMA
    freedom = np.linalg.slogdet(before + information)[1] - np.linalg.slogdet(before)[1] + off**2
    gained = _likelihood(lines, values, size_px) - freedom / 2
    return bool(gained > max(0.0, _likelihood(lines, np.zeros(6), size_px)) + _SURE)


def _held_near(values: Array) -> Array:
    """(6, 6) information about a lens's values before it is seen."""
    by = np.array([2 * _UNDONE * values[0], -1.0, 0.0, 0.0, 0.0, 0.0]) / _UNDONE_SIGMA
    return np.asarray(np.diag(WIDEST**-2 * [1, 0, 1, 1, 1, 1]) + np.outer(by, by), float)


def _likelihood(lines: Lines, values: Array, size_px: tuple[int, int]) -> float:
    """Logarithm of how much likelier all lines are, some straight at these values, than all curved by themselves."""
    sigma_px = lines.sigma * np.hypot(*size_px) / 2 / np.sqrt(KNOTS / 3)
    own = 2 * np.log(np.maximum(_OWN_BOW * lines.length / sigma_px, 1.0))
    # Of the nine knots' squares, their sigma widened by three, a straight line leaves about four for its two bows.
    straight = own - np.square(lines.off(values)).sum(axis=1) / 4
    return float(np.logaddexp(np.log(_STRAIGHT_SHARE) + straight, np.log(1 - _STRAIGHT_SHARE)).sum())
