"""Tiles for the detector and crops for the classifier: shot on drawn tables, and cut from training photographs."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, CROP_PX, DIAMETER_MM, FACES, NOT_A_COIN, OWNERS, RIM_SHARE, TOPVIEW_PX_PER_MM
from models.training import grounds, minted_shots, sprites, tables
from models.training.paper_dots import with_dot
from models.training.photographed import CARDS, DICE, map_sheets, train_rows
from models.training.shot import Array, developed
from models.training.stored import store
from models.training.tables import TILE_PX, Shot

MOST_COINS = 48
# So many coins of each class and face are struck for the tables that are drawn.
STRUCK_EACH = 40
# How many of the photographed coins are given a dot.
DOTTED = 0.2
Picture = NDArray[np.uint8]
# Indices of class (NOT_A_COIN last), face and owner (-1: not told), and 1 for a photographed coin.
Label = tuple[int, int, int, int]


@dataclass(eq=False)
class Harvest:
    """What was gathered: tiles with the circles in them, crops with their labels."""

    tiles: list[Picture] = field(default_factory=list)
    circles: list[Array] = field(default_factory=list)
    crops: list[Picture] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def add(self, shot: Shot, rng: np.random.Generator) -> None:
        """One tile of a table that was shot, turned any way, and a handful of crops."""
        tile, mm2tile = tables.topview(shot, rng.uniform(0, 2 * np.pi))
        self.tiles.append(tile)
        self.circles.append(tables.tile_truth(shot, mm2tile))
        for crop, label in _shot_crops(shot, rng):
            self.crops.append(crop)
            self.labels.append(label)

    def save(self, path: Path) -> None:
        """Writes one .npz; circles padded with rows of -1."""
        circles = np.full((len(self.tiles), MOST_COINS, 4), -1, np.float32)
        for row, found in zip(circles, self.circles, strict=True):
            row[: len(found)] = found[:MOST_COINS]
        parts = {
            "tiles": np.array(self.tiles, np.uint8).reshape(-1, TILE_PX, TILE_PX, 3),
            "circles": circles,
            "crops": np.array(self.crops, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3),
            "labels": np.array(self.labels, np.int64).reshape(-1, 4),
        }
        store(path, parts)


def drawn(photos: Path, seed: int, shots: int) -> Harvest:
    """`shots` tables of our own, one tile and a handful of crops from each."""
    rng = np.random.default_rng(seed)
    harvest = Harvest()
    for shot in drawn_shots(photos, shots, rng):
        harvest.add(shot, rng)
    return harvest


def drawn_shots(photos: Path, count: int, rng: np.random.Generator) -> Iterator[Shot]:
    """`count` tables of our own as cameras see them."""
    box = sprites.sprite_box(photos, rng, STRUCK_EACH)
    for ground in coin_grounds(photos, count, rng):
        yield tables.random_shot(box, ground, rng)


def minted(folder: Path, seed: int, rounds: int) -> Harvest:
    """The same of each picture of `models.render_coins`, `rounds` times."""
    rng = np.random.default_rng(seed)
    harvest = Harvest()
    for shot in minted_shots.shots(folder, rng, rounds):
        harvest.add(shot, rng)
    return harvest


def photographed(photos: Path, seed: int, rounds: int) -> Harvest:
    """Tiles and crops from every photograph of the train split, `rounds` times, each turned, scaled and developed anew."""
    rng = np.random.default_rng(seed)
    rows: dict[Path, list[dict[str, str]]] = defaultdict(list)
    for row in sprites.labelled("train"):
        rows[photos / row["set"] / row["file"]].append(row)
    harvest = Harvest()
    for path, coins in rows.items():
        photo = cv2.imread(str(path))
        if photo is not None:
            for _ in range(rounds):
                _photo_tile(harvest, photo, path, coins, rng)
                _photo_crops(harvest, photo, coins, rng)
    return harvest


def clutter_photos(photos: Path) -> tuple[Path, ...]:
    """Photographs made for training that hold no coin: cards among clutter, dice."""
    found = {photos / folder / row["file"] for folder in (CARDS, DICE) for row in train_rows(photos / folder)}
    return tuple(sorted(found))


def coin_grounds(photos: Path, count: int, rng: np.random.Generator) -> Iterator[Picture]:
    """`count` grounds for coins: drawn ones, and such as are cut from photographs without coins and from maps."""
    yield from grounds.grounds(rng, count, clutter_photos(photos), map_sheets(photos))


def _within(picture: Picture, px: Array) -> bool:
    return bool((px > 1).all() and (px < np.array(picture.shape[1::-1]) - 2).all())


def _shot_crops(shot: Shot, rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    for item in shot.items:
        if not _within(
            shot.picture_bgr,
            shot.camera.project(
                np.c_[item.outline * item.radius_mm + item.centre_mm, np.full(len(item.outline), item.top_mm)]
            ),
        ):
            continue
        if item.cls and item.visible_share > 0.7:
            centre, radius = (
                item.centre_mm + rng.normal(0, 0.02, 2) * item.radius_mm,
                item.radius_mm * rng.normal(1, 0.02),
            )
            yield (
                tables.crop(shot.picture_bgr, shot.camera, centre, radius, item.top_mm),
                _label(item.cls, item.face, item.owner, item.photographed),
            )
            if rng.random() < 0.12:
                yield (
                    tables.crop(
                        shot.picture_bgr, shot.camera, *_missed(item.centre_mm, item.radius_mm, rng), item.top_mm
                    ),
                    _label(NOT_A_COIN),
                )
        elif not item.cls and rng.random() < 0.7:
            for share in (rng.normal(1, 0.06), rng.uniform(0.35, 0.9)):
                radius = item.radius_mm * share
                shift = rng.normal(0, 0.2, 2) * (item.radius_mm - radius)
                yield (
                    tables.crop(shot.picture_bgr, shot.camera, item.centre_mm + shift, radius, item.top_mm),
                    _label(NOT_A_COIN),
                )
    for _ in range(7):
        centre, radius = rng.uniform(-90, 90, 2), rng.uniform(8, 20)
        reach = [np.linalg.norm(item.centre_mm - centre) - item.radius_mm for item in shot.items if item.cls]
        if min(reach, default=99.0) > 0.6 * radius:
            yield tables.crop(shot.picture_bgr, shot.camera, centre, radius, 0.0), _label(NOT_A_COIN)


def _missed(centre: Array, radius: float, rng: np.random.Generator) -> tuple[Array, float]:
    """A circle that misses the coin: beside it, too small, or too large."""
    if rng.random() < 0.5:
        angle = rng.uniform(0, 2 * np.pi)
        return centre + rng.uniform(0.5, 1.2) * radius * np.array([np.cos(angle), np.sin(angle)]), radius * rng.uniform(
            0.7, 1.2
        )
    return centre, radius * (rng.uniform(0.45, 0.78) if rng.random() < 0.6 else rng.uniform(1.35, 1.8))


def _label(cls: str, face: str = "unknown", owner: str = "none", photographed: bool = False) -> Label:
    if cls == NOT_A_COIN:
        return len(CLASSES), -1, -1, 0
    return CLASSES.index(cls), FACES.index(face) if face != "unknown" else -1, OWNERS.index(owner), int(photographed)


def _photo_tile(
    harvest: Harvest, photo: Picture, path: Path, coins: list[dict[str, str]], rng: np.random.Generator
) -> None:
    setup = tomllib.loads(path.with_suffix(".setup.toml").read_text(encoding="utf-8"))
    points = np.array(setup["calibration"]["points"], float)
    image2mm, _ = cv2.findHomography(points[:, :2], points[:, 2:])
    at = np.array([[float(row["u"]), float(row["v"])] for row in coins])
    mm = cv2.perspectiveTransform(at[None], image2mm)[0]
    middle = mm[rng.integers(len(mm))] + rng.normal(0, 25, 2)
    turn, scale = rng.uniform(0, 2 * np.pi), TOPVIEW_PX_PER_MM * rng.normal(1, 0.025)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    mm2tile = np.array([[cos, -sin, 0], [-sin, -cos, 0], [0, 0, 1.0]]) @ np.array(
        [[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]
    )
    mm2tile[:2, 2] += TILE_PX / 2
    image2tile = mm2tile @ image2mm
    coarse = float(np.exp(rng.uniform(0, np.log(3)))) if rng.random() < 0.6 else 1.0
    harvest.tiles.append(developed(_warped(photo, image2tile, coarse).astype(np.float32), rng))
    seen = cv2.perspectiveTransform(at[None], image2tile)[0]
    radii = [DIAMETER_MM[row["class"]] / 2 * scale / TOPVIEW_PX_PER_MM for row in coins]
    inside = (np.abs(seen - TILE_PX / 2) < TILE_PX / 2 + 20).all(axis=1)
    harvest.circles.append(np.c_[seen, radii, np.ones(len(seen))][inside])


def _warped(photo: Picture, image2tile: Array, coarse: float) -> Picture:
    """The photograph in the tile's frame, seen no finer than `coarse` tile px."""
    middle = np.linalg.inv(image2tile) @ (TILE_PX / 2, TILE_PX / 2, 1)
    scale = np.sqrt(abs(np.linalg.det(np.linalg.inv(image2tile)) / middle[2] ** 3))
    soft = cv2.GaussianBlur(photo, (0, 0), 0.4 * scale * max(1.0, coarse * 0.8)) if scale > 1 else photo
    return np.asarray(cv2.warpPerspective(soft, image2tile, (TILE_PX, TILE_PX), flags=cv2.INTER_LINEAR), np.uint8)


