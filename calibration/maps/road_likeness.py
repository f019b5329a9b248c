"""Where each place on a road shows, by what the other roads of its class look like in the same picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.maps.printed_roads import PrintedRoads, Samples

Array = NDArray[np.float64]

# What is seen of a road, so far to either side, and how far aside it is looked for; in such steps.
_HALF_MM, _ASIDE_MM, _FINE_MM = 3.0, 2.0, 0.2
REACH_MM = _HALF_MM + _ASIDE_MM


def known_again(roads: PrintedRoads, guessed_px: Array) -> tuple[Array, Array]:
    """(n,) how far aside each place shows, px, and how like the other roads of its class it is there (-1 to 1); NaN px
    where no spot is the most alike.

    guessed_px  (n,) to start from
    """
    aside_mm = np.arange(-_HALF_MM - _ASIDE_MM, _HALF_MM + _ASIDE_MM + _FINE_MM / 2, _FINE_MM)
    profiles = roads.profiles(guessed_px[:, None] + roads.px_per_mm[:, None] * aside_mm)
    length = 2 * round(_HALF_MM / _FINE_MM) + 1
    first = round(_ASIDE_MM / _FINE_MM)
    found_mm, alike = np.full(len(roads), np.nan), np.zeros(len(roads))
    for kind in np.unique(roads.kind):
        mine = np.flatnonzero(roads.kind == kind)
        usual = np.median(profiles[mine, first : first + length], axis=0)
        at, alike[mine] = _best_match(profiles[mine], usual - usual.mean(axis=0))
        found_mm[mine] = (at - first) * _FINE_MM
    return guessed_px + roads.px_per_mm * found_mm, alike


def _best_match(profiles: Samples, usual: Samples) -> tuple[Array, Array]:
    """(n,) where within each profile (n, k, 3) it is most like the usual one (m, 3), whose means are 0, and how much
    (correlation); NaN where that is at an end."""
    tries = profiles.shape[1] - len(usual) + 1
    dots = sum(profiles[:, j : j + tries] @ each for j, each in enumerate(usual))
    sums, squares = (_sums(each, len(usual)) for each in (profiles, np.square(profiles)))
    spread = (squares - np.square(sums) / len(usual)).sum(axis=2)
    alike = dots / np.sqrt(np.maximum(spread * np.square(usual).sum(), 1e-9))
    rows, best = np.arange(len(alike)), np.clip(alike.argmax(axis=1), 1, alike.shape[1] - 2)
    left, top, right = (alike[rows, best + k] for k in (-1, 0, 1))
    bend = left - 2 * top + right
    is_peak = (top >= left) & (top >= right) & (bend < 0)
    return np.where(is_peak, best + 0.5 * (left - right) / np.where(is_peak, bend, 1), np.nan), top.astype(float)


def _sums(profiles: Samples, length: int) -> Array:
    """(n, k - length + 1, 3) over each stretch of profiles (n, k, 3)."""
    ends = np.cumsum(np.pad(profiles, ((0, 0), (1, 0), (0, 0))), axis=1, dtype=float)
    return np.asarray(ends[:, length:] - ends[:, :-length], float)
