"""Crops of dice as a camera sees them: rounded cubes traced ray by ray, of any colour, with pips of any other.

The drawn tables of `models.training.flat_tables` show dice as flat parallelograms with pips in black or white. These have
round edges that catch the lamp, pips in red on grey or olive on red, marbled and metal bodies, neighbours that touch,
and a camera as near as a hand's breadth, which sees the sides beside the top.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import DIE_CROP_PX, DIE_CROP_PX_PER_MM, DIE_SIDE_MM, PIPS
from models.training.jpeg import compressed

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]

_FINER = 2
_STEPS, _NEAR_MM = 28, 0.05
_NONE = PIPS.index("none")
_PLACES = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)), 6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Die:
    """A die on the table (z up, mm); `faces` are the pips at +x, +y, -x, -y and on top."""

    at_mm: Array
    turn_rad: float
    side_mm: float
    round_mm: float
    ball_mm: float
    faces: tuple[int, int, int, int, int]
    body_bgr: Array
    ink_bgr: Array
    spread: float
    pip: float
    one: float
    marble: float
    gloss: float
    wave: Array

    def own(self, points: Array) -> Array:
        """Points (n, 3) of the table in the die's frame, its middle at zero."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        x, y = points[:, 0] - self.at_mm[0], points[:, 1] - self.at_mm[1]
        return np.stack([c * x + s * y, c * y - s * x, points[:, 2] - self.side_mm / 2], axis=1)

    def away(self, own: Array) -> Array:
        """(n,) distance to its surface: a cube with round edges, cut by a ball as many dice are."""
        off = np.abs(own) - (self.side_mm / 2 - self.round_mm)
        outside = np.sqrt(np.square(np.maximum(off, 0)).sum(axis=1))
        cube = outside + np.minimum(off.max(axis=1), 0) - self.round_mm
        return np.asarray(np.maximum(cube, np.sqrt(np.square(own).sum(axis=1)) - self.ball_mm), np.float32)


@dataclass(frozen=True, eq=False)
class Lamp:
    """Where the light comes from, how strong it is beside the room's, and its mirror image's sharpness."""

    way: Array
    direct: float
    sharp: float
    window: float


def drawn_dice(grounds: NDArray[np.uint8], count: int, rng: np.random.Generator) -> tuple[Picture, NDArray[np.int64]]:
    """Crops (count, 48, 48, 3) and their classes (`models.pieces.PIPS`); one in eight shows a side where a top should be.

    grounds  (m, height, width, 3) top views of tables without dice where the crop is cut
    """
    told = [_drawn(grounds[rng.integers(len(grounds))], rng) for _ in range(count)]
    return np.stack([crop for crop, _ in told]), np.array([answer for _, answer in told])


def _drawn(ground: NDArray[np.uint8], rng: np.random.Generator) -> tuple[Picture, int]:
    die = _a_die(np.zeros(2, np.float32), rng)
    others = [_beside(die, rng) for _ in range(int(rng.choice([0, 0, 1, 2, 3])))] if rng.random() < 0.5 else []
    elevation, azimuth = np.radians(rng.uniform(32, 90)), rng.uniform(0, 2 * np.pi)
    level = np.array([np.cos(azimuth), np.sin(azimuth)])
    reach_mm = float(np.exp(rng.uniform(np.log(200), np.log(1100))))
    eye = np.append(level * np.cos(elevation), np.sin(elevation)) * reach_mm
    at_mm, answer = _aim(die, eye, rng)
    scale = DIE_CROP_PX_PER_MM * np.exp(rng.normal(0, 0.08))
    crop = _shot(ground, [die, *others], np.asarray(eye, np.float32), at_mm, float(scale), rng)
    return _as_seen(crop, rng), answer


def _aim(die: Die, eye: NDArray[np.float64], rng: np.random.Generator) -> tuple[Array, int]:
    """Where a detector points: at the top face as it shows on the table, a little towards the whole die's middle; at
    times at the side that shows most, which is no top."""
    lift = eye[2] / (eye[2] - die.side_mm)
    top = eye[:2] + (np.zeros(2) - eye[:2]) * lift
    slant = float(np.linalg.norm(top)) / die.side_mm
    if slant > 0.55 and rng.random() < 0.3:
        normals = die.turn_rad + np.arange(4) * np.pi / 2
        facing = int(np.argmax(np.cos(normals) * eye[0] + np.sin(normals) * eye[1]))
        middle = die.side_mm / 2 * np.array([np.cos(normals[facing]), np.sin(normals[facing])])
        shown = eye[:2] + (middle - eye[:2]) * (eye[2] / (eye[2] - die.side_mm / 2))
        return np.asarray(shown + rng.normal(0, 0.8, 2), np.float32), _NONE
    towards = -top * rng.uniform(0, 0.3)
    return np.asarray(top + towards + rng.normal(0, 0.8, 2), np.float32), die.faces[4] - 1


