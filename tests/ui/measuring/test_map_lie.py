"""A map that was folded and does not lie flat: pieces on it are measured where they lie on it, and it is told."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from shapely.affinity import translate

from calibration.boards.lens_file import read_lens
from sample_footage.camera import Camera
from sample_footage.folded import FoldedSheet, FoldedView
from tests.ui.playing.test_session import Eyes
from ui.cli import run
from ui.measuring.map_lie import ASTRAY, told_of_map
from ui.measuring.table import plane_for
from ui.playing.session import opened_session
from ui.setup.setup_file import read_setup
from vision.source import open_source
from vision.stream.video_file import frame_at

OMMS = Path(__file__).parents[3] / "sample_footage" / "omms"
TRUTH = json.loads((OMMS / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folded_png(tmp_path_factory):
    """The sample match's first picture, its map folded, its highest ridge 6 mm high."""
    told = TRUTH["camera"][0]
    camera = Camera.of(read_lens(OMMS / "setup.toml"), told["rvec"], told["tvec_mm"])
    view = FoldedView(camera, FoldedSheet.drawn((700.0, 500.0), 6.0, np.random.default_rng(2)))
    path = tmp_path_factory.mktemp("folded") / "table.png"
    cv2.imwrite(str(path), view.of(frame_at(OMMS / "match.mp4", 1.0).image_bgr))
    return path


def off_mm(position_mm):
    """How far a place is from the nearest piece of the truth."""
    true = [piece["position_mm"] for piece in TRUTH["intervals"][0]["pieces"].values()]
    return float(np.hypot(*(np.array(true) - position_mm).T).min())


def test_coins_on_a_folded_map_are_measured_where_they_lie_on_it(folded_png, tmp_path, capsys):
    out = tmp_path / "scene.json"
    assert run(["scene", str(folded_png), "--setup", str(OMMS / "setup.toml"), "--out", str(out)]) == 0
    assert "the map does not lie flat" in capsys.readouterr().err
    told = [each["properties"] for each in json.loads(out.read_text(encoding="utf-8"))["features"]]
    errors_mm = [off_mm(each["position_mm"]) for each in told if each["kind"] == "coin"]
    assert len(errors_mm) >= 14
    assert np.median(errors_mm) < 0.4 and max(errors_mm) < 1.5
    assert np.mean([off <= 2.45 * each["sigma_mm"] for off, each in zip(errors_mm, told, strict=True)]) > 0.85


def test_the_sample_map_lies_flat():
    assert plane_for(read_setup(OMMS / "setup.toml"), frame_at(OMMS / "match.mp4", 1.0)).folds is None


def test_a_match_on_a_folded_map_begins_by_saying_so(folded_png):
    said = []
    opened_session(read_setup(OMMS / "setup.toml"), open_source(str(folded_png)), Eyes(), tell=said.append)
    assert any("does not lie flat" in line for line in said)


def test_a_map_that_lies_elsewhere_is_told():
    setup = read_setup(OMMS / "setup.toml")
    drawn = setup.rules.map
    roads = tuple(replace(road, line=translate(road.line, 2.5, -2.5)) for road in drawn.roads)
    elsewhere = replace(setup, rules=replace(setup.rules, map=replace(drawn, roads=roads)))
    assert told_of_map(plane_for(elsewhere, frame_at(OMMS / "match.mp4", 1.0))) == (ASTRAY,)


def test_pieces_on_a_pane_over_the_map_are_measured_from_its_upper_side():
    setup, frame = read_setup(OMMS / "setup.toml"), frame_at(OMMS / "match.mp4", 1.0)
    covered = plane_for(replace(setup, calibration=replace(setup.calibration, glass_mm=4.0)), frame)
    assert told_of_map(covered) == ()
    px, bare = [[960, 540]], plane_for(setup, frame)
    assert bare.to_table(px, 2.4) == pytest.approx(covered.to_table(px), abs=0.5)
    assert float(np.hypot(*(bare.to_table(px) - covered.to_table(px)).T)[0]) > 1.5
