"""Who can be lost in a fight, what can be taken, and whose base it was (OMMS-5, 6.3, 7.2, note 8)."""

from __future__ import annotations

import pytest
from shapely import box

from rules.files.scene_file import scene_document
from rules.files.setup_record import setup_record
from rules.games.omms import GAME
from rules.match import Event, apply, observe, redo, replay, start, undo
from rules.scene import Piece
from rules.state import State

from .builders import a_coin, a_place, a_road, a_scene, a_setup

B = 63.5
PLAYERS = [("Ann", "red", "near"), ("Ben", "blue", "far")]
LAND = a_setup(a_road((0, 200), (700, 200)), places=[a_place(300, 200), a_place(500, 200)], players=PLAYERS)
A, D = a_coin("a", "invader", "red", (300, 200)), a_coin("d", "guard", "blue", (350, 200))


def gone(before, after, name, state=None):
    return {r.piece: r for r in GAME.judge(a_scene(*before), a_scene(*after), LAND, state or State())}[name]


def declared(mine, theirs, active="Ann"):
    counters = {"attack": {"piece": "a", "other": "d", "attack_dice": mine, "defence_dice": theirs}}
    return State(phase="attack", active=active, pieces={"a": {"fired": True}}, counters=counters)


@pytest.mark.parametrize(
    ("mine", "theirs", "of_d", "of_a"),
    [([6, 1], [3, 2], "yes", "no"), ([2, 1], [3, 2], "no", "yes"), ([3, 1], [3, 2], "no", "no"),
     ([6], [], "close", "close")],
)  # fmt: skip
@pytest.mark.parametrize("keeps_turns", [True, False])
def test_the_dice_of_the_declared_attack_say_who_is_gone(mine, theirs, of_d, of_a, keeps_turns):
    """Whether the state says that the attacker has fired or not."""
    state = declared(mine, theirs) if keeps_turns else State(counters=declared(mine, theirs).counters)
    assert gone([A, D], [A], "d", state).verdict == of_d
    assert gone([A, D], [D], "a", state).verdict == of_a


def test_another_attacker_can_have_destroyed_who_stood_off_the_declared_attack():
    other = a_coin("b", "scout", "red", (390, 200))
    assert gone([A, other, D], [A, other], "d", declared([3, 1], [3, 2])).verdict == "yes"


@pytest.mark.parametrize(
    ("active", "phase", "verdict"), [("Ben", "attack", "yes"), ("Ann", "move", "no"), (None, None, "yes")]
)
def test_a_unit_is_lost_in_the_turn_and_phase_of_an_attack(active, phase, verdict):
    assert gone([A, D], [A], "d", State(phase=phase, active=active)).verdict == verdict


def test_a_unit_that_was_hardly_in_range_is_too_close_to_call():
    near = [a_coin("d", "guard", "blue", (300 + B + by, 200), sigma_mm=0.3) for by in (-2, -0.5, 0.5, 2)]
    assert [gone([A, d], [A], "d").verdict for d in near] == ["yes", "close", "close", "no"]
    assert gone([A, near[1]], [A], "d").margin_mm == pytest.approx(0.5)


@pytest.mark.parametrize(("beyond_mm", "sigma_mm"), [(0.1, 0.0), (0.8, 0.2), (80.0, 0.2)])
def test_what_was_out_of_range_is_told_by_how_much(beyond_mm, sigma_mm):
    """C3.4: the margin of a no that hangs on a distance is that one's."""
    far = a_coin("a", "invader", "red", (350 - B - beyond_mm, 200), sigma_mm=sigma_mm)
    for before, after, name in (([far, D], [far], "d"), ([far, FORT], [far, PENNY], "f")):
        one = gone(before, after, name)
        assert (one.verdict, one.rule) == ("no", "OMMS-5.2")
        assert (one.margin_mm, one.sigma_mm) == (pytest.approx(-beyond_mm), pytest.approx(sigma_mm))
        assert f"{B + beyond_mm:.1f} mm from red invader a" in one.why


FORT, PENNY = a_coin("f", "fortification", "blue", (350, 200)), a_coin("p", "settlement", "red", (350, 200))


