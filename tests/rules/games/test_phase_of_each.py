"""Without a phase in the state, every ruling says which phase it belongs to (C4.9)."""

from dataclasses import replace

import pytest
from shapely import LineString, Point, box

from rules.games import game_named
from rules.map import Map, Road
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

SIZE_MM = (700.0, 500.0)
ROAD = Map(roads=(Road(LineString([(0, 250), (700, 250)]), "a", "A43"),))


def a_piece(name, kind, cls, x, y, owner="none", shape=None, **more):
    return Piece(name, kind, cls, (x, y), shape or Point(x, y).buffer(12), owner, **more)


def two(kind, *classes):
    red, blue = classes * 2 if len(classes) == 1 else classes
    return a_piece("a", kind, red, 300, 250, "red"), a_piece("b", kind, blue, 324, 250, "blue")


BOXES = (
    a_piece("t", "terrain", "box", 125, 125, shape=box(100, 100, 150, 150)),
    a_piece("u", "terrain", "book", 150, 150, shape=box(130, 130, 170, 170)),
)
CARDS = tuple(a_piece(f"k{x}", "card", "5H", x, 250, shape=box(x - 30, 206, x + 30, 294)) for x in (240, 310, 380))
STATES = {
    "osmcg": {"a": {"hero": True, "keywords": ["Aura(3, +1 ATK)", "Tracker(2, +1 SPD)"], "range_in": 6, "damage": 1}},
    "omniwar": {"a": {"roster": "Tank"}, "b": {"roster": "Army squad"}},
}


@pytest.mark.parametrize(
    ("name", "pieces", "kinds"),
    [
        ("omms", two("coin", "gbp-5p", "gbp-1p"), {"reach", "blocked", "target", "siege", "economy"}),
        ("omog", two("soldier", "foot"), {"reach", "target", "cohesion", "melee", "engaged", "blocked"}),
        ("osmcg", (*two("base", "base"), *BOXES), {"template", "overlap", "deploy", "control", "engaged", "target"}),
        ("pocket", (*two("coin", "gbp-20p", "gbp-5p"), *CARDS), {"cover", "cohesion", "settle", "reach", "engaged"}),
        ("omniwar", two("base", "base"), {"reach", "target", "settle", "economy", "sight"}),
    ],
)
def test_every_ruling_has_its_phase(name, pieces, kinds):
    game = game_named(name)
    players = (Player("Ann", "red"), Player("Bob", "blue", "far"))
    setup = Setup(name, SIZE_MM, players, ROAD if name == "omms" else None, legend=game.legend)
    state = State(pieces=STATES.get(name, {}))
    scene = Scene(SIZE_MM, pieces)
    came, went = replace(pieces[0], id="new", position_mm=(60.0, 60.0)), pieces[1]
    moved = replace(pieces[0], position_mm=(310.0, 240.0))
    later = Scene(SIZE_MM, (moved, came, *(piece for piece in pieces[1:] if piece is not went)))
    found = game.rulings(scene, setup, state, None)
    judged = game.judge(scene, later, setup, state)
    assert kinds <= {ruling.kind for ruling in found}
    assert len(judged) == 3
    for ruling in (*found, *judged):
        assert ruling.extra.get("phase") in game.phases, ruling
