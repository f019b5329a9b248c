"""Random tables of figures and terrain for OMOG and OSMCG, and games with nothing kept."""

from __future__ import annotations

import math
import random
import sys
from dataclasses import replace

from shapely import Point, box
from shapely.affinity import rotate, translate

from rules.scene import Piece, Scene
from rules.setup import Player, Setup

SIZE_MM = (560.0, 480.0)
PLAYERS = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
RADIUS_MM = 12.5
THINGS = {
    "omog": (("napkin", None), ("book", 20.0), ("mug", 90.0), ("pencils", 8.0), ("plate", None)),
    "osmcg": (("box", 60.0), ("mug", 90.0), ("napkin", None), ("book", 20.0)),
}


def a_setup(game):
    return Setup(game, SIZE_MM, PLAYERS)


def a_table(game, seed, figures=8):
    """Terrain of each kind, for OMOG also a road and a river, and figures clear of it and of one another."""
    rng = random.Random(seed)
    things = [_thing(f"t{n}", cls, height, rng) for n, (cls, height) in enumerate(THINGS[game])]
    if game == "omog":
        things += [_paper("road", "brown", 0.0, rng), _paper("river", "blue", 90.0, rng)]
    men = []
    while len(men) < figures:
        at = rng.uniform(15, SIZE_MM[0] - 15), rng.uniform(15, SIZE_MM[1] - 15)
        if all(other.footprint.distance(Point(at)) > RADIUS_MM + 1 for other in (*things, *men)):
            men.append(_figure(game, len(men), at))
    return Scene(SIZE_MM, (*things, *men))


def _thing(id_, cls, height_mm, rng):
    wide, deep = (90, 6) if cls == "pencils" else (rng.uniform(60, 110), rng.uniform(50, 90))
    at = rng.uniform(80, SIZE_MM[0] - 80), rng.uniform(80, SIZE_MM[1] - 80)
    shape = translate(rotate(box(-wide / 2, -deep / 2, wide / 2, deep / 2), rng.uniform(0, 180)), *at)
    return Piece(id_, "terrain", cls, at, shape, "none", height_mm=height_mm)


def _paper(id_, colour, turn_deg, rng):
    shape = rotate(box(-50, 0, 700, 30), turn_deg + rng.uniform(-15, 15), origin=(280, 15))
    shape = translate(shape, rng.uniform(-100, 100), rng.uniform(100, 350))
    return Piece(id_, "terrain", "paper", (shape.centroid.x, shape.centroid.y), shape, "none", colour=colour)


def _figure(game, number, at):
    kind, cls = ("base", "base") if game == "osmcg" else ("soldier", "mounted" if number % 4 == 3 else "foot")
    return Piece(f"u{number}", kind, cls, at, Point(at).buffer(RADIUS_MM, 64), ("red", "blue")[number % 2])


def moved(scene, id_, to_mm):
    """The scene with one figure elsewhere."""
    piece = scene[id_]
    shape = translate(piece.footprint, to_mm[0] - piece.position_mm[0], to_mm[1] - piece.position_mm[1])
    there = replace(piece, position_mm=(float(to_mm[0]), float(to_mm[1])), footprint=shape)
    return replace(scene, pieces=tuple(there if one.id == id_ else one for one in scene))


def a_step(scene, id_, rng, length_mm=60.0):
    """The scene with one figure moved by so much in a random direction, on the table."""
    turn = rng.uniform(0, math.tau)
    x, y = scene[id_].position_mm
    at = x + length_mm * math.cos(turn), y + length_mm * math.sin(turn)
    return moved(scene, id_, (min(max(at[0], 0), SIZE_MM[0]), min(max(at[1], 0), SIZE_MM[1])))


def without(scene, id_):
    """The scene after that piece went."""
    return replace(scene, pieces=tuple(one for one in scene if one.id != id_))


def forget():
    """Clear all that the rules have kept, so that the next rulings are computed from nothing."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("rules.games.", "rules.geometry.")):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and not isinstance(value, type):
                    value.cache_clear()
