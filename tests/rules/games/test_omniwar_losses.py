"""Units that are gone from an OmniWar table, against the attacks that can have destroyed them (OMNI-3.2, 3.3)."""

from dataclasses import replace

import pytest

from rules.files.state_file import state_document, state_from
from rules.games.omniwar import GAME
from rules.match import Event, apply, match_header, observe, replay, start
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.hexboards import a_disc, a_scene, a_state, a_unit

SETUP = Setup("omniwar", (700, 700), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")), legend=GAME.legend)
FOES = {"b": (1, 0), "c": (0, 1), "d": (-1, 1)}


class Table:
    """A match of Ann's attackers in the middle against three of Bob's squads beside them."""

    def __init__(self, *attackers, on_hexes=True, active="Ann"):
        names = {f"a{n}": name for n, name in enumerate(attackers)} | dict.fromkeys(FOES, "army squad")
        state = a_state(a_disc(4), names, phase="attack" if active else None, active=active)
        if not on_hexes:
            state = replace(state, grid=None)
        self.there = [a_unit(f"a{n}", (0, 0), dx=9.0 * n) for n in range(len(attackers))]
        self.there += [a_unit(id_, cell, "blue") for id_, cell in FOES.items()]
        self.match = start(SETUP, a_scene(*self.there), state)

    def without(self, ids):
        self.there = [piece for piece in self.there if piece.id not in ids]
        before, time_s = len(self.match.events), self.match.events[-1].time_s + 1.0
        self.match = observe(self.match, a_scene(*self.there), time_s)
        verdicts = {event.fields["piece"]: event.fields["verdict"][0] for event in self.match.events[before:]}
        return "".join(verdicts[id_] for id_ in ids)

    def comes(self, id_, cell, **at):
        self.there.append(a_unit(id_, cell, "blue", **at))
        self.match = observe(self.match, a_scene(*self.there), self.match.events[-1].time_s + 1.0)
        self.told("state", pieces={id_: {"roster": "army squad"}})

    def told(self, kind, **fields):
        self.match = apply(self.match, Event(9.0, self.match.state.turn, self.match.state.active, kind, fields))


@pytest.mark.parametrize("on_hexes", [True, False])
@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("attackers", "verdicts"),
    [
        (["army squad"], "ynn"),
        (["machine gun"], "yyn"),
        (["army squad", "army squad"], "yyn"),
        (["army squad", "machine gun"], "yyy"),
        (["mortar crew"], "yyy"),  # its attacks destroy all in a hex, and are not counted
    ],
)
def test_no_attack_destroys_twice(attackers, verdicts, at_once, on_hexes):
    table = Table(*attackers, on_hexes=on_hexes)
    assert (table.without("bcd") if at_once else "".join(map(table.without, "bcd"))) == verdicts


@pytest.mark.parametrize("on_hexes", [True, False])
def test_an_attack_was_at_whom_the_log_says(on_hexes):
    table = Table("army squad", "army squad", on_hexes=on_hexes)
    table.told("attack", piece="a0", other="b")
    table.told("attack", piece="a1", other="b")
    assert table.without("c") + table.without("b") == "ny"
    table.told("undo")
    table.told("undo")
    table.told("undo")  # the second attack
    assert table.match.state.of("a1").get("attacked") is None
    table.there += [a_unit(id_, FOES[id_], "blue") for id_ in "bc"]
    assert table.without("c") + table.without("b") == "yy"


def test_one_attack_of_a_machine_gun_is_still_free():
    table = Table("machine gun")
    table.told("attack", piece="a0", other="b")
    assert table.without("c") + table.without("d") + table.without("b") == "yny"


def test_an_attack_at_nobody_knows_whom_may_have_been_at_any():
    table = Table("army squad")
    table.told("attack", piece="a0")
    assert table.without("c") + table.without("b") == "yn"


def test_with_the_attackers_next_turn_all_attack_afresh():
    table = Table("army squad")
    table.told("attack", piece="a0", other="b")
    assert table.without("b") == "y"
    table.told("phase", turn=1, phase="attack", active="Bob")
    assert table.match.state.of("b")["lost_to"] == ["a0"]
    table.told("phase", turn=2, phase="attack", active="Ann")
    assert not table.match.state.of("b").get("lost_to")
    assert table.without("c") == "y"


@pytest.mark.parametrize(("ann", "bob"), [("Ann", "Bob"), ("red", "blue")])
def test_who_fired_in_its_turn_fires_no_more_in_another_s_nor_in_its_own_put_back(ann, bob):
    """OMNI-3.3: told by colour, Bob's turn gave Ann's squad its attack back, as one that had waited."""
    table = Table("army squad", active=ann)
    table.told("attack", piece="a0", other="b")
    for active in (bob, ann):
        table.told("phase", turn=1, phase="attack", active=active)
        table.told("attack", piece="a0", other="c")
        assert table.match.events[-1].fields["verdict"] == "no"
    assert table.without("c") + table.without("b") == "ny"


