"""A miniature: its base on the table and its card in the state."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from rules.by_value import ByValue
from rules.games.osmcg.card import Card, card_of
from rules.games.osmcg.ground import Mover
from rules.games.osmcg.keywords import Keywords
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.geometry.templates import disc
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm
from rules.scene import UNKNOWN, Piece, Point2

# A footprint whose corners all lie on one circle round its position, so closely, is that circle drawn with chords.
_ON_CIRCLE_MM = 0.01
_LEAST_CORNERS = 12
# A base so many times as long as broad is oval, and no part of its outline turns in: its hull is so much larger.
_OVAL, _HULL = 1.1, 1.01
# Directions half a degree apart: the edge of a base of 105 mm is met to 0.001 mm.
_WAYS = np.stack([np.cos(np.radians(np.arange(720) / 2)), np.sin(np.radians(np.arange(720) / 2))], axis=1)


@dataclass(frozen=True, eq=False)
class Unit(ByValue):
    """A miniature: its base on the table and its card in the state. Equal for equal values: answers can be kept."""

    piece: Piece
    known: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.piece.id

    @cached_property
    def card(self) -> Card:
        """The card of the miniature, with what the state says of it."""
        return card_of(self.piece.id, self.known)

    @cached_property
    def name(self) -> str:
        """What the players call it."""
        roster = self.card.roster or self.piece.roster
        return f"{roster} {self.id}" if roster else self.id

    @property
    def at(self) -> Point2:
        """The centre of the base, mm."""
        return self.piece.position_mm

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """All that a ruling may ask of the unit, by value."""
        piece = self.piece
        known = json.dumps(dict(self.known), sort_keys=True, default=str)
        seen = (piece.id, piece.kind, piece.cls, piece.owner, piece.roster, piece.position_mm, piece.sigma_mm)
        return (*seen, piece.footprint.wkb, known)

    @cached_property
    def team(self) -> str:
        """Whose side it is on: the state's `team`, else the owner's colour."""
        return self.card.team or self.piece.owner

    @cached_property
    def radius_mm(self) -> float:
        """Of the base: as the state says, or from the footprint."""
        return self.card.radius_mm or footprint_radius_mm(self.piece)

    @cached_property
    def oval(self) -> Polygon | None:
        """The base's outline, mm, where it is not round and the state does not say a radius."""
        if self.card.radius_mm or self.piece.kind != "base":
            return None
        return self.piece.footprint if is_oval(self.piece) else None

    @cached_property
    def farthest_mm(self) -> float:
        """From its centre to the farthest point of its rim."""
        return self.radius_mm if self.oval is None else float(np.hypot(*self._corners_mm.T).max())

    @cached_property
    def _corners_mm(self) -> NDArray[np.float64]:
        """(n, 2) of the oval, from its centre."""
        return shapely.get_coordinates(self.oval) - self.at

    def reach_mm(self, ways: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) how far from its centre the rim reaches in the directions (n, 2) of unit length."""
        if self.oval is None:
            return np.full(len(ways), self.radius_mm)
        return np.asarray((ways @ self._corners_mm.T).max(axis=1), float)

    @cached_property
    def shape(self) -> Polygon:
        """The base on the table, mm."""
        return disc(self.at, self.radius_mm) if self.oval is None else self.oval

    @property
    def is_known(self) -> bool:
        """Whether both its class and its side are known (C5.2)."""
        return UNKNOWN not in (self.team, self.piece.cls)

    @property
    def keywords(self) -> Keywords:
        """By lower-case name, with what stands in brackets or after the colon."""
        return self.card.keywords

    def has(self, keyword: str) -> bool:
        """Whether the card carries that keyword."""
        return keyword in self.keywords

    def status(self, name: str) -> float:
        """How much or how long a status still lasts; 0 for none."""
        return self.card.statuses.get(name, 0.0)

    @cached_property
    def spd_in(self) -> float:
        """Inches for one action point, with Slow and Root (OSMCG-2.3)."""
        if self.status("root") > 0:
            return 0.0
        return max(0.0, self.card.spd_in - self.status("slow"))

    @cached_property
    def mover(self) -> Mover:
        """Its place, base, inches of a move and what it passes over, as moves are computed from."""
        return Mover(self.at, self.radius_mm, inch_mm(self.spd_in), self.has("flying"), self.has("ethereal"))

    def is_stopped_by(self, other: Unit) -> bool:
        """Whether it cannot pass the other's base (OSMCG-2.1); who may be an ally stops the ethereal (C5.2)."""
        if self.has("flying"):
            return False
        return not self.has("ethereal") or other.team == self.team or not other.is_known

    @property
    def is_destroyed(self) -> bool:
        """Whether its wounds have reached its HP: it counts for nothing and is taken off the table."""
        return self.card.hp is not None and self.card.wounds >= self.card.hp

    @property
    def ap(self) -> int:
        """Action points of an activation."""
        return self.card.ap

    @property
    def ap_left(self) -> int:
        """Action points that this activation has left."""
        return max(0, self.card.ap - self.card.ap_spent)

    @property
    def is_hero(self) -> bool:
        """Whether it is its player's Hero."""
        return self.card.hero or self.has("hero")

    def gap_mm(self, other: Unit) -> float:
        """From edge to edge; negative for bases that overlap."""
        if self.oval is None and other.oval is None:
            return math.dist(self.at, other.at) - self.radius_mm - other.radius_mm
        # Two convex shapes are as far apart as in the direction in which they are farthest, and lie as deep in one
        # another as in the one in which they do least.
        away = np.subtract(other.at, self.at)
        return float((_WAYS @ away - self.reach_mm(_WAYS) - other.reach_mm(-_WAYS)).max())

    def gap_to_mm(self, at: Point2) -> float:
        """From a point to its edge; negative inside."""
        if self.oval is None:
            return math.dist(at, self.at) - self.radius_mm
        return float((_WAYS @ np.subtract(at, self.at) - self.reach_mm(_WAYS)).max())

    def far_side_mm(self, at: Point2) -> float:
        """From a point to the farthest point of its rim."""
        if self.oval is None:
            return math.dist(at, self.at) + self.radius_mm
        return float(np.hypot(*(self._corners_mm + np.subtract(self.at, at)).T).max())

    def sigma_to_mm(self, other: Unit) -> float:
        """The sigma of the distance between the two (C3.2)."""
        return pair_sigma_mm(self.piece.sigma_mm, other.piece.sigma_mm)

    def touches(self, other: Unit) -> bool:
        """Base contact: a gap of at most max(1 mm, 3 s) (OSMCG-2.2)."""
        return self.contact_mm(other) >= 0

    def contact_mm(self, other: Unit) -> float:
        """By how much the gap is less than what counts as contact; negative for bases apart."""
        limit_mm = self.contact_limit_mm(other)
        return limit_mm - on_paper(self.gap_mm(other), limit_mm)

    def contact_limit_mm(self, other: Unit) -> float:
        """The largest gap that counts as contact."""
        return max(tables().distance.touch_mm, CLOSE_SIGMAS * self.sigma_to_mm(other))


