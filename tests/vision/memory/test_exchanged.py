"""Figures of one look that were moved in one go, one into the place of another."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box

from vision.detection import Detection
from vision.memory.tracker import Tracker

GREEN, BROWN, BLACK = (-2.0, -1.2, -1.6), (-2.2, -1.9, -1.4), (-3.3, -3.3, -3.2)
ANYWHERE = box(0, 0, 700, 500)


def base(x: float, y: float, radius_mm: float, paint: tuple[float, float, float] | None = None) -> Detection:
    """A miniature of nobody that can be told."""
    disc = Point(x, y).buffer(radius_mm)
    return Detection("base", "base", (x, y), disc, 1.0, 0.99, (x, y), owner="unknown", paint=paint)


def stood(*seen: Detection) -> Tracker:
    return Tracker().after(seen, 0.0)


def ids(tracker: Tracker) -> dict[str, tuple[float, float]]:
    return {track.id: track.seen.position_mm for track in tracker.tracks}


def test_two_miniatures_that_exchange_places_are_told_by_their_bases() -> None:
    crossed = stood(base(100, 100, 13, GREEN), base(600, 400, 21, BLACK)).after(
        [base(603, 399, 13, GREEN), base(97, 101, 21, BLACK)], 1.0, changed_mm=ANYWHERE
    )
    assert ids(crossed) == {"b1": (603, 399), "b2": (97, 101)}


def test_two_of_one_size_that_exchange_places_are_told_by_their_paint() -> None:
    both = stood(base(100, 100, 13, GREEN), base(600, 400, 13, BLACK))
    crossed = both.after([base(600, 400, 13.3, GREEN), base(100, 100, 12.8, BLACK)], 1.0, changed_mm=ANYWHERE)
    assert ids(crossed) == {"b1": (600, 400), "b2": (100, 100)}


def test_who_comes_to_stand_where_another_was_taken_off_is_who_is_missing_elsewhere() -> None:
    both = stood(base(100, 100, 13, GREEN), base(600, 400, 21, BLACK))
    assert ids(both.after([base(102, 100, 21, BLACK)], 1.0, changed_mm=ANYWHERE)) == {"b2": (102, 100)}
    assert ids(both.after([base(102, 100, 13, GREEN)], 1.0, changed_mm=ANYWHERE)) == {"b1": (100, 100)}


def test_who_comes_to_stand_where_another_went_away_moved_as_that_one_did() -> None:
    both = stood(base(100, 100, 13, GREEN), base(600, 400, 21, BLACK))
    after = both.after([base(102, 100, 21, BLACK), base(300, 200, 13, GREEN)], 1.0, changed_mm=ANYWHERE)
    assert ids(after) == {"b1": (300, 200), "b2": (102, 100)}


def test_where_nothing_changed_nobody_is_another() -> None:
    both, there = stood(base(100, 100, 13, GREEN), base(600, 400, 21, BLACK)), box(0, 0, 200, 200)
    after = both.after([base(100, 100, 21, BLACK), base(600, 400, 13, GREEN)], 1.0, changed_mm=there)
    assert ids(after) == {"b1": (100, 100), "b2": (600, 400)}


def test_from_elsewhere_where_bases_look_otherwise_nobody_is_another() -> None:
    both = stood(base(100, 100, 13, GREEN), base(600, 400, 18, BROWN))
    after = both.after([base(100, 100, 17, BROWN), base(600, 400, 14, GREEN)], 1.0, from_elsewhere=True)
    assert ids(after) == {"b1": (100, 100), "b2": (600, 400)}


def lit(seen: Detection, lamp: tuple[float, float, float]) -> Detection:
    """As other light shows it, so much more of blue, green and red, logarithms."""
    blue, green, red = np.add(seen.paint, lamp)
    return replace(seen, paint=(blue, green, red))


@pytest.mark.parametrize("lamp", [(0.9, 0.9, 0.9), (-0.9, -0.9, -0.9), (-0.3, 0.0, 0.2)])
def test_another_light_exchanges_nobody(lamp: tuple[float, float, float]) -> None:
    green, brown, black = base(100, 100, 13, GREEN), base(600, 400, 13, BROWN), base(300, 300, 13, BLACK)
    both = stood(green, brown, black)
    dimmed = [lit(seen, lamp) for seen in (green, brown, black)]
    assert ids(both.after(dimmed, 1.0, changed_mm=ANYWHERE)) == ids(both)
    assert ids(both.after(dimmed[:2], 1.0, changed_mm=ANYWHERE)) == {"b1": (100, 100), "b2": (600, 400)}
    assert ids(both.after(dimmed[1:], 1.0, changed_mm=ANYWHERE)) == {"b2": (600, 400), "b3": (300, 300)}


def test_who_is_new_where_another_stood_is_new_if_that_one_is_seen_elsewhere() -> None:
    after = stood(base(100, 100, 21, BLACK)).after(
        [base(101, 100, 13, GREEN), base(300, 200, 20, BLACK)], 1.0, changed_mm=ANYWHERE
    )
    assert ids(after) == {"b1": (300, 200), "b2": (101, 100)}


def test_who_is_captured_by_a_horseman_does_not_lie_hidden_under_his_broader_base() -> None:
    man, rider = (
        Detection("soldier", cls, (100, 100), Point(100, 100).buffer(wide), 1.0, 0.95, (100, 100), owner=owner)
        for cls, wide, owner in (("foot", 9.0, "red"), ("mounted", 14.0, "blue"))
    )
    assert ids(stood(man).after([rider], 1.0, changed_mm=ANYWHERE)) == {"s2": (100, 100)}


@pytest.mark.parametrize("paint", [None, GREEN])
def test_who_stays_is_nobody_else_where_one_is_taken_off_and_an_unlike_one_put_down(
    paint: tuple[float, float, float] | None,
) -> None:
    """Paint that is not told speaks for nobody."""
    both = stood(base(100, 100, 13, GREEN), base(600, 400, 13, BLACK))
    after = both.after([base(101, 100, 13, paint), base(300, 200, 13, GREEN)], 1.0, changed_mm=ANYWHERE)
    assert ids(after)["b1"] == (100, 100)


def test_a_man_of_no_army_that_is_told_stays_where_one_is_taken_off_and_an_enemy_put_down() -> None:
    def man(x: float, y: float, owner: str) -> Detection:
        return Detection("soldier", "foot", (x, y), Point(x, y).buffer(9.0), 1.0, 0.95, (x, y), owner=owner)

    both = stood(man(100, 100, "unknown"), man(600, 400, "red"))
    after = both.after([man(101, 100, "unknown"), man(300, 200, "blue")], 1.0, changed_mm=ANYWHERE)
    assert ids(after) == {"s1": (100, 100), "s3": (300, 200)}


def test_a_base_put_down_beside_the_place_of_an_unlike_one_that_was_taken_off_is_new() -> None:
    """It was told as that one moved, however unlike both were."""
    green = stood(base(100, 100, 13, GREEN))
    assert ids(green.after([base(150, 100, 20, BLACK)], 1.0, changed_mm=ANYWHERE)) == {"b2": (150, 100)}
    assert ids(green.after([base(150, 100, 15, GREEN)], 1.0, changed_mm=ANYWHERE)) == {"b1": (150, 100)}


def test_a_base_that_looks_otherwise_up_on_a_book_is_still_that_one() -> None:
    up = replace(base(150, 100, 20, BLACK), elevation_mm=20.0)
    assert ids(stood(base(100, 100, 13, GREEN)).after([up], 1.0, changed_mm=ANYWHERE)) == {"b1": (150, 100)}
