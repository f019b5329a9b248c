"""The tables as players edit them, and what household things mean."""

from __future__ import annotations

from importlib.resources import files

import pytest
from shapely import box

from rules.files.tables import table_from
from rules.games.omog.tables import Tables, tables
from rules.games.omog.terrain import terrain_of
from tests.rules.games.omog.builders import a_scene, a_setup, a_thing

TEXT = files("rules.games.omog").joinpath("tables.toml").read_text(encoding="utf-8")


def line_of(text):
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if line.startswith(text))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("burst_in = 3", 'burst_in = "three"', "gun.burst_in"),
        ("crest = -1", "krest = -1", "modifier.crest"),
        ("clock_s = 120", "clock_s = -1", "turn.clock_s"),
        ("bands = [[3, 4], [6, 6]]", "bands = [[3, 7]]", "weapon.pistol.bands"),
    ],
)
def test_a_fault_is_told_with_its_key(old, new, key):
    assert old in TEXT
    with pytest.raises(ValueError, match=key.replace(".", r"\.")) as fault:
        table_from(Tables, TEXT.replace(old, new), "tables.toml")
    assert "line " in str(fault.value)


def test_a_fault_names_its_line():
    with pytest.raises(ValueError, match=f"line {line_of('burst_in')}: "):
        table_from(Tables, TEXT.replace("burst_in = 3", 'burst_in = "three"'), "tables.toml")


def test_the_packaged_tables():
    assert tables().allowance["mounted"].road_in == 12
    assert tables().gun.drift_beyond_in == 3.5


def meanings(*things, legend=None):
    return {thing.id: thing.meaning for thing in terrain_of(a_scene(*things), a_setup(legend))}


def test_defaults_and_legend():
    shape = box(0, 0, 50, 50)
    things = [
        a_thing(cls, cls, shape) for cls in ("mug", "plate", "book", "box", "napkin", "pencils", "bridge", "unknown")
    ]
    found = meanings(*things)
    assert list(found.values()) == ["house", "lake", "hill", "hill", "wood", "wall", "bridge", "unknown"]
    papers = [a_thing(colour, "paper", shape.buffer(-9), colour=colour) for colour in ("brown", "grey", "blue")]
    assert list(meanings(*papers).values()) == ["road", "road", "river"]
    assert meanings(a_thing("g", "plate", shape, colour="green"), legend={"green plate": "swamp"}) == {"g": "swamp"}
    assert meanings(a_thing("x", "unknown", shape), legend={"x": "courtyard"}) == {"x": "courtyard"}


def test_a_word_that_is_no_ground():
    with pytest.raises(ValueError, match=r"legend\.mug: OMOG has no ground 'castle'; choose one of house, lake"):
        meanings(a_thing("m", "mug", box(0, 0, 9, 9)), legend={"mug": "castle"})
