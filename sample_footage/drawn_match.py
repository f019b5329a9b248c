"""Matches drawn by chance, and all that hands do to coins: another camera, lamp, table, purse and pair of players each.

Hands move coins, slide them, take one and move on to its place, bring new ones, lay one on another, push a neighbour
aside with the sleeve, hover, and reach in from both sides at once (`sample_footage.play`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals_between
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.film import Film
from sample_footage.gesture import Seat
from sample_footage.ground import Ground, View
from sample_footage.hand import Person
from sample_footage.match_clip import match_frames, troubled_frames
from sample_footage.play import Play
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import camera_for, fits, light_for, one_coin, sensor_for
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sample_footage.block import Block
    from sample_footage.camera import Camera
    from sample_footage.clip_truth import Interval
    from sample_footage.coin import Coin
    from sample_footage.hex_table import HexTable
    from sample_footage.kick import Kick
    from sample_footage.light import Light
    from sample_footage.sensor import Sensor

LOOKS = ("plain", "dim", "warm", "oblique", "low-sun", "touching", "blur", "glare")
SURFACES = ("oak", "walnut", "pine", "green-cloth", "grey-cloth", "white")
SKINS_BGR = ((0.34, 0.46, 0.68), (0.15, 0.23, 0.42), (0.26, 0.38, 0.60), (0.08, 0.13, 0.24))
FPS = 15  # of a webcam in a room at night
LAST_S = 2.5

DEEDS: tuple[tuple[Callable[[Play], None], float], ...] = (
    (Play.move, 0.34),
    (Play.slide, 0.12),
    (Play.take, 0.14),
    (Play.bring, 0.10),
    (Play.stack, 0.08),
    (Play.brush, 0.08),
    (Play.hover, 0.07),
    (Play.both, 0.07),
)


@dataclass(frozen=True)
class DrawnMatch:
    """All that one clip is made from.

    grid          column and row of each card, where the game has them
    kicks         of the tripod
    light_shares  (time, share of the light) from then on
    """

    name: str
    look: str
    camera: Camera
    ground: Ground
    light: Light
    sensor: Sensor
    pieces: tuple[Coin | Block, ...]
    play: Play
    setup: str
    grid: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    kicks: tuple[Kick, ...] = ()
    light_shares: tuple[tuple[float, float], ...] = ((0.0, 1.0),)

    @property
    def stands(self) -> tuple[tuple[float, float, Camera], ...]:
        """From when to when which camera."""
        stands = [(0.0, self.duration_s, self.camera)]
        for kick in self.kicks:
            from_s, _, camera = stands.pop()
            stands += [(from_s, kick.at_s, camera), *kick.stands(camera, self.duration_s, FPS)]
        return tuple(stands)

    @property
    def duration_s(self) -> float:
        """From the first frame to a while after the last hand."""
        return max(reach.end_s for reach in self.play.reaches) + LAST_S


def drawn_match(number: int, seed: int, deeds: int = 6) -> DrawnMatch:
    """Match `number` of the set that is drawn from `seed`."""
    made = laid_out(number, np.random.default_rng([seed, number, 83]), Play)
    do(made.play, DEEDS, deeds)
    return made


def laid_out(number: int, rng: np.random.Generator, kind: type[Play]) -> DrawnMatch:
    """A map with a purse of coins, before any hand has come.

    kind  of what hands will do
    """
    look = LOOKS[number % len(LOOKS)]
    camera = camera_for(look, rng)
    ground = Ground(str(rng.choice(SURFACES)), True, int(rng.integers(1000)))
    light, sensor = light_for(look, camera, rng), moving(sensor_for(look, rng))
    classes = classes_of(("gbp", "eur", "usd")[int(rng.integers(3))])
    coins = purse(look, classes, rng)
    play = kind(rng, seats(rng), {coin.id: coin for coin in coins}, classes)
    setup = setup_toml(camera, map_file="kingsmere.geojson")
    return DrawnMatch(f"match-{number:03d}-{look}", look, camera, ground, light, sensor, coins, play, setup)


def moving(sensor: Sensor) -> Sensor:
    """The sensor of a still with noise that differs from frame to frame."""
    return replace(sensor, noise_fixed=0.6 * sensor.noise_fixed, noise_moving=0.7 * sensor.noise_fixed)


def classes_of(money: str) -> list[str]:
    """The coins of a currency that players carry in their purses."""
    return [cls for cls in COIN_STOCK if cls.startswith(money) and cls != "usd-1-silver"]


def do(play: Any, deeds: Sequence[tuple[Callable[[Any], None], float]], count: int) -> None:
    """Do so many of the deeds, chosen by chance as their weights say."""
    kinds, weights = zip(*deeds, strict=True)
    for kind in play.rng.choice(len(kinds), count, p=weights):
        kinds[kind](play)


def purse(look: str, classes: list[str], rng: np.random.Generator) -> tuple[Coin, ...]:
    """A dozen to two dozen coins of the two players, some owned by none; some touch where the look says so."""
    coins: list[Coin] = []
    wanted = int(rng.integers(12, 25))
    while len(coins) < wanted:
        at = (round(float(rng.uniform(24, 676)), 2), round(float(rng.uniform(24, 476)), 2))
        coin = one_coin(f"c{len(coins)}", str(rng.choice(classes)), at, rng)
        owner = str(rng.choice(["red", "blue", "none"], p=(0.42, 0.42, 0.16)))
        if fits(coin, coins, 0.3 if look == "touching" else 2.0):
            coins.append(replace(coin, owner=owner))
    return tuple(coins)


def seats(rng: np.random.Generator) -> tuple[Seat, Seat]:
    """Ann on the left and Ben on the right."""
    people = [person(rng) for _ in range(2)]
    near, far = float(rng.uniform(60, 440)), float(rng.uniform(60, 440))
    return Seat("Ann", "red", people[0], (-430.0, near)), Seat("Ben", "blue", people[1], (1130.0, far))


def person(rng: np.random.Generator) -> Person:
    """Of any skin and jumper."""
    return Person(
        SKINS_BGR[int(rng.integers(len(SKINS_BGR)))],
        (float(rng.uniform(0.05, 0.7)), float(rng.uniform(0.05, 0.7)), float(rng.uniform(0.05, 0.7))),
        str(rng.choice(["knit", "plain", "stripes"])),
        bool(rng.random() < 0.85),
        float(rng.uniform(0, 60)),
        float(rng.uniform(0.8, 1.5)),
        int(rng.integers(100)),
    )


def match_truth(made: DrawnMatch) -> dict[str, Any]:
    """The clip's truth; its events have no verdict, for no rules were kept."""
    changes = made.play.changes
    brought = [change.after for change in changes if change.before is None and change.after is not None]
    truth = clip_truth(
        f"{made.name}.mp4",
        f"{made.name}.setup.toml",
        made.duration_s,
        FPS,
        [*made.pieces, *brought],
        intervals_between(made.pieces, changes, made.duration_s),
        made.play.reaches,
        [change.record for change in sorted(changes, key=lambda change: change.put_s)],
        [],
        made.stands,
    )
    board = {"mat": mat_record(made.ground.mat)} if made.ground.mat is not None else {}
    troubles = {"kicks_s": [round(kick.at_s, 3) for kick in made.kicks]} if made.kicks else {}
    return {**truth, **board, **({"grid": dict(made.grid)} if made.grid else {}), **troubles}


