"""What a match sees in two agreed steps is judged as if it had been seen at once (OMMS-4.1, 5.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely import box

from rules.files.scene_file import scene_document
from rules.files.setup_record import setup_record
from rules.games.omms import GAME
from rules.games.omms.counters import check_counters
from rules.match import Event, apply, observe, replay, start, undo
from rules.setup import Setup
from rules.state import State

from .builders import a_coin, a_place, a_road, a_scene, a_setup

PLAYERS = [("Ann", "red", "near"), ("Ben", "blue", "far")]
LAND = a_setup(a_road((0, 200), (700, 200)), places=[a_place(300, 200), a_place(500, 200)], players=PLAYERS)
TAKER, HOME = a_coin("a", "invader", "red", (300, 200)), a_coin("h", "fortification", "red", (100, 200))
FORT, PENNY = a_coin("f", "fortification", "blue", (350, 200)), a_coin("p", "settlement", "red", (350, 200))
OLD, NEW = a_coin("o", "settlement", "red", (300, 200)), a_coin("n", "fortification", "red", (300, 200))
BASES = {"Ann": "h", "Ben": "f"}
FAR_FORT, FAR_PENNY = (
    a_coin(n, role, owner, (366, 200))
    for n, role, owner in (("f", "fortification", "blue"), ("p", "settlement", "red"))
)
DEFENDER = a_coin("d", "guard", "blue", (361, 200))


def attacking(*coins, phase="attack", active="Ann"):
    return start(LAND, a_scene(*coins), State(1, phase, active, counters={"bases": BASES}))


def building(*coins, food=4, phase="cards"):
    return start(LAND, a_scene(*coins), State(1, phase, "Ann", counters={"food": {"Ann": food}, "bases": {"Ann": "o"}}))


def seen(match, *scenes):
    """The match after these scenes, and the verdicts and rules of all that came or went."""
    for coins in scenes:
        match = observe(match, a_scene(*coins), match.scene.time_s + 1)
    told = [event for event in match.events if event.kind in ("place", "remove")]
    return match, [(event.fields["verdict"], event.fields["rule"]) for event in told]


def lasting(match):
    """The counters but for what may be put back in this turn."""
    return {name: told for name, told in match.state.counters.items() if name != "supplanted"}


LIFTED_FIRST, PUT_FIRST = ([TAKER, HOME], [TAKER, HOME, PENNY]), ([TAKER, HOME, FORT, PENNY], [TAKER, HOME, PENNY])


@pytest.mark.parametrize(("steps", "first"), [(LIFTED_FIRST, "yes"), (PUT_FIRST, "close")])
def test_a_base_is_taken_in_two_steps(steps, first):
    match, told = seen(attacking(TAKER, HOME, FORT), *steps)
    assert told == [(first, "OMMS-5.5"), ("yes", "OMMS-5.5")]
    assert lasting(match) == {"bases": {"Ann": "h", "Ben": None}, "bases_taken": {"Ann": 1}}
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state
    back = undo(undo(match, 9.0), 9.5)
    assert dict(back.state.counters) == {"bases": BASES} and [p.id for p in back.scene] == ["a", "h", "f"]


@pytest.mark.parametrize("order", [("remove", "place"), ("place", "remove")])
def test_a_base_is_taken_in_typed_play(order):
    fields = {"remove": {"piece": "f"}, "place": {"feature": scene_document(a_scene(PENNY))["features"][0]}}
    match = attacking(TAKER, HOME, FORT)
    for kind in order:
        match = apply(match, Event(1.0, 1, "Ann", kind, fields[kind]))
    assert match.events[-1].fields["verdict"] == "yes" and match.state.counters["bases_taken"] == {"Ann": 1}


@pytest.mark.parametrize(
    ("told", "taken"), [({"Ann": 1}, {"Ann": 2}), ({"red": 1}, {"red": 2}), ({"Ann": None}, {"Ann": 1})]
)
def test_bases_taken_are_counted_on_from_what_the_state_tells(told, taken):
    """Those told by colour were lost, and null ended in a traceback."""
    counters = {"bases": BASES, "bases_taken": told}
    match = start(LAND, a_scene(TAKER, HOME, FORT), State(1, "attack", "Ann", counters=counters))
    assert seen(match, [TAKER, HOME, PENNY])[0].state.counters["bases_taken"] == taken


@pytest.mark.parametrize("steps", [([TAKER, HOME], [TAKER, HOME, FAR_PENNY]), ([TAKER, HOME, FAR_PENNY],)])
@pytest.mark.parametrize("declared", [True, False])
def test_a_settlement_falls_with_its_last_defender_though_its_middle_is_out_of_range(steps, declared):
    """At once it was legal, and illegal when the defender was taken away first."""
    match = attacking(TAKER, HOME, FAR_FORT, DEFENDER)
    if declared:
        dice = {"attack_dice": [6, 6], "defence_dice": [1, 1, 1, 1]}
        match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "d", **dice}))
    match, told = seen(match, [TAKER, HOME, FAR_FORT], *steps)
    assert [verdict for verdict, _ in told] == ["yes", "yes", "yes"]
    assert match.state.counters["bases_taken"] == {"Ann": 1} and match.state.counters["emptied"] == {"f": ["red"]}
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state
    passed = apply(match, Event(9.0, 1, "Ben", "phase", {"turn": 1, "phase": "draw", "active": "Ben"}))
    assert "emptied" not in passed.state.counters


def test_nobody_takes_from_afar_in_two_steps():
    far = a_coin("a", "invader", "red", (500, 200))
    assert seen(attacking(far, HOME, FORT), [far, HOME], [far, HOME, PENNY])[1] == [("no", "OMMS-5.2")] * 2
    match, told = seen(attacking(far, HOME, FORT), [far, HOME, FORT, PENNY], [far, HOME, PENNY])
    assert [verdict for verdict, _ in told] == ["no", "no"] and "bases_taken" not in match.state.counters


def test_a_settlement_that_was_lifted_against_the_rules_may_be_put_back():
    """It was "Ann's turn, and blue fortification f is not red"."""
    far = a_coin("a", "invader", "red", (500, 200))
    match, told = seen(attacking(far, HOME, FORT), [far, HOME], [far, HOME, FORT])
    assert told == [("no", "OMMS-5.2"), ("yes", "C4.8")] and dict(match.state.counters) == {"bases": BASES}


def test_another_than_the_taker_puts_no_penny_there():
    green = a_coin("p", "settlement", "green", (350, 200))
    assert seen(attacking(TAKER, HOME, FORT), [TAKER, HOME], [TAKER, HOME, green])[1][1][0] == "no"


def test_the_place_is_forgotten_with_the_turn():
    match, _ = seen(attacking(TAKER, HOME, FORT), [TAKER, HOME])
    passed = apply(match, Event(3.0, 2, "Ann", "phase", {"turn": 2, "phase": "attack", "active": "Ann"}))
    assert set(match.state.counters) == {"bases", "lifted"} and set(passed.state.counters) == {"bases"}
    assert seen(passed, [TAKER, HOME, PENNY])[1][1] == ("no", "OMMS-2")


@pytest.mark.parametrize("name", ["f", "f2"])
def test_what_was_lifted_by_mistake_may_be_put_back(name):
    again = a_coin(name, "fortification", "blue", (351, 200))
    match, told = seen(attacking(TAKER, HOME, FORT), [TAKER, HOME], [TAKER, HOME, again])
    assert told[1] == ("yes", "C4.8") and dict(match.state.counters) == {"bases": {"Ann": "h", "Ben": name}}


BACK_AT_ONCE, BACK_IN_TWO = ([TAKER, HOME, FORT],), ([TAKER, HOME], [TAKER, HOME, FORT])
PUT_TWICE = ([TAKER, HOME, FORT, PENNY], [TAKER, HOME, FORT], [TAKER, HOME, PENNY])
BACK_ON_IT = ([TAKER, HOME, PENNY, FORT], [TAKER, HOME, FORT])
RENAMED = a_coin("f2", "fortification", "blue", (351, 200))


@pytest.mark.parametrize("taken", [LIFTED_FIRST, PUT_FIRST, ([TAKER, HOME, PENNY],), PUT_TWICE])
@pytest.mark.parametrize(
    ("steps", "name"),
    [(BACK_AT_ONCE, "f"), (BACK_IN_TWO, "f"), (BACK_ON_IT, "f"), (([TAKER, HOME, RENAMED],), "f2")],
)
def test_a_capture_that_is_taken_back_by_hand_took_no_base(taken, steps, name):
    """The base stayed lost and counted as taken, and what was put back lay there against the rules."""
    captured, before = seen(attacking(TAKER, HOME, FORT), *taken)
    match, told = seen(captured, *steps)
    back = told[len(before) :]
    assert [rule for _, rule in back] == ["C4.8", "C4.8"] and "no" not in dict(back)
    assert dict(match.state.counters) == {"bases": {"Ann": "h", "Ben": name}}
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state
    assert lasting(seen(match, [TAKER, HOME, PENNY])[0])["bases_taken"] == {"Ann": 1}


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({}, "f: the class of a coin and its owner are wanted"),
        ({"class": "gbp-2p", "owner": "blue", "at_mm": [1, 2]}, "of f, by: a name is wanted, not None"),
        ({"class": "gbp-2p", "owner": "blue", "at_mm": [1, 2], "by": "n", "by_owner": 3}, "by_owner: a name is wanted"),
    ],
)
def test_what_cannot_have_been_supplanted_is_named(told, says):
    with pytest.raises(ValueError, match=says):
        check_counters(State(counters={"supplanted": {"f": told}}), LAND)


def test_a_lifted_base_whose_error_nobody_typed_may_be_taken():
    """What `rule` took the match could not: "no 'sigma_mm'"."""
    lifted = {"f": {"class": "gbp-2p", "owner": "blue", "at_mm": [350, 200]}}
    state = State(1, "attack", "Ann", counters={"bases": BASES, "lifted": lifted})
    check_counters(state, LAND)
    match, told = seen(start(LAND, a_scene(TAKER, HOME), state), [TAKER, HOME, PENNY])
    assert told == [("yes", "OMMS-5.5")] and match.state.counters["bases_taken"] == {"Ann": 1}
    back, _ = seen(match, [TAKER, HOME, FORT])
    assert dict(back.state.counters) == {"bases": {"Ann": "h", "Ben": "f"}}


def test_another_coin_by_the_name_of_what_was_taken_gives_no_base_back():
    """A guard that was bought was "Ben's base", and the capture forgotten."""
    captured, _ = seen(attacking(TAKER, HOME, FORT), [TAKER, HOME, PENNY])
    shopping = apply(captured, Event(2.0, 1, "Ann", "phase", {"turn": 1, "phase": "cards", "active": "Ann"}))
    match, told = seen(shopping, [TAKER, HOME, PENNY, a_coin("f", "guard", "red", (100, 200))])
    assert told[2:] == [("yes", "OMMS-6.2")]
    assert lasting(match) == {"bases": {"Ann": "h", "Ben": None}, "bases_taken": {"Ann": 1}}


@pytest.mark.parametrize(("role", "rule"), [("settlement", "OMMS-2"), ("guard", "OMMS-2")])
def test_what_was_put_down_against_the_rules_is_so_the_second_time(role, rule):
    """Lifted and put there again it was "put back", and legal."""
    coin = a_coin("x", role, "red", (450, 200))
    match, told = seen(attacking(TAKER, HOME), [TAKER, HOME, coin], [TAKER, HOME], [TAKER, HOME, coin])
    assert [told[0], told[2]] == [("no", rule)] * 2 and match.state.counters["unlawful"] == ["x"]
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state
    check_counters(match.state, LAND)
    passed = apply(match, Event(9.0, 2, "Ann", "phase", {"turn": 2, "phase": "attack", "active": "Ann"}))
    assert seen(passed, [TAKER, HOME], [TAKER, HOME, coin])[1][-1] == ("yes", "C4.8")


def test_what_was_put_elsewhere_against_the_rules_may_still_be_put_back():
    """Where it was lifted first was forgotten."""
    guard, there = a_coin("g", "guard", "red", (200, 200)), a_coin("g", "guard", "red", (450, 200))
    steps = [TAKER, HOME], [TAKER, HOME, there], [TAKER, HOME], [TAKER, HOME, guard]
    match, told = seen(attacking(TAKER, HOME, guard), *steps)
    assert (told[1], told[-1]) == (("no", "OMMS-2"), ("yes", "C4.8")) and dict(match.state.counters) == {"bases": BASES}


def test_a_captured_base_is_put_back_in_that_turn_only():
    captured, _ = seen(attacking(TAKER, HOME, FORT), [TAKER, HOME, PENNY])
    passed = apply(captured, Event(3.0, 2, "Ann", "phase", {"turn": 2, "phase": "attack", "active": "Ann"}))
    match, told = seen(passed, *BACK_AT_ONCE)
    assert [verdict for verdict, _ in told[2:]] == ["no", "no"] and match.state.counters["bases_taken"] == {"Ann": 1}


@pytest.mark.parametrize("between", [[], [[]], [[NEW, OLD]]])
@pytest.mark.parametrize("name", ["o", "o2"])
def test_a_fortification_that_is_taken_back_by_hand_leaves_the_base_and_its_siege(name, between):
    """The siege is as old as it was."""
    there = [TAKER, HOME, *(a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335))]
    counters = {"food": {"Ann": 6}, "bases": {"Ann": "o"}, "sieges": {"o": {"turn": 3, "active": "Ben"}}}
    match = start(LAND, a_scene(*there, OLD), State(4, "cards", "Ann", counters=counters))
    old = replace(OLD, id=name)
    steps = [[*there, NEW], *([*there, *(old if coin is OLD else coin for coin in more)] for more in between)]
    steps.append([*there, old])
    match, told = seen(match, *steps)
    assert [rule for _, rule in told[2:]] == ["C4.8", "C4.8"] and "no" not in dict(told)
    assert match.state.counters["bases"] == {"Ann": name} and match.besieged == {name}
    assert match.state.counters["sieges"] == {name: {"turn": 3, "active": "Ben"}}


@pytest.mark.parametrize("steps", [([TAKER, HOME], [TAKER, HOME, NEW]), ([TAKER, HOME, OLD, NEW], [TAKER, HOME, NEW])])
def test_a_penny_is_fortified_in_two_steps(steps):
    match, told = seen(building(TAKER, HOME, OLD), *steps)
    assert told == [("close", "OMMS-4.1"), ("yes", "OMMS-4.1")]
    assert lasting(match) == {"food": {"Ann": 4}, "bases": {"Ann": "n"}}


@pytest.mark.parametrize(
    ("unit_mm", "food", "phase", "second"),
    [(420, 4, "cards", "OMMS-4.1"), (300, 3, "cards", "OMMS-4.1"), (300, 4, "move", "OMMS-2")],
)
def test_what_a_fortification_needs_it_needs_in_two_steps(unit_mm, food, phase, second):
    unit = a_coin("a", "invader", "red", (unit_mm, 200))
    _, told = seen(building(unit, HOME, OLD, food=food, phase=phase), [unit, HOME], [unit, HOME, NEW])
    assert [verdict for verdict, _ in told] == ["no", "no"] and told[1][1] == second


BESIEGED = a_coin("s", "settlement", "blue", (300, 200))
WALLS, AGAIN = a_coin("w", "fortification", "blue", (300, 200)), a_coin("z", "settlement", "blue", (300, 200))
RING = [a_coin(f"e{x}", "guard", "red", (x, 200)) for x in (270, 330)]
INSIDE = [a_coin(name, "guard", "blue", (300, 200)) for name in "xy"]


@pytest.mark.parametrize(
    "steps", [[[WALLS]], [[], [WALLS]], [[BESIEGED, WALLS], [WALLS]], [[], [BESIEGED]], [[], [AGAIN]]]
)
def test_a_siege_goes_on_in_what_its_owner_puts_there(steps):
    """It began anew, so that fortifying put off by a round what the siege kills."""
    counters = {"food": {"Ben": 5}, "sieges": {"s": {"turn": 3, "active": "Ann"}}}
    match = start(LAND, a_scene(BESIEGED, *INSIDE, *RING), State(4, "cards", "Ben", counters=counters))
    match, _ = seen(match, *([*coins, *INSIDE, *RING] for coins in steps))
    assert match.state.counters["sieges"] == {steps[-1][0].id: {"turn": 3, "active": "Ann"}}
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state


def test_a_siege_goes_on_when_a_besieger_was_lifted_and_put_back():
    """It began anew."""
    counters = {"sieges": {"s": {"turn": 3, "active": "Ann"}}}
    match = start(LAND, a_scene(BESIEGED, *INSIDE, *RING), State(4, "attack", "Ben", counters=counters))
    lifted, _ = seen(match, [BESIEGED, *INSIDE, RING[0]])
    assert not lifted.state.counters["sieges"]
    again = a_coin("e2", "guard", "red", RING[1].position_mm)
    back, _ = seen(lifted, [BESIEGED, *INSIDE, RING[0], again])
    assert dict(back.state.counters) == counters
    check_counters(lifted.state, LAND)
    passed = apply(lifted, Event(3.0, 4, "Cid", "phase", {"phase": "draw", "active": "Ann", "turn": 5}))
    assert "relieved" not in passed.state.counters
    later, _ = seen(passed, [BESIEGED, *INSIDE, *RING])
    assert later.state.counters["sieges"] == {"s": {"turn": 5, "active": "Ann"}}


def test_two_scenes_alone_are_all_that_happened():
    def judged(before, after, state):
        return [r.verdict for r in GAME.judge(a_scene(*before), a_scene(*after), LAND, state)]

    for before, after in (([TAKER, OLD], [TAKER]), ([TAKER, FORT], [TAKER, FORT, PENNY])):
        assert judged(before, after, State()) == ["no"]
    assert judged([TAKER], [TAKER, PENNY], State(phase="attack")) == ["no"]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([], "lifted of f: a table of names is wanted"),
        ({"class": "gbp-3p", "owner": "red"}, "lifted of f: the class of a coin and its owner"),
        ({"class": "gbp-2p", "owner": "red", "at_mm": [1]}, r"lifted of f, at_mm: \[x, y\] in mm"),
        ({"class": "gbp-2p", "owner": "red", "at_mm": [1, "2"]}, "lifted of f, at_mm: a number is wanted, not '2'"),
    ],
)
def test_what_cannot_have_been_lifted_is_named(told, says):
    with pytest.raises(ValueError, match=says):
        check_counters(State(counters={"lifted": {"f": told}}), Setup())


SEA = a_setup(
    a_road((0, 200), (700, 200)), water=[box(0, 0, 700, 190)], places=[a_place(300, 200, port=True)], players=PLAYERS
)
BOAT, LOAD = a_coin("s", "ship", "red", (300, 150)), a_coin("g", "guard", "red", (300, 150), on="s")
RAIDER = a_coin("e", "ship", "blue", (350, 150))


def at_sea(phase, active, *scenes, coins=(BOAT, LOAD, RAIDER)):
    match = start(SEA, a_scene(*coins), State(1, phase, active))
    for lying in scenes:
        match = observe(match, a_scene(*lying), match.scene.time_s + 1)
    assert replay({"setup": setup_record(SEA)}, match.events).state == match.state
    return match, [e.fields["verdict"] for e in match.events if e.kind in ("move", "remove")]


def test_a_load_is_taken_away_after_its_ship_or_before():
    """Nothing could have destroyed it."""
    match, verdicts = at_sea("attack", "Ben", [LOAD, RAIDER], [RAIDER])
    assert verdicts == ["yes", "yes"] and "loads" not in match.state.counters
    assert at_sea("attack", "Ben", [BOAT, RAIDER], [RAIDER])[1] == ["close", "yes"]
    assert at_sea("attack", "Ben", [LOAD], [], coins=[BOAT, LOAD])[1] == ["no", "no"]  # nobody sank it
    assert at_sea("attack", "Ben", [BOAT], coins=[BOAT, LOAD])[1] == ["no"]


def test_a_ship_is_seen_to_sail_before_its_load():
    """The load was aboard no ship, and went aboard of one in no harbour."""
    boat, load = a_coin("s", "ship", "red", (250, 150)), a_coin("g", "guard", "red", (250, 150), on="s")
    match, verdicts = at_sea("move", "Ann", [boat, LOAD], [boat, load], coins=[BOAT, LOAD])
    assert verdicts == ["yes", "yes"] and not match.state.of("g").get("moved")
    assert match.state.counters == {}
    passed = apply(match, Event(9.0, 1, "Ann", "undo", {}))
    assert passed.state.counters == {"loads": {"g": "s"}}
    check_counters(passed.state, SEA)
    ben = apply(passed, Event(9.0, 1, "Ben", "phase", {"phase": "draw", "active": "Ben"}))
    assert "loads" not in ben.state.counters


def test_two_pennies_founded_in_one_scene_need_two_food_tokens():
    """Each was asked as if the other ate nothing."""
    units = [a_coin(f"g{x}", "guard", "red", (x, 200)) for x in (300, 500)]
    new = [a_coin(f"p{x}", "settlement", "red", (x, 200)) for x in (300, 500)]
    for food, verdicts in ((3, ["yes", "no"]), (4, ["yes", "yes"])):
        match = start(LAND, a_scene(HOME, *units), State(1, "cards", "Ann", counters={"food": {"red": food}}))
        match = observe(match, a_scene(HOME, *units, *new), 1.0)
        assert [event.fields["verdict"] for event in match.events if event.kind == "place"] == verdicts
        assert match.state.counters["food"] == {"red": food}


@pytest.mark.parametrize(("y_mm", "verdicts"), [(150, ["close", "yes"]), (250, ["no"])])
def test_a_load_is_seen_to_sail_before_its_ship(y_mm, verdicts):
    """It "stood on no usable road", though its ship lay under it a scene later."""
    boat, load = a_coin("s", "ship", "red", (250, y_mm)), a_coin("g", "guard", "red", (250, y_mm))
    steps = [[BOAT, load], [boat, replace(load, on="s")]][: len(verdicts)]
    match, told = at_sea("move", "Ann", *steps, coins=[BOAT, LOAD])
    assert told == verdicts and bool(match.state.of("g").get("moved")) is False
    assert at_sea("move", "Ben", *steps[:1], coins=[BOAT, LOAD])[1] == ["no"]


def test_what_was_too_close_to_call_is_so_the_second_time():
    """The two-pence put on its penny, and both lifted, was "put back", and the penny's base stayed behind."""
    match, told = seen(building(TAKER, HOME, OLD, food=6), [TAKER, HOME, OLD, NEW], [TAKER, HOME], [TAKER, HOME, NEW])
    assert told == [("close", "OMMS-4.1"), ("close", "OMMS-4.1"), ("yes", "C4.8"), ("yes", "OMMS-4.1")]
    assert match.state.counters["bases"] == {"Ann": "n"} and "unlawful" not in match.state.counters


