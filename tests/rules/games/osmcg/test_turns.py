"""OSMCG-5: what phases, attacks and the stack do to the state; by hand from the rulebook."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.course.events import event_from
from rules.files.setup_record import setup_record
from rules.files.tables import table_from
from rules.games.osmcg import GAME
from rules.games.osmcg.tables import Tables, tables
from rules.games.osmcg.turns import advance
from rules.match import Event, apply, event_line, replay, start
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import next_phase
from tests.rules.games.osmcg.builders import INCH, a_scene, a_setup, base, rulings

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


def test_statuses_tick_however_their_names_are_written() -> None:
    """Root(2) and Slow(3) for one turn: after one upkeep one turn of root is left and nothing of slow."""
    told = {"Root": 2, "Slow": 3, "Slow_Turns": 1, "stun": None}
    after = enter(State(phase="end", active="Bob", pieces={"a": {"statuses": told}}), "upkeep")
    assert after.of("a") == {"statuses": {"root": 1}}


def test_the_end_phase_hurts_then_decays() -> None:
    markers = {"poison": {"minor": 2, "major": 1}, "burn": {"medium": 1}}
    after = enter(State(phase="main-2", active="Ann", pieces={"a": {"markers": markers, "wounds": 1}}), "end")
    assert after.of("a") == {"wounds": 1 + 2 + 3 + 2, "markers": {"poison": {"minor": 1}}}


def test_what_lasts_until_the_end_of_the_turn_ends_for_both_sides() -> None:
    told = {"until_end_of_turn": ["+1 ATK"]}
    after = enter(State(phase="main-2", active="Ann", pieces={"a": told, "b": told}), "end")
    assert (after.of("a"), after.of("b")) == ({}, {})


def test_the_destroyed_give_no_mana() -> None:
    pieces = {"a": {"keywords": ["Gift(2)"], "hp": 3, "wounds": 3}}
    state = State(phase="end", active="Bob", pieces=pieces, counters={"players": {"Ann": {"mana": 1}}})
    assert enter(state, "upkeep").counters["players"]["Ann"]["mana"] == 1


def test_who_is_struck_down_by_his_own_side_is_no_kill() -> None:
    scene = a_scene(base("a", 100, 100), base("c", 125, 100), base("h", 100, 125))
    pieces = {"a": {"keywords": ["Mana Frenzy"]}, "c": {"hp": 1}, "h": {"hp": 9, "hero": True}}
    books = {"Ann": {"mana": 0, "vp": 0}, "Bob": {"vp": 0}}
    state = replace(TURN, pieces=pieces, counters={"players": books, "missions": ["First Blood", "Regicide"]})
    blows = (("attack", {"piece": "a", "other": other, "damage": 9}) for other in ("c", "h"))
    after = play(state, *blows, scene=scene)
    assert after.counters["missions"] == ["First Blood", "Regicide"]
    assert [(page["vp"], page.get("mana")) for page in after.counters["players"].values()] == [(0, 0), (3, None)]


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
        state = advance(state, SCENE, a_setup(), "score", {"book": "Ann", "vp": vp})
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


def play(state: State, *events: tuple[str, dict], scene: Scene = SCENE, setup: Setup | None = None) -> State:
    for kind, fields in events:
        state = advance(state, scene, setup or a_setup(), kind, fields)
    return state


TURN = State(phase="activation", active="Ann")


def test_action_points_are_spent_and_come_back() -> None:
    state = play(TURN, ("move", {"piece": "a", "verdict": "yes", "ap": 1}), ("attack", {"piece": "a"}))
    assert state.of("a") == {"ap_spent": 2}
    moved = a_scene(base("a", 130, 100), base("b", 200, 200, "blue"))
    assert [one.rule for one in GAME.judge(SCENE, moved, a_setup(), state)] == ["OSMCG-5"]
    assert enter(state, "upkeep", "Bob").of("a") == {"ap_spent": 2}
    assert enter(enter(state, "upkeep", "Bob"), "upkeep", "Ann", 2).of("a") == {}


def test_a_move_against_the_rules_costs_no_action_point_nor_does_putting_it_back() -> None:
    """C4.8, in a match: the step that is too long, the way back, and then one that is legal."""
    match = start(a_setup(), SCENE, replace(TURN, pieces={"a": {"spd_in": 2, "ap": 2, "radius_mm": 12.5}}))
    spent = []
    for x in (300.0, 100.0, 100 + INCH):
        match = apply(match, Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": [x, 100.0]}))
        spent.append((match.events[-1].fields["verdict"], match.state.of("a").get("ap_spent")))
    assert spent == [("no", None), ("yes", None), ("yes", 1)]


def test_rest_takes_the_wounds_off_for_two_points() -> None:
    state = replace(TURN, pieces={"a": {"wounds": 3}})
    assert play(state, ("rest", {"piece": "a"})).of("a") == {"ap_spent": 2}


def test_cleave_hits_all_drain_heals_and_the_blind_miss() -> None:
    state = State(pieces={"a": {"wounds": 3, "keywords": ["Drain(2)"]}, "c": {}})
    attack = {"piece": "a", "other": "b", "damage": 2, "cleave": ["c"], "cleave_damage": [1]}
    after = play(state, ("attack", attack))
    assert [after.of(one).get("wounds") for one in "abc"] == [1, 2, 1]
    assert play(state, ("attack", {**attack, "fizzles": True})).of("b") == {}


def test_kills_are_counted_once_and_mana_frenzy_pays_once_a_turn() -> None:
    state = State(
        pieces={"a": {"keywords": ["Mana Frenzy"]}, "b": {"hp": 2}},
        counters={"players": {"Ann": {"mana": 1}}, "missions": ["Attrition"]},
    )
    hit = ("attack", {"piece": "a", "other": "b", "damage": 2})
    page = play(state, hit, hit).counters["players"]["Ann"]
    assert (page["mana"], page["tally"]["kills"], page["tally"]["kills_since"]) == (2, 1, {"Attrition": 1})
    assert "hero_damage" not in page["tally"]  # it was no Hero
    heroic = replace(state, pieces={**state.pieces, "b": {"hp": 9, "hero": True}})
    assert play(heroic, hit, hit).counters["players"]["Ann"]["tally"]["hero_damage"] == 4


def test_a_hero_of_a_duel_costs_three_points_a_card_and_the_mana() -> None:
    books = {"Ann": {"vp": 1}, "Bob": {"mana": 9, "mana_start": 2, "hand": 4, "discard": ["bolt"]}}
    state = State(pieces={"b": {"hp": 5, "hero": True}}, counters={"players": books})
    attack = ("attack", {"piece": "a", "other": "b", "damage": 5})
    after = play(state, attack).counters["players"]
    assert after["Ann"]["vp"] == 4
    assert {key: after["Bob"][key] for key in ("mana", "hand", "discard")} == {"mana": 2, "hand": 3, "discard": 2}
    moba = play(state, attack, setup=a_setup(mode="moba")).counters["players"]
    assert (moba["Ann"]["vp"], moba["Bob"]["mana"]) == (1, 9)


def test_a_hero_who_dies_of_poison_costs_the_same_and_is_nobody_s_kill() -> None:
    """Rulebook 2.3 asks for no killing blow: two minor markers take the last two hit points at the end of his turn."""
    poisoned = {"hp": 5, "wounds": 3, "hero": True, "markers": {"poison": {"minor": 2}}}
    books = {"Ann": {"vp": 1}, "Bob": {"mana": 9, "mana_start": 2, "hand": 4, "discard": 1}}
    state = State(phase="main-2", active="Bob", pieces={"b": poisoned}, counters={"players": books})
    after = enter(state, "end", "Bob").counters["players"]
    assert (after["Ann"]["vp"], after["Bob"]["mana"], after["Bob"]["hand"], after["Bob"]["discard"]) == (4, 2, 3, 2)
    assert "tally" not in after["Ann"]
    alive = replace(state, pieces={"b": {**poisoned, "hp": 6}})
    assert enter(alive, "end", "Bob").counters["players"]["Ann"]["vp"] == 1


def test_regicide_asks_for_a_blow_after_it_was_turned_up() -> None:
    counters = {
        "players": {"Ann": {"vp": 0, "tally": {"hero_kills": 1}}},
        "missions": ["First Blood"], "mission_deck": ["Regicide"],
    }  # fmt: skip
    pieces = {"b": {"hp": 1}, "h": {"hp": 1, "hero": True}}
    hits = [("attack", {"piece": "a", "other": other, "damage": 1}) for other in ("b", "a", "h")]
    state = play(State(pieces=pieces, counters=counters), *hits[:2])
    assert (state.counters["missions"], state.counters["players"]["Ann"]["vp"]) == (["Regicide"], 1)
    scene = a_scene(*SCENE, base("h", 300, 300, "blue"))
    state = play(state, hits[2], scene=scene)
    assert state.counters["missions"] == [] and state.counters["players"]["Ann"]["vp"] == 1 + 3 + 3


def test_missions_score_at_once_and_the_next_one_is_turned_up() -> None:
    """The rulebook's order: 3 open, the fulfilled one goes, a fresh one comes and counts from now on."""
    tally = {"kills": 2, "kills_since": {"First Blood": 0, "Attrition": 7}}
    counters = {
        "players": {"Ann": {"vp": 0, "tally": tally}},
        "missions": ["First Blood", "Slaughter", "Regicide"], "mission_deck": ["Attrition", "Invasion"],
    }  # fmt: skip
    state = play(
        State(pieces={"b": {"hp": 1}}, counters=counters), ("attack", {"piece": "a", "other": "b", "damage": 1})
    )
    assert state.counters["missions"] == ["Regicide", "Attrition", "Invasion"]
    assert state.counters["players"]["Ann"]["vp"] == 1 + 2
    assert state.counters["players"]["Ann"]["tally"]["kills_since"]["Attrition"] == 0


