"""Tables that players edit: a fault is told with its line and its key."""

from importlib.resources import files

import pytest

from rules.files.tables import Row, checked, table_from
from rules.games.omniwar.roster import Roster
from rules.games.osmcg.tables import Tables as OsmcgTables
from rules.games.pocket.tables import Tables

GOOD = """
# a comment with move = 3 in it
[unit."Tank"]
move = 2
range = 6
offense = 6
defense = 3

[ability]
"Flyer" = { percent = 25 }
"""


def test_a_good_table_is_read():
    assert table_from(Roster, GOOD, "roster.toml").unit["Tank"].range == 6


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("range = 6", 'range = "far"', "roster.toml: line 5: unit.Tank.range"),
        ("range = 6", "rang = 6", "roster.toml: line (3|5): unit.Tank.rang"),
        ("range = 6", "range = true", "roster.toml: line 5: unit.Tank.range: should be a number, a word or a list"),
        ("move = 2", "move = -1", "roster.toml: line 4: unit.Tank.move"),
        ("percent = 25", "percent = []", "roster.toml: line 10: ability.Flyer.percent"),
        ("defense = 3", "", "roster.toml: line 3: unit.Tank.defense: field required"),
        ("offense = 6", "offense =", r"not valid TOML.*line 6"),
        (
            "defense = 3",
            'defense = 3\nabilities = ["Flier"]',
            "line 8: unit.Tank.abilities: there is no ability 'Flier'",
        ),
    ],
)
def test_a_fault_is_told_with_its_line(old, new, message):
    with pytest.raises(ValueError, match=message):
        table_from(Roster, GOOD.replace(old, new), "roster.toml")


def test_a_nested_table_is_found():
    text = '[unit.scout]\ncoins = ["gbp-5p"]\n\n[ground.bog]\nelevation = "low"\n\n[terrain]\n'
    with pytest.raises(ValueError, match=r"line 5: ground\.bog\.elevation"):
        table_from(Tables, text, "tables.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('clubs = "woodland"', 'clubs = "bog"', r"terrain\.normal\.clubs: 'bog' is none of open, hill"),
        ('borders = ["hill"', 'borders = ["hil"', r"ground\.mountain\.borders: 'hil' is none of open, hill"),
        ('coins = ["gbp-1p"', 'coins = ["gbp-1x"', r"unit\.light-infantry\.coins: 'gbp-1x' is none of gbp-1p"),
    ],
)
def test_words_that_name_no_row_are_told_with_their_line(old, new, message):
    text = files("rules.games.pocket").joinpath("tables.toml").read_text(encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(ValueError, match=f"tables.toml: line {line}: {message}"):
        table_from(Tables, text.replace(old, new, 1), "tables.toml")


def test_what_a_row_in_braces_lacks_is_told_with_its_own_line():
    text = GOOD.replace("{ percent = 25 }", "{ move = 1 }") + '"Scout" = { percent = 50 }\n'
    with pytest.raises(ValueError, match=r"line 10: ability\.Flyer\.percent: field required"):
        table_from(Roster, text, "roster.toml")


@pytest.mark.parametrize(
    ("model", "game", "old", "new", "message"),
    [
        (Tables, "pocket", "[terrain.steppes]", "[terrain.steppe]", r"terrain\.steppes\.clubs: missing: add it"),
        (Tables, "pocket", 'clubs = "woodland"\n', "", r"terrain\.normal\.clubs: missing: add it"),
        (
            Tables,
            "pocket",
            'clubs = "woodland"',
            'cubs = "open"\nclubs = "open"',
            r"terrain\.normal\.cubs: 'cubs' is none of",
        ),
        (OsmcgTables, "osmcg", "[mode.moba]", "[mode.mobas]", r"mode\.mobas"),
        (OsmcgTables, "osmcg", "inch_mm = 25.4", "inch_mm = 0", r"line 16: distance\.inch_mm: input should be greater"),
        (OsmcgTables, "osmcg", 'mug = "', 'mugg = "', r"line 4: legend\.mugg: there is no such thing"),
    ],
)
def test_a_table_that_lacks_what_play_needs_is_refused(model, game, old, new, message):
    text = files(f"rules.games.{game}").joinpath("tables.toml").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=f"tables.toml: line .*{message.removeprefix('line ')}"):
        table_from(model, text.replace(old, new, 1), "tables.toml")


def test_a_way_to_play_that_is_gone_is_missed():
    text = files("rules.games.osmcg").joinpath("tables.toml").read_text(encoding="utf-8")
    begin, end = text.index("[mode.moba]"), text.index("[mode.ffa]")
    with pytest.raises(ValueError, match=r"tables.toml: line \d+: mode\.moba: missing: add it"):
        table_from(OsmcgTables, text[:begin] + text[end:], "tables.toml")


def test_a_set_up_s_table_names_the_key():
    with pytest.raises(ValueError, match=r"rules\.unit\.Tank\.move: field required"):
        checked(Roster, {"unit": {"Tank": {"range": 1, "offense": 1, "defense": 1}}, "ability": {}}, "rules")


class _Sized(Row):
    side_mm: int | float


def test_a_key_is_told_without_the_type_that_was_tried():
    with pytest.raises(ValueError, match=r"^piece\.side_mm: input should be"):
        checked(_Sized, {"side_mm": "broad"}, "piece")
