"""Toy soldiers of 20 to 65 mm, horsemen, field guns, and painted miniatures on bases.

Each function builds one thing at the origin, facing +x, and returns its objects and the mean radius of its base.
"""

from __future__ import annotations

from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from models.training.rendered import mesh, paint

Array = NDArray[np.float64]
Built = tuple[list[object], float]

_POSES = ("aim", "march", "kneel", "prone", "charge", "throw", "stand")
# A prone man who is tipped over stands on the edge of his base, where no man lies.
_TIPPING = tuple(pose for pose in _POSES if pose != "prone")


def army(rng: np.random.Generator) -> tuple[str, object]:
    """The plastic of one army, matt to shiny, and its colour's name."""
    name = str(rng.choice(list(paint.ARMY_RGB)))
    rgb = np.array(paint.ARMY_RGB[name]) * rng.normal(1, 0.2) * rng.normal(1, 0.08, 3)
    plastic = paint.material(rgb, rng.uniform(0.25, 0.75), bump_mm=rng.uniform(0, 0.5), grain_mm=rng.uniform(1.5, 4))
    return name, plastic


def plinth(rng: np.random.Generator, half: tuple[float, float], tall: float, stuff: object) -> object:
    """A moulded base: oval, or a rectangle with broken corners."""
    power = 1.0 if rng.random() < 0.65 else rng.uniform(0.3, 0.6)
    circle = mesh.ring(24)
    outline = np.sign(circle) * np.abs(circle) ** power * half * rng.normal(1, 0.04, (24, 1))
    return mesh.prism(outline, 0.0, tall, stuff, rng.uniform(0.8, 1.0))


def foot(rng: np.random.Generator, plastic: object, tall: float, poses: tuple[str, ...] = _POSES) -> Built:
    """A man on foot, in one of those poses."""
    pose = str(rng.choice(poses))
    along = 0.5 if pose == "prone" else rng.uniform(0.17, 0.28)
    half = (tall * along, tall * rng.uniform(0.12, 0.2))
    things = [mesh.body(man(rng, tall, pose), plastic, max(0.45, tall / 75))]
    if rng.random() < 0.93:
        things.append(plinth(rng, half, tall * rng.uniform(0.02, 0.05), plastic))
    return things, float(np.sqrt(half[0] * half[1]))


def man(rng: np.random.Generator, tall: float, pose: str) -> list:
    """Limbs of a man, feet on the ground, facing +x."""
    if pose == "prone":
        return _prone(rng, tall)
    low = pose == "kneel"
    hip = np.array([0, 0, 0.30 if low else rng.uniform(0.45, 0.5)])
    lean = rng.normal(0.02, 0.03) + (0.10 if pose == "charge" else 0)
    neck = hip + (lean, 0, 0.33)
    head = neck + (lean * 0.3, 0, 0.08)
    stride = rng.uniform(0.03, 0.15)
    feet = [np.array([stride, 0.07, 0.02]), np.array([-stride * (2 if low else 1), -0.07, 0.02])]
    knees = [(hip + foot_at) / 2 + (0.05 + 0.08 * low, 0, 0) for foot_at in feet]
    parts = [mesh.limb(hip, neck, 0.075, 0.095), mesh.limb(neck, head, 0.05, 0.058)]
    parts.append(mesh.limb(head + (0, 0, 0.015), head + (0.0, 0, 0.045), 0.072, 0.06 if rng.random() < 0.7 else 0.03))
    for knee, foot_at, side in zip(knees, feet, (1, -1), strict=True):
        parts += [mesh.limb(hip + (0, side * 0.04, 0), knee, 0.06, 0.048), mesh.limb(knee, foot_at, 0.045, 0.036)]
        parts.append(mesh.limb(foot_at, foot_at + (0.07, 0, 0), 0.032, 0.026))
    parts += _arms(rng, pose, neck)
    if rng.random() < 0.4:
        parts.append(mesh.limb(neck + (-0.1, 0, -0.16), neck + (-0.1, 0, -0.03), 0.06, 0.06))
    return [(points * tall, faces) for points, faces in parts]


