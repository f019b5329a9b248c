import tomllib
from pathlib import Path

import pytest

from sample_footage import omniwar_sample, pocket_sample

SAMPLES = Path(__file__).parents[2] / "sample_footage"


@pytest.mark.parametrize("module", [omniwar_sample, pocket_sample])
def test_the_samples_truth_and_set_up_are_what_its_script_writes(module, tmp_path, monkeypatch):
    monkeypatch.setattr("sample_footage.sample_match.write_clip", lambda path, frames, fps: None)
    monkeypatch.setattr("sample_footage.sample_match.Film", lambda view, sensor: None)  # which draws the whole table
    module.SAMPLE.write(tmp_path)
    kept = SAMPLES / module.__name__.split(".")[1].removesuffix("_sample")
    for name in ("truth.json", "setup.toml"):
        assert (tmp_path / name).read_text() == (kept / name).read_text()


@pytest.mark.parametrize("setup", sorted(SAMPLES.glob("*/setup.toml")), ids=lambda path: path.parent.name)
def test_the_points_of_a_samples_set_up_can_be_clicked_in_its_picture(setup):
    """Of Pocket Wargame's two lay outside, and every look at it said so."""
    told = tomllib.loads(setup.read_text())
    width, height = told.get("camera", {}).get("size_px", (1920, 1080))
    for u, v, _, _ in told["calibration"].get("points", ()):
        assert 0 <= u <= width - 1 and 0 <= v <= height - 1
