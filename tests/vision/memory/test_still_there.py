"""Terrain that is not told any more goes only where its place changed."""

from dataclasses import replace

from shapely import Point, Polygon, box

from vision.detection import Detection
from vision.memory.tracker import Tracker

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


def a_man() -> Detection:
    """He stands before the box."""
    return Detection("soldier", "foot", (155, 60), box(145, 50, 165, 70), 1.0, 0.9, (0, 0))


def behind(seen: Detection) -> Polygon:
    """What a man hides reaches over the box; a box is no taller than its foot."""
    return box(140, 50, 170, 190) if seen.kind == "soldier" else seen.footprint


def came(tracker: Tracker) -> dict[str, bool]:
    return {piece.id: piece.came_in_sight for piece in tracker.pieces}


def test_a_box_that_is_first_seen_when_a_man_went_from_before_it_lay_there() -> None:
    left = Tracker().after([a_man()], 0.0).after([thing(BOX_MM)], 1.0, None, behind(a_man()), behind)
    assert came(left) == {"t2": True}


def test_a_box_that_is_put_down_where_a_man_stood_did_not() -> None:
    changed_mm = behind(a_man()).union(BOX_MM)
    left = Tracker().after([a_man()], 0.0).after([thing(BOX_MM)], 1.0, None, changed_mm, behind)
    assert came(left) == {"t2": False}
    in_his_place = thing(box(145, 50, 165, 70))
    left = Tracker().after([a_man()], 0.0).after([in_his_place], 1.0, None, behind(a_man()), behind)
    assert not came(left)["t2"]


def test_what_is_seen_at_first_lies_there_and_needs_no_word() -> None:
    assert came(start()) == {"t1": False}


def test_a_coin_goes_though_little_of_its_place_changed() -> None:
    coin = replace(thing(box(100, 100, 120, 120), "gbp-2p"), kind="coin", height_mm=2.0)
    left = Tracker().after([coin], 0.0).after([], 1.0, changed_mm=box(100, 100, 120, 105))
    assert classes(left) == {}


COIN_MM = Point(60, 60).buffer(10)


def coin(cls: str = "usd-25c", owner: str = "none") -> Detection:
    return Detection("coin", cls, (60, 60), COIN_MM, 0.1, 0.99, (0, 0), owner=owner)


def a_die(x_mm: float) -> Detection:
    footprint = box(x_mm - 8, 30, x_mm + 8, 46)
    return Detection("die", "6", (x_mm, 38), footprint, 0.8, 0.99, (0, 0), height_mm=16.0)


def behind_a_die(seen: Detection) -> Polygon:
    """A die hides what lies behind it, a coin nothing."""
    west, south, east, north = seen.footprint.bounds
    return box(west, south, east, north + 10) if seen.kind == "die" else seen.footprint


def test_a_coin_is_still_there_behind_a_die_that_came_if_the_rest_of_it_shows_as_before() -> None:
    die, came_mm = a_die(62), behind_a_die(a_die(62)).buffer(1)
    start = Tracker().after([coin()], 0.0)
    assert sorted(classes(start.after([die], 1.0, None, came_mm, behind_a_die)).values()) == ["6", "usd-25c"]
    whole_mm = came_mm.union(COIN_MM)
    assert sorted(classes(start.after([die], 1.0, None, whole_mm, behind_a_die)).values()) == ["6"]
    beside, beside_mm = a_die(90), behind_a_die(a_die(90)).union(box(64, 50, 72, 60))
    assert sorted(classes(start.after([beside], 1.0, None, beside_mm, behind_a_die)).values()) == ["6"]


def test_a_coin_over_whose_edge_a_phone_is_laid_is_still_there_if_the_rest_of_it_shows_as_before() -> None:
    start, phone_mm = Tracker().after([coin()], 0.0), box(50, 20, 100, 56.5)
    around_mm = phone_mm.buffer(6)
    assert list(classes(start.after([], 1.0, phone_mm, around_mm)).values()) == ["usd-25c"]
    assert not classes(start.after([], 1.0, phone_mm, around_mm.union(COIN_MM.buffer(6))))
    assert not classes(start.after([], 1.0, box(50, 20, 100, 49), around_mm.union(COIN_MM.buffer(6))))