def test_a_penny_too_near_to_tell_is_taken_back_and_put_there_as_near():
    """It could not be lifted again, and was legal the second time."""
    near = a_coin("n", "settlement", "red", (300, 200), sigma_mm=0.3)
    there = a_coin("a", "guard", "red", (300, 200)), a_coin("e", "settlement", "blue", (344.9, 200))
    steps = [*there, near], there, [*there, near]
    match, told = seen(start(LAND, a_scene(*there), State(1, "cards", "Ann", counters={"food": {"Ann": 3}})), *steps)
    assert told == [("close", "OMMS-4.1"), ("yes", "C4.8"), ("close", "OMMS-4.1")]
    assert match.state.counters["unlawful"] == ["n"]


@pytest.mark.parametrize(("unit_mm", "food", "why"), [(420, 9, "nobody stands in"), (300, 3, "no free food token")])
def test_why_a_two_pence_may_not_take_the_place_of_the_penny_under_it(unit_mm, food, why):
    """It "replaces no settlement of red", though it lay on one."""
    unit = a_coin("a", "invader", "red", (unit_mm, 200))
    match, told = seen(building(unit, HOME, OLD, food=food), [unit, HOME, OLD, NEW])
    assert told == [("no", "OMMS-4.1")] and why in match.events[-1].fields["why"]


