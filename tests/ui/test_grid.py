from dataclasses import replace

import pytest

from rules.scene_file import scene_document, scene_from
from rules.setup import Setup
from rules.state import State
from tests.ui.builders import PLAYERS, TABLE_MM, ScriptedEyes, a_coin, a_frame, a_scene
from ui.grid import grid_finder, with_seen_grid
from ui.loop import Referee

GRID = {"kind": "hex", "pitch_mm": 38.1, "origin_mm": [12.5, 20.0], "turn_deg": 4.0, "top": "flat"}
HEXES = Setup("omniwar", TABLE_MM, PLAYERS)


def test_a_scene_keeps_its_grid_in_the_file():
    scene = replace(a_scene(a_coin()), grid=GRID)
    assert scene_from(scene_document(scene), "scene").grid == GRID
    assert "grid" not in scene_document(a_scene())


def test_a_grid_that_is_none_is_refused_by_key():
    document = {**scene_document(a_scene()), "grid": {**GRID, "pitch_mm": 0}}
    with pytest.raises(ValueError, match=r"scene: grid\.pitch_mm"):
        scene_from(document, "scene")


def test_the_seen_grid_counts_where_the_state_has_none_and_the_game_has_hexes():
    scene = replace(a_scene(), grid=GRID)
    by_hand = {"kind": "hex", "pitch_mm": 50.0}
    assert with_seen_grid(State(), scene, HEXES).grid == GRID
    assert with_seen_grid(State(grid=by_hand), scene, HEXES).grid == by_hand
    assert with_seen_grid(State(), scene, Setup("omms", TABLE_MM)).grid is None
    assert grid_finder(Setup("omms", TABLE_MM)) is None


@pytest.mark.parametrize(("by_hand", "expected"), [(None, GRID), ({"kind": "hex", "pitch_mm": 50.0},) * 2])
def test_a_match_begins_on_the_grid_that_is_seen(by_hand, expected):
    referee = Referee(HEXES, ScriptedEyes({0: a_scene()}), state=State(grid=by_hand), find_grid=lambda frame: GRID)
    tick = referee.step(a_frame())
    assert tick.match.state.grid == expected
    assert tick.events[0].fields["state"]["grid"] == expected
