"""Who stood behind another, hardly seen, comes in sight when that one goes."""

from dataclasses import replace
from functools import partial

import pytest
from shapely import Point

from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.memory.hiding import hidden_by
from vision.memory.tracker import Tracker

HIDES = partial(hidden_by, plane=plane_from((350.0, -420.0, 560.0), (350.0, 200.0)))


def man(x: float, y: float, chance: float = 0.97, *, faint: bool = False) -> Detection:
    at = (x, y)
    return Detection("soldier", "foot", at, Point(at).buffer(5), 0.8, chance, (0.0, 0.0), owner="red", faint=faint)


FRONT, FAR, HARDLY, BEHIND = man(346, 270), man(551, 209), man(343, 295, 0.19, faint=True), man(342, 296, 0.69)


def after(*looks: tuple[Detection, ...]) -> Tracker:
    tracker = Tracker()
    for n, look in enumerate(looks):
        tracker = tracker.after(look, float(n), hides=HIDES)
    return tracker


def places(tracker: Tracker) -> dict[str, tuple[float, float]]:
    return {piece.id: piece.position_mm for piece in tracker.pieces}


def test_he_who_went_is_not_taken_for_the_one_behind_him_and_that_one_did_not_come() -> None:
    """He was told as one who moved by 26 mm, and as another who was brought to where he had gone."""
    tracker = after((FRONT, HARDLY), (FAR, BEHIND))
    assert places(tracker) == {"s1": FAR.position_mm, "s2": BEHIND.position_mm}
    assert [piece.came_in_sight for piece in tracker.pieces] == [False, True]


@pytest.mark.parametrize("first", [(FRONT,), (FRONT, replace(HARDLY, position_mm=(342.0, 320.0)))])
def test_without_a_glimpse_of_another_there_he_stepped_back(first: tuple[Detection, ...]) -> None:
    assert places(after(first, (FAR, BEHIND))) == {"s1": BEHIND.position_mm, "s2": FAR.position_mm}


def test_where_nobody_else_is_seen_he_stepped_back() -> None:
    assert places(after((FRONT, HARDLY), (BEHIND,))) == {"s1": BEHIND.position_mm}


def test_who_comes_to_an_open_place_where_print_seemed_a_man_comes() -> None:
    print_ = man(551, 209, 0.3, faint=True)
    tracker = after((FRONT, print_), (FRONT, FAR))
    assert [piece.came_in_sight for piece in tracker.pieces] == [False, False]


def test_who_was_plainly_seen_though_nothing_had_changed_did_not_come() -> None:
    once = after((FRONT,)).after((FRONT, FAR), 1.0, changed_mm=Point(0, 0).buffer(5), hides=HIDES)
    assert places(once) == {"s1": FRONT.position_mm}
    then = once.after((man(200, 100), FAR), 2.0, hides=HIDES)
    assert places(then) == {"s1": (200, 100), "s2": FAR.position_mm}
    assert [piece.came_in_sight for piece in then.pieces] == [False, True]
