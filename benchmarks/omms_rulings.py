"""How long OMMS rulings take: 5,000 road pieces, 60 coins, beside networkx on the same road graph in the same run.

    .venv/bin/python -m benchmarks.omms_rulings

Promises: road reach of one unit and all sieges <= 5 ms; all rulings after one move <= 20 ms, in a phase as matches have
it and, as for a scene without one, in all at once. networkx is the peer of `Dijkstra with a cutoff on the road graph`;
scikit-image brings it along.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace

import networkx as nx
import numpy as np
from shapely import LineString, Point

from benchmarks.cpu_time import cpu_ms, median_cpu_ms
from rules.games.omms import GAME
from rules.games.omms.coins import Coin
from rules.games.omms.road_reach import mover, reach_of
from rules.games.omms.siege import Siege, sieges, sieges_on
from rules.games.omms.table import Table
from rules.garbage import search_seldom
from rules.geometry.roads import RoadNetwork
from rules.map import Map, Road
from rules.scene import COIN_DIAMETER_MM, Piece, Scene
from rules.setup import Setup
from rules.state import State

COLUMNS, ROWS, SIZE_MM = 59, 43, (700.0, 500.0)
# Calls that are timed, of which the median is told.
REPEATS = 15
CLASSES = ("gbp-1p", "gbp-2p", "gbp-5p", "gbp-10p", "gbp-20p")


def a_map(seed: int = 3) -> Map:
    """A jittered grid of 5,000 straight road pieces, every tenth row a motorway."""
    rng = np.random.default_rng(seed)
    step = (SIZE_MM[0] / COLUMNS, SIZE_MM[1] / ROWS)
    at = {
        (i, j): ((i + 0.5) * step[0] + rng.uniform(-3, 3), (j + 0.5) * step[1] + rng.uniform(-3, 3))
        for i, j in itertools.product(range(COLUMNS), range(ROWS))
    }
    roads = [
        Road(LineString([here, at[i + di, j + dj]]), "motorway" if dj == 0 and j % 10 == 5 else "a")
        for (i, j), here in at.items()
        for di, dj in ((1, 0), (0, 1))
        if (i + di, j + dj) in at
    ]
    return Map(tuple(roads[:5000]))


def a_scene(map_: Map, sigma_mm: float, seed: int = 4) -> Scene:
    """Sixty coins of three colours on the roads."""
    rng = np.random.default_rng(seed)
    pieces = []
    for number in range(60):
        at = map_.roads[rng.integers(len(map_.roads))].line.interpolate(0.5, normalized=True).coords[0]
        cls = CLASSES[number % 5]
        footprint = Point(at).buffer(COIN_DIAMETER_MM[cls] / 2)
        owner = ("red", "blue", "green")[rng.integers(3)]
        pieces.append(Piece(f"c{number}", "coin", cls, at, footprint, owner, sigma_mm=sigma_mm))
    return Scene(SIZE_MM, tuple(pieces))


def nudged(scene: Scene, number: int, by_mm: float = 20.0) -> Scene:
    """The scene after one coin has moved."""
    pieces = list(scene.pieces)
    x, y = pieces[number].position_mm
    pieces[number] = replace(pieces[number], position_mm=(x + by_mm, y))
    return replace(scene, pieces=tuple(pieces))


def from_nothing(network: RoadNetwork, bases: Sequence[Coin], units: Sequence[Coin], breadth_mm: float) -> list[Siege]:
    """All sieges, though they are known."""
    sieges_on.cache_clear()
    return sieges(network, bases, units, breadth_mm)


def after_moves_ms(scene: Scene, setup: Setup, phase: str | None, by_mm: float) -> float:
    """All rulings after a coin has moved and the one before it went back, the median."""
    state = State(phase=phase)
    GAME.rulings(scene, setup, state, None)
    scenes = [nudged(scene, number, by_mm) for number in range(60)]
    return median_cpu_ms([lambda now=now: GAME.rulings(now, setup, state, None) for now in scenes])


def peer_ms(table: Table) -> tuple[float, float]:
    """networkx: build the graph, and Dijkstra from one vertex with a cutoff of L."""
    roads = table.country.roads

    def build() -> object:
        """The road graph as a peer builds it."""
        graph = nx.Graph()
        graph.add_weighted_edges_from(
            (int(a), int(b), float(length)) for (a, b), length in zip(roads.ends, roads.length_mm, strict=True)
        )
        return graph

    graph = build()
    source = int(roads.ends[len(roads) // 2, 0])
    length = nx.single_source_dijkstra_path_length
    query = median_cpu_ms([lambda: length(graph, source, cutoff=table.length_mm)] * REPEATS)
    return median_cpu_ms([build] * REPEATS), query


def measure(sigma_mm: float) -> None:
    """Print the CPU ms of the rulings with positions that uncertain."""
    map_ = a_map()
    scene, setup, state = a_scene(map_, sigma_mm), Setup(map=map_), State()
    table = Table(scene, setup, state)
    before = time.perf_counter()
    country = table.country
    print(f"sigma {sigma_mm} mm, {len(country.roads)} road pieces, {len(scene.pieces)} coins")
    print(f"  network built once a map        {(time.perf_counter() - before) * 1e3:8.1f} ms")
    bases, units = table.coins.bases, table.coins.units
    unit = next(u for u in units if table.standing(u) and not country.motorway_point(table.standing(u)))
    asked = mover(table, unit, table.standing(unit), table.length_mm)
    one = median_cpu_ms([lambda: reach_of.__wrapped__(country, asked)] * REPEATS)
    all_sieges = median_cpu_ms([lambda: from_nothing(country.roads, bases, units, table.breadth_mm)] * REPEATS)
    print(f"  road reach of one               {one:8.2f} ms")
    print(f"  {len(bases)} sieges                       {all_sieges:8.2f} ms   together {one + all_sieges:.2f} (<= 5)")
    cold = cpu_ms(lambda: GAME.rulings(nudged(scene, 0), setup, state, None))
    print(f"  all rulings, cold               {cold:8.1f} ms")
    # Other steps for each, so that hardly an answer of the last is one of the next.
    for by_mm, phase in ((20.0, None), (21.0, "move"), (22.0, "attack")):
        after = after_moves_ms(scene, setup, phase, by_mm)
        print(f"  after one move, {phase or 'all phases':10s}      {after:8.1f} ms   (promise 20)")


def main() -> None:
    """Print times for exact and measured positions."""
    search_seldom()  # as while a match goes on
    for sigma_mm in (0.0, 0.2):
        measure(sigma_mm)
    table = Table(a_scene(a_map(), 0.0), Setup(map=a_map()), State())
    build, query = peer_ms(table)
    print(f"networkx: graph {build:.2f} ms, one Dijkstra with cutoff L {query:.3f} ms (distances only, no geometry)")


if __name__ == "__main__":
    main()
