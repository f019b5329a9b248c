"""A miniature: its base on the table and its card in the state."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.games.osmcg.tables import tables
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm
from rules.scene import Piece, Point2

# What a keyword may carry: "Defense:2", "Ranged(3, 12)", "Aura(4, +1 ATK)".
_KEYWORD = re.compile(r"^\s*([A-Za-z ]+?)\s*(?:[:(]\s*(.*?)\s*\)?)?\s*$")


@dataclass(frozen=True, eq=False)
class Unit:
    """A miniature: its base on the table and its card in the state."""

    piece: Piece
    known: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.piece.id

    @cached_property
    def name(self) -> str:
        """What the players call it."""
        roster = self.known.get("roster") or self.piece.roster
        return f"{roster} {self.id}" if roster else self.id

    @property
    def at(self) -> Point2:
        """The centre of the base, mm."""
        return self.piece.position_mm

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """All that a ruling may ask of the unit, by value."""
        piece = self.piece
        known = json.dumps(self.known, sort_keys=True, default=str)
        return (
            piece.id,
            piece.cls,
            piece.owner,
            piece.roster,
            piece.position_mm,
            piece.sigma_mm,
            self.radius_mm,
            known,
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Unit) and self.key == other.key)

    @cached_property
    def team(self) -> str:
        """Whose side it is on: the state's `team`, else the owner's colour."""
        return str(self.known.get("team") or self.piece.owner)

    @cached_property
    def radius_mm(self) -> float:
        """Of the base."""
        return float(self.known.get("radius_mm", self.piece.radius_mm))

    @cached_property
    def keywords(self) -> Mapping[str, tuple[str, ...]]:
        """By lower-case name, with what stands in brackets or after the colon."""
        found = {}
        for word in self.known.get("keywords", ()):
            match = _KEYWORD.match(str(word))
            if match is None:
                raise ValueError(
                    f"state: pieces.{self.id}.keywords: {word!r} is no keyword; write Flying or Ranged(3, 12)"
                )
            found[match[1].lower()] = tuple(
                part.strip().rstrip('"') for part in (match[2] or "").split(",") if part.strip()
            )
        return found

    def has(self, keyword: str) -> bool:
        """Whether the card carries that keyword."""
        return keyword.lower() in self.keywords

    def value(self, keyword: str, place: int) -> float | None:
        """The number at that place of a keyword, if it has one; ValueError if it is none."""
        words = self.keywords.get(keyword, ())
        return None if len(words) <= place else self._number(words[place], f"keywords.{keyword}")

    def number(self, key: str, default: float) -> float:
        """A number of the state, with the default of the game."""
        value = self.known.get(key)
        return default if value is None else self._number(value, key)

    def status(self, name: str) -> float:
        """How much or how long a status still lasts; 0 for none."""
        value = self.known.get("statuses", {}).get(name, 0)
        return self._number(value, f"statuses.{name}") if value is not None else 0.0

    def _number(self, value: Any, key: str) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"state: pieces.{self.id}.{key}: {value!r} is not a number") from None
        if not math.isfinite(number) or number < 0:
            raise ValueError(f"state: pieces.{self.id}.{key}: {value!r} must be 0 or more")
        return number

    @property
    def spd_in(self) -> float:
        """Inches for one action point, with Slow and Root (OSMCG-2.3)."""
        if self.status("root") > 0:
            return 0.0
        return max(0.0, self.number("spd_in", tables().unit.spd_in) - self.status("slow"))

    @property
    def ap(self) -> int:
        """Action points of an activation."""
        return int(self.number("ap", tables().unit.ap))

    @property
    def is_hero(self) -> bool:
        """Whether it is its player's Hero."""
        return bool(self.known.get("hero")) or self.has("hero")

    def gap_mm(self, other: Unit) -> float:
        """From edge to edge; negative for bases that overlap."""
        return math.dist(self.at, other.at) - self.radius_mm - other.radius_mm

    def sigma_to_mm(self, other: Unit) -> float:
        """The sigma of the distance between the two (C3.2)."""
        return pair_sigma_mm(self.piece.sigma_mm, other.piece.sigma_mm)

    def touches(self, other: Unit) -> bool:
        """Base contact: a gap of at most max(1 mm, 3 s) (OSMCG-2.2)."""
        return self.gap_mm(other) <= self.touch_mm(other)

    def touch_mm(self, other: Unit) -> float:
        """The gap that still counts as contact."""
        return max(tables().distance.touch_mm, CLOSE_SIGMAS * self.sigma_to_mm(other)) + tables().distance.paper_mm
