import errno
import io
import json
import os
import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.sensor import Sensor
from sample_footage.setup_file import setup_toml
from ui.cli import run
from ui.commands import enrol
from ui.setup.enrolled import checked_name, folder_of, forget_taught, taught_beside, taught_whole, write_taught
from ui.setup.enrolling import Taught
from ui.telling.fault import fault_line
from vision.taught.enrol import Enrolled
from vision.taught.sample import Sample

TABLE_CORNERS = ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0), (40.0, 460.0))


def a_class(name="my-5p", level=90):
    return Enrolled(name, "coin", 18.0, (np.full((48, 48, 3), level, np.uint8),))


def test_what_is_taught_lies_beside_the_set_up_and_comes_back(tmp_path):
    setup = tmp_path / "match.toml"
    write_taught(folder_of(setup), a_class())
    write_taught(folder_of(setup), a_class("token", 120))
    write_taught(folder_of(setup), a_class("my-5p", 30))
    found = {known.name: known for known in taught_beside(setup)}
    assert set(found) == {"my-5p", "token"}
    assert found["my-5p"].crops[0][0, 0].tolist() == [30, 30, 30]
    assert found["token"].size_mm == 18.0
    assert taught_beside(tmp_path / "other.toml") == ()


def test_a_broken_list_names_file_and_key(tmp_path):
    folder = folder_of(tmp_path / "match.toml")
    write_taught(folder, a_class())
    document = json.loads((folder / "classes.json").read_text())
    document["classes"][0]["size_mm"] = -1
    (folder / "classes.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=r"classes\.json: classes\.0\.size_mm"):
        taught_beside(tmp_path / "match.toml")


@pytest.mark.parametrize("name", ["unknown", "", "../x", "a b", "-x"])
def test_names_that_no_piece_can_have(name):
    with pytest.raises(ValueError, match="is no name for a piece"):
        checked_name(name)


def test_which_letters_a_name_may_have_is_said(capsys):
    """ "Use letters", it said of one."""
    for name, said in (("kapitän", r"letters \(a to z, A to Z\), digits"), ("unknown", "it says that none is known")):
        with pytest.raises(ValueError, match=said):
            checked_name(name)
    assert run(["enrol", "--help"]) == 0
    assert "NAME has letters (a to z, A to Z), digits and hyphens" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gbp-5p", "KH", "foot", "6"])
def test_what_the_eyes_call_a_piece_already_is_no_name_for_another(name):
    with pytest.raises(ValueError, match=f'choose another name, such as my-{name}, .* my-{name} = "{name}"'):
        checked_name(name)


@pytest.mark.parametrize(("name", "kind"), [("gbp-5", "coin"), ("EUR-5C", "coin"), ("11H", "card"), ("kd", "card")])
def test_what_a_scene_takes_for_misspelt_is_no_name_for_a_piece(name, kind):
    with pytest.raises(ValueError, match=f"{name} reads as a {kind} that is misspelt; .* such as my-{name}"):
        checked_name(name, kind)
    assert checked_name(f"my-{name}", kind) == f"my-{name}"


def test_what_was_taught_can_be_forgotten(tmp_path, capsys):
    setup = tmp_path / "match.toml"
    setup.write_text(setup_toml(looking_at((350, 228, 0), 640.0, 52), ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0))))
    for name in ("my-5p", "token"):
        write_taught(folder_of(setup), a_class(name))
    assert run(["enrol", "--forget", "my-5p", "--setup", str(setup)]) == 0
    assert "forgot my-5p; still known: token" in capsys.readouterr().err
    assert [known.name for known in taught_beside(setup)] == ["token"]
    assert sorted(path.name for path in folder_of(setup).iterdir()) == ["classes.json", "token-1.png"]
    assert run(["enrol", "--forget", "my-5p", "--setup", str(setup)]) == 1
    assert "nothing called my-5p was taught in" in capsys.readouterr().err
    forget_taught(folder_of(setup), "token")
    with pytest.raises(ValueError, match=r"nothing called my-5p was taught in .*, nor anything else$"):
        forget_taught(folder_of(setup), "my-5p")
    assert run(["enrol", "my-5p"]) == 2
    assert run(["enrol", "--forget", "my-5p", "a.jpg"]) == 2


