"""The units: pieces bound to the roster, and what each has done this turn (OMNI-2.2, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shapely import Polygon

from rules.games.omniwar.roster import UnitType, unit_type, unit_types
from rules.geometry.templates import disc
from rules.scene import NONE, UNKNOWN, Kind, Piece, Scene
from rules.setup import Setup
from rules.state import State

# What can stand for a unit, once it is bound to the roster.
_UNIT_KINDS: tuple[Kind, ...] = ("coin", "soldier", "base", "die", "match", "card")
CARRIED_BY, _WRECK = "carried_by", "wreck"
# What the state may say of a unit besides its line of the roster.
_KEYS = ("moved", "fired", "waited", "hidden", CARRIED_BY, "boarded", "submerged", "radius_mm")
# An unread piece of these kinds may be a unit, so that it is in everybody's way (C5.2).
_SHUTTING_KINDS: tuple[Kind, ...] = ("coin", "soldier", "base", "terrain")


@dataclass(frozen=True, eq=False)
class Unit:
    """A piece that plays.

    kind    its line of the roster with all changes; None when the roster has no such name
    known   what the state says of it: moved, fired, waited, hidden, carried_by, boarded, submerged, radius_mm
    """

    piece: Piece
    kind: UnitType | None
    known: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.piece.id

    @property
    def owner(self) -> str:
        """The colour of its army."""
        return self.piece.owner

    @property
    def line(self) -> UnitType:
        """Its line of the roster; only known units are asked."""
        assert self.kind is not None
        return self.kind

    @property
    def is_known(self) -> bool:
        """Whether kind and owner are known (C5.2)."""
        return self.kind is not None and self.owner != UNKNOWN

    @property
    def carrier(self) -> str | None:
        """The transport that carries it, if any."""
        carrier = self.known.get(CARRIED_BY)
        return str(carrier) if carrier else None

    @property
    def wreck(self) -> str | None:
        """The transport that carried it this turn and is gone, if any: it stands by itself."""
        wreck = self.known.get(_WRECK)
        return str(wreck) if wreck else None

    @property
    def has_moved(self) -> bool:
        """Whether it has moved this turn."""
        return bool(self.known.get("moved"))

    @property
    def times_fired(self) -> int:
        """How often it has attacked this turn."""
        fired = self.known.get("fired")
        return int(fired) if isinstance(fired, int) else int(bool(fired))

    @property
    def has_waited(self) -> bool:
        """Whether it did nothing in its own turn: what it fired since, it fired out of turn."""
        return not self.has_moved and (bool(self.known.get("waited")) or not self.times_fired)

    @property
    def radius_mm(self) -> float:
        """The radius of its base: the state's, else that of the disc as large as its footprint."""
        return float(self.known.get("radius_mm") or self.piece.radius_mm)

    @cached_property
    def base(self) -> Polygon:
        """Its base on the table: a disc where the state gives its radius, else its footprint."""
        return disc(self.piece.position_mm, self.radius_mm) if self.known.get("radius_mm") else self.piece.footprint

    @property
    def name(self) -> str:
        """What a player calls it."""
        return f"{self.owner} {self.kind.name if self.kind else self.piece.cls} {self.id}"


def bound_pieces(scene: Scene, setup: Setup, state: State) -> Iterator[tuple[Piece, UnitType | None]]:
    """The pieces that are bound to the roster and not neutral (C5.2), with what the roster says of them."""
    types = unit_types(setup)
    for piece in scene.of_kind(*_UNIT_KINDS):
        name = unit_name(piece, setup, state, types)
        if name is not None and piece.owner != NONE:
            yield piece, unit_type(name, state.of(piece.id), types, f"state: pieces.{piece.id}")


def unit_name(piece: Piece, setup: Setup, state: State, types: Mapping[str, UnitType]) -> str | None:
    """The unit that a piece stands for: the state's word goes before the piece's own, and that before the legend's."""
    name = state.of(piece.id).get("roster") or piece.roster or unit_in_legend(piece, setup, types)
    return str(name) if name else None


def unit_in_legend(piece: Piece, setup: Setup, types: Mapping[str, UnitType]) -> str | None:
    """The unit that a piece stands for by the legend's word for its id, owner and class, or class; None for none."""
    words = (setup.legend.get(key) for key in (piece.id, f"{piece.owner} {piece.cls}", piece.cls))
    return next((word for word in words if word and word.strip().casefold() in types), None)


def units_for(piece: Piece, setup: Setup, state: State) -> tuple[str, ...]:
    """The units that a piece can be: the one that it is, then the legend's, then all others of the roster."""
    if piece.kind not in _UNIT_KINDS or piece.owner == NONE:
        return ()
    types = unit_types(setup)
    words = [unit_name(piece, setup, state, types) or UNKNOWN, *setup.legend.values()]
    named = [types[word.strip().casefold()].name for word in words if word.strip().casefold() in types]
    rest = (kind.name for kind in types.values())
    return tuple(dict.fromkeys((*(named if words[0] != UNKNOWN else (UNKNOWN, *named)), *rest)))


def told_of(piece: Piece, scene: Scene, state: State) -> dict[str, Any]:
    """What the state says of a unit besides its line; ValueError if a value is not one word or number.

    A transport that is not in the scene carries nobody.
    """
    known = state.of(piece.id)
    told = {key: _plain(piece, key, known[key]) for key in _KEYS if key in known}
    carrier = told.get(CARRIED_BY)
    if carrier and carrier not in scene:
        told[_WRECK] = told.pop(CARRIED_BY)
    return told


def _plain(piece: Piece, key: str, value: object) -> object:
    if key == "radius_mm" and (isinstance(value, bool) or not isinstance(value, int | float) or value <= 0):
        raise ValueError(f"state: pieces.{piece.id}.radius_mm: should be a length in mm, not {value!r}")
    if isinstance(value, str | int | float | None):
        return value
    raise ValueError(f"state: pieces.{piece.id}.{key}: should be true, false, a number or a name, not {value!r}")


def strangers(scene: Scene, bound: set[str]) -> Iterator[Piece]:
    """The pieces that nobody knows: they are in everybody's way until a person says what they are (C5.2)."""
    for piece in scene.of_kind(*_SHUTTING_KINDS):
        unread = piece.cls == UNKNOWN if piece.kind == "terrain" else UNKNOWN in (piece.cls, piece.owner)
        if unread and piece.id not in bound:
            yield piece


def is_active(unit: Unit, setup: Setup, state: State) -> bool:
    """Whether it is the owner's turn; always, when nobody says whose turn it is (C4.9)."""
    return is_turn_of(unit.owner, setup, state)


def is_turn_of(colour: str, setup: Setup, state: State) -> bool:
    """Whether it is that army's turn; always, when nobody says whose turn it is (C4.9)."""
    player = setup.player_named(state.active) if state.active is not None else None
    return state.active is None or colour == (player.colour if player else state.active)