def test_a_settlement_is_taken_only_when_nobody_is_left_in_it():
    inside, far = a_coin("d", "guard", "blue", (350, 200), on="f"), a_coin("a", "invader", "red", (500, 200))
    for name in ("f", "p"):
        assert gone([A, FORT], [A, PENNY], name).verdict == "yes", name
        assert gone([A, FORT, inside], [A, PENNY], name).verdict == "yes", name  # its last defender fell
    assert gone([A, FORT, inside], [A, PENNY, inside], "p").verdict == "no"
    assert gone([far, FORT], [far, PENNY], "p").verdict == "no"
    assert gone([far, FORT], [far], "f").verdict == "no"
    assert gone([A, FORT], [A, PENNY], "p", State(pieces={"a": {"fired": True}})).verdict == "yes"


def test_no_other_player_s_unit_takes_it():
    green = a_coin("g", "guard", "green", (320, 200))
    assert gone([green, FORT], [green, PENNY], "p").verdict == "no"


def test_a_die_has_six_faces():
    with pytest.raises(ValueError, match="a die shows 1 to 6, not 7"):
        gone([A, D], [A], "d", declared([7, 1], [3, 2]))


@pytest.mark.parametrize(("turn", "active", "verdict"), [(5, "Ann", "yes"), (4, "Ann", "no"), (5, "Ben", "no")])
def test_a_siege_kills_when_it_is_due(turn, active, verdict):
    home = a_coin("s", "settlement", "red", (300, 200))
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "xy"]
    ring = [a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335)]
    state = State(turn, "move", active, counters={"sieges": {"s": {"turn": 4, "active": "Ann"}}})
    assert gone([home, *inside, *ring], [home, inside[0], *ring], "y", state).verdict == verdict


def test_one_die_on_either_side_decides_who_chooses_a_siege_s_victim():
    dice = [Piece(f"d{y}", "die", face, (600, y), box(590, y - 8, 606, y + 8)) for y, face in ((30, "2"), (470, "5"))]
    home, ring = (
        a_coin("s", "settlement", "red", (300, 200)),
        [a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335)],
    )
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "xy"]
    state = State(5, counters={"sieges": {"s": 4}})

    def who(*things, state=state):
        found = GAME.rulings(a_scene(home, *inside, *ring, *things), LAND, state, None)
        return next(r.extra.get("chooser") for r in found if r.kind == "siege")

    assert who(*dice) == "attacker" and who(dice[0]) is None
    assert who(*dice, state=State(5, counters={**state.counters, "attack": {"piece": "x", "other": "e265"}})) is None


@pytest.mark.parametrize("near", [True, False])
def test_a_siege_whose_time_has_come_kills_while_it_lasts_only(near):
    """OMMS-7.2: the state still tells when it began, and those who besieged have gone on."""
    home = a_coin("s", "settlement", "red", (300, 200))
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "xy"]
    ring = [a_coin(f"e{n}", "scout", "blue", (300 + (35 if near else 150) * n, 200)) for n in (-1, 1)]
    found = GAME.rulings(a_scene(home, *inside, *ring), LAND, State(5, counters={"sieges": {"s": 4}}), None)
    (siege,) = (r for r in found if r.kind == "siege")
    assert (siege.verdict, siege.extra["due"]) == (("yes", True) if near else ("no", False))


def feature(coin):
    return scene_document(a_scene(coin))["features"][0]


def test_a_match_follows_whose_base_it_is_and_who_took_it():
    events = [
        Event(1, 1, "Ann", "place", {"feature": feature(a_coin("base", "fortification", "red", (300, 200)))}),
        Event(2, 1, "Ben", "place", {"feature": feature(a_coin("b2", "fortification", "blue", (500, 200)))}),
        Event(3, 1, "Ben", "place", {"feature": feature(a_coin("u", "guard", "blue", (500, 200)))}),
        Event(4, 1, "Ben", "move", {"piece": "u", "to_mm": [420, 200]}),
        Event(5, 1, "Ben", "move", {"piece": "u", "to_mm": [345, 200]}),
    ]
    match = start(LAND, a_scene())
    for event in events:
        match = apply(match, event)
        assert match.events[-1].fields["verdict"] == "yes", match.events[-1]
    assert match.state.counters["bases"] == {"Ann": "base", "Ben": "b2"}
    assert bases(match) == {"red": "base", "blue": "b2"}
    penny = a_coin("p", "settlement", "blue", (300, 200))
    scene = a_scene(*(piece for piece in match.scene if piece.id != "base"), penny)
    taken = observe(match, scene, 7.0)
    assert taken.state.counters["bases"] == {"Ann": None, "Ben": "b2"}
    assert taken.state.counters["bases_taken"] == {"Ben": 1}
    assert bases(taken) == {"red": None, "blue": "b2"}
    back = undo(undo(taken, 8.0), 9.0)
    assert back.state == match.state and redo(redo(back, 10.0), 11.0).state == taken.state
    assert replay({"setup": setup_record(LAND)}, taken.events).state == taken.state