def _a_die(at_mm: Array, rng: np.random.Generator) -> Die:
    side = DIE_SIDE_MM * float(rng.choice([1.0, rng.uniform(0.7, 1.25)]))
    top = int(rng.integers(1, 7))
    x, y = rng.permutation([n for n in (1, 2, 3) if n not in (top, 7 - top)])
    x, y = (int(n if rng.random() < 0.5 else 7 - n) for n in (x, y))
    body, ink = _colours(rng)
    return Die(
        at_mm, float(rng.uniform(0, np.pi / 2)), side, side * float(rng.uniform(0.03, 0.2)),
        side * float(rng.uniform(0.66, 0.88)), (x, y, 7 - x, 7 - y, top), body, ink, float(rng.uniform(0.23, 0.3)),
        float(rng.uniform(0.065, 0.115)), float(rng.choice([1.0, 1.0, 1.0, rng.uniform(1.2, 2.2)])),
        float(rng.choice([0.0, rng.uniform(0, 0.5)])), float(rng.uniform(0, 1) ** 2),
        rng.normal(0, 2.5 / side, (3, 3)).astype(np.float32),
    )  # fmt: skip


def _beside(die: Die, rng: np.random.Generator) -> Die:
    """Another die that touches it or nearly."""
    way = rng.uniform(0, 2 * np.pi)
    apart = die.side_mm * rng.uniform(1.15, 1.8)
    return _a_die(np.asarray(apart * np.array([np.cos(way), np.sin(way)]), np.float32), rng)


