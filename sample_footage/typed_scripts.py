"""What is played in the sample matches with no camera: four short ones, each with a move against the rules."""

from __future__ import annotations

from shapely import Point, box

from rules.state import State
from sample_footage.typed_matches import INCH_MM, TypedMatch, card, coin, figure, thing

_ROWS = (
    ("4H", "9C", "2D", "7H", "3S", "KH", "5D", "10C"),
    ("6D", "2H", "8S", "5H", "4D", "9H", "QS", "3H"),
    ("JC", "7D", "AH", "6H", "10D", "2S", "8H", "4C"),
    ("5C", "3D", "QH", "9S", "8D", "JH", "7C", "6S"),
)

POCKET = TypedMatch(
    "pocket",
    (640.0, 420.0),
    (
        *(card(column, row, cls) for row, line in enumerate(_ROWS, 1) for column, cls in enumerate(line, 1)),
        coin("red-horse", "gbp-5p", (280.0, 140.0), "red"),
        coin("red-guns", "gbp-50p", (210.0, 140.0), "red"),
        coin("red-foot", "gbp-2p", (350.0, 44.0), "red"),
        coin("blue-horse", "gbp-10p", (280.0, 276.0), "blue"),
        coin("blue-bows", "gbp-20p", (420.0, 372.0), "blue"),
    ),
    (
        ("move", "red-horse", 280.0, 236.0),
        ("move", "red-foot", 350.0, 140.0),
        ("move", "red-foot", 350.0, 44.0),
        ("phase",),
        ("phase",),
        ("attack", "red-guns", "blue-horse"),
        ("phase",),
        ("phase",),
        ("move", "red-foot", 350.0, 140.0),
        ("phase",),
        ("move", "blue-bows", 420.0, 276.0),
        ("phase",),
        ("remove", "blue-horse"),
    ),
    State(turn=2, phase="cavalry", active="Ann"),
)

OMOG = TypedMatch(
    "omog",
    (900.0, 600.0),
    (
        thing("mill", "mug", Point(450.0, 330.0).buffer(42.0), 95.0),
        thing("copse", "napkin", box(560.0, 120.0, 700.0, 250.0)),
        thing("wall", "pencils", box(250.0, 300.0, 390.0, 314.0), 8.0),
        figure("r1", "soldier", "foot", (250.0, 180.0), "red"),
        figure("r2", "soldier", "foot", (285.0, 180.0), "red"),
        figure("r3", "soldier", "foot", (320.0, 180.0), "red"),
        figure("b1", "soldier", "foot", (300.0, 480.0), "blue"),
        figure("b2", "soldier", "foot", (340.0, 480.0), "blue"),
        figure("b3", "soldier", "mounted", (700.0, 480.0), "blue"),
    ),
    (
        ("phase",),
        ("move", "r1", 250.0, 275.0),
        ("move", "r2", 285.0, 275.0),
        ("move", "r3", 320.0, 420.0),
        ("move", "r3", 320.0, 180.0),
        ("move", "r3", 320.0, 275.0),
        ("phase",),
        ("move", "b1", 300.0, 400.0),
        ("move", "b3", 650.0, 345.0),
        ("phase",),
        ("attack", "r2", "b1"),
        ("remove", "b1"),
        ("phase",),
    ),
)

_CARDS = {
    "red-hero": {"hero": True, "spd_in": 5, "hp": 12, "atk": 3},
    "red-archer": {"keywords": ["Ranged(2, 9)"], "spd_in": 4, "hp": 5, "atk": 1},
    "blue-hero": {"hero": True, "spd_in": 5, "hp": 12, "atk": 3},
    "blue-brute": {"keywords": ["Taunt"], "spd_in": 4, "hp": 8, "atk": 2},
}

OSMCG = TypedMatch(
    "osmcg",
    (24 * INCH_MM, 24 * INCH_MM),
    (
        thing("tower", "mug", Point(304.8, 220.0).buffer(42.0), 95.0),
        thing("crate", "box", box(400.0, 330.0, 470.0, 400.0), 60.0),
        figure("red-hero", "base", "base", (300.0, 110.0), "red"),
        figure("red-archer", "base", "base", (220.0, 120.0), "red"),
        figure("blue-hero", "base", "base", (310.0, 500.0), "blue"),
        figure("blue-brute", "base", "base", (200.0, 400.0), "blue"),
    ),
    (
        ("move", "red-archer", 215.0, 215.0),
        ("attack", "red-archer", "blue-brute"),
        ("move", "red-hero", 300.0, 400.0),
        ("move", "red-hero", 300.0, 110.0),
        ("move", "red-hero", 390.0, 200.0),
        ("phase",),
    ),
    State(phase="activation", active="Ann", pieces=_CARDS),
)

OMNIWAR = TypedMatch(
    "omniwar",
    (600.0, 420.0),
    (
        thing("wood", "box", box(314.0, 184.0, 343.0, 212.0), 30.0),
        coin("red-tank", "gbp-2p", (100.0, 66.0), "red"),
        coin("red-mortar", "gbp-20p", (138.1, 66.0), "red"),
        coin("blue-tank", "gbp-2p", (328.6, 264.0), "blue"),
        coin("blue-scout", "gbp-5p", (233.4, 231.0), "blue"),
    ),
    (
        ("move", "red-tank", 157.2, 99.0),
        ("move", "red-mortar", 290.5, 66.0),
        ("move", "red-mortar", 138.1, 66.0),
        ("phase",),
        ("attack", "red-mortar", "blue-scout"),
        ("remove", "blue-scout"),
        ("phase",),
        ("move", "blue-tank", 271.5, 231.0),
        ("phase",),
        ("attack", "blue-tank", "red-tank"),
    ),
    State(
        turn=2,
        phase="move",
        active="Ann",
        pieces={
            "red-tank": {"roster": "Tank"},
            "red-mortar": {"roster": "Mortar crew"},
            "blue-tank": {"roster": "Tank"},
            "blue-scout": {"roster": "Scout team"},
        },
        grid={"kind": "hex", "pitch_mm": 38.1, "origin_mm": [100.0, 66.0], "turn_deg": 0.0, "top": "pointy"},
    ),
)

TYPED_MATCHES = (OMOG, OSMCG, POCKET, OMNIWAR)
