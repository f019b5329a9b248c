"""How a printed map lies, by its roads: where the sheet is raised they show aside, away from the camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from calibration.maps.folds import Folds
from calibration.maps.height_field import HeightField, Posterior
from calibration.maps.plane_sweep import HIGHEST_MM, swept
from calibration.maps.printed_roads import Image, PrintedRoads
from calibration.maps.road_likeness import REACH_MM, known_again
from calibration.plane import SIGMAS_95, TablePlane

Array = NDArray[np.float64]

# A sheet of which all but so much lies no farther off the plane is flat, as far as coins and roads are concerned: on
# the rest a ruler or a page may lie.
_FLAT_MM, _BUT = 0.6, 0.1
# Roads that show no farther beside where they should may do so by the plane's own error, or by the map file's.
_ASTRAY_MM = 1.2
# A sheet lies on the table somewhere, and nowhere below it, or it does not lie where it is said to.
_LOWEST_MM, _LOWEST_SHARE = (-0.5, 0.9), 0.02
# Where it is asked how well the plane is known, in shares of the map's sides.
_PLACES = np.array([[0, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]])
# A place is known again that is so much like others of its class: no coin, name or other road lies there (correlation).
_ALIKE = 0.6
# How far (px) what is found may be off before it is taken for something else (Geman and McClure 1987), round by round.
_DOUBTED_PX = (1.0, 0.5, 0.3)
_REWEIGHTED = 4
# What a place is off by, px, and how many neighbours along a road err alike.
_SIGMA_PX, _CROWD = 0.2, 4.0
# Of wood without a map one place in fifteen passes for a road.
_FEWEST, _LEAST_SHARE = 150, 0.1
# So many of the places found lie as near as this to where the heights have them, or no heights explain them: of folded
# maps 60 to 86 %, of flat ones laid 1 to 4 mm beside where they are said to lie 24 to 51 (eleven pictures).
_AGREED, _NEAR_PX, _NEAR_MM = 0.58, 0.5, 0.25
# Of a neighbourhood so large so many must, or a page, a ruler or a card lies there.
_CELL_MM, _BARE = 40.0, 0.45


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
    roads = PrintedRoads.seen(image, roads_mm, plane, size_mm, REACH_MM)
    flat = _fitted(field, roads, np.zeros(len(roads)), _DOUBTED_PX[:1]) if len(roads) >= _FEWEST else None
    if flat is None or _off_mm(flat) < _FLAT_MM:
        return None
    astray = Astray() if _off_mm(flat) >= _ASTRAY_MM else None
    roads = PrintedRoads.seen(image, roads_mm, plane, size_mm, REACH_MM + HIGHEST_MM)
    found = (
        _fitted(field, roads, swept(roads, plane, high_mm), _DOUBTED_PX, bare=True) if len(roads) >= _FEWEST else None
    )
    if found is None or _off_mm(found) < _FLAT_MM:
        return astray
    touches = by_map or _LOWEST_MM[0] <= np.quantile(found.told_mm, _LOWEST_SHARE) <= _LOWEST_MM[1]
    return found if touches and _is_borne_out(found, roads) else astray


def _off_mm(folds: Folds) -> float:
    """How far off the plane all but a little of it lies, as far as that is told."""
    heights_mm = np.abs(folds.told_mm)
    return float(np.quantile(heights_mm, 1 - _BUT)) if len(heights_mm) else 0.0


def _is_borne_out(folds: Folds, roads: PrintedRoads) -> bool:
    """Whether roads show where the heights have them, and fewer where a flat map laid elsewhere has its own: seen from
    the near side, one that lies farther away looks raised. Or aside for another reason: it is another map."""
    agreed, aside_px = _agreed(roads, folds.heights_at(roads.mm) * roads.rise_px)
    return agreed >= _AGREED and agreed > _agreed(roads, _laid_elsewhere_px(roads, aside_px))[0]


def _agreed(roads: PrintedRoads, guessed_px: Array) -> tuple[float, Array]:
    """Of the places that are found, what share shows near where it is guessed to, (n,) px aside; and (n,) where each
    shows, NaN where it is not found."""
    aside_px, alike = known_again(roads, guessed_px)
    aside_px[alike <= _ALIKE] = np.nan
    found = np.isfinite(aside_px)
    return float((np.abs(aside_px - guessed_px) < _near_px(roads))[found].mean()), aside_px


def _laid_elsewhere_px(roads: PrintedRoads, aside_px: Array) -> Array:
    """(n,) how far aside each place shows of a flat map that is shifted and turned as what was found, (n,), tells."""
    turned_mm = roads.mm[:, ::-1] * [-1.0, 1.0]
    by_motion = np.column_stack([roads.across_mm, (turned_mm * roads.across_mm).sum(axis=1)]) * roads.px_per_mm[:, None]
    found = np.isfinite(aside_px)
    sure = np.ones(int(found.sum()))
    for doubted_px in np.repeat(_DOUBTED_PX, _REWEIGHTED):
        motion = np.linalg.lstsq(by_motion[found] * sure[:, None], aside_px[found] * sure)[0]
        sure = 1 / (1 + np.square((aside_px[found] - by_motion[found] @ motion) / doubted_px))
    return np.asarray(by_motion @ motion, float)


def _near_px(roads: PrintedRoads) -> Array:
    return np.asarray(np.maximum(_NEAR_PX, _NEAR_MM * roads.px_per_mm), float)


def _is_bare(mm: Array, near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,) whether places (n, 2) are where enough of their neighbours agree: elsewhere something lies on the map."""
    cells = (mm // _CELL_MM).astype(int) @ [1, 2**16]
    _, cell, count = np.unique(cells, return_inverse=True, return_counts=True)
    return np.asarray((np.bincount(cell, near) >= _BARE * count)[cell], bool)


def _fitted(
    field: HeightField, roads: PrintedRoads, heights_mm: Array, rounds_px: Sequence[float], *, bare: bool = False
) -> Folds | None:
    """From a first guess (n,) of how high each place lies; None where too few of them are known again.

    bare  only by neighbourhoods that agree: where they do not something lies on the map
    """
    weights, stiff = field.weights(roads.mm), np.ones(field.count)
    for doubted_px in rounds_px:
        aside_px, alike = known_again(roads, heights_mm * roads.rise_px)
        kept = (alike > _ALIKE) & np.isfinite(aside_px)
        if kept.sum() < max(_FEWEST, _LEAST_SHARE * len(roads)):
            return None
        design = sparse.csr_array(sparse.diags_array(roads.rise_px[kept]) @ weights[kept])
        seen_px, sure = aside_px[kept], alike[kept] ** 4 / (_SIGMA_PX**2 * _CROWD)
        off_px = seen_px - (heights_mm * roads.rise_px)[kept]
        for step in range(_REWEIGHTED):
            if bare and step == _REWEIGHTED - 1:
                sure = sure * _is_bare(roads.mm[kept], np.abs(off_px) < _near_px(roads)[kept])
            weighted = sparse.diags_array(sure / (1 + np.square(off_px / doubted_px)) ** 2) @ design
            fit = Posterior(field, sparse.csc_array(design.T @ weighted), weighted.T @ seen_px, stiff)
            off_px, stiff = seen_px - design @ fit.heights_mm, field.creases(fit.heights_mm)
        heights_mm = weights @ fit.heights_mm
    return fit.folds