def test_territorial_missions_score_at_the_end_of_the_own_turn() -> None:
    centre = a_scene(base("a", 12 * INCH, 12 * INCH))
    counters = {"players": {"Ann": {}, "Bob": {}}, "missions": ["Hold the Line", "Invasion"]}
    state = State(phase="end", active="Ann", counters=counters)
    after = play(state, ("phase", {"turn": 1, "phase": "upkeep", "active": "Bob"}), scene=centre)
    assert (after.counters["players"]["Ann"]["vp"], after.counters["missions"]) == (1, ["Invasion"])
    bobs = play(replace(state, active="Bob"), ("phase", {"turn": 2, "phase": "upkeep", "active": "Ann"}), scene=centre)
    assert bobs.counters["missions"] == ["Hold the Line", "Invasion"]


def test_a_card_is_paid_for_and_lies_on_the_stack() -> None:
    counters = {"players": {"Ann": {"mana": 12, "hand": ["bolt", "wall"], "deck": 20}}, "missions": ["Show of Force"]}
    state = play(State(counters=counters), ("play", {"book": "Ann", "card": "bolt", "mana": 10}))
    page = state.counters["players"]["Ann"]
    assert (page["mana"], page["hand"], page["vp"]) == (2, 1, 1)
    assert state.counters["stack"][-1]["card"] == "bolt"
    with pytest.raises(ValueError, match="Ann has 2 mana, and wall costs 3"):
        play(state, ("play", {"book": "Ann", "card": "wall", "mana": 3}))


