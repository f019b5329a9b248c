"""A match that is left and taken up again from its log, by a camera that numbers the pieces anew."""

import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace

import pytest

from rules.files.log import MatchLog
from rules.match import read_log, replay
from tests.ui.builders import SETUP_TOML, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, moved, write_setup
from tests.vision.clips import write_clip
from ui.cli import run
from ui.playing.loop import Referee
from ui.playing.recorder import Recorder
from ui.playing.saved import refuse_replacing, saved_match
from ui.playing.session import Session
from ui.playing.watching import annotate_to
from ui.setup.setup_file import read_setup
from vision.stream.video_file import read_video

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

    def played(scenes, frames=6, said=()):
        """`said` after the last frame."""
        log = tmp_path / "match.jsonl"
        referee = Referee(setup.rules, ScriptedEyes(scenes))
        saved = saved_match(log, setup)
        if saved is not None:
            referee.take_up(saved)
        session = Session(a_frame(), iter([a_frame(index) for index in range(frames)]), VIEW, referee)
        match = annotate_to(session, Clip(), None, log, played=True)
        for kind, fields in said:
            with MatchLog.resume(log) as file:
                file.append(referee.told(kind, fields, frames / 10))
        return match, log

    return played


def interrupted(seen):
    yield from (a_frame(index) for index in range(seen))
    raise KeyboardInterrupt


@pytest.mark.parametrize("seen", [0, 4])
def test_what_is_kept_of_a_file_that_was_interrupted_is_said(tmp_path, setup, capfd, seen):
    record, log = tmp_path / "match.mp4", tmp_path / "match.jsonl"
    referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD), 3: a_scene(moved(GUARD, 50, 0))}))
    with pytest.raises(KeyboardInterrupt):
        annotate_to(Session(a_frame(), interrupted(seen), VIEW, referee), Clip(), record, log)
    assert (record.exists(), log.exists()) == (seen > 0, seen > 0)
    told = f"{log}: only a part of it was made\n{record}: only a part of it was made\n"
    assert capfd.readouterr().err == (told if seen else "")


def test_an_interruption_ends_a_match_that_is_played_from_a_file_as_from_a_camera(tmp_path, setup, capfd):
    """It had ended with status 130 and "interrupted", though all was written."""
    log = tmp_path / "match.jsonl"
    referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD), 3: a_scene(moved(GUARD, 50, 0))}))
    match = annotate_to(Session(a_frame(), interrupted(4), VIEW, referee), Clip(), None, log, played=True)
    assert match is not None and tuple(read_log(log)[1]) == match.events and len(match.events) == 2
    assert capfd.readouterr().err == ""


def test_it_is_said_that_a_film_begins_anew_where_a_match_goes_on(play, setup, tmp_path, capfd):
    """Stopped and called again it told every piece moved back, and the first half of the film twice."""
    _, log = play({0: a_scene(GUARD, SCOUT)})
    clip = write_clip(tmp_path / "clip.mp4", [0.0, 0.1, 0.2], (640, 480))
    assert run(["play", *map(str, ("--setup", setup.path, "--source", clip, "--headless", "--log", log))]) == 0
    assert f"{clip}: played from its beginning; if {log} is of this film already" in capfd.readouterr().err


@pytest.mark.parametrize("fault", [None, OSError("r.mp4: the film is lost")])
def test_a_log_that_was_removed_while_the_match_was_played_is_not_said_to_be_written(
    tmp_path, setup, capfd, monkeypatch, fault
):
    log, clip = tmp_path / "match.jsonl", write_clip(tmp_path / "clip.mp4", [0.0, 0.1, 0.2], (640, 480))

    def removed(session, source, out, log, **how):
        annotate_to(session, source, out, log, **how)
        log.unlink()
        if fault is not None:
            raise fault

    monkeypatch.setattr("ui.playing.watching.annotate_to", removed)
    assert run(["play", *map(str, ("--setup", setup.path, "--source", clip, "--headless", "--log", log))]) == 1
    lost = f"sandtable: {log}: the log is lost: it, or its folder, was removed while the match was played\n"
    last = capfd.readouterr().err.splitlines(keepends=True)[-1]
    assert last == (lost if fault is None else f"sandtable: r.mp4: the film is lost; and so is the log {log}\n")


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