def test_who_is_put_back_was_not_lost():
    """Its points stayed among the losses."""
    table = Table("army squad")
    assert table.without("b") == "y" and table.match.state.counters["lost"] == {"blue": 5}
    table.match = observe(table.match, a_scene(*table.there, a_unit("b", FOES["b"], "blue")), 5.0)
    assert table.match.state.counters["lost"] == {"blue": 0} and "lost_to" not in table.match.state.of("b")


def with_load(on_hexes, *there):
    """A match of Bob's turn: his tank beside Ann's transport, which carries a squad."""
    names = {"t": "transport", "s": {"roster": "army squad", "carried_by": "t"}, "e": "tank", "f": "army squad"}
    state = a_state(a_disc(4), names, phase="attack", active="Bob")
    match = start(SETUP, a_scene(*LOADED), state if on_hexes else replace(state, grid=None))
    for number, ids in enumerate(there):
        match = observe(match, a_scene(*(piece for piece in LOADED if piece.id in ids)), 1.0 + number)
    return match


LOADED = [a_unit("t", (0, 0)), a_unit("s", (0, 0), dx=5), a_unit("e", (2, 0), "blue"), a_unit("f", (-4, 0))]


@pytest.mark.parametrize("on_hexes", [True, False])
@pytest.mark.parametrize("steps", [["ef"], ["sef", "ef"]])
def test_a_transport_s_load_is_lost_with_it(steps, on_hexes):
    """Nobody could have destroyed it, nor could it be attacked any more where it was left behind."""
    match = with_load(on_hexes, *steps)
    told = {e.fields["piece"]: e.fields["verdict"] for e in match.events if e.kind == "remove"}
    assert told == {"t": "yes", "s": "yes"} and match.state.counters["lost"] == {"red": 20}
    assert (
        observe(match, a_scene(LOADED[2]), 9.0).events[-1].fields["verdict"] == "no"
    )  # it took no attack, but the tank's
    assert replay(match_header(SETUP), match.events).state == match.state


@pytest.mark.parametrize("on_hexes", [True, False])
def test_a_load_that_is_left_behind_stands_there_itself(on_hexes):
    match = with_load(on_hexes, "sef")
    assert [r.verdict for r in match.rulings if r.kind == "target" and r.other == "s"] == ["yes"]
    passed = apply(match, Event(5.0, 2, "Ann", "phase", {"phase": "move", "active": "Ann", "turn": 2}))
    assert passed.state.of("s") == {"roster": "army squad"}


def test_without_turns_nothing_is_remembered():
    table = Table("army squad", active=None)
    assert "".join(map(table.without, "bcd")) == "yyy"
    assert not any("lost_to" in known for known in table.match.state.pieces.values())
    assert Table("army squad", active=None).without("bcd") == "ynn"


def test_who_may_have_left_the_board_needs_no_attack():
    """At the edge without a phase: the squad in the corner may have gone over it, the other one may not."""
    names = {"a": "army squad", "x": "army squad", "y": "army squad"}
    foe, corner, inner = a_unit("a", (0, -2)), a_unit("x", (0, -4), "blue"), a_unit("y", (0, -1), "blue")
    verdicts = GAME.judge(a_scene(foe, corner, inner), a_scene(foe), SETUP, a_state(a_disc(4), names))
    assert [(ruling.piece, ruling.verdict) for ruling in verdicts] == [("x", "yes"), ("y", "yes")]


def test_the_log_alone_remembers():
    table = Table("army squad")
    table.told("attack", piece="a0", other="b")
    table.without("b")
    assert replay(match_header(SETUP), table.match.events).state == table.match.state


@pytest.mark.parametrize(("piece", "known"), [("a0", {"attacked": "b"}), ("z", {"lost_to": [3]})])
def test_a_bad_record_is_told(piece, known):
    table = Table("army squad")
    with pytest.raises(ValueError, match=rf"pieces.{piece}"):
        table.told("state", pieces={piece: known})
        table.without("c")


@pytest.mark.parametrize("on_hexes", [True, False])
@pytest.mark.parametrize(
    ("phase", "active", "moved", "why"),
    [
        ("move", "Ann", False, "Army squad a0 could attack it, but units attack in the attack phase, not in the phase"),
        ("attack", "Bob", True, "Army squad a0 could attack it, but did not wait"),
        ("attack", "Ann", True, None),
    ],
)
def test_a_loss_that_phase_or_turn_forbids_is_told_by_that(phase, active, moved, why, on_hexes):
    """It was "nobody can have destroyed it" beside an enemy."""
    table = Table("army squad", on_hexes=on_hexes)
    table.told("state", phase=phase, active=active, pieces={"a0": {"moved": moved}})
    assert table.without("b") == ("y" if why is None else "n")
    assert why is None or why in table.match.events[-1].fields["why"]


def test_a_spent_attack_and_an_edge_out_of_turn_are_told_too():
    table = Table("army squad")
    assert table.without("bc") == "yn"
    assert "Army squad a0 could attack it, but its attacks went elsewhere" in table.match.events[-1].fields["why"]
    edge, state = a_unit("e", (4, 0), "blue"), a_state(a_disc(4), {"e": "army squad"}, phase="move", active="Ann")
    (found,) = GAME.judge(a_scene(edge), a_scene(), SETUP, state)
    assert "could leave the board, but belongs to blue; it is Ann's turn" in found.why


