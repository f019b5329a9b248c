"""What a block stands on. The upper of some books shows like a larger block that lies on the table farther out from the
camera's foot; the lines of the lower ones that it does not hide tell how high it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiPoint, Polygon, union_all

from calibration.plane import TablePlane
from vision.detect.box.block_outlines import corners
from vision.detect.box.blocks import blocks_near
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, best_fit
from vision.detect.solid.forms import BLOCK

Array = NDArray[np.float64]

# If a block leaves more than this share of what the net sees, beside its edges (mm), it is one of several.
_MORE, _EDGE_MM = 0.12, 5.0
# So many of the likeliest blocks below are followed along fine edges.
_FOLLOWED = 2
# The upper block's own edges are so near it, and speak for no other.
_OWN_MM = 2.5
# It stands out over the lower one by no more, or by no more over one of which less shows; each mm beyond costs so much
# support.
_OVER_MM, _OVER_MIDDLE_MM, _EACH_MM = 2.0, 8.0, 0.03
# From this support on there is a lower block (rendered pictures, seeds 5, 6, 41107: two stacks of four 0.73 and 0.74,
# 16 single blocks 0.68 at most); and one between two that were found (seed 226041: of three books 0.70, elsewhere 0.46
# to 0.49).
_SUPPORT, _MIDDLE_SUPPORT = 0.7, 0.6
# No higher stack is taken apart: print on covers can bear out one block after another for ever.
_MOST = 5


def is_one_of_several(block: Fit, footprint: Polygon, plane: TablePlane) -> bool:
    """Whether the footprint that the net sees reaches well beyond the block, so that another may lie under it."""
    return bool(footprint.difference(_body(block.shape, plane, _EDGE_MM)).area > _MORE * footprint.area)


def below(block: Fit, footprint: Polygon, edges: Edges, most: int = _MOST) -> list[Fit]:
    """The blocks under one that was measured as if it stood on the table, the lowest first, each as if it stood there
    too; none if the picture's lines bear none out.

    footprint  what the net sees of all of them
    most       how many are looked for one under the other
    """
    next_below = _lower(block, footprint, edges)
    if next_below is None:
        return []
    is_lowest = most == 1 or not is_one_of_several(next_below, footprint, edges.plane)
    hidden = edges.behind(_body(block.shape, edges.plane, _OWN_MM))
    return [
        *([] if is_lowest else below(next_below, footprint, hidden, most - 1)),
        next_below,
        *_between(block, next_below, edges, most - 1),
    ]


def _lower(block: Fit, footprint: Polygon, edges: Edges) -> Fit | None:
    """The likeliest block under one, of all that lie deeper."""
    hidden = edges.behind(_body(block.shape, edges.plane, _OWN_MM))
    eye_mm = np.asarray(edges.plane.camera_position_mm)
    guesses = blocks_near(footprint, hidden, lambda lower: _cost(block.shape, lower, eye_mm, _OVER_MM))
    fit = best_fit(guesses, hidden, 1, _FOLLOWED)
    return fit if fit is not None and fit.support > _SUPPORT else None


def _between(upper: Fit, lower: Fit, edges: Edges, most: int) -> list[Fit]:
    """The blocks, `most` at the most, on which `upper` lies and that lie on `lower`, all as if they stood on the table,
    the lowest first."""
    if not most:
        return []
    plane = edges.plane
    eye_mm = np.asarray(plane.camera_position_mm)
    hidden = edges.behind(_body(upper.shape, plane, _OWN_MM), *_lines(lower.shape, plane, _OWN_MM))

    def against(middles: Array) -> Array:
        """What the upper one stands out over each, and each over the lower one."""
        borne = [_cost(middle, lower.shape[None], eye_mm, _OVER_MIDDLE_MM)[0] for middle in middles]
        return np.asarray(_cost(upper.shape, middles, eye_mm, _OVER_MIDDLE_MM) + borne, float)

    middle = best_fit(blocks_near(upper.footprint, hidden, against), hidden, 1, _FOLLOWED)
    if middle is None or middle.support - float(against(middle.shape[None])[0]) < _MIDDLE_SUPPORT:
        return []
    rest = (most - 1) // 2
    return [*_between(middle, lower, edges, rest), middle, *_between(upper, middle, edges, rest)]


def tops_mm(storeys: Sequence[Fit], plane: TablePlane) -> list[float]:
    """Heights above the table, mm, of the tops of blocks that lie on one another, the lowest first."""
    tops: list[float] = []
    for block in storeys:
        foot_mm = tops[-1] if tops else 0.0
        tops.append(float(foot_mm + block.height_mm * _nearer(foot_mm, np.asarray(plane.camera_position_mm))))
    return tops


def whole(storeys: Sequence[Fit], plane: TablePlane) -> Polygon:
    """The part of the table, mm, that blocks on one another stand over together."""
    feet_mm = [0.0, *tops_mm(storeys, plane)]
    lifted = [BLOCK.footprint(_lifted(block.shape, foot, plane)) for block, foot in zip(storeys, feet_mm, strict=False)]
    together = union_all(lifted)
    return together if isinstance(together, Polygon) else lifted[0]


def _cost(upper: Array, lower: Array, eye_mm: Array, over_mm: float) -> Array:
    """(n,) of what a block stands out over lower ones (n, 6), beyond `over_mm`."""
    feet = eye_mm[:2] + (corners(upper[None]) - eye_mm[:2]) * _nearer(lower[:, 5], eye_mm)[:, None, None]
    x, y = np.moveaxis(feet - lower[:, None, :2], -1, 0)
    c, s = np.cos(lower[:, 4, None]), np.sin(lower[:, 4, None])
    over = [np.abs(c * x + s * y) - lower[:, 2, None] / 2, np.abs(c * y - s * x) - lower[:, 3, None] / 2]
    return np.asarray(_EACH_MM * np.maximum(np.max(over, axis=(0, 2)) - over_mm, 0), float)


def _lines(block: Array, plane: TablePlane, around_mm: float) -> Iterator[Polygon]:
    """The edges of a block's top and foot as they show, so broad to each side."""
    foot = corners(block[None])[0]
    for ring in (foot, plane.behind(foot, float(block[5]))):
        for n in range(4):
            side = LineString([ring[n - 1], ring[n]]).buffer(around_mm)
            assert isinstance(side, Polygon)
            yield side


def _nearer(height_mm: float | Array, eye_mm: Array) -> Array:
    """By what share a thing at some height is nearer to the foot of the camera than it looks."""
    return np.asarray(1 - np.asarray(height_mm) / eye_mm[2], float)


def _lifted(block: Array, height_mm: float, plane: TablePlane) -> Array:
    """A block as one at some height that looks so."""
    eye_mm = np.asarray(plane.camera_position_mm)
    share = _nearer(height_mm, eye_mm)
    at = eye_mm[:2] + (block[:2] - eye_mm[:2]) * share
    return np.array([*at, *(block[2:4] * share), block[4], block[5] * share])


def _body(block: Array, plane: TablePlane, around_mm: float) -> Polygon:
    """What a block hides of the table, and so much around it."""
    foot = corners(block[None])[0]
    hidden = MultiPoint([*foot, *plane.behind(foot, float(block[5]))]).convex_hull.buffer(around_mm)
    assert isinstance(hidden, Polygon)
    return hidden
