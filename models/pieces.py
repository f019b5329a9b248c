"""What the pieces net and its users agree on: output channels, scales, and the geometry of card indices and dice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TOPVIEW_PX_PER_MM = 2.0
CELL_PX = 4
# The net's input must be a multiple of its coarsest stride.
STRIDE_PX = 16

# Output channels, a cell each: three heats (logits), the offset of the heat's thing from the cell's centre in cells,
# the unit vector of an index towards the card's middle along its long side, the doubled angle of a card's long side,
# whether a card shows its back (logit), and card surface (logit). Then what a branch of the net says of matches alone:
# heat, offset, and unit vector towards the head.
INDEX, CARD, DIE, MATCH = 0, 1, 2, 11
HEATS = (INDEX, CARD, DIE, MATCH)
OFFSET: Mapping[int, slice] = MappingProxyType({INDEX: slice(3, 5), DIE: slice(3, 5), MATCH: slice(12, 14)})
DIRECTION: Mapping[int, slice] = MappingProxyType({INDEX: slice(5, 7), MATCH: slice(14, 16)})
DOUBLE_ANGLE = slice(7, 9)
BACK = 9
SURFACE = 10
CHANNELS = 16
MATCH_CHANNELS = CHANNELS - MATCH

# Where the net is taught to see an index: from the card's corner along its breadth and its length, mm. Rank and suit
# of the usual decks lie 3 to 20 mm down the corner; the point between them is the same for every deck.
INDEX_FROM_CORNER_MM = (6.0, 11.0)
# Crops that the readers see: px (width, height) and their scale.
INDEX_CROP_PX = (48, 64)
INDEX_CROP_PX_PER_MM = 3.5
DIE_CROP_PX = 48
DIE_CROP_PX_PER_MM = 2.4
DIE_SIDE_MM = 16.0
MATCH_LENGTH_MM = 43.0

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JOKER", "none")
SUITS = ("S", "H", "D", "C")
PIPS = ("1", "2", "3", "4", "5", "6", "none")
# Patches along a proposed match: px (width, height) and their scale. Where its head shows, if it is one.
STICK_CROP_PX = (136, 30)
STICK_CROP_PX_PER_MM = 2.0
STICKS = ("ahead", "behind", "none")
