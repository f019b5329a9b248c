"""Mugs and plates drawn as a camera sees them from above, and what a net might say of them."""

import cv2
import numpy as np
import pytest
from shapely import Point, box, contains_xy, union_all

from models import solids
from tests.vision.planes import plane_from
from vision.detect.round.rims import Rim
from vision.detect.round.vessels import Vessel, VesselMemory, _once_each, find_vessels, widened
from vision.detect.solid.glance import Glance, Sight, cells_mm
from vision.detect.solid.joined import joined
from vision.detection import Detection
from vision.metric.topview import TopView

SIZE_MM = (400.0, 320.0)
MUG, FOOT, MUG_MM = Point(180, 140).buffer(41), Point(180, 140).buffer(34), 88.0


@pytest.fixture
def surfaces():
    """The net says that nothing stands on a brown table, seen from in front."""
    plane = plane_from((200, -350, 550), (200, 160))
    view = TopView.of_table(plane, SIZE_MM, 1.0, 0.0, 25.0, solids.STRIDE_PX)
    top = np.full((view.size_px[1], view.size_px[0], 3), (60, 90, 130), np.uint8)
    maps = np.zeros((solids.CHANNELS, view.size_px[1] // 4, view.size_px[0] // 4), np.float32)
    maps[solids.GROUND.start] = 4.0
    return Glance(plane, view, top, maps, np.ones(maps.shape[1:], bool))


@pytest.fixture
def wide(surfaces):
    view = widened(surfaces.plane, surfaces.view)
    return Sight(surfaces.plane, view, np.full((view.size_px[1], view.size_px[0], 3), (60, 90, 130), np.uint8))


def draw(wide, outline, height_mm, foot=None, lid=(210, 215, 220)):
    """The sides, which foot and top span, and the top face."""
    at = [
        wide.view.to_px(wide.plane.behind(np.array(part.exterior.coords), z))
        for part, z in ((foot or outline, 0.0), (outline, height_mm))
    ]
    hull = cv2.convexHull(np.concatenate(at).astype(np.float32)).reshape(-1, 2)
    cv2.fillPoly(wide.seen, [np.rint(hull).astype(np.int32)], (150, 150, 160), cv2.LINE_AA)
    cv2.fillPoly(wide.seen, [np.rint(at[1]).astype(np.int32)], lid, cv2.LINE_AA)


def say(surfaces, cls, outline, height_mm, logit=5.0):
    cells = contains_xy(outline, *np.moveaxis(cells_mm(surfaces.view), -1, 0))
    surfaces.maps[solids.GROUND.start + solids.TERRAIN.index(cls), cells] = logit
    surfaces.maps[solids.HEIGHT, cells] = height_mm / solids.HEIGHT_UNIT_PX


def proposed(cls, outline, height_mm=50.0):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm)


def test_a_mug_is_found_by_its_rim_where_the_net_only_half_believes_in_it(surfaces, wide):
    draw(wide, MUG, MUG_MM, FOOT)
    say(surfaces, "mug", MUG, 60.0, logit=4.2)
    (mug,) = find_vessels(surfaces, wide)
    assert mug.name == "mug"
    assert tuple(mug.middle) == pytest.approx((180, 140), abs=4)
    assert mug.radius_mm == pytest.approx(41, rel=0.1)
    assert mug.height_mm == pytest.approx(MUG_MM, abs=10)
    # Until it is measured, its height is as unsure as what the net says of heights.
    assert mug.detection(surfaces.plane).height_sigma_mm == 20.0


def test_a_mug_at_the_tables_edge_is_found_by_a_rim_that_shows_beyond_it(surfaces, wide):
    at = Point(200, 250)
    draw(wide, at.buffer(38), 50.0, at.buffer(34))
    say(surfaces, "mug", at.buffer(38), 50.0)
    (mug,) = find_vessels(surfaces, wide)
    assert tuple(mug.middle) == pytest.approx((200, 250), abs=6)


@pytest.mark.parametrize("cls", ["none", "book", "paper"])
def test_a_printed_circle_is_no_vessel(surfaces, wide, cls):
    draw(wide, MUG, 0.0)
    say(surfaces, cls, box(100, 60, 260, 220), 0.0, logit=6.0)
    assert find_vessels(surfaces, wide) == []


def test_what_the_net_takes_for_another_round_thing_has_no_name(surfaces, wide):
    draw(wide, MUG, MUG_MM, FOOT)
    say(surfaces, "unknown", MUG, MUG_MM)
    assert [vessel.name for vessel in find_vessels(surfaces, wide)] == ["unknown"]


def test_what_is_too_small_for_what_the_net_takes_it_for_is_no_thing_by_itself(surfaces, wide):
    draw(wide, Point(180, 140).buffer(24), 3.0)
    say(surfaces, "plate", Point(180, 140).buffer(26), 3.0)
    vessels = find_vessels(surfaces, wide)
    assert [vessel.name for vessel in vessels] == ["unknown"]
    assert joined(vessels, [], surfaces.plane) == []


def test_a_nameless_proposal_takes_the_vessels_name_and_keeps_its_place(surfaces, wide):
    draw(wide, MUG, MUG_MM, FOOT)
    say(surfaces, "mug", MUG, MUG_MM)
    vessels, patch = find_vessels(surfaces, wide), Point(184, 146).buffer(39)
    (known,) = joined(vessels, [proposed("unknown", patch)], surfaces.plane)
    assert (known.thing.cls, known.thing.footprint) == ("mug", patch)
    assert known.drum is not None


def test_one_patch_over_two_mugs_becomes_two_mugs(surfaces, wide):
    places = [Point(130, 140), Point(230, 140)]
    for at in places:
        draw(wide, at.buffer(41), MUG_MM, at.buffer(34))
        say(surfaces, "mug", at.buffer(41), MUG_MM)
    patch = union_all([at.buffer(41) for at in places]).convex_hull
    found = joined(find_vessels(surfaces, wide), [proposed("unknown", patch)], surfaces.plane)
    assert sorted(round(known.thing.position_mm[0], -1) for known in found) == [130, 230]


def test_a_ring_around_a_mug_that_the_net_takes_for_a_part_of_it_hides_no_mug(surfaces):
    """A tray's rim, seen as high as the mug that stands on it, was the mug's and then nothing: both were gone."""
    ring, mug = vessel(92.0, 68.0), vessel(30.0, 70.0)
    assert not ring.is_itself and ring.worth > mug.worth
    assert _once_each([ring, mug]) == [mug]
    one = proposed("mug", mug.footprint)
    assert [known.thing for known in joined([ring], [one], surfaces.plane)] == [one]


def vessel(radius_mm, height_mm):
    """What the net takes for a mug."""
    at = np.array([200.0, 160.0])
    return Vessel(Rim((200.0, 180.0), 1.1 * radius_mm, 0.9), at, radius_mm, height_mm, np.array([0.9, 0.02, 0.05]))


def test_books_and_what_stands_elsewhere_stay_as_proposed(surfaces, wide):
    draw(wide, MUG, MUG_MM, FOOT)
    say(surfaces, "mug", MUG, MUG_MM)
    others = [proposed("book", box(100, 60, 260, 220)), proposed("unknown", box(320, 200, 370, 260))]
    found = joined(find_vessels(surfaces, wide), others, surfaces.plane)
    assert [known.thing for known in found[:2]] == others
    assert [known.drum for known in found[:2]] == [None, None]
    assert len(found) == 3


def test_vessels_are_looked_for_again_only_when_the_net_says_another_thing(surfaces):
    picture = np.full((480, 640, 3), 120, np.uint8)
    memory = VesselMemory()
    first = memory.of(picture, surfaces)
    assert memory.of(picture, surfaces) is first
    changed = Glance(surfaces.plane, surfaces.view, surfaces.seen, surfaces.maps + 1, surfaces.shown)
    assert memory.of(picture, changed) is not first
