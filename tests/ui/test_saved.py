"""A match that is left and taken up again from its log, by a camera that numbers the pieces anew."""

from dataclasses import replace

import pytest

from rules.match import read_log, replay
from tests.ui.builders import SETUP_TOML, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, moved, write_setup
from tests.vision.clips import write_clip
from ui.cli import run
from ui.loop import Referee
from ui.saved import begun_log, saved_match
from ui.session import Session
from ui.setup_file import read_setup
from ui.watching import annotate_to

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
SCOUT = a_coin("c2", "gbp-5p", (250.0, 120.0), "blue")


class Clip:
    live, trouble, name = False, None, "clip"


@pytest.fixture
def setup(tmp_path):
    return read_setup(write_setup(tmp_path))


@pytest.fixture
def play(tmp_path, setup):
    """Plays scenes without a window, as `sandtable play --log match.jsonl --headless` does."""

    def played(scenes, frames=6):
        log = tmp_path / "match.jsonl"
        referee = Referee(setup.rules, ScriptedEyes(scenes))
        saved = saved_match(log, setup)
        if saved is not None:
            referee.take_up(saved)
        session = Session(a_frame(), iter([a_frame(index) for index in range(frames)]), VIEW, referee)
        return annotate_to(session, Clip(), None, log, begun_log), log

    return played


@pytest.mark.parametrize("seen", [0, 4])
def test_what_is_kept_of_a_file_that_was_interrupted_is_said(tmp_path, setup, capfd, seen):
    def frames():
        yield from (a_frame(index) for index in range(seen))
        raise KeyboardInterrupt

    record, log = tmp_path / "match.mp4", tmp_path / "match.jsonl"
    referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD), 3: a_scene(moved(GUARD, 50, 0))}))
    with pytest.raises(KeyboardInterrupt):
        annotate_to(Session(a_frame(), frames(), VIEW, referee), Clip(), record, log, begun_log)
    assert (record.exists(), log.exists()) == (seen > 0, seen > 0)
    assert capfd.readouterr().err == (f"wrote {record} and {log}: 2 events\n" if seen else "")


def test_a_match_goes_on_in_the_same_log_under_the_same_names(play):
    first, log = play({0: a_scene(GUARD, SCOUT), 3: a_scene(moved(GUARD, 50, 0), SCOUT)})
    before = log.read_bytes()
    # Now the scout is c1 and the guard c9, and the guard goes on along its road.
    scout, guard = replace(SCOUT, id="c1"), replace(moved(GUARD, 50, 0), id="c9")
    again, _ = play({0: a_scene(scout, guard), 4: a_scene(scout, moved(guard, 40, 0))})
    assert log.read_bytes().startswith(before)
    header, events = read_log(log)
    assert [event.kind for event in events] == ["scene", "move", "note", "move"]
    assert events[2].fields["text"] == "the match was taken up again"
    told = events[3].fields
    assert (told["piece"], told["from_mm"], told["to_mm"]) == ("c1", [110.0, 120.0], [150.0, 120.0])
    assert [event.time_s for event in events] == sorted(event.time_s for event in events)
    assert first.events == tuple(events[:2])
    assert again.events == tuple(events)
    assert replay(header, events).scene == again.scene
    assert {piece.id for piece in again.scene} == {"c1", "c2"}


def test_what_was_moved_in_between_is_told_and_a_new_piece_takes_no_old_name(play):
    play({0: a_scene(GUARD, SCOUT), 3: a_scene(GUARD)})  # the scout c2 is taken away
    new = a_coin("c2", "gbp-20p", (200.0, 200.0), "blue")
    again, _ = play({0: a_scene(replace(moved(GUARD, 30, 0), id="c5")), 3: a_scene(replace(GUARD, id="c5"), new)})
    kinds = [event.kind for event in again.events]
    assert kinds == ["scene", "remove", "note", "move", "move", "place"]
    assert "c2" not in again.scene and "c2-" in again.scene


def test_a_line_that_was_cut_short_is_left_out(play):
    _, log = play({0: a_scene(GUARD, SCOUT)})
    with log.open("ab") as file:
        file.write(b'{"time_s": 1.0, "turn": 1, "pla')
    again, _ = play({0: a_scene(GUARD, SCOUT)})
    assert [event.kind for event in read_log(log)[1]] == ["scene", "note"]
    assert again.scene["c1"].position_mm == GUARD.position_mm


def test_another_setup_is_refused_in_one_line_and_the_log_stays_as_it_was(play, tmp_path, capfd):
    _, log = play({0: a_scene(GUARD, SCOUT)})
    before = log.read_bytes()
    other = write_setup(tmp_path, SETUP_TOML.replace('"Ann"', '"Cy"'))
    capfd.readouterr()
    assert run(["play", "--setup", str(other), "--source", "none.mp4", "--log", str(log)]) == 1
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "match.jsonl: this match was played with another player than" in err and "setup.toml" in err
    assert log.read_bytes() == before


def test_what_is_no_match_log_is_not_written_over(setup, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("buy milk\n")
    with pytest.raises(ValueError, match="is this a match log"):
        saved_match(notes, setup)
    assert saved_match(tmp_path / "none.jsonl", setup) is None
    (tmp_path / "empty.jsonl").touch()
    assert saved_match(tmp_path / "empty.jsonl", setup) is None


def test_a_match_that_is_taken_up_does_not_film_over_its_beginning(tmp_path, play, capfd):
    _, log = play({0: a_scene(GUARD, SCOUT)})
    film, setup = tmp_path / "match.mp4", tmp_path / "setup.toml"
    film.write_bytes(b"the first evening")
    options = ["--setup", setup, "--source", tmp_path / "clip.mp4", "--log", log, "--record", film, "--headless"]
    write_clip(tmp_path / "clip.mp4", [0.0, 0.1, 0.2])
    capfd.readouterr()
    assert run(["play", *map(str, options)]) == 1
    assert "match.mp4: this film is there already" in capfd.readouterr().err
    assert film.read_bytes() == b"the first evening"
