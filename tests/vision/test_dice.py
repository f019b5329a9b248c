"""A die shows its sides, too; no other die stands where they show."""

import numpy as np
import pytest

from tests.vision.planes import plane_from
from vision.detect.dice import _are_sides

EYE = (200.0, -420.0, 560.0)
AT = (200.0, 150.0)


def stand_of_near_side():
    """Where a die would stand whose top showed where the near side of the one at AT shows: by similar triangles, along
    the ray from the eye through (200, 142, 8) to the height of a top, 16 mm."""
    share = (560 - 16) / (560 - 8)
    return 200.0, -420 + (142 + 420) * share


def are_sides(stands_mm, heat, names):
    plane = plane_from(EYE, (200.0, 150.0))
    return _are_sides(plane, np.array(stands_mm), np.array(heat), names).tolist()


def test_a_side_is_no_die():
    assert are_sides([AT, stand_of_near_side()], [0.85, 0.6], ["1", "3"]) == [False, True]


@pytest.mark.parametrize(
    ("other_mm", "heat", "name"),
    [
        (stand_of_near_side(), 0.85, "3"),  # as warm as a top: another die that touches it
        (stand_of_near_side(), 0.6, "6"),  # six lies under one, not beside it
        (stand_of_near_side(), 0.6, "1"),
        ((200.0, 170.0), 0.6, "3"),  # behind it no side shows
        ((222.0, 150.0), 0.6, "3"),
        ((200.0, 120.0), 0.6, "3"),
    ],
)
def test_another_die_beside_it_is_kept(other_mm, heat, name):
    assert are_sides([AT, other_mm], [0.85, heat], ["1", name]) == [False, False]


def test_from_straight_above_and_with_none_nothing_is_a_side():
    above = plane_from((200.0, 150.0, 700.0), AT)
    stands = np.array([AT, (222.0, 150.0)])
    assert not _are_sides(above, stands, np.array([0.9, 0.5]), ["1", "3"]).any()
    assert _are_sides(above, np.zeros((0, 2)), np.zeros(0), []).shape == (0,)