def _photo_crops(harvest: Harvest, photo: Picture, coins: list[dict[str, str]], rng: np.random.Generator) -> None:
    blur = float(np.exp(rng.uniform(np.log(0.3), np.log(2.0))))
    for row in coins:
        seen = sprites.rim_of(row)
        label = _label(row["class"], row["face"], photographed=True)
        if rng.random() < 0.06:
            centre, radius = _missed(np.zeros(2), 1.0, rng)
            label = _label(NOT_A_COIN)
        else:
            centre, radius = rng.normal(0, 0.02, 2), rng.normal(1, 0.02)
        turn = rng.uniform(0, 2 * np.pi)
        axes = (seen[1:] - seen[0]) * radius
        corners = (np.array([(-1, 1), (1, 1), (1, -1)]) / RIM_SHARE) @ np.array(
            [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
        )
        square = seen[0] + centre @ (seen[1:] - seen[0]) + corners @ axes
        edge = CROP_PX - 0.5
        warp = cv2.getAffineTransform(
            square.astype(np.float32), np.array([(-0.5, -0.5), (edge, -0.5), (edge, edge)], np.float32)
        )
        scale = np.linalg.norm(square[1] - square[0]) / CROP_PX
        low, high = np.floor(square.min(axis=0) - 60).astype(int), np.ceil(square.max(axis=0) + 60).astype(int)
        low, high = np.maximum(low, 0), np.minimum(high, photo.shape[1::-1])
        warp[:, 2] += warp[:, :2] @ low
        piece = cv2.GaussianBlur(
            photo[low[1] : high[1], low[0] : high[0]], (0, 0), max(0.3, 0.45 * scale * max(blur, 0.8))
        )
        cut = cv2.warpAffine(piece, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cut = cut.astype(np.float32)
        if label[0] < len(CLASSES) and rng.random() < DOTTED:
            cut, owner = with_dot(cut, rng, 0.4 * blur)
            label = (*label[:2], OWNERS.index(owner), label[3])
        harvest.crops.append(developed(cut, rng))
        harvest.labels.append(label)
