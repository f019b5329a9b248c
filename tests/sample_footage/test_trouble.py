"""Trouble clips: what goes wrong goes wrong by as much as promised, and moves nothing else."""

import itertools
import json

import numpy as np
import pytest

from sample_footage.clip_truth import intervals
from sample_footage.ground import Ground, View
from sample_footage.hand_draw import Arm
from sample_footage.kingsmere import MAP_FILE
from sample_footage.light import Light
from sample_footage.match_clip import match_camera, results
from sample_footage.match_script import PIECES, gestures
from sample_footage.trouble_clips import DURATION_S, MOVES, TROUBLE_S, kicked, trouble_truth, troubles

TABLE = [(0, 0, 0), (700, 0, 0), (700, 500, 0), (0, 500, 0), (350, 250, 0)]
BY_NAME = {trouble.name: trouble for trouble in troubles()}


def test_kick_moves_the_picture_by_more_than_two_pixels_for_good():
    before, after = kicked()[0][2], kicked()[-1][2]
    shift = np.hypot(*(after.project(TABLE) - before.project(TABLE)).T)
    assert shift.min() > 2 and shift.max() < 40


def test_cameras_follow_one_another_without_gaps():
    spans = [(start, end) for start, end, _ in kicked()]
    assert spans[0][0] == 0 and spans[-1][1] == DURATION_S
    assert all(a[1] == pytest.approx(b[0]) for a, b in itertools.pairwise(spans))
    assert spans[0][1] == TROUBLE_S


def test_light_falls_by_a_third_and_stays():
    shares = [share for _, share in BY_NAME["dim"].light]
    assert shares[0] == 1 and shares[-1] == pytest.approx(2 / 3)
    assert shares == sorted(shares, reverse=True)


def test_sleeve_covers_a_third_of_the_table():
    camera = match_camera()
    (reach,) = BY_NAME["sleeve"].idle
    patch = Arm(reach.seat.person, reach.pose(reach.taken_s + 1.5)).patch(camera, Light())
    table_mm = View(camera, Ground("white", False), Light()).table_mm
    on_table = ((table_mm > 0) & (table_mm < (700, 500))).all(axis=2)
    cover = np.zeros(on_table.shape, np.float32)
    u, v = patch.corner_px
    cover[v : v + patch.cover.shape[0], u : u + patch.cover.shape[1]] = patch.cover
    assert cover[on_table].mean() > 0.32


@pytest.mark.parametrize("name", ["sleeve", "hover"])
def test_idle_hands_touch_nothing(name):
    (reach,) = BY_NAME[name].idle
    times = np.arange(reach.start_s, reach.end_s, 0.05)
    assert min(reach.pose(float(t)).at_mm[2] for t in times) > 20
    assert not any(reach.in_hand(float(t)) for t in times)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_trouble_comes_between_the_two_moves(name):
    moves = gestures(MOVES)
    assert moves[0].end_s + 1 < TROUBLE_S and moves[1].start_s > TROUBLE_S + 5
    assert all(reach.end_s < moves[1].start_s for reach in BY_NAME[name].idle)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_shipped_truth_is_the_scripts(name):
    moves = gestures(MOVES)
    cuts = intervals(PIECES, moves, results(moves, MOVES), DURATION_S)
    reaches = sorted([*moves, *BY_NAME[name].idle], key=lambda reach: reach.start_s)
    shipped = json.loads((MAP_FILE.parent.parent / "trouble" / f"{name}.truth.json").read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(trouble_truth(BY_NAME[name], cuts, reaches)))
    assert [event["event"] for event in shipped["events"]] == (
        ["move", "camera", "move"] if name == "kick" else ["move", "move"]
    )