def test_the_command_says_in_one_line_what_is_wrong(tmp_path, capsys):
    assert run(["enrol", "token", str(tmp_path / "none.jpg")]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert run(["enrol", "token", "a.jpg", "b.jpg", "c.jpg"]) == 2


@pytest.mark.parametrize("shape", [(100, 100, 3), (72, 48, 3), None])
def test_a_crop_that_somebody_replaced_is_told(tmp_path, shape):
    """The coin net ended in a traceback of its own, and so did an empty file and a crop as cards have it."""
    folder = tmp_path / "match.enrolled"
    folder.mkdir()
    (folder / "a-1.png").touch()
    if shape is not None:
        cv2.imwrite(str(folder / "a-1.png"), np.zeros(shape, np.uint8))
    row = {"name": "a", "kind": "coin", "size_mm": 20.0, "crops": ["a-1.png"]}
    (folder / "classes.json").write_text(json.dumps({"schema": "sandtable/enrolled/1", "classes": [row]}))
    with pytest.raises(
        ValueError, match=r"not the picture that was kept; teach a again.* --forget a --setup .*match\.toml$"
    ):
        taught_beside(tmp_path / "match.toml")


def test_a_crop_that_is_gone_is_told_with_what_to_do(tmp_path):
    """The advice was to use another piece's picture, whose name is a slip away; and no other piece could be taught."""
    setup = tmp_path / "match.toml"
    write_taught(folder_of(setup), a_class())
    write_taught(folder_of(setup), a_class("my-5q", 120))
    (folder_of(setup) / "my-5p-1.png").unlink()
    with pytest.raises(
        ValueError, match=r"my-5p-1\.png: .* not there any more; teach my-5p again.* --forget my-5p --setup "
    ):
        taught_beside(setup)
    assert [known.name for known in taught_whole(setup)] == ["my-5q"]


def test_teaching_again_from_fewer_photos_leaves_no_old_crop(tmp_path):
    folder = folder_of(tmp_path / "match.toml")
    write_taught(folder, Enrolled("my-5p", "coin", 18.0, (*a_class(level=10).crops, *a_class(level=20).crops)))
    write_taught(folder, a_class())
    assert sorted(path.name for path in folder.iterdir()) == ["classes.json", "my-5p-1.png"]


@pytest.mark.parametrize("place", ["../mine.png", "/tmp/mine.png", ".", ""])
def test_a_list_names_no_crops_elsewhere(tmp_path, capsys, place):
    """What is forgotten takes its crops away: a list of somebody else's could have named any file."""
    setup, mine = tmp_path / "match.toml", tmp_path / "mine.png"
    setup.write_text(setup_toml(looking_at((350, 228, 0), 640.0, 52), ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0))))
    mine.write_bytes(b"a picture")
    write_taught(folder_of(setup), a_class())
    told = folder_of(setup) / "classes.json"
    told.write_text(told.read_text().replace("my-5p-1.png", place))
    assert run(["enrol", "--forget", "my-5p", "--setup", str(setup)]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "classes.json: classes.0.crops.0: " in line
    assert mine.exists()


@cache
def cloth(camera):
    """What it sees of a bare cloth; drawing that takes longer than the coins on it."""
    view = View(camera, Ground("green-cloth", False, 1), Light())
    return view, view.bare()


def dim_photo(folder, name, at_mm, turn, beside=(), exposure=0.25):
    """A coin alone on a table with a third of the usual light, and the set-up that measures it."""
    camera = looking_at((350, 228, 0), 640.0, 52, 1.0, 0.5, (1280, 720), 900.0)
    view, bare = cloth(camera)
    table = lit_table(view, bare, [Coin("c", "eur-20c", at_mm, "none", "heads", turn, 0.0, 0.4, 3), *beside])
    cv2.imwrite(str(folder / name), Sensor(exposure=exposure, seed=1).develop(table, table.shape[:2]))
    corners = ((40.0, 40.0), (660.0, 40.0), (660.0, 460.0), (40.0, 460.0))
    (folder / "match.toml").write_text(setup_toml(camera, corners))
    return str(folder / name)


def test_what_was_taught_in_dim_light_is_known_again_in_it(tmp_path, capsys):
    """The picture that is learned from was not mended as is the one that is looked at, and no dim piece was known."""
    setup = str(tmp_path / "match.toml")
    photo, later = (dim_photo(tmp_path, f"{x}.png", (x, 230.0), x) for x in (340.0, 420.0))
    assert run(["enrol", "token", photo, "--setup", setup]) == 0
    assert run(["scene", later, "--setup", setup, "-o", str(tmp_path / "scene.geojson")]) == 0
    (piece,) = json.loads((tmp_path / "scene.geojson").read_text())["features"]
    assert piece["properties"]["class"] == "token"


def test_what_spoils_a_photo_that_is_learned_from_is_said(tmp_path, capsys):
    """Nothing was said, and the piece was hardly known again in better light."""
    photo = dim_photo(tmp_path, "one.png", (340.0, 230.0), 30.0)
    assert run(["enrol", "token", photo, "--setup", str(tmp_path / "match.toml")]) == 0
    note, _, learned = capsys.readouterr().err.strip().splitlines()
    assert note.startswith(f"sandtable: {photo}: the picture is too dark")
    assert learned.startswith("learned token: a coin 2")


def test_what_lies_beside_the_playing_area_is_in_nobodys_way(tmp_path, capsys):
    """It was said to be a second, different piece."""
    purse = Coin("purse", "eur-2", (726.0, 180.0), "none", "tails", 10.0, 0.0, 0.4, 3)
    photo = dim_photo(tmp_path, "one.png", (340.0, 230.0), 30.0, (purse,), exposure=0.9)
    assert run(["enrol", "token", photo, "--setup", str(tmp_path / "match.toml")]) == 0
    assert "learned token: a coin 2" in capsys.readouterr().err


class FullDisk:
    """Has room for so many files, and for half of the next."""

    def __init__(self, files):
        self.left = files

    def __call__(self, handle, mode):
        self.left -= 1
        file = io.FileIO(handle, mode)
        if self.left >= 0:
            return file
        file.write(b"half")
        file.close()
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_full_disk_leaves_nothing_of_a_piece_that_was_taught(tmp_path, monkeypatch, room):
    """The first crop stayed, without a list or beside an old list that told it to be the old piece's."""
    two = Enrolled("my-5p", "coin", 20.0, (*a_class(level=10).crops, *a_class(level=20).crops))
    setup = tmp_path / "match.toml"
    monkeypatch.setattr("rules.files.json_file.os.fdopen", FullDisk(room))
    with pytest.raises(OSError) as fault:
        write_taught(folder_of(setup), two)
    assert fault_line(fault.value).startswith(str(folder_of(setup))) and "the disk is full" in fault_line(fault.value)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    write_taught(folder_of(setup), a_class())
    before = {path.name: path.read_bytes() for path in folder_of(setup).iterdir()}
    monkeypatch.setattr("rules.files.json_file.os.fdopen", FullDisk(room))
    with pytest.raises(OSError):
        write_taught(folder_of(setup), two)
    assert {path.name: path.read_bytes() for path in folder_of(setup).iterdir()} == before


def test_the_same_picture_twice_is_said_to_tell_no_more(tmp_path):
    one, other, copy = (tmp_path / name for name in ("one.png", "other.png", "copy.png"))
    for path, content in ((one, b"1"), (other, b"2"), (copy, b"1")):
        path.write_bytes(content)
    shown = Taught([Sample("coin", np.full((48, 48, 3), 90, np.uint8), 18.0, (0.0, 0.0))], ())
    for second, said in (
        (copy, [f"{copy}: the same picture as {one}, which tells no more: give another, or one alone"]),
        (other, []),
    ):
        assert enrol._learned("token", (one, second), [shown, shown], "coin", by_ruler=False)[1] == said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_photos_that_came_through_pipes_are_not_read_again(tmp_path):
    """Empty by then, they passed for the same picture."""
    photos = (tmp_path / "a", tmp_path / "b")
    for photo in photos:
        os.mkfifo(photo)
        threading.Thread(target=photo.write_bytes, args=(b"",), daemon=True).start()
    shown = Taught([Sample("coin", np.full((48, 48, 3), 90, np.uint8), 18.0, (0.0, 0.0))], ())
    assert enrol._learned("token", photos, [shown, shown], "coin", by_ruler=False)[1] == []


def test_a_photo_that_the_set_up_does_not_measure_is_named_with_what_to_do(tmp_path, capsys):
    """Of two it was said of neither which it is: "the picture is 1440 x 1080, but camera.size_px says"."""
    setup, photo = tmp_path / "match.toml", tmp_path / "cut.png"
    setup.write_text(setup_toml(looking_at((350, 228, 0), 640.0, 52, 1.0, 0.5, (1280, 720), 900.0), TABLE_CORNERS))
    cv2.imwrite(str(photo), np.full((700, 900, 3), 90, np.uint8))
    for kind, is_told in (("coin", True), ("card", False)):
        assert run(["enrol", "token", str(photo), "--setup", str(setup), "--kind", kind]) == 1
        (line,) = capsys.readouterr().err.strip().splitlines()
        assert line.startswith(f"sandtable: {photo}: {setup}: calibration: the picture is 900 x 700")
        assert ("give --diameter-mm" in line) == is_told


def test_in_a_home_that_may_not_be_looked_into_nothing_was_taught(tmp_path, monkeypatch):
    """That of root, to a service that kept root's HOME: "classes.json: this may not be read", and `scene` ended."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    looked = Path.stat

    def closed(path, **how):
        if path.is_relative_to(tmp_path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return looked(path, **how)

    monkeypatch.setattr(Path, "stat", closed)
    assert taught_beside(None) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_beside_a_pipe_nothing_can_be_kept(tmp_path, capsys):
    """It was learned, and then "there is no such file or folder in /dev/fd; is 63 meant?" of it."""
    os.mkfifo(tmp_path / "pipe")
    assert run(["enrol", "token", str(tmp_path / "none.png"), "--setup", str(tmp_path / "pipe")]) == 1
    assert "save the set-up, and name that" in capsys.readouterr().err