def is_oval(piece: Piece) -> bool:
    """Whether a base is oval: its outline has the many corners of a curve, and it is clearly longer than broad."""
    outline = piece.footprint
    if len(outline.exterior.coords) <= _LEAST_CORNERS or outline.convex_hull.area > _HULL * outline.area:
        return False
    corners = shapely.get_coordinates(outline.exterior) - piece.position_mm
    across_mm = np.ptp(_WAYS @ corners.T, axis=1)
    return bool(across_mm.max() > _OVAL * across_mm.min())


def footprint_radius_mm(piece: Piece) -> float:
    """The radius of a round base: of the circle that its corners lie on, or else of the disc with the same area.

    A circle drawn with 16 chords has the area of a disc 0.16 mm smaller at a radius of 12.5 mm.
    """
    corners = shapely.get_coordinates(piece.footprint.exterior) - piece.position_mm
    away_mm = np.hypot(corners[:, 0], corners[:, 1])
    if len(corners) > _LEAST_CORNERS and np.ptp(away_mm) <= _ON_CIRCLE_MM:
        return float(away_mm.mean())
    return piece.radius_mm


@lru_cache(maxsize=1024)
def kept(unit: Unit) -> Unit:
    """An equal unit with its own copy of what is known of it; callers get one and the same, which keeps its answers."""
    return Unit(unit.piece, json.loads(str(unit.key[-1])))
