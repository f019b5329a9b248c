"""Matches drawn by chance, and all that hands do to coins: another camera, lamp, table, purse and pair of players each.

Hands move coins, slide them, take one and move on to its place, bring new ones, lay one on another, push a neighbour
aside with the sleeve, hover, and reach in from both sides at once. No rules are kept: what is right is what happened.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import Change, clip_truth, intervals_between
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.film import Film
from sample_footage.gesture import AWAY_MM, LIFT_MM, Gesture, Seat
from sample_footage.ground import Ground, View
from sample_footage.hand import Person
from sample_footage.match_clip import match_frames
from sample_footage.setup_file import setup_toml, write_whole
from sample_footage.still_pictures import camera_for, fits, light_for, one_coin, sensor_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sample_footage.camera import Camera
    from sample_footage.coin import Coin
    from sample_footage.light import Light
    from sample_footage.sensor import Sensor

Point = tuple[float, float]

LOOKS = ("plain", "dim", "warm", "oblique", "low-sun", "touching", "blur", "glare")
SURFACES = ("oak", "walnut", "pine", "green-cloth", "grey-cloth", "white")
SKINS_BGR = ((0.34, 0.46, 0.68), (0.15, 0.23, 0.42), (0.26, 0.38, 0.60), (0.08, 0.13, 0.24))
FPS = 15  # of a webcam in a room at night
FIRST_S, LAST_S = 2.0, 2.5
# From a hand that is gone to the next: a quick player's to a thoughtful one's.
PAUSE_S = (0.6, 2.5)
PACES = (1.0, 3.0)
# Of the two hands of one visit the second comes before the first is quite out.
AT_ONCE_S = 1.0
# A sleeve that brushes a coin.
BRUSH_MM = (5.0, 14.0)
# Where the coin is that a hand brings: in the fingers, at the end of the arm.
BROUGHT_MM = 5.0


@dataclass
class Play:
    """A match while it is drawn: what lies, what the hands do, what changes."""

    rng: np.random.Generator
    seats: tuple[Seat, Seat]
    lying: dict[str, Coin]
    classes: list[str]
    t_s: float = FIRST_S
    reaches: list[Gesture] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def move(self, lift_mm: float = LIFT_MM) -> None:
        """A coin goes elsewhere."""
        coin = self._any_coin()
        self._reach(coin, self._free_place(coin), lift_mm)

    def slide(self) -> None:
        """A coin is pushed elsewhere with a finger."""
        self.move(lift_mm=0.0)

    def take(self) -> None:
        """A coin is taken, and another of the mover's goes to its place."""
        taken, mover = self._any_coin(), self._any_coin()
        seat = self._reach(taken, None)
        if mover.id != taken.id and mover.id in self.lying:
            at = taken.position_mm if self._is_free(mover, taken.position_mm) else self._free_place(mover)
            self._reach(mover, at, seat=seat)

    def bring(self) -> None:
        """A new coin comes on to the table."""
        seat, name = self._seat(), f"new{len(self.changes)}"
        coin = one_coin(name, str(self.rng.choice(self.classes)), (0.0, 0.0), self.rng)
        to_mm = self._free_place(coin)
        x, y = np.subtract(to_mm, seat.shoulder_mm) / math.dist(to_mm, seat.shoulder_mm)
        at = (seat.shoulder_mm[0] + BROUGHT_MM * x, seat.shoulder_mm[1] + BROUGHT_MM * y)
        held = replace(coin, owner=seat.colour, position_mm=at, low_mm=AWAY_MM)
        self._reach(held, to_mm, seat=seat, brings=True)

    def stack(self) -> None:
        """A coin is laid on another that nothing lies on."""
        upper, lower = self._any_coin(), self._any_coin()
        if upper.id != lower.id and lower.radius_mm >= upper.radius_mm - 1.0 and lower.on is None:
            self._reach(upper, lower.position_mm, on=lower)
        else:
            self.move()

    def brush(self) -> None:
        """A coin goes elsewhere, and the sleeve pushes another a little aside."""
        self.move()
        coin, turn = self._any_coin(), self.rng.uniform(0, math.tau)
        far = self.rng.uniform(*BRUSH_MM)
        at = (coin.position_mm[0] + far * math.cos(turn), coin.position_mm[1] + far * math.sin(turn))
        last = self.reaches[-1]
        if coin.id != last.coin.id and coin.on is None and self._is_free(coin, at):
            self._change(Change(last.put_s, last.put_s, coin, replace(coin, position_mm=at)), last.seat)

    def hover(self) -> None:
        """A hand that thinks and goes."""
        seat, coin = self._seat(), self._any_coin()
        self._add(Gesture(seat, self.t_s, coin, None, holds=False, hover_s=float(self.rng.uniform(0.8, 3.0))))

    def both(self) -> None:
        """Both players reach in, one a little after the other."""
        first, second = self._any_coin(), self._any_coin()
        begun_s = self.t_s
        self._reach(first, self._free_place(first), seat=self.seats[0])
        if second.id != first.id:
            done_s, self.t_s = self.t_s, max(begun_s, self.reaches[-1].put_s - AT_ONCE_S)
            self._reach(second, self._free_place(second), seat=self.seats[1])
            self.t_s = max(self.t_s, done_s)

    def _reach(
        self,
        coin: Coin,
        to_mm: Point | None,
        lift_mm: float = LIFT_MM,
        seat: Seat | None = None,
        on: Coin | None = None,
        brings: bool = False,
    ) -> Seat:
        """One hand does that to the coin; whose."""
        seat, pace = seat or self._seat(), float(self.rng.uniform(*PACES))
        low_mm = on.high_mm if on is not None else 0.0
        reach = Gesture(seat, self.t_s, coin, to_mm, low_mm, pace=pace, lift_mm=lift_mm, brings=brings)
        self._add(reach)
        after = None
        if to_mm is not None:
            put = reach.held_coin(reach.put_s)
            after = replace(put, position_mm=to_mm, low_mm=low_mm, on=on.id if on is not None else None)
        self._change(Change(reach.taken_s, reach.put_s, None if brings else coin, after), seat)
        return seat

    def _add(self, reach: Gesture) -> None:
        self.reaches.append(reach)
        self.t_s = reach.end_s + float(self.rng.uniform(*PAUSE_S))

    def _change(self, change: Change, seat: Seat) -> None:
        self.changes.append(replace(change, player=seat.name))
        for coin in (change.before, change.after):
            if coin is not None:
                self.lying.pop(coin.id, None)
        if change.after is not None:
            self.lying[change.after.id] = change.after

    def _seat(self) -> Seat:
        return self.seats[int(self.rng.integers(2))]

    def _any_coin(self) -> Coin:
        """One that nothing lies on."""
        under = {coin.on for coin in self.lying.values()}
        names = [name for name in self.lying if name not in under]
        return self.lying[str(self.rng.choice(names))]

    def _free_place(self, coin: Coin) -> Point:
        while True:
            at = (round(float(self.rng.uniform(24, 676)), 2), round(float(self.rng.uniform(24, 476)), 2))
            if self._is_free(coin, at) and math.dist(at, coin.position_mm) > 2 * coin.radius_mm:
                return at

    def _is_free(self, coin: Coin, at_mm: Point) -> bool:
        others = [other for other in self.lying.values() if other.id != coin.id]
        return fits(replace(coin, position_mm=at_mm), others, 2.0)


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
    """All that one clip is made from."""

    name: str
    look: str
    camera: Camera
    ground: Ground
    light: Light
    sensor: Sensor
    coins: tuple[Coin, ...]
    play: Play

    @property
    def duration_s(self) -> float:
        """From the first frame to a while after the last hand."""
        return max(reach.end_s for reach in self.play.reaches) + LAST_S


