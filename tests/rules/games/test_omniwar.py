"""OmniWar against hand-made cases and an independent reading of the notes."""

import itertools
import math
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from rules.games.omniwar import GAME
from rules.games.omniwar.attack import destroy_chance, number_needed
from rules.games.omniwar.points import price_of
from rules.games.omniwar.roster import packaged_roster
from rules.match import Event, apply, observe, start
from rules.scene import Piece
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.hexboards import GRID, a_disc, a_scene, a_state, a_unit

SETUP = Setup("omniwar", (700, 700), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")), legend=GAME.legend)


def ruled(scene, state, kind, piece=None, setup=SETUP):
    return [r for r in GAME.rulings(scene, setup, state, None) if r.kind == kind and piece in (None, r.piece)]


def reach(scene, state, piece, setup=SETUP):
    (one,) = ruled(scene, state, "reach", piece, setup)
    return {tuple(cell) for cell in one.extra["cells"]}


def target(scene, state, piece, other):
    (one,) = [r for r in ruled(scene, state, "target", piece) if r.other == other]
    return one


def judged(before, after, state, piece, setup=SETUP):
    (one,) = [r for r in GAME.judge(before, after, setup, state) if r.piece == piece]
    return one


# An independent reading of OMNI-2.1, 3.1, 3.2 and 4.1: Move, Range, Off, Def.
UNITS = {
    "Army squad": (1, 2, 4, 0),
    "Machine gun": (1, 3, 4, 0),
    "Scout team": (1, 2, 4, 0),
    "Mortar crew": (1, 7, 3, -1),
    "Tank": (2, 6, 6, 3),
    "Transport": (2, 3, 4, 2),
    "Hover tank": (3, 4, 6, 3),
    "Medieval infantry": (1, 0, 3, 0),
    "Medieval archers": (1, 2, 3, 0),
    "Medieval knights": (2, 0, 4, 1),
}
AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def plain_reach(board, name, cell, foes, friends):
    """Every walk of at most 2 x Move steps, by repeated relaxing of the whole board."""
    vehicle, flyer = name in ("Tank", "Transport"), name == "Hover tank"
    price = {cell: Fraction(0)}
    for _ in range(2 * UNITS[name][0]):
        for (q, r), side in itertools.product(list(price), range(6)):
            goal = q + AROUND[side][0], r + AROUND[side][1]
            if goal not in board or (not flyer and (board[goal][0] == "water" or goal in foes)):
                continue
            road = side in board[q, r][1] and (side + 3) % 6 in board[goal][1]
            step = Fraction(1)
            if vehicle:
                step = Fraction(1, 2) if road else Fraction(2) if board[goal][0] == "dense" else step
            price[goal] = min(price.get(goal, step + price[q, r]), step + price[q, r])
    ends = {goal for goal, paid in price.items() if paid <= UNITS[name][0]}
    return {goal for goal in ends if goal == cell or goal not in foes | friends}


def plain_sight(board, a, b):
    """Lengths of the line inside shrunk and grown hexes tell what it crosses and what it runs along."""
    line = LineString([GRID.centre(a), GRID.centre(b)])
    beside = []
    for cell in board.keys() - {a, b}:
        outline = GRID.outline(cell)
        if line.intersection(outline.buffer(-1e-3)).length > 1e-6:
            if board[cell][0] == "dense":
                return False
        elif (run := line.intersection(outline.buffer(1e-3))).length > 1.0:
            beside.append((cell, run.centroid))
    pairs = itertools.combinations([(c, at) for c, at in beside if board[c][0] == "dense"], 2)
    return not any(at.distance(its) < 1.0 for (_, at), (_, its) in pairs)


grounds = st.tuples(
    st.sampled_from(["open", "open", "dense", "water", "road"]), st.frozensets(st.integers(0, 5), max_size=4)
)


@st.composite
def boards(draw):
    cells = sorted(a_disc(3))
    board = {cell: draw(grounds) for cell in cells}
    spots = draw(st.lists(st.sampled_from(cells), unique=True, min_size=2, max_size=8))
    army = {
        f"u{n}": (spot, draw(st.sampled_from(sorted(UNITS))), draw(st.sampled_from(["red", "blue"])))
        for n, spot in enumerate(spots)
    }
    return board, army


@given(boards())
@settings(deadline=None, max_examples=60)
def test_reach_and_attacks_are_those_of_the_plain_tables(drawn):
    board, army = drawn
    scene = a_scene(*(a_unit(id_, cell, owner) for id_, (cell, _, owner) in army.items()))
    state = a_state(board, {id_: name for id_, (_, name, _) in army.items()})
    for id_, (cell, name, owner) in army.items():
        foes = {its for its, _, other in army.values() if other != owner}
        friends = {its for its, _, other in army.values() if other == owner} - {cell}
        assert reach(scene, state, id_) == plain_reach(board, name, cell, foes, friends)
        for its_id, (its, its_name, other) in army.items():
            if other != owner:
                check_attack(board, target(scene, state, id_, its_id), (cell, name), (its, its_name))


def check_attack(board, ruling, attacker, enemy):
    (a, name), (b, its_name) = attacker, enemy
    _, limit, offense, _ = UNITS[name]
    needs = min(6, max(0, offense - UNITS[its_name][3]))
    steps = max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)))
    seen = name == "Mortar crew" or plain_sight(board, a, b)
    rolls = [roll for roll in range(1, 7) if roll <= needs and not (board[b][0] == "dense" and roll >= 4)]
    assert ruling.verdict == ("yes" if steps <= limit and seen and needs else "no")
    assert ruling.extra["needs"] == needs
    assert Fraction(ruling.extra["odds"]["win"]) == Fraction(len(rolls), 6)
    assert all(mark.label == f"{round(100 * len(rolls) / 6)} %" for mark in ruling.marks)


