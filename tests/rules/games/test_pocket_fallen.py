"""What the tosses of a phase have done is remembered until it ends (POCKET-3.1, 3.2)."""

import json
from dataclasses import replace

import pytest

from rules.course.events import event_from, event_line
from rules.match import Event, apply, match_header, observe, replay, start
from rules.scene import UNKNOWN
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.cards import a_coin, a_scene
from ui.telling.words import event_title

SETUP = Setup("pocket", (800, 700), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")))
FIELD = {(column, row): "2H" for column in (1, 2) for row in (1, 2, 3, 4)}
HEADS, TAILS = "heads", "tails"


class Table:
    """A match, and the coins that lie on its table."""

    def __init__(self, phase, *coins):
        self.coins = {coin.id: coin for coin in coins}
        self.match = start(SETUP, self.scene(), State(phase=phase, active="Bob"))

    def scene(self):
        return a_scene(FIELD, *self.coins.values())

    def agreed(self):
        before, time_s = len(self.match.events), self.match.events[-1].time_s + 1.0
        self.match = observe(self.match, self.scene(), time_s)
        return self.match.events[before:]

    def without(self, *ids):
        """The verdicts on those that are gone, one letter each."""
        for id_ in ids:
            del self.coins[id_]
        verdicts = {event.fields["piece"]: event.fields["verdict"][0] for event in self.agreed()}
        return "".join(verdicts[id_] for id_ in ids)

    def seen(self, id_, face):
        self.coins[id_] = replace(self.coins[id_], face=face)
        self.agreed()

    def told(self, kind, **fields):
        state = self.match.state
        self.match = apply(self.match, Event(9.0, state.turn, state.active, kind, fields))


def units(*faces, cell=(1, 1)):
    return [a_coin(f"u{n}", "gbp-2p", cell, face=face, dx=-9 * n) for n, face in enumerate(faces)]


def foes(count, cls="gbp-1p", cell=(1, 1), **more):
    return [a_coin(f"e{n}", cls, cell, "far", dx=9 * n, **more) for n in range(count)]


@pytest.mark.parametrize(
    ("faces", "enemies", "order", "verdicts"),
    [
        ([TAILS, TAILS], 1, "01", "yn"),
        ([TAILS, TAILS], 2, "01", "yy"),
        ([HEADS, TAILS], 3, "01", "yy"),  # the wavering one had to be struck when the steady one was struck twice
        ([HEADS, TAILS], 3, "10", "yy"),
        ([HEADS, TAILS], 2, "10", "yn"),
        ([HEADS, HEADS], 3, "01", "yn"),
        ([HEADS, HEADS], 4, "01", "yy"),
    ],
)
def test_losses_of_one_melee_are_counted_together_though_they_come_one_by_one(faces, enemies, order, verdicts):
    table = Table("melee", *units(*faces), *foes(enemies))
    assert "".join(table.without(f"u{n}") for n in order) == verdicts


def test_who_fell_struck_too():
    table = Table("melee", *units(TAILS), *foes(1, face=TAILS))
    assert table.without("u0") + table.without("e0") == "yy"
    table.told("undo")
    table.told("undo")
    assert not table.match.state.of("u0").get("fallen")
    table.told("state", pieces={"u0": {"toss": TAILS}})
    table.coins = {coin.id: coin for coin in (*units(TAILS), *foes(1, face=TAILS))}
    assert table.without("u0") + table.without("e0") == "yn"


@pytest.mark.parametrize(
    ("enemies", "phase", "verdict"),
    [(1, "melee", "c"), (2, "melee", "y"), (1, "ranged", "c"), (2, "ranged", "y")],
)
def test_who_was_seen_to_turn_over_had_a_damage_for_that(enemies, phase, verdict):
    there = ("gbp-1p", (1, 1)) if phase == "melee" else ("gbp-20p", (1, 2))
    table = Table(phase, *units(HEADS), *foes(enemies, *there))
    table.seen("u0", TAILS)
    assert table.without("u0") == verdict


def test_a_friend_who_turned_over_had_the_only_damage_unless_that_was_misread():
    table = Table("melee", *units(HEADS, TAILS), *foes(1))
    table.seen("u0", TAILS)
    assert table.without("u1") == "c"


def test_a_face_that_a_person_put_right_was_no_damage():
    table = Table("melee", *units(HEADS), *foes(1))
    table.seen("u0", TAILS)
    table.told("correction", piece="u0", set={"face": TAILS})
    assert table.without("u0") == "y"


def test_one_that_was_steady_and_is_not_seen_any_more_is_asked_about():
    table = Table("melee", *units(HEADS), *foes(1))
    table.seen("u0", UNKNOWN)
    assert table.without("u0") == "c"


def test_a_coin_that_is_turned_over_by_a_hand_also_moves():
    table = Table("melee", *units(HEADS), *foes(1))
    table.coins["u0"] = a_coin("u0", "gbp-2p", (1, 1), face=TAILS, dx=4)
    (moved,) = table.agreed()
    assert (moved.kind, table.without("u0")) == ("move", "c")


def test_a_shot_was_at_whom_the_log_says():
    shot = Table("ranged", *units(TAILS, TAILS), *foes(2, "gbp-20p", (1, 2)))
    shot.told("attack", piece="e0", other="u0")
    shot.told("attack", piece="e1", other="u0")
    assert shot.without("u1") + shot.without("u0") == "ny"


def test_one_shot_destroys_one():
    table = Table("ranged", *units(TAILS, TAILS), *foes(1, "gbp-20p", (1, 2)))
    assert table.without("u0") + table.without("u1") == "yn"


@pytest.mark.parametrize("told", [("phase", {"phase": "melee"}), ("state", {"phase": "melee"})])
def test_with_the_phase_its_tosses_are_over(told):
    table = Table("ranged", *units(HEADS, TAILS), *foes(1, "gbp-20p", (1, 2)))
    table.told("attack", piece="e0", other="u1")
    table.seen("u0", TAILS)
    assert table.without("u1") == "y"
    kind, fields = told
    table.told(kind, **fields)
    known = table.match.state.pieces.values()
    assert not any(key in of for of in known for key in ("shot_at", "steady", "fallen"))


def test_the_log_alone_remembers_and_lines_of_old_logs_are_followed():
    table = Table("melee", *units(TAILS, TAILS), *foes(1))
    table.without("u0")
    lines = [event_line(event) for event in table.match.events]
    again = replay(match_header(SETUP), [event_from(line, "line") for line in lines])
    assert (again.state, again.scene) == (table.match.state, table.match.scene)
    old = [json.dumps({k: v for k, v in json.loads(line).items() if k != "fallen"}) for line in lines]
    assert not replay(match_header(SETUP), [event_from(line, "line") for line in old]).state.of("u0")


@pytest.mark.parametrize("record", [3, {"cell": [1, 1]}, {"cell": [1, 1], "owner": "red", "damage": 4}])
def test_a_bad_record_is_told(record):
    table = Table("melee", *units(TAILS), *foes(1))
    table.told("state", pieces={"u7": {"fallen": record}})
    with pytest.raises(ValueError, match=r"state: pieces.u7.fallen"):
        table.without("u0")


def test_a_correction_of_nothing_is_told():
    """A log in which `set` is no table had ended in a traceback."""
    with pytest.raises(ValueError, match="'set'"):
        Table("melee", *units(TAILS), *foes(1)).told("correction", piece="u0", set=5)
    table = Table("melee", *units(TAILS), *foes(1))
    wrong = Event(9.0, 1, None, "correction", {"piece": "u0", "set": 5})
    with pytest.raises(ValueError, match="'set' must be a table"):
        replay(match_header(SETUP), [*table.match.events, wrong])


def test_who_is_put_back_where_he_was_taken_off_is_deployed_by_no_rule():
    """Under a new name, as a camera gives it; it was new, and units are deployed before the first turn only."""
    table = Table("melee", *units(TAILS), *foes(1))
    assert table.without("u0") == "y"
    table.told("phase", turn=2, phase="movement", active="Ann")
    table.coins["c12"] = replace(units(TAILS)[0], id="c12")
    (placed,) = table.agreed()
    assert (placed.fields["verdict"], placed.fields["why"]) == ("yes", "u0 is put back where it was taken off")
    table.told("undo")
    table.coins["c12"] = a_coin("c12", "gbp-2p", (1, 1), dx=15)
    (placed,) = table.agreed()
    assert placed.fields["verdict"] == "no"


def test_who_fell_and_is_put_back_under_another_name_did_not_strike_last():
    table = Table("melee", *units(TAILS), *foes(1, face=TAILS))
    assert table.without("u0") == "y"
    table.coins["c12"] = replace(units(TAILS)[0], id="c12")
    table.agreed()
    assert not any("fallen" in known for known in table.match.state.pieces.values())


def test_an_event_says_whose_a_coin_is_by_its_end_of_the_card():
    """A title had no owner, "2p (u0) moved"."""
    table = Table("movement", *units(HEADS), *foes(1, cell=(2, 2)))
    table.coins["e0"] = a_coin("e0", "gbp-1p", (2, 3), "far")
    (moved,) = table.agreed()
    assert moved.fields["whose"] == "blue" and event_title(moved) == "blue 1p (e0) moved: legal"
    assert table.without("u0") == "n" and table.match.events[-1].fields["whose"] == "red"