MOVED = ("move", {"piece": "c1", "to_mm": [110.0, 120.0]})
FARTHER = ("move", {"piece": "c1", "to_mm": [150.0, 120.0]})
GONE = ("remove", {"piece": "c1"})
UNDO, REDO = ("undo", {}), ("redo", {})


@pytest.mark.parametrize(
    ("said", "at_mm"),
    [
        ([MOVED], (110.0, 120.0)),
        ([FARTHER, MOVED], (110.0, 120.0)),
        ([MOVED, UNDO], (60.0, 120.0)),
        ([MOVED, UNDO, REDO], (110.0, 120.0)),
        ([GONE], None),
        ([GONE, UNDO], (60.0, 120.0)),
        ([GONE, UNDO, REDO], None),
    ],
)
def test_what_a_hand_said_against_the_picture_counts_when_the_match_is_taken_up_again(play, said, at_mm):
    """The piece went back at once, as a move or a new piece that the player had not made."""
    play({0: a_scene(GUARD, SCOUT)}, said=said)
    guard, scout = replace(GUARD, id="c2"), replace(SCOUT, id="c1")
    again, _ = play({0: a_scene(guard, scout), 3: a_scene(guard, scout)})
    told = ["note"] if said[-1] is not UNDO else []
    assert [event.kind for event in again.events] == ["scene", *(kind for kind, _ in said), "note", *told]
    assert {piece.id: piece.position_mm for piece in again.scene}.get("c1") == at_mm
    # Once more: nothing is said twice, until the guard is seen to move.
    again, _ = play({0: a_scene(guard, scout), 3: a_scene(moved(guard, 0, 40), scout)})
    taken_up, event = again.events[-2:]
    assert taken_up.fields["text"] == "the match was taken up again"
    assert (event.kind, event.fields["piece"]) == ("move" if at_mm else "place", "c1")
    assert event.fields["from_mm"] == (list(at_mm) if at_mm else None)


def test_a_hand_s_word_in_a_match_just_taken_up_counts_before_the_first_look(play, setup):
    _, log = play({0: a_scene(GUARD, SCOUT)})
    referee = Referee(setup.rules, ScriptedEyes({2: a_scene(GUARD, SCOUT)}))
    referee.take_up(saved_match(log, setup))
    referee.step(a_frame(0, 0.0))
    referee.told(*MOVED, 0.0)
    assert [event.kind for index in (1, 2, 3) for event in referee.step(a_frame(index)).events] == ["note"]
    assert referee.match.scene["c1"].position_mm == (110.0, 120.0)


def test_a_move_that_was_typed_and_made_is_known_again_beside_another_of_its_class(play):
    """The other scout went where the first had been: which is which, the places tell."""
    first, second = replace(SCOUT, id="c1"), moved(replace(SCOUT, id="c2"), 0, 60)
    made = moved(first, -60, 0)
    play({0: a_scene(first, second)}, said=[("move", {"piece": "c1", "to_mm": list(made.position_mm)})])
    play({0: a_scene(made, second), 3: a_scene(made, replace(first, id="c2"))})
    again, _ = play({0: a_scene(replace(first, id="c7"), replace(made, id="c9"))})
    assert [event.kind for event in again.events] == ["scene", "move", "note", "move", "note"]
    assert again.scene["c1"].position_mm == made.position_mm and again.scene["c2"].position_mm == first.position_mm


def test_a_move_that_was_typed_and_made_and_the_next_one_that_was_typed_only_are_both_kept(play):
    """That the first was made is told by no event: the second tells where the picture shows the piece."""
    made = moved(GUARD, 50, 0)
    _, log = play({0: a_scene(GUARD)}, said=[MOVED])
    play({0: a_scene(made)}, said=[FARTHER])
    assert read_log(log)[1][-1].fields["seen_mm"] == [110.0, 120.0]
    again, _ = play({0: a_scene(made), 3: a_scene(made)})
    assert [event.kind for event in again.events] == ["scene", "move", "note", "move", "note", "note"]
    assert again.scene["c1"].position_mm == (150.0, 120.0)
    again, _ = play({0: a_scene(made), 3: a_scene(moved(GUARD, 90, 0))})
    assert again.events[-1].fields["text"] == "the match was taken up again"


