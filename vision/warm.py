"""Compiles the eyes' inner loops once, or loads them if that was done; `make install` runs this: python -m vision.warm.

Without it the first look compiles them.
"""

from __future__ import annotations

import numpy as np

from vision.detect.die.die_silhouette import sums_within
from vision.detect.figure.rim_points import rim_points
from vision.detect.solid.borne import borne_out
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.remainder import Remainder
from vision.naming.colour import name_colour
from vision.naming.tints import densities, pulls
from vision.shape.edge_strength import edge_strengths
from vision.shape.edge_votes import votes_near


def warm() -> None:
    """One outline on a small map, one block, one rim, one die, one ray, one tint, one colour: at the first OpenCV makes
    its table of colours, 80 ms."""
    points_mm, slopes = np.zeros((1, 2, 3)), np.zeros((2, 2, 6), np.float32)
    from_above = (0.0, 0.0, 100.0, 50.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    borne_out(points_mm, points_mm + 1, from_above, slopes, np.float32(1), np.zeros((0, 0), bool), np.ones(1))
    block, eye_mm = np.ones((1, 6)), np.full(3, 9.0)
    BLOCK.outlines(block, eye_mm)
    Remainder(np.zeros((1, 2)), eye_mm).left(block)
    rim_points(block, np.ones((1, 2)), eye_mm, 0.0)
    sums_within(np.zeros((1, 1), np.float32), np.ones((3, 2)), np.zeros((1, 2)))
    one = np.ones((1, 1))
    votes_near(np.zeros((1, 1, 2), np.float32), np.ones((1, 2)), one, one, one[0])
    edge_strengths(np.zeros((1, 1, 2, 3), np.uint8), np.ones(3, np.float32), np.float32(1))
    tint, light, metals = np.ones((1, 4)), np.ones((1, 2)), np.ones((1, 7))
    densities(tint, light), pulls(tint, light, metals)
    name_colour(np.zeros((1, 3), np.uint8))


if __name__ == "__main__":
    warm()
