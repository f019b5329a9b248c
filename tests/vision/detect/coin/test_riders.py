"""The blue scout on its own base in the sample match, two coins that the detector sees as one; and other pairs."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from models.coins import CROP_PX, DIAMETER_MM, RIM_SHARE, TYPICAL_THICKNESS_MM
from ui.eyes import packaged_eyes
from ui.measuring.measured import measured_plane
from ui.setup.setup_file import read_setup
from vision.classify import crops_of
from vision.detect.coin import coins
from vision.detect.coin.proposals import Proposals
from vision.detect.coin.riders import are_known, carriers_of, covered, riders
from vision.shape.rim import Circles
from vision.stream.video_file import frame_at

MATCH = Path(__file__).parents[4] / "sample_footage" / "omms"
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


def on(table, below):
    """The circles that ride on one, and how sure that is."""
    _, frame, plane = table
    height = np.full(len(below.radius_mm), TYPICAL_THICKNESS_MM)
    return riders(plane, below, crops_of(frame.image_bgr, plane, below.centre_mm, below.radius_mm, height))


def test_a_scout_on_its_base_is_a_coin_of_its_own(table):
    setup, frame, plane = table
    seen = packaged_eyes(setup.rules).look(frame, plane)
    near = [one for one in seen if np.linalg.norm(np.subtract(one.position_mm, BASE_MM)) < 8]
    scout = max(near, key=lambda one: one.elevation_mm)
    assert sorted(one.cls for one in near) == ["gbp-2p", "gbp-5p"]
    assert (scout.cls, scout.owner) == ("gbp-5p", "blue")
    assert scout.elevation_mm == pytest.approx(2.03)  # a two pence is 2.03 mm thick (Royal Mint)
    assert np.linalg.norm(np.subtract(scout.position_mm, SCOUT_MM)) < 1.0


def test_the_net_sees_it_where_it_shows(table):
    proposals, circles = on(table, circle(BASE_MM))
    assert len(circles.radius_mm) == 1 and proposals.heat[0] > 0.9
    # Seen in the plane of a coin on the table, what lies higher is farther from the camera.
    assert np.linalg.norm(circles.centre_mm[0] - SCOUT_MM) < 3
    assert circles.radius_mm[0] == pytest.approx(DIAMETER_MM["gbp-5p"] / 2, rel=0.08)


def test_a_bare_coin_carries_none(table):
    assert len(on(table, circle(SETTLEMENT_MM))[1].radius_mm) == 0


def test_a_rider_of_which_no_rim_shows_is_none(table, monkeypatch):
    _, frame, plane = table
    told = circles([on(table, circle(BASE_MM))[1].centre_mm[0], (392.0, 259.0)], [9.0, 9.0])
    monkeypatch.setattr(coins, "riders", lambda *_: (Proposals(told.centre_mm, told.radius_mm, np.full(2, 0.95)), told))
    below = SimpleNamespace(at=SimpleNamespace(circles=circle([BASE_MM, SETTLEMENT_MM])), crops=None)
    left = coins._riders(frame.image_bgr, plane, below)
    assert np.linalg.norm(left.circles.centre_mm - SCOUT_MM, axis=1) == pytest.approx([0], abs=3)


@pytest.mark.parametrize(("larger", "is_believed"), [(1.03, True), (1.09, True), (1.12, False)])
def test_where_the_rim_net_tells_a_larger_one_it_met_the_rim_below_in_part(table, monkeypatch, larger, is_believed):
    _, frame, plane = table
    told = circles([SCOUT_MM], [9.0])
    monkeypatch.setattr(coins, "riders", lambda *_: (Proposals(told.centre_mm, told.radius_mm, np.full(1, 0.95)), told))
    monkeypatch.setattr(coins, "look_at_rims", lambda *_: circles([SCOUT_MM], [larger * 9.0]))
    below = SimpleNamespace(at=SimpleNamespace(circles=circle(BASE_MM)), crops=None)
    assert coins._riders(frame.image_bgr, plane, below).circles.radius_mm[0] == (larger * 9.0 if is_believed else 9.0)


def test_nothing_fits_on_the_smallest_coin_and_nothing_lies_on_none(table):
    assert len(on(table, circle(BASE_MM, "eur-1c"))[1].radius_mm) == 0
    assert len(on(table, circle([]))[1].radius_mm) == 0


def circles(centre_mm, radius_mm):
    error = np.full(len(radius_mm), 0.1)
    return Circles(np.array(centre_mm, float), np.array(radius_mm, float), error, error)


def test_a_coin_carries_what_is_smaller_and_lies_within_it():
    every = circles(
        [(100, 100), (103, 101), (200, 100), (222, 100), (300, 100), (301, 100)], [13.0, 9.0, 13.0, 9.0, 11.0, 10.5]
    )
    riding = every.only(np.array([False, True, False, True, True, True]))
    assert list(carriers_of(every, riding)) == [True, False, False, False, False, False]
    assert not carriers_of(every, every.only(np.zeros(6, bool))).any()


@dataclass(frozen=True)
class Measured:
    """What stands for `CoinCircles`."""

    circles: Circles

    def only(self, keep):
        return Measured(self.circles.only(keep))

    def and_more(self, more):
        return Measured(self.circles.and_more(more.circles))


@pytest.mark.parametrize(
    ("named", "odds", "is_one"),
    [(0.995, 7.5, False), (0.8, 7.5, False), (0.995, 8.5, True), (0.7, 5.5, True)],
    ids=["its design", "its design in poor light", "by its odds", "on a coin that may be any"],
)
def test_a_circle_of_a_named_coin_s_own_design_is_no_coin(monkeypatch, named, odds, is_one):
    """A twenty pence's wide border passed for a five pence that lay on it, most often where it bore a dot."""
    below, surely = circles([(100, 100), (200, 100)], [10.7, 12.3]), circles([(201, 100)], [9.0])
    told, asked = {9.0: 12.0, 8.5: odds}, []

    def look(image_bgr, plane, measured, expected, riding):
        asked.append(list(riding.radius_mm))
        return SimpleNamespace(odds_but_for_dots=np.array([9.0, 9.0, *(told[radius] for radius in riding.radius_mm)]))

    monkeypatch.setattr(coins, "look_at", look)
    found = SimpleNamespace(at=Measured(below), naming=SimpleNamespace(probs=np.array([[named, 0], [1.0, 0]])))
    none = below.only(np.zeros(2, bool))
    monkeypatch.setattr(coins, "coin_probs", lambda naming: naming.probs)
    riding = Measured(surely.and_more(circles([(100.5, 100)], [8.5])))
    coins._with_riders(None, None, found, riding, none, SimpleNamespace(expected=None))
    assert asked[-1] == ([9.0, 8.5] if is_one else [9.0])


