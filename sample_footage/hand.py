"""A hand that pinches a coin, and the sleeved arm behind it, as triangles.

Own frame, mm: the origin is the middle of the held coin's upper face, +x the way the arm reaches, z up.
A left hand is the mirror.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from skimage.measure import marching_cubes

from sample_footage.noise import fractal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Joints from tip to knuckle with radii, for an adult hand, 84 mm broad, that holds a coin of 12 mm radius.
FINGERS = {
    "index": ((11, 6, 4.5, 6.6), (8, 9, 26, 7.4), (-10, 12, 49, 8.6), (-54, 14, 58, 10.5)),
    "middle": ((13, -8, 6, 6.8), (11, -11, 29, 7.6), (-8, -12, 54, 8.9), (-56, -7, 61, 11.0)),
    "ring": ((4, -27, 15, 6.6), (4, -28, 36, 7.3), (-15, -29, 55, 8.4), (-58, -28, 58, 10.5)),
    "little": ((-10, -43, 22, 5.6), (-11, -44, 36, 6.2), (-26, -45, 50, 7.2), (-62, -46, 52, 9.5)),
    "thumb": ((-12, 4, 5, 8.0), (-24, 14, 26, 9.2), (-48, 29, 40, 11.0), (-88, 24, 46, 15.0)),
}
PALM = (
    ((-54, 14, 56, 11.0), (-118, 10, 58, 19.0)),
    ((-56, -7, 58, 11.5), (-118, 0, 60, 20.0)),
    ((-58, -28, 55, 11.0), (-118, -10, 58, 19.0)),
    ((-62, -45, 50, 10.0), (-116, -18, 55, 17.0)),
    ((-118, -2, 58, 21.0), (-200, -2, 74, 26.0)),
)
SPREAD_MM = {"index": (12, 3, 5), "middle": (12, -3, 5), "ring": (8, -6, 4), "little": (5, -7, 3), "thumb": (-11, 3, 4)}
ARM = ((-168, -2, 68, 33.0), (-300, 0, 104, 43.0), (-460, 0, 168, 54.0), (-700, 0, 260, 66.0), (-1100, 0, 420, 72.0))
GRID_MM = 2.4
BLEND_MM = 6.0


@dataclass(frozen=True)
class Mesh:
    """points (n, 3) mm; faces (m, 3); normals and colours by point; openness: share of the room that a point sees."""

    points: Floats
    faces: NDArray[np.int32]
    normals: Floats
    colours: Floats
    openness: Floats


@dataclass(frozen=True)
class Person:
    """skin and sleeve reflectance, blue green red; weave: knit, plain or stripes."""

    skin_bgr: tuple[float, float, float]
    sleeve_bgr: tuple[float, float, float]
    weave: str = "knit"
    right_handed: bool = True
    sleeve_mm: float = 0.0  # how far the cuff is pushed up
    bulk: float = 1.0  # how wide the sleeve is, 1 a jumper
    seed: int = 0


def _capsule(points: Floats, a: tuple[float, ...], b: tuple[float, ...]) -> Floats:
    """Distance to a round bar whose radius changes from a's to b's."""
    start, along = np.asarray(a[:3]), np.asarray(b[:3]) - np.asarray(a[:3])
    share = np.clip((points - start) @ along / (along @ along), 0, 1)
    reach = np.linalg.norm(points - start - share[:, None] * along, axis=1)
    return np.asarray(reach - (a[3] + share * (b[3] - a[3])))


def _smallest(a: Floats, b: Floats, blend_mm: float) -> Floats:
    """The smaller of two distances, rounded where they are alike."""
    mix = np.clip(0.5 + 0.5 * (b - a) / blend_mm, 0, 1)
    return np.asarray(b * (1 - mix) + a * mix - blend_mm * mix * (1 - mix))


def hand_distance(points: Floats, spread: float) -> Floats:
    """Signed distance to the hand's surface; spread 0 pinches, 1 is open."""
    palm = _capsule(points, *PALM[0])
    for bar in PALM[1:]:
        palm = _smallest(palm, _capsule(points, *bar), 10.0)
    for name, joints in FINGERS.items():
        opened = [_opened(name, joint, 1 - k / 3, spread) for k, joint in enumerate(joints)]
        finger = _capsule(points, opened[0], opened[1])
        for a, b in itertools.pairwise(opened):
            finger = _smallest(finger, _capsule(points, a, b), 3.0)
        palm = _smallest(palm, finger, BLEND_MM if name != "thumb" else 9.0)
    return palm


