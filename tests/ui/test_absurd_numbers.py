"""Numbers that no table can mean, in what people script: one line, no endless work, nothing else on standard error."""

import json

import pytest

from tests.ui.builders import SETUP_TOML, coin_feature, scene_document, write_document, write_setup
from ui.cli import run

BASE = {
    "id": "b1",
    "geometry": None,
    "properties": {"kind": "base", "class": "base", "owner": "red", "position_mm": [100, 100]},
}
LONG = 10**400
SCENES = [
    ("omms", {"table": {"size_mm": [1e300, 240]}}, "table.size_mm.0"),
    ("omniwar", {"table": {"size_mm": [2**70, 240]}}, "table.size_mm.0"),
    ("omog", {"time_s": LONG}, "too large a number"),
    ("omog", {"features": [coin_feature(sigma_mm=1e300)]}, "features.0.properties.sigma_mm"),
    ("omog", {"features": [coin_feature(elevation_mm=-1e300)]}, "features.0.properties.elevation_mm"),
]
GRID = {"kind": "hex", "pitch_mm": 38.1}
STATES = [
    ("omniwar", {"grid": {**GRID, "turn_deg": -(2**70)}}, "turn_deg"),
    ("omniwar", {"grid": {**GRID, "origin_mm": [1e300, 0]}}, "origin_mm"),
    ("osmcg", {"pieces": {"b1": {"spd_in": 1e300}}}, "spd_in"),
    ("osmcg", {"pieces": {"b1": {"radius_mm": 1e300}}}, "radius_mm"),
    ("osmcg", {"pieces": {"b1": {"ap": 1000}}}, "pieces.b1.ap"),
    ("osmcg", {"pieces": {"b1": {"keywords": ["Aura(1e300, +1 ATK)"]}}}, "number of 0 to 4000"),
    ("osmcg", {"zones": [{"source": "b1", "range_in": 1e300}]}, "range_in"),
    ("omog", {"objectives": [{"name": "mill", "position_mm": [1, 1], "radius_mm": 1e300}]}, "radius_mm"),
    ("omog", {"objectives": [{"name": "mill", "position_mm": [1e300, 1], "radius_mm": 9}]}, "position_mm"),
    ("omog", {"clock_started_s": LONG}, "too large a number"),
]


def refused(capfd, arguments):
    assert run([str(argument) for argument in arguments]) == 1
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1, err
    return err


@pytest.mark.parametrize(("game", "told", "said"), SCENES)
def test_in_a_scene(tmp_path, capfd, game, told, said):
    scene = write_document(tmp_path / "scene.geojson", {**scene_document(coin_feature()), **told})
    assert said in refused(capfd, ["rule", scene, "--game", game])


@pytest.mark.parametrize(("game", "told", "said"), STATES)
def test_in_a_state(tmp_path, capfd, game, told, said):
    scene = write_document(tmp_path / "scene.geojson", scene_document(BASE))
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", **told})
    assert said in refused(capfd, ["rule", scene, "--game", game, "--state", state])


def test_a_number_that_is_infinite_once_it_is_read(tmp_path, capfd):
    scene = tmp_path / "scene.geojson"
    scene.write_text(json.dumps(scene_document(coin_feature(at=(123.5, 1)))).replace("123.5", "1e999"))
    assert "1e999 is too large a number" in refused(capfd, ["rule", scene, "--game", "omms"])


def test_more_hexes_than_anybody_plays_on(tmp_path, capfd):
    scene = write_document(tmp_path / "scene.geojson", scene_document(coin_feature(), size_mm=(90_000, 90_000)))
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", "grid": GRID})
    said = refused(capfd, ["rule", scene, "--game", "omniwar", "--state", state])
    assert "more than 100000 hexes of 38.1 mm; mend pitch_mm" in said


@pytest.mark.parametrize("number", [str(LONG), "1e300", "9223372036854775808"])
def test_in_a_set_up(tmp_path, capfd, number):
    scene = write_document(tmp_path / "scene.geojson", scene_document(coin_feature()))
    setup = write_setup(tmp_path, SETUP_TOML.replace("[320, 240]", f"[320, {number}]"))
    assert "setup.toml" in refused(capfd, ["rule", scene, "--setup", setup])


def test_a_settlement_is_named_by_its_id(tmp_path, capfd):
    scene = write_document(tmp_path / "scene.geojson", scene_document(coin_feature(cls="gbp-2p")))
    state = write_document(tmp_path / "state.json", {"schema": "sandtable/state/1", "bases": {"Ann": [1, 2]}})
    said = refused(capfd, ["rule", scene, "--setup", write_setup(tmp_path), "--state", state])
    assert "the state's bases of Ann: the id of a piece is wanted, not [1, 2]" in said
