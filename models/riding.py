"""What the net that sees a smaller coin on a larger one and its users agree on.

It sees the square about the larger coin that the classifier sees (`models.coins.CROP_PX`, `RIM_SHARE`) and is told
which way height shows there.
"""

from __future__ import annotations

# Beside the crop: how far a mm of height shows from its place on the table, mm in x and y (away from the camera).
VIEW = ("shift_x", "shift_y")
# Its answer: the logit of a coin on this one; its circle in the plane looked at, in radii of this one: how far its
# centre lies off in x and y, the logarithm of its radius, and the logarithms of the spreads (Laplace's b) of both.
OUTPUTS = ("rides", "x", "y", "log_radius", "log_spread_centre", "log_spread_radius")
# A coin that rides is this much smaller at least, so that the rim below it shows all round or nearly.
SMALLER = 0.88
