"""What the rim net and its users agree on: the strip that it sees, and the units of what it says.

A strip is the picture of a circle's surroundings unrolled: one row for each direction, counter-clockwise from +x in the
plane of a typical coin's rim, one column for each share of the circle's radius.
"""

from __future__ import annotations

import numpy as np

# Rows and columns of a strip.
RAYS, STEPS = 48, 44
SHARES = np.linspace(0.56, 1.42, STEPS)
ANGLES_RAD = np.arange(RAYS) * (2 * np.pi / RAYS)
DIRECTIONS = np.stack([np.cos(ANGLES_RAD), np.sin(ANGLES_RAD)], axis=1)

# Outputs, in radii of the circle looked at: how far the coin's centre lies off in x and y, the logarithm of the coin's
# radius over the circle's, and the logarithms of the spreads (Laplace's b) of centre and radius.
OUTPUTS = ("x", "y", "log_radius", "log_spread_centre", "log_spread_radius")
