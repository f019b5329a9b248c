"""Figures on the table: their bases, and the soldiers among them with their roles."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import shapely
from shapely import Point, Polygon

from rules.by_value import ByValue
from rules.games.omog.tables import ARMS, tables
from rules.games.omog.told import ROLE_KEYS, check_figure
from rules.geometry.templates import disc
from rules.scene import NONE, UNKNOWN, Kind, Piece, Point2

FIGURES: tuple[Kind, ...] = ("soldier", "base")


@dataclass(frozen=True, eq=False)
class Base:
    """A figure's base: all points within `rim_mm` of `core`. A disc stays a true disc, to the last bit of a touch."""

    core: Point | Polygon
    rim_mm: float

    @cached_property
    def area(self) -> Polygon:
        """The base as a polygon, mm."""
        return disc((self.core.x, self.core.y), self.rim_mm) if isinstance(self.core, Point) else self.core

    def gap_mm(self, other: Base) -> float:
        """The gap between two bases; 0 for bases that overlap."""
        return max(0.0, float(self.core.distance(other.core)) - self.rim_mm - other.rim_mm)


@dataclass(frozen=True, eq=False)
class Soldier:
    """A known soldier: foot, mounted or gun, with what the roster says of him.

    words   roles in lower case: officer, lancer, heavy, light, armour, elite, bayonet ...
    known   the state's entry for him
    """

    piece: Piece
    arm: str
    words: frozenset[str]
    known: Mapping[str, Any]

    @cached_property
    def id(self) -> str:
        """The id of his piece."""
        return self.piece.id

    @cached_property
    def owner(self) -> str:
        """The colour of his army."""
        return self.piece.owner

    @cached_property
    def position_mm(self) -> Point2:
        """The centre of his base."""
        return self.piece.position_mm

    @cached_property
    def point(self) -> Point:
        """The same as a shapely point, made once: every line of fire asks how far things are from it."""
        return self.piece.point

    @cached_property
    def radius_mm(self) -> float:
        """The radius of his base: the state's, else that of the disc as large as his footprint."""
        return self.base.rim_mm or self.piece.radius_mm

    @cached_property
    def base(self) -> Base:
        """His base, exactly."""
        return base_of(self.piece, self.known)

    @cached_property
    def name(self) -> str:
        """Words for a person: colour, arm and id."""
        return f"{self.owner} {self.arm} {self.id}"

    @property
    def charging(self) -> bool:
        """Whether a charge was declared for this move (OMOG-5.2)."""
        return bool(self.known.get("charging") or self.known.get("charge"))

    def count(self, key: str, default: int) -> int:
        """A whole number that the state says of him."""
        said = self.known.get(key)
        return default if said is None else int(said)

    def at(self, position_mm: Point2) -> Soldier:
        """The same soldier, standing elsewhere."""
        return Soldier(replace(self.piece, position_mm=position_mm), self.arm, self.words, self.known)

    def distance_mm(self, other: Soldier) -> float:
        """From centre to centre."""
        return math.dist(self.position_mm, other.position_mm)

    def sigma_to_mm(self, other: Soldier) -> float:
        """The error of a distance between the two (C3.2)."""
        return math.hypot(self.piece.sigma_mm, other.piece.sigma_mm)


@dataclass(frozen=True, eq=False)
class Figure(ByValue):
    """Any figure on the table, known or not, or an unnamed thing in the way as one, and what the state says of it.

    Equal for equal values, and `figure_of` gives the same object for them: what was ruled on it once can be kept.
    """

    piece: Piece
    known: Mapping[str, Any]

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """All that a ruling may ask of the figure, by value."""
        one = self.piece
        said = json.dumps(dict(self.known), sort_keys=True, default=str) if self.known else ""
        seen = (one.id, one.kind, one.cls, one.owner, one.position_mm, one.footprint, one.sigma_mm, one.elevation_mm)
        return (*seen, one.facing_deg, one.roster, one.on, said)

    @cached_property
    def base(self) -> Base:
        """Its base on the table."""
        return base_of(self.piece, self.known)

    @cached_property
    def spread_mm(self) -> float:
        """No point of the base is farther from the piece's position than this."""
        corners = shapely.get_coordinates(self.base.core) - self.piece.position_mm
        return self.base.rim_mm + float(math.sqrt((corners**2).sum(axis=1).max(initial=0.0)))

    @cached_property
    def soldier(self) -> Soldier | None:
        """The soldier, if arm and army are known."""
        arm = self.known.get("class", self.piece.cls)
        if arm not in ARMS or self.piece.kind not in FIGURES or self.piece.owner == UNKNOWN:
            return None
        return Soldier(self.piece, str(arm), _words(self.piece, self.known), self.known)


def bars_ways(piece: Piece) -> bool:
    """Whether it is a figure, or a thing on the table that nobody has named; what is neutral bars nobody (C5.2)."""
    is_unnamed = piece.kind != "terrain" and piece.cls == UNKNOWN
    return piece.owner != NONE and (piece.kind in FIGURES or is_unnamed)


def figure_of(piece: Piece, known: Mapping[str, Any]) -> Figure:
    """The figure of a piece; the same object for the same values. ValueError for what the state cannot mean."""
    return _kept(Figure(piece, known))


@lru_cache(maxsize=4096)
def _kept(figure: Figure) -> Figure:
    """The first figure of that value, with all that was worked out on it; its own copy of what the state says."""
    check_figure(figure.piece.id, figure.known)
    return Figure(figure.piece, dict(figure.known))


def base_of(piece: Piece, known: Mapping[str, Any]) -> Base:
    """A base: a disc where the state gives its radius, else the footprint."""
    radius_mm = known.get("radius_mm")
    return Base(piece.footprint, 0.0) if radius_mm is None else Base(piece.point, float(radius_mm))


def _words(piece: Piece, known: Mapping[str, Any]) -> frozenset[str]:
    """The roles that roster name, `role`, `roles`, `keywords` and yes-or-no keys give, with what they bring along."""
    said: list[str] = [str(known.get("roster") or piece.roster or ""), str(known.get("role") or "")]
    for key in ("roles", "keywords"):
        said += known.get(key) or ()
    words = {word for text in said for word in re.findall(r"[a-z]+", text.lower())}
    words |= {word.removesuffix("s") for word in words}
    words |= {key for key in ROLE_KEYS if known.get(key)}
    words |= {brought for word in tuple(words) for brought in tables().role.get(word, ())}
    return frozenset(words - {key for key in ROLE_KEYS if known.get(key) is False})
