"""Tables laid with cards, dice and matches, drawn as a rectified camera sees them, with exact labels.

A table is drawn from above at CANVAS_PX_PER_MM; what stands up (dice) is drawn sheared, as the table plane's homography
shows it. It is then shot: squeezed along the sight direction to the resolution of a slanted view, blurred, noised,
compressed, and brought back to the top view, as `vision.metric.topview` does with a real picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import DIE_SIDE_MM, INDEX_FROM_CORNER_MM, TOPVIEW_PX_PER_MM
from models.training.clutter import clutter
from models.training.decks import CARD_PX, Card, drawn_back
from models.training.grounds import GROUND_PX, GROUND_PX_PER_MM, Picture
from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, Sprite

Array = NDArray[np.float64]

TILE_PX = 384
CANVAS_PX_PER_MM = 4.0
CANVAS_PX = int(TILE_PX / TOPVIEW_PX_PER_MM * CANVAS_PX_PER_MM)
TABLE_MM = TILE_PX / TOPVIEW_PX_PER_MM
CARD_SIZES_MM = ((63.5, 88.9), (63.5, 88.9), (57.15, 88.9))


@dataclass(frozen=True)
class Label:
    """One thing to find: kind, class, place in table mm (y down here), direction in radians.

    kind     index, card, die or match; other is a thing that is not to be found
    visible  share of it that shows
    """

    kind: str
    cls: str
    x_mm: float
    y_mm: float
    angle: float
    visible: float


@dataclass(eq=False)
class Table:
    """The picture from above, who is seen at each pixel (0 ground), and what was laid."""

    bgr: NDArray[np.float32]
    seen: NDArray[np.int16]
    surface: NDArray[np.uint8]
    zones: list[tuple[Label, NDArray[np.int32]]] = field(default_factory=list)
    count: int = 0
    slant: Array = field(default_factory=lambda: np.zeros(2))

    def labels(self) -> list[Label]:
        """The labels with their visible shares."""
        return [Label(z.kind, z.cls, z.x_mm, z.y_mm, z.angle, self._share(z, outline)) for z, outline in self.zones]

    def _share(self, label: Label, outline: NDArray[np.int32]) -> float:
        left, top = np.maximum(outline.min(axis=0), 0)
        right, bottom = np.minimum(outline.max(axis=0) + 1, CANVAS_PX)
        if right <= left or bottom <= top:
            return 0.0
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [(outline - (left, top)).astype(np.int32)], 1)
        full = cv2.contourArea(outline.astype(np.float32)) or 1.0
        owner = int(label.visible)  # holds the item's number until the table is complete
        return float(min(1.0, ((self.seen[top:bottom, left:right] == owner) & (mask > 0)).sum() / full))


def laid_table(ground: Picture, deck: list[Card], coins: list[Sprite], rng: np.random.Generator) -> Table:
    """A table with a random choice of layouts."""
    table = _bare(ground, rng)
    table.slant = slant_of(rng)
    layout = rng.integers(6)
    if layout == 0:
        _grid(table, deck, rng)
    elif layout == 1:
        _fan(table, deck, rng)
    elif layout < 5:
        for _ in range(rng.integers(1, 6)):
            _card(table, deck, rng, rng.uniform(0, TABLE_MM, 2), rng.uniform(0, 2 * np.pi))
    for _ in range(rng.integers(0, 6)):
        _flat_thing(table, coins, rng)
    for _ in range(rng.integers(0, 7)):
        _match(table, rng)
    _dice(table, table.slant, rng)
    return table


def _bare(ground: Picture, rng: np.random.Generator) -> Table:
    turn, scale = rng.uniform(0, 360), CANVAS_PX_PER_MM / GROUND_PX_PER_MM * rng.uniform(0.9, 1.3)
    warp = cv2.getRotationMatrix2D((GROUND_PX / 2, GROUND_PX / 2), turn, scale)
    warp[:, 2] += CANVAS_PX / 2 - GROUND_PX / 2
    bgr = cv2.warpAffine(ground, warp, (CANVAS_PX, CANVAS_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    empty = np.zeros((CANVAS_PX, CANVAS_PX), np.int16)
    return Table(bgr.astype(np.float32), empty, np.zeros((CANVAS_PX, CANVAS_PX), np.uint8))


def slant_of(rng: np.random.Generator) -> Array:
    """(2,) how far a point shows away from the camera, per mm of its height: the cotangent of the camera's elevation."""
    elevation, azimuth = np.radians(rng.uniform(30, 90)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(azimuth), np.sin(azimuth)]) / np.tan(elevation)


