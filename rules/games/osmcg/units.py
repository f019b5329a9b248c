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

from rules.by_value import ByValue
from rules.games.osmcg.card import Card, card_of
from rules.games.osmcg.ground import Mover
from rules.games.osmcg.keywords import Keywords
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm
from rules.scene import UNKNOWN, Piece, Point2

# A footprint whose corners all lie on one circle round its position, so closely, is that circle drawn with chords.
_ON_CIRCLE_MM = 0.01
_LEAST_CORNERS = 12


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
        return math.dist(self.at, other.at) - self.radius_mm - other.radius_mm

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
    """The first unit of that value, with all that was worked out about it, and its own copy of what is known."""
    return Unit(unit.piece, json.loads(str(unit.key[-1])))
