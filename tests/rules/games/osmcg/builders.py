"""Small OSMCG tables: 24 inches square, Ann is red and near, Bob is blue and far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shapely import Point, Polygon

from rules.game import Ruling
from rules.games.osmcg import GAME
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

INCH = 25.4
BOARD = (24 * INCH, 24 * INCH)
PLAYERS = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"))


def base(id_: str, x: float, y: float, owner: str = "red", radius: float = 12.5, sigma: float = 0.0) -> Piece:
    """A round base."""
    return Piece(id_, "base", "base", (x, y), Point(x, y).buffer(radius, 64), owner=owner, sigma_mm=sigma)


def terrain(id_: str, cls: str, ground: Polygon, sigma: float = 0.0) -> Piece:
    """A piece of terrain of that footprint."""
    return Piece(id_, "terrain", cls, (ground.centroid.x, ground.centroid.y), ground, sigma_mm=sigma)


def a_scene(*pieces: Piece) -> Scene:
    """These pieces on the board."""
    return Scene(BOARD, pieces)


def a_setup(players: tuple[Player, ...] = PLAYERS, **house: Any) -> Setup:
    """The set-up with these house rules."""
    return Setup("osmcg", BOARD, players, house=house)


def a_state(**changes: Any) -> State:
    """A state; bases have a true radius of 12.5 mm unless it says otherwise."""
    return State(**changes)


def rulings(kind: str, scene: Scene, state: State | None = None, setup: Setup | None = None) -> list[Ruling]:
    """All rulings of a kind."""
    return [one for one in GAME.rulings(scene, setup or a_setup(), state or State(), None) if one.kind == kind]


def ruling(kind: str, piece: str, scene: Scene, state: State | None = None, **match: Any) -> Ruling:
    """The one ruling of a kind on a piece (and `other`)."""
    other, setup = match.get("other"), match.get("setup")
    found = [one for one in rulings(kind, scene, state, setup) if one.piece == piece and other in (None, one.other)]
    assert len(found) == 1, [(one.piece, one.other) for one in found]
    return found[0]


def judged(before: Scene, *after: Piece, state: State | None = None, setup: Setup | None = None) -> Ruling:
    """The one ruling on the change to these pieces."""
    found = GAME.judge(before, replace(before, pieces=after), setup or a_setup(), state or State())
    assert len(found) == 1, found
    return found[0]
