"""Fire, templates and fights on random tables, line by line as the notes say it."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import pytest
from shapely import LineString, Point, Polygon

from tests.rules.games.omog import oracle
from tests.rules.games.omog.builders import INCH, RADIUS, known_of, ruled

SEEDS = range(5)


@cache
def a_ruled_battle(seed):
    ground, men, known = oracle.a_battle(seed)
    rulings = ruled(*(thing for thing, _ in ground), *men, state=known_of(**known), size=oracle.SIZE)
    return ground, men, known, rulings


@pytest.mark.parametrize("seed", SEEDS)
def test_every_shot(seed):
    ground, men, known, rulings = a_ruled_battle(seed)
    shots = {(one.piece, one.other): one for one in rulings if one.kind == "target"}
    assert set(shots) == {(a.id, b.id) for a in men for b in men if a.owner != b.owner}
    for a in men:
        for b in (foe for foe in men if foe.owner != a.owner):
            shot, hidden = shots[a.id, b.id], oracle.is_hidden(a, b, ground)
            if a.cls == "gun":
                near = math.dist(a.position_mm, b.position_mm) <= 24 * INCH
                assert shot.verdict == ("yes" if near and not hidden and known[a.id]["crew"] >= 2 else "no"), shot
                continue
            needs = oracle.number(a, b, ground, known)
            assert shot.verdict == ("yes" if needs is not None and needs <= 6 and not hidden else "no"), shot
            if needs is not None and not hidden:
                assert shot.extra["needs"] == needs, shot
                assert Fraction(shot.extra["odds"]["win"]) == Fraction(max(0, 7 - needs), 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_template(seed):
    ground, men, _, rulings = a_ruled_battle(seed)
    by_id = {man.id: man for man in men}
    for one in (one for one in rulings if one.kind == "template"):
        gun, target = by_id[one.piece], by_id[one.other]
        if one.extra["case"] == "canister":
            impact = gun.position_mm
            gaps = {man.id: a_cone(gun, target).distance(Point(man.position_mm)) for man in men}
        else:
            impact = oracle.bursts(gun, target)[one.extra["case"]]
            gaps = {man.id: math.dist(man.position_mm, impact) - 1.5 * INCH for man in men}
        hit = {id_ for id_, gap in gaps.items() if gap < RADIUS and id_ != gun.id}
        assert set(one.extra["hit"]) == hit, one
        saves = {id_: save(by_id[id_], impact, ground) for id_ in hit}
        assert one.extra["saves"] == {id_: die for id_, die in saves.items() if die}


def a_cone(gun, target):
    (gx, gy), (x, y) = gun.position_mm, target.position_mm
    away = math.dist((gx, gy), (x, y))
    ux, uy = (x - gx) / away * INCH, (y - gy) / away * INCH
    return Polygon([(gx, gy), (gx + 6 * ux - uy, gy + 6 * uy + ux), (gx + 6 * ux + uy, gy + 6 * uy - ux)])


def save(man, impact, ground):
    if man.position_mm == impact:
        return None
    line = LineString((man.position_mm, impact))
    return min(
        (
            oracle.SAVES[meaning]
            for thing, meaning in ground
            if meaning in oracle.SAVES and oracle.crosses(line, thing.footprint)
        ),
        default=None,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_fight(seed):
    ground, men, known, rulings = a_ruled_battle(seed)
    by_id = {man.id: man for man in men}
    melees = [one for one in rulings if one.kind == "melee"]
    assert {frozenset((one.piece, one.other)) for one in melees} == {
        frozenset((a.id, b.id)) for a, b in oracle.fights(men)
    }
    for one in melees:
        a, b = by_id[one.piece], by_id[one.other]
        found = one.extra["bonus"], one.extra["other_bonus"]
        assert found == (oracle.bonus(a, b, men, ground, known), oracle.bonus(b, a, men, ground, known)), one