@pytest.mark.parametrize(
    ("more", "told", "kept"),
    [
        ([], {}, {"Ann": "n", "Ben": "f"}),
        ([a_coin("g", "fortification", "blue", (500, 200))], {}, {"Ann": "n"}),
        ([a_coin("g", "fortification", "none", (500, 200))], {}, {"Ann": "n", "Ben": "f"}),
        ([], {"bases": {"Ann": "n"}}, {"Ann": "n"}),
    ],
)
def test_the_only_two_pence_that_a_match_begins_with_is_its_owner_s_base(more, told, kept):
    near = a_coin("n", "fortification", "red", (100, 200))
    match = start(LAND, a_scene(A, near, FORT, *more), State(counters=told))
    assert match.state.counters["bases"] == kept
    assert bases(match) == {"red": kept.get("Ann"), "blue": kept.get("Ben")}
    taken = observe(match, a_scene(A, near, PENNY, *more), 1.0)
    assert taken.state.counters.get("bases_taken") == ({"Ann": 1} if "Ben" in kept else None)
    assert replay({"setup": setup_record(LAND)}, taken.events).state == taken.state


def test_a_first_base_that_is_too_close_to_call_is_the_base():
    """At the edge of its place it was told by another rule, and was nobody's base."""
    base = a_coin("f", "fortification", "red", (300, 200 - 12.9), sigma_mm=0.2)
    match = observe(start(LAND, a_scene(D)), a_scene(D, base), 1.0)
    assert (match.events[-1].fields["verdict"], match.state.counters["bases"]) == ("close", {"Ann": "f"})


def test_whose_base_was_taken_in_turn_1_has_no_first_one_to_come():
    """He was not out before turn 2, so that nobody had won, and might put down another two-pence for nothing."""
    base, invader = a_coin("f", "fortification", "blue", (350, 200)), a_coin("a", "invader", "red", (300, 200))
    match = start(LAND, a_scene(invader, base), State(1, "attack", "Ann"))
    match = observe(match, a_scene(invader, a_coin("p", "settlement", "red", (350, 200))), 1.0)
    match = apply(match, Event(2.0, 1, "Ben", "phase", {"turn": 1, "phase": "cards", "active": "Ben"}))
    told = {r.extra["owner"]: (r.extra["out"], r.extra["wins"]) for r in match.rulings if r.kind == "economy"}
    assert told == {"red": (False, True), "blue": (True, False)}
    match = observe(match, a_scene(*match.scene, a_coin("z", "fortification", "blue", (500, 200))), 3.0)
    assert (match.events[-1].fields["verdict"], match.events[-1].fields["rule"]) == ("no", "OMMS-6.3")


def test_a_base_that_the_state_tells_as_null_is_nobody_s():
    """Whatever was put down next became the base."""
    home = a_coin("h", "settlement", "red", (100, 200))
    match = start(LAND, a_scene(home), State(1, "cards", "Ann", counters={"bases": {"Ann": None}}))
    match = observe(match, a_scene(home, a_coin("g", "guard", "red", (100, 200))), 1.0)
    assert match.events[-1].fields["verdict"] == "yes" and match.state.counters["bases"] == {"Ann": None}


def bases(match):
    return {r.extra["owner"]: r.extra["base"] for r in match.rulings if r.kind == "economy"}


def test_a_base_that_is_fortified_anew_stays_the_base():
    unit = a_coin("g", "guard", "red", (300, 200))
    state = State(counters={"bases": {"red": "s"}, "food": {"Ann": 5}})
    match = start(LAND, a_scene(a_coin("s", "settlement", "red", (300, 200)), unit), state)
    grown = observe(match, a_scene(unit, a_coin("f", "fortification", "red", (300, 200))), 1.0)
    assert grown.state.counters["bases"] == {"red": "f"} and bases(grown)["red"] == "f"


def starving(*gone, state=None):
    """The verdicts on those who are gone from a besieged garrison of three."""
    home = a_coin("s", "settlement", "red", (300, 200))
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "xyz"]
    ring = [a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335)]
    before, after = [home, *inside, *ring], [home, *(unit for unit in inside if unit.id not in gone), *ring]
    due = State(5, "draw", "Ann", counters={"sieges": {"s": {"turn": 4, "active": "Ann"}}})
    found = GAME.judge(a_scene(*before), a_scene(*after), LAND, state or due)
    return {ruling.piece: (ruling.verdict, ruling.rule) for ruling in found}


