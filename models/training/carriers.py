"""Photographed coins, most with a dot of paper and some with a smaller coin laid on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, DIAMETER_MM, OWNERS, SIDES, THICKNESS_MM
from models.training import sprites
from models.training.looks import Sprite, outline, with_sticker
from models.training.piles import NEAR_MM, Piles, Top, smaller
from models.training.shot import Array, Item, developed, lay
from models.training.tables import SpriteBox

# So many carry a coin, and so many coins bear a dot: where players have dots, all of them do.
_CARRY, _DOTTED = 0.4, 0.7
# How large a coin shows, px of its radius.
_RADIUS_PX = (11.0, 40.0)
# Of the photograph as much is kept about a coin, in radii.
_AROUND = 1.7
# From there an eye sees as good as parallel lines.
_FAR_MM = 1e6
# How bright a coin's side is beside its face: in the room's shade or mirroring a window.
_SIDE_GAIN = (0.35, 1.2)
# What `lay` shades about a dot lies within this share of its radius, so that none of it shows: paper has no side.
_SHADED = 0.8


@dataclass(frozen=True, eq=False)
class FarCamera:
    """A camera so far off that its rays are parallel; the ellipse of one coin tells where it stands.

    middle_px  (2,) where the middle of the coin's face shows
    axes       (2, 2) px that a mm in x and y shows as; up_px: (2,) the same of a mm of height
    face_mm    how high the face lies
    size_px    of the picture
    """

    middle_px: Array
    axes: Array
    up_px: Array
    face_mm: float
    size_px: tuple[int, int]

    def project(self, points_mm: Array) -> Array:
        """(n, 3) mm to (n, 2) px."""
        above = (points_mm[:, 2:] - self.face_mm) * self.up_px
        return np.asarray(self.middle_px + points_mm[:, :2] @ self.axes.T + above, float)

    @property
    def eye_mm(self) -> Array:
        """(3,) where it stands, very far off."""
        return np.append(-np.linalg.solve(self.axes, self.up_px), 1.0) * _FAR_MM


def carriers(photos: Path, split: str, seed: int, count: int) -> Iterator[Piles]:
    """So many photographed coins of a split, the rare classes oftener than they lie there."""
    rng = np.random.default_rng(seed)
    box = sprites.sprite_box(photos, rng, 20)
    rows = _rows(photos, split)
    of_class = Counter(row["class"] for row in rows)
    share = np.array([of_class[row["class"]] ** -0.75 for row in rows])
    drawn = sorted(rng.choice(len(rows), count, p=share / share.sum()).tolist())
    for row, photo in _with_photos(photos, [rows[index] for index in drawn]):
        yield _carrier(photo, row, box, rng)


def as_they_lie(photos: Path, split: str, seed: int) -> Iterator[Piles]:
    """Each photographed coin of a split, with nothing laid on it."""
    rng = np.random.default_rng(seed)
    for row, photo in _with_photos(photos, _rows(photos, split)):
        scene, camera = seen_about(photo, row, rng)
        yield Piles(developed(scene, rng), camera.project, camera.eye_mm, (_face_of(row),))


def _rows(photos: Path, split: str) -> list[dict[str, str]]:
    return [row for row in sprites.labelled(split) if (photos / row["set"] / row["file"]).exists()]


def _with_photos(photos: Path, rows: Iterable[dict[str, str]]) -> Iterator[tuple[dict[str, str], NDArray[np.uint8]]]:
    """Each row with its photograph, which is read once for rows that follow one another."""
    name, photo = "", np.zeros((0, 0, 3), np.uint8)
    for row in rows:
        if name != (name := f"{row['set']}/{row['file']}"):
            photo = np.asarray(cv2.imread(str(photos / name)), np.uint8)
        yield row, photo


def _face_of(row: dict[str, str]) -> Top:
    """The face of a photographed coin, its middle the origin."""
    return Top(np.zeros(2), DIAMETER_MM[row["class"]] / 2, THICKNESS_MM[row["class"]], 1.0, 0.0)


def _carrier(photo: NDArray[np.uint8], row: dict[str, str], box: SpriteBox, rng: np.random.Generator) -> Piles:
    scene, camera = seen_about(photo, row, rng)
    below = _face_of(row)
    items = [_dot(photo, row, below, rng)] if rng.random() < _DOTTED else []
    rider = _rider(row["class"], below, box, rng) if rng.random() < _CARRY else None
    lit = lay(scene, [*items, rider] if rider else items, camera, rng)
    tops = [below]
    if rider:
        tops.append(Top(rider.centre_mm, rider.radius_mm, rider.top_mm, rider.visible_share, below.top_mm))
    return Piles(developed(lit, rng), camera.project, camera.eye_mm, tuple(tops))


def seen_about(
    photo: NDArray[np.uint8], row: dict[str, str], rng: np.random.Generator
) -> tuple[NDArray[np.float32], FarCamera]:
    """What the photograph shows about the coin, made coarser, and the camera that saw it: a circle shows as an ellipse,
    whose lower side is the nearer."""
    centre, *rim = sprites.rim_of(row)
    axes = np.stack([rim[0] - centre, rim[1] - centre], axis=1)
    lengths = np.linalg.svd(axes, compute_uv=False)
    flatness = min(lengths[1] / lengths[0], 0.999)
    scale = min(1.0, float(np.exp(rng.uniform(*np.log(_RADIUS_PX)))) / lengths[0])
    low = np.maximum(np.floor(centre - _AROUND * lengths[0]), 0).astype(int)
    high = np.ceil(centre + _AROUND * lengths[0]).astype(int)
    part = photo[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    radius_mm = DIAMETER_MM[row["class"]] / 2
    up_px = np.array([0.0, -lengths[0] * np.sqrt(1 - flatness**2)]) * scale / radius_mm
    middle = (centre - low + 0.5) * scale - 0.5
    size = (small.shape[1], small.shape[0])
    return small.astype(np.float32), FarCamera(
        middle, axes * scale / radius_mm, up_px, THICKNESS_MM[row["class"]], size
    )


def _dot(photo: NDArray[np.uint8], row: dict[str, str], below: Top, rng: np.random.Generator) -> Item:
    """The coin's own face with a dot of which alone is laid on it."""
    face = sprites.cut_out(photo, row)
    dotted, share = with_sticker(face, str(rng.choice(OWNERS[1:])), rng)
    changed = np.where((dotted.bgr != face.bgr).any(axis=2), face.alpha, 0).astype(np.uint8)
    edge = outline("round", shrink=_SHADED * share)
    return Item(Sprite(dotted.bgr, changed), edge, below.radius_mm, below.centre_mm, below.top_mm, 0.0, 0.0)


def _rider(cls: str, below: Top, box: SpriteBox, rng: np.random.Generator) -> Item | None:
    """A smaller coin, of the same currency mostly; none where no coin is smaller enough."""
    money = cls[:3] if rng.random() < 0.85 else ""
    fitting = smaller([each for each in CLASSES if each.startswith(money)], cls)
    if DIAMETER_MM[fitting[0]] >= DIAMETER_MM[cls]:
        return None
    chosen = str(rng.choice(fitting))
    sprite = box.draw(chosen, rng)[0]
    if rng.random() < _DOTTED:
        sprite, _ = with_sticker(sprite, str(rng.choice(OWNERS[1:])), rng)
    edge = outline(chosen) if chosen in SIDES else outline("round")
    centre = rng.normal(0, rng.choice((0.3, 0.7, NEAR_MM)), 2)
    radius, thick, turn = DIAMETER_MM[chosen] / 2, THICKNESS_MM[chosen], rng.uniform(0, 2 * np.pi)
    gain = float(rng.uniform(*_SIDE_GAIN))
    return Item(sprite, edge, radius, centre, below.top_mm, thick, turn, chosen, side_gain=gain)