def test_print_that_is_taken_for_a_coin_beside_one_that_went_did_not_come() -> None:
    beside_it = Point(75, 60).buffer(8)
    assert classes(start().after([thing(BOX_MM), coin()], 1.0, changed_mm=beside_it)) == {"t1": "box"}
    assert "usd-25c" in classes(start().after([thing(BOX_MM), coin()], 1.0, changed_mm=COIN_MM)).values()


def test_a_coin_in_the_place_of_one_like_it_changes_little_but_its_dot() -> None:
    before = Tracker().after([coin(owner="red")], 0.0)
    after = before.after([coin(owner="blue")], 1.0, changed_mm=Point(60, 60).buffer(3))
    assert [track.seen.owner for track in after.tracks] == ["blue"]


TILE_MM = box(300, 100, 335, 135)


def a_tile() -> Detection:
    return replace(thing(TILE_MM, "paper"), height_mm=0.0, sigma_mm=2.0)


def a_coin_on_it() -> Detection:
    return Detection("coin", "gbp-2p", (318, 117), Point(318, 117).buffer(13), 0.2, 0.99, (0, 0))


def test_a_tile_on_which_a_coin_is_laid_is_still_there_and_is_when_the_coin_goes() -> None:
    """More than half of it changed by a coin and its shadow: it was gone, and came back as another."""
    changed_mm = Point(319, 118).buffer(16.5)
    laid = Tracker().after([a_tile()], 0.0).after([a_coin_on_it()], 1.0, None, changed_mm)
    assert {track.id: track.hidden for track in laid.tracks} == {"t1": False, "c2": False}
    assert classes(laid.after([a_tile()], 2.0, None, changed_mm)) == {"t1": "paper"}


def test_a_tile_that_went_and_in_whose_place_a_coin_lies_is_gone() -> None:
    after = Tracker().after([a_tile()], 0.0).after([a_coin_on_it()], 1.0, None, TILE_MM.buffer(3))
    assert classes(after) == {"c2": "gbp-2p"}


def a_coin(cls: str, at_mm: tuple[float, float], diameter_mm: float) -> Detection:
    disc = Point(at_mm).buffer(diameter_mm / 2)
    return Detection("coin", cls, at_mm, disc, 0.2, 0.9, (0, 0), owner="blue", class_log_probs={cls: 0.0})


def shown(tracker: Tracker) -> list[tuple[str, str, tuple[float, float]]]:
    return [(track.id, track.seen.cls, track.seen.position_mm) for track in tracker.tracks if not track.hidden]


def test_a_coin_over_whose_rim_a_phone_lies_is_no_smaller_one_on_it() -> None:
    """As a drawn phone left it: a sixth of a fifty pence under it, what showed read as a ten pence 1.2 mm aside."""
    before = Tracker().after([a_coin("gbp-50p", (100.0, 100.0), 27.3)], 0.0)
    phone_mm = box(40, 107.5, 160, 180)
    rest = a_coin("gbp-10p", (99.9, 98.8), 24.5)
    after = before.after([rest], 1.0, phone_mm, phone_mm.buffer(6.0))
    assert shown(after) == [("c1", "gbp-50p", (100.0, 100.0))]
    again = after.after([a_coin("gbp-50p", (100.0, 100.0), 27.3)], 2.0, None, phone_mm.buffer(6.0))
    assert shown(again) == [("c1", "gbp-50p", (100.0, 100.0))]


def test_a_coin_laid_on_what_shows_of_another_is_told() -> None:
    before = Tracker().after([a_coin("gbp-50p", (100.0, 100.0), 27.3)], 0.0)
    phone_mm, upper = box(40, 107.5, 160, 180), a_coin("gbp-10p", (99.9, 98.8), 24.5)
    changed_mm = phone_mm.buffer(6.0).union(upper.footprint)
    assert ("c2", "gbp-10p", (99.9, 98.8)) in shown(before.after([upper], 1.0, phone_mm, changed_mm))
