"""Terrain that is not told any more goes only where its place changed."""

from dataclasses import replace

from shapely import Polygon, box

from vision.detection import Detection
from vision.track import Tracker

BOX_MM = box(100, 100, 200, 180)
MAN_BEFORE_IT_MM = box(140, 90, 170, 130)


def thing(footprint: Polygon, cls: str = "box") -> Detection:
    middle = footprint.centroid
    return Detection("terrain", cls, (middle.x, middle.y), footprint, 5.0, 0.9, (0, 0), height_mm=40.0)


def classes(tracker: Tracker) -> dict[str, str]:
    return {track.id: track.seen.cls for track in tracker.tracks}


def start() -> Tracker:
    return Tracker().after([thing(BOX_MM)], 0.0)


def test_a_box_before_which_a_man_came_is_still_there_though_no_look_tells_it() -> None:
    assert classes(start().after([], 1.0, changed_mm=MAN_BEFORE_IT_MM)) == {"t1": "box"}


def test_a_box_of_which_the_whole_place_changed_is_gone() -> None:
    assert classes(start().after([], 1.0, changed_mm=BOX_MM.buffer(5))) == {}
    assert classes(start().after([], 1.0)) == {}


def test_a_box_in_whose_place_another_thing_is_seen_shows_no_more() -> None:
    book = thing(box(130, 110, 200, 175), "book")
    after = start().after([book], 1.0, changed_mm=MAN_BEFORE_IT_MM)
    assert [track.seen.cls for track in after.tracks if not track.hidden] == ["book"]


def test_a_coin_goes_though_little_of_its_place_changed() -> None:
    coin = replace(thing(box(100, 100, 120, 120), "gbp-2p"), kind="coin", height_mm=2.0)
    left = Tracker().after([coin], 0.0).after([], 1.0, changed_mm=box(100, 100, 120, 105))
    assert classes(left) == {}
