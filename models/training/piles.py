"""Tables with coins on coins, to learn from how high a coin lies: sides, faces and shadows met by rays.

`models.training.shot` lays faces over one another with a tone for their sides, which does for names and places. Here the
side itself is what is to be read, and what is easily taken for it: shadows towards the camera, seams, bright borders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, DIAMETER_MM, THICKNESS_MM
from models.riding import SMALLER
from models.training import grounds, minted_shots, sprites
from models.training.dataset import clutter_photos
from models.training.grounds import GROUND_PX, GROUND_PX_PER_MM
from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, Sprite, with_sticker
from models.training.shot import Array, Pinhole, aimed, developed
from models.training.tables import SpriteBox

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

# So many places carry more than one coin, up to so many; the pile's top stays below the highest that is told.
PILED, HIGHEST, CEILING_MM = 0.5, 4, 11.5
# A coin lies so far off the one below it, mm: as machines, people and haste pile them.
_OFF_MM = (0.2, 0.7, 1.5, 3.5)
# Those that ride on others: how far off at most, and how often none, one and two do.
NEAR_MM, _RIDING = 1.5, (0.25, 0.6, 0.15)
_HALF_MM, _PLACES = 48.0, 30
_USUAL = 0.8  # of all cameras stand where those of a table do
_RAYS = 2  # across a pixel, each way
_LAYINGS = 4  # tables for each ground
_ROW = 1024  # OpenCV's remap takes no more than 32767 rows or columns
_OWNERS = ("red", "blue", "green", "yellow", "white", "black")


@dataclass(frozen=True, eq=False)
class PiledCoin:
    """A coin at rest: centre_mm (2,), heights of its lower and upper face above the table, its looks."""

    cls: str
    centre_mm: Array
    low_mm: float
    sprite: Sprite
    turn: float
    gain: float

    @property
    def radius_mm(self) -> float:
        """Half the rules' diameter."""
        return DIAMETER_MM[self.cls] / 2

    @property
    def top_mm(self) -> float:
        """Height of its upper face."""
        return self.low_mm + THICKNESS_MM[self.cls]


@dataclass(frozen=True, eq=False)
class Lamp:
    """One lamp, a grey room, and what metal mirrors of it.

    towards    (2,) direction of the lamp over the table; its height's cotangent
    ambient    the room's share of all light; soft_mm: how far a shadow's edge is spread for each mm of height
    mirrored   (4,) how bright the room is towards four directions, as sides show it
    """

    towards: Array
    cotangent: float
    ambient: float
    soft_mm: float
    mirrored: Array
    seam: float


@dataclass(frozen=True, eq=False)
class Top:
    """The upper face of a coin: centre_mm (2,), its radius and height, and what share of it shows; low_mm: what the
    coin lies on."""

    centre_mm: Array
    radius_mm: float
    top_mm: float
    visible_share: float
    low_mm: float


@dataclass(frozen=True, eq=False)
class Piles:
    """A picture of such a table; `project` takes (n, 3) mm to px, `eye_mm` (3,) is where the camera stands."""

    picture_bgr: Picture
    project: Callable[[Array], Array]
    eye_mm: Array
    tops: tuple[Top, ...]


