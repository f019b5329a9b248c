"""What a coin that may be the top of a stack states: its doubt in one picture, none in a match where nothing can lie
below it."""

from dataclasses import replace

import pytest
from shapely import Point

from rules.scene import COIN_DIAMETER_MM
from vision.detection import Detection
from vision.memory.tracker import Tracker

PLAIN_MM, DOUBTED_MM = 0.2, 0.96


def coin(cls: str, x: float, y: float) -> Detection:
    disc = Point(x, y).buffer(COIN_DIAMETER_MM[cls] / 2)
    return Detection(
        "coin", cls, (x, y), disc, PLAIN_MM, 0.99, (x, y), owner="red", sigma_at_height_mm=PLAIN_MM, height_mm=1.8
    )


def doubted(seen: Detection) -> Detection:
    """That may lie on something, as far as one look tells."""
    return replace(seen, sigma_mm=DOUBTED_MM, elevation_sigma_mm=0.7)


GUARD, PENNY = coin("gbp-10p", 100, 100), coin("gbp-1p", 300, 100)
ELSEWHERE = doubted(coin("gbp-10p", 200, 180))


def stated_mm(tracker: Tracker, piece: str) -> float:
    return next(track.seen.sigma_mm for track in tracker.tracks if track.id == piece)


def test_a_coin_that_lay_alone_goes_where_nothing_lies() -> None:
    after = Tracker().after([GUARD, PENNY], 0.0).after([ELSEWHERE, PENNY], 1.0)
    assert stated_mm(after, "c1") == pytest.approx(PLAIN_MM)
    assert after.tracks[0].seen.elevation_sigma_mm == 0


def test_it_stays_sure_while_it_is_looked_at_again() -> None:
    after = Tracker().after([GUARD], 0.0).after([ELSEWHERE], 1.0).after([ELSEWHERE], 2.0)
    assert stated_mm(after, "c1") == pytest.approx(PLAIN_MM)


def test_a_coin_that_is_new_may_have_brought_others_below_it() -> None:
    after = Tracker().after([PENNY], 0.0).after([PENNY, ELSEWHERE], 1.0)
    assert stated_mm(after, "c2") == DOUBTED_MM


def test_a_coin_in_doubt_at_first_takes_its_doubt_along() -> None:
    after = Tracker().after([doubted(GUARD)], 0.0).after([ELSEWHERE], 1.0)
    assert stated_mm(after, "c1") == DOUBTED_MM


def test_a_coin_that_hides_another_is_in_doubt() -> None:
    on_the_penny = doubted(coin("gbp-10p", 302, 100))
    after = Tracker().after([GUARD, PENNY], 0.0).after([on_the_penny], 1.0)
    assert after.tracks[1].hidden
    assert stated_mm(after, "c1") == DOUBTED_MM


def test_a_coin_that_carries_a_hidden_one_along_is_in_doubt() -> None:
    on_the_penny = coin("gbp-10p", 302, 100)
    stacked = Tracker().after([GUARD, PENNY], 0.0).after([on_the_penny], 1.0)
    assert stated_mm(stacked.after([ELSEWHERE], 2.0), "c1") == DOUBTED_MM


def test_a_stack_that_one_look_of_three_gives_a_chance_is_no_doubt() -> None:
    one_look = replace(GUARD, sigma_mm=1.1 * PLAIN_MM)
    after = Tracker().after([one_look], 0.0).after([ELSEWHERE], 1.0)
    assert stated_mm(after, "c1") == pytest.approx(PLAIN_MM)
