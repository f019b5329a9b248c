"""Every scene in tests/scenes with what it expects; each says by which other route its answers were found."""

import tomllib
from pathlib import Path

import pytest

from rules.files.scene_text import scene_from_tables
from rules.games import game_named
from rules.setup import Player, Setup
from rules.state import State

SCENES = sorted((Path(__file__).parents[1] / "scenes").glob("*.toml"))


def setup_of(document):
    said = dict(document.get("setup", {}))
    players = tuple(Player(*row) for row in said.pop("players", []))
    game = game_named(document["game"])
    said["legend"] = {**game.legend, **said.get("legend", {})}
    return Setup(game.name, tuple(document["table_mm"]), players, **said)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_scene(path):
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    assert document["source"]
    scene = scene_from_tables(document, path.name)
    state = State(**document.get("state", {}))
    found = game_named(document["game"]).rulings(scene, setup_of(document), state, None)
    for expected in document.get("expect", []):
        check(matching(found, expected), expected)
    for absent in document.get("absent", []):
        assert matching(found, absent) == []


def matching(found, wanted):
    """The rulings of that kind, on that piece and, if named, on that other."""
    return [
        ruling
        for ruling in found
        if ruling.kind == wanted["ruling"]
        and ruling.piece == wanted["piece"]
        and wanted.get("other", ruling.other) == ruling.other
    ]


def check(rulings, expected):
    assert len(rulings) == 1, expected
    (ruling,) = rulings
    answer = {"verdict": ruling.verdict, "rule": ruling.rule, "other": ruling.other, **ruling.extra}
    for key, value in expected.items():
        if key == "cells":
            assert sorted(map(tuple, answer["cells"])) == sorted(map(tuple, value)), expected
        elif key not in ("ruling", "piece"):
            assert answer[key] == value, expected
