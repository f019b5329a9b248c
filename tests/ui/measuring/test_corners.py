"""Three clicked corners, and the coin that lies in the fourth; four, on coins and on what else stands out."""

import cv2
import numpy as np
import pytest

from tests.vision.scale.test_marked_corner import CAMERA, CORNERS, clicks, coins, detections
from ui.measuring.clicked import Click
from ui.measuring.clicked_marks import THICK_MM, look_for
from ui.measuring.corners import by_four, by_three
from vision.frame import Frame

SIZE_MM = (640.0, 440.0)
BLANK = Frame(np.full((1080, 1920, 3), 90, np.uint8))


def eyes_see(seen, monkeypatch):
    monkeypatch.setattr("ui.measuring.corners.look_for", lambda *_: lambda frame, plane: detections(seen, plane))


def by_coins(seen, monkeypatch):
    monkeypatch.setattr("ui.measuring.corners._Clicked._coins", seen)
    eyes_see(seen, monkeypatch)
    return by_three(BLANK, SIZE_MM, [Click(u, v) for u, v in np.round(clicks(seen)).tolist()], None)


def test_a_coin_in_each_corner_is_as_good_as_four_clicks(monkeypatch):
    told = by_coins(coins(), monkeypatch)
    assert told.by == "the coin in it" and not told.block.ellipses
    places_px, places_mm = np.array(told.block.points)[:, :2], np.array(told.block.points)[:, 2:]
    assert np.abs(places_px - CAMERA.to_image(CORNERS)).max() < 1.0
    assert (places_mm == CORNERS).all()


def test_without_one_the_coins_sizes_alone_are_asked_and_say_how_well_they_do(monkeypatch):
    with pytest.raises(ValueError, match=r"far left corner, and three corners and 13 coins tell the table to \d+ mm"):
        by_coins(coins(CORNERS[:3], np.random.default_rng(5).uniform((40, 40), (300, 200), (10, 2))), monkeypatch)


def tops_of(seen):
    return [Click(*coin.centre_px) for coin in seen[:4]]


def test_four_clicks_on_coins_are_told_where_these_touch_the_table(monkeypatch):
    """Their tops show 1.7 to 2.0 mm off, towards the camera."""
    eyes_see(coins(), monkeypatch)
    told = by_four(BLANK, SIZE_MM, tops_of(coins()), CAMERA.lens)
    shown_px = np.array(told.block.points)[:, :2]
    assert np.hypot(*(shown_px - CAMERA.to_image(CORNERS)).T).max() < 0.8
    assert np.hypot(*(np.array(tops_of(coins()))[:, :2] - CAMERA.to_image(CORNERS)).T).min() > 1.3
    # Every other has no name, and nobody knows its thickness to less.
    assert 0 < told.block.points_raised_mm < 1


def test_three_of_them_through_a_measured_lens_too(monkeypatch):
    eyes_see(coins(), monkeypatch)
    told = by_three(BLANK, SIZE_MM, tops_of(coins())[:3], CAMERA.lens)
    shown_px = np.array(told.block.points)[:, :2]
    assert told.by == "the lens" and np.hypot(*(shown_px - CAMERA.to_image(CORNERS[:3])).T).max() < 0.8


def test_what_stands_out_and_is_no_coin_may_be_thick(monkeypatch):
    eyes_see([], monkeypatch)
    picture = BLANK.image_bgr.copy()
    for u, v in CAMERA.to_image(CORNERS).round().astype(int).tolist():
        cv2.ellipse(picture, (u, v), (22, 15), 0, 0, 360, (30, 30, 160), -1, cv2.LINE_AA)
    clicked = [Click(u, v) for u, v in CAMERA.to_image(CORNERS).tolist()]
    assert by_four(Frame(picture), SIZE_MM, clicked, CAMERA.lens).block.points_raised_mm == THICK_MM
    assert by_four(BLANK, SIZE_MM, clicked, CAMERA.lens).block.points_raised_mm == 0


def test_coins_in_corners_are_seen_where_the_plane_is_rough(monkeypatch):
    """Off the table by more than its edge allows for, the eyes passed them over."""
    wide = look_for.__wrapped__(SIZE_MM, None).__self__.table_size_mm
    assert wide == (SIZE_MM[0] + 120, SIZE_MM[1] + 120)


def test_the_currency_that_a_player_told_is_the_eyes():
    told = look_for.__wrapped__(SIZE_MM, "eur").__self__.wanted
    assert max(told.expected, key=told.expected.get) == "eur" and told.kinds == {"coin"}
    assert look_for.__wrapped__(SIZE_MM, None).__self__.wanted.expected is None