@pytest.mark.parametrize(
    ("deck", "discard", "turn", "expected"), [(3, 1, 2, (2, 1, 5)), (0, 4, 2, (3, 0, 5)), (3, 1, 1, (3, 1, 4))]
)
def test_a_card_is_drawn_but_not_by_the_first_in_turn_one(deck: int, discard: int, turn: int, expected: tuple) -> None:
    counters = {"players": {"Ann": {"deck": deck, "discard": discard, "hand": 4}}}
    page = enter(State(phase="upkeep", active="Ann", turn=turn, counters=counters), "draw", turn=turn).counters[
        "players"
    ]["Ann"]
    assert (page["deck"], page["discard"], page["hand"]) == expected


def test_gifts_come_at_upkeep() -> None:
    state = State(pieces={"a": {"keywords": ["Gift(2)"]}}, counters={"players": {"Ann": {"mana": 1, "regen": 3}}})
    assert enter(state, "upkeep").counters["players"]["Ann"]["mana"] == 6


def test_structures_fall_pay_and_stand_again() -> None:
    players = (Player("Ann", "red", "near"), Player("Cid", "green", "near"), Player("Bob", "blue", "far"))
    setup = a_setup(players, mode="moba")
    books = {"Ann": {"mana": 8, "mana_max": 10}, "Cid": {"mana": 0}, "Bob": {"mana": 0}}
    hit = ("attack", {"piece": "a", "other": "centre", "damage": 8})
    one = play(State(active="Ann", phase="activation", counters={"players": books}), hit, setup=setup)
    assert one.counters["structures"]["centre"] == {"wounds": 8}
    fallen = play(one, hit, setup=setup)
    assert fallen.counters["structures"]["centre"] == {"wounds": 15, "returns_in": 4}
    assert [fallen.counters["players"][name]["mana"] for name in ("Ann", "Cid", "Bob")] == [10, 5, 0]
    for turn in range(2, 6):
        fallen = play(fallen, ("phase", {"turn": turn, "phase": "upkeep", "active": "Ann"}), setup=setup)
    assert fallen.counters["structures"]["centre"] == {"wounds": 0}