def _arms(rng: np.random.Generator, pose: str, neck: Array) -> list:
    """Two arms and what they hold."""
    shoulders = [neck + (0, side * 0.1, -0.02) for side in (1, -1)]
    if pose in ("aim", "kneel", "charge"):
        level = -0.02 if pose != "charge" else -0.2
        aim = np.array([1.0, rng.normal(0, 0.15), rng.normal(0, 0.05)])
        grip = neck + np.array([0.12, -0.04, level])
        hands, weapon = [grip + aim * 0.12, grip], (grip - aim * 0.16, grip + aim * rng.uniform(0.25, 0.5))
    elif pose == "march":
        grip = neck + np.array([0.09, -0.09, -0.12])
        hands, weapon = [shoulders[0] + (0.06, 0.03, -0.26), grip], (grip, grip + np.array([-0.25, 0, 0.35]))
    elif pose == "throw":
        up = neck + np.array([-0.06, -0.22, 0.16])
        hands, weapon = [shoulders[0] + (0.2, 0.05, 0.0), up], (up, up + (0, 0, 0.06))
    else:
        grip = neck + np.array([0.1, -0.1, -0.25])
        hands, weapon = [shoulders[0] + (0.08, 0.06, -0.22), grip], (grip, grip + rng.normal(0, 0.2, 3))
    parts = []
    for shoulder, hand, side in zip(shoulders, hands, (1, -1), strict=True):
        elbow = (shoulder + hand) / 2 + (0, side * 0.05, -0.05)
        parts += [mesh.limb(shoulder, elbow, 0.042, 0.036), mesh.limb(elbow, hand, 0.034, 0.03)]
    return [*parts, mesh.limb(*weapon, 0.018, 0.013)]


def _prone(rng: np.random.Generator, tall: float) -> list:
    hip, neck = np.array([-0.05, 0, 0.07]), np.array([0.24, 0, 0.12])
    parts = [mesh.limb(hip, neck, 0.07, 0.08), mesh.limb(neck, neck + (0.08, 0, 0.05), 0.05, 0.06)]
    for side in (1, -1):
        knee = hip + (-0.22, side * rng.uniform(0.04, 0.14), -0.02)
        parts += [mesh.limb(hip, knee, 0.055, 0.045), mesh.limb(knee, knee + (-0.22, side * 0.03, -0.01), 0.042, 0.035)]
        parts.append(mesh.limb(neck + (0, side * 0.09, 0), neck + (0.15, side * 0.06, -0.06), 0.04, 0.032))
    parts.append(mesh.limb(neck + (0.05, -0.04, 0.0), neck + (rng.uniform(0.35, 0.6), -0.04, 0.02), 0.018, 0.013))
    return [(points * tall, faces) for points, faces in parts]


def fallen(rng: np.random.Generator, plastic: object, tall: float) -> Built:
    """A man tipped over with his base: he lies on his back, side or face, and the base stands on edge."""
    things, radius = foot(rng, plastic, tall, _TIPPING)
    tip(rng, things, tall)
    return things, radius


def tip(rng: np.random.Generator, things: list[object], tall: float) -> None:
    """Lays a standing man down, his middle at the origin."""
    turn = [(0, np.pi / 2), (0, -np.pi / 2), (np.pi / 2, 0), (-np.pi / 2, 0)][rng.integers(4)]
    lift = 0.13 * tall
    away = np.array([np.sin(turn[1]), -np.sin(turn[0])]) * tall / 2
    for thing in things:
        thing.rotation_euler[0], thing.rotation_euler[1] = turn
        thing.location = (-away[0], -away[1], lift)