@pytest.mark.parametrize(
    ("offense", "defense", "dense", "chance"),
    [(4, 0, False, "4/6"), (4, 3, False, "1/6"), (6, 3, True, "3/6"), (4, 0, True, "3/6"), (3, 3, False, "0")],
)
def test_vectors_of_the_note(offense, defense, dense, chance):
    assert destroy_chance(number_needed(offense, defense), dense) == Fraction(chance)


def test_roster_is_that_of_the_note():
    listed = {
        name: (kind.move, kind.range, kind.offense, kind.defense) for name, kind in packaged_roster().unit.items()
    }
    assert listed == UNITS
    points = [kind.points for kind in packaged_roster().unit.values()]
    assert points == [5, 9, 7, 11, 46, 15, 46, 2, 3, 6]


def test_roster_names_ignore_case_and_keywords_count():
    board = a_disc(4) | {(1, 0): "water", (0, 1): "dense"}
    scene = a_scene(a_unit("t", (0, 0)))
    for said, cells in [
        ("tANK", a_disc(2).keys() - {(1, 0), (2, 0), (1, 1), (0, 2)}),
        ({"roster": "Army Squad"}, a_disc(1).keys() - {(1, 0)}),
        ({"roster": "army squad", "keywords": ["Amphibious"]}, a_disc(1).keys()),
        ({"roster": "army squad", "keywords": ["+1 Move"]}, a_disc(2).keys() - {(1, 0), (2, 0)}),
        ({"roster": "army squad", "keywords": ["Vehicle"]}, a_disc(1).keys() - {(1, 0), (0, 1)}),
        ({"roster": "army squad", "keywords": ["water-bound"]}, {(0, 0), (1, 0)}),
        ({"roster": "army squad", "keywords": ["Flyer"]}, a_disc(1).keys()),
    ]:
        assert reach(scene, a_state(board, {"t": said}), "t") == set(cells), said


def test_own_units_in_the_set_up():
    own = {"Mech": {"move": 1, "range": 1, "offense": 5, "defense": 4, "abilities": ["Flyer"]}}
    setup = replace(SETUP, house={"roster": own})
    state = a_state(a_disc(2), {"m": "mech"})
    assert reach(a_scene(a_unit("m", (0, 0))), state, "m", setup) == set(a_disc(1))
    broken = replace(SETUP, house={"roster": {"Mech": {"move": "far", "range": 1, "offense": 5, "defense": 4}}})
    with pytest.raises(ValueError, match=r"rules\.roster\.Mech\.move"):
        reach(a_scene(a_unit("m", (0, 0))), state, "m", broken)


@pytest.mark.parametrize(("height_mm", "verdict"), [(None, "close"), (30.0, "close"), (1.0, "yes")])
def test_what_nobody_has_named_hides_or_not(height_mm, verdict):
    """A box on the hex between would, white paper would not (C5.2); a ground that the state names is no question."""
    x, y = GRID.centre((1, 0))
    thing = Piece("t", "terrain", "unknown", (x, y), Point(x, y).buffer(15), "none", height_mm=height_mm)
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (2, 0), "blue"), thing)
    named = a_state(a_disc(3), {"a": "army squad", "b": "army squad"})
    bare = replace(named, grid={key: value for key, value in named.grid.items() if key != "cells"})
    one = target(scene, bare, "a", "b")
    assert one.verdict == verdict
    if verdict == "close":
        assert (one.margin_mm, one.sigma_mm, one.rule) == (0.0, 1.0, "C5.2")
        assert one.why.endswith("nobody has said what t is, which lies across the line")
    assert target(scene, named, "a", "b").verdict == "yes"


def test_a_name_that_is_not_in_the_roster_is_unknown_and_shuts_its_hex():
    scene = a_scene(a_unit("x", (1, 0), "blue"), a_unit("f", (0, 0)))
    state = a_state(a_disc(1), {"x": "dragon", "f": "hover tank"})
    assert (1, 0) not in reach(scene, state, "f")
    (one,) = ruled(scene, state, "reach", "x")
    assert (one.verdict, one.rule) == ("no", "C5.2")
    assert [r.other for r in ruled(scene, state, "blocked", "f")] == ["x"]


def test_a_piece_that_is_bound_to_no_roster_entry_is_no_unit():
    """OMNI: units are any pieces bound to a roster entry; of known class and owner, the rest bars nobody (C5.2)."""
    before = a_scene(a_unit("x", (1, 0), "blue"), a_unit("f", (0, 0)))
    state = a_state(a_disc(2), {"f": "Tank"})
    assert (1, 0) in reach(before, state, "f")
    assert not [r for r in GAME.rulings(before, SETUP, state, None) if "x" in (r.piece, r.other)]
    one = judged(before, a_scene(a_unit("x", (2, 0), "blue"), a_unit("f", (0, 0))), state, "x")
    assert (one.verdict, one.why) == ("yes", "x stands for no unit and is free to move")


def test_stacking_is_a_setting():
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (1, 0)))
    state = a_state(a_disc(1), {"a": "army squad", "b": "army squad"})
    assert (1, 0) not in reach(scene, state, "a")
    assert (1, 0) in reach(scene, state, "a", replace(SETUP, house={"stacking": "yes"}))


