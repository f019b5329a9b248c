"""Nobody whose base a soldier may come to touch is left out of his move."""

import math
import random

import pytest
from shapely import Point, box
from shapely.affinity import rotate

from rules.games.omog.going import going_of
from rules.games.omog.reach import Move, _region_of, moves_of
from tests.rules.games.omog.builders import a_field, a_man, a_thing


def a_crowd(seed):
    rng = random.Random(seed)
    places = [(rng.uniform(100, 1100), rng.uniform(100, 800)) for _ in range(40)]
    apart = [at for k, at in enumerate(places) if all(math.dist(at, one) > 26 for one in places[:k])]
    men = [a_man(f"m{k}", *at, arm=("foot", "mounted", "gun")[k % 3]) for k, at in enumerate(apart)]
    strips = [
        a_thing(f"r{k}", "paper", rotate(box(0, 430, 1200, 460), rng.uniform(0, 180)), colour="brown") for k in (0, 1)
    ]
    return a_field(*men, *strips, a_thing("w", "napkin", Point(600, 450).buffer(150)))


@pytest.mark.parametrize("seed", range(4))
def test_whoever_touches_the_reach_is_near(seed):
    field = a_crowd(seed)
    for move in moves_of(field.soldiers, field):
        others = tuple(one for one in field.figures if one.piece.id != move.soldier.id)
        area = _region_of(Move(move.soldier, going_of(move.soldier, field), others)).area
        touched = {one.piece.id for one in others if area.distance(one.base.area) < move.soldier.radius_mm + 0.1}
        assert touched <= {one.piece.id for one in move.near}
        assert len(move.near) < len(others)
