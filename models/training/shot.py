"""A camera over a table: coins and clutter composed in perspective, side walls and shadows included, then developed."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.grounds import GROUND_PX, GROUND_PX_PER_MM
from models.training.jpeg import compressed
from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, Sprite

Array = NDArray[np.float64]
Image = NDArray[np.float32]

# So many pictures come through JPEG, at these qualities.
_COMPRESSED, _QUALITIES = 0.8, (35, 97)


@dataclass(frozen=True, eq=False)
class Pinhole:
    """A camera without distortion: px = K (R p + t), table frame in mm, z up."""

    matrix: Array
    rotation: Array
    translation: Array
    size_px: tuple[int, int]

    @property
    def eye_mm(self) -> Array:
        """(3,) where it stands."""
        return np.asarray(-self.rotation.T @ self.translation, float)

    def project(self, points_mm: Array) -> Array:
        """(n, 3) mm to (n, 2) px."""
        seen = (points_mm @ self.rotation.T + self.translation) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:], float)

    def plane2image(self, height_mm: float) -> Array:
        """(3, 3) homography of the plane at that height."""
        return np.asarray(
            self.matrix @ np.c_[self.rotation[:, :2], self.rotation[:, 2] * height_mm + self.translation], float
        )

    def on_plane(self, px: Array, height_mm: float) -> Array:
        """(n, 2) px to (n, 2) mm at that height."""
        flat = np.c_[px, np.ones(len(px))] @ np.linalg.inv(self.plane2image(height_mm)).T
        return np.asarray(flat[:, :2] / flat[:, 2:], float)


@dataclass(eq=False)
class Item:
    """One thing to shoot. cls is empty for clutter; outline in radii; `compose` fills in visible_share; side_gain: how
    bright its side is beside its face."""

    sprite: Sprite
    outline: Array
    radius_mm: float
    centre_mm: Array
    base_mm: float
    thickness_mm: float
    turn: float
    cls: str = ""
    face: str = "unknown"
    owner: str = "none"
    photographed: bool = False
    visible_share: float = field(default=1.0)
    side_gain: float = 0.7

    @property
    def top_mm(self) -> float:
        """Height of the top face above the table."""
        return self.base_mm + self.thickness_mm


def aimed(
    rng: np.random.Generator, elevation_deg: float, px_per_mm: float, size_px: tuple[int, int], target_mm: Array
) -> Pinhole:
    """A camera that looks at `target_mm` on the table from a random side."""
    elevation, azimuth, roll = np.radians(elevation_deg), rng.uniform(0, 2 * np.pi), rng.normal(0, 0.08)
    distance = rng.uniform(450, 1500)
    back = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    down = np.cross(-back, right)
    right, down = np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right
    rotation = np.stack([right, down, -back])
    focal = px_per_mm * distance
    matrix = np.array([[focal, 0, (size_px[0] - 1) / 2], [0, focal, (size_px[1] - 1) / 2], [0, 0, 1]])
    position = np.append(target_mm, 0.0) + distance * back
    return Pinhole(matrix, rotation, -rotation @ position, size_px)


def compose(
    ground: NDArray[np.uint8], items: list[Item], camera: Pinhole, rng: np.random.Generator, ground_turn: float = 0.0
) -> Image:
    """The scene in floats 0 to 255, before the camera's own faults. Items are laid from the lowest to the highest."""
    return lay(_shoot_ground(ground, camera, ground_turn), items, camera, rng)


def lay(scene: Image, items: list[Item], camera: Pinhole, rng: np.random.Generator) -> Image:
    """The things laid on what a picture shows already, as `compose` does; also in `scene` itself."""
    owner = np.full(scene.shape[:2], -1, np.int32)
    light_mm = rng.normal(0, 0.8, 2)
    shade, softness = rng.uniform(0.1, 0.75), rng.uniform(0.3, 1.5)
    glare_px, glare, reach_px = (
        rng.uniform(0, camera.size_px),
        rng.uniform(0, 1.8) * (rng.random() < 0.35),
        rng.uniform(40, 300),
    )
    order = sorted(range(len(items)), key=lambda index: items[index].base_mm)
    own_area = np.zeros(len(items))
    for index in order:
        item = items[index]
        at = camera.project(np.append(item.centre_mm, item.top_mm)[None])[0]
        gain = 1 + glare * np.exp(-np.square(at - glare_px).sum() / (2 * reach_px**2)) if item.cls else 1.0
        own_area[index] = _lay(scene, owner, index, item, camera, light_mm, shade, softness, float(gain))
    for index, item in enumerate(items):
        item.visible_share = float((owner == index).sum() / max(own_area[index], 1.0))
    return scene


