"""What the renderer and those who lay its tables on grounds agree on."""

from __future__ import annotations

# Things stand within SIDE_MM; the picture goes further, for what is tall.
SIDE_MM = 370.0
WHOLE_MM = 420.0
PX_PER_MM = 2.0
# Numbers in the picture of what shows where: figures count up from 1, terrain and hands have these.
TERRAIN_INDEX, HAND_INDEX = 200, 201
