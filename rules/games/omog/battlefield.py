"""What OMOG sees of a scene: soldiers with their roles, strangers, and the ground."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from rules.game import Ruling
from rules.games.omog.tables import ARMS, INCH_MM, tables
from rules.games.omog.terrain import Terrain, terrain_of
from rules.geometry.templates import disc
from rules.margin import Margin, at_most
from rules.scene import NONE, Piece, Point2, Scene
from rules.setup import Setup
from rules.state import State

# Keys of the state that say yes or no to a role.
_ROLE_KEYS = (
    *("officer", "lancer", "heavy", "light", "cuirassier", "armour", "armor", "elite", "bayonet", "dragoon"),
    *("hussar", "guard", "grenadier", "artillery"),
)


@dataclass(frozen=True)
class Soldier:
    """A known soldier: foot, mounted or gun, with what the roster says of him.

    words   roles in lower case: officer, lancer, heavy, light, armour, elite, bayonet ...
    known   the state's entry for him
    """

    piece: Piece
    arm: str
    words: frozenset[str]
    known: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The id of his piece."""
        return self.piece.id

    @property
    def owner(self) -> str:
        """The colour of his army."""
        return self.piece.owner

    @property
    def position_mm(self) -> Point2:
        """The centre of his base."""
        return self.piece.position_mm

    @property
    def radius_mm(self) -> float:
        """The radius of his base: the state's, else that of the disc as large as his footprint."""
        return float(self.known.get("radius_mm") or self.piece.radius_mm)

    @property
    def base(self) -> Polygon:
        """His base: a disc where the state gives its radius, else his footprint."""
        return disc(self.position_mm, self.radius_mm) if self.known.get("radius_mm") else self.piece.footprint

    @property
    def name(self) -> str:
        """Words for a person: colour, arm and id."""
        return f"{self.owner} {self.arm} {self.id}"

    @property
    def charging(self) -> bool:
        """Whether a charge was declared for this move (OMOG-5.2)."""
        return bool(self.known.get("charging"))

    def distance_mm(self, other: Soldier) -> float:
        """From centre to centre."""
        return math.dist(self.position_mm, other.position_mm)

    def sigma_to_mm(self, other: Soldier) -> float:
        """The error of a distance between the two (C3.2)."""
        return math.hypot(self.piece.sigma_mm, other.piece.sigma_mm)


@dataclass(frozen=True)
class Battlefield:
    """The scene as OMOG sees it; `only` is the id of the one piece that is asked about, if it is one."""

    scene: Scene
    setup: Setup
    state: State
    only: str | None = None

    @cached_property
    def subjects(self) -> tuple[Soldier, ...]:
        """The soldiers that are ruled on."""
        return tuple(soldier for soldier in self.soldiers if self.only in (None, soldier.id))

    @cached_property
    def soldiers(self) -> tuple[Soldier, ...]:
        """The soldiers of known arm and army, in the scene's order."""
        figures = self.scene.of_kind("soldier", "base")
        found = [_soldier(piece, self.state.of(piece.id)) for piece in figures if piece.owner != NONE]
        return tuple(soldier for soldier in found if soldier is not None)

    @cached_property
    def figures(self) -> tuple[Piece, ...]:
        """Everything whose base stands in the way: soldiers and strangers; neutral figures block nobody (C5.2)."""
        return tuple(piece for piece in self.scene.of_kind("soldier", "base") if piece.owner != NONE)

    @cached_property
    def terrain(self) -> tuple[Terrain, ...]:
        """The ground, thing by thing."""
        return terrain_of(self.scene, self.setup)

    def of_meaning(self, *meanings: str) -> tuple[Terrain, ...]:
        """The terrain that means one of these."""
        return tuple(thing for thing in self.terrain if thing.meaning in meanings)

    @cached_property
    def bounds(self) -> Polygon:
        """The table."""
        return box(0.0, 0.0, *self.scene.table_size_mm)

    @cached_property
    def by_id(self) -> Mapping[str, Soldier]:
        """The soldiers by id."""
        return {soldier.id: soldier for soldier in self.soldiers}

    def base_of(self, piece: Piece) -> Polygon:
        """The base of any figure."""
        radius_mm = self.state.of(piece.id).get("radius_mm")
        return disc(piece.position_mm, float(radius_mm)) if radius_mm else piece.footprint

    def enemies_of(self, soldier: Soldier) -> tuple[Soldier, ...]:
        """The soldiers of other armies."""
        return tuple(other for other in self.soldiers if other.owner != soldier.owner)

    def house(self, key: str) -> Any:
        """A house rule's value, its default where the set-up is silent."""
        return self.setup.house.get(key, HOUSE_DEFAULTS[key])


HOUSE_DEFAULTS: Mapping[str, Any] = {"gun_push_in": [4, 4, 3, 3], "natural_one_misses": True, "melee_tie": "again"}


# Lengths this near to a limit are equal to it: rounding of coordinates, far below any measurement.
SAME_MM = 1e-6


def within(distance_mm: float, limit_mm: float, sigma_mm: float = 0.0) -> Margin:
    """The margin of `distance_mm <= limit_mm`; equal on paper is within."""
    equal = abs(distance_mm - limit_mm) < SAME_MM
    return at_most(limit_mm if equal else distance_mm, limit_mm, sigma_mm)


def inches(mm: float) -> str:
    """A length for a sentence."""
    return f"{mm / INCH_MM:.2f} in"


def plain(
    kind: str,
    piece: str | None,
    rule: str,
    why: str,
    *,
    yes: bool,
    other: str | None = None,
    geometry: BaseGeometry | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Ruling:
    """A ruling that no distance decides."""
    return Ruling(kind, piece, "yes" if yes else "no", rule, why, other, geometry=geometry, extra=extra or {})


def _soldier(piece: Piece, known: Mapping[str, Any]) -> Soldier | None:
    arm = known.get("class", piece.cls)
    if arm not in ARMS or not piece.is_known:
        return None
    return Soldier(piece, str(arm), _words(piece, known), known)


def _words(piece: Piece, known: Mapping[str, Any]) -> frozenset[str]:
    """The roles that roster name, `role`, `roles`, `keywords` and yes-or-no keys give, with what they bring along."""
    said: list[str] = [str(known.get("roster") or piece.roster or ""), str(known.get("role") or "")]
    for key in ("roles", "keywords"):
        said += [str(word) for word in known.get(key) or ()]
    words = {word for text in said for word in re.findall(r"[a-z]+", text.lower())}
    words |= {word.removesuffix("s") for word in words}
    words |= {key for key in _ROLE_KEYS if known.get(key)}
    words |= {brought for word in tuple(words) for brought in tables().role.get(word, ())}
    return frozenset(words - {key for key in _ROLE_KEYS if known.get(key) is False})
