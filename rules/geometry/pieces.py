"""All that a wave lights within the budget, as the corners of pieces that may overlap."""

from __future__ import annotations

import numpy as np

from rules.geometry.chart import Chart
from rules.geometry.compiled import compiled
from rules.geometry.fans import fans
from rules.geometry.outline import straightened
from rules.geometry.ribbons import ribbons
from rules.geometry.screens import Floats, Ints, Screens
from rules.geometry.shadows import shadows
from rules.geometry.wavefront import Wave


@compiled
def pieces(chart: Chart, screens: Screens, wave: Wave, cost_per_mm: Floats, budget: float) -> tuple[Floats, Ints]:
    """The corners (n, 2) of all pieces, one after the other, and to which piece each belongs (n,)."""
    lit = ribbons(chart, screens, wave, cost_per_mm, budget)
    lit.extend(fans(chart, screens, wave, cost_per_mm, budget))
    lit.extend(shadows(chart, screens, wave, cost_per_mm, budget))
    most = 0
    for outline in lit:
        most += len(outline)
    corners, piece = np.empty((most, 2)), np.empty(most, np.int64)
    count, number = 0, 0
    for outline in lit:
        left = straightened(outline)
        if len(left) < 3:
            continue
        corners[count : count + len(left)] = left
        piece[count : count + len(left)] = number
        count, number = count + len(left), number + 1
    return corners[:count], piece[:count]
