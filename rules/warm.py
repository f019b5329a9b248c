"""Compiles the inner loops once, so that the first ruling of a new installation does not wait for them.

`make install` runs this: python -m rules.warm. Without it the first use of each loop compiles it. In each run what was
compiled must be loaded, which a live match does before its first scene is agreed.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapely import LineString, Point, Polygon, box

from rules.game import Game
from rules.games import GAMES
from rules.geometry.sight import is_visible
from rules.map import Map, Place, Road
from rules.scene import Kind, Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

_PLAYERS = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
_ROADS = (
    Road(LineString([(0, 100), (150, 100), (300, 100)]), "a", "A1"),
    Road(LineString([(150, 0), (150, 100), (150, 200)]), "motorway", "M1"),
)
_MAP = Map(_ROADS, (Place(Point(150, 100), "town", "Midham"),), water=(box(250, 150, 300, 200),))


def _piece(piece_id: str, kind: Kind, cls: str, at: tuple[float, float], owner: str, footprint: Polygon) -> Piece:
    return Piece(piece_id, kind, cls, at, footprint, owner, height_mm=20.0)


def _scene() -> Scene:
    """A few pieces of every kind, near enough to one another to matter."""
    figures = [("foot", "soldier"), ("gun", "soldier"), ("mounted", "soldier"), ("base", "base")]
    # The last one moves twice along the motorway.
    coins = [
        ("gbp-10p", 40, 100),
        ("gbp-5p", 90, 100),
        ("gbp-1p", 150, 100),
        ("gbp-20p", 200, 100),
        ("gbp-5p", 150, 180),
    ]
    pieces = [
        _piece(f"c{n}", "coin", cls, (float(x), float(y)), ("red", "blue")[n % 2], Point(x, y).buffer(10))
        for n, (cls, x, y) in enumerate(coins)
    ]
    pieces += [
        _piece(f"s{n}", kind, cls, (60.0 + 40 * n, 60.0), ("red", "blue")[n % 2], Point(60 + 40 * n, 60).buffer(12))  # type: ignore[arg-type]
        for n, (cls, kind) in enumerate(figures)
    ]
    terrain = [("mug", box(110, 130, 140, 160)), ("napkin", box(40, 20, 120, 50)), ("paper", box(0, 80, 300, 95))]
    pieces += [
        _piece(f"t{n}", "terrain", cls, (shape.centroid.x, shape.centroid.y), "none", shape)
        for n, (cls, shape) in enumerate(terrain)
    ]
    return Scene((300.0, 200.0), tuple(pieces))


def warm(games: Iterable[Game] = GAMES) -> None:
    """All rulings of some games on one small table, and who sees whom, which is asked of moves and shots."""
    is_visible((0.0, 0.0), (9.0, 9.0), [box(3, 3, 6, 6)])
    for game in games:
        setup = Setup(game.name, (300.0, 200.0), _PLAYERS, _MAP)
        game.rulings(_scene(), setup, State(), None)


if __name__ == "__main__":
    warm()
