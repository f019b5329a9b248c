"""Stills: truth that the code still tells, pictures on which the markers stand where the set-up's camera sees them."""

import json
import tomllib

import cv2
import numpy as np
import pytest

from sample_footage.kingsmere import MAP_FILE
from sample_footage.lie_of_the_land import MARKER_CENTRES_MM
from sample_footage.map_sheet import MARKER_MM
from sample_footage.scene_truth import scene_truth, visible_shares
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import LARGEST_BYTES, LOOKS, still

SHIPPED_SEED = 2026
FOLDER = MAP_FILE.parent.parent / "stills"
STILLS = [still(number, SHIPPED_SEED) for number in range(len(LOOKS))]
ON_MAP = [made for made in STILLS if made.ground.has_map]


@pytest.mark.parametrize("made", STILLS, ids=lambda made: made.name)
def test_shipped_truth_is_what_the_code_tells(made):
    told = scene_truth(made.coins, made.camera, visible_shares(made.coins, made.camera), made.looks)
    shipped = json.loads((FOLDER / f"{made.name}.truth.geojson").read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(told))
    known = () if made.ground.has_map else KNOWN
    assert tomllib.loads((FOLDER / f"{made.name}.setup.toml").read_text()) == tomllib.loads(
        setup_toml(made.camera, known)
    )
    assert (FOLDER / f"{made.name}.jpg").stat().st_size <= LARGEST_BYTES


KNOWN = ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0), (40.0, 460.0), (350.0, 250.0))


@pytest.mark.parametrize("made", ON_MAP, ids=lambda made: made.name)
def test_markers_lie_where_the_camera_sees_them(made):
    picture = cv2.imread(str(FOLDER / f"{made.name}.jpg"))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    assert len(ids) >= 3  # the far ones of the blurred picture are hard for OpenCV
    half = MARKER_MM / 2
    for found, number in zip(corners, ids.ravel(), strict=True):
        x, y = MARKER_CENTRES_MM[number]
        true = made.camera.project(
            [(x + dx * half, y + dy * half, 0) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        )
        # White paper blooms into black print where a lens blurs light and the eye of the film is not linear, so the
        # four corners move inwards together; the middle stays.
        assert np.hypot(*(found.reshape(4, 2) - true).T).max() < 0.6 + 0.75 * made.sensor.blur_px
        assert abs(np.mean(found.reshape(4, 2) - true, axis=0)).max() < 0.2


def test_set_holds_every_look_and_currency():
    assert {look for made in STILLS for look in made.looks} == set(LOOKS) - {"plain"}
    assert {coin.cls[:3] for made in STILLS for coin in made.coins} == {"gbp", "eur", "usd"}
    assert {made.coins[0].cls[:3] for made in STILLS} >= {"gbp", "eur", "usd"}


def test_camera_stands_35_to_60_degrees_up():
    for made in STILLS:
        forward = np.asarray(made.camera.rotation)[2]
        assert 35 <= np.degrees(np.arcsin(-forward[2])) <= 60


def test_coins_touch_but_do_not_overlap():
    for made in STILLS:
        lying = [coin for coin in made.coins if coin.on is None]
        for index, coin in enumerate(lying):
            for other in lying[index + 1 :]:
                assert np.hypot(*np.subtract(coin.position_mm, other.position_mm)) > coin.radius_mm + other.radius_mm


def test_another_seed_makes_other_pictures():
    assert still(0, 1).coins != still(0, 2).coins
