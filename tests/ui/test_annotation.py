"""Whole annotated matches: what is recorded, what is logged, and what remains when the source is at fault."""

import json
from contextlib import closing

import av
import pytest

from tests.ui.builders import VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved
from ui import theme
from ui.annotation import annotated
from ui.loop import Referee
from vision.video_file import BrokenVideoError

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