def _paste(table: Table, bgr: Picture, alpha: Picture, sprite2canvas: Array, shadow: float, surface: bool) -> int:
    """Draw a sprite through an affine map (2, 3); returns the number under which `seen` knows it."""
    high, wide = alpha.shape
    corners = (
        np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) @ sprite2canvas[:, :2].T + sprite2canvas[:, 2]
    )
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 8, 0)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 9, CANVAS_PX)
    table.count += 1
    if right - left < 2 or bottom - top < 2:
        return table.count
    local = sprite2canvas.copy()
    local[:, 2] -= (left, top)
    size = (int(right - left), int(bottom - top))
    face = cv2.warpAffine(bgr, local, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    share = cv2.warpAffine(alpha, local, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
    window = np.s_[top:bottom, left:right]
    dark = cv2.GaussianBlur(share, (0, 0), 3.0)[..., None]
    lit = table.bgr[window] * (1 - shadow * dark)
    table.bgr[window] = face * share + lit * (1 - share)
    table.seen[window][share[..., 0] > 0.5] = table.count
    table.surface[window][share[..., 0] > 0.5] = 255 if surface else 0
    return table.count


def _placed(centre_mm: Array, angle: float, size_mm: tuple[float, float], size_px: tuple[int, int]) -> Array:
    """The map of a sprite of that size in px to the canvas, its middle at `centre_mm`, turned by `angle`."""
    scale = np.array(size_mm) * CANVAS_PX_PER_MM / np.array(size_px)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    return np.c_[turn, centre_mm * CANVAS_PX_PER_MM - turn @ (np.array(size_px) / 2)]


def _zone(
    table: Table, number: int, kind: str, cls: str, at_mm: Array, angle: float, half_mm: tuple[float, float]
) -> None:
    """Remember a thing to find, with a rectangle around it whose visible share counts."""
    axis = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-axis[1], axis[0]])
    corners = [at_mm + i * axis * half_mm[0] + j * across * half_mm[1] for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    outline = np.round(np.array(corners) * CANVAS_PX_PER_MM).astype(np.int32)
    table.zones.append((Label(kind, cls, float(at_mm[0]), float(at_mm[1]), float(angle), float(number)), outline))


def _card(table: Table, deck: list[Card], rng: np.random.Generator, centre_mm: Array, angle: float) -> None:
    """Lay one card; `angle` turns its breadth from +x. Its indices point along its length towards the middle."""
    chosen = drawn_back(rng) if rng.random() < 0.12 else deck[rng.integers(len(deck))]
    size_mm = CARD_SIZES_MM[rng.integers(len(CARD_SIZES_MM))]
    tint = rng.normal(1, 0.03, 3) * rng.uniform(0.9, 1.02)
    bgr = np.clip(chosen.bgr * tint, 0, 255).astype(np.uint8)
    number = _paste(
        table, bgr, chosen.alpha, _placed(centre_mm, angle, size_mm, CARD_PX), rng.uniform(0.1, 0.5), surface=True
    )
    along = np.array([-np.sin(angle), np.cos(angle)])
    across = np.array([np.cos(angle), np.sin(angle)])
    long_angle = angle + np.pi / 2
    _zone(table, number, "card", chosen.cls, centre_mm, long_angle, (size_mm[1] / 2, size_mm[0] / 2))
    if chosen.cls == "BACK":
        return
    off_mm = (size_mm[0] / 2 - INDEX_FROM_CORNER_MM[0], size_mm[1] / 2 - INDEX_FROM_CORNER_MM[1])
    for sign in (-1, 1):
        at = centre_mm + sign * (across * off_mm[0] + along * off_mm[1])
        _zone(table, number, "index", chosen.cls, at, long_angle + (0 if sign < 0 else np.pi), (9.0, 4.5))


def _fan(table: Table, deck: list[Card], rng: np.random.Generator) -> None:
    at, angle = rng.uniform(0.2, 0.8, 2) * TABLE_MM, rng.uniform(0, 2 * np.pi)
    step = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(11, 40)
    for n in range(rng.integers(2, 7)):
        _card(
            table,
            deck,
            rng,
            at + n * step + rng.normal(0, 2, 2),
            angle + rng.normal(0, 0.05) + n * rng.uniform(0, 0.15),
        )


def _grid(table: Table, deck: list[Card], rng: np.random.Generator) -> None:
    angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.1)
    across, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    pitch = np.array([63.5, 88.9]) + rng.uniform(-1, 12, 2)
    origin = rng.uniform(-60, 0, 2)
    for i in range(4):
        for j in range(4):
            if rng.random() < 0.9:
                at = origin + across * i * pitch[0] + along * j * pitch[1] + rng.normal(0, 1, 2)
                _card(table, deck, rng, at, angle + rng.normal(0, 0.03) + rng.choice([0, np.pi]))


