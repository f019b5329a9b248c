"""Pixels <-> millimetres: lens, markers, table plane, known objects, drift and error.

The way from a picture to the table plane is in this folder: `lens`, `table`, `plane`, `pose`. Its rooms:

fiducials  printed markers                   fit      the least squares over all that was seen
rulers     cards, coins, lengths, lattices   doubt    references that contradict one another
corners    corners and sides of a table      boards   the lens from views of a board
maps       a known map's print and roads     bending  how a lens bends that nobody measured
edges      edges to a fraction of a pixel    kick     a camera that was moved
"""