def test_limited_turning_counts_the_facing():
    """Facing side 0 with Move 2: ahead, or after one free turn; what lies behind takes too many turns."""
    state = a_state(a_disc(3), {"k": {"roster": "medieval knights", "keywords": ["Limited turning"]}})
    cells = reach(a_scene(a_unit("k", (0, 0), facing_deg=0.0)), state, "k")
    assert {(1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (1, -1), (2, -2), (2, -1)} <= cells
    assert (-1, 1) in cells  # one free turn, one paid, one step
    assert (-1, 0) not in cells  # three turns cost 2


def test_transports():
    board, names = a_disc(3), {"t": "transport", "s": "army squad", "v": "tank"}
    scene = a_scene(a_unit("t", (1, 0)), a_unit("s", (0, 0)), a_unit("v", (0, 1)))
    state = a_state(board, names)
    (foot,) = ruled(scene, state, "reach", "s")
    assert foot.extra["transports"] == ["t"]
    assert [1, 0] not in foot.extra["cells"]
    carrier = {**names, "s": {"roster": "army squad", "keywords": ["Transport"]}}  # nobody rides in himself
    (foot,) = ruled(scene, a_state(board, carrier), "reach", "s")
    assert foot.extra["transports"] == ["t"]
    for name in ("tank", "hover tank"):  # vehicles and flyers are no troops, OMNI-2.1
        (other,) = ruled(scene, a_state(board, {**names, "v": name}), "reach", "v")
        assert "transports" not in other.extra
    inside = a_scene(a_unit("t", (1, 0)), a_unit("s", (1, 0), dx=5), a_unit("v", (0, 1)))
    entered = judged(scene, inside, state, "s")
    assert (entered.verdict, entered.extra["boards"]) == ("yes", "t")
    assert entered.why == "s moves from hex (0, 0) to hex (1, 0) and boards t"
    riding = {**names, "s": {"roster": "army squad", "carried_by": "t", "boarded": True}}
    (stuck,) = ruled(inside, a_state(board, riding), "reach", "s")
    assert (stuck.verdict, stuck.rule, stuck.extra["cells"]) == ("no", "OMNI-2.2", [])
    riding["s"] = {"roster": "army squad", "carried_by": "t"}
    assert (2, 0) in reach(inside, a_state(board, riding), "s")


@pytest.mark.parametrize(("dx", "boards"), [(0.0, "t"), (26.0, None)])
def test_where_friends_may_stack_who_ends_beside_a_transport_does_not_board_it(dx, boards):
    """It was carried, and could not attack: nobody could stack with an empty transport."""
    state = a_state(a_disc(2), {"t": "transport", "s": "army squad"})
    before = a_scene(a_unit("t", (1, 0), dx=-9.0), a_unit("s", (0, 0)))
    after = a_scene(a_unit("t", (1, 0), dx=-9.0), a_unit("s", (1, 0), dx=dx - 9.0))
    for stacking, there in (("yes", boards), ("no", "t")):
        setup = replace(SETUP, house={"stacking": stacking})
        (moved,) = GAME.judge(before, after, setup, state)
        assert (moved.verdict, moved.extra.get("boards")) == ("yes", there)


@pytest.mark.parametrize("on_hexes", [True, False])
@pytest.mark.parametrize(
    ("known", "active", "told"),
    [
        ({}, "Ann", "; if it went aboard t, lay it on t"),
        ({"carried_by": "t"}, "Ann", "; it rides on t: leave it there, it goes when t goes"),
        ({"moved": True}, "Ann", ""),
        ({}, "Bob", ""),
    ],
)
def test_who_is_lifted_as_it_boards_is_told_where_it_lies_then(on_hexes, known, active, told):
    """It was "nobody can have destroyed it", and no word of the transport."""
    names = {"t": "transport", "s": {"roster": "army squad", **known}, "far": "transport", "v": "tank"}
    state = a_state(a_disc(8), names, phase="move", active=active)
    state = state if on_hexes else replace(state, grid=None)
    there = [a_unit("far", (0, 2)), a_unit("t", (1, 0)), a_unit("v", (0, 1))]
    gone = judged(a_scene(*there, a_unit("s", (0, 0))), a_scene(*there), state, "s")
    assert (gone.verdict, gone.rule) == ("no", "OMNI-2.2")
    assert gone.why == f"s was removed, though nobody can have destroyed it and it cannot leave the board{told}"


def test_a_transport_takes_one_of_two_who_come_at_once():
    state = a_state(a_disc(3), {"t": "transport", "s": "army squad", "u": "army squad"})
    before = a_scene(a_unit("t", (1, 0)), a_unit("s", (0, 0)), a_unit("u", (2, 0)))
    after = a_scene(a_unit("t", (1, 0)), a_unit("s", (1, 0), dx=3), a_unit("u", (1, 0), dx=-3))
    found = {r.piece: (r.verdict, r.extra.get("boards")) for r in GAME.judge(before, after, SETUP, state)}
    assert found == {"s": ("yes", "t"), "u": ("no", None)}


@pytest.mark.parametrize("on_hexes", [True, False])
def test_who_lies_on_a_transport_is_not_in_its_way(on_hexes):
    """A squad whose boarding was illegal, and of whom the state says nothing, lies on it and moved with it."""
    state = a_state(a_disc(3), {"t": "transport", "a": "army squad"}, phase="move")
    state = state if on_hexes else replace(state, grid=None)
    before, after = ([a_unit("t", cell), a_unit("a", cell, dx=1, on="t")] for cell in ((0, 0), (1, 0)))
    told = GAME.judge(a_scene(*before), a_scene(*after), SETUP, state)
    assert next(r.verdict for r in told if r.piece == "t") == "yes"


def test_a_passenger_goes_with_its_transport():
    state = a_state(a_disc(3), {"t": "transport", "s": {"roster": "army squad", "carried_by": "t"}})
    before = a_scene(a_unit("t", (0, 0)), a_unit("s", (0, 0), dx=5))
    after = a_scene(a_unit("t", (2, 0)), a_unit("s", (2, 0), dx=5))
    assert {r.piece: r.verdict for r in GAME.judge(before, after, SETUP, state)} == {"t": "yes", "s": "yes"}


@pytest.mark.parametrize(
    ("ground", "known", "needs"),
    [
        ("water", {"submerged": True, "keywords": ["Submersible"]}, 5),
        ("open", {"submerged": True, "keywords": ["Submersible"]}, 6),
        ("water", {"submerged": True, "keywords": ["Amphibious"]}, 6),
        ("water", {"keywords": ["Submersible"]}, 6),
    ],
)
def test_a_submersible_under_water_defends_by_one_more(ground, known, needs):
    """Offense 6 against Defense 0 (OMNI-3.2), and cover of +1 (rulebook)."""
    state = a_state(a_disc(3) | {(2, 0): ground}, {"t": "tank", "s": {"roster": "army squad", **known}})
    found = target(a_scene(a_unit("t", (0, 0)), a_unit("s", (2, 0), "blue")), state, "t", "s")
    assert found.extra["needs"] == needs


@pytest.mark.parametrize(("name", "verdict"), [("army squad", "yes"), ("mortar crew", "no")])
def test_who_fired_still_moves_but_where_it_is_one_or_the_other(name, verdict):
    """OMNI-4.1: where nobody tells turns, the order of moves and attacks is not known."""
    state = a_state(a_disc(3), {"u": {"roster": name, "fired": 1}})
    scene = a_scene(a_unit("u", (0, 0)))
    assert (len(reach(scene, state, "u")) > 0) == (verdict == "yes")
    assert judged(scene, a_scene(a_unit("u", (1, 0))), state, "u").verdict == verdict


def test_who_may_not_fire():
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (1, 0), "blue"))

    def verdict(known, its=None, **turn):
        state = a_state(a_disc(2), {"a": known, "b": {"roster": "army squad", **(its or {})}}, **turn)
        return target(scene, state, "a", "b").verdict

    assert verdict({"roster": "army squad", "moved": True}) == "yes"
    assert verdict({"roster": "army squad", "fired": True}) == "no"
    assert verdict({"roster": "machine gun", "fired": 1}) == "yes"
    assert verdict({"roster": "machine gun", "fired": 2}) == "no"
    assert verdict({"roster": "mortar crew", "moved": True}) == "no"
    assert verdict({"roster": "army squad"}, {"hidden": True}) == "no"
    assert verdict({"roster": "army squad"}, active="Bob") == "yes"  # it waited
    assert verdict({"roster": "army squad", "moved": True}, active="Bob") == "no"


