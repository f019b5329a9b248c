"""Coins on cards lie as high as these are thick."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box

from vision.detect.coin.on_cards import CARD_MM, may_lie_on_card, on_cards, show_plainly
from vision.detection import Detection
from vision.shape.rim import Circles

CARD = Detection("card", "QH", (100.0, 100.0), box(68, 55, 132, 145), 0.2, 1.0, (0.0, 0.0))
COIN = Detection(
    "coin",
    "gbp-1p",
    (120.0, 130.0),
    Point(120, 130).buffer(10),
    0.2,
    1.0,
    (0.0, 0.0),
    lean=(-0.2, -1.1),
    height_mm=1.65,
)


def at(x_mm: float, y_mm: float) -> Detection:
    """The coin elsewhere."""
    return replace(COIN, position_mm=(x_mm, y_mm), footprint=Point(x_mm, y_mm).buffer(10))


def test_a_coin_on_a_card_lies_nearer_to_the_camera_than_it_seems() -> None:
    (coin,) = on_cards([COIN], [CARD])
    assert coin.elevation_mm == CARD_MM
    assert np.allclose(coin.position_mm, (120.0 - 0.2 * CARD_MM, 130.0 - 1.1 * CARD_MM))
    assert np.allclose(coin.footprint.centroid.coords[0], coin.position_mm)
    assert coin.sigma_mm == COIN.sigma_mm


@pytest.mark.parametrize(
    ("coin", "flat"),
    [
        (at(140, 100), [CARD]),
        (replace(COIN, elevation_mm=1.7, risen_log_odds=8.0), [CARD]),
        (COIN, [replace(CARD, kind="die", cls="3")]),
        (COIN, []),
    ],
    ids=["with its edge on the card", "on another coin there", "beside a die", "on the table"],
)
def test_another_stays(coin: Detection, flat: list[Detection]) -> None:
    assert on_cards([coin], flat) == [coin]


RAISED = replace(COIN, elevation_mm=4.0, elevation_sigma_mm=1.0, sigma_mm=1.2, sigma_at_height_mm=0.2)


def test_print_below_a_rim_is_no_stacks_side_unless_it_surely_is_one() -> None:
    seen = [replace(RAISED, risen_log_odds=log_odds) for log_odds in (4.0, 8.0)]
    flat, stacked = on_cards(seen, [CARD])
    assert flat.elevation_mm == CARD_MM
    assert np.allclose(flat.position_mm, (120.0 + 0.2 * 3.7, 130.0 + 1.1 * 3.7))
    assert flat.sigma_mm > 1.0
    assert stacked == seen[1]
    assert on_cards(seen, []) == seen


def test_a_coin_on_one_in_sight_stays_there() -> None:
    above = replace(RAISED, elevation_mm=COIN.height_mm or 0.0, risen_log_odds=0.0)
    assert on_cards([COIN, above], [CARD])[1] == above


def test_a_faint_one_is_a_coin_on_a_card_alone() -> None:
    faint = replace(COIN, faint=True)
    (told,) = on_cards([faint], [CARD])
    assert not told.faint
    assert told.elevation_mm == CARD_MM
    assert on_cards([faint], []) == []
    assert len(on_cards([faint, at(115, 125)], [CARD])) == 1


def doubted(count: int) -> Circles:
    """Circles of whose rims the net is unsure: by a tenth of their radii."""
    return Circles(np.zeros((count, 2)), np.full(count, 10.0), np.ones(count), np.ones(count))


def test_what_the_rim_net_doubts_is_a_coin_on_a_card_where_it_shows_as_plainly_as_no_print() -> None:
    support, apart, no_coin = np.array([[0.96, 53.0, 0.0], [0.85, 53.0, 0.0], [0.96, 40.0, 0.0], [0.96, 53.0, 0.4]]).T
    plain = show_plainly(support, apart, no_coin)
    assert plain.tolist() == [True, False, False, False]
    crops, solid = np.zeros((4, 8, 8, 3), np.uint8), np.zeros(4, bool)
    assert may_lie_on_card(crops, doubted(4), np.full(4, -0.75), solid, plain).tolist() == [True, False, False, False]


def test_plain_or_not_odds_that_are_hopeless_make_no_coin_of_it() -> None:
    crops, solid, plain = np.zeros((2, 8, 8, 3), np.uint8), np.zeros(2, bool), np.ones(2, bool)
    assert may_lie_on_card(crops, doubted(2), np.array([-1.9, -2.1]), solid, plain).tolist() == [True, False]
