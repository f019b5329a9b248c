"""What is read as a one stands on a side with pips, or is a head, a dot, a letter."""

import cv2
import numpy as np
import pytest

from models.pieces import DIE_SIDE_MM
from tests.vision.planes import plane_from
from vision.detect.die.die_sides import side_chances

AT = np.array([200.0, 150.0])
PLANE = plane_from((200.0, -420.0, 560.0), (200.0, 150.0))
HALF_MM, PIP_MM = DIE_SIDE_MM / 2, 1.5
FIVE = ((0, 0), (-4, -4), (-4, 4), (4, -4), (4, 4))
ROUND = np.linspace(0, 2 * np.pi, 24)


def upright(picture, outline_mm, turn_deg, bgr):
    """Fills an outline (n, 2) on the near side of a die that is turned, mm from that side's middle."""
    turn = np.radians(turn_deg)
    right, out = np.array([np.cos(turn), np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])
    across, up = np.asarray(outline_mm, float).T
    px = PLANE.to_image(AT + HALF_MM * out + across[:, None] * right, HALF_MM + up)
    cv2.fillPoly(picture, [np.rint(px * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)


def seen(turn_deg, pips, body=(30, 30, 30), ink=(235, 235, 235)):
    """A side of a die that stands on grey, with pips at such places."""
    picture = np.full((*PLANE.lens.size_px[::-1], 3), (150, 160, 165), np.uint8)
    upright(picture, HALF_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), turn_deg, body)
    for place in pips:
        upright(picture, np.array(place) + PIP_MM * np.c_[np.cos(ROUND), np.sin(ROUND)], turn_deg, ink)
    return cv2.GaussianBlur(picture, (0, 0), 0.7)


@pytest.mark.parametrize("turn_deg", [0, 12, -30])
def test_pips_on_a_side_are_read_however_the_die_is_turned(turn_deg):
    assert side_chances(seen(turn_deg, FIVE), PLANE, AT[None])[0] > 0.95


@pytest.mark.parametrize("pips", [(), ((0, 0),)])
def test_a_bare_side_and_one_that_would_lie_on_top_or_below_say_nothing(pips):
    assert side_chances(seen(0, pips), PLANE, AT[None])[0] == 0


def test_only_the_die_whose_side_it_is_is_told():
    both = np.array([AT - (60, 0), AT])
    assert (side_chances(seen(0, FIVE), PLANE, both) > 0).tolist() == [False, True]
    assert side_chances(seen(0, FIVE), PLANE, np.zeros((0, 2))).shape == (0,)


def test_from_straight_above_no_side_shows():
    above = plane_from((200.0, 150.0, 700.0), (200.0, 150.0))
    assert side_chances(seen(0, FIVE), above, AT[None])[0] == 0
