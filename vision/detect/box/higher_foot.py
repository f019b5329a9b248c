"""The foot of a block, where the end of its shadow on the table, nearer to the camera, passed for the foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.detect.box.lower_foot import shows_a_front, under_its_top
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit, worths
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

# A higher foot is looked for at every mm from this height of the block on, so much above the lower one at least, and
# may lie on edges so much worse, as a lower one may (`lower_foot`): before it is turned and moved, by so much.
_LEAST_MM, _ABOVE_MM, _AS_WELL, _BEFORE = 6.0, 5.0, 0.02, 0.15
# So many heights that lie on edges best are followed, so far apart.
_FOLLOWED, _APART_MM = 2, 5.0
# How far off a higher one may be: middle and sides in mm, turn in radians, height in mm; and how far off its height is
# beside what other guesses leave open, as of a lower one.
_SPREAD, _DOUBT_MM = np.array([2.0, 2.0, 2.0, 2.0, 0.01, 1.5]), 2.5


def raised(block: Fit, edges: Edges, close: Sight[TopView], least_mm: float = 0.0) -> Fit:
    """The block with its foot moved up to where its front ends. This is done if what shows above the foot that was
    found is only table or shadow, and a line farther up bounds a front and lies on edges about as well.

    close     the picture that the edges are of
    least_mm  how high it is at least: pages may have the table's tint, and above them is the upper board of a book
    """
    if shows_a_front(block, close):
        return block
    for guess in _higher(block, edges):
        fit = best_fit([guess], edges, 1)
        if fit is None or fit.height_mm < least_mm:
            continue
        if fit.support > block.support - _AS_WELL and shows_a_front(fit, close):
            return replace(fit, support=min(fit.support, block.support), height_doubt_mm=_DOUBT_MM)
    return block


def _higher(block: Fit, edges: Edges) -> Iterator[Guess]:
    """Blocks under the same top, as it shows, that are lower; the likeliest heights first."""
    heights = np.arange(_LEAST_MM, block.height_mm - _ABOVE_MM)
    if len(heights) == 0:
        return
    shapes = under_its_top(block, heights, edges.plane)
    usual = Guess(BLOCK, block.shape, _SPREAD)
    worth = worths(usual, edges, shapes, 1)
    least = float(worths(usual, edges, block.shape[None], 1)[0]) - _BEFORE
    told: list[float] = []
    for n in np.argsort(-worth).tolist():
        if len(told) == _FOLLOWED or worth[n] < least:
            return
        if all(abs(heights[n] - other) > _APART_MM for other in told):
            told.append(float(heights[n]))
            yield replace(usual, start=shapes[n])
