"""A card, die or match as the camera sees it: rays meet the true box, so positions are exact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.block_faces import CARD_PX_PER_MM, card_cover, card_face, die_sides
from sample_footage.coin_draw import Patch
from sample_footage.ground import linear
from sample_footage.shadows import Solid, occlusion_of, shadow_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.block import Block
    from sample_footage.camera import Camera
    from sample_footage.light import Light

    Floats = NDArray[np.float32]

OVERSAMPLING = 4
LONGEST_MAP = 30000  # OpenCV remaps at most 32767 rows at once
BEVEL_MM = 1.5
WOOD_BGR = (0.24, 0.42, 0.58)
HEAD_MM = 4.0
SHEEN = {"card": 0.03, "die": 0.06, "match": 0.0}


def block_patch(block: Block, camera: Camera, light: Light, others: Sequence[Solid] = ()) -> Patch:
    """The block's pixels; `others` are the solids that may shade it."""
    corner, size = _window(block, camera)
    steps = ((np.arange(n * OVERSAMPLING) + 0.5) / OVERSAMPLING - 0.5 + c for n, c in zip(size, corner, strict=True))
    u, v = np.meshgrid(*steps)
    rays = camera.rays(np.column_stack([u.ravel(), v.ravel()]))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    hit, at, side = _met(block, camera, rays)
    colour: Floats = np.zeros((len(rays), 3), np.float32)
    cover: Floats = hit.astype(np.float32)
    if hit.any():
        paint, inside = _painted(block, at[hit], side[hit])
        cover[hit] = inside
        colour[hit] = paint * _light_on(block, at[hit], side[hit], light, others) * inside[:, None]
        colour[hit] += _sheen(block, at[hit], side[hit], rays[hit], light) * inside[:, None]
    shape = u.shape
    return Patch(corner, _reduced(colour.reshape(*shape, 3)), _reduced(cover.reshape(shape)))


def _window(block: Block, camera: Camera) -> tuple[tuple[int, int], tuple[int, int]]:
    length, breadth, height = block.size_mm
    own = np.array([(x * length / 2, y * breadth / 2, z * height) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)])
    px = camera.project(own @ _turn(block).T + (*block.position_mm, block.low_mm))
    low, high = np.floor(px.min(axis=0)).astype(int) - 2, np.ceil(px.max(axis=0)).astype(int) + 3
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _turn(block: Block) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(block.turn_deg)), math.sin(math.radians(block.turn_deg))
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def _met(
    block: Block, camera: Camera, rays: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]]:
    """Whether each ray meets the box, where in its own axes (origin in its middle), and the side as (axis, sign)."""
    half = np.asarray(block.size_mm) / 2
    middle = np.array([*block.position_mm, block.low_mm + half[2]])
    eye, way = (camera.eye_mm - middle) @ _turn(block), rays @ _turn(block)
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    one, other = (-half - eye) / way, (half - eye) / way
    near, far = np.minimum(one, other), np.maximum(one, other)
    axis = near.argmax(axis=1)
    enter = near.max(axis=1)
    sign = -np.sign(np.take_along_axis(way, axis[:, None], axis=1)[:, 0]).astype(int)
    return enter < far.min(axis=1), eye + enter[:, None] * way, np.column_stack([axis, sign])


