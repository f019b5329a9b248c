"""A table set up by clicked points is found again where the camera was moved before play, or it is said why not."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.kick.drift import Drift
from rules.scene import Scene
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from tests.ui.builders import a_coin
from ui.cli import run
from ui.measuring.since import moved_since, picture_kept, plane_since
from ui.measuring.table import anchor_of, plane_for
from ui.playing.loop import Referee
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.setup_file import read_setup
from vision.frame import Frame

LENS, SIZE_MM = a_lens((1280, 720)), (700, 500)
CAMERA = a_camera(55, 1250, 2, 10, lens=LENS)
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
TABLE = paper(SIZE_MM, 3, seed=4, gray=150)
HEAD = 'schema = "sandtable/setup/1"\ngame = "pocket"\n[table]\nsize_mm = [700, 500]\n'


def seen_by(camera, seed=1, table=TABLE):
    return Frame(shoot(camera, table, 3, rays=2, beyond=60, seed=seed))


def turned(right_deg):
    turn = cv2.Rodrigues(np.array([0.0, -np.radians(right_deg), 0.0]))[0]
    return replace(CAMERA, rvec=cv2.Rodrigues(turn @ CAMERA.rotation)[0].ravel(), tvec=turn @ CAMERA.tvec)


@pytest.fixture
def setup(tmp_path):
    cv2.imwrite(str(tmp_path / "table.seen.jpg"), seen_by(CAMERA).image_bgr)
    points = np.c_[CAMERA.to_image(CORNERS_MM).round(1), CORNERS_MM].tolist()
    block = f'[calibration]\npoints = {points}\npoints_sigma_px = [0.4, 0.4, 0.4, 0.4]\nseen = "table.seen.jpg"\n'
    (tmp_path / "table.toml").write_text(HEAD + block)
    return read_setup(tmp_path / "table.toml")


def off_mm(plane, camera):
    return np.hypot(*(plane.to_table(camera.to_image(CORNERS_MM)) - CORNERS_MM).T).max()


def test_a_camera_that_stands_is_left_in_peace(setup):
    plane = plane_for(setup, seen_by(CAMERA, seed=2))
    assert off_mm(plane, CAMERA) < 1.0 and not any("since the table was set up" in note for note in plane.notes)


def test_things_that_were_laid_about_are_no_kick(setup):
    table = TABLE.copy()
    for x, y in np.random.default_rng(3).uniform((60, 60), (2040, 1440), (25, 2)).astype(int).tolist():
        cv2.circle(table, (x, y), 40, 60, -1, cv2.LINE_AA)
    plane = plane_for(setup, seen_by(CAMERA, seed=2, table=table))
    assert off_mm(plane, CAMERA) < 1.0 and not any("since the table was set up" in note for note in plane.notes)


@pytest.mark.parametrize("right_deg", [0.2, 1.0, 4.0])
def test_a_camera_that_was_moved_is_found_again_and_it_is_said(setup, right_deg):
    moved = turned(right_deg)
    plane = plane_for(setup, seen_by(moved, seed=2))
    assert off_mm(plane, moved) < off_mm(plane_for(setup, seen_by(CAMERA)), CAMERA) + 0.5
    (note,) = (note for note in plane.notes if "since the table was set up" in note)
    assert note.startswith("the camera moved by ") and note.endswith("it was measured again by its texture")


@pytest.mark.parametrize("kind", ["kick", "covered"])
def test_a_camera_that_was_carried_round_the_table_is_found_again_by_what_the_ground_shows(setup, monkeypatch, kind):
    monkeypatch.setattr("ui.measuring.since.reregister", lambda *_: None)
    if kind == "covered":
        monkeypatch.setattr("ui.measuring.since.watch", lambda *_: Drift(float("nan"), "covered", 0.0))
    carried = a_camera(50, 1200, 2, 100, lens=LENS)
    shown, anchor = seen_by(carried, seed=2), anchor_of(setup)
    plane = plane_since(setup, anchor, shown)
    assert off_mm(plane, carried) < 2.0
    assert any("since the table was set up: it was measured again" in note for note in plane.notes)
    assert moved_since(anchor, plane, shown)["shift_px"] > 100
    # What was taken away or laid anew before a camera that stands is no carry.
    still = plane_since(setup, anchor, seen_by(CAMERA, seed=2))
    assert kind == "kick" or (still is anchor.plane and moved_since(anchor, still, seen_by(CAMERA, seed=2)) is None)


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (lambda image: image[:, ::-1], "the picture is mirrored"),
        (lambda image: image // 40, "too dark to tell"),
        (lambda image: image[:-60], "this picture has 1280 x 660 px, and the table was set up in one of 1280 x 720"),
        (lambda image: np.random.default_rng(1).integers(90, 160, image.shape), "the table does not show as in"),
    ],
)
def test_what_is_not_known_again_is_refused_in_one_line(setup, spoilt, told):
    other = Frame(np.ascontiguousarray(spoilt(seen_by(CAMERA).image_bgr)).astype(np.uint8))
    with pytest.raises(ValueError, match=told) as caught:
        plane_for(setup, other)
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{setup.path}: calibration: ")


def test_a_table_with_no_texture_is_believed_and_that_is_said(setup):
    plain = replace(anchor_of(setup), corners=np.zeros((0, 2)))
    plane = plane_since(setup, plain, seen_by(turned(1.0)))
    assert plane.rvec is plain.plane.rvec
    assert "the table shows too little texture to tell whether the camera was moved since it was set up" in plane.notes


def test_a_match_says_in_its_log_that_the_camera_was_moved_before_it(setup, tmp_path):
    clip = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"mp4v"), 10, (1280, 720))
    shown = cv2.cvtColor(seen_by(turned(1.0)).image_bgr, cv2.COLOR_GRAY2BGR)
    for _ in range(20):
        writer.write(shown)
    writer.release()
    log = tmp_path / "match.jsonl"
    arguments = ["play", "--setup", str(setup.path), "--source", str(clip), "--log", str(log), "--headless"]
    assert run(arguments) == 0
    events = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    (told,) = (event for event in events if "since the table was set up" in event.get("sentence", ""))
    assert told["event"] == "camera"
    assert told["what"] == "registered" and 15 < told["shift_px"] < 40


def test_it_is_told_once_the_match_has_begun():
    class Still:
        def update(self, frame):
            scene = Scene((320.0, 240.0), (a_coin(),))
            return type("Seen", (), {"scene": scene, "changed": frame.index == 1, "frozen": False, "plane": None,
                                     "camera": None, "looking": False, "soft": False, "aside": None})()  # fmt: skip

    from tests.ui.builders import a_frame, a_setup

    referee = Referee(a_setup(), Still(), moved={"what": "registered", "sentence": "moved"})
    kinds = [[event.kind for event in referee.step(a_frame(index)).events] for index in range(3)]
    assert ["camera" in each for each in kinds] == [False, True, False]


def test_the_picture_is_written_with_the_set_up_or_not_at_all(tmp_path):
    path = tmp_path / "table.seen.jpg"
    with pytest.raises(ValueError, match="no"), picture_kept(seen_by(CAMERA), path) as shown:
        assert shown.exists() and not path.exists()
        raise ValueError("no")
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"the older one")
    with picture_kept(seen_by(CAMERA), path) as shown:
        # Whoever is killed here leaves it beside the older set-up: it had the new one.
        assert path.read_bytes() == b"the older one"
        assert cv2.imread(str(shown)).shape == (720, 1280, 3)
    assert cv2.imread(str(path)).shape == (720, 1280, 3)
    with picture_kept(None, tmp_path / "none.jpg"):
        pass
    assert not (tmp_path / "none.jpg").exists()


def test_a_full_disk_leaves_the_picture_that_was_there(tmp_path, monkeypatch):
    """It was written over, and a kill meanwhile left neither."""
    path = tmp_path / "table.seen.jpg"
    path.write_bytes(b"the older one")

    def full(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "write_bytes", full)
    with pytest.raises(OSError, match=r"No space.*seen\.jpg"), picture_kept(seen_by(CAMERA), path):
        pytest.fail("nothing is done without the picture")
    assert path.read_bytes() == b"the older one" and list(tmp_path.iterdir()) == [path]


def test_a_set_up_without_a_picture_is_as_before(setup):
    bare = replace(setup, calibration=replace(setup.calibration, seen=None))
    assert bare.calibration == CalibrationBlock(bare.calibration.points, points_sigma_px=(0.4,) * 4)
    assert off_mm(plane_for(bare, seen_by(CAMERA)), CAMERA) < 1.0
