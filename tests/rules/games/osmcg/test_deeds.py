"""OSMCG: what the events of a match tell in numbers and names."""

from __future__ import annotations

import pytest

from rules.match import Event, apply, observe, start
from rules.setup import Player
from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, a_setup, base

SCENE = a_scene(base("a", 100, 100), base("b", 200, 200, "blue"))


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("play", {"book": "Ann", "mana": "2"}), ("score", {"book": "Ann", "vp": None}),
        ("score", {"book": "An", "vp": 3}),
        ("stack", {"push": "bolt"}), ("attack", {"piece": "a", "other": "b", "damage": "3"}),
        ("attack", {"piece": "a", "other": "b", "damage": 1, "cleave": 3}),
    ],
)  # fmt: skip
def test_what_an_event_cannot_mean_is_told_in_one_line(kind: str, told: dict) -> None:
    match = start(a_setup(), SCENE, State(counters={"players": {"Ann": {"mana": 3}}}))
    with pytest.raises(ValueError, match=r"^event.*: [^\n]+$"):
        apply(match, Event(1.0, 1, "Ann", kind, told))


def test_a_book_may_be_told_by_its_player_s_colour() -> None:
    match = apply(start(a_setup(), SCENE), Event(1.0, 1, "Ann", "score", {"book": "red", "vp": 3}))
    assert match.state.counters["players"] == {"Ann": {"vp": 3}}


def test_an_attack_in_another_phase_is_no_attack() -> None:
    """In `main-1` it spent an action point and wounded."""
    scene = a_scene(base("a", 100, 100), base("b", 125, 100, "blue"))
    match = start(a_setup(), scene, State(phase="main-1", active="Ann", pieces={"b": {"hp": 3}}))
    after = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "b"}))
    assert after.state == match.state
    assert after.events[-1].fields["why"] == "a attacks in the activation phase"
    told = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "b", "damage": 1}))
    assert told.state.of("b")["wounds"] == 1  # players know best


def test_who_is_destroyed_and_gone_neither_strikes_nor_is_killed_twice() -> None:
    """A second attack at it was a second kill."""
    scene = a_scene(base("a", 100, 100), base("b", 125, 100, "blue"))
    match = start(a_setup(), scene, State(phase="activation", active="Ann", pieces={"b": {"hp": 2}, "a": {"ap": 9}}))
    for kind, told in (("attack", ("a", "b")), ("remove", ("b",)), ("attack", ("a", "b")), ("attack", ("b", "a"))):
        match = apply(match, Event(1.0, 1, "Ann", kind, dict(zip(("piece", "other"), told, strict=False))))
    assert [event.fields["why"] for event in match.events[-2:]] == ["b is not on the table any more"] * 2
    assert match.state.counters["players"]["Ann"]["tally"]["kills"] == 1


FAR = "a is 7.6 inches from the middle of centre and strikes what it touches"


@pytest.mark.parametrize(
    ("other", "x_mm", "active", "phase", "known", "why"),
    [
        ("centre", 300, "Ann", "activation", {}, None),
        ("centre", 100, "Ann", "activation", {}, FAR),
        ("centre", 100, "Ann", "activation", {"range_in": 6, "damage": 1}, None),
        ("centre", 300, "Bob", "activation", {}, "a is not Bob's, whose turn it is"),
        ("centre", 300, "Ann", "main-1", {}, "a attacks in the activation phase, not in the main-1 phase"),
        ("centre", 300, "Ann", "activation", {"ap_spent": 2}, "a has no action points left"),
        ("post-1", 150, "Ann", "activation", {}, "post-1 is destroyed already"),
        ("nexus-near", 300, "Ann", "activation", {}, "nexus-near is the Nexus of a's own side"),
    ],
)  # fmt: skip
def test_a_structure_is_attacked_by_the_rules(
    other: str, x_mm: float, active: str, phase: str, known: dict, why: str | None
) -> None:
    """Anybody destroyed the other Nexus from anywhere, in any phase of any turn."""
    state = State(phase=phase, active=active, pieces={"a": known}, counters={"structures": {"post-1": {"wounds": 8}}})
    begun = start(a_setup(mode="moba"), a_scene(base("a", x_mm, 300), base("b", 500, 500, "blue")), state)
    after = apply(begun, Event(1.0, 1, active, "attack", {"piece": "a", "other": other}))
    assert (after.events[-1].fields.get("why"), after.state == begun.state) == (why, why is not None)


def test_nobody_strikes_or_is_struck_who_never_was_on_the_table() -> None:
    match = start(a_setup(), SCENE, State(phase="activation", active="Ann"))
    with pytest.raises(ValueError, match="there is no piece 'zz' on the table"):
        apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "zz", "other": "b", "damage": 1}))
    after = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "zz", "damage": 1}))
    assert "zz" not in after.state.pieces