def _flat_thing(table: Table, coins: list[Sprite], rng: np.random.Generator) -> None:
    """A coin, perhaps with a sticker, or clutter: nothing to find here, but it covers things."""
    if coins and rng.random() < 0.7:
        sprite, radius_mm = coins[rng.integers(len(coins))], rng.uniform(8, 15)
    else:
        sprite, radius_mm, _ = clutter(rng)
    side_mm = SPRITE_PX / (2 * SPRITE_RADIUS_PX) * 2 * radius_mm
    at = rng.uniform(0, TABLE_MM, 2)
    where = _placed(at, rng.uniform(0, 2 * np.pi), (side_mm, side_mm), (SPRITE_PX, SPRITE_PX))
    number = _paste(table, sprite.bgr, sprite.alpha, where, rng.uniform(0.1, 0.5), surface=False)
    _zone(table, number, "other", "none", at, 0.0, (radius_mm, radius_mm))


def _match(table: Table, rng: np.random.Generator) -> None:
    length, thick = rng.uniform(38, 48), rng.uniform(1.8, 2.6)
    px = (int(length * 8), int(thick * 8) + 12)
    wood = rng.uniform(0.6, 1.0) * np.array([150, 195, 225]) + rng.normal(0, 12, 3)
    bgr = np.clip(wood + rng.normal(0, 6, (px[1], px[0], 1)), 0, 255).astype(np.uint8)
    alpha = np.zeros(px[::-1], np.uint8)
    alpha[6:-6] = 255
    head = rng.choice([(40, 40, 170), (40, 60, 90), (120, 60, 30), (30, 30, 30), (60, 120, 50)]) * rng.uniform(0.7, 1.2)
    if rng.random() < 0.9:
        centre, axes = (px[0] - 18, px[1] // 2), (18, px[1] // 2 - 2)
        cv2.ellipse(bgr, centre, axes, 0, 0, 360, np.clip(head, 0, 255).tolist(), -1, cv2.LINE_AA)
        cv2.ellipse(alpha, centre, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    if rng.random() < 0.6:  # a side beside the top, away from the lamp: up to all that shows
        shaded = 6 + int(rng.uniform(0.2, 1.0) * (px[1] - 12))
        bgr[:shaded] = (bgr[:shaded] * rng.uniform(0.25, 0.8)).astype(np.uint8)
    at, angle = rng.uniform(0, TABLE_MM, 2), rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        _stick_shadow(table, at, angle, length, thick, rng)
    where = _placed(at, angle, (length, thick * px[1] / (px[1] - 12)), px)
    number = _paste(table, bgr, alpha, where, rng.uniform(0.1, 0.6), surface=False)
    _zone(table, number, "match", "match", at, angle, (length / 2, thick / 2))


def _stick_shadow(
    table: Table, at_mm: Array, angle: float, length: float, thick: float, rng: np.random.Generator
) -> None:
    """The shadow of a stick beside it, longer in a lower sun."""
    along = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    away = rng.normal(0, 1, 2)
    away *= thick * rng.uniform(0.3, 2.0) / np.linalg.norm(away)
    ends = [at_mm - along, at_mm + along, at_mm + along + away, at_mm - along + away]
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(ends) * CANVAS_PX_PER_MM).astype(np.int32)], 255)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 4)).astype(np.float32)[..., None] / 255
    table.bgr *= 1 - rng.uniform(0.2, 0.7) * soft


_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip


def _dice(table: Table, slant: Array, rng: np.random.Generator) -> None:
    cluster = rng.uniform(0.15, 0.85, 2) * TABLE_MM
    close = rng.random() < 0.4
    taken: list[Array] = []
    for _ in range(rng.integers(0, 7)):
        at = cluster + rng.normal(0, 22, 2) if close else rng.uniform(5, TABLE_MM - 5, 2)
        if all(np.hypot(*(at - other)) > 23 for other in taken):
            taken.append(at)
    for at in sorted(taken, key=lambda p: -float(p @ slant)):  # the farthest first
        _die(table, at, slant, rng)


