"""What the nets of figures and of terrain and their users agree on: output channels and scales."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CELL_PX = 4
STRIDE_PX = 32

# The second input: how far a point shows from its place on the table, per px of its height, to the right and down in
# the view, one value for each CELL_PX square. It tells which end of a thing is its foot.
SLANT_PX = CELL_PX

# Logits against each other and against nothing (0) of what stands on one point: where its base touches the table.
FIGURES = ("foot", "mounted", "gun", "base")
HEAT = slice(0, 4)
# Offset of that point from the cell's centre in cells, facing (cos, sin; asked for and not learned here, see below),
# log of the base's radius over REFERENCE.
OFFSET = slice(4, 6)
FACING = slice(6, 8)
RADIUS = 8
REFERENCE_RADIUS_PX = 15.0
# Pixels of a figure as they show (logit), pixels of a hand or sleeve (logit), height of terrain in units of 50 px.
FIGURE = 9
HAND = 10
HEIGHT = 11
HEIGHT_UNIT_PX = 50.0
# Terrain by its footprint on the table, seen or inferred: logits against each other, the first is none.
TERRAIN = ("none", "mug", "plate", "book", "box", "napkin", "paper", "pencils", "unknown")
GROUND = slice(12, 12 + len(TERRAIN))
CHANNELS = 12 + len(TERRAIN)


@dataclass(frozen=True)
class Look:
    """At what scale a net looks at a table, upright.

    net        the model's name
    px_per_mm  scale
    radii_px   of the bases that the net was asked for
    tall_mm    how tall what it looks for is at most
    """

    net: str
    px_per_mm: float
    radii_px: tuple[float, float]
    tall_mm: float


# The reader of directions sees a crop of an upright view with a soldier's foot there in it, small men as large as tall
# ones: as if all bases had this radius.
FACING_CROP_PX = 64
FACING_FOOT_PX = (32, 47)
_FACING_RADIUS_PX = 13.0
_FACING_SHARES = (0.5, 1.0)


def facing_share(radius_px: Array) -> Array:
    """(n,) how many px of the crop a px of the view at FIGURES_LOOK's scale becomes, of bases (n,) px wide each way."""
    return np.clip(_FACING_RADIUS_PX / radius_px, *_FACING_SHARES)


# Plates show whole at the one scale, men of an inch at the other. Both nets are of one build; the second is not asked
# for terrain. The tallest things are a vase and a horseman.
TERRAIN_LOOK = Look("terrain", 1.0, (5.0, 34.0), 120.0)
FIGURES_LOOK = Look("figures", 2.0, (5.0, 64.0), 75.0)
LOOKS = {look.net: look for look in (TERRAIN_LOOK, FIGURES_LOOK)}
