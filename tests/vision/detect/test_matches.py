"""Matches on drawn pictures: a stick with a head is borne out and measured, a road or a bare proposal is not."""

import cv2
import numpy as np
import pytest
from shapely import MultiLineString

from models.pieces import MATCH
from tests.vision.planes import plane_from
from vision.detect.matches import find_matches
from vision.detect.pieces import Peaks
from vision.shape.rectangle import rectangle_corners

GROUND, WOOD, HEAD = (90, 130, 100), (150, 190, 215), (40, 40, 150)


@pytest.fixture
def plane():
    return plane_from((160, -250, 700), (160, 128))


def stripe(picture, plane, at_mm, angle, size_mm, bgr):
    corners = plane.to_image(rectangle_corners(np.array(at_mm), angle, size_mm), 1.1)
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)


def proposed(*places):
    """Peaks of the net: (x, y, rad, heat) each."""
    rows = np.array(places, float)
    return {MATCH: Peaks(rows[:, :2], rows[:, 3], rows[:, 2], np.zeros(len(rows)))}


def table():
    return np.full((960, 1280, 3), GROUND, np.uint8)


def with_match(picture, plane, at_mm, angle):
    """A stick of 43 mm, the last 4 mm its head."""
    ahead = np.array([np.cos(angle), np.sin(angle)])
    stripe(picture, plane, at_mm, angle, (43, 2.4), WOOD)
    stripe(picture, plane, np.array(at_mm) + 19.5 * ahead, angle, (4, 2.6), HEAD)
    return picture


@pytest.mark.parametrize("angle", [0.3, 1.9, 4.0])
def test_a_match_is_measured_from_a_proposal_beside_it(plane, angle):
    picture = with_match(table(), plane, (150, 120), angle)
    (match,) = find_matches(picture, plane, proposed((151.5, 119, angle + 0.08, 0.4)))
    assert np.hypot(match.position_mm[0] - 150, match.position_mm[1] - 120) < 1.0
    assert (match.rotation_deg - np.degrees(angle) + 180) % 360 - 180 == pytest.approx(0, abs=1.5)


def test_a_match_that_shows_smaller_is_known_less_well(plane):
    far = plane_from((160, -500, 1400), (160, 128))
    sigmas_mm = []
    for camera in (plane, far):
        picture = with_match(table(), camera, (150, 120), 0.5)
        (match,) = find_matches(picture, camera, proposed((150, 120, 0.5, 0.4)))
        sigmas_mm.append(match.sigma_mm)
    assert sigmas_mm[1] > sigmas_mm[0] + 0.1


def test_the_head_tells_the_direction_when_the_net_has_it_backwards(plane):
    picture = with_match(table(), plane, (150, 120), 0.5)
    (match,) = find_matches(picture, plane, proposed((150, 120, 0.5 + np.pi, 0.4)))
    assert match.rotation_deg == pytest.approx(np.degrees(0.5), abs=1.5)


def test_print_under_a_match_does_not_hide_it(plane):
    picture = table()
    for x in range(100, 200, 12):
        stripe(picture, plane, (x, 120), np.pi / 2, (60, 6), (190, 215, 230))
    (match,) = find_matches(with_match(picture, plane, (150, 120), 0.2), plane, proposed((150, 120, 0.2, 0.4)))
    assert match.rotation_deg == pytest.approx(np.degrees(0.2), abs=3)


def test_many_matches_are_all_found(plane):
    picture, places = table(), [(x, y) for x in (90, 150, 210, 270) for y in (60, 85, 110, 135)]
    for place in places:
        picture = with_match(picture, plane, place, 0.2)
    assert len(find_matches(picture, plane, proposed(*((x, y, 0.2, 0.6) for x, y in places)))) == len(places)


def test_of_many_cool_proposals_the_one_on_a_stripe_is_read(plane):
    picture = with_match(table(), plane, (150, 120), 0.2)
    bare = [(x, y, 0.2, 0.3) for x in (90, 210, 270) for y in (40, 70, 100, 130, 160)]
    (match,) = find_matches(picture, plane, proposed(*bare, (150, 120, 0.2, 0.2)))
    assert match.position_mm == pytest.approx((150, 120), abs=1.5)


@pytest.mark.parametrize("length_mm", [20, 200], ids=["a short stick", "a road, which goes on"])
def test_a_stripe_of_another_length_is_no_match(plane, length_mm):
    picture = table()
    stripe(picture, plane, (150, 120), 0.5, (length_mm, 2.4), WOOD)
    assert find_matches(picture, plane, proposed((150, 120, 0.5, 0.7))) == []


def test_a_proposal_on_bare_cloth_is_nothing(plane):
    assert find_matches(table(), plane, proposed((150, 120, 0.5, 0.9))) == []


def test_two_proposals_of_one_match_are_one(plane):
    picture = with_match(table(), plane, (150, 120), 0.5)
    assert len(find_matches(picture, plane, proposed((150, 120, 0.5, 0.4), (152, 121, 0.45, 0.3)))) == 1


def test_without_proposals_there_is_nothing(plane):
    assert find_matches(table(), plane, {MATCH: Peaks(np.empty((0, 2)), *(np.empty(0),) * 3)}) == []


@pytest.mark.parametrize("chance, on, beside, across", [(0.95, 0, 0, 1), (0.99, 0, 1, 1)])
def test_what_lies_along_a_road_of_the_map_is_the_road_unless_it_is_read_past_doubt_beside_it(
    plane, monkeypatch, chance, on, beside, across
):
    """Stretches of orange roads were: between a coin and a town, 0.95, between a bend and a junction, 0.998."""
    read = np.log([[chance - 0.001, 0.001, 1 - chance]])
    monkeypatch.setattr("vision.detect.matches.read_sticks", lambda crops: np.repeat(read, len(crops), axis=0))
    picture = with_match(table(), plane, (150, 120), 0.0)
    roads = [(100, 120.5), (150, 120), (200, 120.3)], [(60, 121), (150, 121.5), (240, 120)], [(150, 60), (152, 180)]
    found = [find_matches(picture, plane, proposed((150, 120, 0.0, 0.4)), MultiLineString([each])) for each in roads]
    assert [len(each) for each in found] == [on, beside, across]
