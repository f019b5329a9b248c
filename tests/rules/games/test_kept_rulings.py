"""Rulings that were kept from scene to scene are those that a computation from nothing gives."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rules.files.ruling_file import rulings_document
from rules.games import game_named
from rules.state import State
from tests.rules.games.figures import a_setup, a_step, a_table, forget, moved, without

CARDS = {
    "omog": ({"weapon": "pistol"}, {"roster": "elite bayonet"}, {}, {"roster": "heavy lancer"}),
    "osmcg": ({"range_in": 12}, {"keywords": ["Flying"]}, {}, {"range_in": 18, "keywords": ["Stealth", "Aura(3)"]}),
}


def a_state(game, **changes):
    cards = {f"u{number}": dict(CARDS[game][number % 4]) for number in range(8)}
    return State(pieces={**cards, **changes})


def cold(game, scene, state):
    forget()
    return rulings_document(game.rulings(scene, a_setup(game.name), state, None))


@pytest.mark.parametrize("name", ["omog", "osmcg"])
@pytest.mark.parametrize("seed", [1, 2])
def test_after_moves(name, seed):
    game, scene, rng = game_named(name), a_table(name, seed), random.Random(seed)
    scenes = [scene]
    for step in range(4):
        scenes.append(a_step(scenes[-1], f"u{(3 * step + seed) % 8}", rng))
    forget()
    kept = [rulings_document(game.rulings(one, a_setup(name), a_state(name), None)) for one in scenes]
    assert kept == [cold(game, one, a_state(name)) for one in scenes]


def changed(scene, begun, step, rng):
    """The scene after a thing came to lie about a man, a man moved, a man went, or all who had gone came back."""
    things, men = ([p for p in scene if (p.kind == "terrain") == is_thing] for is_thing in (True, False))
    happens = ("thing", "gone", "thing", "man", "thing", "back")[step % 6]
    if happens == "gone":
        return without(scene, rng.choice(men).id)
    if happens == "back":
        return replace(scene, pieces=(*scene, *(piece for piece in begun if piece.id not in scene)))
    if happens == "man":
        return a_step(scene, rng.choice(men).id, rng, rng.choice((3.0, 40.0, 150.0)))
    x, y = rng.choice(men).position_mm
    return moved(scene, things[step // 2 % len(things)].id, (x + rng.uniform(-20, 20), y + rng.uniform(-20, 20)))


@pytest.mark.parametrize("name", ["omog", "osmcg"])
@pytest.mark.parametrize("seed", [5, 6, 7])
def test_after_men_went_and_came_back_and_ground_moved_to_the_last_bit(name, seed):
    game, table, rng = game_named(name), a_table(name, seed), random.Random(seed)
    scenes = [replace(table, pieces=tuple(replace(piece, sigma_mm=0.4) for piece in table))]
    for step in range(9):
        scenes.append(changed(scenes[-1], scenes[0], step, rng))
    state = a_state(name, u1={"class": "gun", "crew": 3}, u3={"mounting": True}, u6={"radius_mm": 14.0})
    scenes.append(scenes[0])
    forget()
    kept = [game.rulings(one, a_setup(name), state, None) for one in scenes]
    for one, rulings in zip(scenes, kept, strict=True):
        forget()
        assert game.rulings(one, a_setup(name), state, None) == rulings


@pytest.mark.parametrize("name", ["omog", "osmcg"])
def test_after_a_change_of_the_state_or_the_ground(name):
    game, scene = game_named(name), a_table(name, 3)
    other = a_state(name, u0={"moved": True, "radius_mm": 15.0}, u1={"fired": True, "statuses": {"slow": 2}})
    cases = [(scene, a_state(name)), (scene, other), (a_step(scene, "t0", random.Random(1)), other)]
    forget()
    kept = [rulings_document(game.rulings(one, a_setup(name), state, None)) for one, state in cases]
    assert kept == [cold(game, one, state) for one, state in cases]
    assert kept[0] != kept[1] != kept[2]


@pytest.mark.parametrize("name", ["omog", "osmcg"])
def test_a_state_that_was_changed_in_place(name):
    game, scene, state = game_named(name), a_table(name, 4), a_state(name)
    first = rulings_document(game.rulings(scene, a_setup(name), state, None))
    state.pieces["u0"]["moved"] = True
    second = rulings_document(game.rulings(scene, a_setup(name), state, None))
    assert first != second
    assert rulings_document(game.rulings(scene, a_setup(name), a_state(name), None)) == first