def test_who_waited_has_all_his_attacks_out_of_turn():
    """After the first a machine gun was told that it had fired in its own turn."""
    names = {"g": "machine gun", "b": "army squad", "s": {"roster": "machine gun", "fired": 1}}
    scene = a_scene(a_unit("g", (0, 0)), a_unit("s", (0, 1)), a_unit("b", (1, 0), "blue"))
    match = start(SETUP, scene, a_state(a_disc(2), names, phase="move", active="Bob"))

    def verdicts():
        return [r.verdict for who in "gs" for r in match.rulings if r.kind == "target" and r.piece == who]

    for left in (["yes", "no"], ["yes", "no"], ["no", "no"]):
        assert verdicts() == left
        match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "g", "other": "b"}))
    match = apply(match, Event(2.0, 2, "Ann", "phase", {"phase": "attack", "active": "Ann", "turn": 2}))
    assert verdicts() == ["yes", "yes"] and match.state.of("g") == {"roster": "machine gun"}


def test_a_scout_who_has_moved_is_seen_though_his_move_is_too_close_to_call():
    state = a_state(a_disc(2), {"s": {"roster": "scout team", "hidden": True}}, phase="move", active="Ann")
    match = observe(
        start(SETUP, a_scene(a_unit("s", (0, 0))), state), a_scene(a_unit("s", (1, 0), dx=18, sigma_mm=1.0)), 1.0
    )
    assert (match.events[-1].fields["verdict"], match.state.of("s").get("hidden")) == ("close", None)


def test_an_area_attack_hits_all_in_the_hex():
    scene = a_scene(
        a_unit("m", (0, 0)), a_unit("b", (2, 0), "blue"), a_unit("c", (2, 0), "blue", dx=6), a_unit("d", (3, 0), "blue")
    )
    state = a_state(a_disc(3), {"m": "mortar crew", "b": "army squad", "c": "army squad", "d": "army squad"})
    assert target(scene, state, "m", "b").extra["hits"] == ["b", "c"]


@pytest.mark.parametrize(("dx_mm", "verdict"), [(18.4, "yes"), (19.0, "close"), (21.0, "close")])
def test_a_unit_at_the_edge_of_the_board_is_too_close_to_call(dx_mm, verdict):
    """The hex ends 20 mm from its centre, and the board with it; 3 sigma are 1.5 mm."""
    state = a_state(a_disc(2), {"a": "Tank", "b": "Army squad"})
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (2, 0), "blue", dx=dx_mm, sigma_mm=0.5))
    found = target(scene, state, "a", "b")
    assert found.verdict == verdict
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(20 - dx_mm), 0.5)


