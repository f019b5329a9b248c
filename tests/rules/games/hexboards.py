"""Building scenes for OmniWar: a hex board in the state, and units on its hexes."""

from shapely import Point

from rules.geometry.hexes import HexGrid
from rules.scene import Piece, Scene
from rules.state import State

GRID = HexGrid(40.0, (300.0, 300.0))


def a_unit(id_, cell, owner="red", dx=0.0, **more):
    x, y = GRID.centre(cell)
    return Piece(id_, "soldier", "foot", (x + dx, y), Point(x + dx, y).buffer(8), owner=owner, **more)


def a_scene(*pieces):
    return Scene((700.0, 700.0), pieces)


def a_state(board, units, **more):
    """board: {cell: terrain or (terrain, roads)}; units: {id: roster name or dict}."""
    cells = []
    for (q, r), ground in board.items():
        terrain, roads = (ground, []) if isinstance(ground, str) else ground
        cells.append({"q": q, "r": r, "terrain": terrain, "roads": list(roads)})
    grid = {"kind": "hex", "pitch_mm": 40.0, "origin_mm": [300, 300], "turn_deg": 0, "top": "pointy", "cells": cells}
    known = {id_: ({"roster": said} if isinstance(said, str) else said) for id_, said in units.items()}
    return State(pieces=known, grid=grid, **more)


def a_disc(radius, terrain="open"):
    return {
        (q, r): terrain for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if abs(q + r) <= radius
    }
