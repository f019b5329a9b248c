"""Shadows that are thrown on the ground without the renderer: where they fall and how much light they take."""

import numpy as np
import pytest

from models.training.rendered import shadows
from models.training.rendered.shadows import PX_PER_MM, Body, Lamp, Room

SIDE_MM = 100.0
DARK_ROOM = Room(np.zeros((32, 64, 3)), 0.0)


def board(z_mm, half_mm=10.0):
    """A square board about the origin, level, so high up."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half_mm
    points = np.c_[corners, np.full(4, z_mm)]
    return Body(points, [points])


def lamp(x, y, z, width=0.0):
    towards = np.array([x, y, z], float)
    return Lamp(towards / np.linalg.norm(towards), width, 1.0)


def lacking(things, *shining):
    return shadows.cast(np.random.default_rng(1), things, shining, SIDE_MM)


def test_a_lamp_above_darkens_what_lies_below():
    share = lacking(board(20.0), lamp(0, 0, 1), DARK_ROOM)
    assert share[50, 50] == pytest.approx(1.0) and share[50, 80] == 0
    assert share.sum() / PX_PER_MM**2 == pytest.approx(400, rel=0.15)


def test_a_shadow_falls_away_from_the_lamp_upwards_is_y():
    share = lacking(board(20.0), lamp(1, -1, 1), DARK_ROOM)
    rows, columns = np.nonzero(share > 0.5)
    assert (columns.mean(), rows.mean()) == pytest.approx((50 - 20, 50 - 20), abs=1)


def test_a_wide_lamp_has_a_soft_edge():
    hard, soft = (lacking(board(30.0), lamp(0, 0, 1, width), DARK_ROOM) for width in (0.0, 0.8))
    assert ((soft > 0.1) & (soft < 0.9)).sum() > 3 * ((hard > 0.1) & (hard < 0.9)).sum()


def test_an_even_room_darkens_the_ground_less_the_higher_a_board_is():
    room, none = Room(np.ones((32, 64, 3)), np.pi), Lamp(np.array([0, 0, 1.0]), 0.0, 0.0)
    low, high = (lacking(board(z_mm), none, room)[50, 50] for z_mm in (2.0, 30.0))
    assert low > 0.9 and 0.02 < high < 0.4


def test_a_room_shines_as_much_as_it_says():
    sides = Room(np.full((32, 64, 3), 2.0), 2 * np.pi).sides(np.random.default_rng(2))
    assert sum(strength for _, strength in sides) == pytest.approx(2 * np.pi, rel=0.05)
