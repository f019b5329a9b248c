"""Toy soldiers of simple shapes as hobbyists and programmers put them together: jointed from rods, balls and slabs, in a
robe, or turned on a lathe. Each stands at the origin, facing +x."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import figures, peg_arms, primitives, troops
from models.training.rendered.primitives import Part
from models.training.rendered.troops import Piece, Troop

Array = NDArray[np.float64]
Built = tuple[list[object], float]

_POSES = ("stand", "stand", "stride", "stride", "crouch", "kneel", "prone", "sit")
# Of a man's points those so low are his feet.
_FEET = 0.12


def foot(rng: np.random.Generator, troop: Troop, tall: float, pose: str | None = None) -> Built:
    """A man on foot and the mean radius of what he stands on."""
    return set_up(rng, troop, man(rng, troop, pose or str(rng.choice(_POSES))), tall)


def fallen(rng: np.random.Generator, troop: Troop, tall: float) -> Built:
    """A man who lies on his belly, or is tipped over with his base."""
    if rng.random() < 0.4:
        return foot(rng, troop, tall, "prone")
    things, radius = foot(rng, troop, tall, "stand")
    figures.tip(rng, things, tall)
    return things, radius


def miniature(rng: np.random.Generator, troop: Troop) -> Built:
    """One on a disc of 20 to 60 mm."""
    things, size, thick = figures.disc(rng, figures.disc_size(rng))
    pieces = man(rng, troop, str(rng.choice(("stand", "stride", "crouch"))))
    return things + raised(troop.cast(pieces, size * rng.uniform(1.3, 2.6) + 6), thick), size


def set_up(rng: np.random.Generator, troop: Troop, pieces: list[Piece], tall: float) -> Built:
    """Casts pieces, feet at the origin, and puts them on a base of the troop's."""
    points = np.concatenate([part[0] for _, part in pieces]) * (1, troop.flat, 1)
    feet = points[points[:, 2] < points[:, 2].min() + _FEET]
    middle, half = (feet.min(0) + feet.max(0)) / 2, (feet.max(0) - feet.min(0)) / 2
    pieces = [(role, primitives.moved(part, (-middle[0], 0, -points[:, 2].min()))) for role, part in pieces]
    base, half, thick = troops.pedestal(rng, troop, half[:2] * tall, tall)
    return base + raised(troop.cast(pieces, tall), thick), float(np.sqrt(half[0] * half[1]))


def raised(things: list[object], high: float) -> list[object]:
    """Lifts things onto a base."""
    for thing in things:
        thing.location[2] += high
    return things


def man(rng: np.random.Generator, troop: Troop, pose: str) -> list[Piece]:
    """His pieces, about as high as 1 when he stands up, feet near the origin."""
    if pose == "prone":
        return [(role, _laid(part)) for role, part in man(rng, troop, "stand")]
    if troop.build == "turned":
        return _turned(rng, troop)
    low = {"kneel": 0.28, "crouch": 0.36, "sit": 0.14}.get(pose, rng.uniform(0.4, 0.5))
    hip = np.array([0.0, 0.0, low])
    below = _robe(rng, troop, hip) if troop.build == "robed" else _legs(rng, troop, pose, hip)
    return [*below, *trunk(rng, troop, hip, rng.normal(0.01, 0.04) + (0.08 if pose == "crouch" else 0))]


def trunk(rng: np.random.Generator, troop: Troop, hip: Array, lean: float) -> list[Piece]:
    """From the hip up: body, head, arms, hat and kit."""
    neck = hip + (lean, 0, rng.uniform(0.27, 0.34))
    waist, chest = troop.broad * rng.uniform(0.6, 1.0), troop.broad * rng.uniform(0.8, 1.05)
    deep = rng.uniform(0.55, 1.0)
    body = _body(rng, troop, hip - (0, 0, 0.02), neck, waist, chest)
    middle = (hip + neck) / 2
    body = ((body[0] - middle) * (deep, 1, 1) + middle, body[1])
    head = neck + (0.3 * lean + 0.01, 0, troop.head * rng.uniform(0.8, 1.25))
    skull = primitives.ball(head, troop.head * np.array([1, rng.uniform(0.8, 1), rng.uniform(0.95, 1.25)]), troop.sides)
    if troop.limb == "slab" and rng.random() < 0.5:
        skull = primitives.slab(head - (0, 0, troop.head), head + (0, 0, troop.head), *([1.7 * troop.head] * 2))
    pieces = [("coat", body), ("skin", skull), *_hat(troop, head)]
    pieces.append(("skin", troop.stick(neck - (0, 0, 0.03), head, 0.04, 0.04)))
    return pieces + peg_arms.arms(rng, troop, neck) + _kit(rng, troop, hip, neck)


def _body(rng: np.random.Generator, troop: Troop, hip: Array, neck: Array, waist: float, chest: float) -> Part:
    form = rng.random()
    if form < 0.25:
        return primitives.ball((hip + neck) / 2, (chest, chest, np.linalg.norm(neck - hip) * 0.6), troop.sides)
    if troop.limb == "slab" or form < 0.45:
        return primitives.slab(hip, neck, 1.5 * waist, 2 * chest)
    return troop.stick(hip, neck, waist, chest)


