from dataclasses import replace
from types import SimpleNamespace

import pytest

from rules.files.scene_file import scene_document, scene_from
from rules.setup import Setup
from rules.state import State
from tests.ui.builders import PLAYERS, TABLE_MM, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, moved
from ui.paint.grid import grid_finder, with_seen_grid
from ui.playing.loop import Referee
from vision.detect.hex.hexgrid import HexGrid
from vision.eyes import Eyes
from vision.taught.recognise import Recogniser
from vision.wanted import Wanted

GRID = {"kind": "hex", "pitch_mm": 38.1, "origin_mm": [12.5, 20.0], "turn_deg": 4.0, "top": "flat"}
HEXES = Setup("omniwar", TABLE_MM, PLAYERS)


def blind(frame, plane):
    return ()


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
    assert grid_finder(Setup("omms", TABLE_MM), blind) is None


@pytest.mark.parametrize(("by_hand", "expected"), [(None, GRID), ({"kind": "hex", "pitch_mm": 50.0},) * 2])
def test_a_match_begins_on_the_grid_that_is_seen(by_hand, expected):
    referee = Referee(HEXES, ScriptedEyes({0: a_scene()}), state=State(grid=by_hand), find_grid=lambda frame: GRID)
    tick = referee.step(a_frame())
    assert tick.match.state.grid == expected
    assert tick.events[0].fields["state"]["grid"] == expected


def test_a_grid_that_shows_later_is_told_before_the_move_that_is_judged_on_it():
    coin = a_coin()
    scenes = {0: a_scene(coin), 2: a_scene(moved(coin, 30.0, 0.0)), 4: a_scene(moved(coin, 60.0, 0.0))}
    asked = []

    def find(frame):
        asked.append(frame.index)
        return GRID if frame.index >= 2 else None

    referee = Referee(HEXES, ScriptedEyes(scenes), find_grid=find)
    told = [[event.kind for event in referee.step(a_frame(index)).events] for index in range(6)]
    assert told == [["scene"], [], ["state", "move"], [], ["move"], []]
    assert referee.match.state.grid == GRID
    assert asked == [0, 2]


def test_a_table_without_hexes_is_searched_ever_more_rarely(monkeypatch):
    searched = []
    monkeypatch.setattr("vision.mat.hex_search.find_hexgrid", lambda *seen: searched.append(len(asked)))
    find, asked = grid_finder(HEXES, blind), []
    for index in range(20):
        asked.append(index)
        assert find(a_frame(index), SimpleNamespace(flat=VIEW)) is None
    assert searched == [1, 2, 4, 8, 16]


def test_what_the_eyes_found_is_not_searched_for_again(monkeypatch):
    monkeypatch.setattr("vision.mat.hex_search.find_hexgrid", lambda *seen: pytest.fail("searched again"))
    eyes = Eyes(TABLE_MM, Wanted(hexes=True))
    eyes.hex_search.grid = HexGrid(38.1, (12.5, 20.0), 4.0, "flat")
    for look in (eyes, Recogniser(eyes, (), eyes.coin_view)):
        assert grid_finder(HEXES, look)(a_frame(), VIEW) == GRID