def mounted(rng: np.random.Generator, plastic: object, tall: float) -> Built:
    """A horseman; the horse of the same plastic or brown."""
    horse = plastic if rng.random() < 0.6 else paint.material(np.array([0.16, 0.08, 0.04]) * rng.uniform(0.2, 3), 0.6)
    rear = rng.uniform(0, 0.25)
    chest, rump = np.array([0.28, 0, 0.62 + rear]), np.array([-0.28, 0, 0.6])
    head = chest + (0.24, 0, 0.26)
    parts = [mesh.limb(rump, chest, 0.15, 0.14), mesh.limb(chest, head, 0.1, 0.065)]
    parts += [mesh.limb(head, head + (0.17, 0, -0.1), 0.06, 0.04), mesh.limb(rump, rump + (-0.2, 0, -0.25), 0.05, 0.03)]
    for start, lifted in ((chest, rear), (rump, 0.0)):
        for side in (1, -1):
            hoof = np.array([start[0] + rng.normal(0.02, 0.1), side * 0.09, lifted * rng.uniform(0.3, 1.5)])
            knee = (start + hoof) / 2 + (rng.normal(0.02, 0.05), side * 0.04, -0.08)
            parts += [
                mesh.limb(start + (0, side * 0.06, -0.05), knee, 0.06, 0.042),
                mesh.limb(knee, hoof, 0.038, 0.032),
            ]
    rider = [
        (p * 0.95 + (0, 0, 0.32), f) for p, f in man(rng, 1.0, str(rng.choice(["stand", "aim", "throw", "charge"])))
    ]
    scale = lambda pieces: [(p * tall, f) for p, f in pieces]  # noqa: E731
    half = (tall * rng.uniform(0.38, 0.55), tall * rng.uniform(0.14, 0.24))
    things = [
        mesh.body(scale(parts), horse, max(0.5, tall / 70)),
        mesh.body(scale(rider), plastic, max(0.5, tall / 70)),
    ]
    if rng.random() < 0.85:
        things.append(plinth(rng, half, tall * 0.04, plastic))
    return things, float(np.sqrt(half[0] * half[1]))


def gun(rng: np.random.Generator, plastic: object, tall: float) -> Built:
    """A field gun: two wheels, a barrel ahead, a trail behind."""
    radius, track = tall * rng.uniform(0.2, 0.32), tall * rng.uniform(0.2, 0.32)
    metal = plastic if rng.random() < 0.6 else paint.material(np.array([0.3, 0.28, 0.25]) * rng.uniform(0.1, 1.2), 0.4)
    up = rng.uniform(0, 0.25)
    axle, mouth = np.array([0, 0, radius * 1.1]), np.array([tall * rng.uniform(0.5, 0.8), 0, radius * 1.1 + up * tall])
    things = [
        mesh.tube(np.array([axle - (mouth - axle) * 0.25, axle, mouth]), np.array([1.0, 0.9, 0.6]) * tall * 0.07, metal)
    ]
    spread = rng.uniform(0, 0.3) * tall
    for side in (1, -1):
        things.append(
            mesh.tube(np.array([axle, (-tall * rng.uniform(0.6, 0.8), side * spread, 2.0)]), tall * 0.045, plastic)
        )
        circle = np.r_[mesh.ring(20), [(1.0, 0.0)]] * radius
        rim = np.c_[circle[:, 0], np.full(21, side * track), circle[:, 1] + radius]
        things.append(mesh.tube(rim, tall * 0.028, plastic))
        for spoke in mesh.ring(5) * radius:
            ends = np.array([(0, side * track, radius), (spoke[0], side * track, spoke[1] + radius)])
            things.append(mesh.tube(ends, tall * 0.02, plastic))
    things.append(mesh.tube(np.array([(0, -track, radius), (0, track, radius)]), tall * 0.03, plastic))
    if rng.random() < 0.5:
        shield = mesh.prism(
            np.array([(0, -track), (2, -track), (2, track), (0, track)]) * 0.8, 0.4 * radius, 2.1 * radius, plastic
        )
        shield.location = (tall * 0.08, 0, 0)
        things.append(shield)
    return things, float(radius)


def miniature(rng: np.random.Generator) -> Built:
    """A painted figure on a round or oval base of 20 to 60 mm: a man, a rider, or a monster of lumps and spikes."""
    things, size, thick = disc(rng, disc_size(rng))
    return things + _painted_figure(rng, size * rng.uniform(1.3, 2.6) + 6, thick), size


def disc_size(rng: np.random.Generator, oval: float = 0.25) -> tuple[float, float]:
    """Half of how long and wide a base of 20 to 60 mm is, in mm; with the chance `oval` it is not round."""
    size = float(rng.choice([12.5, 16, 16, 20, 12.5, 14, 25, 30])) * rng.normal(1, 0.02)
    return (size, size) if rng.random() < 1 - oval else (size * rng.uniform(1.2, 1.6), size)


def on_base(rng: np.random.Generator, outline: Array) -> list[object]:
    """A painted figure on a base of that outline, (n, 2) mm about the origin."""
    things, size, thick = footed(rng, outline)
    return things + _painted_figure(rng, size * rng.uniform(1.3, 2.6) + 6, thick)


