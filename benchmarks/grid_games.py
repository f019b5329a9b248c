"""How long all rulings take after one move with 60 pieces: Pocket Wargame on 9 x 6 cards, OmniWar on 259 hexes.

    .venv/bin/python -m benchmarks.grid_games

Promise: all rulings after one move <= 20 ms. Peer in the same run: networkx, least costs with a cutoff for 60 units on
the same hexes, nothing else of the rulings (scikit-image brings it along).
"""

from __future__ import annotations

import random
import statistics
from dataclasses import replace

import networkx as nx
from shapely import Point, box
from shapely.affinity import translate

from benchmarks.cpu_time import cpu_ms
from rules.game import Game
from rules.games.omniwar import GAME as OMNIWAR
from rules.games.omniwar.roster import packaged_roster
from rules.games.pocket import GAME as POCKET
from rules.geometry.hexes import HexGrid, neighbours
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

PLAYERS = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"))
COINS = ("gbp-1p", "gbp-2p", "gbp-5p", "gbp-10p", "gbp-20p", "gbp-50p")
GRID = HexGrid(38.1, (60.0, 60.0))
SIZE_MM = (700.0, 620.0)
MOVES = 60


def a_battle(seed: int = 1) -> Scene:
    """54 cards and 60 coins on them."""
    rng = random.Random(seed)
    deck = [rank + suit for suit in "SHDC" for rank in ("A", *"23456789", "10", "J", "Q", "K")] + ["JOKER"] * 2
    rng.shuffle(deck)
    places = [(50 + 68.0 * column, 60 + 95.0 * row) for column in range(9) for row in range(6)]
    cards = [
        Piece(f"k{n}", "card", deck[n], (x, y), box(x - 31.75, y - 44.45, x + 31.75, y + 44.45), "none", sigma_mm=0.2)
        for n, (x, y) in enumerate(places)
    ]
    return Scene(SIZE_MM, (*cards, *(a_coin(n, rng.choice(places), rng) for n in range(60))))


def a_coin(number: int, card_mm: tuple[float, float], rng: random.Random) -> Piece:
    """A coin beside a card."""
    x, y = card_mm[0] + rng.uniform(-15, 15), card_mm[1] + rng.choice([-1, 1]) * rng.uniform(8, 30)
    disc = Point(x, y).buffer(10)
    return Piece(f"u{number}", "coin", rng.choice(COINS), (x, y), disc, face="heads", sigma_mm=0.2)


def a_board(seed: int = 1) -> list[dict[str, object]]:
    """All hexes of a 700 x 500 mm mat."""
    rng = random.Random(seed)
    cells = [(q, r) for r in range(14) for q in range(-8, 18) if 0 <= GRID.centre((q, r))[0] <= 690]
    grounds = ("open", "open", "dense", "water", "road")
    return [
        {"q": q, "r": r, "terrain": rng.choice(grounds), "roads": rng.sample(range(6), rng.randint(0, 3))}
        for q, r in cells
    ]


def an_army(board: list[dict[str, object]], seed: int = 2) -> tuple[Scene, State]:
    """60 units of both sides on the board."""
    rng = random.Random(seed)
    pieces, known = [], {}
    for number, cell in enumerate(rng.sample(board, 60)):
        at = GRID.centre((int(str(cell["q"])), int(str(cell["r"]))))
        owner = rng.choice(["red", "blue"])
        pieces.append(Piece(f"u{number}", "soldier", "foot", at, Point(at).buffer(8), owner, sigma_mm=0.3))
        known[f"u{number}"] = {"roster": rng.choice(list(packaged_roster().unit))}
    grid = {"kind": "hex", "pitch_mm": GRID.pitch_mm, "origin_mm": list(GRID.origin_mm), "cells": board}
    return Scene(SIZE_MM, tuple(pieces)), State(pieces=known, grid=grid)


def moved(scene: Scene, step: int) -> Scene:
    """The scene with one unit moved by 40 mm or so: another one at each step."""
    units = [piece for piece in scene if piece.id.startswith("u")]
    mover = units[step % len(units)]
    at = mover.position_mm[0] + 38.1 * (1 if step % 2 else -1), mover.position_mm[1]
    shifted = replace(mover, position_mm=at, footprint=translate(mover.footprint, at[0] - mover.position_mm[0]))
    return replace(scene, pieces=tuple(shifted if piece.id == mover.id else piece for piece in scene))


def after_moves(game: Game, scene: Scene, setup: Setup, state: State) -> tuple[float, list[float]]:
    """Milliseconds of the first rulings, and of those after each of `MOVES` moves."""
    first = cpu_ms(lambda: game.rulings(scene, setup, state, None))
    scenes = [moved(scene, step) for step in range(MOVES)]
    return first, [cpu_ms(lambda s=now: game.rulings(s, setup, state, None)) for now in scenes]  # type: ignore[misc]


def peer_ms(board: list[dict[str, object]], scene: Scene) -> float:
    """networkx: least costs with a cutoff of 3 for every unit."""
    cells = {(int(str(c["q"])), int(str(c["r"]))): c["terrain"] for c in board}
    graph = nx.DiGraph()
    for cell in cells:
        for near in neighbours(cell):
            if near in cells and cells[near] != "water":
                graph.add_edge(cell, near, weight=2.0 if cells[near] == "dense" else 1.0)
    starts = [start for piece in scene if (start := GRID.cell_at(piece.position_mm)) in graph]
    return cpu_ms(lambda: [nx.single_source_dijkstra_path_length(graph, start, cutoff=3.0) for start in starts])


def report(name: str, first_ms: float, later_ms: list[float]) -> None:
    """Print median and p95 of the later ms, and the first."""
    ordered = sorted(later_ms)
    p95_ms = ordered[int(0.95 * len(ordered))]
    print(f"{name}: after a move {statistics.median(ordered):.1f} ms, p95 {p95_ms:.1f} ms (first {first_ms:.0f} ms)")


def main() -> None:
    """Print what the rulings of the two games cost."""
    report("pocket ", *after_moves(POCKET, a_battle(), Setup("pocket", SIZE_MM, PLAYERS), State()))
    board = a_board()
    scene, state = an_army(board)
    setup = Setup("omniwar", SIZE_MM, PLAYERS, legend=OMNIWAR.legend)
    report("omniwar", *after_moves(OMNIWAR, scene, setup, state))
    print(f"networkx, the costs of 60 units alone: {peer_ms(board, scene):.1f} ms")


if __name__ == "__main__":
    main()