def test_a_hex_too_close_to_call():
    """1 mm from the border with s = 0.5: the target may be two hexes away or three, and the range is two."""
    state = a_state(a_disc(4), {"a": "army squad", "b": "army squad"})
    near = a_unit("b", (2, 0), "blue", dx=19.0, sigma_mm=0.5)
    assert target(a_scene(a_unit("a", (0, 0)), near), state, "a", "b").verdict == "close"
    assert target(a_scene(a_unit("a", (0, 0)), replace(near, sigma_mm=0.3)), state, "a", "b").verdict == "yes"
    beyond = a_unit("b", (3, 0), "blue", dx=-19.0, sigma_mm=0.5)
    assert target(a_scene(a_unit("a", (0, 0)), beyond), state, "a", "b").verdict == "close"


def test_sight_is_a_region_of_hexes():
    board = a_disc(2) | {(1, 0): "dense"}
    (one,) = ruled(a_scene(a_unit("a", (0, 0))), a_state(board, {"a": "army squad"}), "sight")
    assert [list(cell) for cell in sorted(board) if cell != (2, 0)] == one.extra["cells"]
    assert one.geometry.area == pytest.approx(18 * math.sqrt(3) / 2 * 40**2)


@pytest.mark.parametrize(
    ("end", "more", "verdict", "rule"),
    [
        ((1, 0), {}, "yes", "OMNI-2.1"),
        ((2, 0), {}, "no", "OMNI-2.1"),
        ((0, 1), {}, "no", "OMNI-2.1"),  # water
        ((-1, 0), {}, "no", "OMNI-2.1"),  # an enemy
        ((1, -1), {}, "no", "OMNI-2.1"),  # a friend
        ((0, -6), {}, "no", "OMNI-1.1"),  # off the board
        ((1, 0), {"phase": "attack"}, "no", "OMNI-5.1"),
        ((1, 0), {"active": "Bob"}, "no", "C4.9"),
        ((1, 0), {"active": "Ann"}, "yes", "OMNI-2.1"),
    ],
)
def test_moves_are_judged(end, more, verdict, rule):
    state = a_state(a_disc(3) | {(0, 1): "water"}, dict.fromkeys(("u", "e", "f"), "army squad"), **more)
    others = a_unit("e", (-1, 0), "blue"), a_unit("f", (1, -1))
    one = judged(a_scene(a_unit("u", (0, 0)), *others), a_scene(a_unit("u", end), *others), state, "u")
    assert (one.verdict, one.rule) == (verdict, rule)


def test_others_who_may_stand_elsewhere_make_a_change_too_close_to_call():
    """19.9 mm from the middle of a hex with a pitch of 40 and s = 0.1: the neighbour is 0.1 mm away."""
    names = {"u": "army squad", "e": "army squad"}
    edge = a_unit("e", (3, 0), "blue", dx=-19.9, sigma_mm=0.1)
    start, state = a_unit("u", (0, 0)), a_state(a_disc(4), names)
    gone = judged(a_scene(start, edge), a_scene(edge), state, "u")  # 3 hexes away, or 2 as its range
    assert (gone.verdict, gone.margin_mm) == ("close", pytest.approx(-0.1))
    far = replace(edge, sigma_mm=0.01)
    assert judged(a_scene(start, far), a_scene(far), state, "u").verdict == "no"
    beside = a_unit("e", (2, 0), "blue", dx=-19.9, sigma_mm=0.1)
    moved = judged(a_scene(start, beside), a_scene(a_unit("u", (1, 0)), beside), state, "u")
    assert (moved.verdict, moved.margin_mm) == ("close", pytest.approx(0.1))


def test_a_piece_that_nobody_knows_shuts_the_hex_that_it_may_be_in():
    """It lies 0.1 mm from the hex that the unit goes to; of the hex where an enemy may be the block is as doubtful."""
    state = a_state(a_disc(3), {"u": "army squad", "e": "army squad"})
    unread = a_unit("x", (2, 0), "unknown", dx=-19.9, sigma_mm=0.1)
    start, end = a_unit("u", (0, 0)), a_unit("u", (1, 0))
    moved = judged(a_scene(start, unread), a_scene(end, unread), state, "u")
    assert (moved.verdict, moved.margin_mm, moved.sigma_mm) == ("close", pytest.approx(0.1), 0.1)
    sure = replace(unread, sigma_mm=0.01)
    assert judged(a_scene(start, sure), a_scene(end, sure), state, "u").verdict == "yes"
    for blocker in (a_unit("e", (1, 0), "blue", dx=19.9, sigma_mm=0.1), a_unit("x", (1, 0), "unknown", 19.9)):
        (stop,) = ruled(a_scene(start, replace(blocker, sigma_mm=0.1)), state, "blocked", "u")
        assert (stop.other, stop.verdict, stop.margin_mm) == (blocker.id, "close", pytest.approx(0.1))


def test_who_may_only_here_have_been_destroyed_or_have_left_hangs_on_its_place():
    """A hole in the board is beside its hex, and an enemy in range of it; neither is of the next one, 0.1 mm away."""
    board = {cell: ground for cell, ground in a_disc(4).items() if cell != (1, -1)}
    state = a_state(board, {"u": "army squad", "e": "army squad"})
    unit, foe = a_unit("u", (0, 0), dx=-19.9, sigma_mm=0.1), a_unit("e", (2, 0), "blue")
    gone = judged(a_scene(unit, foe), a_scene(foe), state, "u")
    assert (gone.verdict, gone.margin_mm) == ("close", pytest.approx(0.1))


def test_two_friends_do_not_end_in_one_hex():
    state = a_state(a_disc(3), {"a": "army squad", "b": "army squad"})
    before = a_scene(a_unit("a", (-1, 0)), a_unit("b", (1, 0)))
    after = a_scene(a_unit("a", (0, 0)), a_unit("b", (0, 0), dx=5))
    assert sorted(r.verdict for r in GAME.judge(before, after, SETUP, state)) == ["no", "yes"]


