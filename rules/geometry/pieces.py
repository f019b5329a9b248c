"""All that a wave lights within the budget, as the corners of pieces that may overlap."""

from __future__ import annotations

import numpy as np

from rules.compiled import compiled
from rules.geometry.chart import Chart
from rules.geometry.fans import fans
from rules.geometry.outline import straightened
from rules.geometry.ribbons import ribbons
from rules.geometry.screens import Floats, Ints, Screens
from rules.geometry.shadows import shadows
from rules.geometry.wavefront import Wave


@compiled
def pieces(chart: Chart, screens: Screens, wave: Wave, cost_per_mm: Floats, budget: float) -> tuple[Floats, Ints]:
    """The corners (n, 2) of all pieces, counter-clockwise and one piece after the other, and `first` (m + 1,): those of
    piece k are `corners[first[k]:first[k + 1]]`."""
    lit = ribbons(chart, screens, wave, cost_per_mm, budget)
    lit.extend(fans(chart, screens, wave, cost_per_mm, budget))
    lit.extend(shadows(chart, screens, wave, cost_per_mm, budget))
    most = 0
    for outline in lit:
        most += len(outline)
    corners, first = np.empty((most, 2)), np.zeros(len(lit) + 1, np.int64)
    count, number = 0, 0
    for outline in lit:
        left = straightened(outline)
        if len(left) < 3:
            continue
        corners[count : count + len(left)] = left if _turns_left(left) else left[::-1]
        count, number = count + len(left), number + 1
        first[number] = count
    return corners[:count], first[: number + 1]


@compiled
def _turns_left(outline: Floats) -> bool:
    """Whether the corners run counter-clockwise."""
    twice_mm2 = 0.0
    x, y = 0.0, 0.0
    for corner in range(1, len(outline)):
        next_x, next_y = outline[corner, 0] - outline[0, 0], outline[corner, 1] - outline[0, 1]
        twice_mm2 += x * next_y - y * next_x
        x, y = next_x, next_y
    return twice_mm2 >= 0.0
