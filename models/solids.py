"""What the solids net and its users agree on: output channels and scales."""

from __future__ import annotations

# The net looks at the table twice: terrain and large figures show at the first scale, men of an inch at the second,
# where they have as many px (scale normalisation, Singh and Davis 2018).
TOPVIEW_PX_PER_MM = 1.0
CLOSE_PX_PER_MM = 2.0
# Radii in px of the bases that the nets are asked for: smaller ones show at the closer scale, larger at the other.
RADII_PX = (5.0, 34.0)
CELL_PX = 4
STRIDE_PX = 32

# The second input: how far a point shows from its place on the table, per mm of its height, to the right and down in
# the top view, one value for each CELL_PX square. It tells which end of a thing is its foot.
SLANT_PX = CELL_PX

# Logits against each other and against nothing (0) of what stands on one point: where its base touches the table.
FIGURES = ("foot", "mounted", "gun", "base")
HEAT = slice(0, 4)
# Offset of that point from the cell's centre in cells, facing (cos, sin), log of the base's radius over REFERENCE.
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