def _shoot_ground(ground: NDArray[np.uint8], camera: Pinhole, turn: float) -> Image:
    cos, sin = np.cos(turn) * GROUND_PX_PER_MM, np.sin(turn) * GROUND_PX_PER_MM
    table2ground = np.array([[cos, sin, GROUND_PX / 2], [sin, -cos, GROUND_PX / 2], [0, 0, 1]])
    ground2image = camera.plane2image(0.0) @ np.linalg.inv(table2ground)
    scale = np.sqrt(abs(np.linalg.det(camera.plane2image(0.0)))) / camera.translation[2] ** 1.5 / GROUND_PX_PER_MM
    blurred = cv2.GaussianBlur(ground, (0, 0), 0.45 / scale) if scale < 0.7 else ground
    return np.asarray(
        cv2.warpPerspective(
            blurred, ground2image, camera.size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        ),
        np.float32,
    )


def _rim(item: Item, camera: Pinhole, height_mm: float, shift_mm: Array | float = 0.0) -> Array:
    cos, sin = np.cos(item.turn), np.sin(item.turn)
    turned = item.outline @ np.array([[cos, sin], [-sin, cos]]) * item.radius_mm + item.centre_mm + shift_mm
    return camera.project(np.c_[turned, np.full(len(turned), height_mm)])


