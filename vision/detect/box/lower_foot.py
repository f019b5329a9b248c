"""The foot of a block, where a line above it passed for the foot: the pages of a book end above its lower board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detect.box.block_outlines import corners
from vision.detect.sheet.side_colours import colours_beside, outward_of
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit, Guess, best_fit
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# A lower foot is looked for so much farther down at least, so often: a board, and what its shadow and a lip hide of the
# pages, are 4 to 9 mm. Farther down is another book.
_STEP_MM, _USUAL_MM, _STEPS, _MOST_MM = 3.0, 5.0, 3, 10.0
# How far a lower one may be off what the higher one tells: middle and sides in mm, turn in radians, height in mm.
_SPREAD = np.array([3.0, 3.0, 3.0, 3.0, 0.02, 2.5])
# So much less may a lower foot lie on edges if what it adds is no table, and so much more must it lie otherwise (46
# books and boxes of another maker: seven lower feet that are right lie by 0.018 worse to 0.03 better).
_AS_WELL, _BETTER = 0.02, 0.02
# Of seven heights found so all are 0 to 4 mm too low, beside what others leave open.
_DOUBT_MM = 2.5
# A side shows if it hides so many mm of the table for each of height.
_SHOWS = 0.25
# What lies beside a foot is looked at so far out, and the table as far beyond the lower one, mm.
_ABOVE_MM, _BESIDE_MM, _BEYOND_MM = (-2.5, -2.0, -1.5), (2.0, 2.5, 3.0), (10.0, 14.0, 18.0)
# A shadow on the table has so much of its lightness at least, nothing there has more than so much, and its tint (Lab a
# and b, together) lies so near to the table's, dimmed by as much.
_DIMMED, _SAME_TINT = (0.35, 1.15), 8.0


def lowered(block: Fit, edges: Edges, close: Sight[TopView]) -> Fit:
    """The block with its foot moved down to where the table begins, if a lower line bears that out as well.

    close  the picture that the edges are of
    """
    lowest = block
    for _ in range(_STEPS):
        lower = best_fit([_farther_down(lowest, edges.plane)], edges, 1)
        if lower is None or lower.height_mm > block.height_mm + _MOST_MM:
            break
        gain = lower.support - lowest.support
        if gain < (-_AS_WELL if _goes_on_below(lowest, lower, close) else _BETTER):
            break
        lowest = lower
    if lowest is block:
        return block
    # It is no surer that there is a block than it was.
    support = min(block.support, lowest.support)
    doubt_mm = float(np.hypot(block.height_doubt_mm, _DOUBT_MM))
    return replace(lowest, support=support, doubt_mm=block.doubt_mm, height_doubt_mm=doubt_mm)


def shows_a_front(block: Fit, close: Sight[TopView], shows: NDArray[np.bool_] | None = None) -> bool:
    """Whether a front shows right above a block's foot: on all its visible sides neither the table before it nor its
    shadow.

    shows  (4,) the sides that are asked, counted as by `corners`; None for those that show well
    """
    return _is_no_table(_beside(block, close, _ABOVE_MM, shows), _beside(block, close, _BEYOND_MM, shows))


def under_its_top(block: Fit, heights_mm: Array, plane: TablePlane) -> Array:
    """(n, 6) the blocks of other heights (n,) whose tops show where this one's does."""
    eye_mm = np.asarray(plane.camera_position_mm, float)
    larger = (eye_mm[2] - heights_mm[:, None]) / (eye_mm[2] - block.height_mm)
    at_mm = eye_mm[:2] + larger * (block.shape[:2] - eye_mm[:2])
    turns = np.full((len(heights_mm), 1), block.shape[4])
    return np.hstack([at_mm, larger * block.shape[2:4], turns, heights_mm[:, None]])


def _farther_down(block: Fit, plane: TablePlane) -> Guess:
    """A block under the same top, as it shows, that is higher."""
    (start,) = under_its_top(block, np.array([block.height_mm + _USUAL_MM]), plane)
    return Guess(BLOCK, start, _SPREAD, high_mm=block.height_mm + _STEP_MM)


def _goes_on_below(block: Fit, lower: Fit, close: Sight[TopView]) -> bool:
    """Whether what lies beside a foot, on all sides that show, is no table as it shows beyond a lower one."""
    return _is_no_table(_beside(block, close, _BESIDE_MM), _beside(lower, close, _BEYOND_MM))


def _is_no_table(seen: Array, table: Array) -> bool:
    """Whether any side shows, and none as the table or its shadow; (sides, 3) in Lab of 8 bits."""
    return len(seen) > 0 and seen.shape == table.shape and not _may_be_shaded(seen, table).any()


def _may_be_shaded(seen: Array, table: Array) -> NDArray[np.bool_]:
    """(n,) whether colours (n, 3) may be a table of such colours (n, 3), or its shadow; Lab, of 8 bits."""
    light = seen[:, 0] / np.maximum(table[:, 0], 1.0)
    off = np.abs((seen[:, 1:] - 128) - light[:, None] * (table[:, 1:] - 128)).sum(axis=1)
    return np.asarray((light > _DIMMED[0]) & (light < _DIMMED[1]) & (off < _SAME_TINT))


def _beside(
    block: Fit, close: Sight[TopView], out_mm: tuple[float, ...], shows: NDArray[np.bool_] | None = None
) -> Array:
    """(sides, 3) the median colour so far outside of each side of the foot that shows, Lab of 8 bits."""
    feet = corners(block.shape[None])[0]
    to_eye = np.asarray(close.plane.camera_position_mm) - np.append(feet, np.zeros((4, 1)), axis=1)
    if shows is None:
        shows = (to_eye[:, :2] * outward_of(feet)).sum(axis=1) / to_eye[:, 2] > _SHOWS
    return colours_beside(feet, shows, out_mm, close)