def _colours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Body and pips, BGR 0 to 255, that a person can tell apart: by lightness, or by hue alone."""
    while True:
        kind = rng.random()
        body = rng.uniform(195, 250) * rng.normal(1, 0.03, 3) if kind < 0.25 else _paint(rng)
        ink = (
            rng.uniform(0, 50, 3)
            if rng.random() < 0.3
            else np.full(3, rng.uniform(200, 250))
            if rng.random() < 0.4
            else _paint(rng)
        )
        lab = cv2.cvtColor(np.clip([[body, ink]], 0, 255).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
        if np.linalg.norm(lab[0] - lab[1]) > 38 and np.abs(lab[0] - lab[1])[0] > 8:
            return np.clip(body, 0, 255).astype(np.float32), np.clip(ink, 0, 255).astype(np.float32)


def _paint(rng: np.random.Generator) -> NDArray[np.float64]:
    hue, strong, bright = rng.uniform(0, 180), 255 * rng.uniform(0, 1) ** 0.5, rng.uniform(25, 245)
    return cv2.cvtColor(np.uint8([[[hue, strong, bright]]]), cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def _shot(
    ground: NDArray[np.uint8], dice: list[Die], eye: Array, at_mm: Array, px_per_mm: float, rng: np.random.Generator
) -> Array:
    """The crop about `at_mm` of the table plane, at twice its scale."""
    side = DIE_CROP_PX * _FINER
    turn = rng.uniform(0, 2 * np.pi)
    v, u = (np.mgrid[0:side, 0:side] + 0.5 - side / 2) / (px_per_mm * _FINER)
    x, y = np.cos(turn) * u - np.sin(turn) * v, np.sin(turn) * u + np.cos(turn) * v
    floor = np.stack([x.ravel() + at_mm[0], -y.ravel() + at_mm[1], np.zeros(side * side)], axis=1).astype(np.float32)
    lamp = _a_lamp(rng)
    crop = _lit_ground(ground, floor, dice, lamp, side, rng)
    way = floor - eye
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    which, points = _hits(dice, eye, way)
    for number, die in enumerate(dice):
        hit = which == number
        crop[hit] = _shaded(die, points[hit], way[hit], lamp)
    return crop.reshape(side, side, 3)


def _hits(dice: list[Die], eye: Array, way: Array) -> tuple[NDArray[np.int_], Array]:
    """(n,) which die each ray meets, -1 for none, and where (n, 3): sphere tracing (Hart 1996) from above the dice."""
    tallest = max(die.side_mm for die in dice) + 0.5
    points = eye + way * ((tallest - eye[2]) / way[:, 2])[:, None]
    open_ = np.ones(len(way), bool)
    which = np.full(len(way), -1)
    for _ in range(_STEPS):
        away = np.stack([die.away(die.own(points[open_])) for die in dice])
        nearest = away.min(axis=0)
        points[open_] += way[open_] * np.maximum(nearest, 0)[:, None]
        rows = np.flatnonzero(open_)
        met = nearest < _NEAR_MM
        which[rows[met]] = away.argmin(axis=0)[met]
        open_[rows[met | (points[rows, 2] < 0)]] = False
        if not open_.any():
            break
    which[points[:, 2] < -0.2] = -1
    return which, points


def _shaded(die: Die, points: Array, way: Array, lamp: Lamp) -> Array:
    """(n, 3) what a die sends to the camera: its paint in the light, and the lamp and a window mirrored."""
    own = die.own(points)
    normal = _normals(die, own)
    paint = die.body_bgr * (1 + die.marble * np.sin(own @ die.wave.T * 3).sum(axis=1, keepdims=True) / 2)
    inked = _inked(die, own, normal)
    paint = paint * (1 - inked) + die.ink_bgr * inked
    c, s = np.cos(die.turn_rad), np.sin(die.turn_rad)
    world = np.stack([c * normal[:, 0] - s * normal[:, 1], s * normal[:, 0] + c * normal[:, 1], normal[:, 2]], axis=1)
    light = (1 - lamp.direct) * (0.75 + 0.25 * world[:, 2]) + lamp.direct * np.maximum(world @ lamp.way, 0) * 1.2
    mirrored = way - 2 * (way * world).sum(axis=1, keepdims=True) * world
    shine = np.exp(lamp.sharp * (mirrored @ lamp.way - 1)) + lamp.window * (np.abs(mirrored[:, 0] - 0.3) < 0.25) * (
        mirrored[:, 2] > 0.75
    )
    return np.asarray(paint * light[:, None] + 235 * die.gloss * shine[:, None], np.float32)


def _normals(die: Die, own: Array) -> Array:
    steps = 0.05 * np.eye(3, dtype=np.float32)
    slope = np.stack([die.away(own + step) - die.away(own - step) for step in steps], axis=1)
    return np.asarray(slope / (np.linalg.norm(slope, axis=1, keepdims=True) + 1e-9), np.float32)


def _inked(die: Die, own: Array, normal: Array) -> Array:
    """(n, 1) share of pip at each point, soft over a tenth of a millimetre."""
    share = np.zeros(len(own), np.float32)
    faces = np.stack([normal[:, 0], normal[:, 1], -normal[:, 0], -normal[:, 1], normal[:, 2]]).argmax(axis=0)
    for face, pips in enumerate(die.faces):
        on = faces == face
        plane = own[on][:, ((1, 2), (0, 2), (1, 2), (0, 2), (0, 1))[face]]
        radius = die.side_mm * die.pip * (die.one if pips == 1 else 1.0)
        for place in _PLACES[pips]:
            off = np.linalg.norm(plane - die.side_mm * die.spread * np.array(place, np.float32), axis=1)
            share[on] = np.maximum(share[on], np.clip((radius - off) / 0.1 + 0.5, 0, 1))
    return share[:, None]


def _a_lamp(rng: np.random.Generator) -> Lamp:
    high, around = np.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(high) * np.cos(around), np.cos(high) * np.sin(around), np.sin(high)], np.float32)
    return Lamp(
        way,
        float(rng.uniform(0.1, 0.75)),
        float(np.exp(rng.uniform(np.log(8), np.log(400)))),
        float(rng.choice([0, rng.uniform(0, 0.8)])),
    )


def _lit_ground(
    ground: NDArray[np.uint8], floor: Array, dice: list[Die], lamp: Lamp, side: int, rng: np.random.Generator
) -> Array:
    """(side * side, 3) a cut of the ground with the shadows of the dice."""
    part = ground.shape[0] // 2 if rng.random() < 0.3 else DIE_CROP_PX
    top, left = (int(rng.integers(0, extent - part + 1)) for extent in ground.shape[:2])
    cut = cv2.resize(ground[top : top + part, left : left + part], (side, side), interpolation=cv2.INTER_LINEAR)
    shadow = np.zeros((side, side), np.float32)
    for die in dice:
        own = die.own(floor + lamp.way * (die.side_mm * 0.35 / max(float(lamp.way[2]), 0.3)))
        shadow = np.maximum(shadow, (np.abs(own[:, :2]).max(axis=1) < die.side_mm * 0.55).reshape(side, side))
    soft = cv2.GaussianBlur(shadow, (0, 0), float(rng.uniform(1, 9)))
    return (cut * (1 - rng.uniform(0.15, 0.75) * soft[..., None])).astype(np.float32).reshape(-1, 3)


def _as_seen(crop: Array, rng: np.random.Generator) -> Picture:
    """Through a lens, a sensor and at times JPEG: soft, glared, lit, noisy."""
    side = crop.shape[0]
    if rng.random() < 0.25:  # a lamp mirrored as a veil over a part of it
        veil = np.zeros((side, side), np.float32)
        at = tuple(int(n) for n in rng.uniform(0.2, 0.8, 2) * side)
        axes = tuple(int(n) for n in rng.uniform(4, 22, 2))
        cv2.ellipse(veil, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        crop = crop + rng.uniform(30, 190) * cv2.GaussianBlur(veil, (0, 0), float(rng.uniform(1, 8)))[..., None]
    coarse = float(np.exp(rng.uniform(0, np.log(2.2)))) if rng.random() < 0.5 else 1.0
    small = max(18, round(DIE_CROP_PX / coarse))
    soft = cv2.GaussianBlur(crop, (0, 0), 0.45 * _FINER * coarse * rng.uniform(0.6, 1.8))
    seen = cv2.resize(soft, (small, small), interpolation=cv2.INTER_AREA)
    light = np.exp(rng.normal(-0.1, 0.25)) * np.exp(rng.normal(0, 0.08, 3))
    noisy = np.clip(seen * light + rng.normal(0, rng.uniform(0.5, 6), seen.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        noisy = compressed(noisy, (40, 95), rng)
    return np.asarray(cv2.resize(noisy, (DIE_CROP_PX, DIE_CROP_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