@pytest.mark.parametrize(("owner", "attacker", "other"), [("blue", "a", "x"), ("red", "x", "d")])
def test_who_was_put_down_against_the_rules_and_fought_is_lost_in_that_fight(owner, attacker, other):
    """He was "taken back", as if no attack had been declared."""
    coin, foe = a_coin("x", "guard", owner, (340, 200)), a_coin("d", "guard", "blue", (380, 200))
    match, _ = seen(attacking(TAKER, HOME, foe), [TAKER, HOME, foe, coin])
    match = apply(match, Event(2.0, 1, "Ann", "attack", {"piece": attacker, "other": other, "verdict": "yes"}))
    match, told = seen(match, [TAKER, HOME, foe])
    assert told[0][0] == "no" and told[1][1] == "OMMS-5.4" and "x" in match.gone


def test_who_is_aboard_at_sea_is_told_so_and_where_to_land():
    """He "stands on no usable road", and whom a ship cannot attack was only too far away."""
    port, sea = a_place(300, 200, port=True), box(0, 215, 700, 500)
    country = a_setup(a_road((0, 200), (700, 200)), places=[port], water=[sea])
    ship, load = a_coin("s", "ship", "red", (300, 300)), a_coin("g", "guard", "red", (300, 300), on="s")
    coins = a_coin("p", "settlement", "red", (300, 200)), ship, load, a_coin("e", "guard", "blue", (500, 200))
    told = "red guard g is aboard red ship s, which is in no harbour: it lands within 27.3 mm of a port"
    rulings = {(r.kind, r.piece, r.other): r for r in GAME.rulings(a_scene(*coins), country, State(), None)}
    assert (rulings["reach", "g", None].verdict, rulings["reach", "g", None].why) == ("no", told)
    assert rulings["target", "s", "e"].why.endswith("a card is 63.5 mm broad, and only ships attack ships")
    landed = a_scene(coins[0], ship, a_coin("g", "guard", "red", (320, 200)), coins[3])
    (moved,) = GAME.judge(a_scene(*coins), landed, country, State())
    assert (moved.verdict, moved.why) == ("no", told)
