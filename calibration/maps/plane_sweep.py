"""How high a map lies, roughly: heights are tried, and the right one shows its roads where the picture has lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve1d, gaussian_filter, map_coordinates, median_filter

from calibration.maps.printed_roads import EDGE_MM, PrintedRoads, Samples
from calibration.plane import TablePlane

Array = NDArray[np.float64]

# What lies higher or lower than this is to be pressed flat.
LOWEST_MM, HIGHEST_MM = -6.0, 15.0
# A line as wide as roads are printed, in px; steps along what is seen across one.
_LINE_PX, _STEP_PX = 1.5, 0.5
# What is a line at all, in grey levels.
_FAINT = 6.0
# Heights are tried in such steps, for cells of this side.
_TRIED_MM, _CELL_MM = np.arange(LOWEST_MM, HIGHEST_MM + 0.1, 0.25), 12.0
_SMOOTH_CELLS, _SMOOTH_TRIES, _MEDIAN_CELLS = 1.2, 1.5, 5


def swept(roads: PrintedRoads, plane: TablePlane, size_mm: Array) -> Array:
    """(n,) how high the sheet lies at each place, to some tenths of a mm: where most lines near it are roads.

    Each height is tried at once for all places of a neighbourhood (a plane sweep, Collins 1996), but for those at which
    a place would show beside the map, where its edge is a line.
    """
    few, low_mm = roads.only(slice(None, None, 2)), roads.mm.min(axis=0)
    cells = np.rint((few.mm - low_mm) / _CELL_MM).astype(int)
    volume = np.zeros((*(cells.max(axis=0) + 1), len(_TRIED_MM)))
    np.add.at(volume, (cells[:, 0], cells[:, 1]), _told(few, plane, size_mm))
    volume = gaussian_filter(volume, (_SMOOTH_CELLS, _SMOOTH_CELLS, _SMOOTH_TRIES))
    best_mm = median_filter(_TRIED_MM[volume.argmax(axis=2)], _MEDIAN_CELLS)
    return np.asarray(map_coordinates(best_mm, ((roads.mm - low_mm) / _CELL_MM).T, order=1, mode="nearest"), float)


def _told(roads: PrintedRoads, plane: TablePlane, size_mm: Array) -> Array:
    """(n, k) how much a line shows for each height that is tried: beyond its mean, and weighed by how much heights
    matter there."""
    reach_px = max(HIGHEST_MM, -LOWEST_MM) * float(np.percentile(np.abs(roads.rise_px), 95))
    aside_px = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    strength = _lines(roads.profiles(np.broadcast_to(aside_px, (len(roads), len(aside_px)))))
    strength /= strength.max(axis=1, keepdims=True) + _FAINT
    at = np.clip((_TRIED_MM * roads.rise_px[:, None] - aside_px[0]) / _STEP_PX, 0, len(aside_px) - 1)
    shown = map_coordinates(strength, [np.broadcast_to(np.arange(len(roads))[:, None], at.shape), at], order=1)
    told = (shown - shown.mean(axis=1, keepdims=True)) * np.abs(roads.rise_px)[:, None]
    hides_mm = plane.behind(roads.mm[:, None], _TRIED_MM)
    told[~((hides_mm > EDGE_MM) & (hides_mm < size_mm - EDGE_MM)).all(axis=2)] = 0.0
    return np.asarray(told, float)


def _lines(profiles: Samples) -> Array:
    """(n, k) how strong a line, in grey levels, crosses profiles (n, k, 3)."""
    taps = np.arange(-3 * _LINE_PX, 3 * _LINE_PX + _STEP_PX / 2, _STEP_PX) / _LINE_PX
    ridge = (1 - taps**2) * np.exp(-(taps**2) / 2)
    ridge -= ridge.mean()
    ridge /= np.abs(ridge).sum() / 2
    answers = convolve1d(profiles, ridge.astype(np.float32), axis=1, mode="nearest")
    return np.asarray(np.sqrt(np.sum(np.square(answers), axis=2)), float)
