"""The command line as a person meets it: exit status, one line on standard error, nothing half-written."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from shapely.geometry import shape

from rules.games import game_named
from rules.turn import next_phase
from tests.ui.builders import SETUP_TOML, coin_feature, map_document, scene_document, write_document, write_setup
from tests.vision.clips import write_clip
from ui.cli import COMMANDS, cli, run
from ui.ruled import rules_setup, state_of


@pytest.fixture
def scene(tmp_path):
    return write_document(tmp_path / "scene.geojson", scene_document(coin_feature()))


def refused(capfd, arguments):
    """The one line on standard error of a run that is refused with exit status 1."""
    status = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert status == 1, err
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.startswith("sandtable: ")
    assert "Traceback" not in err
    return err


def test_rule_gives_a_ruling_document(tmp_path, scene, capfd):
    assert run(["rule", str(scene), "--setup", str(write_setup(tmp_path))]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    document = json.loads(out)
    assert document["schema"] == "sandtable/ruling/1"
    reaches = [f for f in document["features"] if f["properties"]["ruling"] == "reach"]
    assert [f["properties"]["piece"] for f in reaches] == ["c1"]


def reaches_of(capfd):
    """The reaches on standard output."""
    features = json.loads(capfd.readouterr().out)["features"]
    return [feature for feature in features if feature["properties"]["ruling"] == "reach"]


def test_rule_for_one_piece_into_a_file(tmp_path, capfd):
    scene = write_document(tmp_path / "s.geojson", scene_document(coin_feature(), coin_feature("c2", at=(200, 120))))
    out = tmp_path / "ruling.geojson"
    assert run(["rule", str(scene), "--setup", str(write_setup(tmp_path)), "--piece", "c2", "--out", str(out)]) == 0
    assert capfd.readouterr().out == ""
    pieces = {feature["properties"]["piece"] for feature in json.loads(out.read_text())["features"]}
    assert pieces == {"c2"}


def test_judge_tells_a_road_move_from_a_leap(tmp_path, capfd):
    before = write_document(tmp_path / "a.geojson", scene_document(coin_feature("c1", "gbp-10p", (60, 120))))
    verdicts = []
    for to in ((120, 120), (60, 220)):
        after = write_document(tmp_path / "b.geojson", scene_document(coin_feature("c1", "gbp-10p", to)))
        assert run(["judge", str(before), str(after), "--setup", str(write_setup(tmp_path))]) == 0
        features = json.loads(capfd.readouterr().out)["features"]
        verdicts.append([(f["properties"]["piece"], f["properties"]["verdict"]) for f in features])
    # 60 mm along the A43 is within a card's length; 100 mm off the road is not even for a scout.
    assert verdicts == [[("c1", "yes")], [("c1", "no")]]


@pytest.mark.parametrize("options", [["--game", "omms"], ["--setup", "{setup}"]])
def test_scenes_of_two_tables_are_not_judged(tmp_path, scene, capfd, options):
    """Places on one had been taken for places on the other."""
    after = write_document(tmp_path / "after.geojson", scene_document(coin_feature(), size_mm=(320.0, 300.0)))
    said = refused(capfd, ["judge", scene, after, *(word.format(setup=write_setup(tmp_path)) for word in options)])
    assert f"{after}: its table is 320 x 300 mm, that of {scene} 320 x 240; measure both scenes with one set-up" in said


@pytest.mark.parametrize("scenes", [["rule"], ["judge", "{scene}"]])
def test_a_scene_of_another_table_than_the_setups_is_told(tmp_path, capfd, scenes):
    scene = write_document(tmp_path / "scene.geojson", scene_document(coin_feature(), size_mm=(320.0, 300.0)))
    setup = str(write_setup(tmp_path))
    command = [*(word.format(scene=scene) for word in scenes), str(scene)]
    assert run([*command, "--setup", setup]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["schema"] == "sandtable/ruling/1" and err.count("\n") == 1
    assert "warning: the scene's table is 320 x 300 mm, the set-up's 320 x 240; ruled as in the scene" in err
    assert run([*command, "--game", "omms"]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capfd):
    assert run([name, "--help"]) == 0
    assert "Usage: sandtable" in capfd.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_that_may_not_be_read_is_no_wrong_usage(name):
    """Whoever reads it says so, in one line with status 1; click would end with status 2."""
    command = cli.get_command(click.Context(cli), name)
    for each in (command, *getattr(command, "commands", {}).values()):
        paths = [option.type for option in each.params if isinstance(option.type, click.Path)]
        assert not any(path.readable or path.exists for path in paths)


def test_a_video_that_may_not_be_read(tmp_path, capfd, monkeypatch):
    clip = write_clip(tmp_path / "clip.mp4", [0, 0.1])
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != clip)
    assert "change its permissions" in refused(capfd, ["scene", clip, "--setup", write_setup(tmp_path)])


@pytest.mark.parametrize(
    "arguments",
    [
        ["rule"],
        ["fly"],
        ["rule", "x", "--nonsense"],
        ["print", "posters", "x.pdf"],
        ["print", "hexmat", "x.pdf", "--pitch-mm", "nan"],
        ["print", "markers", "x.pdf", "--size-mm", "nan"],
        ["print", "charuco", "x.pdf", "--size-mm", "30"],
        ["print", "rulers", "x.pdf", "--ids", "0,1"],
        ["print", "hexmat", "x.pdf", "--dictionary", "DICT_4X4_50"],
        ["print", "tokens", "x.pdf", "--card", "poker"],
        ["setup", "x.toml", "--quick", "--picture", "x.jpg", "--size", "nan", "500"],
        ["setup", "x.toml", "--quick", "--picture", "x.jpg", "--size", "0", "500"],
        ["setup", "x.toml", "--quick", "--picture", "x.jpg", "--size", "5", "500"],
        ["setup", "x.toml", "--picture", "x.jpg", "--source", "0"],
        ["map", "import", "x.gpkg", "--out", "x.geojson", "--size-mm", "0", "0"],
        ["map", "import", "x.gpkg", "--out", "x.geojson", "--origin", "nan", "5"],
        ["map", "import", "x.gpkg", "--out", "x.geojson", "--scale", "nan"],
        ["scene", "x.mp4", "--at", "nan"],
        ["scene", "x.mp4", "--at", "inf"],
        ["scene", "x.mp4", "--at", "-1"],
    ],
)
def test_wrong_usage_is_status_2(arguments, capfd):
    assert run(arguments) == 2
    assert "Usage" in capfd.readouterr().err


def test_rule_needs_a_game(scene, capfd):
    assert run(["rule", str(scene)]) == 2
    assert "--game" in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [["{tmp}"], ["{tmp}/none.geojson"], ["{scene}", "--setup", "{tmp}/none.toml"]])
def test_a_name_of_two_lines_is_told_on_one(tmp_path, scene, capfd, arguments):
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    names = {"tmp": folder, "scene": scene}
    assert "two lines" in refused(capfd, ["rule", *(each.format(**names) for each in arguments), "--game", "omms"])


@pytest.mark.parametrize("command", [["rule", "--game", "omms"], ["scene"], ["calibrate", "lens"], ["map", "import"]])
def test_links_that_lead_in_a_circle(tmp_path, capfd, command):
    link = tmp_path / "link.geojson"
    link.symlink_to(link.name)
    refused(capfd, [*command, link, "--out", tmp_path / "out.geojson"])


def test_a_map_whose_name_is_no_text(tmp_path, scene, capfd):
    setup = write_setup(tmp_path, SETUP_TOML.replace("map.geojson", "map\\u0000"))
    assert "setup.toml:11: map.file: " in refused(capfd, ["rule", scene, "--setup", setup])


def test_no_name_is_no_game(tmp_path, scene, capfd):
    setup = write_setup(tmp_path)
    assert "unknown game ''" in refused(capfd, ["rule", scene, "--setup", setup, "--game", ""])


def test_an_unknown_game(scene, capfd):
    assert "unknown game 'chess'; there are omms" in refused(capfd, ["rule", scene, "--game", "chess"])


def test_an_unknown_piece(tmp_path, scene, capfd):
    assert "no piece 'c9'; there are c1" in refused(capfd, ["rule", scene, "--game", "omms", "--piece", "c9"])


def test_a_scene_that_is_not_there(tmp_path, capfd):
    err = refused(capfd, ["rule", tmp_path / "none.geojson", "--game", "omms"])
    assert f"none.geojson: there is no such file or folder in {tmp_path}; mend the path" in err


def test_a_scene_of_which_nothing_is_ruled_says_so(scene, capfd):
    """Ruled by another game it gave an empty list and no word."""
    assert run(["rule", str(scene), "--game", "omog"]) == 0
    told = capfd.readouterr()
    assert json.loads(told.out)["features"] == [] and told.err.count("\n") == 1
    assert "nothing is ruled of what lies there: it has no part in omog as it is told" in told.err
    assert run(["rule", str(scene), "--game", "omms"]) == 0
    assert capfd.readouterr().err == ""


def test_a_dash_is_no_file_to_read(capfd):
    """A file of that name was looked for, and "mend the path" told nobody how standard input is read."""
    assert "-: no name of a file; to read standard input give /dev/stdin" in refused(capfd, ["rule", "-", "-g", "omms"])
    assert "give /dev/stdin" in refused(capfd, ["rule", "/dev/null", "--setup", "-"])


def test_a_link_to_nothing_says_where_it_leads(tmp_path, scene, capfd):
    """ "is scene.geojson meant?" was asked of one that was given as scene.geojson."""
    link = tmp_path / "link.geojson"
    link.symlink_to("away/none.geojson")
    assert "this link leads to away/none.geojson, which is not there" in refused(capfd, ["rule", link, "-g", "omms"])
    assert "leads to away/none.geojson" in refused(capfd, ["rule", scene, "--game", "omms", "--out", link])


def test_a_result_has_the_name_of_a_file_and_not_of_a_folder_to_come(tmp_path, scene, capfd):
    """A file "results" was written where a folder was meant."""
    told = refused(capfd, ["rule", scene, "--game", "omms", "--out", f"{tmp_path}/results/"])
    assert "results/: " in told and "this is a folder; name a file in it" in told
    assert not (tmp_path / "results").exists()


SETUP_LIKE = ["--setup", "{setup}"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scene", "{tmp}/none.jpg"], "none.jpg: there is no such file"),
        (["scene", "{tmp}/tabel.jpg"], "; is table.jpg meant?"),
        (["scene", "{tmp}/no/table.jpg"], "there is no folder"),
        (["scene", "{tmp}"], "this is a folder; name a file in it"),
        (["scene", "rtsp://cam/1"], "this is an address, and a file is wanted; save a picture"),
        (["scene", "{setup}/table.jpg"], "a file stands where this path needs a folder"),
        (
            ["play", *SETUP_LIKE, "--source", "{tmp}/none.mp4", "--headless", "--log", "{tmp}/a"],
            "there is no such file",
        ),
        (["play", *SETUP_LIKE, "--source", "{tmp}", "--headless", "--log", "{tmp}/a"], "this is a folder"),
        (["play", *SETUP_LIKE, "--headless", "--log", "{tmp}/no/a.jsonl"], "there is no folder"),
        (["calibrate", "lens", "{tmp}/none*.jpg"], "has a name like this; mend the pattern"),
        (["calibrate", "lens", "{tmp}/table.jpg", "--out", "{tmp}/no/lens.toml"], "there is no folder"),
        (["evaluate", "{tmp}/none"], "there is no such file or folder"),
        (["evaluate", "{tmp}/table.jpg"], "this is a file; give the folder"),
        (["rule", "{tmp}/list.json", "--game", "omms"], "should be an object, in braces"),
        (["rule", "{tmp}/empty.json", "--game", "omms"], "empty.json: empty;"),
        (["setup", "{tmp}", "--quick", "--source", "{tmp}/table.jpg"], "this is a folder"),
        (["print", "markers", "{tmp}"], "this is a folder; name a file in it"),
    ],
)
def test_a_path_that_is_wrong_is_told_with_what_to_do_before_any_work(tmp_path, capfd, arguments, said):
    setup = write_setup(tmp_path)
    cv2.imwrite(str(tmp_path / "table.jpg"), np.zeros((100, 100, 3), np.uint8))
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "empty.json").write_text("")
    before = sorted(tmp_path.iterdir())
    assert said in refused(capfd, [each.format(tmp=tmp_path, setup=setup) for each in arguments])
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device there")
def test_results_go_to_devices_and_a_full_one_says_so(scene, capfd):
    said = refused(capfd, ["rule", scene, "--game", "omms", "--out", "/dev/full"])
    assert "/dev/full: the disk is full; make room" in said
    assert run(["rule", str(scene), "--game", "omms", "--out", "/dev/null"]) == 0
    assert "/dev/full: the disk is full; make room" in refused(capfd, ["print", "markers", "/dev/full"])
    assert Path("/dev/full").is_char_device() and Path("/dev/null").is_char_device()


@pytest.mark.parametrize("command", [["scene"], ["calibrate", "check"]])
def test_where_a_result_cannot_be_written_that_alone_is_told(tmp_path, capfd, command):
    arguments = [*command, a_picture(tmp_path / "p.png"), "--setup", write_setup(tmp_path), "--out", "/dev/full"]
    assert "/dev/full: the disk is full" in refused(capfd, arguments)


@pytest.mark.parametrize("game", ["omms", "omog", "osmcg", "pocket", "omniwar"])
def test_null_in_a_state_says_no_more_than_nothing(tmp_path, capfd, game):
    keys = ["bonus", "damage", "hp", "keywords", "moved", "radius_mm", "range_in", "roster", "spd_in", "team", "weapon"]
    bases = [
        {**coin_feature(owner, at=at, owner=owner), "properties": {"kind": "base", "owner": owner, "position_mm": at}}
        for owner, at in (("red", [100, 100]), ("blue", [125, 100]))
    ]
    scene = write_document(tmp_path / "bases.geojson", scene_document(*bases))
    state = {"schema": "sandtable/state/1", "pieces": {"red": dict.fromkeys(keys), "blue": dict.fromkeys(keys)}}
    asked = ["rule", str(scene), "--game", game]
    assert run([*asked, "--state", str(write_document(tmp_path / "state.json", state))]) == 0
    told = capfd.readouterr().out
    assert run(asked) == 0
    assert told == capfd.readouterr().out


def told_by(arguments, folder, **more):
    """Exit status and standard error of a process of its own."""
    command = [sys.executable, "-m", "ui.cli", *map(str, arguments)]
    place = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, cwd=folder, env=place, **more)
    return told.returncode, told.stderr


def test_a_closed_standard_output_is_no_result(tmp_path, scene):
    """It had ended with status 0 and nothing written."""
    status, said = told_by(["rule", scene, "--game", "omms"], tmp_path, preexec_fn=lambda: os.close(1))
    assert (status, said) == (1, "sandtable: standard output: it is closed, and the result is lost; give --out FILE\n")


def test_a_full_standard_output_is_named(tmp_path, scene):
    with Path("/dev/full").open("w") as full:
        status, said = told_by(["rule", scene, "--game", "omms"], tmp_path, stdout=full)
    assert (status, said[:51]) == (1, "sandtable: standard output: the disk is full; make ")


@pytest.mark.parametrize("command", [["rule", "--game", "omms"], ["scene"], ["enrol", "my-coin"]])
def test_a_folder_that_is_gone_while_one_is_in_it(tmp_path, capfd, monkeypatch, command):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "the folder is not there any more; choose" in refused(capfd, [*command, "scene.geojson"])


@pytest.mark.parametrize(
    "fault",
    [
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        ImportError("cv2.abi3.so: failed to map segment from shared object"),
        cv2.error("OpenCV(5.0.0) alloc.cpp:73: error: (-4:Insufficient memory) Failed to allocate 6220800 bytes"),
        RuntimeError("[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : std::bad_alloc"),
    ],
)
def test_too_little_memory_is_one_line(tmp_path, scene, capfd, monkeypatch, fault):
    def full(*_: object) -> None:
        raise fault

    monkeypatch.setattr("ui.ruled.read_scene", full)
    assert "there is not memory enough for this; close other" in refused(capfd, ["rule", scene, "--game", "omms"])


def test_unreadable_json(tmp_path, capfd):
    path = tmp_path / "s.geojson"
    path.write_text('{"type": ')
    assert "not valid JSON at line 1" in refused(capfd, ["rule", path, "--game", "omms"])


def test_a_file_that_does_not_say_what_it_is_is_told_what_to_write(tmp_path, scene, capfd):
    state = write_document(tmp_path / "state.json", {"phase": "move"})
    said = refused(capfd, ["rule", scene, "--game", "omms", "--state", state])
    assert 'state.json: schema: missing; add "schema": "sandtable/state/1"' in said


def test_a_scene_with_nan(tmp_path, capfd):
    path = tmp_path / "s.geojson"
    path.write_text(json.dumps(scene_document(coin_feature(at=(float("nan"), 1.0)))))
    assert "NaN is not a number" in refused(capfd, ["rule", path, "--game", "omms"])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"phase": "melee"}, "phase: omms has no phase 'melee'; it has draw, cards, move, attack"),
        ({"active": "Zoe"}, "active: there is no player 'Zoe' in the set-up; there are Ann"),
        ({"turn": "two"}, "turn: "),
        ({"food": {"Anne": 3}}, "food: there is no player 'Anne'; there are Ann"),
        ({"won": "Anne"}, "won: there is no player 'Anne'; there are Ann"),
        ({"counters": {"hands": {"rde": ["10H"]}}}, "hands: there is no player 'rde'"),
        ({"food": {"Ann": 3, "red": 2}}, "food: Ann and red are one player; take one of the two out"),
        ({"attack": {"piece": "zz", "other": "c1"}}, "attack, piece: there is no coin 'zz' in the scene; there are c1"),
        ({"attack": {"piece": "c1", "other": "c1"}}, "attack: 'c1' cannot attack itself; name the enemy as other"),
        ({"sieges": {"zz": 3}}, "the state's sieges: there is no coin 'zz' in the scene; there are c1"),
        ({"sieges": {"c1": {"turn": 1, "active": "Zed"}}}, "sieges of c1, active: there is no player 'Zed'; there are"),
        ({"bases": {"Ann": "zz"}}, "the state's bases of Ann: there is no coin 'zz' in the scene; there are c1"),
    ],
)
def test_a_state_that_does_not_fit(tmp_path, scene, capfd, told, said):
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", **told})
    err = refused(capfd, ["rule", scene, "--setup", write_setup(tmp_path), "--state", state])
    assert said in err and "state.json" in err


@pytest.mark.parametrize(
    ("game", "told", "said"),
    [
        ("omms", {"food": {"Ann": -1}}, "the state's food of Ann: a number of 0 or more is wanted, not -1"),
        ("omms", {"food": 3}, "the state's food: a table of names is wanted, not 3"),
        ("omms", {"hands": {"Ann": ["10X"]}}, "the state's hands of Ann: a list of cards"),
        ("omms", {"sieges": {"p": "x"}}, "the state's sieges of p, turn: a whole number is wanted, not 'x'"),
        ("omms", {"siege_dice": {"p": {"attacker": 7}}}, "the state's siege_dice of p, attacker: a die shows 1 to 6"),
        ("omms", {"attack": {"piece": "a"}}, "the state's attack, other: the id of a piece is wanted, not None"),
        (
            "omms",
            {"attack": {"piece": "a", "other": "b", "attack_dice": 6}},
            "the state's attack, attack_dice: a list of faces is wanted, not 6",
        ),
        ("omms", {"bases": {"Ann": 1}}, "the state's bases of Ann: the id of a piece is wanted, not 1"),
        ("pocket", {"first": "Anne"}, "first: there is no player 'Anne'; there are Ann"),
        ("omniwar", {"grid": {"kind": "hex", "pitch_mm": -3}}, "grid.pitch_mm: input should be greater"),
        ("osmcg", {"missions": ["Nap"]}, "missions: 'Nap' is none of"),
        ("osmcg", {"nexus": {"nera": [9, 9]}}, "nexus.nera: input should be 'near', 'far', 'left' or 'right'"),
        ("omog", {"pieces": {"zz": {"class": "mountd"}}}, "pieces.zz.class: input should be 'foot', 'mounted', 'gun'"),
        ("omog", {"lost": {"red": -4}}, "the state's lost of red: a number of 0 or more is wanted, not -4"),
        ("omog", {"lost": {"Ann": 2}}, "the state's lost: there is no army 'Ann'; there are red"),
        ("omniwar", {"lost": {"pink": 2}}, "the state's lost: there is no army 'pink'; there are red"),
        ("omniwar", {"lost": {"red": True}}, "the state's lost of red: a number of 0 or more is wanted, not True"),
        (
            "omniwar",
            {"pieces": {"c1": {"offense": -1}}},
            "pieces.c1.offense: input should be greater than or equal to 0",
        ),
        ("omniwar", {"pieces": {"c1": {"defense": "3"}}}, "pieces.c1.defense: should be a number, not '3'"),
        ("omniwar", {"pieces": {"c1": {"carried_by": "zz"}}}, "pieces.c1.carried_by: there is no piece 'zz' in the"),
        ("omniwar", {"pieces": {"c1": {"carried_by": -1}}}, "pieces.c1.carried_by: there is no piece '-1' in the"),
        ("omniwar", {"pieces": {"c1": {"carried_by": "c1"}}}, "pieces.c1.carried_by: no unit carries itself; name its"),
    ],
)
def test_what_the_rules_find_wrong_in_a_state_names_its_file(tmp_path, scene, capfd, game, told, said):
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", **told})
    options = ["--setup", write_setup(tmp_path), "--game", game, "--state", state]
    for command in (["rule", scene], ["judge", scene, scene]):
        if command[0] == "rule" or game != "osmcg":
            assert f"sandtable: {state}: {said}" in refused(capfd, [*command, *options])


def test_a_nexus_is_placed_by_its_side(tmp_path, scene):
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", "nexus": {"near": [100, 90]}})
    setup = write_setup(tmp_path, SETUP_TOML.replace("omms", "osmcg") + '[rules]\nmode = "moba"\n')
    out = tmp_path / "ruling.geojson"
    assert run(["rule", str(scene), "--setup", str(setup), "--state", str(state), "--out", str(out)]) == 0
    found = {one["properties"]["other"]: one["properties"] for one in json.loads(out.read_text())["features"]}
    assert found["nexus-near"]["at_mm"] == [100, 90]


@pytest.mark.parametrize("told", [{"pieces": {"b1": {"roster": "archr"}}}, {}])
def test_a_miniature_whose_card_nobody_wrote_is_told(tmp_path, capfd, told):
    known = {"kind": "base", "class": "base", "owner": "red", "position_mm": [100, 100]} | (
        {} if told else {"roster": "archr"}
    )
    scene = write_document(tmp_path / "s.geojson", scene_document({"id": "b1", "geometry": None, "properties": known}))
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", **told})
    without = write_setup(tmp_path, SETUP_TOML.replace("omms", "osmcg"))
    assert run(["rule", str(scene), "--setup", str(without), "--state", str(state)]) == 0
    capfd.readouterr()
    setup = write_setup(tmp_path, SETUP_TOML.replace("omms", "osmcg") + "[rules.roster.Archer]\nspd_in = 4\n")
    said = refused(capfd, ["rule", scene, "--setup", setup, "--state", state])
    assert "roster: no card is called 'archr'; there are Archer" in said


@pytest.mark.parametrize("active", ["Ann", "red"])
def test_the_active_player_goes_by_name_or_colour(tmp_path, scene, capfd, active):
    state = write_document(tmp_path / "s.json", {"schema": "sandtable/state/1", "phase": "move", "active": active})
    setup = write_setup(tmp_path)
    assert run(["rule", str(scene), "--setup", str(setup), "--state", str(state)]) == 0
    rules = rules_setup(None, setup)
    following = next_phase(game_named("omms"), rules, state_of(state, rules))
    assert (following["phase"], following["active"]) == ("attack", "Ann")


def test_a_missing_setup(tmp_path, scene, capfd):
    assert "none.toml" in refused(capfd, ["rule", scene, "--setup", tmp_path / "none.toml"])


def test_a_map_without_anything(tmp_path, scene, capfd):
    setup = write_setup(tmp_path)
    write_document(tmp_path / "map.geojson", map_document())
    assert "nothing on the map" in refused(capfd, ["rule", scene, "--setup", setup])


def test_a_map_of_water_alone_bars_who_goes_off_the_roads(tmp_path, capfd):
    setup = write_setup(tmp_path)
    lake = {"type": "Polygon", "coordinates": [[[150, 0], [200, 0], [200, 400], [150, 400], [150, 0]]]}
    water = {"type": "Feature", "geometry": lake, "properties": {"kind": "water"}}
    write_document(tmp_path / "map.geojson", {**map_document(), "features": [water]})
    scout = write_document(tmp_path / "s.geojson", scene_document(coin_feature("s", "gbp-5p", (100, 100))))
    assert run(["rule", str(scout), "--setup", str(setup)]) == 0
    (reach,) = reaches_of(capfd)
    assert reach["geometry"]["type"] == "MultiPolygon" and shape(reach["geometry"]).bounds[2] <= 150


@pytest.mark.parametrize(("legend", "count"), [('[legend]\nmy-10p = "gbp-10p"\n', 1), ("", 0)])
def test_a_name_of_ones_own_is_what_the_legend_says(tmp_path, capfd, legend, count):
    setup = write_setup(tmp_path, SETUP_TOML + legend)
    mine = write_document(tmp_path / "s.geojson", scene_document(coin_feature("s", "my-10p", (100, 120))))
    assert run(["rule", str(mine), "--setup", str(setup)]) == 0
    assert len(reaches_of(capfd)) == count


def test_a_result_goes_where_a_link_leads(tmp_path, scene):
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link.geojson", tmp_path / "there" / "target.geojson"
    link.symlink_to(target)
    for _ in range(2):  # a target that is not there yet, and one that is
        assert run(["rule", str(scene), "--game", "omms", "--out", str(link)]) == 0
        assert link.is_symlink() and json.loads(target.read_text())["features"] is not None
    assert sorted(path.name for path in tmp_path.rglob("*geojson*") if "target" in path.name) == ["target.geojson"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no names of open files there")
def test_a_name_of_an_open_file_is_written_to(tmp_path, scene):
    with (tmp_path / "open.geojson").open("w") as opened:
        link = tmp_path / "stdout"
        link.symlink_to(f"/proc/self/fd/{opened.fileno()}")
        assert run(["rule", str(scene), "--game", "omms", "--out", str(link)]) == 0
    assert link.is_symlink() and json.loads((tmp_path / "open.geojson").read_text())["features"] is not None


def test_a_setup_with_three_points(tmp_path, scene, capfd):
    setup = write_setup(tmp_path, SETUP_TOML.replace(", [10, 10, 0, 240]]", "]"))
    assert "3 points do not fix a plane" in refused(capfd, ["rule", scene, "--setup", setup])


def test_a_bad_result_leaves_the_old_file(tmp_path, scene, capfd):
    out = tmp_path / "ruling.geojson"
    out.write_text("old")
    refused(capfd, ["rule", scene, "--game", "chess", "--out", out])
    assert out.read_text() == "old"


def test_a_folder_that_is_not_there_for_the_result(tmp_path, scene, capfd):
    refused(capfd, ["rule", scene, "--setup", write_setup(tmp_path), "--out", tmp_path / "no" / "r.geojson"])


def a_picture(path: Path) -> Path:
    cv2.imwrite(str(path), np.full((480, 640, 3), 128, np.uint8))
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["annotate", "{clip}", "--out", "{clip}"],
        ["annotate", "{clip}", "--out", "{tmp}/a.mp4", "--log", "{tmp}/../{name}/a.mp4"],
        ["annotate", "{clip}", "--out", "{tmp}/a.mp4", "--log", "{setup}"],
        ["play", "--source", "{clip}", "--headless", "--record", "{clip}"],
        ["scene", "{clip}", "--out", "{clip}"],
        ["calibrate", "check", "{clip}", "--out", "{clip}"],
        ["calibrate", "check", "{clip}", "--out", "{setup}"],
        ["calibrate", "check", "--source", "{clip}", "--out", "{clip}"],
    ],
)
def test_no_result_takes_the_place_of_what_is_read(tmp_path, capfd, arguments):
    """The annotated recording had replaced the match itself."""
    clip, setup = write_clip(tmp_path / "clip.mp4", [0, 0.1]), write_setup(tmp_path)
    before = clip.read_bytes(), setup.read_bytes()
    names = {"clip": clip, "tmp": tmp_path, "name": tmp_path.name, "setup": setup}
    said = refused(capfd, [*(each.format(**names) for each in arguments), "--setup", setup])
    assert "this name is given twice, and what is there would be lost" in said
    assert (clip.read_bytes(), setup.read_bytes()) == before


@pytest.mark.parametrize("command", [["rule", "{scene}"], ["judge", "{scene}", "{scene}"]])
@pytest.mark.parametrize("lost", ["scene", "setup", "state"])
def test_no_ruling_takes_the_place_of_what_it_rules_on(tmp_path, scene, capfd, command, lost):
    files = {"scene": scene, "setup": write_setup(tmp_path), "state": tmp_path / "state.json"}
    write_document(files["state"], {"schema": "sandtable/state/1"})
    before = files[lost].read_bytes()
    options = ["--setup", files["setup"], "--state", files["state"], "--out", files[lost]]
    said = refused(capfd, [*(word.format(**files) for word in command), *options])
    assert f"{files[lost]}: this name is given twice" in said
    assert files[lost].read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["annotate", "{clip}", "--out", "{tmp}/a.jpg"], "a.jpg: a match is recorded as a video"),
        (["annotate", "{picture}", "--out", "{tmp}/a.jpg", "--log", "{tmp}/a.jsonl"], "has no log; leave out --log"),
        (["play", "--source", "{clip}", "--headless", "--record", "{tmp}/a.PNG"], "a match is recorded as a video"),
        (["play", "--source", "{picture}", "--headless", "--log", "{tmp}/a.jsonl"], "one picture is no match"),
    ],
)
def test_pictures_and_matches_are_not_mistaken_for_each_other(tmp_path, capfd, arguments, said):
    """A video was written under the name of a picture, a log that was asked for was not."""
    clip, setup = write_clip(tmp_path / "clip.mp4", [0, 0.1]), write_setup(tmp_path)
    picture = a_picture(tmp_path / "p.png").rename(tmp_path / "p.webp.bak")
    names = {"clip": clip, "tmp": tmp_path, "picture": picture}
    before = sorted(tmp_path.iterdir())
    assert said in refused(capfd, [*(each.format(**names) for each in arguments), "--setup", setup])
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("lost", ["map", "setup"])
@pytest.mark.parametrize(
    "command",
    [
        ["rule", "{scene}", "--out"],
        ["judge", "{scene}", "{scene}", "--out"],
        ["scene", "{clip}", "--out"],
        ["annotate", "{clip}", "--out", "{tmp}/a.mp4", "--log"],
        ["play", "--source", "{clip}", "--headless", "--log"],
    ],
)
def test_no_result_takes_the_place_of_the_map_that_a_setup_names(tmp_path, scene, capfd, command, lost):
    files = {"scene": scene, "clip": write_clip(tmp_path / "clip.mp4", [0, 0.1]), "tmp": tmp_path}
    setup = write_setup(tmp_path)
    written = {"map": tmp_path / "map.geojson", "setup": setup}[lost]
    before = written.read_bytes()
    said = refused(capfd, [*(word.format(**files) for word in command), written, "--setup", setup])
    assert f"{written}: this name is given twice" in said
    assert written.read_bytes() == before


NAMED = 'seen = "seen.png"\nsheet = { picture = "print.png" }\n[[player]]'


@pytest.mark.parametrize("lost", ["seen.png", "print.png"])
@pytest.mark.parametrize(
    "command",
    [
        ["rule", "{scene}", "--out"],
        ["scene", "{clip}", "--out"],
        ["annotate", "{clip}", "--out", "{tmp}/a.mp4", "--log"],
        ["play", "--source", "{clip}", "--headless", "--log"],
        ["calibrate", "check", "{clip}", "--out"],
    ],
)
def test_no_result_takes_the_place_of_a_picture_that_a_setup_names(tmp_path, scene, capfd, command, lost):
    files = {"scene": scene, "clip": write_clip(tmp_path / "clip.mp4", [0, 0.1]), "tmp": tmp_path}
    for name in ("seen.png", "print.png"):
        a_picture(tmp_path / name)
    before = (tmp_path / lost).read_bytes()
    setup = write_setup(tmp_path, SETUP_TOML.replace("[[player]]", NAMED))
    said = refused(capfd, [*(word.format(**files) for word in command), tmp_path / lost, "--setup", setup])
    assert f"{tmp_path / lost}: this name is given twice" in said
    assert (tmp_path / lost).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["print", "markers", "{tmp}/m.png"], "m.png: a sheet is written as PDF; give a name that ends in .pdf"),
        (["print", "tokens", "{tmp}/tokens"], "tokens: a sheet is written as PDF; give a name that ends in .pdf"),
        (["annotate", "{clip}", "--setup", "{setup}", "--out", "{tmp}/a.avi"], "give a name that ends in .mp4"),
        (["annotate", "{clip}", "--setup", "{setup}", "--out", "{tmp}/a.jsonl"], "give a name that ends in .mp4"),
        (["annotate", "{clip}", "--setup", "{setup}", "--out", "{tmp}/a"], "give a name that ends in .mp4"),
        (["play", "--source", "{clip}", "--setup", "{setup}", "--record", "{tmp}/a.txt"], "a name that ends in .mp4"),
    ],
)
def test_no_result_gets_a_name_by_which_nothing_would_open_it(tmp_path, capfd, arguments, said):
    names = {"clip": write_clip(tmp_path / "clip.mp4", [0, 0.1]), "setup": write_setup(tmp_path), "tmp": tmp_path}
    before = sorted(tmp_path.iterdir())
    assert said in refused(capfd, [each.format(**names) for each in arguments])
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("game", ["omms", "omog", "osmcg", "pocket", "omniwar"])
@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("moved", "no", "should be true or false, not 'no'"),
        ("fired", [], "should be true or false, not []"),
        ("moved", 0.5, "should be true or false, not 0.5"),
        ("attacked", [-1], "should be a list of ids, in quotation marks, not [-1]"),
        ("roster", 7, "should be a valid string, not 7"),
    ],
)
def test_no_state_says_of_a_piece_what_cannot_be_meant(tmp_path, scene, capfd, game, key, value, said):
    """A piece whose "moved" was "no" had moved."""
    state = tmp_path / "state.json"
    write_document(state, {"schema": "sandtable/state/1", "pieces": {"c1": {key: value}}})
    told = refused(capfd, ["rule", scene, "--game", game, "--state", state])
    assert f"state.json: pieces.c1.{key}: " in told and said in told


def test_a_reader_that_has_seen_enough_is_no_fault(scene):
    """`sandtable rule ... | head -1`."""
    arguments = [sys.executable, "-m", "ui.cli", "rule", str(scene), "--game", "omms"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()  # before anything is written: the libraries take a while to load
        err = running.stderr.read()
    assert (running.returncode, err) == (0, b"")


def test_no_picture(tmp_path, capfd):
    line = refused(capfd, ["scene", tmp_path / "none.jpg", "--setup", write_setup(tmp_path)])
    assert "none.jpg" in line


def test_a_text_file_as_picture(tmp_path, capfd):
    text = tmp_path / "notes.jpg"
    text.write_text("a letter, not a picture")
    assert "not a picture" in refused(capfd, ["scene", text, "--setup", write_setup(tmp_path)])


def test_a_text_file_as_video(tmp_path, capfd):
    text = tmp_path / "notes.mp4"
    text.write_text("a letter, not a video\n" * 40)
    out = tmp_path / "out.mp4"
    refused(capfd, ["annotate", text, "--setup", write_setup(tmp_path), "--out", out])
    assert not out.exists()


def test_collinear_points(tmp_path, capfd):
    points = "points = [[10, 10, 0, 0], [20, 10, 10, 0], [30, 10, 20, 0], [40, 10, 30, 0]]"
    old = SETUP_TOML[SETUP_TOML.index("points =") : SETUP_TOML.index("\n[[player]]")]
    setup = write_setup(tmp_path, SETUP_TOML.replace(old, points))
    out = tmp_path / "scene.geojson"
    line = refused(capfd, ["scene", a_picture(tmp_path / "p.png"), "--setup", setup, "--out", out])
    assert "setup.toml" in line and "line" in line
    assert not out.exists()


def test_markers_that_are_not_there(tmp_path, capfd):
    markers = 'markers = { dictionary = "DICT_4X4_50", size_mm = 40, centres = { 0 = [20, 20], 1 = [300, 20] } }'
    old = SETUP_TOML[SETUP_TOML.index("points =") : SETUP_TOML.index("\n[[player]]")]
    setup = write_setup(tmp_path, SETUP_TOML.replace(old, markers))
    line = refused(capfd, ["scene", a_picture(tmp_path / "p.png"), "--setup", setup])
    assert "DICT_4X4_50" in line and "0, 1" in line


def test_a_moment_after_the_end(tmp_path, capfd):
    clip = write_clip(tmp_path / "clip.mp4", [0, 0.1, 0.2])
    assert "9 s" in refused(capfd, ["scene", clip, "--setup", write_setup(tmp_path), "--at", "9"])


def test_no_setup_and_nothing_to_measure_by(tmp_path, capfd):
    refused(capfd, ["scene", a_picture(tmp_path / "p.png")])


def test_no_sample_match_of_that_game(tmp_path, capfd):
    refused(capfd, ["demo", "--game", "chess", "--headless", "--out", tmp_path / "demo"])
    assert not (tmp_path / "demo").exists()


def test_play_without_a_display_needs_a_file_to_write(tmp_path, capfd):
    assert "--record" in refused(capfd, ["play", "--setup", write_setup(tmp_path), "--source", "x.mp4"])


def test_play_headless_with_nowhere_to_write_is_wrong_usage(tmp_path, capfd):
    assert run(["play", "--setup", str(write_setup(tmp_path)), "--source", "x.mp4", "--headless"]) == 2
    assert "--headless needs --record OUT.mp4 or --log MATCH.jsonl" in capfd.readouterr().err


def test_evaluate_a_folder_whose_setup_is_at_fault(tmp_path, capfd):
    write_setup(tmp_path, 'schema = "sandtable/setup/1"\ngame = "chess"\n')
    (tmp_path / "a.jpg").write_bytes(b"")
    write_document(tmp_path / "a.truth.geojson", scene_document())
    assert "setup.toml:2: game: 'chess' is none of" in refused(capfd, ["evaluate", tmp_path])


def test_evaluate_a_folder_without_truth(tmp_path, capfd):
    a_picture(tmp_path / "p.png")
    assert "no picture with truth" in refused(capfd, ["evaluate", tmp_path])


def test_a_log_that_is_none(tmp_path, capfd):
    log = tmp_path / "match.jsonl"
    log.write_text("hello\n")
    assert "is this a match log" in refused(capfd, ["replay", log, "--text"])


def test_rule_loads_neither_qt_nor_camera_nor_net(tmp_path, scene):
    """Loading them takes seconds, and `rule` is called from scripts, thousands of times."""
    setup, out = write_setup(tmp_path), tmp_path / "ruling.geojson"
    code = (
        "import sys; from ui.cli import run; "
        f"assert run(['rule', {str(scene)!r}, '--setup', {str(setup)!r}, '--out', {str(out)!r}]) == 0; "
        "print(sorted({'cv2', 'PyQt6', 'onnxruntime', 'av'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_a_camera_that_is_not_there_is_one_line(tmp_path):
    """In a process of its own: OpenCV writes past Python's standard error."""
    arguments = ["play", "--setup", str(write_setup(tmp_path)), "--source", "97", "--log", str(tmp_path / "m.jsonl")]
    told = subprocess.run([sys.executable, "-m", "ui.cli", *arguments], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1 and "camera 97" in told.stderr
    assert not (tmp_path / "m.jsonl").exists()


def test_a_camera_of_a_number_that_none_has_is_one_line(tmp_path, capfd):
    camera, log = "99999999999999999999", tmp_path / "m.jsonl"
    told = refused(capfd, ["play", "--setup", write_setup(tmp_path), "--source", camera, "--log", log])
    assert f"camera {camera}" in told
    assert not log.exists()


def test_a_dash_is_no_file(tmp_path, scene, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "leave it out to write to standard output" in refused(capfd, ["rule", scene, "--game", "omms", "--out", "-"])
    needed = refused(capfd, ["print", "markers", "-"])  # there OUT.pdf cannot be left out
    assert "-: no name of a file; name one" in needed and "standard output" not in needed
    assert not (tmp_path / "-").exists()
