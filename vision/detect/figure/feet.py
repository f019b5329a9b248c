"""Where the net of figures points at feet: in one view of a part of the table, or in two that show it differently.

What the net says of a place hangs on how its pixels lie: of what is nothing one view shows a figure where another does
not, a true one is seen in both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models import solids
from vision.detect.peaks import peaks
from vision.detect.solid.glance import Glance
from vision.metric.upright import UprightView

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# What is looked at closer: the hottest of so many cells each way.
_LEAST_HEAT, _ALONE_CELLS = 0.1, 2
_AROUND = np.array([(x, y) for y in range(-2, 3) for x in range(-2, 3)])
# Feet nearer to each other than peaks of one view can be, cells, are one.
_APART_CELLS = _ALONE_CELLS + 1
# How else the net is shown a part: in the mirror, turned by so many degrees, at so many times the scale. Of sixteen
# ways the one with the fewest false at as many found on parts `first` and `last` of benchmarks/miniatures.csv (74 -> 45
# in the middle of the range); on the others 24 -> 16.
_TURN_DEG, _TIMES = 8.0, 0.93


def another_way(view: UprightView) -> UprightView:
    """The other view of a part that is shown to the net."""
    return view.in_mirror(_TURN_DEG, _TIMES, solids.STRIDE_PX)


def pointed_at(maps: Floats) -> tuple[Floats, Array]:
    """(CHANNELS, n) what the net says at each likely peak, and (n, 2) px of the view where the foot shows."""
    rows, columns = peaks(np.logaddexp.reduce(maps[solids.HEAT], axis=0), _LEAST_HEAT, _ALONE_CELLS)
    return _said_at(maps, np.stack([columns, rows], axis=1))


def pointed_at_by_both(one: Glance[UprightView], other: Glance[UprightView]) -> tuple[Floats, Array]:
    """What two glances say on average at each likely peak of either, and the middle of where they see the foot.

    A glance without a peak there says what it does at its hottest cell near the place."""
    at_mm = np.concatenate([each.view.to_table(pointed_at(each.maps)[1]) for each in (one, other)])
    says, feet_mm = zip(*(_said_near(each, at_mm) for each in (one, other)), strict=True)
    # In px of the first view.
    says[1][solids.RADIUS] += np.log(one.view.px_per_mm / other.view.px_per_mm)
    return (says[0] + says[1]) / 2, (feet_mm[0] + feet_mm[1]) / 2


def surest(at_mm: Array, chance: Array, base_mm: Array) -> NDArray[np.bool_]:
    """(n,) which of the feet (n, 2) mm have no surer one so near that both are one, as on one's base (n,) of so many mm
    in radius nobody else stands."""
    apart_mm = np.maximum(_APART_CELLS * solids.CELL_PX / solids.FIGURES_LOOK.px_per_mm, base_mm)
    kept = np.zeros(len(at_mm), bool)
    for n in np.argsort(-chance, kind="stable"):
        kept[n] = not (np.hypot(*(at_mm[kept] - at_mm[n]).T) < np.maximum(apart_mm[kept], apart_mm[n])).any()
    return kept


def _said_near(glance: Glance[UprightView], at_mm: Array) -> tuple[Floats, Array]:
    """(CHANNELS, n) what the net says at its hottest cell near places (n, 2) mm, and (n, 2) mm where the foot shows."""
    rows, columns = glance.maps.shape[1:]
    middles = np.rint((glance.view.to_px(at_mm) - (solids.CELL_PX - 1) / 2) / solids.CELL_PX).astype(int)
    near = np.clip(middles[:, None] + _AROUND, 0, (columns - 1, rows - 1))
    heat = np.logaddexp.reduce(glance.maps[solids.HEAT, near[..., 1], near[..., 0]], axis=0)
    says, foot_px = _said_at(glance.maps, near[np.arange(len(near)), heat.argmax(axis=1)])
    return says, glance.view.to_table(foot_px)


def _said_at(maps: Floats, cells: NDArray[np.intp]) -> tuple[Floats, Array]:
    """(CHANNELS, n) what the net says at cells (n, 2: column, row), and (n, 2) px of the view where the feet show."""
    says = maps[:, cells[:, 1], cells[:, 0]]
    at = cells + np.clip(says[solids.OFFSET].T, -1.5, 1.5).astype(float)
    return says, at * solids.CELL_PX + (solids.CELL_PX - 1) / 2
