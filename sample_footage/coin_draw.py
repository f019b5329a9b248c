"""A coin as the camera sees it: side wall, upper face with relief and patina, sticker.

Rays meet the true solid, so positions are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.coin_art import SIDE_PX, core_share, face_relief, outline_radius
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.light import Light
from sample_footage.noise import fractal
from sample_footage.shadows import Solid, occlusion_of, shadow_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.coin import Coin

    Floats = NDArray[np.float32]

OVERSAMPLING = 3  # rays across a pixel, each way
COPIES = 5  # of a moving coin while the shutter is open

# Reflectance at normal incidence of used coin metal, blue green red: near that of copper, nickel and aluminium
# bronze, set by eye against worn coins.
METAL_BGR = {
    "copper": (0.22, 0.35, 0.66),
    "nickel": (0.60, 0.645, 0.67),
    "gold": (0.27, 0.58, 0.76),
    "brass": (0.33, 0.60, 0.74),
}
TARNISH_BGR = {
    "copper": (0.12, 0.18, 0.31),
    "nickel": (0.42, 0.45, 0.46),
    "gold": (0.12, 0.29, 0.40),
    "brass": (0.16, 0.30, 0.38),
}
STICKER_BGR = {
    "red": (0.06, 0.05, 0.62),
    "blue": (0.55, 0.19, 0.04),
    "green": (0.12, 0.38, 0.06),
    "yellow": (0.04, 0.62, 0.82),
    "white": (0.80, 0.82, 0.82),
    "black": (0.025, 0.022, 0.022),
    "orange": (0.02, 0.27, 0.80),
    "purple": (0.34, 0.07, 0.27),
    "tan": (0.28, 0.45, 0.60),
    "grey": (0.22, 0.22, 0.22),
}
WALL_LEVELS = 7
RELIEF_MM = 0.24


@dataclass(frozen=True)
class Patch:
    """A piece of picture to lay over the rest.

    corner_px  its first pixel (u, v)
    colour     linear, already multiplied by cover
    """

    corner_px: tuple[int, int]
    colour: Floats
    cover: Floats

    def lay_over(self, picture: Floats) -> None:
        """Blend into a linear picture, cut at its edges."""
        u, v = self.corner_px
        rows, columns = self.cover.shape
        u0, v0, u1, v1 = max(0, u), max(0, v), min(picture.shape[1], u + columns), min(picture.shape[0], v + rows)
        if u1 <= u0 or v1 <= v0:
            return
        inner = (slice(v0 - v, v1 - v), slice(u0 - u, u1 - u))
        window = picture[v0:v1, u0:u1]
        window *= 1 - self.cover[inner][..., None]
        window += self.colour[inner]


def blurred(patch: Patch, travel_px: tuple[float, float]) -> Patch:
    """The patch as it shows when it moves by `travel_px` while the shutter is open: a mean of `COPIES` on the way."""
    if math.hypot(*travel_px) < 1.0:
        return patch
    pad = math.ceil(max(abs(travel_px[0]), abs(travel_px[1])) / 2) + 1
    both = np.pad(np.dstack([patch.colour, patch.cover]), ((pad, pad), (pad, pad), (0, 0)))
    size = (both.shape[1], both.shape[0])
    total: Floats = np.zeros_like(both)
    for share in np.linspace(-0.5, 0.5, COPIES):
        shift = np.array([[1, 0, share * travel_px[0]], [0, 1, share * travel_px[1]]])
        total += np.asarray(cv2.warpAffine(both, shift, size, flags=cv2.INTER_LINEAR), np.float32) / np.float32(COPIES)
    return Patch(
        (patch.corner_px[0] - pad, patch.corner_px[1] - pad),
        np.ascontiguousarray(total[..., :3]),
        np.ascontiguousarray(total[..., 3]),
    )


@cache
def _face_maps(cls: str, face: str, design: int, side_px: int) -> tuple[Floats, Floats]:
    """Slope (x, y) and hollows of a face, reduced to the size at which the camera sees it."""
    relief = face_relief(cls, face, design)
    mm_per_px = COIN_STOCK[cls].diameter_mm / SIDE_PX
    across = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=0.125) * RELIEF_MM / mm_per_px
    down = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=0.125) * RELIEF_MM / mm_per_px
    hollow = np.clip(cv2.GaussianBlur(relief, (0, 0), 9) - relief, 0, 1)
    small = cv2.resize(np.dstack([across, -down, hollow]), (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(small[..., :2]), np.ascontiguousarray(small[..., 2])


@cache
def _wear(design: int) -> Floats:
    """Stains, one field for each coin, 64 pixels wide."""
    return fractal((64, 64), 22.0, 4, np.random.default_rng(900 + design))


def coin_patch(coin: Coin, camera: Camera, light: Light, others: Sequence[Solid] = ()) -> Patch:
    """The coin's pixels; `others` are the discs that may shade it."""
    corner, size = _window(coin, camera)
    sub = (np.arange(size[0] * OVERSAMPLING) + 0.5) / OVERSAMPLING - 0.5
    sub_v = (np.arange(size[1] * OVERSAMPLING) + 0.5) / OVERSAMPLING - 0.5
    u, v = np.meshgrid(sub + corner[0], sub_v + corner[1])
    shape = u.shape
    rays = camera.rays(np.column_stack([u.ravel(), v.ravel()]))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    top = _at_height(camera, rays, coin.high_mm)
    cover = _cover(coin, top, _mm_per_px(camera, coin) / OVERSAMPLING)
    colour = _face_colour(coin, top, rays, light, others, camera) * cover[:, None]
    wall_cover, wall = _wall(coin, camera, rays, light)
    left = wall_cover * (1 - cover)
    colour += wall * left[:, None]
    return Patch(corner, _reduced(colour.reshape(*shape, 3)), _reduced((cover + left).reshape(shape)))


