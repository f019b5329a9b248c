"""Taught names stay with their pieces where the light does not let every look give them."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point

from vision.detection import Detection
from vision.memory.tracker import Tracker


def coin(cls, at_mm, width_mm=24.5, **chances):
    disc = Point(at_mm).buffer(width_mm / 2)
    log_probs = {name.replace("_", "-"): float(np.log(chance)) for name, chance in chances.items()}
    return Detection("coin", cls, at_mm, disc, 0.2, 0.9, at_mm, class_log_probs=log_probs)


def figure(kind, cls, at_mm):
    return Detection(kind, cls, at_mm, Point(at_mm).buffer(12), 1.0, 0.9, at_mm, owner="red")


TOKEN = coin("token", (100.0, 100.0), token=0.9, gbp_10p=0.05)


@pytest.mark.parametrize("at_mm", [(100.5, 100.0), (300.0, 200.0)], ids=["in its place", "moved"])
def test_a_taught_coin_that_one_look_takes_for_another_keeps_id_and_name(at_mm):
    """A new coin lay in its place, and the old one under it."""
    after = Tracker().after([TOKEN], 0.0).after([coin("gbp-10p", at_mm, gbp_10p=0.9, token=0.05)], 1.0)
    assert [(track.id, track.seen.cls, track.hidden) for track in after.tracks] == [("c1", "token", False)]


def test_another_coin_in_the_place_of_a_taught_one_is_another_coin():
    after = Tracker().after([TOKEN], 0.0).after([coin("gbp-10p", (100.5, 100.0), gbp_10p=0.99)], 1.0)
    assert ("c2", "gbp-10p", False) in [(track.id, track.seen.cls, track.hidden) for track in after.tracks]


@pytest.mark.parametrize(("kind", "read"), [("soldier", "foot"), ("base", "base")])
def test_a_taught_figure_is_called_so_once_he_is_known_and_stays_it(kind, read):
    """Who was first seen in a bad light was never called by his name, and a miniature lost its id with it."""
    man, officer = (figure(kind, cls, (200.0, 150.0)) for cls in (read, "officer"))
    moved = replace(man, position_mm=(300.0, 150.0), footprint=Point(300, 150).buffer(12))
    tracker, told = Tracker(), []
    for t_s, seen in enumerate((man, officer, moved)):
        tracker = tracker.after([seen], float(t_s))
        told.append([(track.id[1:], track.seen.cls) for track in tracker.tracks])
    assert told == [[("1", read)], [("1", "officer")], [("1", "officer")]]
