"""Rulings of OMMS that were kept from scene to scene are those of a computation from nothing, in less of it."""

from dataclasses import replace

import numpy as np
import pytest

from rules.ahead import ahead
from rules.files.ruling_file import rulings_document
from rules.games.omms import GAME, attack_way, road_reach, siege
from rules.match import start
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.figures import forget

from .builders import random_map, random_scene

MAP = random_map(4)
SETUP = Setup("omms", (700.0, 500.0), (Player("Ann", "red"), Player("Bob", "blue", "far")), MAP)


def moved(scene, number, rng):
    pieces = list(scene)
    x, y = np.array(pieces[number].position_mm) + rng.normal(0, 20, 2)
    pieces[number] = replace(pieces[number], position_mm=(float(x), float(y)))
    return replace(scene, pieces=tuple(pieces))


def told(scene, phase):
    document = rulings_document(GAME.rulings(scene, SETUP, State(phase=phase, active="Ann"), None))
    return document["features"]


@pytest.mark.parametrize("sigma_mm", [0.0, 0.4])
@pytest.mark.parametrize("phase", ["move", "attack"])
def test_after_moves_they_are_those_of_nothing_kept(phase, sigma_mm):
    rng, scenes = np.random.default_rng(5), [random_scene(4, MAP, sigma_mm=sigma_mm)]
    for number in range(4):
        scenes.append(moved(scenes[-1], number, rng))
    forget()
    kept = [told(scene, phase) for scene in scenes]
    for scene, before in zip(scenes, kept, strict=True):
        forget()
        assert told(scene, phase) == before


def counted(monkeypatch, module, name):
    """The questions that a function of a module is asked from now on."""
    asked, whole = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda network, questions: asked.extend(questions) or whole(network, questions))
    return asked


def test_a_move_asks_anew_for_the_sieges_near_it_alone(monkeypatch):
    scene = random_scene(4, MAP, count=40)
    forget()
    asked = counted(monkeypatch, siege, "_sieges")
    told(scene, "move")
    bases = len(asked)
    told(scene, "move")
    assert bases > 5 and len(asked) == bases
    told(moved(scene, 0, np.random.default_rng(5)), "move")
    assert bases < len(asked) < 2 * bases


def test_no_attack_is_asked_for_while_units_move_and_none_when_it_was_ruled_ahead(monkeypatch):
    scene = random_scene(4, MAP)
    forget()
    asked = counted(monkeypatch, attack_way, "_ways")
    match = start(SETUP, scene, State(phase="move", active="Ann"))
    assert not asked
    for _ in ahead(match):
        pass
    ruled = len(asked)
    assert any(ruling["properties"]["ruling"] == "target" for ruling in told(match.scene, "attack"))
    assert len(asked) == ruled > 0


def test_a_coin_that_stops_many_units_is_measured_once(monkeypatch):
    scene = random_scene(4, MAP, count=40)
    forget()
    measured = []
    whole = road_reach.whole
    monkeypatch.setattr(road_reach, "whole", lambda *asked: measured.append(asked) or whole(*asked))
    blocked = [ruling for ruling in told(scene, "move") if ruling["properties"]["ruling"] == "blocked"]
    assert 0 < len(measured) < len(blocked)
