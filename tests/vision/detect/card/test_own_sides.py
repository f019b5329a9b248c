"""Cards of a grid lie on their own sides, not on those of the cards beside them."""

import numpy as np
import pytest

from tests.vision.shape.test_rectangle import CARD_MM, drawn, oblique
from vision.detect.card.card_hold import card_sigma_mm
from vision.detect.card.own_sides import on_own_sides
from vision.shape.rectangle import rectangle_corners, rectangles_at

TRUTH = np.array([200.0, 150.0])
# Most of Europe's cards are cut so.
CUT_MM = (88.0, 63.0)


def along(mm: float) -> np.ndarray:
    """A place so far from the card's along it."""
    return np.add(TRUTH, (mm, 0.0))


@pytest.mark.parametrize("gap_mm", [1.2, 2.0, 4.0])
def test_a_face_is_not_held_by_the_edge_of_the_card_beside_it(gap_mm: float) -> None:
    plane = oblique()
    image = drawn(plane, *((rectangle_corners(at, 0.0, CUT_MM), 225) for at in (TRUTH, along(CUT_MM[0] + gap_mm))))
    at_mm = np.array([along(gap_mm - 0.45), along(CUT_MM[0] + gap_mm)])
    fit, _ = on_own_sides(
        image, plane, rectangles_at(image, plane, at_mm, np.zeros(2), CARD_MM), np.array([True, True])
    )
    assert fit.centre_mm == pytest.approx(tuple(TRUTH), abs=0.3 if gap_mm > 1.2 else 0.8)


def back_with_print(at: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """A back, its print bordered by white."""
    return [(rectangle_corners(at, 0.0, CARD_MM), 225), (rectangle_corners(at, 0.0, (CARD_MM[0] - 4, 59.5)), 110)]


@pytest.mark.parametrize("is_told", [True, False])
def test_a_back_has_no_side_where_another_card_has_one(is_told: bool) -> None:
    """With one side on the next card's, two millimetres aside, the other lies on its own print's edge."""
    plane, other = oblique(), along(CARD_MM[0] + 2.0)
    image = drawn(plane, *back_with_print(TRUTH), (rectangle_corners(other, 0.0, CARD_MM), 225))
    aside, neighbour = rectangles_at(image, plane, np.array([along(2.0), other]), np.zeros(2), CARD_MM)
    assert aside.support > 0.95
    fits = on_own_sides(image, plane, [aside, neighbour][: 1 + is_told], np.array([False, True][: 1 + is_told]))
    assert fits[0].centre_mm == pytest.approx(tuple(TRUTH if is_told else along(2.0)), abs=0.2)
    assert fits[1:] == [neighbour][:is_told]


def test_cards_that_touch_stay_where_they_are() -> None:
    plane, other = oblique(), along(CARD_MM[0])
    image = drawn(plane, *((rectangle_corners(at, 0.0, CARD_MM), 225) for at in (TRUTH, other)))
    fits = rectangles_at(image, plane, np.array([TRUTH, other]), np.zeros(2), CARD_MM)
    assert on_own_sides(image, plane, fits, np.array([True, True])) == fits


def test_a_card_whose_sides_are_not_straight_is_surer_by_less() -> None:
    plane = oblique()
    image = drawn(plane, (rectangle_corners(TRUTH, 0.0, CARD_MM), 225))
    own, turned = rectangles_at(image, plane, np.array([TRUTH, TRUTH]), np.array([0.0, 0.015]), CARD_MM)
    assert turned.support == 1.0
    assert card_sigma_mm(own, 0.3) < card_sigma_mm(turned, 0.3)
