"""What the net that sees how high a coin lies and its users agree on: the strip that it sees, and what it says.

A coin on others hides them, and its face looks like one that lies flat elsewhere. What shows before it tells: the side
of a coin on the table is as tall as the coin is thick, that of a stack goes on. A strip is the coin's rim on the
camera's side, let down: one row for each direction, the middle one towards the camera, one column for each height below
the rim. So the foot of whatever stands upright under the rim is one straight line across the rows, in the column of its
height, from wherever the camera looks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Directions all the way round, and those of them that are looked at.
ROUND, RAYS = 48, 28
# How far below the rim each column lies, mm; negative above, where the face shows.
STEPS = 36
BELOW_MM = np.linspace(-2.0, 12.0, STEPS)
# Beside the strip the net is told: how far a mm of height shifts what is seen on the table (mm), the circle's radius
# (cm), and how far apart two columns show towards the camera (px).
VIEW = ("shift", "radius_cm", "step_px")
# Its answer: logits of these heights of the coin's upper face above the table, mm.
TOPS_MM = np.arange(24) * 0.5 + 0.75
# The net is surer than it is right: its logits are divided by this (least log loss on tables that it never saw: 1.25 on
# 24 rendered ones, 1.5 on 80 drawn ones).
OVERSURE = 1.5


def front_rays(towards_rad: Array) -> NDArray[np.int_]:
    """(n, RAYS) numbers of the rays, counter-clockwise from +x, whose middle ones lie nearest to directions (n,)."""
    middle = np.rint(np.asarray(towards_rad) / (2 * np.pi / ROUND)).astype(int)
    return np.asarray((middle[:, None] + np.arange(RAYS) - RAYS // 2) % ROUND)
