"""Which piece of one picture is which of another."""

from __future__ import annotations

from dataclasses import replace

from shapely import Point

from rules.course.pairing import paired
from rules.scene import Piece
from tests.rules.test_match import a_coin, a_scene


def a_base(id_, x, y, radius_mm):
    return Piece(id_, "base", "base", (x, y), Point(x, y).buffer(radius_mm), sigma_mm=1.0)


def test_bases_of_unlike_size_are_not_mixed_up():
    before = a_scene(a_base("a", 120, 307, 16.4), a_base("b", 137, 187, 12.0))
    after = a_scene(a_base("x", 130, 206, 16.3), a_base("y", 77, 291, 12.4))
    assert paired(after, before) == {"x": "a", "y": "b"}


def test_what_is_named_goes_with_what_has_that_name():
    """The unknown coin lies nearer to where the penny was."""
    before = a_scene(a_coin("penny", 362, 272, "gbp-1p"), a_coin("five", 360, 408))
    after = a_scene(a_coin("x", 425, 313, "unknown"), a_coin("y", 295, 362, "gbp-1p"))
    assert paired(after, before) == {"x": "five", "y": "penny"}


def test_who_lies_still_does_so_whatever_the_camera_calls_it():
    before = a_scene(a_coin("a", 100, 100, "unknown"), a_coin("b", 150, 100))
    after = a_scene(a_coin("x", 100, 100), a_coin("y", 220, 100, "unknown"))
    assert paired(after, before) == {"x": "a", "y": "b"}


def test_no_piece_goes_without_its_like_where_all_find_one():
    """Nearest first leaves the fifty over."""
    before = a_scene(a_coin("a", 100, 100, "unknown"), a_coin("b", 160, 100, "gbp-50p"))
    after = a_scene(a_coin("x", 110, 100, "gbp-50p"), a_coin("y", 300, 300))
    assert paired(after, before) == {"x": "b", "y": "a"}
    assert paired(after, a_scene()) == {}


def test_a_name_that_a_person_put_right_is_known():
    before, after = a_scene(a_coin("a", 100, 100)), a_scene(a_coin("x", 200, 100, "gbp-10p"))
    assert paired(after, before) == {}
    assert paired(after, before, {"a": {"class": "gbp-10p"}}) == {"x": "a"}
    assert paired(replace(after, pieces=()), before) == {}
