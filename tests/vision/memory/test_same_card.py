"""A card that is read as another once a coin on it is taken off is none that was laid in its place."""

from operator import attrgetter

import pytest
from shapely import Point, box
from shapely.geometry.base import BaseGeometry

from vision.detection import Detection
from vision.memory.same_card import as_known_cards
from vision.memory.tracker import Tracker
from vision.track import Track

AT_MM, COIN_MM = (100.0, 100.0), (105.0, 122.0)
CARD_MM, COIN = box(68, 55, 132, 145), Point(COIN_MM).buffer(11)
# As a shrunk picture tells what went: with its shadow, and widened.
WENT_MM = COIN.buffer(9)


def card(cls: str, x: float = 100.0) -> Detection:
    return Detection("card", cls, (x, 100.0), CARD_MM, 0.3, 0.9, (0, 0), class_log_probs={cls: -0.1})


COIN_ON_IT = Detection("coin", "eur-20c", COIN_MM, COIN, 0.3, 0.99, (0, 0), elevation_mm=0.3)


def after_a_look(seen: list[Detection], changed_mm: BaseGeometry, first: str = "QC") -> list[tuple[str, str]]:
    tracks = Tracker().after([card(first), COIN_ON_IT], 0.0).after(seen, 1.0, changed_mm=changed_mm).tracks
    return [(track.id, track.seen.cls) for track in tracks]


def test_a_card_keeps_its_name_where_only_a_coin_on_it_went() -> None:
    """It was told as one removed and another placed."""
    assert after_a_look([card("JC", 100.2)], WENT_MM) == [("k1", "QC")]
    assert after_a_look([card("QC")], WENT_MM) == [("k1", "QC")]


def test_a_card_keeps_its_name_where_a_coin_was_laid_on_another_on_it() -> None:
    """The pile is seen where the coin lay: what changed around it tells of no other card."""
    assert after_a_look([card("JC"), COIN_ON_IT], WENT_MM) == [("k1", "QC"), ("c2", "eur-20c")]


@pytest.mark.parametrize("changed_mm", [CARD_MM, WENT_MM.union(box(68, 55, 90, 80))], ids=["all", "an end"])
def test_another_card_in_its_place_is_told_where_the_rest_of_it_changed(changed_mm: BaseGeometry) -> None:
    told = after_a_look([card("JC")], changed_mm)
    assert [each for each in told if each[0].startswith("k")] == [("k3", "JC")]


def test_a_card_that_no_look_named_is_named_by_this_one() -> None:
    assert after_a_look([card("JC")], WENT_MM, first="unknown") == [("k1", "JC")]


def test_of_a_card_of_which_hardly_any_is_bare_nothing_is_told() -> None:
    rider = Detection("soldier", "foot", AT_MM, Point(AT_MM).buffer(40), 0.3, 0.99, (0, 0))
    read = as_known_cards([Track("k1", card("QC"), 0.0)], [card("JC"), rider], COIN, attrgetter("footprint"))
    assert [each.cls for each in read] == ["JC", "foot"]
