"""What counts as a move (C4.8): the error that all pieces of one plane share is none of what lies between two looks."""

from dataclasses import replace

import pytest
from shapely import Point, box
from shapely.affinity import rotate

from rules.course.changes import has_moved, is_read_anew
from rules.files.scene_file import scene_document, scene_from
from rules.scene import Piece, Scene


def a_coin(x, **more):
    return Piece("a", "coin", "gbp-5p", (x, 100.0), Point(x, 100).buffer(9), owner="red", **more)


# Three sigma of a pair, own errors alone: 3 * hypot(0.5, 0.5) = 2.12 mm; whole errors: 3 * hypot(1.3, 1.3) = 5.5 mm.
@pytest.mark.parametrize(
    ("by_mm", "planes", "moved"),
    [
        (2.0, ("p", "p"), False),
        (2.3, ("p", "p"), True),
        (2.3, ("p", "q"), False),
        (2.3, (None, None), False),
        (2.3, ("p", None), False),
        (5.4, ("p", "q"), False),
        (5.7, ("p", "q"), True),
    ],
)
def test_a_plane_that_both_looks_share_hides_no_move(by_mm, planes, moved):
    before, after = (
        a_coin(x, sigma_mm=1.3, shared_sigma_mm=1.2, plane=name)
        for x, name in zip((100.0, 100.0 + by_mm), planes, strict=True)
    )
    assert has_moved(before, after) == moved


@pytest.mark.parametrize(
    ("shown", "anew"),
    [
        (box(200, 232, 500, 272), False),  # trembled
        (rotate(box(200, 230, 500, 270), 15), True),
        (box(200, 250, 500, 290), True),  # shifted by half its breadth: less than 3 sigma of its place
        (box(270, 230, 430, 270), False),  # half hidden
    ],
)
def test_terrain_of_the_same_size_that_lies_otherwise_is_read_anew(shown, anew):
    wall = Piece("t", "terrain", "pencils", (350.0, 250.0), box(200, 230, 500, 270), sigma_mm=12.0)
    now = replace(wall, footprint=shown, position_mm=(shown.centroid.x, shown.centroid.y))
    assert (has_moved(wall, now), is_read_anew(wall, now)) == (False, anew)


def test_a_man_under_whom_a_book_was_slid_is_read_anew_and_one_on_a_book_read_a_little_higher_is_not():
    man = Piece("s", "soldier", "foot", (100.0, 100.0), Point(100, 100).buffer(8))
    on_book, higher = replace(man, elevation_mm=22.0), replace(man, elevation_mm=25.0)
    assert is_read_anew(man, on_book) and is_read_anew(on_book, man) and not is_read_anew(on_book, higher)


def test_below_a_millimetre_nothing_has_moved_however_sure():
    sure = a_coin(100.0, sigma_mm=0.9, shared_sigma_mm=0.9, plane="p")
    assert not has_moved(sure, replace(sure, position_mm=(100.99, 100.0)))
    assert has_moved(sure, replace(sure, position_mm=(101.01, 100.0)))


def test_a_scene_file_keeps_what_is_shared_and_an_old_one_has_none():
    coin = a_coin(100.0, sigma_mm=1.3, shared_sigma_mm=1.2, plane="p")
    document = scene_document(Scene((700.0, 500.0), (coin,)))
    again = scene_from(document, "a scene").pieces[0]
    assert (again.shared_sigma_mm, again.plane) == (1.2, "p")
    for key in ("shared_sigma_mm", "plane"):
        del document["features"][0]["properties"][key]
    old = scene_from(document, "a scene").pieces[0]
    assert (old.shared_sigma_mm, old.plane) == (0.0, None)
    assert not has_moved(old, replace(old, position_mm=(102.3, 100.0)))


@pytest.mark.parametrize(("by_mm", "sigma_mm", "anew"), [(2.7, 0.2, True), (0.9, 0.2, False), (2.7, 0.5, False)])
def test_a_coin_that_shows_beside_where_it_was_guessed_is_read_anew(by_mm, sigma_mm, anew):
    """It had gone under another unseen: 2 mm of doubt, of which 3 sigma are no move."""
    guessed, shown = a_coin(100.0, sigma_mm=2.0), a_coin(100.0 + by_mm, sigma_mm=sigma_mm)
    assert (has_moved(guessed, shown), is_read_anew(guessed, shown)) == (False, anew)


def test_a_die_whose_place_is_better_known_was_not_rolled():
    die = Piece("d", "die", "3", (100.0, 100.0), box(92, 92, 108, 108), sigma_mm=4.0)
    assert not is_read_anew(die, replace(die, position_mm=(102.0, 100.0), sigma_mm=0.3))
