"""Matches of OmniWar drawn by chance: coins with dots on hex mats that cover the table or part of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.drawn_match import DrawnMatch, classes_of, do, moving
from sample_footage.ground import Ground
from sample_footage.hex_play import HEX_DEEDS, HexPlay
from sample_footage.hex_table import PAPERS, STYLES, TABLE_MM, Cutting, HexTable
from sample_footage.pocket_match import edges
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM, camera_for, light_for, one_coin, sensor_for
from sample_footage.thing_pictures import SURFACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample_footage.camera import Camera

LOOKS = ("plain", "oblique", "dim", "warm", "low-sun", "blur", "glare")
UNITS = (8, 18)
PITCH_MM = (29.0, 52.0)
# Of three units two are near their own edge; one in twelve bears no dot and is a marker; of five mats two are a part.
AT_HOME, BARE, PART = 0.67, 0.08, 0.4
# So many papers lie on half the mats.
CUTTINGS = (2, 5)
CUTTING_BGR = {"green": (60, 130, 70), "blue": (190, 120, 50)}
# Whoever measured his lens, and whoever did not; the mat's sides tell the table where it covers it.
SETUPS, SETUP_SHARES = ("points", "no lens", "sides"), (0.45, 0.25, 0.3)
# What the coins of a purse stand for, by turns.
ROSTER = ("Army squad", "Machine gun", "Scout team", "Mortar crew", "Tank", "Transport", "Hover tank", "Army squad")


def omniwar_match(number: int, seed: int, deeds: int = 6) -> DrawnMatch:
    """Match `number` of the set that is drawn from `seed`."""
    made = mustered(number, seed, np.random.default_rng([seed, number, 101]), HexPlay)
    do(made.play, HEX_DEEDS, deeds)
    return set_up(made)


def mustered(number: int, seed: int, rng: np.random.Generator, kind: type[HexPlay]) -> DrawnMatch:
    """A mat with units on it, before any hand has come, and without a set-up.

    kind  of what hands will do
    """
    look = LOOKS[number % len(LOOKS)]
    camera, mat = camera_for(look, rng), mat_for(number + seed, rng)
    ground = Ground(str(rng.choice(SURFACES)), False, int(rng.integers(1000)), mat)
    light, sensor = light_for(look, camera, rng), moving(sensor_for(look, rng))
    classes = classes_of(("gbp", "eur", "usd")[int(rng.integers(3))])
    play = kind(rng, edges(rng), {}, classes, mat=mat)
    muster(play, int(rng.integers(*UNITS)))
    name = f"match-{number:03d}-omniwar-{look}"
    return DrawnMatch(name, look, camera, ground, light, sensor, tuple(play.lying.values()), play, setup="")


def set_up(made: DrawnMatch) -> DrawnMatch:
    """As a player would."""
    assert made.ground.mat is not None
    return replace(made, setup=setup_for(made.camera, made.ground.mat, made.play.classes, made.play.rng))


def mat_for(number: int, rng: np.random.Generator) -> HexTable:
    """Of the style whose turn it is, and any paper."""
    style, paper = STYLES[number % len(STYLES)], str(rng.choice(PAPERS))
    part = _part(rng) if rng.random() < PART else None
    origin = tuple(round(float(value), 2) for value in rng.uniform(100, 300, 2))
    mat = HexTable(
        round(float(rng.uniform(*PITCH_MM)), 2), round(float(rng.uniform(0, 60)), 2), origin, style, paper,  # type: ignore[arg-type]
        part, 0, int(rng.integers(1000)),
    )  # fmt: skip
    return replace(mat, cuttings=_cuttings(mat, rng)) if rng.random() < 0.5 else mat


def _part(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """A sheet somewhere on the table."""
    width, depth = float(rng.uniform(380, 560)), float(rng.uniform(270, 400))
    x0, y0 = float(rng.uniform(20, TABLE_MM[0] - width - 20)), float(rng.uniform(20, TABLE_MM[1] - depth - 20))
    return round(x0, 1), round(y0, 1), round(x0 + width, 1), round(y0 + depth, 1)


def _cuttings(mat: HexTable, rng: np.random.Generator) -> tuple[Cutting, ...]:
    """Papers torn round about a hex or a few."""
    x0, y0, x1, y1 = mat.region_mm
    found = []
    for _ in range(int(rng.integers(*CUTTINGS))):
        colour = str(rng.choice(list(CUTTING_BGR)))
        bgr = tuple(float(v) for v in np.array(CUTTING_BGR[colour]) * rng.uniform(0.8, 1.2))
        middle = rng.uniform((x0 + 60, y0 + 60), (x1 - 60, y1 - 60))
        turns = np.sort(rng.uniform(0, 2 * np.pi, 9)) + np.linspace(0, 0.3, 9)
        radius = mat.pitch_mm * rng.uniform(0.7, 1.3) * rng.uniform(0.85, 1.15, 9)
        corners = middle + radius[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
        found.append(Cutting(colour, bgr, tuple((float(x), float(y)) for x, y in corners)))  # type: ignore[arg-type]
    return tuple(found)


def muster(play: HexPlay, count: int) -> None:
    """Put units of both players on the mat, most of them near their own edge."""
    depth = sorted(play.cells, key=lambda cell: play.mat.grid.centre(cell)[1])
    third = max(len(depth) // 3, 1)
    for index in range(count):
        far = index % 2
        at_home = depth[-third:] if far else depth[:third]
        coin = one_coin(f"c{index}", str(play.rng.choice(play.classes)), (0.0, 0.0), play.rng)
        owner = play.seats[far].colour if play.rng.random() > BARE else "none"
        while True:
            choice = at_home if play.rng.random() < AT_HOME else depth
            at = play.place_in(choice[int(play.rng.integers(len(choice)))])
            if play._lies_well(coin, at):
                break
        play.lying[coin.id] = replace(coin, position_mm=at, owner=owner)


def setup_for(camera: Camera, mat: HexTable, classes: Sequence[str], rng: np.random.Generator) -> str:
    """As a player would write it: the table by its corners or the mat's sides, and what the coins stand for."""
    way = str(rng.choice(SETUPS, p=SETUP_SHARES))
    text = setup_toml(
        camera, KNOWN_POINTS_MM, game="omniwar", sides=("near", "far"), has_lens=way != "no lens",
        is_by_sides=way == "sides" and mat.part_mm is None,
    )  # fmt: skip
    return text + "\n[legend]\n" + "".join(f'{cls} = "{name}"\n' for cls, name in zip(classes, ROSTER, strict=False))
