"""A set-up of clicked points alone says nothing of a camera moved since: the printed map's roads do."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.boards.lens_file import read_lens
from sample_footage.kingsmere import MAP_FILE
from ui.cli import run
from ui.playing.session import PATIENCE_S, opened_session
from ui.setup.setup_file import read_setup
from vision.frame import Frame
from vision.stream.video_file import frame_at

STILLS = Path(__file__).parents[3] / "sample_footage" / "stills"
BARE = STILLS / "still-009-plain-table"
OMMS = STILLS.parent / "omms"


def on_map(setup, points):
    """A set-up's text with a map, its table measured by places in the picture alone."""
    head, rest = setup.read_text(encoding="utf-8").split("[calibration]")
    players = rest[rest.index("[[player]]") :].split("[map]")[0]
    return f'{head}[calibration]\npoints = {points}\n{players}\n[map]\nfile = "{MAP_FILE.as_posix()}"\n'


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The sample match's first picture, and its set-up by four points where its markers' planes have them."""
    from ui.measuring.table import plane_for

    frame = frame_at(OMMS / "match.mp4", 1.0)
    plane = plane_for(read_setup(OMMS / "setup.toml"), frame)
    mm = np.array([[0.0, 0.0], [700.0, 0.0], [700.0, 500.0], [0.0, 500.0]])
    points = np.round(np.c_[plane.to_image(mm), mm], 3).tolist()
    setup = tmp_path_factory.mktemp("by_points") / "setup.toml"
    setup.write_text(on_map(OMMS / "setup.toml", points), encoding="utf-8")
    return frame.image_bgr, setup


def looked(table, change, command, capsys):
    """Exit status, the document, and what is said of a changed picture of that table."""
    image, setup = table
    picture, out = setup.with_name("picture.png"), setup.with_name("out.json")
    out.unlink(missing_ok=True)
    cv2.imwrite(str(picture), np.ascontiguousarray(change(image)))
    status = run([*command, str(picture), "--setup", str(setup), "--out", str(out)])
    told = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
    return status, told, capsys.readouterr().err


@cache
def swing():
    """(h, w, 2) px from where a camera that was turned about its lens by six degrees sees each of its pixels: ray by
    ray, the lens's bend included."""
    lens = read_lens(OMMS / "setup.toml")
    turn, _ = cv2.Rodrigues(np.radians([2.0, -5.0, 3.0]))
    u, v = np.meshgrid(*(np.arange(side, dtype=float) for side in lens.size_px))
    bare, matrix = lens.undistort(np.c_[u.ravel(), v.ravel()]), lens.matrix
    ray = np.c_[bare, np.ones(len(bare))] @ (matrix @ turn @ np.linalg.inv(matrix)).T
    return lens.distort(ray[:, :2] / ray[:, 2:]).astype(np.float32).reshape(*u.shape, 2)


def swung(image):
    """As that camera sees it."""
    where = swing()
    return cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    ("change", "happened"),
    [
        (lambda image: image[:, ::-1], "the picture is mirrored since the table was set up"),
        (lambda image: image[::-1, ::-1], "the picture was turned upside down since the table was set up"),
        (swung, "the camera moved by"),
    ],
)
def test_a_check_is_red_where_the_roads_show_elsewhere(table, change, happened, capsys):
    status, told, said = looked(table, change, ["calibrate", "check"], capsys)
    assert status == 0 and told["light"] == "red" and told["believe_mm"] > 50
    assert happened in said


def test_a_check_of_the_table_as_it_was_says_nothing_of_the_map(table, capsys):
    status, told, said = looked(table, lambda image: image, ["calibrate", "check"], capsys)
    assert status == 0 and told["light"] == "green" and "road" not in said


def test_a_scene_is_measured_by_the_roads_where_they_show_elsewhere(table, capsys):
    seen = [looked(table, change, ["scene"], capsys) for change in (lambda image: image, swung)]
    places = [
        [each["properties"]["position_mm"] for each in told["features"] if each["properties"]["kind"] == "coin"]
        for _, told, _ in seen
    ]
    was, now = (np.array(sorted(each)) for each in places)
    nearest = np.hypot(*(now[:, None] - was[None]).transpose(2, 0, 1)).min(axis=1)
    assert len(now) >= len(was) - 2 and np.median(nearest) < 1.0
    assert "measured again by the map's roads" in seen[1][2]


def test_coins_that_were_measured_before_the_camera_moved_tell_nothing_of_it(table, tmp_path, capsys):
    from ui.measuring.table import plane_for

    image, setup = table
    plane = plane_for(read_setup(setup), Frame(image))
    around, coins = np.linspace(0, 2 * np.pi, 64, endpoint=False), []
    for x, y in ((100, 100), (600, 100), (350, 250), (120, 400), (580, 400), (350, 60)):
        rim_px = plane.to_image(np.c_[x + 12.95 * np.cos(around), y + 12.95 * np.sin(around)], 1.85)
        at_px, axes_px, angle_deg = cv2.fitEllipseDirect(rim_px.astype(np.float32))
        coins.append(f'[{", ".join(f"{each:.2f}" for each in (*at_px, *axes_px, angle_deg))}, "gbp-2p"]')
    beside = tmp_path / "setup.toml"
    text = setup.read_text(encoding="utf-8")
    beside.write_text(
        text.replace("[calibration]", f"[calibration]\nellipses = [{', '.join(coins)}]"), encoding="utf-8"
    )
    status, _, said = looked((image, beside), swung, ["scene"], capsys)
    assert status == 0 and "measured again by the map's roads" in said


