"""The blue scout on its own base in the sample match: two coins that the detector sees as one."""

from pathlib import Path

import numpy as np
import pytest

from models.coins import DIAMETER_MM
from ui.eyes import packaged_eyes
from ui.measured import measured_plane
from ui.setup_file import read_setup
from vision.detect.riders import are_carriers, riders
from vision.rim import Circles
from vision.video_file import frame_at

MATCH = Path(__file__).parents[2] / "sample_footage" / "omms"
BASE_MM, SCOUT_MM = (478.0, 196.0), (481.7, 196.4)
SETTLEMENT_MM = (390.0, 258.0)


@pytest.fixture(scope="module")
def table():
    setup, frame = read_setup(MATCH / "setup.toml"), frame_at(MATCH / "match.mp4", 0.5)
    return setup, frame, measured_plane(setup, frame)


def circle(centre_mm, cls="gbp-2p"):
    centre = np.array([centre_mm]).reshape(-1, 2)
    radius = np.full(len(centre), DIAMETER_MM[cls] / 2)
    return Circles(centre, radius, np.full(len(centre), 0.1), np.full(len(centre), 0.1))


def test_a_scout_on_its_base_is_a_coin_of_its_own(table):
    setup, frame, plane = table
    seen = packaged_eyes(setup.rules).look(frame, plane)
    near = [one for one in seen if np.linalg.norm(np.subtract(one.position_mm, BASE_MM)) < 8]
    scout = max(near, key=lambda one: one.elevation_mm)
    assert sorted(one.cls for one in near) == ["gbp-2p", "gbp-5p"]
    assert (scout.cls, scout.owner) == ("gbp-5p", "blue")
    assert scout.elevation_mm == pytest.approx(2.03)  # a two pence is 2.03 mm thick (Royal Mint)
    assert np.linalg.norm(np.subtract(scout.position_mm, SCOUT_MM)) < 1.0


def test_it_is_looked_for_only_where_what_is_seen_looks_like_no_coin(table):
    _, frame, plane = table
    assert len(riders(frame.image_bgr, plane, circle(BASE_MM), np.array([0.001])).heat) == 0
    assert len(riders(frame.image_bgr, plane, circle(BASE_MM), np.array([0.3])).heat) == 1


def test_a_bare_coin_carries_none(table):
    _, frame, plane = table
    assert len(riders(frame.image_bgr, plane, circle(SETTLEMENT_MM), np.array([0.3])).heat) == 0


def test_nothing_fits_on_the_smallest_coin_and_nothing_lies_on_none(table):
    _, frame, plane = table
    assert len(riders(frame.image_bgr, plane, circle(BASE_MM, "eur-1c"), np.array([0.3])).heat) == 0
    assert len(riders(frame.image_bgr, plane, circle([]), np.zeros(0)).heat) == 0


def test_a_coin_carries_what_is_smaller_and_lies_within_it():
    centre = np.array([[100.0, 100.0], [103.0, 101.0], [200.0, 100.0], [222.0, 100.0], [300.0, 100.0], [301.0, 100.0]])
    radius, error = np.array([13.0, 9.0, 13.0, 9.0, 11.0, 10.5]), np.full(6, 0.1)
    is_rider = np.array([False, True, False, True, True, True])
    carry = are_carriers(Circles(centre, radius, error, error), is_rider)
    assert list(carry) == [True, False, False, False, False, False]
    assert not are_carriers(Circles(centre, radius, error, error), np.zeros(6, bool)).any()
