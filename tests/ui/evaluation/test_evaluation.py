import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.scene import NONE, Scene
from tests.ui.builders import SETUP_TOML, a_coin, coin_feature, moved, scene_document, write_document, write_setup
from ui.cli import run
from ui.evaluation.looked_at import UnfitError, pieces_on
from ui.evaluation.pairing import paired
from ui.evaluation.report import table
from ui.evaluation.score import Score
from ui.evaluation.truth import Known, Picture, absent_from, pictures_in


def known_coin(cls="gbp-5p", at=(100.0, 120.0), **more):
    coin = a_coin(cls=cls, at=at)
    return Known("coin", cls, position_mm=at, footprint=coin.footprint, **more)


def test_one_found_piece_is_one_known_piece():
    known = [known_coin(at=(100, 120)), known_coin(at=(112, 120))]
    found = [a_coin("a", at=(111, 120)), a_coin("b", at=(101, 120))]
    assert sorted(paired(known, found)) == [(0, 1), (1, 0)]
    assert paired(known, [a_coin(at=(140, 120))]) == []
    assert paired([known_coin()], []) == []


def test_what_shows_is_paired_before_what_is_hidden():
    # The top of a stack, seen 5 mm from where it lies, right over the coin below it.
    known = [known_coin(at=(100, 120), must_find=False), known_coin(at=(105, 120))]
    assert paired(known, [a_coin("c1", at=(100, 120))]) == [(1, 0)]
    assert paired(known, [a_coin("c1", at=(100, 120)), a_coin("c2", at=(105.5, 120))]) == [(1, 1), (0, 0)]


def test_of_coins_on_one_another_each_is_the_one_at_its_height():
    """From above the lower of the two that were found lies nearer to the upper one that is there."""
    known = [known_coin("eur-2c", (36.8, 361.9), elevation_mm=6.4)]
    found = [a_coin("upper", at=(36.6, 362.8), elevation_mm=6.0), a_coin("lower", at=(36.4, 362.5), elevation_mm=3.7)]
    assert paired(known, found) == [(0, 0)]
    assert paired([replace(known[0], elevation_mm=3.8)], found) == [(0, 1)]


def test_of_a_stack_told_too_high_each_coin_is_still_itself():
    """The lower one, told 1.4 mm too high, as the upper one was, is nearest to where the upper one is."""
    known = [known_coin("eur-5c", (219.7, 119.6), elevation_mm=4.53)]
    known.append(known_coin("eur-2", (219.2, 119.4), elevation_mm=2.33, must_find=False))
    found = [
        a_coin("upper", at=(220.0, 118.5), elevation_mm=5.89),
        a_coin("lower", at=(219.2, 118.2), elevation_mm=3.69),
    ]
    assert paired(known, found) == [(0, 0), (1, 1)]
    assert paired(known, found[1:]) == [(0, 0)]


@pytest.mark.parametrize(("said_deg", "right"), [(355.0, 1), (80.0, 1), (186.0, 0)])
def test_a_match_has_its_head_at_one_end(said_deg, right):
    match = replace(a_coin("m", at=(100, 120)), kind="match", cls="match", rotation_deg=said_deg)
    score = Score()
    score.add([Known("match", "match", position_mm=(100, 120), footprint=match.footprint, head_deg=2.0)], [match])
    head = score.document()["match"]["head"]
    assert (head["right"], head["wrong"]) == (right, 1 - right)


def test_of_coins_no_head_is_asked():
    score = Score()
    score.add([known_coin()], [a_coin(at=(100, 120))])
    assert "head" not in score.document()["coin"]


def test_a_box_is_met_by_a_centre_in_it():
    box = Known("coin", "gbp-5p", box_px=(100, 100, 40, 40))
    assert paired([box], [a_coin(image_px=(125, 130))]) == [(0, 0)]
    assert paired([box], [a_coin(image_px=(150, 120))]) == []
    assert paired([Known("die", "6", box_px=(100, 100, 40, 40))], [a_coin(image_px=(120, 120))]) == []