def test_setting_up_and_leaving():
    board = a_disc(4)
    names = {"s": "army squad", "c": "scout team", "e": "tank"}
    state = a_state(board, names)
    for cell, verdict in [((0, -4), "yes"), ((0, -3), "yes"), ((0, -2), "no")]:
        assert judged(a_scene(), a_scene(a_unit("s", cell)), state, "s").verdict == verdict
    assert judged(a_scene(), a_scene(a_unit("c", (0, 0))), state, "c").verdict == "yes"
    assert judged(a_scene(a_unit("s", (0, -4))), a_scene(), state, "s").extra["confirm"]
    assert judged(a_scene(a_unit("s", (0, 0))), a_scene(), state, "s").verdict == "no"
    foe = a_unit("e", (3, 0), "blue")
    assert judged(a_scene(a_unit("s", (0, 0)), foe), a_scene(foe), state, "s").extra["destroyed"]


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        ({"phase": "attack", "active": "Ann"}, "OMNI-5.1"),
        ({"phase": "move", "active": "Bob"}, "C4.9"),
        ({"phase": "move", "active": "Ann", "moved": True}, "C4.9"),
    ],
)
def test_a_refusal_that_hangs_on_no_place_has_no_margin(state, rule):
    """It had that of how sure the unit's hex is: -20 mm."""
    known = {"roster": "tank", "moved": state.pop("moved", False)}
    told = a_state(a_disc(3), {"s": known, "e": {"roster": "tank", "fired": 1}}, **state)
    found = judged(a_scene(a_unit("s", (0, 0))), a_scene(a_unit("s", (1, 0))), told, "s")
    assert (found.verdict, found.rule, found.margin_mm, found.sigma_mm) == ("no", rule, -1, 0)


def test_who_has_fired_attacks_nobody_by_no_distance():
    state = a_state(a_disc(3), {"s": {"roster": "tank", "fired": 1}, "e": "tank"})
    (found,) = ruled(a_scene(a_unit("s", (0, 0)), a_unit("e", (1, 0), "blue")), state, "target", "s")
    assert (found.verdict, found.rule, found.margin_mm, found.sigma_mm) == ("no", "OMNI-4.1", -1, 0)


@pytest.mark.parametrize(
    ("before", "cell", "verdict"),
    [
        (("s", "red"), (0, 0), "no"),
        (("s", "red"), (0, -3), "yes"),
        (("d", "red"), (0, 0), "yes"),  # another scout
        (("s", "blue"), (0, 0), "yes"),  # the other army's
    ],
)
def test_scouts_are_set_up_first(before, cell, verdict):
    """A scout came anywhere at any time of the set-up."""
    state = a_state(a_disc(4), {"s": "army squad", "c": "scout team", "d": "scout team"})
    there = a_unit(before[0], (2, -4), before[1])
    found = judged(a_scene(there), a_scene(there, a_unit("c", cell)), state, "c")
    assert (found.verdict, found.rule) == (verdict, "OMNI-5.1")
    assert ("before all others" in found.why) is (verdict == "no")


@pytest.mark.parametrize(("phase", "told"), [(None, "attack"), ("attack", "attack")])
def test_who_was_destroyed_was_so_in_the_phase_of_attacks(phase, told):
    state, foe = a_state(a_disc(4), {"s": "army squad", "e": "army squad"}, phase=phase), a_unit("e", (1, 0), "blue")
    gone = judged(a_scene(a_unit("s", (0, 0)), foe), a_scene(foe), state, "s")
    assert (gone.verdict, gone.rule, gone.extra["phase"]) == ("yes", "OMNI-3.2", told)


@pytest.mark.parametrize(
    ("name", "changes", "points"),
    [
        ("Army squad", ["+1 Range", "Extra attack"], 9),  # the machine gun of the sample units
        ("Army squad", ["Scout"], 7),  # the scout team
        ("Tank", ["Teleport"], 80),
        ("Tank", ["-1 Move", "Limited turning"], 11),
        ("Tank", [], 46),
    ],
)
def test_points(name, changes, points):
    price = price_of(packaged_roster().unit[name], changes)
    assert (price.points, price.fault) == (points, None)


@pytest.mark.parametrize(
    ("owner", "lost", "wins"),
    [
        ("red", {"blue": 46, "red": 5}, {"blue": False, "red": True}),
        ("red", {"blue": 5, "red": 46}, {"blue": True, "red": False}),
        ("red", {"blue": 5, "red": 5}, {"blue": False, "red": False}),
        ("red", {"blue": 5, "green": 5}, {"blue": False, "green": False, "red": False}),
        ("unknown", {"blue": 46, "red": 5}, {"blue": False, "red": False}),
    ],
)
def test_who_destroyed_more_points_wins_once_one_side_alone_has_units(owner, lost, wins):
    scene = a_scene(a_unit("a", (0, 0), owner))
    state = a_state(a_disc(3), {"a": "tank"}, turn=3, counters={"lost": lost})
    assert {army.extra["owner"]: army.extra["wins"] for army in ruled(scene, state, "economy")} == wins
    both = a_scene(a_unit("a", (0, 0)), a_unit("b", (1, 0), "blue"))
    state = a_state(a_disc(3), {"a": "tank", "b": "tank"}, turn=3, counters={"lost": lost})
    assert not any(army.extra["wins"] for army in ruled(both, state, "economy"))


