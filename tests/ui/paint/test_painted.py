"""One picture, annotated through the command."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.ui.builders import write_setup
from ui.cli import run
from vision.stream.held import HeldPicture

SOLIDS = Path(__file__).parents[3] / "sample_footage" / "solids"


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 90, np.uint8))
    return path


def test_a_picture_is_held_for_some_seconds(picture):
    with HeldPicture(picture) as held:
        frames = list(held)
    assert len(frames) == held.info.duration_s * held.info.rate_hz
    assert frames[-1].t_s == pytest.approx(held.info.duration_s, abs=0.2)
    assert all((frame.image_bgr == 90).all() for frame in frames)


def test_what_lies_on_a_picture_is_drawn_on_it(tmp_path, capfd):
    name, out = SOLIDS / "solids-004-noise.jpg", tmp_path / "annotated.png"
    assert run(["annotate", str(name), "--setup", str(name.with_suffix(".setup.toml")), "--out", str(out)]) == 0
    assert "pieces" in capfd.readouterr().err
    before, after = cv2.imread(str(name)).astype(int), cv2.imread(str(out)).astype(int)
    changed = (np.abs(after - before).max(axis=2) > 40)[100:]
    assert 0.001 < changed.mean() < 0.1


def test_a_picture_is_not_written_as_a_video(picture, tmp_path, capfd):
    out = tmp_path / "out.mp4"
    assert run(["annotate", str(picture), "--setup", str(write_setup(tmp_path)), "--out", str(out)]) == 1
    assert ".jpg or .png" in capfd.readouterr().err
    assert not out.exists()


def test_a_missing_folder_is_named_as_the_player_named_it(tmp_path, capfd):
    out = tmp_path / "nowhere" / "out.jpg"
    name = SOLIDS / "solids-004-noise.jpg"
    assert run(["annotate", str(name), "--setup", str(name.with_suffix(".setup.toml")), "--out", str(out)]) == 1
    assert f"{out}: there is no folder {out.parent}" in capfd.readouterr().err


def test_a_full_disk_is_told_in_one_line(tmp_path, capfd):
    """OpenCV's picture library had put in a line of its own."""
    name, out = SOLIDS / "solids-004-noise.jpg", tmp_path / "full.png"
    out.symlink_to("/dev/full")
    assert run(["annotate", str(name), "--setup", str(name.with_suffix(".setup.toml")), "--out", str(out)]) == 1
    err = capfd.readouterr().err
    assert err.endswith("the disk is full; make room on it, or choose another place\n") and err.count("\n") == 1