def _die(table: Table, at_mm: Array, slant: Array, rng: np.random.Generator) -> None:
    side = DIE_SIDE_MM * (1.0 if rng.random() < 0.5 else rng.uniform(0.75, 1.12))
    turn, top = rng.uniform(0, np.pi / 2), int(rng.integers(1, 7))
    body, pips = _die_colours(rng)
    others = [n for n in range(1, 7) if n not in (top, 7 - top)]
    a, b = np.array([np.cos(turn), np.sin(turn)]) * side / 2, np.array([-np.sin(turn), np.cos(turn)]) * side / 2
    lift = slant * side
    _soft_shadow(table, at_mm, side, rng)
    table.count += 1
    for k, (normal, width) in enumerate(((a, b), (b, -a), (-a, -b), (-b, a))):
        if normal @ slant < -1e-6:  # this side looks towards the camera
            _face(
                table,
                at_mm + normal + lift / 2,
                width,
                lift / 2,
                body * rng.uniform(0.45, 0.85),
                pips * rng.uniform(0.5, 0.9),
                others[k],
                rng,
            )
    _face(table, at_mm + lift, a, b, body * rng.uniform(0.9, 1.1), pips, top, rng)
    _zone(table, table.count, "die", str(top), at_mm + lift, turn, (side / 2, side / 2))


def _die_colours(rng: np.random.Generator) -> tuple[Array, Array]:
    if rng.random() < 0.45:
        return rng.uniform(195, 255) * np.ones(3) * rng.normal(1, 0.03, 3), rng.uniform(0, 70, 3)
    body = rng.uniform(0, 255, 3)
    pips = np.full(3, rng.uniform(205, 255)) if body.mean() < 150 else rng.uniform(0, 60, 3)
    return body, np.clip(pips * rng.normal(1, 0.08, 3), 0, 255)


def _soft_shadow(table: Table, at_mm: Array, side_mm: float, rng: np.random.Generator) -> None:
    away = rng.normal(0, 0.35, 2) * side_mm
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cv2.circle(
        mask, tuple(int(v) for v in (at_mm + away) * CANVAS_PX_PER_MM), int(side_mm * 0.75 * CANVAS_PX_PER_MM), 255, -1
    )
    u, v = (int(c) for c in at_mm * CANVAS_PX_PER_MM)
    reach = int(2.2 * side_mm * CANVAS_PX_PER_MM)
    window = np.s_[max(0, v - reach) : v + reach, max(0, u - reach) : u + reach]
    if mask[window].size:
        table.bgr[window] *= (
            1 - rng.uniform(0.1, 0.55) * (cv2.GaussianBlur(mask[window], (0, 0), 9).astype(np.float32) / 255)[..., None]
        )


def _face(
    table: Table, centre_mm: Array, a: Array, b: Array, body: Array, ink: Array, pips: int, rng: np.random.Generator
) -> None:
    """One face: a rounded parallelogram spanned by a and b about its centre, with its pips."""
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    power = rng.uniform(0.18, 0.42)  # superellipse: from sharp to well-rounded corners
    square = np.stack(
        [
            np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** power,
            np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** power,
        ],
        axis=1,
    )
    spread, radius = rng.uniform(0.5, 0.58), rng.uniform(0.13, 0.24) * (1.6 if pips == 1 and rng.random() < 0.3 else 1)
    shapes = [(square, body)]
    swap = rng.random() < 0.5
    for x, y in _PIPS[pips]:
        at = np.array([y, x] if swap else [x, y]) * spread
        shapes.append((at + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1), ink))
    for points, colour in shapes:
        px = (centre_mm + points @ np.stack([a, b])) * CANVAS_PX_PER_MM
        fixed = np.round(px * 16).astype(np.int32)
        bgr = tuple(float(c) for c in np.clip(colour, 0, 255))
        cv2.fillPoly(table.bgr, [fixed], bgr, cv2.LINE_AA, 4)
        if points is square:
            whole = np.round(px).astype(np.int32)
            cv2.fillPoly(table.seen, [whole], table.count)
            cv2.fillPoly(table.surface, [whole], 0)
