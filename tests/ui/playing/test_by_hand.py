"""Matches with no camera: refereed as typed, filmed on the drawn board, shown by `sandtable demo`."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import av
import pytest

from rules.course.fold import feature_of
from rules.files.log import MatchLog, match_header, read_log
from rules.match import Event, start
from tests.ui.builders import a_coin, a_scene, a_setup, scene_document, write_document
from ui.cli import run
from ui.playing.by_hand import PICTURES_AN_EVENT, SECONDS_AN_EVENT, film, refereed
from ui.playing.replay import Replay

SAMPLES = Path(__file__).parents[3] / "sample_footage"


@pytest.fixture
def typed(tmp_path):
    def written(*events):
        path = tmp_path / "typed.jsonl"
        begun = start(a_setup(), a_scene(a_coin("c1", "gbp-10p", (60.0, 120.0))))
        with MatchLog.create(path, match_header(begun.setup)) as log:
            log.append([begun.events[0], *events])
        return path

    return written


def a_move(time_s, x, y, piece="c1"):
    return Event(time_s, 1, None, "move", {"piece": piece, "to_mm": [x, y]})


def test_typed_moves_are_judged_in_turn(typed):
    shown = refereed(typed(a_move(1.0, 140.0, 120.0), a_move(2.0, 140.0, 200.0)))
    told = [(event.time_s, event.fields["verdict"], event.fields["rule"]) for event in shown.events[1:]]
    assert told == [(1.0, "yes", "OMMS-3.1"), (2.0, "no", "OMMS-3.2")]


def test_an_undo_in_a_typed_log_takes_back_what_it_names(typed):
    """Whatever it named, the last event was taken back, and the match was not the one that the log tells."""
    moves = a_move(1.0, 140.0, 120.0), a_move(2.0, 140.0, 121.5)
    undo = Event(3.0, 1, None, "undo", {"events": [2]})
    last, first = (refereed(typed(*moves, replace(undo, fields={"events": [place]}))) for place in (2, 1))
    assert last.at(9).match().scene["c1"].position_mm == (140.0, 120.0)
    assert first.at(9).match().scene["c1"].position_mm == (140.0, 121.5)
    again = refereed(typed(*moves, undo, replace(undo, kind="redo", time_s=4.0)))
    assert again.at(9).match().scene["c1"].position_mm == (140.0, 121.5)


def test_the_places_that_a_typed_undo_names_are_those_of_the_typed_log(tmp_path):
    """In the refereed one a siege follows the move that began it, and is taken back with it."""
    town = a_coin("t", "gbp-1p", (250.0, 120.0), owner="blue")
    units = (a_coin(name, "gbp-10p", (x, 120.0)) for name, x in (("east", 300.0), ("west", 120.0), ("far", 20.0)))
    begun, path = start(a_setup(), a_scene(town, *units)), tmp_path / "typed.jsonl"
    moves = a_move(1.0, 200.0, 120.0, "west"), a_move(2.0, 60.0, 120.0, "far")
    for named, left, besieged in ((1, (120.0, 60.0), set()), (2, (200.0, 20.0), {"t"})):
        with MatchLog.create(path, match_header(begun.setup)) as log:
            log.append([begun.events[0], *moves, Event(3.0, 1, None, "undo", {"events": [named]})])
        match = refereed(path).at(9).match()
        path.unlink()
        assert [event.kind for event in match.events[1:5]] == ["move", "siege", "move", "undo"]
        assert (match.scene["west"].position_mm[0], match.scene["far"].position_mm[0]) == left
        assert match.besieged == besieged


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_an_undo_that_names_an_undo_is_refused(typed, kind, capfd):
    """Nothing was done, and nothing said."""
    undo = Event(2.0, 1, None, "undo", {"events": [1]})
    log = typed(a_move(1.0, 140.0, 120.0), undo, replace(undo, kind=kind, time_s=3.0, fields={"events": [2]}))
    assert run(["replay", str(log), "--text"]) == 1
    err = capfd.readouterr().err
    assert f"event '{kind}' at 3 s: event 2 is 'undo' itself" in err and "[1]" in err and err.count("\n") == 1


@pytest.mark.parametrize(("told", "known"), [({"id": "c2"}, "c2"), ({"id": 7}, "7"), ({}, "coin1")])
def test_a_piece_that_is_typed_as_put_down_is_the_one_that_its_feature_tells(typed, told, known):
    """`feature` is all that the log's page asks for; `replay` wanted `piece` too, or an id that is a word."""
    coin = feature_of(a_coin("c2", "gbp-1p", (300.0, 300.0)), (700.0, 500.0))
    coin.pop("id")
    placed, gone = {"feature": {**coin, **told}}, {"piece": known}
    log = typed(Event(1.0, 1, None, "place", placed), Event(2.0, 1, None, "remove", gone))
    assert Replay.read(log).is_typed
    assert [event.fields["piece"] for event in refereed(log).events[1:]] == [known, known]


def test_what_cannot_be_played_is_said_with_the_file(typed):
    """And which event it is: of a long log nobody finds it else."""
    with pytest.raises(ValueError, match=r"typed\.jsonl: event 'move' at 1 s: move: there is no piece 'c9'"):
        refereed(typed(a_move(1.0, 140.0, 120.0, "c9")))


