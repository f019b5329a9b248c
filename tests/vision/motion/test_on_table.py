"""Only what happens on the table holds it up: a player behind it may fidget."""

import cv2
import numpy as np
import pytest
from shapely import Point

from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.frame import Frame
from vision.motion.change import Change, ChangeGate
from vision.motion.on_table import OnTable
from vision.observe import Observer

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


def film_with(coins, hand, fidget_px=0):
    """A picture of coins on a light table with a dark hand, or none, that reaches in behind it from the right."""
    image = np.full((960, 1280, 3), 190, np.uint8)
    for place_mm in coins:
        cv2.circle(image, tuple(int(p) for p in np.rint(PLANE.to_image([place_mm])[0])), 14, (40, 60, 90), -1)
    if hand:
        u, v = (round(p / SCALE) for p in at(350, 500))
        cv2.rectangle(image, (u - 40 + fidget_px, v - 120), (1279, v - 20), (60, 70, 110), -1)
    return image


def test_who_hovered_behind_the_table_in_the_agreed_picture_leaves_nothing_when_gone():
    """The ghost of an arm joined a piece taken from the far side, lingered, and kept all that was taken in its hand."""
    far, near = (350.0, 492.0), (200.0, 150.0)
    observer = Observer(PLANE, lambda *_: tuple(map(seen_at, lying)), SIZE_MM)
    told = []
    for n in range(40):
        lying = (far, near) if n < 10 else (far, (300.0, 150.0)) if n < 26 else ((300.0, 150.0),)
        seen = observer.update(Frame(film_with(lying, 8 <= n < 24), n, n / 8))
        told += [(n, len(seen.scene.pieces))] if seen.changed else []
    assert [count for _, count in told] == [2, 2, 1]
    assert told[-1][0] < 26 + 8


def seen_at(place_mm):
    """A coin seen there."""
    return Detection("coin", "gbp-10p", place_mm, Point(place_mm).buffer(12), 0.1, 0.99, (0, 0), owner="red")


@pytest.mark.parametrize("fidgets", [False, True])
def test_what_comes_behind_the_table_is_agreed_and_what_was_there_still_known(fidgets):
    watch, gate, seen = OnTable(), ChangeGate(), []
    for n, hand in enumerate((False, True, True, False)):
        image = film_with([(350.0, 250.0)], hand, 30 * n * fidgets)
        gate, change = gate.seen(Frame(image, n, float(n)))
        seen.append(change.is_changed)
        gate = gate.agreeing(Frame(image, n, float(n)), watch.beside(change, PLANE, SIZE_MM)) if n < 3 else gate
    assert seen == [False, True, fidgets, False]
