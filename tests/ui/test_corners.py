"""Three clicked corners, and the coin that lies in the fourth."""

import numpy as np
import pytest

from tests.vision.test_marked_corner import CAMERA, CORNERS, clicks, coins, detections
from ui.clicked import Click
from ui.corners import by_three
from vision.frame import Frame

SIZE_MM = (640.0, 440.0)
BLANK = Frame(np.full((1080, 1920, 3), 90, np.uint8))


def by_coins(seen, monkeypatch):
    monkeypatch.setattr("ui.corners._Clicked._coins", seen)
    monkeypatch.setattr("ui.corners._Clicked._look", lambda _, __, plane: detections(seen, plane))
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