def test_the_nexus_wins_the_match() -> None:
    setup = a_setup(mode="moba")
    state = play(State(), *[("attack", {"piece": "a", "other": "nexus-far", "damage": 10})] * 3, setup=setup)
    won = {one.other: one.extra["wins"] for one in rulings("economy", SCENE, state, setup)}
    assert won == {"Ann": True, "Bob": False}


def test_allies_of_a_moba_take_their_turn_together() -> None:
    players = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"), Player("Cid", "green", "near"))
    names = []
    state = State(turn=1, phase="end", active="Ann")
    for mode in ("moba", "duel"):
        names.append(next_phase(GAME, a_setup(players, mode=mode), replace(state, active="Bob"))["active"])
    assert names == ["Ann", "Cid"]
    counters = {"players": {name: {"mana": 0, "regen": 2} for name in ("Ann", "Bob", "Cid")}}
    begun = play(
        replace(state, active="Bob", counters=counters),
        ("phase", {"turn": 2, "phase": "upkeep", "active": "Ann"}),
        setup=a_setup(players, mode="moba"),
    )
    assert [begun.counters["players"][name]["mana"] for name in ("Ann", "Bob", "Cid")] == [2, 0, 2]


def test_a_turn_goes_on_whichever_ally_is_named() -> None:
    """A state may name Cid, who has his turn with Ann; it had begun anew from upkeep."""
    players = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"), Player("Cid", "green", "near"))
    state = State(turn=3, phase="main-1", active="Cid")
    following = next_phase(GAME, a_setup(players, mode="moba"), state)
    assert following == {"turn": 3, "phase": "activation", "active": "Ann"}


@pytest.mark.parametrize("players", [(), (Player("Ann", "red", "near"),)])
def test_who_plays_alone_has_action_points_every_turn(players: tuple[Player, ...]) -> None:
    setup = a_setup(players)
    state = State(phase="end", active=next((one.name for one in players), None), pieces={"a": {"ap_spent": 2}})
    after = play(state, ("phase", next_phase(GAME, setup, state)), setup=setup)
    assert (after.turn, after.phase, after.of("a")) == (2, "upkeep", {})


def test_who_comes_in_is_sick_and_a_hero_is_whole_again() -> None:
    state = replace(TURN, pieces={"n": {"atk": 3}, "h": {"hero": True, "hp": 9, "wounds": 9, "statuses": {"root": 1}}})
    after = play(state, ("place", {"piece": "n"}), ("place", {"piece": "h"}))
    assert (after.of("n"), after.of("h")) == ({"atk": 3, "deployed": True}, {"hero": True, "hp": 9})
    assert play(state, ("remove", {"piece": "h"})).of("h") == {"hero": True, "hp": 9}
    worded = replace(TURN, pieces={"n": {"keywords": ["Hero"]}})
    assert "deployed" not in play(worded, ("place", {"piece": "n"})).of("n")
    assert "deployed" not in play(State(), ("place", {"piece": "n"})).of("n")  # without turns nobody is sick


def test_an_ended_activation_is_over() -> None:
    state = play(TURN, ("activated", {"piece": "a"}), ("exhaust", {"piece": "b"}))
    assert {one.piece: one.rule for one in rulings("reach", SCENE, state)} == {"a": "OSMCG-5", "b": "OSMCG-5"}


def test_kills_are_counted_by_the_hit_points_of_the_roster() -> None:
    setup = a_setup(roster={"imp": {"hp": 1}})
    state = State(pieces={"b": {"roster": "Imp"}}, counters={"players": {"Ann": {}}})
    after = play(state, ("attack", {"piece": "a", "other": "b", "damage": 1}), setup=setup)
    assert after.counters["players"]["Ann"]["tally"]["kills"] == 1


