"""Coins that lay under another, seen as one with it: they show when it goes, and nobody put them down."""

from dataclasses import replace

import pytest

from models.coins import THICKNESS_MM
from tests.vision.memory.test_piles import LEAN, NOT_TOLD, SURELY_FLAT, coin, pile
from vision.detection import Detection
from vision.memory.tracker import Tracker

# As `sandtable play` saw a five pence on a penny, and the penny when the five pence was carried to the next card.
PENNY = coin("gbp-1p", 100, 100)
HIGH_MM = THICKNESS_MM["gbp-1p"]
TOP = replace(
    coin("gbp-5p", 99, 100 + LEAN[1] * -HIGH_MM), sigma_mm=1.7, elevation_sigma_mm=0.9, risen_log_odds=NOT_TOLD
)
AWAY = coin("gbp-5p", 180, 95, SURELY_FLAT)
PLAINLY_FLAT = replace(TOP, sigma_mm=0.2, elevation_sigma_mm=0.0)


def came_in_sight(*looks: list[Detection]) -> list[bool]:
    """Of the pieces of the last look, whether each was there before it was seen."""
    tracker = Tracker()
    for t_s, look in enumerate(looks):
        tracker = tracker.after(look, float(t_s))
    return [piece.came_in_sight for piece in tracker.pieces]


def test_one_that_shows_where_another_was_taken_off_lay_there() -> None:
    """It had been told as put down, against the rules."""
    assert came_in_sight([TOP], [AWAY, PENNY]) == [False, True]


def test_one_under_a_coin_that_was_seen_to_lie_on_something_lay_there() -> None:
    risen = replace(PLAINLY_FLAT, elevation_mm=HIGH_MM, position_mm=(99, 100))
    assert came_in_sight([risen], [AWAY, PENNY]) == [False, True]


@pytest.mark.parametrize("top", [PLAINLY_FLAT, replace(TOP, risen_log_odds=SURELY_FLAT)])
def test_one_in_the_place_of_a_coin_that_plainly_lay_on_the_table_was_put_there(top: Detection) -> None:
    assert came_in_sight([top], [AWAY, PENNY]) == [False, False]


@pytest.mark.parametrize("beside", [coin("gbp-1p", 100, 105), coin("gbp-1p", 100, 140), coin("gbp-2p", 99, 100)])
def test_one_that_the_top_cannot_have_hidden_was_put_there(beside: Detection) -> None:
    assert came_in_sight([TOP], [AWAY, beside]) == [False, False]


def test_one_put_where_another_was_taken_off_the_table_was_exchanged_for_it() -> None:
    assert not any(came_in_sight([TOP], [PENNY]))


def test_another_in_the_place_of_a_known_pile_was_put_there() -> None:
    """What lay under the top is remembered: this is not it."""
    away, instead = coin("gbp-10p", 180, 95), coin("gbp-5p", 100, 100)
    after = pile().after([away, instead], 2.0)
    assert after.pieces[-1].cls == "gbp-5p" and not after.pieces[-1].came_in_sight
