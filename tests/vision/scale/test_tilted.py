"""A card on a white one is measured by where its two indices show and by what its sides show."""

import numpy as np
import pytest

from tests.vision.shape.test_rectangle import CARD_MM, drawn, oblique
from vision.scale.tilted import IndexPair, index_reach, outline_of
from vision.shape.rectangle import rectangle_corners


def both_indices(centre_mm: np.ndarray, angle: float) -> np.ndarray:
    """(2, 2) mm: six mm in from the long side, eleven from the short one, at two corners across."""
    corners = rectangle_corners(centre_mm, angle, (CARD_MM[0] - 22, CARD_MM[1] - 12))
    return corners[[0, 2]]


@pytest.mark.parametrize("angle", [0.3, 1.9])
def test_a_card_on_a_white_one_under_a_tilted_camera(angle: float) -> None:
    plane, centre = oblique(), np.array([190.0, 140.0])
    below = rectangle_corners(np.add(centre, (35, 12)), angle + 0.3, CARD_MM)
    truth = rectangle_corners(centre, angle, CARD_MM)
    picture = drawn(plane, (below, 200), (truth, 235))
    missed_mm = np.array([(0.5, -0.4), (-0.3, 0.5)])
    pair = IndexPair(plane.to_image(both_indices(centre, angle) + missed_mm), 0.0, CARD_MM)
    outline = outline_of(picture, pair)
    away_px = np.linalg.norm(outline.corners_px[:, None] - plane.to_image(truth), axis=2)
    assert outline.support > 0.9
    assert away_px.min(axis=1).max() < 2.0
    assert outline.holds(pair)


def test_nothing_bears_out_two_indices_on_a_bare_table() -> None:
    plane = oblique()
    pair = IndexPair(plane.to_image(both_indices(np.array([190.0, 140.0]), 0.3)), 0.0, CARD_MM)
    assert outline_of(drawn(plane), pair).support < 0.3


def test_indices_lie_as_far_apart_as_on_a_poker_card() -> None:
    assert index_reach(CARD_MM) == pytest.approx((66.9, 51.5))
