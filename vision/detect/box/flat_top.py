"""Blocks of which the top alone was found: a sheet's foot lies on the very edges that bear out its top, so a rectangle
that is a block's top lies on edges as a sheet surely, and as the whole block a little less surely."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from vision.detect.box.block_outlines import SIDE, block_outlines
from vision.detect.box.lower_foot import shows_a_front, under_its_top
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Heights that are tried, mm, and up to which share of the camera's height.
_HEIGHTS_MM, _BELOW_CAMERA = np.arange(20.0, 116.0), 0.5
# A foot is one of its own where so much of the table shows as front before the top, mm; one side has so much at least.
_OWN_MM, _FRONT_MM = 4.0, 8.0
# How far top, feet and uprights lie on edges (33 tables of another maker, in view: so do three blocks that passed for
# flat, told 1 to 6 mm off in height, and none of 71 sheets and covers).
_TOP, _FOOT, _UPRIGHT = 0.9, 0.65, 0.75
# Less of foot and uprights, before they are moved, is not followed.
_HOPELESS = 0.2
# So many heights are followed, so far apart, and how far off they may be: as in `higher_foot`.
_FOLLOWED, _APART_MM = 2, 5.0
_SPREAD, _LOWER_MM = np.array([2.0, 2.0, 2.0, 2.0, 0.01, 1.5]), 4.0
# How coarse the edges are (`edges.SIGMAS_PX`).
_LEVEL = 1
# A sheet's outline is a block's top if it fills so much of the rectangle around it, whose sides are so far off, mm, and
# whose turn is, radians; no block is narrower than so many mm.
_FILLED, _AROUND, _NARROW_MM = 0.85, np.array([4.0, 4.0, 4.0, 4.0, 0.03, 0.0]), 25.0


def stood_up(flat: Fit, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block whose top was found as a flat thing; None where no foot of its own and uprights bear one out.

    close  the picture that the edges are of
    """
    guesses = list(_taller(flat, edges))
    fit = best_fit(guesses, edges, 1, _FOLLOWED)
    if fit is None or not _shows_whole(fit, edges):
        return None
    own = _fronts_mm(fit.shape[None], edges.plane)[0] > _OWN_MM
    return fit if shows_a_front(fit, close, own) else None


def block_under(outline: Polygon, edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block whose top shows as a sheet of that outline, mm; None where none does."""
    around = _rectangle(outline)
    if around is None:
        return None
    flat = best_fit([Guess(BLOCK, around, _AROUND)], edges, 1)
    return None if flat is None else stood_up(flat, edges, close)


def _rectangle(outline: Polygon) -> Array | None:
    """(6,) the flat block that an outline shows; None if it is no rectangle or too narrow."""
    around = outline.minimum_rotated_rectangle
    if not isinstance(around, Polygon) or outline.area < _FILLED * around.area:
        return None
    corners = np.array(around.exterior.coords)
    sides = np.diff(corners, axis=0)[:2]
    length, breadth = np.hypot(*sides.T)
    if min(length, breadth) < _NARROW_MM:
        return None
    return np.array([*corners[:4].mean(axis=0), length, breadth, np.arctan2(sides[0, 1], sides[0, 0]), 0.0])


def _taller(flat: Fit, edges: Edges) -> Iterator[Guess]:
    """Blocks under the same top whose fronts show, the likeliest heights first."""
    heights = _HEIGHTS_MM[_BELOW_CAMERA * edges.plane.camera_position_mm[2] > _HEIGHTS_MM]
    shapes = under_its_top(flat, heights, edges.plane)
    shows = (_fronts_mm(shapes, edges.plane).max(axis=1) > _FRONT_MM) & (shapes[:, 2:4].min(axis=1) > _NARROW_MM)
    shapes = shapes[shows]
    if len(shapes) == 0:
        return
    _, foot, upright = _borne(shapes, edges)
    worth = np.where((foot > _FOOT - _HOPELESS) & (upright > _UPRIGHT - _HOPELESS), foot + upright / 4, -np.inf)
    told: list[float] = []
    for n in np.argsort(-worth).tolist():
        if len(told) == _FOLLOWED or worth[n] == -np.inf:
            return
        height_mm = float(shapes[n, 5])
        if all(abs(height_mm - other) > _APART_MM for other in told):
            told.append(height_mm)
            yield Guess(BLOCK, shapes[n], _SPREAD, BLOCK.size(flat.shape[None])[0], height_mm - _LOWER_MM)


def _shows_whole(block: Fit, edges: Edges) -> bool:
    """Whether a block's top, the feet of the fronts that show, and its uprights all lie on edges."""
    borne = np.array(_borne(block.shape[None], edges))[:, 0]
    return bool((borne > (_TOP, _FOOT, _UPRIGHT)).all())


def _borne(shapes: Array, edges: Edges) -> tuple[Array, Array, Array]:
    """(n,) how far the tops of blocks (n, 6), the feet that show apart from them, and their uprights lie on edges."""
    points, ahead, weights = block_outlines(shapes, np.asarray(edges.plane.camera_position_mm))
    flat = (-1, SIDE, 3)
    borne = edges.support(points.reshape(flat), ahead.reshape(flat), _LEVEL).reshape(weights.shape)
    own = (_fronts_mm(shapes, edges.plane) > _OWN_MM).T
    return borne[:8:2].mean(axis=0), _mean(borne[1:8:2], own), _mean(borne[8:], weights[8:])


def _mean(values: Array, weights: Array | NDArray[np.bool_]) -> Array:
    return np.asarray((values * weights).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-9), float)


def _fronts_mm(shapes: Array, plane: TablePlane) -> Array:
    """(n, 4) how broad a front shows on the table before each side of a top, as `block_outlines` counts them; 0 where
    it is turned away."""
    eye_mm = np.asarray(plane.camera_position_mm, float)
    c, s = np.cos(shapes[:, 4]), np.sin(shapes[:, 4])
    x, y = (eye_mm[:2] - shapes[:, :2]).T
    along, aside = c * x + s * y, c * y - s * x
    half_long, half_broad = shapes[:, 2] / 2, shapes[:, 3] / 2
    away = np.stack([-aside - half_broad, along - half_long, aside - half_broad, -along - half_long], axis=1)
    farther = shapes[:, 5] / (eye_mm[2] - shapes[:, 5])
    return np.asarray(np.maximum(away, 0) * farther[:, None], float)