@pytest.mark.parametrize(
    ("active", "phase", "known", "why"),
    [
        ("Ann", "activation", {"ap_spent": 1}, "a has 1 of the 2 action points that a rest takes"),
        ("Ann", "activation", {"hp": 3}, "a is destroyed: take it off the table"),
        ("Bob", "activation", {}, "a is not Bob's, whose turn it is"),
        ("Ann", "main-1", {}, "a rested in the main-1 phase: units rest in the activation phase"),
        ("Ann", "activation", {}, None),
    ],
)
def test_a_rest_is_asked_of_the_rules(active: str, phase: str, known: dict, why: str | None) -> None:
    """It took all wounds off whatever the rules say, and revived the destroyed."""
    match = start(a_setup(), SCENE, State(phase=phase, active=active, pieces={"a": {"wounds": 3, **known}}))
    after = apply(match, Event(1.0, 1, active, "rest", {"piece": "a"}))
    assert after.events[-1].fields.get("why") == why
    assert after.state.of("a").get("wounds") == (3 if why else None)
    with pytest.raises(ValueError, match="there is no piece 'zz' on the table"):
        apply(match, Event(1.0, 1, active, "rest", {"piece": "zz"}))


def test_nobody_returns_to_a_miniature_once_another_acts() -> None:
    """Rulebook 8; a moved, c moved, and a moved again with its second point."""
    scene = a_scene(base("a", 100, 100), base("c", 200, 100), base("b", 500, 500, "blue"))
    match = start(a_setup(), scene, State(phase="activation", active="Ann"))
    for time_s, piece, x in ((1.0, "a", 110), (2.0, "a", 100), (3.0, "c", 210)):
        match = apply(match, Event(time_s, 1, "Ann", "move", {"piece": piece, "to_mm": [x, 100]}))
    assert match.state.of("a")["activated"] and not match.state.of("c").get("activated")
    match = start(a_setup(), scene, State(phase="activation", active="Ann"))
    for time_s, piece, x in ((1.0, "a", 110), (2.0, "c", 210), (3.0, "a", 100)):
        match = apply(match, Event(time_s, 1, "Ann", "move", {"piece": piece, "to_mm": [x, 100]}))
    told = match.events[-1].fields
    assert (told["verdict"], told["why"]) == ("no", "a has ended its activation in this turn")


def test_of_two_who_moved_in_one_look_nobody_knows_who_was_first() -> None:
    before = base("a", 100, 100), base("c", 200, 100)
    match = start(a_setup(), a_scene(*before), State(phase="activation", active="Ann"))
    match = observe(match, a_scene(base("a", 110, 100), base("c", 210, 100)), 1.0)
    again = apply(match, Event(2.0, 1, "Ann", "move", {"piece": "a", "to_mm": [120, 100]}))
    assert again.events[-1].fields["verdict"] == "yes"
    other = apply(again, Event(3.0, 1, "Ann", "move", {"piece": "c", "to_mm": [220, 100]}))
    assert other.events[-1].fields["verdict"] == "no"


def test_what_is_only_controlled_takes_no_damage() -> None:
    """The centre of a duel became a structure with no wounds, and Drain was paid for it."""
    match = start(a_setup(), SCENE, State(pieces={"a": {"wounds": 2, "keywords": ["Drain(2)"]}}))
    after = apply(match, Event(1.0, 1, None, "attack", {"piece": "a", "other": "centre"}))
    assert "structures" not in after.state.counters
    assert after.state.of("a")["wounds"] == 2


def test_who_strikes_an_ally_of_a_moba_down_has_no_kill() -> None:
    players = (Player("Ann", "red", "near"), Player("Cid", "green", "near"), Player("Bob", "blue", "far"))
    scene = a_scene(base("a", 100, 100), base("c", 125, 100, "green"), base("h", 100, 125, "green"))
    pieces = {"a": {"keywords": ["Mana Frenzy"]}, "c": {"hp": 1}, "h": {"hp": 9, "hero": True}}
    books = {"Ann": {"mana": 0}}
    match = start(a_setup(players, mode="moba"), scene, State(pieces=pieces, counters={"players": books}))
    for other in "ch":
        match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": other, "damage": 9}))
    assert match.state.counters["players"] == books


def test_the_turn_of_nobody_ticks_nothing() -> None:
    """A slip of the pen in `active` ticked everybody's statuses and gave everybody's action points back; it is told."""
    told = {"a": {"ap_spent": 2, "statuses": {"root": 2}}, "b": {"statuses": {"stun": 1}}, "t": {"team": "wolves"}}
    pieces = {**told, "t": {"team": "wolves", "statuses": {"root": 2}}}
    scene = a_scene(*SCENE, base("t", 300, 300, "green"))
    match = start(a_setup(), scene, State(phase="end", active="Bob", pieces=pieces))
    with pytest.raises(ValueError, match=r"event 'phase' at 1 s: active: there is no player 'An' in the set-up"):
        apply(match, Event(1.0, 2, "An", "phase", {"turn": 2, "phase": "upkeep", "active": "An"}))
    wolves = apply(match, Event(1.0, 2, None, "phase", {"turn": 2, "phase": "upkeep", "active": "wolves"}))
    assert wolves.state.pieces == {**pieces, "t": {"team": "wolves", "statuses": {"root": 1}}}