@pytest.mark.parametrize(("owner", "wins"), [("blue", False), ("unknown", False), ("none", True)])
def test_nobody_has_won_while_a_piece_lies_there_that_may_be_a_unit_of_the_other_s(owner, wins):
    """With the last soldier of blue bound to no unit red had won (C5.2)."""
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (1, 0), owner))
    state = a_state(a_disc(3), {"a": "tank"}, turn=3, counters={"lost": {"blue": 46, "red": 5}})
    assert {army.extra["owner"]: army.extra["wins"] for army in ruled(scene, state, "economy")}["red"] is wins


def test_an_army_tells_the_price_of_each_unit():
    """A tank that flies costs 46 * 1.25 = 57.5; the note allows two changes, and no more."""
    scene = a_scene(a_unit("a", (0, 0)), a_unit("b", (1, 0)), a_unit("m", (2, 0)))
    own = {"Mech": {"move": 1, "range": 1, "offense": 5, "defense": 4, "points": 30, "abilities": ["Flyer"]}}
    setup = replace(SETUP, house={"roster": own})
    units = {"a": {"roster": "tank", "keywords": ["Flyer"]}, "b": "hover tank", "m": "mech"}
    (army,) = ruled(scene, a_state(a_disc(3), units), "economy", setup=setup)
    assert (army.verdict, army.extra["points"]) == ("yes", 57 + 46 + 30)
    assert army.extra["units"]["a"] == {"points": 57, "exact": 57.5}
    units["b"] = {"roster": "hover tank", "keywords": ["Scout", "+1 Move", "Flyer"]}
    units["a"] = {"roster": "tank", "keywords": ["Scout", "+1 Move", "One card"]}
    (army,) = ruled(scene, a_state(a_disc(3), units), "economy", setup=setup)
    assert (army.verdict, army.rule) == ("no", "OMNI-4.2")
    assert "a has 3 changes" in army.why


@pytest.mark.parametrize(
    ("house", "mm"),
    [({}, 101.6), ({"scale": "centimetres"}, 100.0), ({"scale": "inches", "figures": "25mm"}, 304.8)],
)
def test_without_hexes_the_table_is_measured(house, mm):
    setup, state = replace(SETUP, house=house), State(pieces={"a": {"roster": "army squad"}, "b": {"roster": "tank"}})
    scene = a_scene(a_unit("a", (0, 0), dx=-200), replace(a_unit("b", (0, 0), "blue", dx=2 * mm - 201)))
    (one,) = ruled(scene, state, "reach", "a", setup)
    width = one.geometry.bounds[2] - 100.0
    assert width == pytest.approx(min(mm, 600.0), abs=0.3)
    (shot,) = ruled(scene, state, "target", "a", setup)
    assert (shot.verdict, shot.margin_mm) == ("yes", pytest.approx(1.0))


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"kind": "hex"}, "state: grid.pitch_mm"),
        ({"kind": "hex", "pitch_mm": 40, "cells": [{"q": 0, "r": 0, "terrain": "lava"}]}, r"hex \(0, 0\): no terrain"),
        ({"kind": "hex", "pitch_mm": 40, "cells": [{"q": 0, "r": 0, "roads": [6]}]}, "sides 0 to 5"),
        (
            {"kind": "hex", "pitch_mm": 40, "cells": [{"q": 1, "r": 0}, {"q": 1, "r": 0, "terrain": "water"}]},
            r"hex \(1, 0\) stands there twice, and differs; take one out",
        ),
        ({"kind": "hex", "pitch_mm": 1}, r"grid\.pitch_mm"),
        ({"kind": "square", "pitch_mm": 40}, r"grid\.kind"),
        ({"kind": "hex", "centres": [[0, 0, 9, 9], [1, 0, 9, 9], [0, 1, 9, 9]]}, "0.0 mm apart"),
        (
            {"kind": "hex", "centres": [[0, 0, 0, 0], [1, 0, 40, 0], [0, 1, 20, 34.6], [2, 0, 200, 0]]},
            "off where the others put it",
        ),
    ],
)
def test_a_bad_grid_is_told(grid, message):
    with pytest.raises(ValueError, match=message):
        GAME.rulings(a_scene(), SETUP, State(grid=grid), None)


def test_things_on_the_mat_are_ground():
    box = replace(a_unit("b", (1, 0)), kind="terrain", cls="box", owner="none")
    scene = a_scene(a_unit("a", (0, 0)), a_unit("e", (2, 0), "blue"), box)
    grid = {"kind": "hex", "pitch_mm": 40.0, "origin_mm": [300, 300]}
    state = State(pieces={"a": {"roster": "tank"}, "e": {"roster": "army squad"}}, grid=grid)
    assert target(scene, state, "a", "e").verdict == "no"
    assert target(a_scene(*scene.pieces[:2]), state, "a", "e").verdict == "yes"


def test_three_centres_set_the_grid():
    cells = [(0, 0), (2, 0), (-1, 3)]
    centres = [[*cell, *GRID.centre(cell)] for cell in cells]
    state = replace(a_state({}, {"a": "army squad"}), grid={"kind": "hex", "centres": centres})
    assert reach(a_scene(a_unit("a", (0, 0))), state, "a") == set(a_disc(1))


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"roster": "tank", "move": "far"}, r"pieces\.a\.move"),
        ({"roster": "tank", "keywords": 7}, r"pieces\.a\.keywords"),
        ({"roster": "tank", "carried_by": ["t"]}, r"pieces\.a\.carried_by"),
    ],
)
def test_a_bad_state_is_told(known, message):
    with pytest.raises(ValueError, match=message):
        ruled(a_scene(a_unit("a", (0, 0))), a_state(a_disc(1), {"a": known}), "reach")


