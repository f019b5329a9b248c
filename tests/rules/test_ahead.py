"""Rulings of the phases to come, worked out while nothing happens."""

import random

import pytest

from rules import turn
from rules.ahead import ahead
from rules.course.events import Event
from rules.games.omog import shooting
from rules.match import apply, start
from rules.state import State
from tests.rules.games.figures import a_setup, a_step, a_table, forget


def a_match(phase, scene=None, game="omog"):
    return start(a_setup(game), scene or a_table(game, 1), State(phase=phase, active="Ann"))


def next_one(match):
    return apply(match, Event(0.0, 1, None, "phase", turn.next_phase(match.game, match.setup, match.state)))


def untouched(monkeypatch):
    """What was ruled anew from now on."""
    ruled, whole = [], shooting._target
    monkeypatch.setattr(shooting, "_target", lambda *asked: ruled.append(asked) or whole(*asked))
    return ruled


@pytest.mark.parametrize("phase", ["move-1", "move-2", "melee"])
def test_a_phase_that_was_ruled_ahead_begins_with_nothing_to_rule(monkeypatch, phase):
    forget()
    match = a_match(phase)
    for _ in ahead(match):
        pass
    ruled = untouched(monkeypatch)
    while match.state.phase != "fire":
        match = next_one(match)
    assert any(ruling.kind == "target" for ruling in match.rulings) and not ruled


def test_what_is_ruled_ahead_is_what_is_ruled_in_time():
    forget()
    match = a_match("move-2")
    steps = sum(1 for _ in ahead(match))
    assert steps == 3 * sum(piece.kind == "soldier" for piece in match.scene)
    early = next_one(match).rulings
    forget()
    assert next_one(match).rulings == early


def test_after_a_move_only_the_mover_is_ruled_on_anew(monkeypatch):
    forget()
    scene = a_table("omog", 2)
    for _ in ahead(a_match("move-1", scene)):
        pass
    ruled = untouched(monkeypatch)
    for _ in ahead(a_match("move-1", a_step(scene, "u0", random.Random(1)))):
        pass
    assert ruled and all("u0" in (shooter.id, target.id) for shooter, target, _ in ruled)


@pytest.mark.parametrize(("phase", "game"), [(None, "omog"), ("main-1", "osmcg")])
def test_nothing_is_ruled_ahead_without_a_phase_or_by_a_game_that_keeps_nothing_by_piece(phase, game):
    assert not list(ahead(a_match(phase, game=game)))
