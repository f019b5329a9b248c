"""Bowed cards lie where their middle lies, not where their sides seem to; flat ones stay where they are."""

import numpy as np
import pytest

from calibration.plane import TablePlane
from tests.vision.shape.test_rectangle import CARD_MM, drawn, oblique
from vision.detect.card.bowed import as_they_lie
from vision.shape.rectangle import RectangleFit, fit_rectangle

ASIDE_MM, NEAR_MM = np.array([140.0, 170.0]), np.array([260.0, 130.0])
# The camera looks along y, from x = 200 mm.
AHEAD_MM, ALONG_SIGHT_RAD = np.array([200.0, 120.0]), np.pi / 2
HOLDS = 2.45


def outline(plane: TablePlane, at_mm: np.ndarray, angle: float, bow_mm: float, *, along: bool = True) -> np.ndarray:
    """(k, 2) where the sides of a card show on the table, whose ends rise so far above its middle, or it above them."""
    steps, (length, breadth) = np.linspace(-0.5, 0.5, 40), CARD_MM
    sides = [(steps, -0.5), (0.5, steps), (steps[::-1], 0.5), (-0.5, steps[::-1])]
    u, v = (np.concatenate([np.broadcast_to(side[k], steps.shape) for side in sides]) for k in (0, 1))
    high = bow_mm * np.square(2 * (u if along else v)) - min(bow_mm, 0.0)
    turned = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return plane.to_table(plane.to_image(at_mm + np.stack([u * length, v * breadth], axis=1) @ turned, high))


def measured(plane: TablePlane, *cards: tuple[np.ndarray, float, float]) -> tuple[np.ndarray, list[RectangleFit]]:
    """A picture of cards at places, in directions, bowed by so many mm, and where they seem to lie."""
    image = drawn(plane, *((outline(plane, *card), 225) for card in cards))
    return image, [fit_rectangle(image, plane, at_mm, angle, CARD_MM) for at_mm, angle, _ in cards]


def off_mm(fit: RectangleFit, at_mm: np.ndarray) -> float:
    return float(np.linalg.norm(np.subtract(fit.centre_mm, at_mm)))


@pytest.mark.parametrize("angle", [0.5, 1.0, 2.4])
@pytest.mark.parametrize("bow_mm", [2.0, 4.0, -2.0, -4.0])
def test_a_card_whose_sides_are_bent_lies_where_its_middle_does(bow_mm: float, angle: float) -> None:
    plane = oblique()
    image, fits = measured(plane, (ASIDE_MM, angle, bow_mm))
    (laid,), _ = as_they_lie(image, plane, fits)
    assert off_mm(fits[0], ASIDE_MM) > 0.5
    assert off_mm(laid, ASIDE_MM) < 0.25
    assert laid.straight_mm < fits[0].straight_mm


def test_a_card_is_bowed_along_its_breadth_as_well() -> None:
    plane = oblique()
    image = drawn(plane, (outline(plane, ASIDE_MM, 0.8, 3.0, along=False), 225))
    fit = fit_rectangle(image, plane, ASIDE_MM, 0.8, CARD_MM)
    (laid,), _ = as_they_lie(image, plane, [fit])
    assert off_mm(laid, ASIDE_MM) < 0.25 < 0.5 < off_mm(fit, ASIDE_MM)


def test_flat_cards_stay_where_they_are() -> None:
    plane = oblique()
    image, fits = measured(plane, (ASIDE_MM, 0.5, 0.0), (NEAR_MM, 1.2, 0.0))
    laid, further_mm = as_they_lie(image, plane, fits)
    assert laid == fits
    assert further_mm.tolist() == [0.0, 0.0]


def test_a_card_along_the_way_of_sight_is_bowed_as_the_other_is_or_says_that_it_may_be() -> None:
    plane = oblique()
    image, fits = measured(plane, (np.array([100.0, 200.0]), 0.3, 3.0), (AHEAD_MM, ALONG_SIGHT_RAD, 3.0))
    alone, none_mm = as_they_lie(image, plane, fits[1:])
    assert (alone, none_mm.tolist()) == (fits[1:], [0.0])  # nothing shows of it
    (_, laid), further_mm = as_they_lie(image, plane, fits)
    assert off_mm(laid, AHEAD_MM) < 0.7 * off_mm(fits[1], AHEAD_MM)
    assert off_mm(laid, AHEAD_MM) < HOLDS * further_mm[1]


def test_one_that_hardly_shows_says_that_it_may_be_bowed_as_the_others_are() -> None:
    plane = oblique()
    cards = ((ASIDE_MM, 0.3, 3.0), (NEAR_MM, 0.3, 3.0))
    hidden = np.add(NEAR_MM, [(-60, -45), (60, -45), (60, 12), (-60, 12)])
    image = drawn(plane, *((outline(plane, *card), 225) for card in cards), (hidden, 60))
    fits = [fit_rectangle(image, plane, at_mm, angle, CARD_MM) for at_mm, angle, _ in cards]
    assert fits[1].support < 0.85
    laid, further_mm = as_they_lie(image, plane, fits)
    assert laid[1] == fits[1]
    assert further_mm[1] > 1.0 > further_mm[0]