@pytest.mark.parametrize("active", ["Ann", None])
def test_who_is_put_back_in_a_later_turn_under_another_name_was_not_lost(active):
    """A camera gives what comes a new name: 22 were lost, of which 15 stood on the table."""
    table = Table("army squad", active=active)
    assert table.without("b") == "y" and table.match.state.counters["lost"] == {"blue": 5}
    table.told("phase", turn=3, phase="move" if active else None, active=active)
    table.match = observe(table.match, a_scene(*table.there, a_unit("c12", FOES["b"], "blue", dx=1.0)), 10.0)
    placed = table.match.events[-1].fields
    assert (placed["verdict"], placed["returns"]) == ("yes", "b")
    assert table.match.state.counters["lost"] == {"blue": 0} and "b" not in table.match.state.pieces
    assert table.match.state.of("c12") == {"roster": "army squad"}
    assert replay(match_header(SETUP), table.match.events).state == table.match.state


def test_another_unit_or_the_same_elsewhere_is_not_put_back():
    table = Table("army squad")
    assert table.without("b") == "y"
    table.told("phase", turn=3, phase="move", active="Ann")
    for owner, dx in (("red", 0.0), ("blue", 12.0)):
        unit = a_unit("c12", FOES["b"], owner, dx, roster="army squad")
        match = observe(table.match, a_scene(*table.there, unit), 10.0)
        assert match.events[-1].fields["verdict"] == "no"


def test_the_state_of_a_match_can_be_typed():
    """Whom a unit attacked "should be true or false"."""
    table = Table("army squad")
    table.told("attack", piece="a0", other="b")
    assert table.without("b") == "y"
    typed = state_from(state_document(table.match.state), "s.json")
    assert typed == table.match.state and typed.of("a0")["attacked"] == ["b"]
    GAME.check_state(typed, SETUP)


@pytest.mark.parametrize("key", ["attacked", "lost_to"])
def test_whom_units_attacked_is_a_list(key):
    """It was a fault when the next unit was gone."""
    with pytest.raises(ValueError, match=f"pieces.a0.{key}: should be a list of ids, not True"):
        GAME.check_state(State(pieces={"a0": {key: True}}), SETUP)


@pytest.mark.parametrize("lost", ["c", "bc"])
def test_a_logged_area_attack_was_where_the_log_says(lost):
    """A mortar that had fired at another explained any loss in reach, in its own turn and in the other's."""
    table = Table("mortar crew")
    table.told("attack", piece="a0", other="b")
    table.told("phase", turn=1, phase="move", active="Bob")
    assert "".join(map(table.without, lost)) == "yn"[-len(lost) :]
    table.told("phase", turn=2, phase="attack", active="Ann")
    assert table.match.state.of("a0").get("hit") is None
    assert table.without("d") == "y"


@pytest.mark.parametrize(("cell", "verdict"), [((2, 0), "y"), ((3, 0), "n")])
def test_without_hexes_it_was_at_all_under_the_disc(cell, verdict):
    """The disc about b is 101.6 mm broad, a hex here 38.1: who lies 76.2 mm from b is clear of it."""
    table = Table("mortar crew", on_hexes=False)
    table.comes("e", cell)
    table.told("attack", piece="a0", other="b")
    assert table.without("e") == verdict


def test_a_logged_area_attack_was_at_all_in_the_hex():
    table = Table("mortar crew")
    table.comes("e", FOES["b"], dx=9.0)
    table.told("attack", piece="a0", other="b")
    assert "".join(map(table.without, "bec")) == "yyn"


def test_who_fired_in_its_own_turn_has_no_attack_left_in_the_other_s():
    """A machine gun's second attack was still counted there, though it had not waited (OMNI-3.3)."""
    table = Table("machine gun")
    table.told("attack", piece="a0", other="b")
    table.told("phase", turn=1, phase="move", active="Bob")
    assert table.without("c") + table.without("b") == "ny"


def test_who_moved_and_attacked_explains_a_loss_that_is_taken_off_late():
    """It was refused as that of one who did not wait, though the log has the attack."""
    table = Table("machine gun")
    table.told("state", pieces={"a0": {"moved": True}})
    table.told("attack", piece="a0", other="b")
    table.told("phase", turn=1, phase="move", active="Bob")
    assert table.without("c") + table.without("b") == "ny"


def test_a_correction_of_the_unit_that_is_taken_back_leaves_what_the_state_said():
    """It was no unit any more, and nobody's attack explained a loss."""
    table = Table("army squad")
    for name, there in (("Tank", "Tank"), ("Scout team", "Scout team"), (None, "army squad")):
        table.told("correction", piece="a0", set={"roster": name})
        assert table.match.state.of("a0")["roster"] == there
    assert "roster_told" not in table.match.state.of("a0")
    assert table.without("b") == "y"
