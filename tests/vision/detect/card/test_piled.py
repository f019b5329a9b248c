"""A card on others lies as high as they are thick, and shows as far aside; where none is below it stays."""

import numpy as np
import pytest
from shapely import Polygon

from tests.vision.shape.test_rectangle import CARD_MM, oblique
from vision.detect.card.piled import as_piled
from vision.detection import Detection
from vision.shape.rectangle import rectangle_corners

PLANE = oblique()
AT_MM, THICK_MM = np.array([200.0, 140.0]), 0.3


def seen(at_mm, top_mm=THICK_MM, sigma_mm=0.35):
    """A card with its upper face so high, taken for one that lies on the table."""
    px = PLANE.to_image([at_mm], top_mm)[0]
    as_told = PLANE.to_table([px], THICK_MM)[0]
    outline = Polygon(rectangle_corners(as_told, 0.3, CARD_MM))
    return Detection("card", "3C", (as_told[0], as_told[1]), outline, sigma_mm, 1.0, (px[0], px[1]))


def off_mm(card):
    return float(np.hypot(*np.subtract(card.position_mm, AT_MM)))


@pytest.mark.parametrize("many", [2, 3, 4])
def test_a_card_on_told_ones_lies_where_its_height_says_and_the_others_stay(many):
    """The top of a pile of five lay 1.8 mm off at a stated 0.35."""
    below = [seen(AT_MM + np.array([12.0 * number - 15, 20])) for number in range(2)]
    top = seen(AT_MM, THICK_MM * (1 + many))
    piled = as_piled(PLANE, [below[0], top, below[1]], [0.5, 0.9, 0.5])
    assert piled[0] is below[0]
    assert piled[2] is below[1]
    assert off_mm(piled[1]) < 2.45 * piled[1].sigma_mm
    assert many == 2 or off_mm(piled[1]) < off_mm(top)
    assert piled[1].footprint.centroid.coords[0] == pytest.approx(piled[1].position_mm)


def test_cards_beside_one_another_stay_where_they_are():
    cards = [seen(AT_MM), seen(AT_MM + np.array([110, 0]))]
    assert as_piled(PLANE, cards, [0.9, 0.5]) == cards
    assert as_piled(PLANE, [], []) == []
