"""How a printed map lies, by its roads: where the sheet is raised they show aside, away from the camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.ndimage import convolve1d, gaussian_filter, map_coordinates, median_filter

from calibration.folds import Folds
from calibration.height_field import HeightField, Posterior
from calibration.plane import SIGMAS_95, TablePlane
from calibration.printed_roads import EDGE_MM, Image, PrintedRoads

Array = NDArray[np.float64]

# What lies higher or lower than this is to be pressed flat.
LOWEST_MM, HIGHEST_MM = -6.0, 15.0
# A sheet of which all but so much lies no farther off the plane is flat, as far as coins and roads are concerned.
_FLAT_MM, _BUT = 0.6, 0.02
# Roads that show no farther beside where they should may do so by the plane's own error.
_ASTRAY_MM = 1.2
# A sheet lies on the table somewhere, and nowhere below it, or it does not lie where it is said to.
_LOWEST_MM = (-0.5, 0.9)
# Where it is asked how well the plane is known, in shares of the map's sides.
_PLACES = np.array([[0, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]])
# A line as wide as roads are printed, in px; steps along what is seen across one.
_LINE_PX, _STEP_PX = 1.5, 0.5
# What is a line at all, in grey levels.
_FAINT = 6.0
# Heights are tried in such steps, for cells of this side.
_TRY_MM, _CELL_MM = 0.25, 12.0
_SMOOTH_CELLS, _SMOOTH_TRIES, _MEDIAN_CELLS = 1.2, 1.5, 5
# A road of one class looks like the others of its class: so far to either side, looked for so far aside.
_HALF_MM, _ASIDE_MM, _FINE_MM = 3.0, 2.0, 0.2
# ... unless a coin, a name or another road lies there (correlation).
_ALIKE = 0.6
# How far (px) what is found may be off before it is taken for something else (Geman and McClure 1987), round by round.
_DOUBTED_PX = (1.0, 0.5, 0.3)
_REWEIGHTED = 4
# What a place is off by, px, and how many neighbours along a road err alike.
_SIGMA_PX, _CROWD = 0.2, 4.0
# Of wood without a map one place in fifteen passes for a road.
_FEWEST, _LEAST_SHARE = 150, 0.1
# So many of the places found lie as near as this to where the heights have them, or no heights explain them: of folded
# maps 70 to 86 %, of flat ones laid 1 to 4 mm beside where they are said to lie 24 to 51 (eleven pictures).
_AGREED, _NEAR_PX, _NEAR_MM = 0.58, 0.5, 0.25


@dataclass(frozen=True)
class Astray:
    """The roads show beside where they are said to lie, and no folds explain it: the map was laid elsewhere, is another
    one, or is so crumpled that they are not known again."""


def folds_seen(
    image: Image,
    roads_mm: Mapping[str, Sequence[Array]],
    plane: TablePlane,
    size_mm: tuple[float, float],
    *,
    by_map: bool = False,
) -> Folds | Astray | None:
    """How the map lies; None where it is flat, or where too little of its roads is known again to tell.

    image     (h, w, 3) uint8
    roads_mm  lines (n, 2) by class, table mm
    plane     of the table
    size_mm   the map
    by_map    whether the map measured it: then it lies halfway up the folds, and the map is where it is said to lie
    Error     0.1 mm where roads are near (rendered, docs/measured/table.md)
    """
    if not roads_mm:
        return None
    high_mm = np.array(size_mm)
    if not by_map and SIGMAS_95 * np.median(plane.sigma_mm(plane.to_image(_PLACES * high_mm))) > _FLAT_MM:
        return None
    field = HeightField.over(np.zeros(2), high_mm)
    roads = PrintedRoads.seen(image, roads_mm, plane, size_mm, _HALF_MM + _ASIDE_MM)
    flat = _fitted(field, roads, np.zeros(len(roads)), _DOUBTED_PX[:1])
    if flat is None or _off_mm(flat) < _FLAT_MM:
        return None
    astray = Astray() if _off_mm(flat) >= _ASTRAY_MM else None
    roads = PrintedRoads.seen(image, roads_mm, plane, size_mm, _HALF_MM + _ASIDE_MM + HIGHEST_MM)
    found = _fitted(field, roads, _swept(roads, plane, high_mm), _DOUBTED_PX) if len(roads) >= _FEWEST else None
    if found is None:
        return astray
    if _off_mm(found) < _FLAT_MM:
        return None
    touches = by_map or _LOWEST_MM[0] <= np.quantile(found.told_mm, _BUT) <= _LOWEST_MM[1]
    return found if touches and _is_borne_out(found, roads) else astray


def _off_mm(folds: Folds) -> float:
    """How far off the plane all but a little of it lies, as far as that is told."""
    heights_mm = np.abs(folds.told_mm)
    return float(np.quantile(heights_mm, 1 - _BUT)) if len(heights_mm) else 0.0


def _is_borne_out(folds: Folds, roads: PrintedRoads) -> bool:
    """Whether roads show where the heights have them, or aside for another reason: the map lies elsewhere, or it is
    another one."""
    guessed_px = folds.heights_at(roads.mm) * roads.rise_px
    aside_px, alike = _known_again(roads, guessed_px)
    found = (alike > _ALIKE) & np.isfinite(aside_px)
    near = np.abs(aside_px - guessed_px) < np.maximum(_NEAR_PX, _NEAR_MM * roads.px_per_mm)
    return bool(near[found].mean() >= _AGREED)


def _fitted(field: HeightField, roads: PrintedRoads, heights_mm: Array, rounds_px: Sequence[float]) -> Folds | None:
    """From a first guess (n,) of how high each place lies; None where too few of them are known again."""
    weights, stiff = field.weights(roads.mm), np.ones(field.count)
    for doubted_px in rounds_px:
        aside_px, alike = _known_again(roads, heights_mm * roads.rise_px)
        kept = (alike > _ALIKE) & np.isfinite(aside_px)
        if kept.sum() < max(_FEWEST, _LEAST_SHARE * len(roads)):
            return None
        design = sparse.csr_array(sparse.diags_array(roads.rise_px[kept]) @ weights[kept])
        seen_px, sure = aside_px[kept], alike[kept] ** 4 / (_SIGMA_PX**2 * _CROWD)
        off_px = seen_px - (heights_mm * roads.rise_px)[kept]
        for _ in range(_REWEIGHTED):
            weighted = sparse.diags_array(sure / (1 + np.square(off_px / doubted_px)) ** 2) @ design
            fit = Posterior(field, sparse.csc_array(design.T @ weighted), weighted.T @ seen_px, stiff)
            off_px, stiff = seen_px - design @ fit.heights_mm, field.creases(fit.heights_mm)
        heights_mm = weights @ fit.heights_mm
    return fit.folds


def _swept(roads: PrintedRoads, plane: TablePlane, size_mm: Array) -> Array:
    """(n,) how high the sheet lies at each place, to some tenths of a mm: where most lines near it are roads.

    Each height is tried at once for all places of a neighbourhood (a plane sweep, Collins 1996), but for those at which
    a place would show beside the map, where its edge is a line.
    """
    few = roads.only(slice(None, None, 2))
    reach_px = max(HIGHEST_MM, -LOWEST_MM) * float(np.percentile(np.abs(few.rise_px), 95))
    aside_px = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    strength = _lines(few.profiles(np.broadcast_to(aside_px, (len(few), len(aside_px)))))
    strength /= strength.max(axis=1, keepdims=True) + _FAINT
    tried = np.arange(LOWEST_MM, HIGHEST_MM + _TRY_MM / 2, _TRY_MM)
    at = np.clip((tried * few.rise_px[:, None] - aside_px[0]) / _STEP_PX, 0, len(aside_px) - 1)
    shown = map_coordinates(strength, [np.broadcast_to(np.arange(len(few))[:, None], at.shape), at], order=1)
    told = (shown - shown.mean(axis=1, keepdims=True)) * np.abs(few.rise_px)[:, None]
    hides_mm = plane.behind(few.mm[:, None], tried)
    told[~((hides_mm > EDGE_MM) & (hides_mm < size_mm - EDGE_MM)).all(axis=2)] = 0.0
    low = few.mm.min(axis=0)
    cells = np.rint((few.mm - low) / _CELL_MM).astype(int)
    volume = np.zeros((*(cells.max(axis=0) + 1), len(tried)))
    np.add.at(volume, (cells[:, 0], cells[:, 1]), told)
    volume = gaussian_filter(volume, (_SMOOTH_CELLS, _SMOOTH_CELLS, _SMOOTH_TRIES))
    best = median_filter(tried[volume.argmax(axis=2)], _MEDIAN_CELLS)
    return np.asarray(map_coordinates(best, ((roads.mm - low) / _CELL_MM).T, order=1, mode="nearest"), float)


def _lines(profiles: NDArray[np.float32]) -> Array:
    """(n, k) how strong a line, in grey levels, crosses profiles (n, k, 3)."""
    taps = np.arange(-3 * _LINE_PX, 3 * _LINE_PX + _STEP_PX / 2, _STEP_PX) / _LINE_PX
    ridge = (1 - taps**2) * np.exp(-(taps**2) / 2)
    ridge -= ridge.mean()
    ridge /= np.abs(ridge).sum() / 2
    answers = convolve1d(profiles, ridge.astype(np.float32), axis=1, mode="nearest")
    return np.asarray(np.sqrt(np.sum(np.square(answers), axis=2)), float)


def _known_again(roads: PrintedRoads, guessed_px: Array) -> tuple[Array, Array]:
    """(n,) how far aside each place shows, px, and how alike it is there to the other roads of its class (-1 to 1); NaN
    px where it is nowhere most alike.

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


def _best_match(profiles: NDArray[np.float32], usual: NDArray[np.float32]) -> tuple[Array, Array]:
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


def _sums(profiles: NDArray[np.float32], length: int) -> Array:
    """(n, k - length + 1, 3) over each stretch of profiles (n, k, 3)."""
    ends = np.cumsum(np.pad(profiles, ((0, 0), (1, 0), (0, 0))), axis=1, dtype=float)
    return np.asarray(ends[:, length:] - ends[:, :-length], float)
