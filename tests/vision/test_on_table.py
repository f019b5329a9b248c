"""Only what happens on the table holds it up: a player behind it may fidget."""

import cv2
import numpy as np
import pytest

from tests.vision.planes import plane_from
from vision.change import Change
from vision.on_table import OnTable

SIZE_MM = (700.0, 500.0)
# From above and in front: the table's far side shows at a third of the picture's height.
PLANE = plane_from((350.0, -500.0, 700.0), (350.0, 200.0), (1280, 960), 900.0)
SCALE = 480 / 1280
SHAPE = (360, 480)


def at(x_mm, y_mm):
    """Where a place on the table shows in the shrunk picture, px."""
    return tuple(int(p) for p in np.rint(PLANE.to_image([(x_mm, y_mm)])[0] * SCALE))


def kept(*drawn):
    """Of what was drawn what counts as changed, and all of it."""
    mask = np.zeros(SHAPE, np.uint8)
    for draw in drawn:
        draw(mask)
    change = OnTable()(Change(mask, mask, SCALE), PLANE, SIZE_MM)
    assert change.is_moving == change.is_changed and not (change.moving > change.changed).any()
    return change.changed, mask


def coin(x_mm, y_mm):
    return lambda mask: cv2.circle(mask, at(x_mm, y_mm), 4, 255, -1)


def body(down):
    """Who sits behind the table, down to a row."""
    return lambda mask: cv2.rectangle(mask, (100, 0), (380, down), 255, -1)


def arm(x_mm, y_mm):
    """From the picture's left edge to a place on the table."""
    return lambda mask: cv2.line(mask, (-5, 300), at(x_mm, y_mm), 255, 20)


FAR_SIDE = at(350, 500)[1]


@pytest.mark.parametrize("down", [FAR_SIDE // 2, FAR_SIDE])
def test_who_sits_behind_the_table_may_move(down):
    counts, _ = kept(body(down))
    assert not counts.any()


def test_who_leans_over_it_counts():
    counts, all_of_it = kept(body(FAR_SIDE + 8))
    assert np.array_equal(counts, all_of_it)


@pytest.mark.parametrize("place_mm", [(350, 250), (350, 492), (8, 8), (692, 8)])
def test_a_piece_counts_up_to_the_tables_sides_and_who_sits_there_does_not(place_mm):
    alone, _ = kept(coin(*place_mm))
    counts, _ = kept(coin(*place_mm), body(FAR_SIDE // 2))
    assert alone.any() and np.array_equal(counts, alone)


def test_an_arm_counts_to_the_pictures_edge_where_it_has_no_sleeve_too():
    whole, drawn = kept(arm(300, 200))
    assert np.array_equal(whole, drawn) and whole[:, 0].any()
    u, _ = at(0, 200)
    torn, drawn = kept(arm(300, 200), lambda mask: cv2.rectangle(mask, (u - 30, 0), (u - 26, 359), 0, -1))
    assert np.array_equal(torn, drawn) and torn[:, 0].any()


def test_a_table_that_goes_on_behind_the_camera_is_watched_everywhere():
    low = plane_from((350.0, 250.0, 300.0), (350.0, 900.0), (1280, 960), 900.0)
    mask = np.full(SHAPE, 255, np.uint8)
    assert OnTable()(Change(mask, mask, SCALE), low, SIZE_MM).changed.all()


def test_a_table_measured_anew_is_watched_anew():
    watch, mask = OnTable(), np.zeros(SHAPE, np.uint8)
    body(FAR_SIDE)(mask)
    assert not watch(Change(mask, mask, SCALE), PLANE, SIZE_MM).changed.any()
    lower = plane_from((350.0, -500.0, 700.0), (350.0, 0.0), (1280, 960), 900.0)
    assert watch(Change(mask, mask, SCALE), lower, SIZE_MM).changed.any()
