"""Figures too faint to be told: where one is missed he may stand there, and nobody else."""

from dataclasses import replace

import numpy as np
from shapely import Point, box
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.memory.agree import agreed, unanimous
from vision.memory.tracker import Tracker


def man(x: float, y: float, chance: float = 0.95, owner: str = "red") -> Detection:
    looks = {"foot": -0.1, "mounted": -3.0}
    disc = Point(x, y).buffer(10)
    return Detection(
        "soldier", "foot", (x, y), disc, 2.0, chance, (x, y), owner=owner, class_log_probs=looks, faint=chance <= 0.5
    )


ANN, BOB = man(100, 100), man(300, 100)


def places(tracker: Tracker) -> dict[str, tuple[float, float]]:
    return {track.id: track.seen.position_mm for track in tracker.tracks}


def start(*seen: Detection) -> Tracker:
    return Tracker().after(seen, 0.0)


def test_nobody_is_born_of_a_faint_sight() -> None:
    assert places(start(ANN, man(200, 200, 0.4))) == {"s1": (100, 100)}
    assert places(start(ANN).after([ANN, man(200, 200, 0.4)], 1.0)) == {"s1": (100, 100)}


def test_who_is_missed_went_where_a_figure_is_faintly_seen() -> None:
    after = start(ANN, BOB).after([BOB, man(150, 180, 0.3)], 1.0)
    assert places(after) == {"s1": (150, 180), "s2": (300, 100)}
    assert not any(track.seen.faint for track in after.tracks)
    assert places(after.after([BOB, man(152, 181)], 2.0)) == places(after)


def test_who_is_faintly_seen_in_his_place_stays() -> None:
    after = start(ANN, BOB).after([man(104, 97, 0.2), BOB], 1.0)
    assert places(after) == {"s1": (100, 100), "s2": (300, 100)}


def beside_ann_changed(*seen: Detection) -> dict[str, tuple[float, float]]:
    """Ann and Bob after a look, since which a hand was beside Ann's place, and his own may have changed."""
    return places(start(ANN, BOB).after(seen, 1.0, changed_mm=box(107, 60, 320, 140)))


def test_who_is_faintly_seen_in_his_place_hardly_changed_did_not_go_where_a_comrade_came() -> None:
    """He moved there, and the one who came was told as who stands there still."""
    assert beside_ann_changed(man(104, 97, 0.4), man(150, 100)) == {"s1": (100, 100), "s2": (150, 100)}
    new = beside_ann_changed(man(104, 97, 0.4), man(150, 100), BOB)
    assert new == {"s1": (100, 100), "s2": (300, 100), "s3": (150, 100)}


def test_who_is_seen_no_more_or_as_an_enemy_may_have_gone_there() -> None:
    assert beside_ann_changed(man(150, 100), BOB) == {"s1": (150, 100), "s2": (300, 100)}
    assert beside_ann_changed(man(104, 97, 0.4, "blue"), man(150, 100), BOB)["s1"] == (150, 100)


def test_a_comrade_faintly_seen_in_a_place_that_changed_took_it() -> None:
    after = start(ANN).after([man(104, 97, 0.4), man(150, 100)], 1.0, changed_mm=box(0, 0, 700, 500))
    assert places(after) == {"s1": (150, 100)}


def test_a_sure_sight_counts_before_a_faint_one_that_is_nearer() -> None:
    after = start(ANN).after([man(130, 100, 0.45), man(400, 100)], 1.0)
    assert places(after) == {"s1": (400, 100)}


def test_of_two_faint_sights_as_far_the_likelier_counts() -> None:
    after = start(ANN).after([man(150, 100, 0.16), man(100, 150, 0.45)], 1.0)
    assert places(after) == {"s1": (100, 150)}


def test_a_faint_sight_where_nothing_changed_is_nobody() -> None:
    changed_mm = box(80, 80, 120, 120)
    assert places(start(ANN, BOB).after([BOB, man(150, 180, 0.4)], 1.0, changed_mm=changed_mm)) == {"s2": (300, 100)}


def test_whose_a_faint_figure_is_who_is_missed_knows_better_than_its_paint() -> None:
    after = start(ANN).after([man(150, 100, 0.4, "blue")], 1.0)
    assert places(after) == {"s1": (150, 100)}
    assert after.tracks[0].seen.owner == "red"


def test_of_two_that_are_missed_each_goes_where_his_own_paint_shows() -> None:
    cat = man(130, 100, owner="blue")
    after = start(ANN, cat).after([man(131, 200, 0.3), man(99, 200, 0.3, "blue")], 1.0)
    assert places(after) == {"s1": (131, 200), "s2": (99, 200)}


def test_a_faint_sight_behind_one_who_came_is_his_head_and_not_who_is_missed() -> None:
    def hides(seen: Detection) -> BaseGeometry:
        x, y = seen.position_mm
        return box(x - 12, y - 12, x + 12, y + 60)

    after = start(ANN, BOB).after([man(400, 200), man(400, 240, 0.4)], 1.0, hides=hides)
    assert list(places(after).values()) == [(400, 200)]


def test_what_no_more_than_half_of_the_looks_saw_surely_is_faint() -> None:
    sure, faint = man(100, 100, 0.6), man(101, 100, 0.45)
    assert [seen.faint for seen in agreed([(sure,), (faint,)])] == [True]
    assert [seen.faint for seen in agreed([(sure,), (faint,), (sure,)])] == [False]
    assert agreed([(faint,), ()]) == ()


def test_looks_agree_whatever_they_see_faintly() -> None:
    assert unanimous([(ANN, man(200, 200, 0.3)), (ANN,)], None)
    assert not unanimous([(ANN, man(200, 200, 0.6)), (ANN,)], None)


def test_one_look_tells_no_faint_figure(monkeypatch) -> None:
    faint = replace(BOB, faint=True)
    monkeypatch.setattr(Eyes, "__call__", lambda *_: (ANN, faint))
    plane = TablePlane.__new__(TablePlane)
    assert Eyes().look(Frame(np.zeros((4, 4, 3), np.uint8)), plane) == (ANN,)