@pytest.mark.parametrize(
    ("carrier", "owner", "message"),
    [
        ("transport", "blue", "s is red's and t is blue's; name a transport of its own army"),
        ("tank", "red", "t is a Tank, which carries nobody; name a transport"),
        ("transport", "red", None),
        ("transport", "none", "t is no unit; name a transport"),
        ("transport", "unknown", None),
        ({"roster": "tank", "keywords": ["Transport"]}, "red", None),
    ],
)
def test_a_unit_is_carried_by_a_transport_of_its_own_army(carrier, owner, message):
    """A typed state was believed: the squad was no target, for an enemy's tank carried it."""
    scene = a_scene(a_unit("s", (0, 0), "red"), a_unit("t", (1, 0), owner))
    state = a_state(a_disc(1), {"s": {"roster": "army squad", "carried_by": "t"}, "t": carrier})
    fault = pytest.raises(ValueError, match=message) if message else nullcontext()
    with fault:
        GAME.check_table(scene, SETUP, state)


def test_terrain_carries_nobody():
    wood = Piece("w", "terrain", "book", (340.0, 300.0), Point(340, 300).buffer(8), owner="none")
    state = a_state(a_disc(1), {"s": {"roster": "army squad", "carried_by": "w"}})
    with pytest.raises(ValueError, match="w is no unit; name a transport"):
        GAME.check_table(a_scene(a_unit("s", (0, 0)), wood), SETUP, state)


def test_a_match_remembers_boarding_firing_and_losses():
    """The whole path: a squad boards, the transport drives off with it, a tank loses to a shot."""
    board, names = a_disc(4), {"t": "transport", "s": "army squad", "e": "army squad"}
    state = a_state(board, names, phase="move", active="Ann")

    def seen(*at, foe=True):
        units = (a_unit("t", at[0]), a_unit("s", at[1], dx=4))
        return a_scene(*units, *([a_unit("e", (2, 2), "blue")] if foe else []))

    match = start(SETUP, seen((1, 0), (0, 0)), state)
    match = observe(match, seen((1, 0), (1, 0)), 1.0)
    assert (match.state.of("s")["carried_by"], match.state.of("s")["boarded"]) == ("t", True)
    match = observe(match, seen((1, 2), (1, 2)), 2.0)
    assert [e.fields["verdict"] for e in match.events if e.kind == "move"] == ["yes", "yes", "yes"]
    match = apply(match, Event(3.0, 1, "Ann", "phase", {"phase": "attack"}))
    match = apply(match, Event(4.0, 1, "Ann", "attack", {"piece": "t", "other": "e", "roll": 2}))
    assert match.state.of("t")["fired"] == 1
    match = observe(match, seen((1, 2), (1, 2), foe=False), 5.0)
    assert (match.events[-1].fields["destroyed"], match.state.counters) == (True, {"lost": {"blue": 5}})
    for player in ("Bob", "Ann"):
        turn = {"phase": "move", "active": player, "turn": 2 if player == "Ann" else 1}
        match = apply(match, Event(6.0, 1, player, "phase", turn))
    assert match.state.of("s") == {"roster": "army squad", "carried_by": "t"}
    match = observe(match, a_scene(a_unit("t", (1, 2)), a_unit("s", (0, 2), dx=4)), 7.0)
    assert (match.events[-1].fields["verdict"], match.state.of("s").get("carried_by")) == ("yes", None)


@pytest.mark.parametrize(
    ("legend", "known", "own", "points"),
    [
        ({"gbp-2p": "Tank"}, {}, None, 46),
        ({"gbp-2p": "Tank", "blue gbp-2p": "scout team"}, {}, None, 7),
        ({"gbp-2p": "Tank", "c7": "Transport"}, {"keywords": ["Flyer"]}, None, 19),
        ({"gbp-2p": "Tank"}, {}, "Army squad", 5),
        ({"gbp-2p": "Tank"}, {"roster": "Mortar crew"}, "Army squad", 11),
        ({}, {}, None, None),
    ],
)
def test_the_points_of_a_destroyed_unit_are_lost_whoever_named_it(legend, known, own, points):
    setup, at = replace(SETUP, legend={**GAME.legend, **legend}), GRID.centre((1, 0))
    coin = Piece("c7", "coin", "gbp-2p", at, Point(at).buffer(12.95), owner="blue", roster=own)
    foe = a_unit("e", (0, 0))
    state = a_state(a_disc(4), {"e": "Hover tank", "c7": known}, phase="attack", active="Ann")
    match = observe(start(setup, a_scene(foe, coin), state), a_scene(foe), 1.0)
    assert match.state.counters == ({} if points is None else {"lost": {"blue": points}})
    assert apply(match, Event(2.0, 1, "Ann", "undo", {})).state.counters == {}


@pytest.mark.parametrize(
    ("legend", "unit"),
    [
        ({"gbp-2p": "tank"}, "Tank"),
        ({"gbp-2p": "Tank", "red gbp-2p": "Transport"}, "Transport"),
        ({"gbp-2p": "Tank", "c7": "Mortar crew"}, "Mortar crew"),
        ({"blue gbp-2p": "Tank"}, None),
        ({"gbp-2p": "dense"}, None),
    ],
)
def test_a_legend_says_what_unit_a_coin_is(legend, unit):
    setup = replace(SETUP, legend={**GAME.legend, **legend})
    at = GRID.centre((0, 0))
    scene = a_scene(Piece("c7", "coin", "gbp-2p", at, Point(at).buffer(12.95), owner="red"))
    found = ruled(scene, a_state(a_disc(4), {}), "reach", setup=setup)
    assert [f"red {unit} c7" in ruling.why for ruling in found] == ([True] if unit else [])
    by_state = ruled(scene, a_state(a_disc(4), {"c7": "Hover tank"}), "reach", setup=setup)
    assert "Hover tank" in by_state[0].why
