"""Coins mark a table's corners: three are clicked, the fourth is found."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from models.coins import DIAMETER_MM, THICKNESS_MM
from tests.calibration.table_picture import a_camera, a_lens
from vision.detection import Detection
from vision.scale.coin_sizes import CoinEllipse, as_rulers
from vision.scale.marked_corner import marked_corners

SIZE = (1920, 1080)
CAMERA = a_camera(50, 1050, 2, 8, lens=a_lens(SIZE, (-0.05, 0.0, 0.0, 0.0, 0.0)))
CORNERS = np.array([[0, 0], [640, 0], [640, 440], [0, 440]], float)
ABOUT = np.random.default_rng(3).uniform((40, 40), (600, 400), (12, 2))
AROUND = np.linspace(0, 2 * np.pi, 16, endpoint=False)


def a_coin(at_mm, cls):
    spokes = np.c_[np.cos(AROUND), np.sin(AROUND)] * DIAMETER_MM[cls] / 2
    rim_px = CAMERA.to_image(np.asarray(at_mm) + spokes, THICKNESS_MM[cls])
    (u, v), (a, b), angle_deg = cv2.fitEllipseDirect(rim_px.astype(np.float32))
    return CoinEllipse(cls, (u, v), (a, b), angle_deg)


def coins(marks=CORNERS, about=ABOUT):
    return tuple(a_coin(at, cls) for at, cls in zip([*marks, *about], ["gbp-2p", "gbp-1p"] * 20, strict=False))


def detections(seen, plane=CAMERA):
    """What the eyes say of the coins, on a plane; every other they do not name."""
    found = []
    for number, coin in enumerate(seen):
        at = Point(plane.to_table([coin.centre_px], THICKNESS_MM[coin.cls])[0])
        outline = at.buffer(DIAMETER_MM[coin.cls] / 2)
        cls = "unknown" if number % 2 else coin.cls
        found.append(Detection("coin", cls, (at.x, at.y), outline, 0.3, 0.9, coin.centre_px))
    return found


def marked(seen, clicked_px, doubt=1.0):
    points = Correspondences.of(np.round(clicked_px), CORNERS[:3])
    plane = fit_plane(points, None, SIZE, (640, 440), as_rulers(seen))
    rough = replace(plane, covariance=doubt * plane.covariance)
    return marked_corners(detections(seen, rough), np.asarray(clicked_px), rough, CORNERS[3])


def clicks(seen):
    """As a hand clicks coins: a few px off their middles."""
    return np.add([coin.centre_px for coin in seen[:3]], [[3, -2], [-4, 1], [2, 3]])


def test_the_fourth_coin_is_found_and_all_are_told_where_they_touch_the_table():
    seen = coins()
    found = marked(seen, clicks(seen))
    assert np.hypot(*(found - CAMERA.to_image(CORNERS)).T).max() < 0.3


def test_where_no_coin_lies_none_is_made_up():
    seen = coins(CORNERS[:3])
    with pytest.raises(ValueError, match="no coins lie where"):
        marked(seen, clicks(seen))


def test_two_that_may_be_it_are_refused():
    seen = coins(about=np.vstack([ABOUT, [[17, 423]]]))
    with pytest.raises(ValueError, match="2 coins lie where"):
        marked(seen, clicks(seen), doubt=9.0)


def test_a_click_beside_its_coin_marks_nothing():
    seen = coins()
    beside = clicks(seen)
    beside[1] += [60, 0]
    with pytest.raises(ValueError, match="not all clicked corners have a coin"):
        marked_corners(detections(seen), beside, CAMERA, CORNERS[3])


def test_a_table_without_coins_has_no_marks():
    with pytest.raises(ValueError, match="not all clicked corners have a coin"):
        marked_corners([], clicks(coins()), CAMERA, CORNERS[3])
