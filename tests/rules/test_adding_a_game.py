"""The sixth game of docs/adding-a-game.md, taken out of the page and played."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from shapely import Point

from rules.game import Game
from rules.match import Event, apply, observe, start
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from ui.cli import run
from ui.eyes import packaged_eyes
from ui.setup.setup_file import read_setup

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
SETUP = Setup("pebbles", (700, 500), (Player("Ann", "red"), Player("Bob", "blue", "far")))


@pytest.fixture(scope="module")
def code():
    return re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1)


@pytest.fixture(scope="module")
def game(code):
    names = {}
    exec(compile(code, str(PAGE), "exec"), names)
    return names["GAME"]


def a_coin(id_, x, y, owner):
    return Piece(id_, "coin", "gbp-2p", (x, y), Point(x, y).buffer(13), owner=owner, sigma_mm=0.2)


MUG = Piece("mug", "terrain", "mug", (200, 100), Point(200, 100).buffer(40), owner="none")


def a_scene(*coins):
    return Scene((700.0, 500.0), (*coins, MUG))


def test_it_is_under_a_hundred_lines(code):
    assert len(code.splitlines()) < 100


def test_reach_is_the_lit_part_of_a_disc(game):
    match = start(SETUP, a_scene(a_coin("a", 100, 100, "red")), game=game)
    (reach,) = [ruling for ruling in match.rulings if ruling.kind == "reach"]
    assert reach.geometry.covers(Point(100, 279))
    assert not reach.geometry.covers(Point(100, 281))
    assert not reach.geometry.covers(Point(270, 100))  # behind the mug
    assert reach.geometry.area < math.pi * 180**2


def test_a_match_of_it(game):
    match = start(
        SETUP, a_scene(a_coin("a", 100, 100, "red"), a_coin("b", 100, 300, "blue")), State(active="Ann"), game
    )
    match = observe(match, a_scene(a_coin("a", 100, 245, "red"), a_coin("b", 100, 300, "blue")), 5.0)
    assert match.events[-1].fields["verdict"] == "yes"
    assert [r.verdict for r in match.rulings if r.kind == "engaged"] == ["yes", "yes"]
    match = apply(match, Event(6.0, 1, "Bob", "move", {"piece": "b", "to_mm": [100, 490]}))
    assert match.events[-1].fields["verdict"] == "no"
    match = apply(match, Event(7.0, 1, "Ann", "move", {"piece": "a", "to_mm": [110, 250]}))
    assert match.events[-1].fields["verdict"] == "no"  # flicked already


def test_a_slide_through_a_mug_is_refused_by_no_distance(game):
    before, after = a_scene(a_coin("a", 100, 100, "red")), a_scene(a_coin("a", 270, 100, "red"))
    (judged,) = game.judge(before, after, SETUP, State())
    assert (judged.verdict, judged.margin_mm, judged.sigma_mm) == ("no", -1.0, 0.0)
    (reach,) = game.rulings(before, SETUP, State(pieces={"a": {"moved": True}}), None)
    assert (reach.verdict, reach.margin_mm) == ("no", -1.0)


def test_only_mugs_and_what_has_no_name_stop_a_coin(game):
    for cls, verdict in {"mug": "no", "unknown": "no", "napkin": "yes"}.items():
        thing = replace(MUG, cls=cls)
        before, after = (Scene((700.0, 500.0), (a_coin("a", x, 100, "red"), thing)) for x in (100, 270))
        assert [ruling.verdict for ruling in game.judge(before, after, SETUP, State())] == [verdict]


def test_a_coin_of_another_player_stays_where_it_is(game):
    before, after = a_scene(a_coin("b", 100, 300, "blue")), a_scene(a_coin("b", 100, 400, "blue"))
    for active, verdict in {None: "yes", "Bob": "yes", "Ann": "no"}.items():
        (judged,) = game.judge(before, after, SETUP, State(active=active))
        assert judged.verdict == verdict


def test_a_coin_of_nobody_neither_holds_nor_is_held(game):
    scene = a_scene(a_coin("a", 100, 300, "red"), a_coin("b", 130, 300, "none"))
    assert [ruling.kind for ruling in game.rulings(scene, SETUP, State(), None)] == ["reach"]


def test_a_camera_looks_for_what_the_game_says_lies_on_its_table(game, monkeypatch):
    monkeypatch.setattr("ui.eyes.GAMES", (game,))
    assert packaged_eyes(SETUP).wanted.kinds == {"coin", "terrain"}


def test_a_camera_looks_for_no_mug_where_the_game_says_nothing_of_its_table(game, monkeypatch):
    unsaid = Game(game.name, game.title, game.phases, game.rulings, game.judge)
    monkeypatch.setattr("ui.eyes.GAMES", (unsaid,))
    assert packaged_eyes(SETUP).wanted.kinds == {"coin", "card", "die", "match"}


@pytest.fixture
def listed(game, monkeypatch):
    monkeypatch.setattr("ui.setup.setup_file.GAMES", (game,))


@pytest.mark.parametrize("told", ['"x"', "-5", "0", "true", "nan", "inf"])
def test_its_house_rule_is_checked(listed, tmp_path, told):
    path = tmp_path / "setup.toml"
    head = 'schema = "sandtable/setup/1"\ngame = "pebbles"\n[table]\nsize_mm = [700, 500]\n[rules]\nslide_mm = '
    path.write_text(head + "150\n")
    assert read_setup(path).rules.house == {"slide_mm": 150}
    path.write_text(f"{head}{told}\n")
    with pytest.raises(ValueError, match=r"setup\.toml:6: rules\.slide_mm: write a length in mm, more than 0, not "):
        read_setup(path)


def test_it_has_no_sample_match_and_says_so(listed, capfd):
    assert run(["demo", "--game", "pebbles", "--headless"]) == 1
    assert "pebbles has no sample match; play one of your own" in capfd.readouterr().err
