"""Hands among figures and household things: what they put where."""

from __future__ import annotations

import math

import numpy as np
from shapely import Point, box

from sample_footage.camera import looking_at
from sample_footage.drawn_match import do, seats
from sample_footage.figure import Figure
from sample_footage.solid_play import DEEDS, SolidPlay, hidden_by

CAMERA = looking_at((350, 228, 0), 900, 50)
MUG = np.asarray(Point(350, 200).buffer(40).exterior.coords)
BEHIND_MUG = hidden_by(MUG, 90.0, CAMERA)


def figure(number: int, x: float, y: float) -> Figure:
    return Figure(f"s{number}", "foot", (x, y), number, 11.0, 50.0, "red")


def a_match(seed: int) -> SolidPlay:
    rng = np.random.default_rng(seed)
    lying = {one.id: one for one in (figure(n, 80.0 + 90 * n, 420.0) for n in range(6))}
    reserve = [figure(9, 30.0, 30.0)]
    play = SolidPlay(rng, seats(rng), lying, [], reserve=reserve, things=[BEHIND_MUG])  # type: ignore[arg-type]
    do(play, DEEDS, 30)
    return play


def test_a_thing_hides_what_lies_behind_it_and_no_more() -> None:
    assert BEHIND_MUG.contains(box(330, 180, 370, 220))
    assert BEHIND_MUG.contains(Point(350, 270)) and not BEHIND_MUG.intersects(Point(350, 150))
    [top] = CAMERA.project([(350.0, 240.0, 90.0)])
    [ground] = CAMERA.to_plane([top])
    assert BEHIND_MUG.distance(Point(ground)) < 0.5


def test_figures_are_put_where_they_show_and_stand_on_nobody() -> None:
    for seed in range(4):
        for change in a_match(seed).changes:
            if change.after is not None and change.taken_s != change.put_s:
                assert not BEHIND_MUG.intersects(Point(change.after.position_mm).buffer(11.0))
        standing = [one.position_mm for one in a_match(seed).lying.values()]
        assert all(math.dist(a, b) > 22.0 for n, a in enumerate(standing) for b in standing[:n])


def test_who_is_brought_was_kept_back() -> None:
    brought = [change for seed in range(6) for change in a_match(seed).changes if change.before is None]
    assert brought and all(change.after is not None and change.after.id == "s9" for change in brought)
