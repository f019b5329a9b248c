"""Edges that come back to where they began."""

import cv2
import numpy as np

from calibration.edges.long_edge import long_edges


def test_a_ring_is_not_walked_for_ever():
    picture = np.full((900, 1200), 60, np.uint8)
    cv2.circle(picture, (600, 450), 400, 200, -1, cv2.LINE_AA)
    diagonal_px = float(np.hypot(*picture.shape))
    assert all(edge.length_px <= diagonal_px for edge in long_edges(picture))