def _window(coin: Coin, camera: Camera) -> tuple[tuple[int, int], tuple[int, int]]:
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    reach = 1.05 * coin.radius_mm
    ring = np.column_stack([coin.position_mm[0] + reach * np.cos(angle), coin.position_mm[1] + reach * np.sin(angle)])
    px = camera.project(np.vstack([np.column_stack([ring, np.full(32, z)]) for z in (coin.low_mm, coin.high_mm)]))
    low, high = np.floor(px.min(axis=0)).astype(int) - 2, np.ceil(px.max(axis=0)).astype(int) + 3
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _mm_per_px(camera: Camera, coin: Coin) -> float:
    depth = float(np.asarray(camera.rotation)[2] @ coin.top_centre_mm + camera.tvec_mm[2])
    return depth / camera.focal_px[0]


def _at_height(camera: Camera, rays: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
    eye = camera.eye_mm
    return np.asarray(eye[:2] + ((height_mm - eye[2]) / rays[:, 2])[:, None] * rays[:, :2])


def _cover(coin: Coin, xy_mm: NDArray[np.float64], step_mm: float) -> Floats:
    """1 inside the coin's outline, 0 outside, and a ramp of one ray's width between."""
    dx, dy = xy_mm[:, 0] - coin.position_mm[0], xy_mm[:, 1] - coin.position_mm[1]
    edge = outline_radius(coin.stock, np.arctan2(dy, dx) - math.radians(coin.turn_deg)) * coin.radius_mm
    return np.asarray(np.clip((edge - np.hypot(dx, dy)) / step_mm + 0.5, 0, 1), np.float32)


def _wall(coin: Coin, camera: Camera, rays: NDArray[np.float64], light: Light) -> tuple[Floats, Floats]:
    """Cover and colour of the side, found level by level."""
    step_mm = _mm_per_px(camera, coin) / OVERSAMPLING
    cover: Floats = np.zeros(len(rays), np.float32)
    colour: Floats = np.zeros((len(rays), 3), np.float32)
    for level in np.linspace(0.93, 0.0, WALL_LEVELS):
        xy = _at_height(camera, rays, coin.low_mm + level * coin.stock.thickness_mm)
        here = _cover(coin, xy, step_mm)
        fresh = np.clip(here - cover, 0, 1)
        colour += fresh[:, None] * _wall_colour(coin, xy, level, light)
        cover = np.maximum(cover, here)
    return cover, np.asarray(colour / np.maximum(cover, 1e-6)[:, None], np.float32)


def _wall_colour(coin: Coin, xy_mm: NDArray[np.float64], level: float, light: Light) -> Floats:
    angle = np.arctan2(xy_mm[:, 1] - coin.position_mm[1], xy_mm[:, 0] - coin.position_mm[0])
    normal = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))]).astype(np.float32)
    reeds = 1 + (0.22 * np.sin(angle * 110) if coin.stock.reeded else 0.0)
    lit = np.clip(normal @ light.towards().astype(np.float32), 0, 1)
    brightness = (0.34 * light.ambient + 0.75 * light.key * lit) * reeds * (0.45 + 0.55 * level)
    return np.asarray(brightness[:, None] * _metal(coin, coin.stock.metal), np.float32)


def _metal(coin: Coin, metal: str, stain: Floats | float = 0.0) -> Floats:
    dull = np.clip(coin.patina + 0.16 * np.asarray(stain, np.float32), 0, 1)[..., None]
    bright, tarnished = np.asarray(METAL_BGR[metal], np.float32), np.asarray(TARNISH_BGR[metal], np.float32)
    return np.asarray(bright * (1 - dull) + tarnished * dull, np.float32)


