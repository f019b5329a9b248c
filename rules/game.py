"""How a game plugs in: a record of pure functions from (scene, set-up, state) to rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from rules.margin import Margin, Verdict
from rules.scene import Kind, Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

_EMPTY: Mapping[str, Any] = MappingProxyType({})
# What is looked for where neither a set-up nor a game says what lies on the table.
FLAT: frozenset[Kind] = frozenset(("coin", "card", "die", "match"))
# The default of a field that nobody gives: it is worked out, once, when it is read first.
_late: Any = cached_property


@dataclass(frozen=True)
class Mark:
    """One thing to draw: a role (reach, sight, target, blocked, siege, doubt ...), never a colour.

    shape      table frame, mm, true to size; a third coordinate is height above `height_mm`
    height_mm  of the drawn thing above the table: a coin's rim shows elsewhere than its foot
    """

    role: str
    shape: BaseGeometry
    label: str = ""
    height_mm: float = 0.0


@dataclass(frozen=True)
class Ruling:
    """One answer of the referee, with its reason.

    kind      reach, sight, target, blocked, siege, engaged, cohesion, control, template, cover, step, settle,
              economy, melee or judge
    piece     id of the piece ruled on, or None; `other` the piece or place concerned
    rule      number of the rule note, such as "OMMS-3.2"
    geometry  region, line or point in table mm, or None
    extra     what the kind needs besides (`odds`, `needs`, `open_roads`, `cells`, `phase` ...), JSON values only
    """

    kind: str
    piece: str | None
    verdict: Verdict
    rule: str
    why: str
    other: str | None = None
    margin_mm: float = 0.0
    sigma_mm: float = 0.0
    geometry: BaseGeometry | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class RegionMark(Mark):
    """A mark whose shape is drawn when somebody looks at it."""

    shape: BaseGeometry = field(init=False, default=_late(lambda mark: mark.draw()))
    draw: Callable[[], BaseGeometry] = field(default=Polygon, compare=False)


@dataclass(frozen=True)
class RegionRuling(Ruling):
    """A ruling on a region that is known and drawn later: `geometry` and its one mark are made when somebody looks."""

    geometry: BaseGeometry | None = field(init=False, default=_late(lambda ruling: ruling.draw()))
    marks: tuple[Mark, ...] = field(init=False, default=_late(lambda one: (RegionMark(one.kind, draw=one.draw),)))
    draw: Callable[[], BaseGeometry] = field(default=Polygon, compare=False)


def ruling_from(
    margin: Margin,
    *,
    kind: str,
    piece: str | None,
    rule: str,
    why: str,
    other: str | None = None,
    geometry: BaseGeometry | None = None,
    extra: Mapping[str, Any] = _EMPTY,
    marks: tuple[Mark, ...] = (),
) -> Ruling:
    """The ruling whose verdict, margin and sigma are those of `margin`."""
    return Ruling(
        kind, piece, margin.verdict, rule, why, other, margin.margin_mm, margin.sigma_mm, geometry, extra, marks
    )


@dataclass(frozen=True)
class Game:
    """A game as data and pure functions; see `docs/adding-a-game.md`.

    phases    in the order of a turn (C4.10)
    kinds     what is laid on its table; a camera looks for nothing else, so that nothing else is mistaken for a piece
    house     house rules with their allowed values, the first one the default; a single non-tuple value is free
    rulings   all rulings for a scene; with a piece's id, those of that piece only
    judge     one ruling for each piece that moved, came or went between two scenes (C4.8)
    advance   how the state takes an event of the match (kind, fields), with the scene after it; `former` among the
              fields of a change is the scene before. None for `rules.turn.advance`
    deeds     the events of the game's own that `advance` knows besides those of every match
    refusal   the rule and the reason against an event of the game's own (scene, set-up, state, kind, fields); None for
              none. What is refused gets the verdict no, and the game's `advance` passes it over
    phase_by_phase  whether the players take turns in each phase, not each a turn of all phases
    together  the players who have their turn together with one (name, set-up), himself among them; None where each has
              his own
    next_phase  the fields of the `phase` event that comes next, for a game whose turns go otherwise; None for most
    is_out    whether a player, by name, is out of the game and has no turn (scene, set-up, state, player); None where
              nobody is
    claims    whose the pieces are that nobody named when a match begins (scene, set-up, state), by id; None where only
              eyes and people tell
    owners    whose the pieces are that no colour tells, wherever they lie now (scene, set-up, state), by id: a colour,
              or `unknown`; None where only eyes and people tell
    units     what a piece can stand for (piece, set-up, state): what it is now first, `unknown` for nothing yet; () for
              what is no unit; None where the class alone tells
    faces     whether it counts which side of a coin lies up, so that a person is asked
    check     raises `rules.files.tables.KeyFault` for what legend and house rules cannot mean; None if all is free
    check_state  raises ValueError for what a state file says and nobody can mean (state, set-up)
    check_table  the same for what it says of a scene (scene, set-up, state): a piece that is not there, say
    keeps_by_piece  whether it keeps what it ruled on each piece, so that it pays to rule ahead (`rules.ahead`)
    by_player counters of the state that are kept for each player: {name or colour: ...}
    returns   whether nothing new comes to the table once it is set up, so that what is put where its like was taken off
              is that one again
    swaps     whether a piece that was taken off and one that is put down are one and the same thing, seen in two steps
              (the piece that is gone, the new one, state): a rider and his figure on foot; None where nothing is so
    clock     the seconds that the side which moves has left at a time (state, time_s), None while no clock runs
    cells     the hexes of the board (scene, set-up, state): their outlines in table mm, by column and row; {} where
              there is no grid, None for a game without one
    """

    name: str
    title: str
    phases: tuple[str, ...]
    rulings: Callable[[Scene, Setup, State, str | None], tuple[Ruling, ...]]
    judge: Callable[[Scene, Scene, Setup, State], tuple[Ruling, ...]]
    house: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    legend: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    advance: Callable[[State, Scene, Setup, str, Mapping[str, Any]], State] | None = None
    deeds: tuple[str, ...] = ()
    refusal: Callable[[Scene, Setup, State, str, Mapping[str, Any]], tuple[str, str] | None] | None = None
    phase_by_phase: bool = False
    together: Callable[[str | None, Setup], tuple[Player, ...]] | None = None
    next_phase: Callable[[Setup, State], dict[str, Any]] | None = None
    is_out: Callable[[Scene, Setup, State, str], bool] | None = None
    clock: Callable[[State, float], float | None] | None = None
    check: Callable[[Setup], None] | None = None
    check_state: Callable[[State, Setup], None] | None = None
    check_table: Callable[[Scene, Setup, State], None] | None = None
    keeps_by_piece: bool = False
    by_player: tuple[str, ...] = ()
    claims: Callable[[Scene, Setup, State], Mapping[str, str]] | None = None
    owners: Callable[[Scene, Setup, State], Mapping[str, str]] | None = None
    units: Callable[[Piece, Setup, State], tuple[str, ...]] | None = None
    faces: bool = False
    returns: bool = False
    swaps: Callable[[Piece, Piece, State], bool] | None = None
    cells: Callable[[Scene, Setup, State], Mapping[tuple[int, int], Polygon]] | None = None
    kinds: frozenset[Kind] = FLAT
