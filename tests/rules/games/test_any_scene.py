"""Whatever lies on the table, the games on grids answer in strict JSON, and the same again for the same scene."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point

from rules.files.ruling_file import rulings_document
from rules.games import game_named
from rules.scene import KINDS, Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

CLASSES = ["unknown", "AS", "10H", "KD", "JOKER", "BACK", "??", "", "gbp-5p", "gbp-50p", "foot", "box", "6", "base"]
ROSTERS = [None, "tank", "mortar crew", "dragon", "Transport", "hover tank"]
places = st.tuples(st.floats(-50, 750), st.floats(-50, 550))


@st.composite
def anything(draw, number):
    at = draw(places)
    return Piece(
        f"p{number}",
        draw(st.sampled_from(KINDS)),
        draw(st.sampled_from(CLASSES)),
        at,
        Point(at).buffer(draw(st.sampled_from([0.5, 10, 40]))),
        owner=draw(st.sampled_from(["red", "blue", "none", "unknown"])),
        face=draw(st.sampled_from(["heads", "tails", "unknown"])),
        sigma_mm=draw(st.sampled_from([0.0, 0.3, 30.0])),
        rotation_deg=draw(st.floats(-180, 180)),
        facing_deg=draw(st.none() | st.floats(-180, 180)),
        roster=draw(st.sampled_from(ROSTERS)),
    )


@st.composite
def tables(draw):
    return Scene((700.0, 500.0), tuple(draw(anything(number)) for number in range(draw(st.integers(0, 6)))))


@pytest.mark.parametrize("name", ["pocket", "omniwar"])
@given(
    before=tables(),
    after=tables(),
    phase=st.sampled_from([None, "move", "attack", "movement", "ranged", "melee"]),
    active=st.sampled_from([None, "Ann", "Zoe"]),
    grid=st.sampled_from([None, {"kind": "hex", "pitch_mm": 60}]),
    turn=st.integers(1, 2),
)
@settings(deadline=None, max_examples=25)
def test_any_scene_has_an_answer(name, before, after, phase, active, grid, turn):
    game = game_named(name)
    setup = Setup(name, (700, 500), (Player("Ann", "red"), Player("Bob", "blue", "far")), legend=game.legend)
    state = State(turn, phase, active, grid=grid)
    rulings = game.rulings(before, setup, state, None)
    assert rulings_document(game.rulings(before, setup, state, None)) == rulings_document(rulings)
    judged = game.judge(before, after, setup, state)
    if phase is None:  # C4.9: each with the phase that it belongs to
        assert {ruling.extra["phase"] for ruling in (*rulings, *judged)} <= set(game.phases)
    assert len(judged) == len({ruling.piece for ruling in judged})
    json.dumps(rulings_document((*rulings, *judged)), allow_nan=False)
    assert all(ruling.why and ruling.rule for ruling in (*rulings, *judged))
    assert all(ruling.sigma_mm > 0 for ruling in judged if ruling.verdict == "close")