def drawn_match(number: int, seed: int, deeds: int = 6) -> DrawnMatch:
    """The match of that number in the set of that seed."""
    rng = np.random.default_rng([seed, number, 83])
    look = LOOKS[number % len(LOOKS)]
    camera = camera_for(look, rng)
    ground = Ground(str(rng.choice(SURFACES)), True, int(rng.integers(1000)))
    light, sensor = light_for(look, camera, rng), sensor_for(look, rng)
    moving = replace(sensor, noise_fixed=0.6 * sensor.noise_fixed, noise_moving=0.7 * sensor.noise_fixed)
    money = ("gbp", "eur", "usd")[int(rng.integers(3))]
    classes = [cls for cls in COIN_STOCK if cls.startswith(money) and cls != "usd-1-silver"]
    coins = purse(look, classes, rng)
    play = Play(rng, seats(rng), {coin.id: coin for coin in coins}, classes)
    kinds, weights = zip(*DEEDS, strict=True)
    for kind in rng.choice(len(kinds), deeds, p=weights):
        kinds[kind](play)
    return DrawnMatch(f"match-{number:03d}-{look}", look, camera, ground, light, moving, coins, play)


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
    """Ann on the left and Ben on the right, each of any skin and jumper."""
    people = [
        Person(
            SKINS_BGR[int(rng.integers(len(SKINS_BGR)))],
            (float(rng.uniform(0.05, 0.7)), float(rng.uniform(0.05, 0.7)), float(rng.uniform(0.05, 0.7))),
            str(rng.choice(["knit", "plain", "stripes"])),
            bool(rng.random() < 0.85),
            float(rng.uniform(0, 60)),
            float(rng.uniform(0.8, 1.5)),
            int(rng.integers(100)),
        )
        for _ in range(2)
    ]
    near, far = float(rng.uniform(60, 440)), float(rng.uniform(60, 440))
    return Seat("Ann", "red", people[0], (-430.0, near)), Seat("Ben", "blue", people[1], (1130.0, far))


def match_truth(made: DrawnMatch) -> dict[str, Any]:
    """The clip's truth; its events have no verdict, for no rules were kept."""
    changes = made.play.changes
    brought = [change.after for change in changes if change.before is None and change.after is not None]
    return clip_truth(
        f"{made.name}.mp4",
        f"{made.name}.setup.toml",
        made.duration_s,
        FPS,
        [*made.coins, *brought],
        intervals_between(made.coins, changes, made.duration_s),
        made.play.reaches,
        [change.record for change in sorted(changes, key=lambda change: change.put_s)],
        [],
        [(0.0, made.duration_s, made.camera)],
    )


def write_drawn_match(made: DrawnMatch, out: Path) -> None:
    """Clip, truth and set-up in a folder that holds the map; the clip last."""
    write_whole(out / f"{made.name}.setup.toml", setup_toml(made.camera, map_file="kingsmere.geojson"))
    write_whole(out / f"{made.name}.truth.json", json.dumps(match_truth(made), indent=1) + "\n")
    film = Film(View(made.camera, made.ground, made.light), made.sensor)
    cuts = intervals_between(made.coins, made.play.changes, made.duration_s)
    count = round(made.duration_s * FPS)
    write_clip(
        out / f"{made.name}.mp4",
        match_frames(film, cuts, made.play.reaches, count, FPS),
        FPS,
        crf=22,
        preset="veryfast",
    )