def test_a_siege_kills_one_unit_and_never_two():
    assert starving("y") == {"y": ("yes", "OMMS-7.2")}
    assert starving("x", "y") == dict.fromkeys("xy", ("no", "OMMS-7.2"))
    assert starving("x", "y", "z") == dict.fromkeys("xyz", ("no", "OMMS-7.2"))


def test_a_siege_kills_one_unit_a_round_though_they_go_one_by_one():
    home = a_coin("s", "settlement", "red", (300, 200))
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "xyz"]
    ring = [a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335)]
    match = start(LAND, a_scene(home, *inside, *ring), State(4, "draw", "Ann"))

    def at(match, turn):
        return apply(match, Event(match.scene.time_s, turn, "Ann", "phase", {"turn": turn, "active": "Ann"}))

    def without(match, *names):
        left = (piece for piece in match.scene if piece.id not in names)
        return observe(match, a_scene(*left), match.scene.time_s + 1)

    def due(match):
        return next(r.extra["due"] for r in match.rulings if r.kind == "siege")

    first = without(at(match, 5), "x")
    assert due(at(match, 5)) and not due(first) and due(undo(first, 2.0)) and due(at(first, 6))
    assert first.state.counters["sieges"] == {"s": {"turn": 4, "active": "Ann", "killed": 5}}
    told = [without(then, "y").events[-1].fields for then in (first, at(first, 6), undo(first, 2.0))]
    assert [fields["verdict"] for fields in told] == ["no", "yes", "yes"]
    assert told[0]["rule"] == "OMMS-7.2" and "has killed one unit in this round" in told[0]["why"]
    assert replay({"setup": setup_record(LAND)}, first.events).state == first.state
    for name in ("x", "another"):
        x = a_coin(name, "scout", "red", (300, 200), on="s")
        back = observe(first, a_scene(*first.scene, x), 3.0)
        assert due(back) and without(back, "y").events[-1].fields["verdict"] == "yes"


def test_a_unit_that_fell_in_a_fight_is_not_the_siege_s():
    fight = {"piece": "x", "other": "e265", "attack_dice": [1], "defence_dice": [6]}
    counters = {"sieges": {"s": {"turn": 4, "active": "Ann"}}, "attack": fight}
    found = starving("x", "y", state=State(5, "move", "Ann", counters=counters))
    assert found == {"x": ("yes", "OMMS-5.4"), "y": ("yes", "OMMS-7.2")}


@pytest.mark.parametrize(("away_mm", "verdict"), [(50, "yes"), (63.6, "no")])
def test_what_is_replaced_may_be_gone_if_the_other_may_lie_there(away_mm, verdict):
    a = a_coin("a", "guard", "red", (350 - away_mm, 200))
    found = [gone([a, FORT], [a, PENNY], name) for name in ("f", "p")]
    assert [ruling.verdict for ruling in found] == [verdict] * 2
    assert found[0].rule == found[1].rule and found[0].margin_mm == found[1].margin_mm


@pytest.mark.parametrize(("inside", "verdict"), [(True, "yes"), (False, "no")])
def test_a_penny_that_is_fortified_is_gone_by_the_rule_of_fortifying(inside, verdict):
    old, new = (a_coin(cls, cls, "red", (300, 200)) for cls in ("settlement", "fortification"))
    unit = a_coin("u", "guard", "red", (300, 200 if inside else 250))
    found = [gone([old, unit], [new, unit], cls) for cls in ("settlement", "fortification")]
    assert [(ruling.verdict, ruling.rule, ruling.extra["phase"]) for ruling in found] == [
        (verdict, "OMMS-4.1", "cards")
    ] * 2


def test_losses_and_captures_belong_to_the_phase_of_attacks():
    assert gone([A, D], [A], "d").extra["phase"] == "attack"
    assert [gone([A, FORT], [A, PENNY], name).extra["phase"] for name in ("f", "p")] == ["attack", "attack"]
    penny = a_coin("p", "settlement", "red", (300, 200))
    assert gone([A], [A, penny], "p").extra["phase"] == "cards"


