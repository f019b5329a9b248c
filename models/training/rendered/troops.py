"""How one maker puts his toy soldiers together: shapes, proportions, colours and bases, alike for a whole army."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.training.rendered import mesh, paint, primitives
from models.training.rendered.primitives import Part

Array = NDArray[np.float64]
# A part and what it is of: a key of `Troop.dress`.
Piece = tuple[str, Part]

ROLES = ("coat", "legs", "skin", "hat", "kit", "base")
_LIMBS = ("capsule", "capsule", "rod", "slab")
_BUILDS = ("jointed", "jointed", "jointed", "robed", "turned")
_BASES = ("disc", "disc", "square", "oblong", "oval", "cornered", "none", "none")
# Round and square bases reach no farther than that share of a man's height, though he lies.
_WIDEST = 0.45
# Legs, boots, rifles and wood, near to grey.
_SOBER = (
    (0.03, 0.03, 0.035),
    (0.14, 0.08, 0.04),
    (0.3, 0.28, 0.25),
    (0.05, 0.06, 0.1),
    (0.4, 0.33, 0.22),
    (0.7, 0.7, 0.68),
)


@dataclass(frozen=True, eq=False)
class Troop:
    """One maker's men. Lengths are shares of a man's height.

    limb      of what limbs are: capsule, rod or slab
    build     jointed, robed (no legs show) or turned on a lathe
    sides     of round things; smooth  whether light runs over their edges
    melted    whether all is one skin, as plastic is moulded
    thick, head, broad, flat  how stout limbs are, the head's radius, the shoulders' half breadth, how deep for its breadth
    base      its form; rise  how thick it is; spare  how far it goes beyond the feet
    """

    limb: str
    build: str
    sides: int
    smooth: bool
    melted: bool
    thick: float
    head: float
    broad: float
    flat: float
    hat: str
    base: str
    rise: float
    draft: float
    spare: float
    dress: dict[str, object]

    @staticmethod
    def drawn(rng: np.random.Generator, stuff: object | None) -> Troop:
        """Men with coats of that stuff, or of any; of it all over as often as not."""
        sides = int(rng.choice([5, 6, 8, 12, 16, 24]))
        return Troop(
            limb=str(rng.choice(_LIMBS)),
            build=str(rng.choice(_BUILDS)),
            sides=sides,
            smooth=bool(sides > 8 or rng.random() < 0.4),
            melted=bool(rng.random() < 0.15),
            thick=rng.uniform(0.026, 0.065),
            head=rng.uniform(0.055, 0.13),
            broad=rng.uniform(0.08, 0.16),
            flat=1.0 if rng.random() < 0.85 else rng.uniform(0.3, 0.7),
            hat=str(rng.choice(("none", "cap", "brim", "tall", "cone", "helmet", "crest", "plume"))),
            base=str(rng.choice(_BASES)),
            rise=rng.uniform(0.015, 0.1),
            draft=rng.uniform(0.75, 1.0) if rng.random() < 0.5 else 1.0,
            spare=rng.uniform(1.0, 1.7),
            dress=_dress(rng, stuff),
        )

    def in_other_colours(self, rng: np.random.Generator, stuff: object | None) -> Troop:
        """The same maker's men for another army."""
        return replace(self, dress=_dress(rng, stuff))

    def stick(self, a: ArrayLike, b: ArrayLike, radius_a: float, radius_b: float) -> Part:
        """A limb from a to b."""
        if self.limb == "capsule":
            return mesh.limb(np.asarray(a, float), np.asarray(b, float), radius_a, radius_b, self.sides)
        if self.limb == "rod":
            return primitives.rod(a, b, radius_a, radius_b, self.sides)
        return primitives.slab(a, b, 1.8 * radius_a, 1.8 * radius_b)

    def cast(self, pieces: Iterable[Piece], scale: float) -> list[object]:
        """The pieces as objects, `scale` mm for a man's height."""
        pieces = [(role, (points * (1, self.flat, 1) * scale, faces)) for role, (points, faces) in pieces]
        if self.melted:
            return [mesh.body([part for _, part in pieces], self.dress["coat"], max(0.45, scale / 75))]
        roles = [role for role in ROLES if any(role == of for of, _ in pieces)]
        return [self._solid([part for of, part in pieces if of == role], self.dress[role]) for role in roles]

    def _solid(self, parts: list[Part], stuff: object) -> object:
        starts = np.cumsum([0, *(len(points) for points, _ in parts)])
        faces = [
            tuple(v + int(start) for v in face)
            for start, (_, some) in zip(starts, parts, strict=False)
            for face in some
        ]
        return mesh.solid(np.concatenate([points for points, _ in parts]), faces, stuff, self.smooth)


def _dress(rng: np.random.Generator, stuff: object | None) -> dict[str, object]:
    """A stuff for each role: one for all, or two and more."""
    coat = stuff if stuff is not None else plain(rng, paint.colour(rng))
    base = coat if rng.random() < 0.4 else plain(rng, _sober(rng) if rng.random() < 0.6 else paint.colour(rng) * 0.7)
    dress = dict.fromkeys(ROLES, coat) | {"base": base}
    if rng.random() < 0.45:
        return dress
    skin = plain(rng, np.array(paint.SKIN_RGB[rng.integers(len(paint.SKIN_RGB))]))
    dress |= {"skin": skin, "kit": plain(rng, _sober(rng))}
    for role in ("legs", "hat"):
        if rng.random() < 0.5:
            dress[role] = plain(rng, _sober(rng) if rng.random() < 0.6 else paint.colour(rng))
    return dress


def armies(rng: np.random.Generator, stuffs: list[object | None]) -> list[Troop]:
    """A troop for each stuff, mostly all of one maker."""
    maker = Troop.drawn(rng, stuffs[0])
    one_maker = rng.random() < 0.7
    others = [maker.in_other_colours(rng, stuff) if one_maker else Troop.drawn(rng, stuff) for stuff in stuffs[1:]]
    return [maker, *others]


def plain(rng: np.random.Generator, rgb: Array) -> object:
    """Paint or plastic of one colour, matt to shiny."""
    return paint.material(rgb, rng.uniform(0.2, 0.9))


def _sober(rng: np.random.Generator) -> Array:
    return np.array(_SOBER[rng.integers(len(_SOBER))]) * rng.uniform(0.5, 1.6)


def pedestal(rng: np.random.Generator, troop: Troop, feet: Array, tall: float) -> tuple[list[object], Array, float]:
    """A base under feet of that half length and breadth (2,) mm: its objects (none if this maker's men have no base),
    its own half length and breadth, and its thickness."""
    half = np.maximum(feet * troop.spare, 0.1 * tall)
    if troop.base == "none":
        return [], np.maximum(feet, 0.07 * tall), 0.0
    if troop.base in ("disc", "square", "cornered"):
        half = np.full(2, min(float(half.max()), _WIDEST * tall))
    thick = float(np.clip(troop.rise * tall, 0.8, 5.0))
    outline = _outline(rng, troop) * half
    return [mesh.prism(outline, 0.0, thick, troop.dress["base"], troop.draft)], half, thick


def _outline(rng: np.random.Generator, troop: Troop) -> Array:
    """(n, 2) of half length and breadth 1."""
    if troop.base in ("square", "oblong"):
        return np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], float)
    if troop.base == "cornered":
        circle = mesh.ring(int(rng.choice([6, 8])))
        return circle / np.abs(circle).max(axis=0)
    return mesh.ring(28)
