"""Clicks in a picture: rings first, then what the eye meets first."""

import math
from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box

from rules.scene import Piece
from tests.ui.builders import VIEW, a_coin, a_scene
from ui.paint.pointed import piece_at


class Slanting:
    """Seen from far away at 45 degrees: what is 10 mm higher shows 10 mm farther away. 1 px a mm."""

    def to_image(self, xy_mm, height_mm=0.0, /):
        return np.asarray(xy_mm, float).reshape(-1, 2) * (1, -1) - (0, height_mm)

    def to_table(self, px, height_mm=0.0, /):
        return (np.asarray(px, float).reshape(-1, 2) + np.array([0, height_mm])) * (1, -1)


def a_man(name, at, **more):
    return Piece(name, "soldier", "foot", at, Point(at).buffer(10.0), "red", **more)


def a_thing(name, cls, outline, height_mm):
    at = outline.centroid.coords[0]
    return Piece(name, "terrain", cls, at, outline, "none", height_mm=height_mm)


def met(x_mm, y_mm, height_mm, *pieces):
    [(u, v)] = Slanting().to_image([(x_mm, y_mm)], height_mm)
    found = piece_at(a_scene(*pieces), Slanting(), u, v)
    return found.id if found is not None else None


BOOK = a_thing("book", "book", box(50, 50, 250, 200), 30.0)
ON_IT = a_man("on it", (150.0, 100.0), elevation_mm=30.0, on="book")


@pytest.mark.parametrize(
    ("place", "pieces", "told"),
    [
        ((150, 100, 30), (BOOK, ON_IT), "on it"),  # its ring
        ((150, 95, 70), (BOOK, ON_IT), "on it"),  # its chest
        ((150, 100, 92), (BOOK, ON_IT), "on it"),  # the head of a tall one
        ((163, 95, 75), (BOOK, ON_IT), "on it"),  # a head that leans to a side
        ((150, 95, 110), (BOOK, ON_IT), "book"),  # above its head
        ((60, 60, 30), (BOOK, ON_IT), "book"),
        ((60, 50, 12), (BOOK, ON_IT), "book"),  # the book's near side
        ((150, 100, 120), (ON_IT,), None),
        # One behind the other: the nearer one is met, but for the ring of the farther one, which is drawn over it.
        ((100, 92, 30), (a_man("near", (100.0, 100.0)), a_man("far", (100.0, 150.0))), "near"),
        ((100, 145, 0), (a_man("near", (100.0, 100.0)), a_man("far", (100.0, 150.0))), "far"),
        ((100, 142, 40), (a_man("near", (100.0, 100.0)), a_man("far", (100.0, 150.0))), "far"),
        # A mug before a man, and a man before a mug.
        ((100, 62, 70), (a_thing("mug", "mug", Point(100, 100).buffer(40), 90.0), a_man("m", (100.0, 160.0))), "mug"),
        ((100, 32, 30), (a_thing("mug", "mug", Point(100, 100).buffer(40), 90.0), a_man("m", (100.0, 40.0))), "m"),
    ],
)
def test_what_the_eye_meets_first_is_meant(place, pieces, told):
    assert met(*place, *pieces) == told


def test_a_figure_s_body_wins_over_the_card_behind_it():
    card = Piece("card", "card", "AS", (100.0, 150.0), box(70, 110, 130, 190), "none")
    assert met(100, 95, 40, card, a_man("man", (100.0, 100.0))) == "man"
    assert met(100, 180, 0, card, a_man("man", (100.0, 100.0))) == "card"


def test_from_straight_above_the_ring_alone_is_clicked():
    man = replace(a_man("man", (60.0, 120.0)), height_mm=60.0)
    u, v = VIEW.to_image([(60, 120)])[0]
    assert piece_at(a_scene(man), VIEW, u, v) == man
    assert piece_at(a_scene(man), VIEW, u + 80, v) is None


def test_nothing_is_met_above_the_horizon():
    class Sky(Slanting):
        def to_table(self, px, height_mm=0.0, /):
            return np.full((1, 2), math.nan)

    assert piece_at(a_scene(BOOK, ON_IT), Sky(), 0, 0) is None


def test_the_smallest_piece_under_the_pointer_is_meant():
    small = a_coin("small", "gbp-5p", (60.0, 120.0))
    big = a_coin("big", "gbp-2", (62.0, 120.0))
    u, v = VIEW.to_image([(60, 120)])[0]
    found = piece_at(a_scene(big, small), VIEW, u, v)
    assert found is not None and found.id == "small"
    assert piece_at(a_scene(big, small), VIEW, u + 80, v) is None


def clicked(x_mm, *coins):
    u, v = VIEW.to_image([(x_mm, 120)])[0]
    return piece_at(a_scene(*coins), VIEW, u, v).id


def test_a_click_on_a_coin_means_it_however_near_another_one_lies():
    """Of two that touch the first was meant 4 mm deep in the second, and of a pile the lower coin was never met."""
    one, other = a_coin("c1", at=(60.0, 120.0)), a_coin("c2", at=(79.0, 120.0))
    assert [clicked(x_mm, one, other) for x_mm in (60, 68, 69.3, 69.7, 71, 79, 91)] == [*["c1"] * 3, *["c2"] * 4]
    below, upper = a_coin("c1", "gbp-2p", (60.0, 120.0)), a_coin("c2", "gbp-5p", (60.0, 120.0))
    assert (clicked(68, below, upper), clicked(71, below, upper)) == ("c2", "c1")