@pytest.mark.parametrize(
    ("phase", "verdict"), [(None, "yes"), ("cards", "yes"), ("draw", "no"), ("move", "no"), ("attack", "no")]
)
def test_what_cards_buy_is_put_down_in_their_phase(phase, verdict):
    state, home = State(phase=phase), a_coin("s", "settlement", "red", (500, 200))
    penny, unit = a_coin("p", "settlement", "red", (300, 200)), a_coin("n", "scout", "red", (500, 200))
    fort, inside = a_coin("f", "fortification", "red", (500, 200)), a_coin("i", "guard", "red", (500, 200))
    found = [
        gone([A], [A, penny], "p", state),
        gone([home], [home, unit], "n", state),
        gone([home, inside], [fort, inside], "f", state),
    ]
    assert [ruling.verdict for ruling in found] == [verdict] * 3
    if verdict == "no":
        assert {ruling.rule for ruling in found} == {"OMMS-2"}
    base = a_coin("f", "fortification", "red", (300, 200))
    assert gone([D], [D, base], "f", state).verdict == "yes"  # a first base is put down before any phase


@pytest.mark.parametrize(
    ("active", "phase", "rule", "why"),
    [
        ("Ann", "draw", "OMMS-2", "a could attack it, but units attack in the attack phase, not in the phase 'draw'"),
        ("Ben", "move", "C4.9", "a could attack it, but it is Ben's turn, and red invader a is not blue"),
        ("Ann", "attack", "OMMS-2", "red invader a has attacked this turn"),
    ],
)
def test_a_loss_in_another_phase_or_turn_is_told_by_that(active, phase, rule, why):
    """It was "nothing could have destroyed it" beside an invader."""
    state = State(phase=phase, active=active, pieces={"a": {"fired": True}} if phase == "attack" else {})
    found = gone([A, D], [A], "d", state)
    assert (found.verdict, found.rule) == ("no", rule) and why in found.why
    if phase != "attack":
        found = gone([A, FORT], [A], "f", state)
        assert (found.verdict, found.rule) == ("no", rule) and why.replace("attack it", "take it") in found.why


def test_an_attack_out_of_turn_is_none():
    """It was a target, cancelled the attack that was declared before, and made the loss legal."""
    match = start(LAND, a_scene(A, D), State(phase="attack", active="Ann"))
    (target,) = [ruling for ruling in match.rulings if ruling.kind == "target" and ruling.piece == "d"]
    assert (target.verdict, target.rule) == ("no", "C4.9") and "it is Ann's turn" in target.why and not target.marks
    own = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "d"}))
    other = apply(own, Event(2.0, 1, "Ann", "attack", {"piece": "d", "other": "a"}))
    assert "verdict" not in own.events[-1].fields
    assert (other.events[-1].fields["verdict"], other.events[-1].fields["rule"]) == ("no", "C4.9")
    assert other.state == own.state and other.state.counters["attack"] == {"piece": "a", "other": "d"}
    assert replay({"setup": setup_record(LAND)}, other.events).state == own.state
    thrown = apply(own, Event(3.0, 1, "Ann", "attack", {"piece": "d", "other": "a", "attack_dice": [6]}))
    assert thrown.state.counters == own.state.counters


def test_an_attack_out_of_turn_that_a_state_file_tells_destroys_nobody():
    fight = {"attack": {"piece": "d", "other": "a", "attack_dice": [6], "defence_dice": [1, 2]}}
    state = State(phase="attack", active="Ann", counters=fight)
    (melee,) = [ruling for ruling in GAME.rulings(a_scene(A, D), LAND, state, None) if ruling.kind == "melee"]
    assert (melee.verdict, melee.rule) == ("no", "C4.9") and "may not attack" in melee.why
    spent = State(phase="attack", active="Ann", counters=fight, pieces={"a": {"fired": True}})
    found = gone([A, D], [D], "a", spent)
    assert (found.verdict, found.rule) == ("no", "C4.9") and "it is Ann's turn" in found.why
    # The active player's own attack is not answered by it.
    assert gone([A, D], [A], "d", state).verdict == "yes"


def test_an_attack_at_an_occupied_settlement_is_none_and_says_whom_to_attack():
    """It counted as the unit's attack of the turn, so that the defender's loss was illegal (OMMS-5.2)."""
    home = a_coin("p", "settlement", "blue", (350, 200))
    match = start(LAND, a_scene(A, home, D), State(phase="attack", active="Ann"))
    match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "p"}))
    told = "blue settlement p is occupied: attack blue guard d, who defends it"
    assert [match.events[-1].fields[key] for key in ("verdict", "rule", "why")] == ["no", "OMMS-5.2", told]
    assert apply(match, Event(2.0, 1, "Ann", "remove", {"piece": "d"})).events[-1].fields["verdict"] == "yes"
