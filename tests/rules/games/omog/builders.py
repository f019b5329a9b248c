"""Small builders of OMOG scenes."""

from __future__ import annotations

from shapely import Point, box

from rules.games.omog import GAME
from rules.games.omog.battlefield import Battlefield
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

INCH = 25.4
RADIUS = 12.5


def a_man(name, x, y, owner="red", arm="foot", *, radius=RADIUS, **known):
    return Piece(name, "soldier", arm, (float(x), float(y)), Point(x, y).buffer(radius, 64), owner, **known)


def a_thing(name, cls, shape, **known):
    return Piece(name, "terrain", cls, (shape.centroid.x, shape.centroid.y), shape, "none", **known)


def a_scene(*pieces, size=(1200.0, 900.0), time_s=0.0):
    return Scene(size, tuple(pieces), time_s)


def a_setup(legend=None, **house):
    players = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
    return Setup("omog", (1200.0, 900.0), players, legend=legend or {}, house=house)


def a_field(*pieces, state=None, setup=None, size=(1200.0, 900.0)):
    return Battlefield(a_scene(*pieces, size=size), setup or a_setup(), state or State())


def known_of(**pieces):
    return State(pieces=pieces)


def ruled(*pieces, state=None, setup=None, size=(1200.0, 900.0)):
    return GAME.rulings(a_scene(*pieces, size=size), setup or a_setup(), state or State(), None)


def judged(before, after, state=None, setup=None):
    rulings = GAME.judge(before, after, setup or a_setup(), state or State())
    return {ruling.piece: ruling for ruling in rulings}


def only(rulings, kind, piece, other=None):
    found = [one for one in rulings if one.kind == kind and one.piece == piece and other in (None, one.other)]
    assert len(found) == 1, [(one.kind, one.piece, one.other) for one in rulings]
    return found[0]


def strip(x0, y0, x1, y1):
    return box(x0, y0, x1, y1)