def test_a_stack_one_of_which_a_hand_moved_is_seen_as_one_doubtful_coin_and_then_as_two(play):
    penny, rider = a_coin("c1", "gbp-1p", (60.0, 120.0), "red"), a_coin("c2", "gbp-5p", (61.0, 119.0), "red", on="c1")
    play({0: a_scene(penny, rider)}, said=[("move", {"piece": "c2", "to_mm": [110.0, 120.0]})])
    again, _ = play({0: a_scene(replace(penny, cls="unknown")), 3: a_scene(penny, rider)})
    assert [event.kind for event in again.events] == ["scene", "move", "note", "note"]
    assert again.scene["c2"].position_mm == (110.0, 120.0)


def test_a_stack_that_the_first_look_sees_as_one_doubtful_coin_is_no_news(play):
    penny, rider = a_coin("c1", "gbp-1p", (60.0, 120.0), "red"), a_coin("c2", "gbp-5p", (61.0, 119.0), "red", on="c1")
    play({0: a_scene(penny, rider, replace(SCOUT, id="c3"))})
    again, _ = play({0: a_scene(replace(penny, cls="unknown"), SCOUT)})
    assert [event.kind for event in again.events] == ["scene", "note"]
    assert {(piece.id, piece.cls) for piece in again.scene} == {("c1", "gbp-1p"), ("c2", "gbp-5p"), ("c3", "gbp-5p")}


def test_what_was_moved_in_between_is_told_and_a_new_piece_takes_no_old_name(play):
    play({0: a_scene(GUARD, SCOUT), 3: a_scene(GUARD)})  # the scout c2 is taken away
    new = a_coin("c2", "gbp-20p", (200.0, 200.0), "blue")
    again, _ = play({0: a_scene(replace(moved(GUARD, 30, 0), id="c5")), 3: a_scene(replace(GUARD, id="c5"), new)})
    kinds = [event.kind for event in again.events]
    assert kinds == ["scene", "remove", "note", "move", "move", "place"]
    assert "c2" not in again.scene and "c6" in again.scene


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


def test_a_second_program_on_the_same_match_is_refused_and_the_first_plays_on(play, setup, tmp_path, capfd):
    """Both had written the one log, and neither match was left."""
    _, log = play({0: a_scene(GUARD, SCOUT)})
    film, clip = tmp_path / "match.mp4", write_clip(tmp_path / "clip.mp4", [0.0, 0.1])
    options = ["--setup", str(setup.path)]
    capfd.readouterr()
    with MatchLog.resume(log), Recorder(film, (640, 480)):
        before = log.read_bytes()
        for arguments, said in (
            (["play", "--source", clip, "--headless", "--log", log], f"{log}: another sandtable plays this match"),
            (["annotate", clip, "--out", tmp_path / "a.mp4", "--log", log], f"{log}: another sandtable plays"),
            (["play", "--source", clip, "--headless", "--record", film], f"{film}: another sandtable records this"),
            (["annotate", clip, "--out", film], f"{film}: another sandtable records this film"),
        ):
            assert run([*map(str, arguments), *options]) == 1
            err = capfd.readouterr().err
            assert err.count("\n") == 1 and said in err
        with pytest.raises(BlockingIOError):
            play({0: a_scene(GUARD, SCOUT)})
        assert log.read_bytes() == before
    again, _ = play({0: a_scene(GUARD, SCOUT)})
    assert [event.kind for event in again.events] == ["scene", "note"]


def test_what_was_played_until_the_video_broke_off_is_kept_and_said(setup, tmp_path, capfd):
    """The log was kept and not named, the film was thrown away."""
    whole = write_clip(tmp_path / "whole.mp4", [n / 10 for n in range(60)], (640, 480), moov_first=True)
    half, film, log = (tmp_path / name for name in ("half.mp4", "match.mp4", "match.jsonl"))
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    options = ["--setup", setup.path, "--source", half, "--headless", "--record", film, "--log", log]
    assert run(["play", *map(str, options)]) == 1
    err = capfd.readouterr().err
    # A slow machine says how far it is in lines of their own.
    assert f"; until there it is kept in {film} and {log}: " in err.splitlines()[-1]
    assert f"{half}: the video breaks off at " in err
    assert next(read_video(film)).t_s == 0 and read_log(log)[0]["setup"]["game"] == "omms"
    assert run(["annotate", str(half), "--setup", str(setup.path), "--out", str(tmp_path / "a.mp4")]) == 1
    assert "or keep what it shows with sandtable play --headless" in capfd.readouterr().err
    assert not (tmp_path / "a.mp4").exists()


