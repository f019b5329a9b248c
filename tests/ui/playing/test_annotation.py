"""Whole annotated matches: what is recorded, what is logged, and what remains when the source is at fault."""

import errno
import json
from contextlib import closing
from dataclasses import replace

import av
import cv2
import numpy as np
import pytest

from rules.match import read_log
from rules.state import State
from tests.ui.builders import TABLE_MM, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved, write_setup
from tests.vision.clips import write_clip
from ui import theme
from ui.cli import run
from ui.playing.annotation import Painter, annotated
from ui.playing.loop import Referee
from vision.stream.video_file import BrokenVideoError, read_video

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
SCENES = {0: a_scene(GUARD), 3: a_scene(moved(GUARD, 0, 60))}


def frames(count, fault=None):
    for index in range(count):
        yield a_frame(index, t_s=index / 30)
    if fault is not None:
        raise fault


def annotate(tmp_path, source, **more):
    referee = Referee(a_setup(), ScriptedEyes(SCENES))
    with closing(annotated(source, referee, VIEW, tmp_path / "m.mp4", tmp_path / "m.jsonl", **more)) as ticks:
        return list(ticks)


def test_a_recording_with_overlays_and_a_log_with_verdicts(tmp_path):
    assert len(annotate(tmp_path, frames(6))) == 6
    with av.open(str(tmp_path / "m.mp4")) as container:
        pictures = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(pictures) == 6
    u, v = VIEW.to_image([(60 + GUARD.radius_mm, 180)])[0].round().astype(int)
    red, green, _ = (int(value) for value in pictures[5][v, u])
    assert red > green + 60  # the ring has followed the coin ...
    assert abs(int(pictures[1][v, u][0]) - 90) < 25  # ... and was not there before
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert lines[0]["schema"] == "sandtable/match/1" and lines[0]["setup"]["game"] == "omms"
    assert [line["event"] for line in lines[1:]] == ["scene", "move"]
    assert lines[2]["verdict"] == "no" and lines[2]["time_s"] == 0.1 and lines[2]["rule"].startswith("OMMS-3")
    assert theme.OWNERS["red"] == theme.VERMILLION


def test_the_command_records_each_picture_of_a_film_at_its_time(tmp_path):
    film = write_clip(tmp_path / "film.mp4", [n / 10 for n in range(20)], (640, 480))
    recording, log = tmp_path / "m.mp4", tmp_path / "m.jsonl"
    options = ["--setup", str(write_setup(tmp_path)), "--out", str(recording), "--log", str(log)]
    assert run(["annotate", str(film), *options]) == 0
    shown, recorded = list(read_video(film)), list(read_video(recording))
    assert [frame.t_s for frame in recorded] == pytest.approx([frame.t_s for frame in shown], abs=1e-3)
    assert read_log(log)[0]["film"] == film.name
    # What is painted over it; encoding it anew changes a few levels.
    assert np.mean(cv2.absdiff(recorded[-1].image_bgr, shown[-1].image_bgr) > 40) > 0.005


def test_a_video_that_breaks_off_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="breaks off"):
        annotate(tmp_path, frames(4, ValueError("the video breaks off")))
    assert list(tmp_path.iterdir()) == []


def test_a_match_that_is_played_is_kept_until_its_source_breaks_off(tmp_path):
    with pytest.raises(BrokenVideoError):
        annotate(tmp_path, frames(4, BrokenVideoError("the video breaks off")), played=True)
    with av.open(str(tmp_path / "m.mp4")) as container:
        assert len(list(container.decode(video=0))) == 4
    assert len((tmp_path / "m.jsonl").read_text().splitlines()) == 3


def test_a_source_without_a_picture_leaves_nothing(tmp_path):
    assert annotate(tmp_path, frames(0)) == []
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_what_was_made(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        annotate(tmp_path, frames(5, KeyboardInterrupt()))
    with av.open(str(tmp_path / "m.mp4")) as container:
        assert len(list(container.decode(video=0))) == 5
    assert len((tmp_path / "m.jsonl").read_text().splitlines()) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.jsonl", "m.mp4"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_a_part_takes_the_place_of_no_whole_film(tmp_path, capfd, fault):
    """Ctrl-C in a second run had left a fragment of the film and the log that were there."""
    annotate(tmp_path, frames(6))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(type(fault)):
        annotate(tmp_path, frames(2, fault))
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name: made[name] for name in before} == before
    assert sorted(made.keys() - before.keys()) == ["m.part-1.jsonl", "m.part-1.mp4"]
    with av.open(str(tmp_path / "m.part-1.mp4")) as container:
        assert len(list(container.decode(video=0))) == 2
    assert len((tmp_path / "m.part-1.jsonl").read_text().splitlines()) == 2
    for line, name in zip(capfd.readouterr().err.splitlines(), ("m.jsonl", "m.mp4"), strict=True):
        kept = tmp_path / name.replace("m.", "m.part-1.")
        assert line == (
            f"{tmp_path / name}: only a part of a new one was made, which is kept as {kept}; the old one is as it was"
        )


def test_a_log_that_a_killed_program_left_is_kept_under_a_name_that_shows(tmp_path, capfd):
    """It lay there hidden for ever."""
    (tmp_path / ".m.0123abcd.jsonl").write_text("{}\n")
    (tmp_path / ".m.note.jsonl").write_text("somebody's own\n")
    annotate(tmp_path, frames(2))
    assert (tmp_path / "m.before-1.jsonl").read_text() == "{}\n"
    assert f"m.jsonl: an earlier one was cut off; what was left of it is kept as {tmp_path}" in capfd.readouterr().err
    assert len(list(tmp_path.iterdir())) == 4


def test_a_film_tells_turn_phase_and_player_at_all_times():
    name = "Maximiliane von und zu Hohenstein"
    setup = a_setup()
    ann, ben = setup.players
    setup = replace(setup, players=(replace(ann, name=name), ben))
    referee = Referee(setup, ScriptedEyes(SCENES), state=State(3, "attack", name))
    painter = Painter.over(a_frame(), VIEW, TABLE_MM)
    for tick in referee.watch(frames(6)):
        painter.paint(tick)
        assert painter.overlay._drawn is not None
        assert painter.overlay._drawn[1].turn == "Turn 3 · attack · Maximilia…"
