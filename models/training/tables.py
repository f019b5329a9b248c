"""Tables to learn from: which coins and what clutter lie where, and the tiles and crops cut from their pictures."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import (
    CROP_PX,
    DIAMETER_MM,
    OWNERS,
    RIM_SHARE,
    SIDES,
    THICKNESS_MM,
    TOPVIEW_PX_PER_MM,
    TYPICAL_THICKNESS_MM,
)
from models.training.clutter import clutter
from models.training.looks import Sprite, outline, with_sticker
from models.training.shot import Array, Item, Pinhole, aimed, compose, developed

TILE_PX = 256
_ROUND = outline("round")
Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class SpriteBox:
    """Top faces by class and face: struck by the program, and photographed. face 'unknown' where nobody has read it."""

    struck: dict[tuple[str, str], list[Sprite]]
    photographed: dict[tuple[str, str], list[Sprite]]

    def draw(self, cls: str, rng: np.random.Generator) -> tuple[Sprite, str, bool]:
        """A sprite of the class, its face, and whether it is a photograph: three times of five where there are some."""
        faces = [key for key in self.photographed if key[0] == cls]
        photographed = bool(faces) and rng.random() < 0.6
        if photographed:
            weights = np.array([np.sqrt(len(self.photographed[key])) for key in faces])
            key = faces[rng.choice(len(faces), p=weights / weights.sum())]
            shelf = self.photographed[key]
        else:
            key = (cls, ("heads", "tails")[rng.integers(2)])
            shelf = self.struck[key]
        return shelf[rng.integers(len(shelf))], key[1], photographed


@dataclass(frozen=True, eq=False)
class Shot:
    """A developed picture of a table, with its camera and what lies there."""

    picture_bgr: Picture
    camera: Pinhole
    items: list[Item]


def random_shot(box: SpriteBox, ground: Picture, rng: np.random.Generator) -> Shot:
    """One table, as wide as a detector tile, seen by a camera of 0.9 to 4 px/mm from 30 to 90 degrees."""
    px_per_mm = float(np.exp(rng.uniform(np.log(0.9), np.log(3.6))))
    side = min(1000, round(250 * px_per_mm))
    camera = aimed(rng, rng.uniform(30, 90), px_per_mm, (side, side), np.zeros(2))
    items = lay_table(box, rng, half_mm=115)
    scene = compose(ground, items, camera, rng, rng.uniform(0, 2 * np.pi))
    return Shot(developed(scene, rng), camera, items)


def lay_table(box: SpriteBox, rng: np.random.Generator, half_mm: float) -> list[Item]:
    """Coins of one currency mostly, lone, touching or stacked, and clutter, within `half_mm` of the origin."""
    classes = _purse(rng)
    items: list[Item] = []
    dotted = rng.random() < 0.4
    for _ in range(rng.integers(0, 26)):
        cls = classes[rng.integers(len(classes))]
        _place_coin(items, coin(box, cls, rng, dotted), rng, half_mm)
    for _ in range(rng.integers(0, 12)):
        sprite, radius_mm, height_mm = clutter(rng)
        thing = Item(sprite, _ROUND, radius_mm, np.zeros(2), 0.0, height_mm, rng.uniform(0, 2 * np.pi))
        thing.outline = _hull_of(sprite)
        for _attempt in range(8):
            thing.centre_mm = rng.uniform(-half_mm, half_mm, 2)
            if _clear(items, thing, 1.0) or rng.random() < 0.04:
                items.append(thing)
                break
    return items


def _hull_of(sprite: Sprite) -> Array:
    """The convex outline of a thing from its sprite's alpha, in radii."""
    rows, columns = np.nonzero(sprite.alpha > 127)
    points = np.stack([columns, rows], axis=1).astype(np.float32)
    hull = cv2.convexHull(points)[:, 0].astype(float)
    middle, radius = (sprite.alpha.shape[0] - 1) / 2, 60.0
    return np.asarray((hull - middle) / radius * (1, -1), float)


def _purse(rng: np.random.Generator) -> list[str]:
    currencies = [("gbp",), ("eur",), ("usd",), ("gbp", "eur", "usd")][rng.choice(4, p=[0.34, 0.26, 0.24, 0.16])]
    classes = [cls for cls in DIAMETER_MM if cls[:3] in currencies]
    if rng.random() < 0.15:
        classes = [classes[rng.integers(len(classes))]]
    return classes


def coin(box: SpriteBox, cls: str, rng: np.random.Generator, may_have_dot: bool = True) -> Item:
    """A coin of the class at the origin."""
    sprite, face, photographed = box.draw(cls, rng)
    owner = "none"
    if may_have_dot and rng.random() < 0.7:
        owner = OWNERS[1 + rng.integers(len(OWNERS) - 1)]
        sprite, share = with_sticker(sprite, owner, rng)
        face = face if share < 0.5 else "unknown"
    edge = outline(cls) if cls in SIDES else _ROUND
    turn, at = rng.uniform(0, 2 * np.pi), np.zeros(2)
    return Item(
        sprite, edge, DIAMETER_MM[cls] / 2, at, 0.0, THICKNESS_MM[cls], turn, cls, face, owner, photographed
    )  # fmt: skip


