"""Coins on larger ones that the detector saw as one; the sample match's scout on its base, and coins that lie alone."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.coins import DIAMETER_MM, TYPICAL_THICKNESS_MM
from ui.eyes import packaged_eyes
from ui.measuring.measured import measured_plane
from ui.setup.setup_file import read_setup
from vision.detect.coin.between_rims import parted
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.proposals import Proposals
from vision.shape.circle import fit_rims
from vision.shape.rim import Circles
from vision.stream.video_file import frame_at

FOOTAGE = Path(__file__).parents[4] / "sample_footage"
MATCH, STILLS = FOOTAGE / "omms", FOOTAGE / "stills"
TWO_ON_FIFTY_MM = (36.8, 361.9)
BASE_MM, SCOUT_MM = (478.0, 196.0), (481.7, 196.4)
SETTLEMENT_MM = (390.0, 258.0)
BASE_RADIUS_MM, SCOUT_RADIUS_MM = DIAMETER_MM["gbp-2p"] / 2, DIAMETER_MM["gbp-5p"] / 2


@pytest.fixture(scope="module")
def table():
    setup, frame = read_setup(MATCH / "setup.toml"), frame_at(MATCH / "match.mp4", 0.5)
    return frame.image_bgr, measured_plane(setup, frame)


def seen(table, centres_mm, radii_mm):
    """Circles there, as if the detector and the rim net had told them."""
    centre, radius = np.array(centres_mm, float).reshape(-1, 2), np.array(radii_mm, float)
    rims = fit_rims(*table, centre, radius, np.full(len(radius), TYPICAL_THICKNESS_MM), close=True)
    sure = Circles(centre, radius, 0.01 * radius, 0.01 * radius)
    return CoinCircles(Proposals(centre, radius, np.full(len(radius), 0.8)), sure, rims)


@pytest.mark.parametrize("larger", [1.1, 1.2])
def test_in_place_of_what_was_read_between_two_rims_comes_the_larger_coin(table, larger):
    """The small coin's is 9 mm, the large one's 13 mm."""
    told = parted(*table, seen(table, [SCOUT_MM, SETTLEMENT_MM], [larger * SCOUT_RADIUS_MM, BASE_RADIUS_MM])).circles
    assert np.linalg.norm(told.centre_mm - [SETTLEMENT_MM, BASE_MM], axis=1) == pytest.approx([0, 0], abs=1)
    assert told.radius_mm == pytest.approx([BASE_RADIUS_MM] * 2, rel=0.05)


def test_where_both_were_seen_and_where_one_lies_alone_nothing_is_another(table):
    both = seen(table, [SCOUT_MM, BASE_MM, SETTLEMENT_MM], [SCOUT_RADIUS_MM, BASE_RADIUS_MM, BASE_RADIUS_MM])
    assert parted(*table, both) is both


def test_the_lower_of_two_coins_is_found_where_the_upper_one_was_seen_alone():
    """Two cents on fifty, on two more: the fifty, of which a third shows, was overlooked."""
    setup, frame = read_setup(STILLS / "still-004-stack.setup.toml"), frame_at(STILLS / "still-004-stack.jpg", 0)
    seen = packaged_eyes(setup.rules).look(frame, measured_plane(setup, frame))
    near = [one for one in seen if np.linalg.norm(np.subtract(one.position_mm, TWO_ON_FIFTY_MM)) < 3]
    assert [one.cls for one in sorted(near, key=lambda one: one.elevation_mm)] == ["eur-50c", "eur-2c"]


def test_a_coin_below_two_others_is_told_once(table):
    twice = [SCOUT_MM, np.add(SCOUT_MM, (-0.8, 0.0)), SETTLEMENT_MM]
    told = parted(*table, seen(table, twice, [1.1 * SCOUT_RADIUS_MM, 1.1 * SCOUT_RADIUS_MM, BASE_RADIUS_MM])).circles
    assert told.radius_mm == pytest.approx([BASE_RADIUS_MM] * 2, rel=0.05)


def test_nothing_seen_is_nothing_parted(table):
    none = seen(table, [], [])
    assert parted(*table, none) is none


@pytest.mark.parametrize(
    ("width_mm", "line_px"), [(34, 2), (35, 2), (36, 2), (36, 3), (37, 3), (38, 2), (38, 3), (39, 2), (40, 3)]
)
def test_a_printed_hexagon_round_a_coin_is_no_coin_below_it(table, width_mm, line_px):
    """The rim net took it for a larger coin, which then was none: both were lost."""
    image, plane = table
    mat = np.where(inside(table, 60, 0)[..., None] & ~inside(table, 13.2, 1.9)[..., None], (80, 100, 85), image)
    printed = mat.astype(np.uint8)
    corners = SETTLEMENT_MM + width_mm / np.sqrt(3) * directions(6)
    cv2.polylines(printed, [shown_at(plane, corners, 0)], True, (150, 190, 160), line_px, cv2.LINE_AA, 4)
    alone = seen((printed, plane), [SETTLEMENT_MM], [BASE_RADIUS_MM])
    assert parted(printed, plane, alone).circles.radius_mm == pytest.approx([BASE_RADIUS_MM])


def inside(table, radius_mm, height_mm):
    """Which pixels show a disc about the settlement's coin."""
    image, plane = table
    disc = shown_at(plane, SETTLEMENT_MM + radius_mm * directions(60), height_mm)
    return cv2.fillPoly(np.zeros(image.shape[:2], np.uint8), [disc], 255, cv2.LINE_8, 4) > 0


def directions(count):
    angles = 2 * np.pi / count * np.arange(count)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def shown_at(plane, points_mm, height_mm):
    """Where points show, in sixteenths of a pixel."""
    return np.rint(plane.to_image(points_mm, height_mm) * 16).astype(np.int32)