def _legs(rng: np.random.Generator, troop: Troop, pose: str, hip: Array) -> list[Piece]:
    """Two legs and boots, or both legs in one."""
    apart, thick = rng.uniform(0.03, 0.1), troop.thick * 1.2
    stride = {"stride": rng.uniform(0.1, 0.22), "kneel": 0.14, "sit": 0.3}.get(pose, rng.uniform(0, 0.06))
    if pose == "stand" and rng.random() < 0.15:
        return [("legs", primitives.rod((0, 0, 0), hip, troop.broad * 0.9, troop.broad * 0.8, troop.sides))]
    pieces: list[Piece] = []
    for side in (1, -1):
        step = side * stride if pose != "sit" else stride
        sole = np.array([step, side * apart, 0.02])
        knee = (hip + sole) / 2 + (0, side * apart / 2, 0)
        if pose in ("kneel", "crouch", "sit") or rng.random() < 0.3:
            knee = knee + (0.1 if step >= 0 else -0.02, 0, 0.06 if step >= 0 else -0.1)
            knee[2] = max(knee[2], 0.03)
        joints = (hip + (0, side * apart * 0.6, 0), knee, sole)
        pieces += [("legs", troop.stick(a, b, thick, thick * 0.9)) for a, b in pairwise(joints)]
        if rng.random() < 0.8:
            pieces.append(("kit", troop.stick(sole - (0.02, 0, 0), sole + (0.07, 0, 0), 0.03, 0.026)))
    return pieces


def _robe(rng: np.random.Generator, troop: Troop, hip: Array) -> list[Piece]:
    """A coat, kilt or robe down to the ground."""
    hem = troop.broad * rng.uniform(0.9, 1.6)
    return [("legs", primitives.rod((0, 0, 0), hip + (0, 0, 0.03), hem, troop.broad * 0.8, troop.sides))]


def _turned(rng: np.random.Generator, troop: Troop) -> list[Piece]:
    """A peg: a skittle, cone, bell or pawn with a ball on top, with arms and weapon as often as not."""
    high = 1 - 2 * troop.head
    share = np.linspace(0, 1, 12)
    broad, narrow = rng.uniform(0.12, 0.24), rng.uniform(0.05, 0.12)
    radius = (
        broad + (narrow - broad) * share ** rng.uniform(0.4, 2.5) + rng.uniform(-0.05, 0.06) * np.sin(np.pi * share)
    )
    if rng.random() < 0.4:
        radius[:2] = broad * rng.uniform(1.05, 1.5)
    if rng.random() < 0.3:
        radius[-2] = narrow * rng.uniform(1.3, 1.9)
    profile = np.stack([np.maximum(radius, 0.03), share * high], axis=1)
    split = int(rng.choice([1, 3, 5, 7]))
    head = np.array([0, 0, high + 0.8 * troop.head])
    pieces = [
        ("legs", primitives.turned(profile[: split + 1], troop.sides)),
        ("coat", primitives.turned(profile[split:], troop.sides)),
        ("skin", primitives.ball(head, troop.head, troop.sides)),
        *_hat(troop, head),
    ]
    return pieces + (peg_arms.arms(rng, troop, np.array([0, 0, high * 0.95])) if rng.random() < 0.6 else [])


def _hat(troop: Troop, head: Array) -> list[Piece]:
    """What all of a troop wear."""
    wide, sides = troop.head, troop.sides
    top = head + (0, 0, 0.35 * wide)
    brim = ("hat", primitives.rod(top, top + (0, 0, 0.2 * wide), 1.6 * wide, 1.5 * wide, sides))
    dome = ("hat", primitives.ball(top, wide * np.array([1.08, 1.08, 0.9]), sides))
    hats: dict[str, list[Piece]] = {
        "none": [],
        "cap": [dome],
        "brim": [brim, dome],
        "helmet": [dome, ("hat", primitives.rod(head - (0, 0, 0.1 * wide), top, 1.3 * wide, 1.05 * wide, sides))],
        "tall": [("hat", primitives.rod(top, top + (0, 0, 1.6 * wide), wide, 1.1 * wide, sides))],
        "cone": [("hat", primitives.rod(top, top + (0, 0, 1.5 * wide), 1.1 * wide, 0.1 * wide, sides))],
        "crest": [dome, ("kit", primitives.slab(top - (wide, 0, 0), top + (wide, 0, 0), 2.2 * wide, 0.3 * wide))],
        "plume": [
            dome,
            ("kit", primitives.rod(top, top + (-0.3 * wide, 0, 2.4 * wide), 0.25 * wide, 0.2 * wide, sides)),
        ],
    }
    return hats[troop.hat]


def _kit(rng: np.random.Generator, troop: Troop, hip: Array, neck: Array) -> list[Piece]:
    """A pack, a cape, a belt, or nothing."""
    kind, behind = rng.random(), np.array([-0.9 * troop.broad, 0, 0])
    if kind < 0.25:
        high = neck + behind - (0, 0, 0.04)
        return [("kit", primitives.slab(high - (0, 0, rng.uniform(0.1, 0.22)), high, 0.1, 1.5 * troop.broad))]
    if kind < 0.35:
        low = np.array([hip[0] - 1.6 * troop.broad, 0, hip[2] * rng.uniform(0.2, 1.0)])
        return [("hat", primitives.slab(low, neck + 0.7 * behind, 0.03, 2.2 * troop.broad))]
    if kind < 0.6:
        return [("kit", primitives.rod(hip, hip + (0, 0, 0.05), *([1.05 * troop.broad] * 2), troop.sides))]
    return []


def _laid(part: Part) -> Part:
    """The same of a man on his belly, head towards +x."""
    x, y, z = part[0].T
    return np.stack([z - 0.5, y, 0.1 - x], axis=1), part[1]