def _opened(name: str, joint: tuple[float, ...], share: float, spread: float) -> tuple[float, ...]:
    dx, dy, dz = SPREAD_MM[name]
    return (joint[0] + spread * share * dx, joint[1] + spread * share * dy, joint[2] + spread * share * dz, joint[3])


@cache
def hand_mesh(person: Person, spread: float) -> Mesh:
    """The bare hand up to under the cuff."""
    low, high = np.array([-200.0, -66, -8]), np.array([34.0, 52, 98])
    axes = [np.arange(a, b, GRID_MM) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    distance = hand_distance(grid.reshape(-1, 3), spread).reshape(grid.shape[:3])
    points, faces, _, _ = marching_cubes(distance, 0.0, spacing=(GRID_MM,) * 3)
    points = points.astype(float) + low
    normals = _gradient(points, spread)
    openness = np.mean(
        [np.clip(hand_distance(points + d * normals, spread) / d, 0, 1) for d in (4.0, 10.0, 22.0)], axis=0
    )
    return Mesh(points, faces.astype(np.int32), normals, _skin(person, points, normals, spread), openness)


def _gradient(points: Floats, spread: float) -> Floats:
    step = 0.7
    slope = np.stack(
        [
            hand_distance(points + step * axis, spread) - hand_distance(points - step * axis, spread)
            for axis in np.eye(3)
        ],
        axis=1,
    )
    return np.asarray(slope / np.linalg.norm(slope, axis=1, keepdims=True))


def _skin(person: Person, points: Floats, normals: Floats, spread: float) -> Floats:
    """Redder at tips and knuckles, nails on top of the tips, a little mottled."""
    colours = np.tile(np.asarray(person.skin_bgr), (len(points), 1))
    colours *= (1 + 0.04 * np.random.default_rng(person.seed).standard_normal(len(points)))[:, None]
    for name, joints in FINGERS.items():
        tip, dip, pip, knuckle = (
            np.array(_opened(name, joint, 1 - k / 3, spread)[:3]) for k, joint in enumerate(joints)
        )
        for centre, width, amount in ((tip, 9.0, 0.3), (pip, 9.0, 0.2), (knuckle, 12.0, 0.16)):
            near = amount * np.exp(-np.sum((points - centre) ** 2, axis=1) / width**2)
            colours *= 1 - near[:, None] * np.array([0.75, 0.65, 0.1])
        along = (tip - dip) / np.linalg.norm(tip - dip)
        outward = np.array([1.0, 0, 0.25]) if name != "thumb" else np.array([-1.0, 0.3, 0.35])
        back = outward - (outward @ along) * along
        nail_at = tip + 6.0 * back / np.linalg.norm(back) - 1.0 * along
        nail = np.clip(1.6 - np.linalg.norm(points - nail_at, axis=1) / 4.2, 0, 1) * (normals @ back > 0.3)
        colours += nail[:, None] * (np.asarray(person.skin_bgr) * np.array([1.25, 1.15, 1.12]) - colours) * 0.8
    return colours


@cache
def sleeve_mesh(person: Person) -> Mesh:
    """A tube with folds around the arm, its cuff towards the hand."""
    rings, around = 150, 64
    stations = np.asarray(ARM, float)
    travel = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(stations[:, :3], axis=0), axis=1))])
    s = person.sleeve_mm + np.linspace(0, 1, rings) ** 1.25 * (travel[-1] - person.sleeve_mm)
    centre = np.column_stack([np.interp(s, travel, stations[:, k]) for k in range(3)])
    radius = person.bulk * np.interp(s, travel, stations[:, 3])
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    bulge = _folds(s, around, person.seed)
    radii = radius[:, None] * (1 + 0.035 * bulge) + np.where(s - s[0] < 14, 1.8, 0.0)[:, None]
    side, over = _across(centre)
    points = centre[:, None] + radii[..., None] * (
        np.cos(turn)[None, :, None] * side[:, None] + 0.86 * np.sin(turn)[None, :, None] * over[:, None]
    )
    faces = _tube_faces(rings, around)
    flat = points.reshape(-1, 3)
    colours = _cloth(person, s, turn, bulge).reshape(-1, 3)
    cuff = np.repeat(np.clip(0.35 + (s - s[0]) / 20, 0.35, 1.0), around)
    shade = cuff * np.clip(0.85 + 0.1 * bulge, 0.5, 1).ravel()
    return Mesh(flat, faces, _point_normals(flat, faces), colours, shade)