def _painted(block: Block, at: NDArray[np.float64], side: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Reflectance and cover of points on the box."""
    cover = np.ones(len(at), np.float32)
    if block.kind == "die":
        return _die_paint(block, at, side), cover
    if block.kind == "match":
        head = at[:, 0] > block.size_mm[0] / 2 - HEAD_MM
        grain = 1 + 0.06 * np.sin(at[:, 0] * 1.9 + 7 * at[:, 1])
        return np.where(head[:, None], block.tint_bgr, np.asarray(WOOD_BGR) * grain[:, None]).astype(np.float32), cover
    face = linear(card_face(block.cls, block.deck))
    map_u = ((block.size_mm[1] / 2 - at[:, 1]) * CARD_PX_PER_MM - 0.5).astype(np.float32)
    map_v = ((block.size_mm[0] / 2 - at[:, 0]) * CARD_PX_PER_MM - 0.5).astype(np.float32)
    paint, inside = _sampled(face, map_u, map_v), _sampled(card_cover(), map_u, map_v)
    top = side[:, 0] == 2
    edge = np.float32(0.7)
    return np.where(top[:, None], paint, edge).astype(np.float32), np.where(top, inside, inside > 0.5).astype(
        np.float32
    )


def _die_paint(block: Block, at: NDArray[np.float64], side: NDArray[np.int64]) -> Floats:
    paint = np.zeros((len(at), 3), np.float32)
    half = block.size_mm[0] / 2
    for (axis, sign), face in die_sides(block).items():
        here = (side[:, 0] == axis) & (side[:, 1] == sign)
        if not here.any():
            continue
        a, b = (at[here][:, k] for k in range(3) if k != axis)
        scale = face.shape[0] / (2 * half)
        map_u, map_v = ((a + half) * scale - 0.5).astype(np.float32), ((half - b) * scale - 0.5).astype(np.float32)
        paint[here] = _sampled(face, map_u, map_v)
    return paint


def _sampled(field: Floats, map_u: Floats, map_v: Floats) -> Floats:
    parts = len(map_u) // LONGEST_MAP + 1
    values = [
        cv2.remap(field, u[:, None], v[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for u, v in zip(np.array_split(map_u, parts), np.array_split(map_v, parts), strict=True)
    ]
    return np.asarray(np.concatenate(values).squeeze(axis=1), np.float32)


def _normals(block: Block, at: NDArray[np.float64], side: NDArray[np.int64]) -> Floats:
    """Table-frame normals; a die's edges are rounded."""
    normal = np.zeros((len(at), 3))
    normal[np.arange(len(at)), side[:, 0]] = side[:, 1]
    if block.kind == "die":
        over = np.clip((np.abs(at) - (np.asarray(block.size_mm) / 2 - BEVEL_MM)) / BEVEL_MM, 0, 1)
        normal = np.where(normal != 0, normal, np.sign(at) * over**2)
    normal = normal @ _turn(block).T
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32)


def _light_on(
    block: Block, at: NDArray[np.float64], side: NDArray[np.int64], light: Light, others: Sequence[Solid]
) -> Floats:
    """Light that falls on points of the box; the foot of a side gets less of the room than its upper edge."""
    normal = _normals(block, at, side)
    xy = (at @ _turn(block).T)[:, :2] + block.position_mm
    above = [solid for solid in others if solid.high_mm > block.high_mm + 0.05]
    shadow = shadow_of(above, xy, block.high_mm, light) if above else 0.0
    dark = occlusion_of(above, xy, block.high_mm) if above else 0.0
    lit = np.clip(normal @ light.towards().astype(np.float32), 0, 1) / max(float(light.towards()[2]), 0.2)
    foot = 0.25 * (1 - normal[:, 2]) * (1 - np.clip(at[:, 2] / block.size_mm[2] + 0.5, 0, 1))
    sky = (1 - np.asarray(dark)) * (0.62 + 0.38 * normal[:, 2]) * (1 - foot)
    return light.on(light.strength(xy), 1 - (1 - np.asarray(shadow)) * lit, np.asarray(1 - sky, np.float32))


def _sheen(
    block: Block, at: NDArray[np.float64], side: NDArray[np.int64], rays: NDArray[np.float64], light: Light
) -> Floats:
    normal, towards = _normals(block, at, side), rays.astype(np.float32)
    mirror = towards - 2 * np.sum(towards * normal, axis=1, keepdims=True) * normal
    return np.asarray(SHEEN[block.kind] * light.mirrored(mirror, 0.18), np.float32)


def _reduced(fine: Floats) -> Floats:
    size = (fine.shape[1] // OVERSAMPLING, fine.shape[0] // OVERSAMPLING)
    return np.asarray(cv2.resize(np.asarray(fine, np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
