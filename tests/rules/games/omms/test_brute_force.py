"""OMMS rulings on random maps against dense road samples and a flooded raster (`oracle.py`)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from scipy.spatial import cKDTree
from shapely.affinity import rotate, translate

from rules.games.omms import GAME
from rules.setup import Setup
from rules.state import State

from . import oracle
from .builders import random_map, random_scene

SEEDS = range(6)
STEP_MM = 0.5
MOTORWAY_STEP_MM = 1.0
# A sample is missed where a coin leaves less than a step of road; a double move adds the error of its stop.
EXTRA_MM = {1: 0.6, 2: 2 * MOTORWAY_STEP_MM}


@cache
def a_case(seed):
    map_ = random_map(seed)
    scene = random_scene(seed, map_)
    rulings = GAME.rulings(scene, Setup(map=map_), State(), None)
    return scene, rulings, oracle.Samples(map_, STEP_MM), oracle.Samples(map_, MOTORWAY_STEP_MM, ("motorway",))


def units(scene):
    return [p for p in scene if p.cls in oracle.UNITS and p.owner not in ("unknown", "none")]


def geometry_of(rulings, unit):
    found = next(r.geometry for r in rulings if r.kind == "reach" and r.piece == unit.id)
    parts = [] if found is None else list(shapely.get_parts(shapely.get_parts([found])))
    lines = shapely.union_all([part for part in parts if part.geom_type == "LineString"])
    ground = shapely.union_all([part for part in parts if part.geom_type == "Polygon"])
    return lines, ground


def sampled_stops(scene, unit, roads, motorways):
    """(points where the unit may stop, number of moves)."""
    found = oracle.road_part(roads, scene, unit, scene.table_size_mm)
    if found is None:
        return np.empty((0, 2)), 1
    number, _, stops = found
    points = roads.points[stops]
    if roads.ends[number][2] != "motorway":
        return points, 1
    first = oracle.road_part(motorways, scene, unit, scene.table_size_mm)
    more = motorways.points[oracle.double_part(motorways, scene, unit, first[1], scene.table_size_mm)]
    return np.concatenate([points, more]), 2


@pytest.mark.parametrize("seed", SEEDS)
def test_road_reach_is_where_samples_can_go(seed):
    scene, rulings, roads, motorways = a_case(seed)
    for unit in units(scene):
        lines, ground = geometry_of(rulings, unit)
        points, moves = sampled_stops(scene, unit, roads, motorways)
        if len(points):
            away = shapely.distance(shapely.points(points), shapely.union(lines, ground))
            assert away.max() <= (0.01 if not ground.is_empty else 1e-6), unit.id
        if not lines.is_empty:
            drawn = shapely.get_coordinates(shapely.segmentize(lines, STEP_MM))
            assert cKDTree(points).query(drawn)[0].max() <= EXTRA_MM[moves], unit.id


@pytest.mark.parametrize("seed", SEEDS)
def test_open_ground_is_what_a_flood_covers(seed):
    scene, rulings, *_ = a_case(seed)
    for unit in (u for u in units(scene) if u.cls == "gbp-5p"):
        _, ground = geometry_of(rulings, unit)
        grown = [
            (other.position_mm, oracle.radius(other) + oracle.radius(unit))
            for other in scene
            if other.id != unit.id and oracle.blocks(other, unit.owner)
        ]
        x, y, wet = oracle.flood(None, unit, grown, scene.table_size_mm)
        for (cx, cy), r in grown:
            wet &= np.hypot(x - cx, y - cy) >= r
        # The border of the region is at most some 1,200 mm long, and half a cell wide is in doubt.
        assert ground.area == pytest.approx(wet.sum() * 0.25, abs=150)


@pytest.mark.parametrize("seed", SEEDS)
def test_sieges_are_those_of_the_samples(seed):
    scene, rulings, roads, _ = a_case(seed)
    for ruling in (r for r in rulings if r.kind == "siege"):
        base = scene[ruling.piece]
        if base.owner in ("unknown", "none"):
            continue
        before, after = oracle.besieged(roads, scene, base, STEP_MM)
        assert ruling.verdict == ("yes" if before and not after else "no"), base.id
        assert ruling.extra["open_roads"] == after, base.id


@pytest.mark.parametrize("seed", SEEDS)
def test_targets_are_those_with_a_sampled_way(seed):
    scene, rulings, roads, _ = a_case(seed)
    asked = [r for r in rulings if r.kind == "target" and r.rule != "OMMS-5.3"]
    for ruling in asked:
        unit, enemy = scene[ruling.piece], scene[ruling.other]
        near = math.dist(unit.position_mm, enemy.position_mm) <= oracle.B
        open_way = near and oracle.way_open(roads, scene, unit, enemy, oracle.stack(scene, enemy))
        assert ruling.verdict == ("yes" if open_way else "no"), (unit.id, enemy.id, ruling.why)


@pytest.mark.parametrize("turn_deg", [31.0, 90.0, 207.5])
def test_turning_the_table_turns_the_answers(turn_deg):
    map_ = random_map(3)
    scene = replace(random_scene(3, map_), table_size_mm=(3000.0, 3000.0))
    # Far from the edges of a large table, so that they cut nothing.
    plain, turned = (answers(*turned_by(scene, map_, degrees)) for degrees in (0.0, turn_deg))
    assert [facts for _, facts in plain] == [facts for _, facts in turned]
    for (one, _), (other, _) in zip(plain, turned, strict=True):
        assert (one.length, one.area) == pytest.approx((other.length, other.area), rel=1e-4, abs=1e-3)


def turned_by(scene, map_, degrees):
    def turn(shape):
        return translate(rotate(shape, degrees, origin=(200, 150)), 1300, 1350)

    pieces = [replace(p, position_mm=turn(p.point).coords[0], footprint=turn(p.footprint)) for p in scene]
    roads = tuple(replace(road, line=turn(road.line)) for road in map_.roads)
    return replace(scene, pieces=tuple(pieces)), Setup(map=replace(map_, roads=roads))


def answers(scene, setup):
    """The geometry of every ruling, and what it says."""
    found = []
    for ruling in GAME.rulings(scene, setup, State(), None):
        extra = {key: ruling.extra.get(key) for key in ("settlements", "odds", "open_roads")}
        facts = (ruling.kind, ruling.piece, ruling.other, ruling.verdict, ruling.rule, extra)
        found.append((ruling.geometry or shapely.Point(), facts))
    return sorted(found, key=lambda answer: (str(answer[1]), answer[0].length, answer[0].area))