def mat_record(mat: HexTable) -> dict[str, Any]:
    """The hexes as they are printed, where the mat lies, and the papers on it."""
    return {
        "pitch_mm": mat.pitch_mm,
        "origin_mm": list(mat.origin_mm),
        "direction_deg": mat.direction_deg,
        "region_mm": list(mat.region_mm),
        "style": mat.style,
        "paper": mat.paper,
        "cuttings": [{"colour": one.colour, "corners_mm": one.corners_mm} for one in mat.cuttings],
    }


def write_drawn_match(made: DrawnMatch, out: Path, film: Film | None = None) -> None:
    """Clip, truth and set-up in a folder that holds the map, if the game has one; the clip last.

    film  draws it; by default what lies there on its ground
    """
    write_whole(out / f"{made.name}.setup.toml", made.setup)
    write_whole(out / f"{made.name}.truth.json", json.dumps(match_truth(made), indent=1) + "\n")
    cuts = intervals_between(made.pieces, made.play.changes, made.duration_s)
    count, reaches = round(made.duration_s * FPS), made.play.reaches
    frames = match_frames(film, cuts, reaches, count, FPS) if film else troubled(made, cuts, count)
    write_clip(out / f"{made.name}.mp4", frames, FPS, crf=22, preset="veryfast")


def troubled(made: DrawnMatch, cuts: Sequence[Interval], count: int) -> Iterator[NDArray[np.uint8]]:
    """The first `count` frames of a match, by its camera where it stands at the time and in the light of the time."""
    return troubled_frames(
        lambda camera: Film(View(camera, made.ground, made.light), made.sensor),
        made.stands,
        made.light_shares,
        cuts,
        made.play.reaches,
        count,
        FPS,
    )
