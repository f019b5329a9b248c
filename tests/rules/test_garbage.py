"""Python's search for garbage: seldom, and never through the libraries, once a match goes on."""

import gc
import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from rules.files import map_file
from rules.files.map_file import map_from
from rules.garbage import search_seldom


def test_what_is_loaded_is_left_out_and_young_things_are_searched_seldom():
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(700, 10, 10)  # as Python begins; another test may have begun a match in this process
    try:
        search_seldom()
        assert gc.isenabled() and gc.get_freeze_count() > frozen
        assert all(now >= earlier for now, earlier in zip(gc.get_threshold(), (700, 10, 10), strict=True))
        assert gc.get_threshold()[0] > 700
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize("cls", ["minor", "lane"])
def test_a_map_is_read_without_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cls: str) -> None:
    road = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    feature = {"type": "Feature", "geometry": road, "properties": {"kind": "road", "class": cls}}
    document = {"type": "FeatureCollection", "schema": "sandtable/map/1", "features": [feature]}
    (tmp_path / "map.geojson").write_text(json.dumps(document), encoding="utf-8")
    searched = []
    monkeypatch.setattr(map_file, "map_from", lambda *told: searched.append(gc.isenabled()) or map_from(*told))
    with nullcontext() if cls == "minor" else pytest.raises(ValueError, match="a road must be"):
        map_file.read_map(tmp_path / "map.geojson")
    assert searched == [False] and gc.isenabled()