def _face_colour(
    coin: Coin,
    xy_mm: NDArray[np.float64],
    rays: NDArray[np.float64],
    light: Light,
    others: Sequence[Solid],
    camera: Camera,
) -> Floats:
    side_px = int(np.clip(2 * coin.radius_mm / (_mm_per_px(camera, coin) / OVERSAMPLING), 24, SIDE_PX))
    slope, hollow = _face_maps(coin.cls, coin.face, coin.design, side_px)
    own = _in_coin(coin, xy_mm)
    stain = _sampled(_wear(coin.design), own)
    slope_xy, dip = _sampled(slope, own), _sampled(hollow, own)
    normal = _turned_normals(slope_xy, coin.turn_deg)
    above = [solid for solid in others if solid.high_mm > coin.high_mm + 0.05]
    shadow: Floats | float = shadow_of(above, xy_mm, coin.high_mm, light) if above else 0.0
    dark: Floats | float = occlusion_of(above, xy_mm, coin.high_mm) if above else 0.0
    towards = rays.astype(np.float32)
    mirror = towards - 2 * np.sum(towards * normal, axis=1, keepdims=True) * normal
    roughness = 0.22 + 0.3 * coin.patina
    lit = np.clip(normal @ light.towards().astype(np.float32), 0, 1) / max(light.towards()[2], 0.2)
    matt = light.on(light.strength(xy_mm) * lit, shadow, dark)
    shine = light.mirrored(mirror, roughness, shadow) * (1 - 0.6 * np.asarray(dark))[..., None]
    gleam = 0.62 - 0.32 * coin.patina
    colour = (
        _disc_metal(coin, own, stain)
        * (gleam * shine + (1 - gleam) * matt)
        * (1 - 0.9 * np.clip(dip * 2.6, 0, 0.8) * (0.4 + coin.patina))[:, None]
    )
    return _with_sticker(coin, own, colour, light.on(light.strength(xy_mm), shadow, dark))


def _in_coin(coin: Coin, xy_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Table to the coin's own frame in units of its radius, up along the face's up."""
    turn = math.radians(coin.turn_deg)
    d = (xy_mm - np.asarray(coin.position_mm)) / coin.radius_mm
    return np.column_stack(
        [d[:, 0] * math.cos(turn) + d[:, 1] * math.sin(turn), d[:, 1] * math.cos(turn) - d[:, 0] * math.sin(turn)]
    )


def _sampled(field: Floats, own: NDArray[np.float64]) -> Floats:
    """Values of a square field at the coin's own positions, (n,) or (n, channels)."""
    half = field.shape[0] / 2
    map_u = ((own[:, 0] + 1) * half - 0.5).astype(np.float32)
    map_v = ((1 - own[:, 1]) * half - 0.5).astype(np.float32)
    rows = -(-len(own) // 4096)
    padded = rows * 4096 - len(own)
    grid_u, grid_v = (np.pad(m, (0, padded)).reshape(rows, 4096) for m in (map_u, map_v))
    values = cv2.remap(field, grid_u, grid_v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values.reshape(rows * 4096, -1)[: len(own)].squeeze(), np.float32)


def _turned_normals(slope: Floats, turn_deg: float) -> Floats:
    turn = math.radians(turn_deg)
    x = slope[:, 0] * math.cos(turn) - slope[:, 1] * math.sin(turn)
    y = slope[:, 0] * math.sin(turn) + slope[:, 1] * math.cos(turn)
    normal = np.column_stack([-x, -y, np.ones_like(x)])
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32)


def _disc_metal(coin: Coin, own: NDArray[np.float64], stain: Floats) -> Floats:
    metal = _metal(coin, coin.stock.metal, stain)
    if coin.stock.core is None:
        return metal
    inside = np.hypot(own[:, 0], own[:, 1]) < core_share(coin.stock)
    return np.where(inside[:, None], _metal(coin, coin.stock.core, stain), metal)


def _with_sticker(coin: Coin, own: NDArray[np.float64], colour: Floats, light_on: Floats) -> Floats:
    """A round paper dot, matt, its rim a little shaded where it stands off the relief."""
    if coin.owner == "none":
        return colour
    radius = coin.sticker_diameter_mm / 2 / coin.radius_mm
    off = np.hypot(own[:, 0] - coin.sticker_mm[0] / coin.radius_mm, own[:, 1] - coin.sticker_mm[1] / coin.radius_mm)
    soft = 0.012
    cover = np.clip((radius - off) / soft + 0.5, 0, 1)[:, None]
    shade = 1 - 0.18 * np.exp(-(((off - radius) / 0.03) ** 2))[:, None]
    paper = np.asarray(STICKER_BGR[coin.owner], np.float32) * light_on + 0.012
    return np.asarray((colour * (1 - cover) + paper * cover) * shade, np.float32)


def _reduced(fine: Floats) -> Floats:
    rows, columns = fine.shape[0] // OVERSAMPLING, fine.shape[1] // OVERSAMPLING
    return np.asarray(
        cv2.resize(np.asarray(fine, np.float32), (columns, rows), interpolation=cv2.INTER_AREA), np.float32
    )
