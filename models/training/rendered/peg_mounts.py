"""Horsemen and guns of simple shapes, facing +x."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.training.rendered import peg_men, primitives
from models.training.rendered.peg_men import Built
from models.training.rendered.troops import Piece, Troop

Array = NDArray[np.float64]


def mounted(rng: np.random.Generator, troop: Troop, tall: float) -> Built:
    """A man on a horse whose body is an egg, a rod or a box; as tall as a man on foot and half as much again."""
    back, stout = rng.uniform(0.42, 0.6), rng.uniform(0.11, 0.17)
    role = str(rng.choice(("legs", "kit", "coat")))
    horse = _horse(rng, troop, role, back, stout)
    hip = np.array([rng.uniform(-0.1, 0.05), 0, back + stout * rng.uniform(0.8, 1.1)])
    rider: list[Piece] = []
    for side in (1, -1):
        knee = hip + (0.08, side * 1.15 * stout, -0.1)
        joints = (hip, knee, knee + (-0.04, 0, -0.17))
        rider += [("coat", troop.stick(a, b, troop.thick * 1.1, troop.thick)) for a, b in pairwise(joints)]
    rider += peg_men.trunk(rng, troop, hip, rng.normal(0.02, 0.04))
    return peg_men.set_up(rng, troop, horse + rider, tall * rng.uniform(0.85, 1.1))


def _horse(rng: np.random.Generator, troop: Troop, role: str, back: float, stout: float) -> list[Piece]:
    long = rng.uniform(0.26, 0.4)
    rump, chest = np.array([-long, 0, back]), np.array([long, 0, back + rng.uniform(-0.02, 0.12)])
    poll = chest + (rng.uniform(0.05, 0.22), 0, rng.uniform(0.18, 0.36))
    nose = poll + (rng.uniform(0.12, 0.2), 0, -rng.uniform(0.0, 0.14))
    if rng.random() < 0.45:
        trunk = primitives.ball((rump + chest) / 2, (1.25 * long, stout, stout), troop.sides)
    else:
        trunk = troop.stick(rump, chest, stout, stout)
    parts = [trunk, troop.stick(chest - (0.04, 0, 0), poll, 0.55 * stout, 0.4 * stout)]
    parts.append(troop.stick(poll, nose, 0.42 * stout, 0.3 * stout))
    parts.append(troop.stick(rump, rump + (-0.14, 0, -0.25), 0.03, 0.02))
    for start in (chest, rump):
        for side in (1, -1):
            hoof = np.array([start[0] + rng.normal(0, 0.06), side * 0.6 * stout, 0.0])
            top = np.array([0.85 * start[0], side * 0.6 * stout, back - 0.3 * stout])
            parts.append(troop.stick(top, hoof + (0, 0, 0.02), 0.05, 0.035))
    return [(role, part) for part in parts]


def gun(rng: np.random.Generator, troop: Troop, tall: float) -> Built:
    """A barrel on two wheels with a trail, at times with a shield; its wheels stand at the origin."""
    radius, track = rng.uniform(0.16, 0.34), rng.uniform(0.14, 0.3)
    axle = np.array([0, 0, radius])
    bore, up = rng.uniform(0.035, 0.09), rng.uniform(-0.02, 0.3)
    mouth = axle + (rng.uniform(0.35, 0.8), 0, up + bore)
    breech = axle + (axle - mouth) * rng.uniform(0.25, 0.6) + (0, 0, 2 * bore)
    pieces: list[Piece] = [("coat", primitives.rod(breech, mouth, bore * rng.uniform(1.0, 1.5), bore, troop.sides))]
    sides = max(8, troop.sides)
    for side in (1, -1):
        at = axle + (0, side * track, 0)
        pieces.append(("kit", primitives.wheel(at, radius, rng.uniform(0.03, 0.08), sides)))
        pieces.append(("coat", primitives.wheel(at + (0, side * 0.04, 0), 0.25 * radius, 0.04, sides)))
    pieces.append(("kit", primitives.rod(axle - (0, track, 0), axle + (0, track, 0), 0.03, 0.03, troop.sides)))
    pieces += _trail(rng, axle)
    if rng.random() < 0.35:
        ahead = axle + (0.06, 0, -0.5 * radius)
        pieces.append(("coat", primitives.slab(ahead, ahead + (0, 0, 1.7 * radius), 0.03, 1.8 * track)))
    return _wheeled(rng, troop, pieces, tall, radius)


def _trail(rng: np.random.Generator, axle: Array) -> list[Piece]:
    """One beam, or two that part."""
    long, part = rng.uniform(0.4, 0.8), rng.uniform(0.05, 0.25)
    ends = ((-long, 0, 0.03),) if rng.random() < 0.5 else ((-long, part, 0.03), (-long, -part, 0.03))
    thick = rng.uniform(0.05, 0.1)
    return [("coat", primitives.slab(axle, end, thick, thick)) for end in ends]


def _wheeled(rng: np.random.Generator, troop: Troop, pieces: list[Piece], tall: float, radius: float) -> Built:
    """On its wheels, which seldom have a base."""
    if troop.base != "none" and rng.random() < 0.3:
        return peg_men.set_up(rng, troop, pieces, tall)
    return troop.cast(pieces, tall), radius * tall