def test_a_typed_state_is_checked_as_a_state_file_is(typed):
    """Of a saved match it is not: its pieces come and go."""
    state = Event(1.0, 1, None, "state", {"counters": {"food": {"Anne": 3}}})
    with pytest.raises(ValueError, match=r"typed\.jsonl: event 'state' at 1 s: food: there is no player 'Anne'"):
        refereed(typed(state))


def test_a_typed_state_alone_is_checked_too(typed):
    """It was shown as it was typed, and refused with a move behind it."""
    state = Event(1.0, 1, None, "state", {"counters": {"food": {"Anne": 3}}})
    assert Replay.read(typed(state)).is_typed
    seen = Event(0.5, 1, None, "correction", {"piece": "c1", "set": {"owner": "red"}, "by": "where it stands"})
    assert not Replay.read(typed(seen, state)).is_typed


def test_a_reading_of_what_never_was_there_is_not_put_right(typed):
    """It was "corrected c9: owner red", and changed nothing."""
    wrong = Event(2.0, 1, None, "correction", {"piece": "c9", "set": {"owner": "red"}})
    with pytest.raises(ValueError, match=r"event 'correction' at 2 s: correction: there is no piece 'c9' on the table"):
        refereed(typed(a_move(1.0, 140.0, 120.0), wrong))


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"player": [{"name": "Ann", "colour": "pink"}]}, "player Ann: colour: 'pink' is none of red, blue"),
        ({"player": [{"name": "Ann", "colour": "red", "side": "north"}]}, "player Ann: side: 'north' is none of near"),
        ({"player": [{"name": "Ann", "colour": "red"}] * 2}, "player: Ann and Ann need different names and colours"),
        ({"rules": {"win": "most"}}, "rules.win: 'most' is none of last, points, bases"),
        ({"rules": {"wim": "last"}}, "rules.wim: omms has no such house rule; it has draw"),
        ({"legend": {"gbp-5p": "horse"}}, "legend.gbp-5p: "),
    ],
)
def test_a_typed_set_up_is_checked_as_its_file_is(typed, told, fault):
    """All of it was taken without a word."""
    log = typed(a_move(1.0, 140.0, 120.0))
    head, *events = log.read_text().splitlines()
    header = json.loads(head)
    log.write_text("\n".join([json.dumps({**header, "setup": {**header["setup"], **told}}), *events]) + "\n")
    with pytest.raises(ValueError, match=rf"typed\.jsonl: line 1: setup: {fault}"):
        refereed(log)


def test_typed_attacks_alone_are_judged_too(typed):
    """Only moves were asked about, so that a log of attacks was shown as it was typed."""
    attack = Event(1.0, 1, None, "attack", {"piece": "c9", "other": "c1"})
    assert Replay.read(typed(attack)).is_typed
    with pytest.raises(ValueError, match=r"event 'attack' at 1 s: attack: there is no piece 'c9' on the table"):
        refereed(typed(attack))
    seen = Event(0.5, 1, None, "correction", {"piece": "c1", "set": {"owner": "red"}, "by": "where it stands"})
    assert not Replay.read(typed(seen, attack)).is_typed


def test_the_film_gives_every_event_its_time(typed, tmp_path):
    shown = refereed(typed(a_move(1.0, 140.0, 120.0)))
    film(shown, tmp_path / "film.mp4")
    with av.open(str(tmp_path / "film.mp4")) as container:
        times_s = sorted(float(packet.pts * packet.time_base) for packet in container.demux(video=0) if packet.size)
    step_s = SECONDS_AN_EVENT / PICTURES_AN_EVENT
    assert times_s == pytest.approx([step_s * number for number in range(2 * PICTURES_AN_EVENT)], abs=1e-3)


def test_the_demo_of_a_game_without_a_clip_is_typed(tmp_path, monkeypatch, capfd):
    (tmp_path / "omniwar").mkdir()
    shutil.copy(SAMPLES / "omniwar" / "match.jsonl", tmp_path / "omniwar")
    monkeypatch.setattr("ui.commands.demo.files", lambda package: tmp_path)
    assert run(["demo", "--game", "omniwar", "--headless", "--out", str(tmp_path / "demo")]) == 0
    out, err = capfd.readouterr()
    assert out == "" and "omniwar.mp4" in err
    assert (tmp_path / "demo" / "omniwar.mp4").stat().st_size > 10_000
    header, events = read_log(tmp_path / "demo" / "omniwar.jsonl")
    assert header["setup"]["game"] == "omniwar"
    assert [event.fields["verdict"] for event in events if event.kind == "move"] == ["yes", "no", "yes", "yes"]
    assert all(json.dumps(dict(event.fields)) for event in events)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no pipes by name there")
def test_what_comes_through_a_pipe_is_read_once(typed, tmp_path, capsys):
    """As a shell gives it: `replay <(zcat match.jsonl.gz)`."""
    log = typed(a_move(1.0, 140.0, 120.0))
    scene, setup = tmp_path / "scene.geojson", SAMPLES / "omog" / "setup.toml"
    write_document(scene, scene_document())
    for content, arguments in ((log, ["replay", "--text"]), (setup, ["rule", str(scene), "--setup"])):
        reader, writer = os.pipe()
        os.write(writer, content.read_bytes())
        os.close(writer)
        assert run([*arguments, f"/dev/fd/{reader}"]) == 0, capsys.readouterr().err
        os.close(reader)