def test_counts_errors_and_coverage():
    known = [
        known_coin(owner="red", face="heads"),
        known_coin("gbp-2p", (200, 120), owner=NONE),
        known_coin(at=(300, 60)),
    ]
    found = [
        a_coin("a", at=(100.3, 120.4), owner="red", face="tails", sigma_mm=0.3),  # 0.5 mm off, within 2.45 x 0.3
        a_coin("b", "unknown", (201, 120), NONE, sigma_mm=0.2),  # 1 mm off, beyond 0.49
        a_coin("c", at=(20, 20)),
    ]
    score = Score()
    score.add(known, found)
    coins = score.document()["coin"]
    assert (coins["known"], coins["found"], coins["false"]) == (3, 2, 1)
    assert coins["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert [coins["class"][key] for key in ("right", "wrong", "unknown")] == [1, 0, 1]
    assert coins["face"]["wrong"] == 1 and coins["owner"]["right"] == 2
    assert coins["position"]["median_mm"] == pytest.approx(0.75)
    assert coins["position"]["within_95_interval"] == 0.5


def test_facing_and_height_are_measured_round_the_circle():
    man, mug = known_coin(facing_deg=350.0), known_coin(at=(200, 120), height_mm=90.0)
    found = [
        replace(a_coin("a", at=(100, 120)), facing_deg=10.0),
        replace(a_coin("b", at=(200, 120)), height_mm=82.0),
    ]
    score = Score()
    score.add([man, mug], found)
    coins = score.document()["coin"]
    assert coins["facing_error_deg"]["p50"] == pytest.approx(20)
    assert coins["height_error_mm"]["p95"] == pytest.approx(8)


def test_levels_of_stacks_are_counted_where_the_truth_tells_them():
    known = [known_coin(at=(100 * n, 120), level=level) for n, level in enumerate((2, 1, 2, None))]
    score = Score()
    score.add(known, [replace(a_coin(str(n), at=(100 * n, 120)), level=said) for n, said in enumerate((2, 2, None, 1))])
    levels = score.document()["coin"]["level"]
    assert [levels[key] for key in ("asked", "right", "wrong", "unknown")] == [3, 1, 1, 1]


def test_what_is_hidden_is_neither_missed_nor_false():
    score = Score()
    score.add([known_coin(must_find=False)], [])
    score.add([known_coin(must_find=False)], [a_coin()])
    coins = score.document()["coin"]
    assert (coins["known"], coins["found"], coins["false"], coins["recall"]) == (0, 0, 0, None)


def test_an_unreadable_label_asks_no_class_and_half_a_label_half():
    score = Score()
    cards = [Known("card", "unknown", box_px=(0, 0, 10, 10)), Known("card", "K?", box_px=(50, 0, 10, 10))]
    card = a_coin(cls="KH", image_px=(5, 5))
    found = [moved(card, 0, 0), a_coin("b", "KH", image_px=(55, 5))]
    score.add(cards, [piece.__class__(**{**piece.__dict__, "kind": "card"}) for piece in found])
    assert score.document()["card"]["class"] == {
        "asked": 1, "right": 1, "wrong": 0, "unknown": 0, "shares": {"right": 1.0, "wrong": 0.0, "unknown": 0.0},
    }  # fmt: skip


def test_a_thing_that_is_no_piece_must_not_be_reported():
    score = Score()
    score.add([Known("other", "washer", box_px=(0, 0, 10, 10))], [a_coin(image_px=(5, 5))])
    assert score.document() == {"coin": {**score.document()["coin"], "known": 0, "false": 1}}


def test_truth_beside_the_pictures(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "b.jpg").write_bytes(b"")  # without truth: not scored
    features = [coin_feature("c1", visible=0.2), coin_feature("c2", face="heads", at=(50, 50), visible=None)]
    truth = {key: value for key, value in scene_document(*features).items() if key != "table"}
    write_document(tmp_path / "a.truth.geojson", truth)
    (tmp_path / "setup.toml").write_text("")
    [picture] = pictures_in(tmp_path)
    assert picture.path.name == "a.jpg" and picture.setup == tmp_path / "setup.toml"
    assert [(known.must_find, known.face) for known in picture.known] == [(False, "unknown"), (True, "heads")]


def test_labelled_boxes(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.setup.toml").write_text("")
    rows = ["a.jpg,dev,coin,gbp-5p,1,2,30,40", "a.jpg,dev,scene,dark,0,0,9,9", "a.jpg,dev,card,,5,6,7,8"]
    rows += ["b.jpg,train,coin,gbp-1p,1,2,3,4"]
    (tmp_path / "labels.csv").write_text("\n".join(["file,split,kind,class,x,y,w,h", *rows]))
    [picture] = pictures_in(tmp_path, "dev")
    assert picture.setup == tmp_path / "a.jpg".replace(".jpg", ".setup.toml")
    # No class is one that is not known: it had counted as wrong whatever was said.
    unnamed = Known("card", "unknown", box_px=(5, 6, 7, 8))
    assert picture.known == (Known("coin", "gbp-5p", box_px=(1, 2, 30, 40)), unnamed)


def test_labelled_pictures_that_do_not_lie_there_are_told(tmp_path, capfd):
    """They had been left out of the score, in silence."""
    rows = [
        f"{name}.png,{split},coin,gbp-5p,1,2,30,40"
        for name, split in {"c": "dev", "a": "dev", "b": "test", "d": "dev"}.items()
    ]
    (tmp_path / "labels.csv").write_text("\n".join(["file,split,kind,class,x,y,w,h", *rows]))
    cv2.imwrite(str(tmp_path / "c.png"), np.zeros((480, 640, 3), np.uint8))
    write_setup(tmp_path)
    assert run(["evaluate", str(tmp_path)]) == 0
    told = f"warning: {tmp_path / 'labels.csv'}: missing and not scored: 3 of 4 pictures, the first a.png"
    assert [line for line in capfd.readouterr().err.splitlines() if line.startswith("warning")] == [f"{told}; add them"]
    assert "1 of 1 pictures, the first b.png" in str(absent_from(tmp_path, "test"))
    for name in "abd":
        (tmp_path / f"{name}.png").write_bytes(b"")
    assert absent_from(tmp_path) is None


def test_a_split_that_no_picture_has_is_told(tmp_path):
    (tmp_path / "labels.csv").write_text("file,split,kind,class,x,y,w,h\na.png,dev,coin,gbp-5p,1,2,3,4\n")
    (tmp_path / "a.png").write_bytes(b"")
    assert len(pictures_in(tmp_path, "dev")) == 1
    with pytest.raises(ValueError, match=r"labels.csv: no picture that lies here is labelled with the split 'test'"):
        pictures_in(tmp_path, "test")


def test_truth_without_its_picture_is_no_score(tmp_path, capfd):
    truth = '{"type": "FeatureCollection", "schema": "sandtable/scene/1", "table": {"size_mm": [9, 9]}, "features": []}'
    (tmp_path / "a.png").write_bytes(b"")
    for name in "ab":
        (tmp_path / f"{name}.truth.geojson").write_text(truth)
    assert run(["evaluate", str(tmp_path)]) == 1
    assert "b.truth.geojson: there is no picture b (" in capfd.readouterr().err


@pytest.mark.parametrize("lost", ["labels.csv", "a.png", "a.setup.toml", "map.geojson"])
def test_no_score_takes_the_place_of_what_it_is_scored_by(tmp_path, capfd, lost):
    labels, setup = "file,kind,class,x,y,w,h\na.png,coin,gbp-5p,1,2,3,4\n", "[map]\nfile = 'map.geojson'\n"
    files = {"labels.csv": labels, "a.png": "", "a.setup.toml": setup, "map.geojson": "{}"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert run(["evaluate", str(tmp_path), "--out", str(tmp_path / lost)]) == 1
    assert f"{lost}: this name is given twice" in capfd.readouterr().err
    assert (tmp_path / lost).read_text() == files[lost]


def test_a_bad_label_names_its_line(tmp_path):
    (tmp_path / "labels.csv").write_text("file,kind,class,x,y,w,h\na.jpg,coin,gbp-5p,one,2,3,4\n")
    with pytest.raises(ValueError, match=r"labels\.csv:2: x, y, w and h"):
        pictures_in(tmp_path)
    (tmp_path / "labels.csv").write_text("file,kind\n")
    with pytest.raises(ValueError, match="no column 'class'"):
        pictures_in(tmp_path)


@pytest.mark.parametrize("box", ["1,2", "nan,2,3,4", "1,2,-3,4", "1,2,inf,4"])
def test_a_box_that_is_none(tmp_path, box):
    (tmp_path / "labels.csv").write_text(f"file,kind,class,x,y,w,h\na.jpg,coin,gbp-5p,{box}\n")
    with pytest.raises(ValueError, match=r"labels\.csv:2: x, y, w and h"):
        pictures_in(tmp_path)


def test_a_label_that_names_no_picture_is_told(tmp_path):
    row = "coin,gbp-5p,1,2,3,4"
    (tmp_path / "labels.csv").write_text(f"kind,class,x,y,w,h,file\n{row},a.jpg\n{row}\n")
    with pytest.raises(ValueError, match=r"labels\.csv:3: file: no picture is named"):
        pictures_in(tmp_path)


def test_labels_from_a_spreadsheet(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    text = "file,kind,class,x,y,w,h\r\na.jpg,coin,gbp-5p,1,2,3,4\r\n"
    for written in (text, text.replace(",", ", ")):
        (tmp_path / "labels.csv").write_bytes(written.encode("utf-8-sig"))
        [picture] = pictures_in(tmp_path)
        assert picture.known == (Known("coin", "gbp-5p", box_px=(1, 2, 3, 4)),)
    (tmp_path / "labels.csv").write_bytes(text.encode("utf-16"))
    with pytest.raises(ValueError, match=r"labels\.csv: not UTF-8 text"):
        pictures_in(tmp_path)


def test_a_share_seen_that_is_none(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    write_document(tmp_path / "a.truth.geojson", scene_document(coin_feature(visible="half")))
    with pytest.raises(ValueError, match=r"a\.truth\.geojson: visible of 'c1' should be a share"):
        pictures_in(tmp_path)


@pytest.mark.parametrize("told", [-3, 1.5, True])
def test_a_share_seen_is_from_0_to_1(tmp_path, told):
    (tmp_path / "a.jpg").write_bytes(b"")
    write_document(tmp_path / "a.truth.geojson", scene_document(coin_feature(visible=told)))
    with pytest.raises(ValueError, match=r"visible of 'c1' should be a share from 0 to 1"):
        pictures_in(tmp_path)


@pytest.mark.parametrize(
    ("label", "said"), [("coyn,gbp-5p", "there is no 'coyn'"), ("coin,gbp-7p", "there is no coin")]
)
def test_a_label_of_no_piece_is_told(tmp_path, label, said):
    """It had been scored as a miss."""
    (tmp_path / "labels.csv").write_text(f"file,kind,class,x,y,w,h\na.jpg,{label},1,2,3,4\n")
    with pytest.raises(ValueError, match=rf"labels\.csv:2: .*{said}"):
        pictures_in(tmp_path)


def test_a_split_goes_by_labels(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    write_document(tmp_path / "a.truth.geojson", scene_document(coin_feature()))
    with pytest.raises(ValueError, match=r"--split goes by a column of labels\.csv, which is not there"):
        pictures_in(tmp_path, "dev")


def a_folder(folder, pictures, truth, setup=SETUP_TOML):
    """Pictures of a bare grey table with that truth; None for one that is broken."""
    for name, level in pictures.items():
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), np.full((480, 640, 3), level or 0, np.uint8)) if level else path.write_bytes(b"")
        write_document(folder / f"{name}.truth.geojson", truth)
    if setup is not None:
        write_setup(folder, setup)
    return ["evaluate", str(folder)]


def test_what_cannot_be_read_is_no_miss_and_is_said_with_the_table(tmp_path, capfd):
    """All on it had counted as missed, and the table did not tell."""
    command = a_folder(tmp_path, {"a": 90, "b": None}, scene_document(coin_feature()))
    assert run(command) == 0
    out, err = capfd.readouterr()
    result = json.loads(out)
    assert result["kinds"]["coin"]["known"] == 1 and result["pictures"] == 2
    assert [failed["file"] for failed in result["failed"]] == ["b.png"]
    assert "failed: 1 of 2 pictures\nb.png: not scored: " in err


def test_what_cannot_be_measured_is_a_miss_and_is_said_to_count(tmp_path, capfd):
    command = a_folder(tmp_path, {"a": 90, "b": 90}, scene_document(coin_feature()))
    markers = 'markers = { dictionary = "DICT_4X4_50", size_mm = 40, centres = { 0 = [20, 20], 1 = [300, 20] } }'
    points = next(line for line in SETUP_TOML.splitlines() if line.startswith("points"))
    (tmp_path / "b.setup.toml").write_text(SETUP_TOML.replace(points, markers))
    assert run(command) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["kinds"]["coin"]["known"] == 2
    assert "failed: 1 of 2 pictures\nb.png: all on it counts as missed: " in err


@pytest.mark.parametrize(
    ("level", "setup", "said"),
    [
        (None, SETUP_TOML, "a.png: not a picture that can be read"),
        (90, None, "a.png: no a.setup.toml nor setup.toml lies beside it, and no cards on it tell where its table is"),
    ],
)
def test_where_nothing_can_be_scored_there_is_no_score(tmp_path, capfd, level, setup, said):
    """It had been a score of none found, with exit status 0; and `evaluate` has no --setup."""
    assert run(a_folder(tmp_path, {"a": level}, scene_document(coin_feature()), setup)) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert f"no picture in it can be scored (1 tried); {tmp_path}/{said}" in err.splitlines()[-1]


@pytest.mark.parametrize(("told_mm", "is_scored"), [((640.0, 480.0), True), ((320.0, 240.0), False), (None, False)])
def test_without_a_set_up_places_are_scored_in_the_frame_of_the_cards_alone(tmp_path, monkeypatch, told_mm, is_scored):
    """A truth in the frame of a table had been compared with the frame of the cards: nothing was found."""
    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), 90, np.uint8))
    measured = Scene((640.4, 479.8), (a_coin(),))
    monkeypatch.setattr("ui.evaluation.looked_at.still_scene", lambda *_: measured)
    picture = Picture(tmp_path / "a.png", None, (known_coin(),), told_mm)
    if is_scored:
        assert pieces_on(picture, None) == measured.pieces
    else:
        with pytest.raises(UnfitError, match="its truth is not told in the frame of its cards; add one"):
            pieces_on(picture, None)
    assert pieces_on(replace(picture, is_boxed=True), None) == measured.pieces


def test_a_truth_of_another_table_than_its_set_ups_is_refused(tmp_path, capfd):
    command = a_folder(tmp_path, {"a": 90}, scene_document(coin_feature(), size_mm=(900.0, 300.0)))
    assert run(command) == 1
    assert "a.truth.geojson: its table is 900 x 300 mm, that of " in capfd.readouterr().err


def test_truth_beside_labels_is_said_to_be_passed_over(tmp_path, capfd):
    command = a_folder(tmp_path, {"a": 90}, scene_document(coin_feature()))
    (tmp_path / "labels.csv").write_text("file,kind,class,x,y,w,h\na.png,coin,gbp-5p,1,2,3,4\n")
    assert run(command) == 0
    assert "it alone is scored by; passed over: 1 *.truth.geojson, the first a.truth.geojson" in capfd.readouterr().err


def test_a_table_for_people():
    score = Score()
    score.add([known_coin()], [a_coin(sigma_mm=1.0)])
    head, row = table(score.document()).splitlines()
    assert row.split() == ["coin", "1", "100.0%", "0", "100.0%", "0.0%", "0.0%", "0.00", "0.00", "100.0%"]
    assert len(head) == len(row)
    assert json.loads(json.dumps(score.document())) == score.document()