def test_a_scene_of_a_mirrored_picture_is_refused(table, capsys):
    status, _, said = looked(table, lambda image: image[:, ::-1], ["scene"], capsys)
    assert status == 1 and 'switch off "mirror" or "flip"' in said and said.count("\n") == 1


def test_a_map_of_other_roads_is_amber_at_best(table, tmp_path, capsys):
    drawn = json.loads(MAP_FILE.read_text(encoding="utf-8"))
    for road in drawn["features"]:
        if road["properties"]["kind"] == "road":
            across = [[700 - y * 1.4, x / 1.4] for x, y in road["geometry"]["coordinates"]]
            road["geometry"]["coordinates"] = across
    other = tmp_path / "other.geojson"
    other.write_text(json.dumps(drawn), encoding="utf-8")
    image, setup = table
    text = setup.read_text(encoding="utf-8").replace(MAP_FILE.as_posix(), other.as_posix())
    sheared = tmp_path / "setup.toml"
    sheared.write_text(text, encoding="utf-8")
    status, told, said = looked((image, sheared), lambda picture: picture, ["calibrate", "check"], capsys)
    assert status == 0 and told["light"] == "amber" and "are not seen where the set-up has them" in said


def test_a_table_without_a_print_of_its_map_is_as_good_as_with_one(tmp_path, capsys):
    plain = BARE.with_suffix(".setup.toml")
    points = plain.read_text(encoding="utf-8").split("points = ")[1].split("\n")[0]
    setup = tmp_path / "setup.toml"
    setup.write_text(on_map(plain, points), encoding="utf-8")
    lights = []
    for each in (plain, setup):
        out = tmp_path / "out.json"
        out.unlink(missing_ok=True)
        command = ["calibrate", "check", f"{BARE}.jpg", "--setup", str(each), "--out", str(out)]
        assert run(command) == 0
        lights.append(json.loads(out.read_text(encoding="utf-8"))["light"])
    assert lights[0] == lights[1] and "road" not in capsys.readouterr().err


class Stream:
    """A camera that shows these pictures, one every so many seconds of its own clock."""

    live, name, trouble = True, "a camera", None

    def __init__(self, pictures, every_s):
        self.pictures, self.every_s = pictures, every_s

    def beats(self):
        for number, picture in enumerate(self.pictures):
            yield Frame(np.ascontiguousarray(picture), number, self.every_s * number)


def played(table, changes, said, every_s=PATIENCE_S / 2):
    """The session of a match that begins before those pictures of that table."""
    image, setup = table
    pictures = [change(image) for change in changes]
    return opened_session(read_setup(setup), Stream(pictures, every_s), lambda frame, plane: (), tell=said.append)


def torn(image):
    """Its strips in another order: coloured roads that are known again nowhere."""
    strips = np.split(image, 8, axis=1)
    return np.concatenate([strips[n] for n in (3, 6, 1, 4, 7, 2, 5, 0)], axis=1)


def test_a_match_begins_by_the_roads_where_they_show_elsewhere_and_its_log_says_so(table):
    said, fixed = [], played(table, [lambda image: image], [])
    session = played(table, [swung], said)
    assert fixed.referee.moved is None and session.referee.moved["what"] == "registered"
    assert said == [session.referee.moved["sentence"]] and "measured again by the map's roads" in said[0]
    mm = np.array([[150.0, 100.0], [550.0, 400.0]])
    back = swung(cv2.circle(np.zeros_like(table[0]), tuple(fixed.plane.to_image(mm)[0].astype(int)), 6, (255,) * 3, -1))
    seen_px = np.argwhere(back[..., 0] > 128).mean(axis=0)[::-1]
    assert np.hypot(*(session.plane.to_table([seen_px])[0] - mm[0])) < 1.5


def test_a_match_does_not_begin_on_a_mirrored_map(table):
    with pytest.raises(ValueError, match='mirrored since the table was set up: switch off "mirror"'):
        played(table, [lambda image: image[:, ::-1]] * 3, [], PATIENCE_S + 1)


def test_roads_that_are_seen_nowhere_are_waited_for_and_then_the_match_begins_and_its_log_says_so(table):
    said = []
    session = played(table, [torn, torn, lambda image: image], said)
    assert session.first.t_s == PATIENCE_S and session.referee.moved is None
    assert len(said) == 1 and "are not seen" in said[0] and "take hands off the table" in said[0]
    session = played(table, [torn] * 3, [], PATIENCE_S + 1)
    assert session.first.index == 1
    assert session.referee.moved["what"] == "lost" and "are not seen" in session.referee.moved["sentence"]