def disc(rng: np.random.Generator, half: tuple[float, float]) -> tuple[list[object], float, float]:
    """A round or oval base with soil on it; its mean radius and how thick it is."""
    return footed(rng, mesh.ring(32) * half)


def footed(rng: np.random.Generator, outline: Array) -> tuple[list[object], float, float]:
    """A base of that outline, (n, 2) mm about the origin, with soil on it; its mean radius and how thick it is."""
    thick = rng.uniform(2.5, 4.5)
    rim = np.full(3, rng.uniform(0.005, 0.03)) if rng.random() < 0.7 else paint.colour(rng)
    soils = ((0.1, 0.07, 0.04), (0.12, 0.17, 0.05), (0.25, 0.22, 0.18), (0.05, 0.05, 0.05), (0.3, 0.24, 0.12))
    soil = np.array(soils[rng.integers(len(soils))]) * rng.uniform(0.5, 1.6)
    edge = paint.material(rim, 0.5)
    top = paint.material(soil, 0.9, bump_mm=1.0, grain_mm=rng.uniform(0.8, 3), mottle=rng.uniform(0.2, 0.7))
    things = [mesh.prism(outline, 0, thick, edge, 0.93), mesh.prism(outline * 0.9, thick - 0.2, thick + 0.3, top)]
    return things, float(np.sqrt(np.prod(np.ptp(outline, axis=0)) / 4)), thick


def _painted_figure(rng: np.random.Generator, tall: float, thick: float) -> list[object]:
    """Limbs shared out among a few paints."""
    kind = rng.random()
    if kind < 0.55:
        parts = man(rng, tall, str(rng.choice(["aim", "stand", "charge", "throw", "march"])))
    else:
        parts = _monster(rng, tall)
    paints = [
        paint.material(
            paint.colour(rng) * rng.uniform(0.3, 1), rng.uniform(0.3, 0.9), float(rng.random() < 0.2), 0.4, 1.5, 0.3
        )
        for _ in range(3)
    ]
    choice = rng.integers(0, 3, len(parts))
    things = []
    for n, stuff in enumerate(paints):
        some = [part for part, mine in zip(parts, choice, strict=True) if mine == n]
        if some:
            things.append(mesh.body(some, stuff, max(0.45, tall / 80)))
    if rng.random() < 0.4:
        cloak = rng.normal(0, 1, (5, 5)).cumsum(axis=0) * 0.6
        cape = mesh.sheet((tall * 0.35, tall * 0.6), cloak, paints[0])
        cape.rotation_euler, cape.location = (0.2, -1.3, 0), (-tall * 0.12, 0, tall * 0.45)
        things.append(cape)
    for thing in things:
        x, y, z = thing.location
        thing.location = (x, y, z + thick)
    return things


def _monster(rng: np.random.Generator, tall: float) -> list:
    """A body of lumps with legs, tail, horns or wings."""
    spine = np.cumsum(np.r_[[(-0.3, 0, 0.35)], rng.normal((0.16, 0, 0.06), 0.06, (4, 3))], axis=0)
    parts = [mesh.limb(a, b, rng.uniform(0.08, 0.2), rng.uniform(0.08, 0.18)) for a, b in pairwise(spine)]
    for _ in range(rng.integers(2, 6)):
        root = spine[rng.integers(len(spine))]
        foot_at = np.array([root[0] + rng.normal(0, 0.15), rng.normal(0, 0.25), 0.02])
        parts += [
            mesh.limb(root, (root + foot_at) / 2 + (0, 0, 0.05), 0.09, 0.06),
            mesh.limb((root + foot_at) / 2 + (0, 0, 0.05), foot_at, 0.06, 0.04),
        ]
    for _ in range(rng.integers(0, 7)):
        root = spine[rng.integers(len(spine))]
        parts.append(mesh.limb(root, root + rng.normal(0, 0.25, 3) + (0, 0, 0.15), 0.06, 0.015))
    return [(points * tall, faces) for points, faces in parts]


def remove(things: list[object]) -> None:
    """Takes things away again."""
    for thing in things:
        bpy.data.objects.remove(thing)


def clear() -> None:
    """Forget every thing, stuff and picture of the last table."""
    for store in (
        bpy.data.objects,
        bpy.data.meshes,
        bpy.data.materials,
        bpy.data.images,
        bpy.data.lights,
        bpy.data.worlds,
    ):
        for block in list(store):
            store.remove(block)
