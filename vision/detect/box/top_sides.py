"""The sides of a block's top. Beyond a true side shows the block's front or what lies behind it; beyond a printed line
the thing itself goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detect.box.block_outlines import corners
from vision.detect.sheet.sheet_colour import apart
from vision.detect.sheet.side_colours import colours_beside
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit
from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Colours are compared so far within and beyond a side, mm: a printed line, and a narrow stripe, lie between.
_WITHIN_MM, _BEYOND_MM = (-4.0, -3.0), (5.0, 6.0)
# So far apart are a block's top and what shows beside it: see `two_faces`, which asks the same of top and front.
_OTHER_COLOUR = 8.0
# So many blocks that lie about as well on coarse edges are followed along fine ones.
_FOLLOWED = 2


def best_that_ends(guesses: Sequence[Guess], edges: Edges, close: Sight[TopView]) -> Fit | None:
    """The block near one of the guesses that lies best on edges and whose top ends at its sides; None where for each of
    them a printed line passes for a side.

    close  the picture that the edges are of
    """
    best = best_fit(guesses, edges, 1, _FOLLOWED)
    if best is None or ends(best.shape, close):
        return best
    other = best_fit([guess for guess in guesses if ends(guess.start, close)], edges, 1, _FOLLOWED)
    return other if other is not None and ends(other.shape, close) else None


def ends(shape: Array, close: Sight[TopView]) -> bool:
    """Whether a block's top, (6,) as of `forms.BLOCK`, shows another colour within each side than beyond it."""
    top = np.asarray(close.plane.behind(corners(shape[None])[0], float(shape[5])), float)
    seen = _are_in_view(top, close)
    within, beyond = (colours_beside(top, seen, out_mm, close) for out_mm in (_WITHIN_MM, _BEYOND_MM))
    return bool((apart(within, beyond) > _OTHER_COLOUR).all())


def _are_in_view(top_mm: Array, close: Sight[TopView]) -> NDArray[np.bool_]:
    """(4,) whether both ends of each side show."""
    px = close.view.to_px(top_mm)
    seen = ((px >= 0) & (px <= np.array(close.view.size_px) - 1)).all(axis=1)
    return np.asarray(seen & np.roll(seen, -1), bool)