def test_what_rides_and_was_found_before_is_no_part_of_the_coin_below_either(monkeypatch):
    """A coin with another on it is told by its border alone; nothing was laid out where the detector had seen both."""
    asked = []

    def look(image_bgr, plane, measured, expected, riding):
        asked.append(list(riding.radius_mm))
        return SimpleNamespace(odds_but_for_dots=np.array([9.0, 9.0]))

    monkeypatch.setattr(coins, "look_at", look)
    monkeypatch.setattr(coins, "coin_probs", lambda naming: naming.probs)
    both, purse = circles([(100, 100), (101, 100)], [13.0, 9.0]), SimpleNamespace(expected=None)
    found = SimpleNamespace(at=Measured(both), naming=SimpleNamespace(probs=np.array([[0.5, 0.5], [1.0, 0.0]])))
    none = both.only(np.zeros(2, bool))
    coins._with_riders(None, None, found, Measured(none), both.only(np.array([False, True])), purse)
    assert asked == [[9.0]]
    assert coins._with_riders(None, None, found, Measured(none), none, purse) is found


def test_what_rides_hides_its_part_of_the_crop_below_and_nothing_else():
    """A crop's columns run along x, its rows against y."""
    every = circles([(100, 100), (200, 100)], [13.0, 13.0])
    hidden = covered(every, circles([(105, 100)], [8.0]))
    right, left = (round(CROP_PX / 2 * (1 + side * RIM_SHARE * 10 / 13)) for side in (1, -1))
    middle = CROP_PX // 2
    assert hidden[0, middle, middle] and hidden[0, middle, right] and not hidden[0, middle, left]
    assert hidden[0, :middle].sum() == pytest.approx(hidden[0, middle:].sum(), rel=0.05)
    assert not hidden[1].any()
    assert not covered(every, circles([(100, 100)], [14.0])).any()


def test_what_the_detector_saw_too_is_known():
    seen = circles([(100, 100), (101, 103)], [13.0, 9.0])
    assert list(are_known(circles([(101.3, 103), (101, 99), (140, 100)], [9.2, 9.0, 9.0]), seen)) == [
        True,
        False,
        False,
    ]
    assert not are_known(circles([(100, 100)], [9.0]), seen.only(np.zeros(2, bool))).any()