def piles(photos: Path, seed: int, count: int, riding: bool = False) -> Iterator[Piles]:
    """So many tables, 30 to 80 degrees down: from above no side shows.

    riding  what lies on a coin is smaller, and lies near its middle
    """
    rng = np.random.default_rng(seed)
    box = sprites.sprite_box(photos, rng, 20)
    maps = tuple(sorted(photos.glob("maps_os250k_ogl/*.tif")))
    for ground in grounds.grounds(rng, -(-count // _LAYINGS), clutter_photos(photos), maps):
        for _ in range(_LAYINGS):
            yield _shot(ground, box, rng, riding)


def minted_piles(folder: Path, rng: np.random.Generator, rounds: int) -> Iterator[Piles]:
    """The pictures of `models.render_coins`, each as so many cameras show it."""
    for shot in minted_shots.shots(folder, rng, rounds):
        tops = (Top(i.centre_mm, i.radius_mm, i.top_mm, i.visible_share, i.base_mm) for i in shot.items if i.cls)
        yield Piles(shot.picture_bgr, shot.camera.project, shot.camera.eye_mm, tuple(tops))


def _shot(ground: Picture, box: SpriteBox, rng: np.random.Generator, riding: bool) -> Piles:
    px_per_mm = float(np.exp(rng.uniform(np.log(1.2), np.log(2.9))))
    side = round(2 * _HALF_MM * px_per_mm)
    elevation_deg = rng.uniform(30, 62) if rng.random() < _USUAL else rng.uniform(60, 80)
    camera = aimed(rng, elevation_deg, px_per_mm, (side, side), np.zeros(2))
    coins = tuple(_laid(box, rng, riding))
    scene, shown = _cast(ground, coins, camera, _lamp(rng), rng)
    tops = (
        Top(c.centre_mm, c.radius_mm, c.top_mm, share, c.low_mm) for c, share in zip(coins, shown.tolist(), strict=True)
    )
    return Piles(developed(scene, rng), camera.project, camera.eye_mm, tuple(tops))


def _lamp(rng: np.random.Generator) -> Lamp:
    angle, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(20, 85))
    return Lamp(
        np.array([np.cos(angle), np.sin(angle)]),
        float(1 / np.tan(height)),
        float(rng.uniform(0.2, 0.9)),
        float(np.exp(rng.uniform(np.log(0.03), np.log(0.6)))),
        rng.uniform(0.1, 1.1, 4),
        float(rng.uniform(0, 0.8)),
    )


def how_many(rng: np.random.Generator, riding: bool) -> int:
    """How many coins to lay on a coin."""
    if riding:
        return int(rng.choice((0, 1, 2), p=_RIDING))
    return int(rng.integers(1, HIGHEST)) if rng.random() < PILED else 0


def smaller(classes: list[str], below: str) -> list[str]:
    """The classes small enough to ride on such a coin; all if none is."""
    return [cls for cls in classes if DIAMETER_MM[cls] < SMALLER * DIAMETER_MM[below]] or classes


def _laid(box: SpriteBox, rng: np.random.Generator, riding: bool) -> Iterator[PiledCoin]:
    """Coins of one currency mostly, by themselves, touching, and on one another."""
    money = str(rng.choice(("gbp", "eur", "usd", "")))
    classes = [cls for cls in CLASSES if cls.startswith(money)]
    gap_mm, off_mm, dotted = rng.choice((0.1, 2.0, 8.0)), rng.choice(_OFF_MM), rng.random() < 0.5
    off_mm = min(off_mm, NEAR_MM) if riding else off_mm
    laid: list[PiledCoin] = []
    for at in rng.uniform(-_HALF_MM, _HALF_MM, (_PLACES, 2)):
        lowest = _coin(box, str(rng.choice(classes)), at, 0.0, dotted, rng)
        if all(np.hypot(*(at - c.centre_mm)) > c.radius_mm + lowest.radius_mm + gap_mm for c in laid):
            pile, alike = [lowest], rng.random() < 0.4
            for _ in range(how_many(rng, riding)):
                cls, on = lowest.cls if alike else str(rng.choice(classes)), pile[-1]
                cls = str(rng.choice(smaller(classes, on.cls))) if riding else cls
                pile.append(_coin(box, cls, on.centre_mm + rng.normal(0, off_mm, 2), on.top_mm, dotted, rng))
            laid += [coin for coin in pile if coin.top_mm < CEILING_MM]
    yield from laid


def _coin(box: SpriteBox, cls: str, at: Array, low_mm: float, dotted: bool, rng: np.random.Generator) -> PiledCoin:
    sprite = box.draw(cls, rng)[0]
    if dotted and rng.random() < 0.7:
        sprite, _ = with_sticker(sprite, str(rng.choice(_OWNERS)), rng)
    return PiledCoin(cls, at, low_mm, sprite, rng.uniform(0, 2 * np.pi), float(np.exp(rng.normal(0, 0.15))))


def _cast(
    ground: Picture, coins: tuple[PiledCoin, ...], camera: Pinhole, lamp: Lamp, rng: np.random.Generator
) -> tuple[Floats, Array]:
    """The scene in floats 0 to 255, before the camera's own faults, and the share of each upper face that shows."""
    eye, side = camera.eye_mm, camera.size_px[0] * _RAYS
    sub = (np.arange(side) + 0.5) / _RAYS - 0.5
    px = np.stack(np.meshgrid(sub, sub), axis=-1).reshape(-1, 2)
    rays = np.c_[px, np.ones(len(px))] @ np.linalg.inv(camera.matrix).T @ camera.rotation
    reach = -eye[2] / rays[:, 2]
    at = (eye[:2] + reach[:, None] * rays[:, :2]).astype(np.float32)
    colour = _ground_colour(ground, at, rng) * _light_at(at, 0.0, coins, lamp)[:, None]
    owner = np.full(len(px), -1)
    faces = np.zeros(len(coins))
    for index, coin in enumerate(coins):
        near = _window(coin, camera, side)
        faces[index] = _lay(index, coin, near, (eye, rays), (reach, colour, owner), coins, lamp)
    shown = np.array([(owner == index).sum() for index in range(len(coins))]) / np.maximum(faces, 1)
    whole = colour.reshape(side // _RAYS, _RAYS, side // _RAYS, _RAYS, 3).mean(axis=(1, 3))
    return np.asarray(whole, np.float32), shown


def _window(coin: PiledCoin, camera: Pinhole, side: int) -> NDArray[np.int_]:
    """Numbers of the rays that may meet the coin."""
    around = np.arange(16) * np.pi / 8
    ring = coin.centre_mm + 1.1 * coin.radius_mm * np.stack([np.cos(around), np.sin(around)], axis=1)
    px = np.vstack([camera.project(np.c_[ring, np.full(16, z)]) for z in (coin.low_mm, coin.top_mm)])
    low, high = (np.clip(_RAYS * edge, 0, side).astype(int) for edge in (px.min(axis=0) - 1, px.max(axis=0) + 2))
    rows, columns = np.meshgrid(np.arange(low[1], high[1]), np.arange(low[0], high[0]), indexing="ij")
    return np.asarray((rows * side + columns).ravel())


def _lay(
    index: int,
    coin: PiledCoin,
    near: NDArray[np.int_],
    seen: tuple[Array, Array],
    so_far: tuple[Array, Array, NDArray[np.int_]],
    coins: tuple[PiledCoin, ...],
    lamp: Lamp,
) -> int:
    """Lays face and side where they are the nearest thing; how many rays meet the face, hidden or not."""
    (eye, rays), (reach, colour, owner) = seen, so_far
    way = rays[near]
    to_face = (coin.top_mm - eye[2]) / way[:, 2]
    on_face = eye[:2] + to_face[:, None] * way[:, :2]
    meets_face = np.linalg.norm(on_face - coin.centre_mm, axis=1) < coin.radius_mm
    to_side, height = _side_met(coin, eye, way)
    for meets, to in ((meets_face, to_face), (~np.isnan(to_side), to_side)):
        first = meets & (to < reach[near])
        at = (eye[:2] + to[first, None] * way[first, :2]).astype(np.float32)
        if meets is meets_face:
            colour[near[first]] = _face_colour(coin, at) * _light_at(at, coin.top_mm, coins, lamp)[:, None]
        else:
            colour[near[first]] = _side_colour(coin, at, height[first], coins, lamp)
        reach[near[first]] = to[first]
        owner[near[first]] = index if meets is meets_face else -1
    return int(meets_face.sum())


def _side_met(coin: PiledCoin, eye: Array, way: Array) -> tuple[Array, Array]:
    """How far along each ray the coin's side is met, NaN where it is not, and at what height."""
    start = eye[:2] - coin.centre_mm
    a, b = (way[:, :2] ** 2).sum(axis=1), way[:, :2] @ start
    root = b**2 - a * (start @ start - coin.radius_mm**2)
    with np.errstate(invalid="ignore"):
        to = (-b - np.sqrt(root)) / a
    height = eye[2] + to * way[:, 2]
    return np.where((height > coin.low_mm) & (height < coin.top_mm), to, np.nan), height


def _ground_colour(ground: Picture, at: Floats, rng: np.random.Generator) -> Floats:
    scale, angle = GROUND_PX_PER_MM * rng.uniform(0.7, 1.4), rng.uniform(0, 2 * np.pi)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    soft = cv2.GaussianBlur(ground, (0, 0), 0.8)
    return _colours_at(soft, at @ turn + rng.uniform(0, GROUND_PX, 2))


def _face_colour(coin: PiledCoin, at: Floats) -> Floats:
    cos, sin = np.cos(coin.turn), np.sin(coin.turn)
    away = (at - coin.centre_mm) @ np.array([[cos, sin], [-sin, cos]]) / coin.radius_mm
    within = away * np.minimum(1, 0.97 / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6))
    soft = cv2.GaussianBlur(coin.sprite.bgr, (0, 0), 2.0)
    places_px = (SPRITE_PX - 1) / 2 + SPRITE_RADIUS_PX * within * (1, -1)
    return np.asarray(_colours_at(soft, places_px) * coin.gain, np.float32)


def _colours_at(picture: Picture, places_px: Array) -> Floats:
    """(n, 3) colours of a picture at places (n, 2), mirrored beyond its border."""
    padded = np.zeros((-(-len(places_px) // _ROW) * _ROW, 2), np.float32)
    padded[: len(places_px)] = places_px
    u, v = padded.T.reshape(2, -1, _ROW)
    if not len(u):
        return np.zeros((0, 3), np.float32)
    found = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(found.reshape(-1, 3)[: len(places_px)], np.float32)


def _side_colour(coin: PiledCoin, at: Floats, height: Array, coins: tuple[PiledCoin, ...], lamp: Lamp) -> Floats:
    """The coin's own metal: lit where it faces the lamp, mirroring the room, dark in the seams."""
    facing = (at - coin.centre_mm) / coin.radius_mm
    angle = np.arctan2(facing[:, 1], facing[:, 0]) / (np.pi / 2)
    room = np.interp(angle, np.arange(-2, 3), lamp.mirrored[[2, 3, 0, 1, 2]])
    lit = np.maximum(facing @ lamp.towards, 0) * lamp.cotangent / np.hypot(1, lamp.cotangent)
    lit = lit * _open_to(lamp, at, height, coins) * (1 - lamp.ambient)
    inner = np.minimum(height - coin.low_mm, coin.top_mm - height)
    seam = 1 - lamp.seam * np.exp(-inner / 0.15)
    metal = np.median(coin.sprite.bgr[coin.sprite.alpha > 200], axis=0) * coin.gain
    low = 1 - 0.5 * lamp.ambient * np.exp(-height / 1.5)
    return np.asarray(metal * ((lamp.ambient * room * low + 1.3 * lit) * seam)[:, None], np.float32)


def _light_at(at: Floats, height: float, coins: tuple[PiledCoin, ...], lamp: Lamp) -> Floats:
    """(n,) light on level ground or faces: the lamp's where nothing is in its way, the room's, less beside piles."""
    room = np.ones(len(at), np.float32)
    for coin in coins:
        rise = coin.top_mm - height
        gap = np.linalg.norm(at - coin.centre_mm.astype(np.float32), axis=1) - coin.radius_mm
        beside = (gap < 3 * rise) & (gap > -0.5) if rise > 0.1 else np.zeros(len(at), bool)
        room[beside] *= 1 - 0.45 * np.exp(-np.maximum(gap[beside], 0) / (0.7 * rise))
    heights = np.full(len(at), height)
    return np.asarray(lamp.ambient * room + (1 - lamp.ambient) * _open_to(lamp, at, heights, coins), np.float32)


def _open_to(lamp: Lamp, at: Floats, height: Array, coins: tuple[PiledCoin, ...]) -> Floats:
    """(n,) share of the lamp that is seen from points, past the coins: how far each lies beside the way to it."""
    share = np.ones(len(at), np.float32)
    for coin in coins:
        away = coin.centre_mm - at
        reach = coin.radius_mm + coin.top_mm * lamp.cotangent + 4
        near = np.flatnonzero((np.abs(away) < reach).all(axis=1) & (height < coin.top_mm - 0.05))
        away, rise = away[near], coin.top_mm - height[near]
        low = np.maximum(coin.low_mm - height[near], 0.02)
        along = np.clip(away @ lamp.towards, low * lamp.cotangent, rise * lamp.cotangent)
        beside = np.linalg.norm(away - along[:, None] * lamp.towards, axis=1) - coin.radius_mm
        soft = 0.1 + lamp.soft_mm * np.abs(along) / max(lamp.cotangent, 0.2)
        share[near] *= 1 / (1 + np.exp(np.clip(-beside / soft * 3, -30, 30)))
    return share
