"""OSMCG-5: what phases, attacks and the stack do to the state; by hand from the rulebook."""

from __future__ import annotations

from rules.games.osmcg.tables import Tables, tables
from rules.games.osmcg.turns import advance
from rules.state import State
from rules.tables import table_from
from tests.rules.games.osmcg.builders import a_scene, a_setup, base

SCENE = a_scene(base("a", 100, 100), base("b", 200, 200, "blue"))


def enter(state: State, phase: str, active: str = "Ann", turn: int = 1) -> State:
    return advance(state, SCENE, a_setup(), "phase", {"turn": turn, "phase": phase, "active": active})


def test_upkeep_regenerates_and_ticks() -> None:
    statuses = {"slow": 2, "slow_turns": 1, "root": 2, "stun": 1}
    state = State(
        phase="end", active="Bob",
        pieces={
            "a": {"statuses": statuses, "cooldowns": {"leap": 2, "roar": 1}, "deployed": True},
            "b": {"statuses": {"stun": 1}},
        },
        counters={"players": {"Ann": {"mana": 9, "regen": 3, "mana_max": 10, "tally": {"mana_spent": 7, "kills": 1}}}},
    )  # fmt: skip
    after = enter(state, "upkeep")
    assert after.of("a") == {"statuses": {"root": 1}, "cooldowns": {"leap": 1, "roar": 0}}
    assert after.of("b") == {"statuses": {"stun": 1}}
    assert after.counters["players"]["Ann"]["mana"] == 10
    assert after.counters["players"]["Ann"]["tally"] == {"mana_spent": 0, "hero_damage": 0, "kills": 1}


def test_the_end_phase_hurts_then_decays() -> None:
    markers = {"poison": {"minor": 2, "major": 1}, "burn": {"medium": 1}}
    after = enter(State(phase="main-2", active="Ann", pieces={"a": {"markers": markers, "wounds": 1}}), "end")
    assert after.of("a") == {"wounds": 1 + 2 + 3 + 2, "markers": {"poison": {"minor": 1}}}


def test_exhaustion_ends_with_the_skipped_activation() -> None:
    state = State(phase="activation", active="Ann", pieces={"a": {"exhausted": True}, "b": {"exhausted": True}})
    after = enter(state, "main-2")
    assert not after.of("a").get("exhausted")
    assert after.of("b")["exhausted"]


def test_an_attack_wounds() -> None:
    after = advance(
        State(pieces={"b": {"wounds": 1}}), SCENE, a_setup(), "attack", {"piece": "a", "other": "b", "damage": 2}
    )
    assert after.of("b")["wounds"] == 3


def test_the_stack_resolves_from_the_top_after_two_passes() -> None:
    state = State()
    for fields in (
        {"push": {"card": "bolt"}},
        {"pass": True},
        {"push": {"card": "shield"}},
        {"pass": True},
        {"pass": True},
    ):
        state = advance(state, SCENE, a_setup(), "stack", fields)
    assert state.counters["stack"] == [{"card": "bolt"}]
    assert state.counters["resolved"] == [{"card": "shield"}]


def test_victory_points_add_up() -> None:
    state = State()
    for vp in (2, 3):
        state = advance(state, SCENE, a_setup(), "score", {"player": "Ann", "vp": vp})
    assert state.counters["players"]["Ann"]["vp"] == 5


def test_the_mission_deck_is_the_rulebooks() -> None:
    yields = sorted(card.vp for card in tables().mission.values())
    assert yields == [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]


def test_a_fault_in_the_tables_names_its_line() -> None:
    text = '[legend]\nmug = "lava"\n'
    try:
        table_from(Tables, text, "mine.toml")
    except ValueError as error:
        assert "line 2" in str(error)
        assert "mug" in str(error)
    else:
        raise AssertionError("a legend of lava was taken")
