"""The running match: seen and typed events on one path, undo and redo, corrections, sieges, the log and its replay."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point

from rules.course.events import event_from
from rules.course.overruled import Overruled
from rules.files.log import MatchLog
from rules.files.setup_record import setup_record
from rules.game import Game, Ruling
from rules.games.osmcg import GAME as OSMCG
from rules.match import Event, apply, event_line, match_header, observe, read_log, redo, replay, start, undo
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import next_phase

SETUP = Setup("toy", (700, 500), (Player("Ann", "red"), Player("Bob", "blue", "far")))
CALLS = []


def toy_rulings(scene, setup, state, piece):
    """A town is besieged while an enemy coin lies within 100 mm; within 105 mm it is too close to call."""
    CALLS.append(scene)
    sieges = []
    for town in (piece for piece in scene if piece.cls == "gbp-1p"):
        gaps = [town.point.distance(other.point) for other in scene if other.owner != town.owner]
        gap = min(gaps, default=1000.0)
        verdict = "yes" if gap <= 100 else "close" if gap <= 105 else "no"
        sieges.append(Ruling("siege", town.id, verdict, "TOY-1", f"{town.id}: {gap:.0f} mm"))
    return tuple(sieges)


def toy_judge(before, after, setup, state):
    """No step is longer than 100 mm; a piece that moved already stays."""
    from rules.course.changes import changes

    judged = []
    for change in changes(before, after):
        far = change.kind == "moved" and change.before.point.distance(change.after.point) > 100
        moved = change.kind == "moved" and state.of(change.piece.id).get("moved")
        verdict = "no" if far or moved else "yes"
        judged.append(Ruling("judge", change.piece.id, verdict, "TOY-2", "so it is", extra=change.extra))
    return tuple(judged)


TOY = Game("toy", "Toy", ("move", "attack"), toy_rulings, toy_judge)


def a_coin(id_, x, y, cls="gbp-5p", owner="red", **more):
    return Piece(id_, "coin", cls, (x, y), Point(x, y).buffer(9), owner=owner, **{"face": "heads", **more})


def a_scene(*pieces):
    return Scene((700.0, 500.0), pieces)


TOWN = a_coin("town", 600, 400, "gbp-1p", "blue")


def begun(*pieces, state=None):
    return start(SETUP, a_scene(*(pieces or (a_coin("a", 100, 100), TOWN))), state, TOY)


def kinds(match):
    return [event.kind for event in match.events]


def test_where_nothing_happened_the_very_same_match_comes_back():
    match = begun()
    calls = len(CALLS)
    assert observe(match, a_scene(a_coin("a", 100.9, 100), replace(TOWN, sigma_mm=0.2)), 3.0) is match
    assert len(CALLS) == calls


def test_small_creeping_is_noticed_in_the_end():
    match = begun()
    for step in range(1, 4):
        match = observe(match, a_scene(a_coin("a", 100 + 0.4 * step, 100), TOWN), float(step))
    assert kinds(match) == ["scene", "move"]
    assert match.events[1].fields["to_mm"] == [101.2, 100.0]


def test_a_seen_move_says_all_that_the_log_promises():
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    event = match.events[-1]
    assert (event.time_s, event.turn, event.player, event.kind) == (4.5, 1, "Ann", "move")
    wanted = {"piece": "a", "class": "gbp-5p", "owner": "red", "from_mm": [100.0, 100.0], "to_mm": [150.0, 100.0]}
    wanted |= {"verdict": "yes", "rule": "TOY-2", "why": "so it is"}
    assert {key: event.fields[key] for key in wanted} == wanted
    assert match.scene["a"].position_mm == (150.0, 100.0)


def test_placing_and_removing():
    match = observe(begun(), a_scene(TOWN, a_coin("b", 50, 50, owner="blue")), 2.0)
    assert [(e.kind, e.player, e.fields["piece"]) for e in match.events[1:]] == [
        ("place", "Bob", "b"),
        ("remove", "Ann", "a"),
    ]
    assert (match.events[1].fields["from_mm"], match.events[2].fields["to_mm"]) == (None, None)


def test_what_came_in_sight_is_in_the_scene_and_nobody_placed_it():
    box = Piece("t", "terrain", "box", (300, 300), Point(300, 300).buffer(40), came_in_sight=True)
    match = observe(begun(), a_scene(a_coin("a", 100, 100), TOWN, box), 2.0)
    assert kinds(match) == ["scene", "scene"]
    assert "t" in match.scene
    later = a_scene(a_coin("a", 100, 100), TOWN, box)
    assert observe(match, later, 3.0) is match


def test_a_coin_lies_where_it_shows_and_no_more_where_it_was_guessed_under_another():
    match = observe(begun(), a_scene(replace(a_coin("a", 150, 100), sigma_mm=2.0), TOWN), 2.0)
    match = observe(match, a_scene(replace(a_coin("a", 152.7, 100), sigma_mm=0.2), TOWN), 3.0)
    assert kinds(match) == ["scene", "move", "scene"]
    assert (match.scene["a"].position_mm, match.scene["a"].sigma_mm) == ((152.7, 100), 0.2)


def test_typed_and_seen_moves_are_the_same_event():
    seen = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    typed = apply(begun(), Event(4.5, 1, None, "move", {"piece": "a", "to_mm": [150, 100]}))
    assert typed.scene["a"].position_mm == seen.scene["a"].position_mm
    assert typed.scene["a"].footprint.equals_exact(seen.scene["a"].footprint, 1e-3)
    unlike = ("by", "feature")
    fields = {key: value for key, value in typed.events[-1].fields.items() if key not in unlike}
    assert fields == {key: value for key, value in seen.events[-1].fields.items() if key not in unlike}


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("move", {"piece": "x", "to_mm": [1, 1]}, "no piece 'x'"),
        ("move", {"piece": "a", "to_mm": "there"}, "to_mm of a must be"),
        ("move", {"piece": "a"}, "to_mm of a must be"),
        ("place", {}, "no 'feature'"),
        ("correction", {"piece": "a"}, "give 'piece' and 'set'"),
        ("correction", {"piece": "a", "set": {"at": [1, 1]}}, "'at' cannot be set"),
        ("undo", {}, "nothing to undo"),
        ("redo", {}, "nothing to redo"),
    ],
)
def test_what_cannot_be_done_is_said(kind, fields, message):
    with pytest.raises(ValueError, match=message):
        apply(begun(), Event(1.0, 1, None, kind, fields))


def test_a_siege_begins_and_ends_once():
    match = begun()
    for time, x in enumerate([400, 490, 520, 498, 496, 470], start=1):
        match = observe(match, a_scene(a_coin("a", x, 400), TOWN), float(time))
    sieges = [(e.time_s, e.fields["place"], e.fields["change"]) for e in match.events if e.kind == "siege"]
    assert sieges == [(3.0, "town", "begin"), (6.0, "town", "end")]


def test_a_siege_ends_when_the_town_is_gone():
    match = begun(a_coin("a", 550, 400), TOWN)
    assert kinds(match) == ["scene", "siege"]
    match = observe(match, a_scene(a_coin("a", 550, 400)), 1.0)
    assert (kinds(match)[-1], match.events[-1].fields["why"], match.besieged) == ("siege", "town is gone", frozenset())


def test_undo_and_redo_take_the_siege_with_the_move():
    quiet = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 1.0)
    loud = observe(quiet, a_scene(a_coin("a", 550, 400), TOWN), 2.0)
    assert kinds(loud)[-2:] == ["move", "siege"]
    back = undo(loud, 3.0)
    assert (back.scene, back.state, back.besieged, back.rulings) == (
        quiet.scene,
        quiet.state,
        frozenset(),
        quiet.rulings,
    )
    again = redo(back, 4.0)
    assert (again.scene, again.besieged) == (loud.scene, frozenset(["town"]))
    assert kinds(again)[-2:] == ["undo", "redo"]
    assert len(again.events) == len(loud.events) + 2


def test_undo_of_moves_that_were_seen_together_leaves_no_siege_of_one_undone_before():
    """A siege that begins anew begins now, and kills later."""

    def by_both(scene, setup, state, piece):
        gaps = [scene["town"].point.distance(other.point) for other in scene]
        return (Ruling("siege", "town", "yes" if max(gaps) <= 100 else "no", "TOY-1", "both or none"),)

    near = a_scene(a_coin("a", 600, 340), a_coin("b", 600, 460), TOWN)
    held = start(SETUP, near, None, replace(TOY, rulings=by_both))
    freed = observe(held, a_scene(a_coin("a", 600, 270), a_coin("b", 500, 460), TOWN), 1.0)
    assert kinds(freed) == ["scene", "siege", "move", "move", "siege"]
    back = undo(undo(freed, 2.0), 3.0)
    assert kinds(back)[5:] == ["undo", "siege", "undo"]
    again = redo(redo(back, 4.0), 5.0)
    assert (back.besieged, again.besieged) == ({"town"}, frozenset())


def test_nothing_is_redone_after_something_new():
    match = undo(observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 1.0), 2.0)
    with pytest.raises(ValueError, match="nothing to redo"):
        redo(observe(match, a_scene(a_coin("a", 170, 100), TOWN), 3.0), 4.0)


def test_remarks_are_passed_over_by_undo():
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 1.0)
    match = apply(match, Event(2.0, 1, None, "camera", {"why": "kicked"}))
    assert undo(match, 3.0).scene["a"].position_mm == (100.0, 100.0)


@pytest.mark.parametrize("said", ["zz", None, 5, ["owner"]])
def test_a_correction_of_nonsense_in_a_log_is_told(said):
    match = apply(begun(), Event(1.0, 1, "Ann", "correction", {"piece": "a", "set": {"class": "gbp-10p"}}))
    broken = replace(match.events[-1], fields={**match.events[-1].fields, "set": said})
    with pytest.raises(ValueError, match="event 'correction' at 1 s: 'set' must be a table"):
        replay({"setup": setup_record(match.setup)}, [*match.events[:-1], broken], game=TOY)
    with pytest.raises(ValueError, match=r"m\.jsonl: line 7: 'set' must be a table"):
        event_from(event_line(broken), "m.jsonl: line 7")


@pytest.mark.parametrize(("key", "told"), [
    ("set", {"height_mm": "tall"}), ("set", {"class": ["gbp-5p"]}), ("set", {"owner": "pink"}), ("was", None),
    ("was", {"class": 5}), ("set", {"class": "gbp-3p"}), ("set", {"on": 7}),
])  # fmt: skip
def test_a_correction_says_of_a_piece_what_a_scene_could(key, told):
    """Heights in words and classes in lists ended `replay` in a traceback; of a coin that nobody minted the next move
    was blamed."""
    match = apply(begun(), Event(1.0, 1, "Ann", "correction", {"piece": "a", "set": {"class": "gbp-10p"}}))
    broken = replace(match.events[-1], fields={**match.events[-1].fields, key: told})
    with pytest.raises(ValueError, match=f"event 'correction' at 1 s: '?{key}"):
        replay({"setup": setup_record(match.setup)}, [*match.events[:-1], broken], game=TOY)


def test_a_correction_outlives_the_next_frames_and_can_be_taken_back():
    match = apply(begun(), Event(1.0, 1, "Ann", "correction", {"piece": "a", "set": {"class": "gbp-10p"}}))
    assert match.scene["a"].cls == "gbp-10p"
    match = observe(match, a_scene(a_coin("a", 150, 100), TOWN), 2.0)
    assert (match.scene["a"].cls, match.events[-1].fields["class"]) == ("gbp-10p", "gbp-10p")
    match = apply(match, Event(3.0, 1, "Ann", "correction", {"piece": "a", "set": {"class": "gbp-20p"}}))
    match = apply(match, Event(4.0, 1, "Ann", "correction", {"piece": "a", "set": {"class": None}}))
    assert match.scene["a"].cls == "gbp-5p"
    assert observe(match, a_scene(a_coin("a", 150, 100), TOWN), 5.0) is match


def test_a_correction_of_what_is_gone_meanwhile_can_be_taken_back():
    match = apply(begun(), Event(1.0, 1, None, "correction", {"piece": "a", "set": {"class": "gbp-10p"}}))
    match = observe(match, a_scene(TOWN), 2.0)
    match = apply(match, Event(3.0, 1, None, "correction", {"piece": "a", "set": {"class": None}}))
    assert (
        "a" not in match.scene and observe(match, a_scene(a_coin("a", 100, 100), TOWN), 4.0).scene["a"].cls == "gbp-5p"
    )


def test_what_was_put_back_is_gone_no_more():
    """Another of its kind that is put where it lay is a new one (OMNI-5.1): once it was that one again."""
    game = replace(TOY, returns=True)
    match = start(SETUP, a_scene(a_coin("a", 100, 100), TOWN), State(), game)
    for time_s, there in ((1.0, ""), (2.0, "b"), (3.0, "bc")):
        match = observe(match, a_scene(*(a_coin(name, 100, 100) for name in there), TOWN), time_s)
    assert [e.fields.get("returns") for e in match.events if e.kind == "place"] == ["a", None]


def test_a_coin_that_was_turned_over_is_read_anew_and_not_moved():
    match = observe(begun(), a_scene(a_coin("a", 100.5, 100, face="tails"), TOWN), 1.0)
    assert kinds(match) == ["scene", "scene"]
    assert match.scene["a"].face == "tails"


def test_dice_are_events():
    die = replace(a_coin("d", 300, 50, "4", "none"), kind="die")
    match = observe(begun(), a_scene(a_coin("a", 100, 100), TOWN, die), 1.0)
    match = observe(match, a_scene(a_coin("a", 100, 100), TOWN, replace(die, cls="6")), 2.0)
    assert [(e.kind, e.fields["class"]) for e in match.events[1:]] == [("dice", "4"), ("dice", "6")]


def test_what_a_person_said_a_die_shows_holds_until_it_is_thrown():
    """Each later throw had been the same number."""

    def die(cls, x, y=50):
        return Piece("d1", "die", cls, (x, y), Point(x, y).buffer(8), "none")

    match = apply(begun(die("3", 50)), Event(1.0, 1, None, "correction", {"piece": "d1", "set": {"class": "5"}}))
    assert observe(match, a_scene(die("3", 50.3)), 2.0) is match
    after = observe(match, a_scene(die("2", 90)), 3.0)
    after = observe(after, a_scene(die("6", 30)), 4.0)
    assert [event.fields["class"] for event in after.events if event.kind == "dice"] == ["2", "6"]
    assert undo(undo(after, 5.0), 6.0).scene["d1"].cls == "5"


def test_turns_remember_what_moved_and_fired():
    match = begun(state=State(phase="move", active="Ann"))
    match = observe(match, a_scene(a_coin("a", 150, 100), TOWN), 1.0)
    assert match.state.of("a")["moved"] is True
    again = observe(match, a_scene(a_coin("a", 200, 100), TOWN), 2.0)
    assert again.events[-1].fields["verdict"] == "no"
    match = apply(match, Event(3.0, 1, "Ann", "attack", {"piece": "a", "other": "town"}))
    assert match.state.of("a")["fired"] is True
    match = apply(match, Event(4.0, 1, "Ann", "phase", next_phase(TOY, SETUP, match.state)))
    assert (match.state.phase, match.state.active, match.state.of("a").get("moved")) == ("attack", "Ann", True)
    for _ in range(2):
        match = apply(match, Event(5.0, 1, None, "phase", next_phase(TOY, SETUP, match.state)))
    assert (match.state.phase, match.state.active, match.state.of("a").get("moved")) == ("attack", "Bob", True)
    match = apply(match, Event(6.0, 1, None, "phase", next_phase(TOY, SETUP, match.state)))
    assert (match.state.turn, match.state.active, dict(match.state.of("a"))) == (2, "Ann", {})


@pytest.mark.parametrize(("ann", "bob"), [("Ann", "Bob"), ("red", "blue"), ("Ann", "blue")])
def test_a_turn_that_is_put_back_begins_but_once(ann, bob):
    """On to Bob by mistake, back to Ann, and on again: both had a second move and a second attack."""
    match = begun(a_coin("a", 100, 100), a_coin("b", 500, 100, owner="blue"), state=State(phase="move", active="Ann"))
    match = apply(match, Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": [150, 100]}))
    match = apply(match, Event(2.0, 1, None, "phase", {"phase": "move", "active": bob}))
    match = apply(match, Event(3.0, 1, "Bob", "move", {"piece": "b", "to_mm": [450, 100]}))
    for active, turn, moved in ((ann, 1, "ab"), (bob, 1, "ab"), (ann, 2, "b"), (bob, 1, "ab"), (bob, 2, "a")):
        match = apply(match, Event(4.0, turn, None, "phase", {"phase": "move", "active": active}))
        assert "".join(name for name in "ab" if match.state.of(name).get("moved")) == moved
    assert replay({"setup": setup_record(SETUP)}, match.events, game=TOY).state == match.state


def test_who_plays_on_in_an_earlier_turn_has_his_move_in_the_later_one():
    """The match began with turn 3, told by mistake and put back to 1: in turn 3 nobody moved who had in turn 2."""
    match = begun(a_coin("a", 100, 100), state=State(turn=3, phase="move", active="Ann"))
    match = apply(match, Event(1.0, 1, None, "phase", {"phase": "move", "active": "Ann"}))
    for turn in (1, 2, 3):
        assert (match.state.turn, match.state.of("a").get("moved")) == (turn, None)
        match = apply(match, Event(2.0, turn, "Ann", "move", {"piece": "a", "to_mm": [100 + 50 * turn, 100]}))
        assert match.state.of("a")["moved"]
        match = apply(match, Event(3.0, turn, None, "phase", {"phase": "move", "active": "Bob"}))
        match = apply(match, Event(4.0, turn + 1, None, "phase", {"phase": "move", "active": "Ann"}))


def test_without_turns_every_piece_may_move_again():
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 1.0)
    match = observe(match, a_scene(a_coin("a", 200, 100), TOWN), 2.0)
    assert [e.fields["verdict"] for e in match.events[1:]] == ["yes", "yes"]


def test_an_illegal_move_can_be_put_back():
    match = begun(state=State(phase="move", active="Ann"))
    match = observe(match, a_scene(a_coin("a", 400, 100), TOWN), 1.0)
    assert (match.events[-1].fields["verdict"], match.state.of("a").get("moved")) == ("no", None)
    match = observe(match, a_scene(a_coin("a", 102, 101), TOWN), 2.0)
    assert (match.events[-1].fields["verdict"], match.events[-1].fields["rule"]) == ("yes", "C4.8")
    assert match.state.of("a").get("moved") is None


@pytest.mark.parametrize(
    ("then_mm", "verdict", "moves"), [((190, 100), "yes", True), ((320, 100), "no", None), ((102, 101), "yes", None)]
)
def test_who_mends_an_illegal_move_comes_from_where_it_began(then_mm, verdict, moves):
    """From 400, where it may not lie, 190 is too far and 320 is not; from 100 it is the other way round."""
    match = begun(state=State(phase="move", active="Ann"))
    for x_mm in (500, 400):
        match = observe(match, a_scene(a_coin("a", x_mm, 100), TOWN), 1.0)
    match = observe(match, a_scene(a_coin("a", *then_mm), TOWN), 2.0)
    assert (match.events[-1].fields["verdict"], match.state.of("a").get("moved")) == (verdict, moves)
    assert match.events[-1].fields["from_mm"] == [400, 100]


def test_where_a_piece_may_go_counts_from_where_it_came_from_until_it_is_put_right():
    """In green it was shown ways from where it lay against the rules, and each of them was refused."""

    def reaching(scene, setup, state, piece):
        ids = [piece] if piece is not None else [each.id for each in scene]
        return tuple(Ruling("reach", id_, "yes", "TOY-3", f"from {scene[id_].position_mm[0]:.0f}") for id_ in ids)

    match = start(
        SETUP, a_scene(a_coin("a", 100, 100), TOWN), State(phase="move", active="Ann"), replace(TOY, rulings=reaching)
    )
    match = observe(match, a_scene(a_coin("a", 400, 100), TOWN), 1.0)
    assert {ruling.piece: ruling.why for ruling in match.rulings} == {"a": "from 100", "town": "from 600"}
    ended = apply(match, Event(2.0, 2, None, "phase", {"phase": "move", "active": "Ann", "turn": 2}))
    assert "from 400" in {ruling.why for ruling in ended.rulings}
    match = observe(match, a_scene(a_coin("a", 102, 101), TOWN), 2.0)
    assert "from 102" in {ruling.why for ruling in match.rulings}


def test_what_was_left_lying_is_where_the_next_turn_begins():
    match = begun(state=State(phase="move", active="Ann"))
    match = observe(match, a_scene(a_coin("a", 400, 100), TOWN), 1.0)
    match = apply(match, Event(2.0, 2, None, "phase", {"phase": "move", "active": "Ann", "turn": 2}))
    match = observe(match, a_scene(a_coin("a", 320, 100), TOWN), 3.0)
    assert match.events[-1].fields["verdict"] == "yes"


@pytest.mark.parametrize(("to_mm", "lies"), [([150, 100], (None, 0.0)), ([104, 100], ("low", 1.7))])
def test_what_a_hand_moves_away_lies_no_longer_on_what_it_lay_on(to_mm, lies):
    """Also where the eyes show it there still."""
    shown = a_scene(a_coin("low", 100, 100), a_coin("a", 101, 100, on="low", elevation_mm=1.7), TOWN)
    match, typed = begun(*shown), Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": to_mm})
    overruled, match = Overruled().by(typed, shown), apply(match, typed)
    match = observe(match, overruled.counting(shown, match.scene), 2.0)
    assert (match.scene["a"].on, match.scene["a"].elevation_mm) == lies
    assert kinds(match) == ["scene", "move"]
    assert overruled.lain(match.scene)["a"].on == "low"


@pytest.mark.parametrize(("to_mm", "elevation_mm"), [([320, 100], 30.0), ([340, 110], 30.0), ([420, 100], 0.0)])
def test_what_a_hand_moves_onto_a_book_stands_on_it(to_mm, elevation_mm):
    """As the eyes have it: a man led up a hill, or along it, had been at its foot."""
    book = Piece("h", "terrain", "book", (330, 100), Point(330, 100).buffer(40), "none", height_mm=30.0)
    match = begun(a_coin("a", 300, 100, elevation_mm=30.0), book)
    match = apply(match, Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": to_mm}))
    assert match.scene["a"].elevation_mm == elevation_mm


def test_where_a_piece_came_from_it_lay_as_it_did_there():
    """A man who was moved off a hill against the rules goes on from the hill."""

    def heights(scene, setup, state, piece):
        return (Ruling("reach", "a", "yes", "TOY-3", f"from {scene['a'].elevation_mm:.0f}"),)

    high = a_scene(a_coin("a", 100, 100, elevation_mm=30.0), TOWN)
    match = start(SETUP, high, State(phase="move", active="Ann"), replace(TOY, rulings=heights))
    match = observe(match, a_scene(a_coin("a", 400, 100), TOWN), 1.0)
    assert (match.events[-1].fields["verdict"], match.rulings[0].why) == ("no", "from 30")


@pytest.mark.parametrize(("turn", "player", "to_mm", "said"), [
    (1, "Bob", (102, 100), ("yes", "C4.8", None)),
    (2, "Ann", (102, 100), ("no", "TOY-2", None)),
    (2, "Ann", (104, 100), ("yes", "TOY-2", True)),
])  # fmt: skip
def test_a_piece_is_put_back_until_its_side_moves_again(turn, player, to_mm, said):
    """From then on going back is a move as any other: one that was too far had been lawful, and not the last."""
    match = begun(state=State(phase="move", active="Ann"))
    match = observe(match, a_scene(a_coin("a", 204, 100), TOWN), 1.0)
    match = apply(match, Event(2.0, turn, player, "phase", {"phase": "move", "active": player, "turn": turn}))
    match = observe(match, a_scene(a_coin("a", *to_mm), TOWN), 3.0)
    told = match.events[-1].fields
    assert (told["verdict"], told["rule"], match.state.of("a").get("moved")) == said


def test_a_state_event_patches_what_the_camera_cannot_see():
    match = apply(begun(), Event(1.0, 1, None, "state", {"pieces": {"a": {"roster": "tank"}}, "counters": {"food": 3}}))
    assert (match.state.of("a"), match.state.counters) == ({"roster": "tank"}, {"food": 3})
    match = apply(match, Event(2.0, 1, None, "state", {"counters": {"food": None}}))
    assert match.state.counters == {}


def test_a_note_costs_no_rulings():
    match = begun()
    calls = len(CALLS)
    assert apply(match, Event(1.0, 1, None, "note", {"text": "tea"})).rulings is match.rulings
    assert len(CALLS) == calls


actions = st.lists(
    st.one_of(
        st.tuples(st.just("see"), st.sampled_from("abc"), st.integers(0, 690), st.integers(0, 490)),
        st.tuples(st.just("type"), st.sampled_from("ab"), st.integers(0, 690), st.integers(0, 490)),
        st.tuples(st.just("lift"), st.sampled_from("ab")),
        st.tuples(st.just("correct"), st.sampled_from("ab"), st.sampled_from(["gbp-10p", None])),
        st.tuples(st.sampled_from(["undo", "redo", "phase", "note", "attack"])),
    ),
    max_size=14,
)


def played(drawn):
    """A match of these actions, by a player who tries everything, and what it was after each event."""
    table = {"a": a_coin("a", 100, 100), "b": a_coin("b", 300, 300), "town": TOWN}
    match = start(SETUP, a_scene(*table.values()), State(phase="move", active="Ann"), TOY)
    after = [match]
    for time, (what, *more) in enumerate(drawn, start=1):
        try:
            match = acted(match, table, what, more, float(time))
        except ValueError:
            continue
        after.append(match)
    return match, after


def acted(match, table, what, more, time):
    if what == "see":
        table[more[0]] = a_coin(more[0], more[1], more[2])
        return observe(match, a_scene(*table.values()), time)
    if what == "lift":
        table.pop(more[0], None)
        return observe(match, a_scene(*table.values()), time)
    fields = {
        "type": lambda: {"piece": more[0], "to_mm": [more[1], more[2]]},
        "correct": lambda: {"piece": more[0], "set": {"class": more[1]}},
        "phase": lambda: next_phase(TOY, SETUP, match.state),
        "attack": lambda: {"piece": "a"},
    }.get(what, dict)()
    kind = {"type": "move", "correct": "correction"}.get(what, what)
    return apply(match, Event(time, match.state.turn, None, kind, fields))


@given(actions)
@settings(deadline=None, max_examples=60)
def test_the_match_is_the_replay_of_its_lines(drawn):
    match, after = played(drawn)
    header = json.loads(json.dumps(match_header(SETUP)))
    lines = [event_line(event) for event in match.events]
    events = [event_from_line(line) for line in lines]
    assert events == list(match.events)
    assert replay(header, events, game=TOY) == match
    for earlier in after:
        assert replay(header, events, len(earlier.events), TOY) == earlier


def event_from_line(line):
    record = json.loads(line)
    own = [record.pop(key) for key in ("time_s", "turn", "player", "event")]
    return Event(*own, record)


@pytest.mark.parametrize("judged", [{}, {"verdict": "yes", "rule": "TOY-2", "why": "so it is"}])
def test_a_typed_move_that_nobody_judged_is_replayed_too(judged):
    """Only a `feature` moved a piece: a log typed by hand was replayed with every piece where it began."""
    lying = (a_coin("low", 100, 100), a_coin("a", 101, 100, on="low", elevation_mm=1.7), TOWN)
    typed = Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": [150, 110], **judged})
    moved = replay(match_header(SETUP, "2026-01-01T12:00:00Z"), (*begun(*lying).events, typed), game=TOY).scene["a"]
    assert (moved.position_mm, moved.on, moved.elevation_mm) == ((150, 110), None, 0.0)
    assert moved.footprint.centroid.equals_exact(Point(150, 110), 1e-6)


def test_the_log_on_disk(tmp_path):
    path = tmp_path / "match.jsonl"
    match = begun()
    with MatchLog.create(path, match_header(SETUP, "2026-01-01T12:00:00Z")) as log:
        log.append(match.events)
    match = observe(match, a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    with MatchLog.resume(path) as log:
        log.append(match.events[1:])
    header, events = read_log(path)
    assert (header["schema"], header["started"]) == ("sandtable/match/1", "2026-01-01T12:00:00Z")
    assert replay(header, events, game=TOY) == match


def test_a_line_that_was_cut_short_is_left_out_and_written_over(tmp_path):
    path = tmp_path / "match.jsonl"
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    with MatchLog.create(path, match_header(SETUP)) as log:
        log.append(match.events)
    whole = path.read_bytes()
    for cut in (2, 40, 200):
        path.write_bytes(whole[:-cut])
        assert [e.kind for e in read_log(path)[1]] == ["scene"]
        with MatchLog.resume(path) as log:
            log.append(match.events[1:])
        assert path.read_bytes() == whole


@pytest.mark.skipif(sys.platform == "win32", reason="no bound of a file's size there")
def test_what_a_full_disk_did_not_take_is_written_once_there_is_room(tmp_path):
    """It was lost, and a line that was cut short stood before the next one."""
    import resource

    path = tmp_path / "match.jsonl"
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    bounds = resource.getrlimit(resource.RLIMIT_FSIZE)
    with MatchLog.create(path, match_header(SETUP)) as log:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, bounds[1]))
            for event in match.events:
                with pytest.raises(OSError, match=r"match\.jsonl"):
                    log.append([event])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, bounds)
    assert replay(*read_log(path), game=TOY) == match


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_last_line_that_only_lacks_its_line_feed_counts(tmp_path, mark):
    path = tmp_path / "match.jsonl"
    match = observe(begun(), a_scene(a_coin("a", 150, 100), TOWN), 4.5)
    with MatchLog.create(path, match_header(SETUP)) as log:
        log.append(match.events)
    whole = mark + path.read_bytes()
    path.write_bytes(whole[:-1])
    assert [e.kind for e in read_log(path)[1]] == ["scene", "move"]
    with MatchLog.resume(path) as log:
        log.append(match.events[1:])
    assert path.read_bytes() == whole + whole.splitlines(keepends=True)[-1]
    path.write_bytes(whole.splitlines()[0])
    assert read_log(path)[0]["schema"] == "sandtable/match/1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no whole line.*delete this file, or give another"),
        ('{"schema": "sandt', "no whole line.*delete this file, or give another"),
        ("hello\n", "line 1: not valid JSON"),
        ('{"schema": "other"}\n', "line 1: the schema is 'other'"),
        ('{"schema": "sandtable/match/1"}\n{"time_s": 1}\n', "line 2: no 'turn'"),
        (
            '{"schema": "sandtable/match/1"}\n{"time_s": "x", "turn": 1, "player": null, "event": "note"}\n',
            "a number of seconds",
        ),
        (
            '{"schema": "sandtable/match/1"}\n{"time_s": -5, "turn": 1, "player": null, "event": "note"}\n',
            "line 2: 'time_s' must be 0 or more",
        ),
        ('{"schema": "sandtable/match/1"}\nnot json\n', "line 2: not valid JSON"),
        ("[" * 100_000 + "\n", "line 1: nested too deeply"),
        ('{"schema": "sandtable/match/1"}\n' + "[" * 100_000 + "\n", "line 2: nested too deeply"),
        ('{"schema": "sandtable/match/1"}\n{"time_s": 1e999}\n', "line 2: 1e999 is too large a number"),
        ('{"schema": "sandtable/match/1"}\n{"time_s": 1' + "0" * 400 + "}\n", "line 2: 100000000000... is too large"),
    ],
)
def test_a_bad_log_is_told_with_its_line(tmp_path, content, message):
    path = tmp_path / "match.jsonl"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        read_log(path)


def test_of_a_film_given_as_a_log_it_is_said_what_to_give(tmp_path):
    path = tmp_path / "match.mp4"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(ValueError, match=r"match\.mp4: no match log .*; give one that play or annotate wrote"):
        read_log(path)


def test_a_log_that_an_editor_began_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "match.jsonl"
    with MatchLog.create(path, match_header(SETUP)) as log:
        log.append(begun().events)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [event.kind for event in read_log(path)[1]] == ["scene"]


def test_a_log_that_cannot_be_followed():
    header = match_header(SETUP)
    with pytest.raises(ValueError, match="ended before the table was seen"):
        replay(header, [], game=TOY)
    with pytest.raises(ValueError, match="goes on with the scene"):
        replay(header, [Event(2.0, 1, None, "note", {})], game=TOY)
    events = [*begun().events, Event(2.0, 1, None, "siege", {"place": "town"})]
    with pytest.raises(ValueError, match="event 'siege' at 2 s: no 'change'"):
        replay(header, events, game=TOY)


@pytest.mark.parametrize(
    ("kind", "fields", "key"),
    [
        ("move", {"piece": ["c1"], "from_mm": [0, 0], "to_mm": [1, 1]}, "piece"),
        ("correction", {"piece": {"c1": 1}, "set": {"owner": "red"}}, "piece"),
        ("siege", {"place": ["town"], "change": "begin"}, "place"),
        ("remove", {"piece": "c1", "replaced_by": ["c2"]}, "replaced_by"),
        ("attack", {"piece": "c1", "other": [1]}, "other"),
        ("phase", {"phase": {"a": 1}}, "phase"),
        ("state", {"active": ["Ann"]}, "active"),
    ],
)
def test_a_list_names_no_piece_no_place_and_no_phase(kind, fields, key):
    events = [*begun().events, Event(2.0, 1, None, kind, fields)]
    with pytest.raises(ValueError, match=f"event '{kind}' at 2 s: '{key}' must be a name, not .*; mend it"):
        replay(match_header(SETUP), events, game=TOY)
    with pytest.raises(ValueError, match="there is no game 'toy'"):
        start(SETUP, a_scene())


def test_a_phase_of_another_game_is_told():
    """It was taken, and from then on every move was in the wrong phase."""
    events = [*begun().events, Event(2.0, 1, None, "phase", {"phase": "Attack"})]
    assert replay(match_header(SETUP), events, game=TOY).state.phase == "attack"
    other = [*events, Event(3.0, 1, None, "phase", {"phase": "upkeep"})]
    with pytest.raises(
        ValueError, match="event 'phase' at 3 s: the game has no phase 'upkeep', but move, attack; mend"
    ):
        replay(match_header(SETUP), other, game=TOY)


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("move", {"piece": "c99"}, "there is no piece 'c99' on the table then"),
        ("remove", {"piece": "c99"}, "there is no piece 'c99' on the table then"),
        ("move", {"piece": "a", "to_mm": [1]}, r"'to_mm' must be \[x, y\] in mm, or null, not \[1\]; mend it"),
        ("move", {"piece": "a", "to_mm": ["1", "2"]}, "'to_mm' must be"),
        ("move", {"piece": "a", "from_mm": 5, "verdict": "no"}, "'from_mm' must be"),
        ("place", {"piece": "c99", "to_mm": {}}, "'to_mm' must be"),
    ],
)
def test_a_move_of_nothing_or_to_nowhere_is_told(kind, fields, said):
    """Such lines, written by hand, were shown as if the piece had gone there."""
    events = [*begun().events, Event(2.0, 1, None, kind, fields)]
    with pytest.raises(ValueError, match=f"event '{kind}' at 2 s: {said}"):
        replay(match_header(SETUP), events, game=TOY)


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("state", {"pieces": None}, "'pieces' must be an object"),
        ("state", {"pieces": {"a": 1}}, "'pieces.a' must be an object"),
        ("state", {"counters": ["food"]}, "'counters' must be an object"),
        ("state", {"grid": 5}, "'grid' must be an object"),
        ("scene", {"features": None}, "'features' must be a list"),
    ],
)
def test_what_is_no_table_in_a_mended_log_is_told(kind, fields, said):
    events = [*begun().events, Event(2.0, 1, None, kind, fields)]
    with pytest.raises(ValueError, match=f"event '{kind}' at 2 s: {said}, in .*brac.*; mend it"):
        replay(match_header(SETUP), events, game=TOY)


@pytest.mark.parametrize("fields", [{"rain": True}, {"piece": ["a", "town"]}, {"phase": [1], "place": {}}])
@pytest.mark.parametrize("game", [TOY, OSMCG])
def test_an_event_that_is_not_known_changes_nothing(fields, game):
    """The log of a later version may tell more; what it told of several pieces was to be mended."""
    match = replay(match_header(SETUP), [*begun().events, Event(2.0, 1, None, "weather", fields)], game=game)
    assert (match.scene, match.state) == (begun().scene, begun().state)


@pytest.mark.parametrize("kind", ["undo", "redo"])
@pytest.mark.parametrize(
    "told", [{}, {"events": 5}, {"events": [[1]]}, {"events": [7]}, {"events": ["a"]}, {"events": [0]}]
)
def test_what_is_undone_are_earlier_events(kind, told):
    events = [*begun().events, Event(2.0, 1, None, kind, told)]
    with pytest.raises(ValueError, match=f"event '{kind}' at 2 s: 'events' must be a list of the numbers of earlier"):
        replay(match_header(SETUP), events, game=TOY)


def test_a_redo_of_nothing_is_nothing():
    match = replay(match_header(SETUP), [*begun().events, Event(2.0, 1, None, "redo", {"events": []})], game=TOY)
    with pytest.raises(ValueError, match="nothing to redo"):
        redo(match, 3.0)


FULL_DISK = """
import resource, sys
from pathlib import Path
from rules.files.log import MatchLog
from rules.match import Event

resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    with MatchLog.create(Path(sys.argv[1]), {"schema": "x" * int(sys.argv[2])}) as log:
        log.append([Event(1.0, 1, None, "note", {"text": "x" * 400})])
except OSError as error:
    print(error.errno == 27, error.filename)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
@pytest.mark.parametrize(("header_letters", "left"), [(400, []), (40, ["match.jsonl"])])
def test_on_a_full_disk_half_a_header_is_no_log_and_an_event_that_is_lost_names_its_file(
    tmp_path, header_letters, left
):
    path = tmp_path / "match.jsonl"
    command = [sys.executable, "-c", FULL_DISK, str(path), str(header_letters)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert told.stdout == f"True {path}\n"
    assert [each.name for each in tmp_path.iterdir()] == left


@pytest.mark.parametrize(
    ("kind", "told", "fault"),
    [
        ("phase", {"active": "Zoe"}, "active: there is no player 'Zoe' in the set-up; there are Ann, Bob"),
        ("state", {"active": "Zoe"}, "active: there is no player 'Zoe' in the set-up; there are Ann, Bob"),
        ("state", {"phase": "upkeep"}, "phase: toy has no phase 'upkeep'; it has move, attack"),
        ("state", {"pieces": {"a": {"moved": "yes"}}}, "pieces.a.moved: should be true or false, not 'yes'"),
        ("state", {"pieces": {"a": {"roster": 7}}}, "pieces.a.roster: input should be a valid string, not 7"),
    ],
)
def test_what_a_log_tells_of_the_state_is_checked_as_a_state_file_is(kind, told, fault):
    """From then on every move was another player's, or in the wrong phase."""
    match = begun(state=State(phase="move", active="Ann"))
    with pytest.raises(ValueError, match=f"event '{kind}' at 3 s: {fault}"):
        apply(match, Event(3.0, 1, "Ann", kind, told))
    blue = apply(match, Event(3.0, 1, "Ann", kind, {"active": "blue", "phase": "Attack"}))
    assert blue.state.active == "blue"
    document = {**json.loads(event_line(match.events[0])), "state": {"schema": "sandtable/state/1", "active": "Zoe"}}
    with pytest.raises(ValueError, match="event 'scene' at 0 s: active: there is no player 'Zoe'"):
        replay({"setup": setup_record(SETUP)}, [event_from(json.dumps(document), "line 2")], game=TOY)


def test_a_turn_before_the_first_is_a_fault():
    line = '{"time_s": 1, "turn": -1, "player": null, "event": "phase"}'
    with pytest.raises(ValueError, match="line 3: 'turn' must be 0 or more, as in a state file, not -1"):
        event_from(line, "line 3")
