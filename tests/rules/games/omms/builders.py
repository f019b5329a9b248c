"""Small builders of OMMS scenes, and random maps."""

from __future__ import annotations

import itertools

import numpy as np
from shapely import LineString, Point

from rules.map import Map, Place, Road
from rules.scene import COIN_DIAMETER_MM, Piece, Scene
from rules.setup import Player, Setup

CLASS_OF = {
    "settlement": "gbp-1p",
    "fortification": "gbp-2p",
    "scout": "gbp-5p",
    "guard": "gbp-10p",
    "invader": "gbp-20p",
    "ship": "gbp-50p",
    "tank": "gbp-1",
}


def a_coin(name, role, owner, at, *, on=None, sigma_mm=0.0):
    cls = CLASS_OF.get(role, role)
    radius = COIN_DIAMETER_MM.get(cls, 20.0) / 2
    return Piece(name, "coin", cls, tuple(at), Point(at).buffer(radius, 64), owner, on=on, sigma_mm=sigma_mm)


def a_scene(*pieces, size=(700.0, 500.0)):
    return Scene(size, tuple(pieces))


def a_road(*points, cls="a", ref=""):
    return Road(LineString(points), cls, ref)


def a_setup(*roads, places=(), land=(), water=(), rivers=(), players=(), house=None):
    people = tuple(Player(*player) for player in players)
    return Setup(
        map=Map(tuple(roads), tuple(places), tuple(land), tuple(water), tuple(rivers)),
        players=people,
        house=house or {},
    )


def a_place(x, y, cls="town", name="Oakham", port=False):
    return Place(Point(x, y), cls, name, port)


def random_map(seed, columns=7, rows=5, pitch=55.0):
    """A jittered grid of bent roads, some left out, a motorway through it, and bridges that join nothing."""
    rng = np.random.default_rng(seed)
    nodes = {
        (i, j): (40 + i * pitch + rng.uniform(-18, 18), 40 + j * pitch + rng.uniform(-18, 18))
        for i, j in itertools.product(range(columns), range(rows))
    }
    roads = []
    for (i, j), here in nodes.items():
        for di, dj in ((1, 0), (0, 1)):
            there = nodes.get((i + di, j + dj))
            if there is None or rng.random() < 0.25:
                continue
            middle = tuple((np.array(here) + there) / 2 + rng.uniform(-9, 9, 2))
            on_motorway = dj == 0 and j == rows // 2
            cls = "motorway" if on_motorway else str(rng.choice(["a", "b", "primary", "minor"], p=[0.4, 0.3, 0.2, 0.1]))
            roads.append(Road(LineString([here, middle, there]), cls, f"R{len(roads)}"))
    for _ in range(3):
        ends = rng.uniform(20, 20 + pitch * columns, (2, 2)) * [1, rows / columns]
        cls = str(rng.choice(["a", "motorway"]))
        roads.append(Road(LineString(ends), cls, f"bridge{len(roads)}"))
    return Map(tuple(roads))


def random_scene(
    seed, map_, count=22, roles=("scout", "guard", "invader", "settlement", "fortification"), sigma_mm=0.0
):
    """Coins on and near the roads of a map, of three colours and a few unknown or neutral."""
    rng = np.random.default_rng(seed + 1000)
    pieces = []
    for number in range(count):
        road = map_.roads[rng.integers(len(map_.roads))].line
        x, y = road.interpolate(rng.random(), normalized=True).coords[0]
        at = (x + rng.normal(0, 4), y + rng.normal(0, 4))
        owner = str(rng.choice(["red", "blue", "green", "unknown", "none"], p=[0.4, 0.35, 0.17, 0.04, 0.04]))
        pieces.append(a_coin(f"c{number}", str(rng.choice(roles)), owner, at, sigma_mm=sigma_mm))
    return a_scene(*pieces)
