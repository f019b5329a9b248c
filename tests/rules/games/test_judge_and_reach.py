"""A move to a point inside the reach is legal, one to a point just outside is not."""

from __future__ import annotations

import random

import pytest
import shapely
from shapely import Point
from shapely.geometry import shape

from rules.games import game_named
from rules.state import State
from tests.rules.games.figures import RADIUS_MM, SIZE_MM, a_setup, a_table, moved

BESIDE_MM = 0.2


def region_of(game, scene, id_):
    """All points to which the piece may go by its `reach`: for OSMCG with both action points."""
    reach = next(one for one in game.rulings(scene, a_setup(game.name), State(), id_) if one.kind == "reach")
    return shape(reach.extra["ap2"]) if game.name == "osmcg" else reach.geometry


def points_beside(border, by_mm, rng, count):
    """Points so far beside a border, on the side of the sign."""
    ring = shapely.boundary(shapely.buffer(border, by_mm, quad_segs=64))
    return [ring.interpolate(rng.random(), normalized=True) for _ in range(count)]


def verdict(game, scene, id_, to):
    (ruling,) = game.judge(scene, moved(scene, id_, (to.x, to.y)), a_setup(game.name), State())
    return ruling.verdict, ruling.rule, ruling.why


def far_enough(scene, id_, to):
    return to.distance(Point(scene[id_].position_mm)) > 2.0


@pytest.mark.parametrize("name", ["omog", "osmcg"])
@pytest.mark.parametrize("seed", range(4))
def test_judge_agrees_with_reach(name, seed):
    game, scene, rng = game_named(name), a_table(name, seed), random.Random(seed)
    table = shapely.box(0, 0, *SIZE_MM)
    for id_ in ("u0", "u3"):
        region = region_of(game, scene, id_)
        assert region.area > RADIUS_MM**2
        for to in points_beside(region, -BESIDE_MM, rng, 12):
            if far_enough(scene, id_, to):
                assert verdict(game, scene, id_, to)[0] == "yes", (id_, to.wkt, verdict(game, scene, id_, to))
        for to in points_beside(region, BESIDE_MM, rng, 12):
            if far_enough(scene, id_, to) and table.contains(to):
                assert verdict(game, scene, id_, to)[0] == "no", (id_, to.wkt, verdict(game, scene, id_, to))
