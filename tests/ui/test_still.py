import os
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import cv2
import numpy as np
import pytest
from shapely import Point

from tests.ui.builders import SETUP_TOML, a_frame, write_setup
from tests.vision.clips import write_clip
from ui.eyes import eyes_for
from ui.measuring.table import spec_of
from ui.setup.setup_file import read_setup
from ui.still import first_of, frames_of, is_still, still_scene
from vision.detection import Detection
from vision.light import srgb


class Camera:
    live, name, trouble = True, "http://phone/shot.jpg", None


class Clip:
    live, name = False, "clip.mp4"


def test_a_camera_that_brings_nothing_is_not_waited_for_for_ever():
    """As one picture behind an address does: `setup --source` waited without end."""
    with pytest.raises(ValueError, match=r"http://phone/shot\.jpg: no picture came in 15 s.*or a single picture"):
        first_of(repeat(None), Camera())


def test_the_first_picture_may_take_its_time():
    assert first_of(iter([None, None, a_frame(3)]), Camera()).index == 3


def test_a_file_without_a_picture():
    with pytest.raises(ValueError, match=r"clip\.mp4: there is no picture in it"):
        first_of(iter([]), Clip())


@pytest.mark.parametrize("name", ["clip.3gp", "clip", "clip.MP4"])
def test_a_video_by_another_name_is_a_video(tmp_path, name):
    path = write_clip(tmp_path / "clip.mp4", [0, 0.1, 0.2]).rename(tmp_path / name)
    assert not is_still(path)
    assert frames_of(path, 0.1)[0].t_s == pytest.approx(0.1)


@pytest.mark.parametrize(("kind", "name"), [(".png", "table"), (".webp", "table.webp"), (".bmp", "table.photo")])
def test_a_picture_by_any_name_is_a_picture(tmp_path, kind, name):
    path = tmp_path / name
    path.write_bytes(cv2.imencode(kind, np.full((80, 80, 3), 90, np.uint8))[1].tobytes())
    assert is_still(path)
    assert len(frames_of(path, None)) == 1


@pytest.mark.parametrize("at_s", [-1.0, 1e300])
def test_no_video_has_that_time(tmp_path, at_s):
    clip = write_clip(tmp_path / "clip.mp4", [0, 0.1, 0.2])
    with pytest.raises(ValueError, match=r"seconds from the video's beginning|has no picture at 1e"):
        frames_of(clip, at_s)


def coins_seen(*classes):
    """A look that sees coins of these classes in a row."""
    places = [(40.0 + 50 * number, 120.0) for number in range(len(classes))]
    seen = [
        Detection("coin", cls, at, Point(at).buffer(9), 0.2, 0.9, at) for cls, at in zip(classes, places, strict=True)
    ]
    return lambda frame, plane: tuple(seen)


@pytest.mark.parametrize(
    ("told", "classes", "is_said"),
    [
        ("", ("unknown", "unknown", "unknown", "gbp-5p"), True),
        ("", ("unknown", "unknown", "gbp-5p", "gbp-10p"), False),
        ('currency = "usd"', ("unknown", "unknown", "unknown", "usd-1c"), False),
    ],
)
def test_coins_without_a_name_say_what_would_name_them(tmp_path, told, classes, is_said):
    text = SETUP_TOML.replace("[calibration]", f"{told}\n[calibration]")
    scene = still_scene(read_setup(write_setup(tmp_path, text)), (a_frame(),), coins_seen(*classes))
    assert len(scene.pieces) == len(classes)
    assert any("say so in the set-up: currency" in note for note in scene.notes) == is_said


@pytest.mark.parametrize(
    ("name", "kind", "fewest"),
    [("solids/solids-005-plain", "soldier", 10), ("things/things-001-warm", "card", 6)],
)
def test_they_are_seen_by_a_lamp_that_no_camera_balanced(name, kind, fewest):
    """Ten of thirteen men, eleven by day, and all cards; eight and three before the lamp's colour was taken off."""
    path = Path(__file__).parents[2] / "sample_footage" / f"{name}.jpg"
    setup, (frame,) = read_setup(path.with_suffix(".setup.toml")), frames_of(path, None)
    warm = srgb.rounded(srgb.light_in(frame.image_bgr) * np.float32([0.33, 0.75, 1.2]))
    pieces = still_scene(setup, (replace(frame, image_bgr=warm),), eyes_for(setup.rules)).pieces
    assert sum(piece.kind == kind for piece in pieces) >= fewest


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no pipes by name there")
def test_a_set_up_with_a_lens_comes_through_a_pipe():
    """It was read twice, and the second time it was empty: "there is no [camera] in it; make a lens file"."""
    still = Path("sample_footage/stills/still-000-plain.jpg")
    reader, writer = os.pipe()
    os.write(writer, still.with_suffix(".setup.toml").read_bytes())
    os.close(writer)
    setup = read_setup(Path(f"/dev/fd/{reader}"))
    os.close(reader)
    assert spec_of(setup).lens.matrix[0, 0] == setup.camera.fx
