"""Frames -> scenes: sources, detection, classification, tracking. Judges nothing.

The way from a frame to an agreed scene is in this folder: `source`, `eyes`, `observe`, `track`. Its rooms:

stream  where pictures come from             metric  the table from above, in millimetres
light   how well it is lit, and mended       detect  one room for each kind of piece
motion  what moves, and when it is still     shape   circles, rectangles and ovals by their edges
memory  what is remembered of pieces         naming  what pieces are, and whose
tripod  a camera that was moved              taught  pieces that a user taught
scale   pieces as rulers                     mat     what is printed on the table
"""