HOLD = """
import sys
from pathlib import Path
from rules.files.log import MatchLog

with MatchLog.create(Path(sys.argv[1]), {}):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_program_holds_no_match(tmp_path):
    log = tmp_path / "match.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(BlockingIOError, match="another sandtable plays this match"):
            MatchLog.create(log, {})
        assert log.read_text() == "{}\n"
        other.kill()
        other.wait()
    MatchLog.resume(log).close()


def annotate(film, setup, log):
    """The match of a film, as `sandtable annotate --log` writes it."""
    referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD, SCOUT)}))
    frames = iter([replace(a_frame(index), source=str(film)) for index in range(3)])
    annotate_to(Session(a_frame(), frames, VIEW, referee), Clip(), None, log)


def test_a_film_does_not_take_the_place_of_a_match_that_was_played(play, setup, tmp_path, capfd):
    """What was typed, corrected and attacked is in no film."""
    _, log = play({0: a_scene(GUARD, SCOUT)})
    before, clip = log.read_bytes(), write_clip(tmp_path / "clip.mp4", [0.0, 0.1])
    options = ["--setup", str(setup.path), "--out", str(tmp_path / "a.mp4"), "--log", str(log)]
    capfd.readouterr()
    assert run(["annotate", str(clip), *options]) == 1
    err = capfd.readouterr().err
    assert err.count("\n") == 1 and "match.jsonl: a match that was played" in err and "give another name" in err
    assert log.read_bytes() == before


def test_the_log_of_a_film_is_made_anew_until_somebody_plays_on_in_it(play, setup, tmp_path):
    log, film = tmp_path / "match.jsonl", tmp_path / "evening.mp4"
    for _ in range(2):
        annotate(film, setup, log)
        assert read_log(log)[0]["film"] == "evening.mp4"
        refuse_replacing(log)
    play({0: a_scene(GUARD, SCOUT)})
    with pytest.raises(ValueError, match="a match that was played"):
        refuse_replacing(log)


def test_a_match_that_began_while_a_film_was_annotated_is_kept(setup, tmp_path):
    log = tmp_path / "match.jsonl"
    referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD)}))
    with ExitStack() as others:

        def frames():
            yield a_frame(0)
            others.enter_context(MatchLog.create(log, {}))
            yield a_frame(1)

        with pytest.raises(BlockingIOError, match="another sandtable plays"):
            annotate_to(Session(a_frame(), frames(), VIEW, referee), Clip(), None, log)
    assert log.read_text() == "{}\n"
    assert [path for path in tmp_path.iterdir() if path.suffix == ".jsonl"] == [log]


@pytest.mark.parametrize("again", [False, True])
def test_a_match_that_is_played_does_not_film_over_an_older_film(tmp_path, setup, capfd, again):
    film, log = tmp_path / "match.mp4", tmp_path / "match.jsonl"
    film.write_bytes(b"the first evening")
    for _ in range(1 + again):
        referee = Referee(setup.rules, ScriptedEyes({0: a_scene(GUARD)}))
        saved = saved_match(log, setup)
        if saved is not None:
            referee.take_up(saved)
        frames = iter([a_frame(index) for index in range(3)])
        annotate_to(Session(a_frame(), frames, VIEW, referee), Clip(), film, log, played=True)
    err = capfd.readouterr().err
    assert f"{film}: the film that was there is kept as {tmp_path / 'match.before-1.mp4'}" in err
    assert (tmp_path / "match.before-1.mp4").read_bytes() == b"the first evening"
    assert (tmp_path / "match.before-2.mp4").exists() == again
    assert next(read_video(film)).t_s == 0
