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