def _across(centre: Floats) -> tuple[Floats, Floats]:
    """(n, 3) unit vectors to the side of a line of points (n, 3), level, and (n, 3) over it."""
    forward = np.gradient(centre, axis=0)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    side = np.cross(forward, [0, 0, 1.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    return side, np.cross(side, forward)


def _folds(s: Floats, around: int, seed: int) -> Floats:
    """Creases that run mostly around the arm, deeper near the elbow."""
    rng = np.random.default_rng([5, seed])
    wide = fractal((len(s), around * 2), (60.0, 14.0), 3, rng)[:, :around].astype(float)
    blend = np.linspace(0, 1, 12)
    wide[:, -12:] = wide[:, -12:] * (1 - blend) + wide[:, :1] * blend
    depth = 0.5 + 0.8 * np.exp(-(((s - 320) / 130) ** 2))
    return np.asarray(wide * depth[:, None])


def _tube_faces(rings: int, around: int) -> NDArray[np.int32]:
    index = np.arange(rings * around).reshape(rings, around)
    a, b = index[:-1], np.roll(index, -1, axis=1)[:-1]
    c, d = index[1:], np.roll(index, -1, axis=1)[1:]
    return np.concatenate(
        [np.stack([a, c, b], axis=-1).reshape(-1, 3), np.stack([b, c, d], axis=-1).reshape(-1, 3)]
    ).astype(np.int32)


def _point_normals(points: Floats, faces: NDArray[np.int32]) -> Floats:
    corners = points[faces]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, faces[:, k], flat)
    return np.asarray(normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12))


def _cloth(person: Person, s: Floats, turn: Floats, bulge: Floats) -> Floats:
    colour = np.asarray(person.sleeve_bgr)
    shade = 1 + 0.10 * bulge
    if person.weave == "knit":
        shade = shade * (1 + 0.13 * np.sin(s / 2.1)[:, None] * np.cos(turn * 32)[None])
    if person.weave == "stripes":
        dark = (np.mod(s, 34) < 15)[:, None, None]
        return np.asarray(np.where(dark, 0.55, 1.0) * shade[..., None] * colour + 0.075 * ~dark)
    return np.asarray(shade[..., None] * colour)


def mirrored(mesh: Mesh) -> Mesh:
    """The other hand."""
    flip = np.array([1.0, -1.0, 1.0])
    return Mesh(
        mesh.points * flip, np.ascontiguousarray(mesh.faces[:, ::-1]), mesh.normals * flip, mesh.colours, mesh.openness
    )


def arm(person: Person, spread: float) -> tuple[Mesh, Mesh]:
    """Hand and sleeve of that person; spread is rounded to steps of a quarter so that few shapes are made."""
    parts = hand_mesh(person, round(spread * 4) / 4), sleeve_mesh(person)
    return parts if person.right_handed else (mirrored(parts[0]), mirrored(parts[1]))