def _clear(items: list[Item], item: Item, slack_mm: float) -> bool:
    return all(
        np.linalg.norm(other.centre_mm - item.centre_mm) > other.radius_mm + item.radius_mm + slack_mm
        for other in items
    )


def _place_coin(items: list[Item], item: Item, rng: np.random.Generator, half_mm: float) -> None:
    coins = [other for other in items if other.cls]
    for _ in range(12):
        item.centre_mm, item.base_mm = rng.uniform(-half_mm, half_mm, 2), 0.0
        style = rng.random()
        if coins and style < 0.35:
            _push_against(item, coins[rng.integers(len(coins))], rng)
        elif coins and style < 0.47 and _stack_on(item, coins[rng.integers(len(coins))], items, rng):
            items.append(item)
            return
        if _clear(items, item, 0.05):
            items.append(item)
            return


def _push_against(item: Item, other: Item, rng: np.random.Generator) -> None:
    angle, gap = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.6)) + 0.1
    item.centre_mm = other.centre_mm + (item.radius_mm + other.radius_mm + gap) * np.array(
        [np.cos(angle), np.sin(angle)]
    )


def _stack_on(item: Item, lower: Item, items: list[Item], rng: np.random.Generator) -> bool:
    """Lays `item` on `lower`; whether nothing else is in the way."""
    reach, angle = rng.uniform(0, 0.95) * max(lower.radius_mm, item.radius_mm), rng.uniform(0, 2 * np.pi)
    item.centre_mm = lower.centre_mm + reach * np.array([np.cos(angle), np.sin(angle)])
    item.base_mm = lower.top_mm
    return _clear([other for other in items if other is not lower and other.top_mm > lower.base_mm + 0.1], item, 0.5)


def topview(shot: Shot, turn: float = 0.0) -> tuple[Picture, Array]:
    """The detector's tile (TILE_PX, TILE_PX, 3) about the table's origin, and the 2 x 3 map from mm to its px."""
    scale = TOPVIEW_PX_PER_MM
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    mm2tile = np.array([[cos, -sin, TILE_PX / 2], [-sin, -cos, TILE_PX / 2]])
    tile2image = shot.camera.plane2image(TYPICAL_THICKNESS_MM) @ np.linalg.inv(np.vstack([mm2tile, (0, 0, 1)]))
    tile = cv2.warpPerspective(
        shrunk(shot.picture_bgr, tile2image),
        _shrunk_map(tile2image),
        (TILE_PX, TILE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
    )
    return np.asarray(tile, np.uint8), mm2tile


def _halvings(tile2image: Array) -> int:
    middle = tile2image @ (TILE_PX / 2, TILE_PX / 2, 1)
    scale = np.sqrt(abs(np.linalg.det(tile2image)) / middle[2] ** 3)
    return max(0, int(np.floor(np.log2(scale / 1.4) + 0.5))) if scale > 1.4 else 0


def shrunk(picture: Picture, tile2image: Array) -> Picture:
    """The picture, halved as often as the tile is coarser, so that nothing aliases."""
    for _ in range(_halvings(tile2image)):
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def _shrunk_map(tile2image: Array) -> Array:
    times = 0.5 ** _halvings(tile2image)
    return np.asarray(
        np.array([[times, 0, (times - 1) / 2], [0, times, (times - 1) / 2], [0, 0, 1]]) @ tile2image, float
    )


def tile_truth(shot: Shot, mm2tile: Array) -> Array:
    """(n, 4) x px, y px, radius mm, visible share of the coins as the tile shows them: top faces, in its plane."""
    coins = [item for item in shot.items if item.cls]
    if not coins:
        return np.zeros((0, 4))
    tops = np.array([(*item.centre_mm, item.top_mm) for item in coins])
    mm = shot.camera.on_plane(shot.camera.project(tops), TYPICAL_THICKNESS_MM)
    px = np.c_[mm, np.ones(len(mm))] @ mm2tile.T
    return np.c_[px, [item.radius_mm for item in coins], [item.visible_share for item in coins]]


def crop(picture: Picture, camera: Pinhole, centre_mm: Array, radius_mm: float, height_mm: float) -> Picture:
    """The classifier's square (CROP_PX, CROP_PX, 3) about a top face; see `models.coins`."""
    half = radius_mm / RIM_SHARE
    square = np.array([(-half, half), (half, half), (half, -half), (-half, -half)]) + centre_mm
    seen = camera.project(np.c_[square, np.full(4, height_mm)])
    fine = int(np.clip(np.ceil(np.linalg.norm(seen[1] - seen[0]) / CROP_PX / 1.5), 1, 4))
    side = CROP_PX * fine - 0.5
    corners = np.array([(-0.5, -0.5), (side, -0.5), (side, side), (-0.5, side)], np.float32)
    warp = cv2.getPerspectiveTransform(seen.astype(np.float32), corners)
    cut = cv2.warpPerspective(
        picture, warp, (CROP_PX * fine, CROP_PX * fine), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut if fine == 1 else cv2.resize(cut, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)