def _lay(
    scene: Image,
    owner: NDArray[np.int32],
    index: int,
    item: Item,
    camera: Pinhole,
    light_mm: Array,
    shade: float,
    softness: float,
    gain: float,
) -> float:
    """Shadow, side and top of one item; returns the top's own area in px, hidden or not."""
    foot, top = _rim(item, camera, item.base_mm), _rim(item, camera, item.top_mm)
    scale = np.linalg.norm(top[0] - top[len(top) // 2]) / (2 * item.radius_mm)
    shadow = _rim(item, camera, item.base_mm, light_mm * item.thickness_mm)
    pad = 4 + 3 * softness * scale * item.thickness_mm
    everything = np.vstack([foot, top, shadow])
    low = np.clip(np.floor(everything.min(axis=0) - pad), 0, None).astype(int)
    high = np.clip(np.ceil(everything.max(axis=0) + pad) + 1, 0, camera.size_px).astype(int)
    if (high <= low).any():
        return 0.0
    window = slice(low[1], high[1]), slice(low[0], high[0])
    patch = scene[window]
    size = patch.shape[:2]
    dark = cv2.GaussianBlur(_filled(shadow - low, size), (0, 0), max(0.4, softness * scale * item.thickness_mm * 0.4))
    patch *= (1 - shade * dark.astype(np.float32) / 255)[..., None]
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))[:, 0]
    if item.sprite.alpha[SPRITE_PX // 2, SPRITE_PX // 2] > 127:  # through a washer's hole one sees the table
        _blend(patch, _filled(hull - low, size), _side_tone(item) * (1 - 0.4 * shade))
    own = _lay_top(patch, item, camera, low, scale, gain)
    owner[window][_filled(hull - low, size) > 127] = -2
    owner[window][own > 127] = index
    return (
        float((_filled(top, (camera.size_px[1], camera.size_px[0])) > 127).sum())
        if (low == 0).any() or (high == camera.size_px).any()
        else float((own > 127).sum())
    )


def _side_tone(item: Item) -> Array:
    opaque = item.sprite.alpha > 200
    return np.asarray(item.sprite.bgr[opaque].mean(axis=0) * item.side_gain if opaque.any() else np.zeros(3), float)


def _filled(points: Array, size: tuple[int, int]) -> NDArray[np.uint8]:
    mask = np.zeros(size, np.uint8)
    cv2.fillPoly(mask, [np.rint(points * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return mask


def _blend(patch: Image, mask: NDArray[np.uint8], colour: Array | Image) -> None:
    share = (mask.astype(np.float32) / 255)[..., None]
    patch *= 1 - share
    patch += share * np.asarray(colour, np.float32)


def _lay_top(
    patch: Image, item: Item, camera: Pinhole, low: NDArray[np.int_], scale: float, gain: float
) -> NDArray[np.uint8]:
    half = SPRITE_PX / 2 / SPRITE_RADIUS_PX
    cos, sin = np.cos(item.turn), np.sin(item.turn)
    corners = np.array([(-half, half), (half, half), (half, -half), (-half, -half)]) @ np.array(
        [[cos, sin], [-sin, cos]]
    )
    seen = camera.project(np.c_[corners * item.radius_mm + item.centre_mm, np.full(4, item.top_mm)]) - low
    small = scale * item.radius_mm / SPRITE_RADIUS_PX
    side = SPRITE_PX if small > 0.7 else 64 if small > 0.35 else 32
    bgr, alpha = (
        cv2.resize(layer, (side, side), interpolation=cv2.INTER_AREA) for layer in (item.sprite.bgr, item.sprite.alpha)
    )
    edge = side - 0.5
    square = np.array([(-0.5, -0.5), (edge, -0.5), (edge, edge), (-0.5, edge)], np.float32)
    warp = cv2.getPerspectiveTransform(square, seen.astype(np.float32))
    size = (patch.shape[1], patch.shape[0])
    mask = cv2.warpPerspective(alpha, warp, size, flags=cv2.INTER_LINEAR)
    face = cv2.warpPerspective(bgr, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    _blend(patch, mask, face.astype(np.float32) * gain)
    return np.asarray(mask, np.uint8)


def developed(scene: Image, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera makes of it: uneven light, white balance, exposure, blur, noise, JPEG."""
    height, width = scene.shape[:2]
    picture = scene * _light(height, width, rng)[..., None]
    warmth, tint = rng.normal(0, 0.13), rng.normal(0, 0.05)
    picture = (
        picture * np.array([1 - warmth, 1 + tint, 1 + warmth], np.float32) * np.float32(np.exp(rng.normal(-0.15, 0.25)))
    )
    curve = np.float32(np.exp(rng.normal(0, 0.18)))
    picture = 255 * np.power(np.clip(picture / 255, 0, 1), curve)
    if rng.random() < 0.6:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.2))
    if rng.random() < 0.1:
        picture = cv2.filter2D(picture, -1, _streak(rng))
    if rng.random() < 0.3:
        picture = picture + rng.uniform(0.2, 0.8) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    noise = rng.normal(0, 1, picture.shape).astype(np.float32) * np.sqrt(
        rng.uniform(0, 0.12) * np.clip(picture, 0, 255) + rng.uniform(0, 12)
    )
    developed_bgr = np.clip(picture + noise, 0, 255).astype(np.uint8)
    return compressed(developed_bgr, _QUALITIES, rng) if rng.random() < _COMPRESSED else developed_bgr


def _light(height: int, width: int, rng: np.random.Generator) -> NDArray[np.float32]:
    across, along = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.35)
    ramp = np.cos(angle) * across + np.sin(angle) * along
    light = 1 + strength * ramp
    if rng.random() < 0.25:
        edge, softness, depth = rng.uniform(-0.8, 0.8), rng.uniform(0.01, 0.2), rng.uniform(0.2, 0.6)
        turned = np.cos(angle + 1) * across + np.sin(angle + 1) * along
        light *= 1 - depth / (1 + np.exp(-(turned - edge) / softness))
    if rng.random() < 0.2:
        spot = rng.uniform(-1, 1, 2)
        light *= 1 + rng.uniform(0.2, 1.2) * np.exp(
            -(np.square(across - spot[0]) + np.square(along - spot[1])) / rng.uniform(0.02, 0.3)
        )
    return np.asarray(light, np.float32)


def _streak(rng: np.random.Generator) -> NDArray[np.float32]:
    length = int(rng.integers(3, 7))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, length // 2), (length - 1, length // 2), (1.0,), 1)
    turned = cv2.warpAffine(
        kernel, cv2.getRotationMatrix2D(((length - 1) / 2,) * 2, rng.uniform(0, 180), 1), (length, length)
    )
    return np.asarray(turned / turned.sum(), np.float32)
