"""OSMCG: whose a miniature is."""

from __future__ import annotations

from dataclasses import replace

from rules.games.osmcg.turns import advance
from rules.match import start
from rules.setup import Player
from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, a_setup, base


def test_a_team_of_the_roster_counts_in_turns() -> None:
    setup = a_setup(roster={"orc": {"team": "Ann"}})
    scene = a_scene(replace(base("o", 300, 300, "unknown"), roster="orc"), base("b", 400, 400, "blue"))
    state = State(phase="end", active="Bob", pieces={"o": {"ap_spent": 2}})
    assert advance(state, scene, setup, "phase", {"turn": 2, "phase": "upkeep", "active": "Ann"}).of("o") == {}


def test_a_player_called_as_another_s_colour_has_his_own_miniatures() -> None:
    setup = a_setup((Player("red", "green", "near"), Player("Bob", "red", "far")))
    scene = a_scene(base("a", 300, 300, "green"), base("b", 325, 300, "red"))
    match = start(setup, scene, State(phase="activation", active="Bob"))
    assert {one.piece: one.verdict for one in match.rulings if one.kind == "target"} == {"a": "no", "b": "yes"}