def test_a_log_of_all_events_replays_to_the_same_state() -> None:
    counters = {"players": {"Ann": {"mana": 4}, "Bob": {"mana": 1}}, "missions": ["First Blood"]}
    begun = State(phase="main-1", active="Ann", pieces={"b": {"hp": 2}}, counters=counters)
    match = start(a_setup(), SCENE, begun)
    told: tuple[tuple[str, dict], ...] = (
        ("play", {"book": "Ann", "card": "bolt", "mana": 3}), ("stack", {"pass": True}), ("stack", {"pass": True}),
        ("phase", {"phase": "activation", "active": "Ann"}), ("move", {"piece": "a", "to_mm": [180.0, 180.0]}),
        ("attack", {"piece": "a", "other": "b", "damage": 2}), ("remove", {"piece": "b"}),
        ("activated", {"piece": "a"}), ("phase", {"phase": "upkeep", "active": "Bob"}),
    )  # fmt: skip
    for second, (kind, fields) in enumerate(told):
        match = apply(match, Event(float(second), 1, "Ann", kind, fields))
    assert match.state.counters["players"]["Ann"]["vp"] == 1
    assert match.state.of("a") == {"ap_spent": 2, "acted_s": 5.0, "activated": True}
    events = [event_from(event_line(event), "here") for event in match.events]
    assert replay({"setup": setup_record(match.setup)}, events).state == match.state


@pytest.mark.parametrize(("x", "wounds"), [(200.0, 2), (600.0, None)])
def test_an_attack_of_which_only_the_pair_is_told_does_what_the_referee_says(x: float, wounds: int | None) -> None:
    """Ranged(3, 12) against Defense:1, within 12 inches or not."""
    scene = a_scene(base("a", 100, 200), base("b", x, 200, "blue"))
    state = State(pieces={"a": {"keywords": ["Ranged(3, 12)"]}, "b": {"keywords": ["Defense:1"]}})
    after = play(state, ("attack", {"piece": "a", "other": "b"}), scene=scene)
    assert after.of("b").get("wounds") == wounds
    post = play(state, ("attack", {"piece": "a", "other": "post-1"}), scene=scene, setup=a_setup(mode="ffa"))
    assert post.counters["structures"]["post-1"]["wounds"] == 3


@pytest.mark.parametrize(
    ("a", "foe_x", "wounds"),
    [
        ({"keywords": ["Berserk(+2 ATK)"], "hp": 4, "wounds": 2}, 500.0, 4),
        ({"keywords": ["Ranged(3, 12)"]}, 125.0, 2),  # in contact it does not shoot
        ({"statuses": {"blind": 1}}, 500.0, None),
    ],
)
def test_a_structure_is_struck_by_the_miniature_as_it_counts_now(a: dict, foe_x: float, wounds: int | None) -> None:
    scene = a_scene(base("a", 100, 100), base("b", foe_x, 100, "blue"))
    attack = ("attack", {"piece": "a", "other": "post-1"})
    state = play(State(pieces={"a": a}), attack, scene=scene, setup=a_setup(mode="ffa"))
    assert state.counters.get("structures", {}).get("post-1", {}).get("wounds") == wounds


@pytest.mark.parametrize("owner", ["unknown", "blue"])
@pytest.mark.parametrize("team", ["red", "Ann"])
def test_whose_team_the_state_tells_is_that_players_in_everything(owner: str, team: str) -> None:
    """His name or his colour, whatever the paint: his turn, his objective and mission, his points, mana and kills."""
    charmed, foe = base("a", 304.8, 304.8, owner), base("b", 304.8, 400, "blue")
    scene = a_scene(charmed, foe)
    counters = {"players": {"Ann": {"mana": 0}, "Bob": {"mana": 0}}, "missions": ["Hold the Line"]}
    known = {"a": {"team": team, "keywords": ["Gift(2)"], "ap_spent": 1}, "b": {"hp": 1}}
    state = State(turn=2, phase="activation", active="Ann", pieces=known, counters=counters)
    moved = a_scene(replace(charmed, position_mm=(330, 304.8)), foe)
    assert [one.verdict for one in GAME.judge(scene, moved, a_setup(), state)] == ["yes"]
    assert [one.extra["owner"] for one in rulings("control", scene, state) if one.other == "centre"] == ["red"]
    missions = {one.other: one.verdict for one in rulings("economy", scene, state) if "mission" in one.extra}
    assert missions == {"Ann": "yes", "Bob": "no"}
    struck = play(state, ("attack", {"piece": "a", "other": "b", "damage": 1}), scene=scene)
    assert struck.counters["players"]["Ann"]["tally"]["kills"] == 1
    after = play(
        replace(state, phase="end", active="Bob"), ("phase", {"turn": 3, "phase": "upkeep", "active": "Ann"}),
        scene=scene,
    )  # fmt: skip
    assert "ap_spent" not in after.of("a")
    assert [page["mana"] for page in after.counters["players"].values()] == [2, 0]
