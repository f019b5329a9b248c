"""What is refused in a typed state may stand in a match that is saved: pieces come and go, and its log still opens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.course.resume import resume
from rules.files.log import MatchLog
from rules.match import Event, apply, match_header, start
from rules.state import State
from tests.ui.builders import a_coin, a_scene, a_setup
from ui.playing.replay import Replay

NAMED = {
    "omms": State(
        counters={
            "attack": {"piece": "c2", "other": "c2"},
            "sieges": {"c2": {"turn": 1, "active": "Zed"}},
            "bases": {"Ann": "c2", "red": "c1"},
        }
    ),
    "omog": State(pieces={"c1": {"class": "mountd"}}, counters={"lost": {"Zed": 2, "red": -1}}),
    "osmcg": State(pieces={"c1": {"roster": "archr"}, "c2": {"roster": "archer"}}),
    "omniwar": State(
        pieces={"c1": {"carried_by": "c2", "offense": -1}, "c3": {"carried_by": "c3", "offense": -1}},
        counters={"lost": {"pink": 2}},
    ),
}


FIRST = {"omog": replace(a_coin(), kind="soldier", cls="foot"), "osmcg": replace(a_coin(), kind="base", cls="base")}
HOUSE = {
    "osmcg": {"roster": {"archer": {}}},
    "omniwar": {"roster": {"Mob": {"move": 1, "range": "3", "offense": -1, "defense": 1}}},
}


@pytest.mark.parametrize("game", NAMED)
def test_a_saved_match_opens_whatever_its_state_names(tmp_path, game):
    setup = replace(
        a_setup(house=HOUSE.get(game, {}), legend={"gbp-5p": "Mob"} if game == "omniwar" else {}), game=game
    )
    second = a_coin("c2", at=(200.0, 120.0), owner="blue")
    match = start(setup, a_scene(FIRST.get(game, a_coin()), second), NAMED[game])
    match = apply(match, Event(1.0, 1, "Ben", "remove", {"piece": "c2"}))
    with MatchLog.create(tmp_path / "match.jsonl", match_header(setup)) as log:
        log.append(match.events)
    assert resume(tmp_path / "match.jsonl") == match
    assert Replay.read(tmp_path / "match.jsonl").at(len(match.events)).line()
