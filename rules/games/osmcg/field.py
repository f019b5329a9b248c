"""The field of an OSMCG match: miniatures with their cards, terrain that blocks, and the table's edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, box

from rules.games.osmcg import ground, owner, units
from rules.games.osmcg.blocs import leading_colours
from rules.games.osmcg.books import Books, books_of
from rules.games.osmcg.circles import circles_of
from rules.games.osmcg.effects import Rim, effects_on, is_affected_by_itself, rims, with_effects
from rules.games.osmcg.ground import Base, Cover, Near
from rules.games.osmcg.options import grounds_of
from rules.games.osmcg.roster import Lines, known_of, roster_of
from rules.games.osmcg.tables import GROUNDS, MEASURES, Mode, house, mode_of, tables
from rules.games.osmcg.units import Unit
from rules.geometry.levels import areal
from rules.margin import Margin
from rules.scene import NONE, UNKNOWN, Kind, Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from rules.unnamed import could_be

# The kinds of pieces that miniatures are.
FIGURES: tuple[Kind, ...] = ("base", "soldier")
# What a move cannot quite reach is looked at all the same.
_BESIDE_MM = 1.0


@dataclass(frozen=True, eq=False)
class Field:
    """A scene read by the rules of OSMCG. `subject` limits the rulings to one piece.

    turned  an aura's or a Tracker's rim on whose other side a miniature is read to stand, against what was measured
    """

    scene: Scene
    setup: Setup
    state: State
    subject: str | None = None
    turned: Rim | None = None

    @cached_property
    def _standing(self) -> tuple[Unit, ...]:
        """Every base on the table but the neutral ones, which block nobody (C5.2)."""
        pieces = self.scene.of_kind(*FIGURES)
        told = ((piece, known_of(piece.id, piece.roster, self.state, self._roster)) for piece in pieces)
        found = (units.kept(Unit(piece, self._with_side(piece, known))) for piece, known in told)
        return tuple(unit for unit in found if unit.team != NONE)

    def _with_side(self, piece: Piece, known: Mapping[str, Any]) -> Mapping[str, Any]:
        """What is known, with the side that its player's bloc is on: the colour of the first of them. A team may be
        told by a player's name."""
        told = known.get("team")
        team = piece.owner if told is None else str(told)
        named = None if told is None else self.setup.player_named(team)
        colour = team if named is None else named.colour
        side = self._leaders.get(colour, colour)
        return known if side == team else {**known, "team": side}

    @cached_property
    def _leaders(self) -> Mapping[str, str]:
        return leading_colours(self.setup)

    @cached_property
    def _roster(self) -> Lines:
        return roster_of(self.setup)

    @cached_property
    def figures(self) -> tuple[Unit, ...]:
        """Every base that counts for something: neither neutral nor destroyed."""
        return self._affected(tuple(unit for unit in self._standing if not unit.is_destroyed))

    @cached_property
    def fallen(self) -> tuple[Unit, ...]:
        """Those that are destroyed and still lie on the table, of the pieces that are ruled on."""
        return tuple(unit for unit in self._standing if unit.is_destroyed and self.subject in (None, unit.id))

    def _affected(self, figures: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """The figures with what auras, zones, Tracker and Berserk make of their cards."""
        known = [unit for unit in figures if unit.is_known]
        circles = circles_of(known, self.books.zones)
        if not circles and not any(is_affected_by_itself(unit) for unit in known):
            return figures
        held = {unit.id: effects_on(unit, known, circles, edges=self.edges, turned=self.turned) for unit in known}
        return tuple(units.kept(with_effects(unit, held.get(unit.id, ()))) for unit in figures)

    @cached_property
    def rims(self) -> Mapping[Rim, Margin]:
        """The rims of auras, zones and Trackers at which a unit stands too close to call, and by how much it is in."""
        return rims(self.units, circles_of(self.units, self.books.zones), edges=self.edges)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The figures whose side is known: they act and are acted on."""
        return tuple(unit for unit in self.figures if unit.is_known)

    @property
    def subjects(self) -> tuple[Unit, ...]:
        """The units that are ruled on."""
        return tuple(unit for unit in self.units if self.subject in (None, unit.id))

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """The known units by id, the destroyed too."""
        return {unit.id: unit for unit in (*self._standing, *self.units) if unit.is_known}

    def player_of(self, unit: Unit) -> Player | None:
        """Whose the unit is, by its team or its owner's colour."""
        team = known_of(unit.id, unit.piece.roster, self.state, self._roster).get("team")
        return owner.player_of(unit.piece.owner, None if team is None else str(team), self.setup)

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """The known units of other sides."""
        return tuple(other for other in self.units if other.team != unit.team)

    @cached_property
    def _gaps_mm(self) -> NDArray[np.float64]:
        """From the edge of each known unit to that of each figure at least, (n, m)."""
        return np.asarray(self._away_mm - np.array([unit.farthest_mm for unit in self.units])[:, None], float)

    @cached_property
    def _away_mm(self) -> NDArray[np.float64]:
        """From the centre of each known unit to the edge of each figure at least, (n, m)."""
        units = np.array([unit.at for unit in self.units]).reshape(-1, 1, 2)
        figures = np.array([unit.at for unit in self.figures]).reshape(1, -1, 2)
        radii_mm = np.array([unit.farthest_mm for unit in self.figures])
        return np.asarray(np.hypot(*np.moveaxis(units - figures, 2, 0)) - radii_mm, float)

    @cached_property
    def _row(self) -> Mapping[str, int]:
        return {unit.id: row for row, unit in enumerate(self.units)}

    def engaged_with(self, unit: Unit) -> tuple[Unit, ...]:
        """The enemies in base contact."""
        return self._contacts.get(unit.id, ())

    @cached_property
    def _contacts(self) -> Mapping[str, tuple[Unit, ...]]:
        """By id of each known unit, the enemies whose bases touch its own."""
        widest_mm = 10 * max((one.piece.sigma_mm for one in self.figures), default=0.0) + 2
        found: dict[str, tuple[Unit, ...]] = {}
        for row, column in np.argwhere(self._gaps_mm <= widest_mm):
            unit, other = self.units[row], self.figures[column]
            if other.team != unit.team and other.is_known and unit.touches(other):
                found[unit.id] = (*found.get(unit.id, ()), other)
        return found

    def figures_near(self, unit: Unit, reach_mm: float) -> tuple[Unit, ...]:
        """The other figures that a move of that length may meet."""
        away_mm = self._away_mm[self._row[unit.id]]
        close = np.flatnonzero(away_mm <= reach_mm + unit.radius_mm)
        return tuple(one for one in (self.figures[place] for place in close) if one.id != unit.id)

    def barriers_near(self, unit: Unit, reach_mm: float) -> tuple[Piece, ...]:
        """The barriers that a move of that length may meet."""
        return self.cover.barriers_within(unit.at, reach_mm + unit.radius_mm)

    def near(self, unit: Unit, reach_mm: float) -> Near:
        """What a move of that length may meet, as far as the move asks."""
        figures = self.figures_near(unit, reach_mm + _BESIDE_MM)
        bases = tuple(Base(one.at, one.radius_mm, unit.is_stopped_by(one), one.oval) for one in figures)
        barriers = tuple(one.footprint for one in self.barriers_near(unit, reach_mm + _BESIDE_MM))
        return Near(unit.mover, bases, barriers, self.bounds)

    def near_if(self, unit: Unit, reach_mm: float, nearer_mm: Mapping[str, float]) -> Near:
        """The same if these things, by id, stood so much nearer to every way (farther for less than 0)."""
        figures = self.figures_near(unit, reach_mm + _BESIDE_MM)
        bases = (_nearer(one, nearer_mm.get(one.id, 0.0), stops=unit.is_stopped_by(one)) for one in figures)
        things = self.barriers_near(unit, reach_mm + _BESIDE_MM)
        grown = (areal(one.footprint.buffer(nearer_mm.get(one.id, 0.0))) for one in things)
        barriers = tuple(part for shape in grown for part in shape.geoms)
        return Near(unit.mover, tuple(bases), barriers, self.bounds)

    @cached_property
    def bounds(self) -> Polygon:
        """The table: centres stay on it (C4.7)."""
        return box(0, 0, *self.scene.table_size_mm)

    @cached_property
    def mode(self) -> Mode:
        """The way to play, by the house rule `mode`."""
        return mode_of(self.setup)

    def ground(self, piece: Piece) -> str:
        """Whether a piece of terrain is blocking or traversable, by the legend (OSMCG-1.3)."""
        return self._legend.get(piece.cls, GROUNDS[1])

    @cached_property
    def _legend(self) -> Mapping[str, str]:
        return {**tables().legend, **grounds_of(self.setup)}

    @cached_property
    def walls(self) -> tuple[Piece, ...]:
        """The terrain that blocks move and sight."""
        return tuple(piece for piece in self.scene.of_kind("terrain") if self.ground(piece) == "blocking")

    @cached_property
    def barriers(self) -> tuple[Piece, ...]:
        """What blocks a move besides bases: walls, and whatever nobody has named (C5.2)."""
        strange = (piece for piece in self.scene if piece.cls == UNKNOWN and piece.kind not in FIGURES)
        return self.walls + tuple(piece for piece in strange if self._is_barrier(piece))

    def _is_barrier(self, piece: Piece) -> bool:
        """Whether something unnamed stops moves: terrain unless the legend names it, the rest unless it is neutral."""
        return UNKNOWN not in self.setup.legend if piece.kind == "terrain" else piece.owner != NONE

    @cached_property
    def cover(self) -> Cover:
        """What hides units from one another, and how ranges are measured here."""
        return ground.kept(Cover(self.walls, self.barriers, self.bounds, self.edges, self._unnamed))

    @property
    def _unnamed(self) -> tuple[Piece, ...]:
        """The terrain that nobody has named and that blocks sight as something that it could be."""
        strange = (piece for piece in self.barriers if piece.kind == "terrain" and piece.cls == UNKNOWN)
        grounds = ((piece, [self._legend.get(cls, GROUNDS[1]) for cls in could_be(piece)]) for piece in strange)
        return tuple(piece for piece, could in grounds if self.ground(piece) != "blocking" and "blocking" in could)

    @cached_property
    def edges(self) -> bool:
        """Whether ranges run from edge to edge, by the house rule `ranged_measure`."""
        return house(self.setup, "ranged_measure", MEASURES) == "edge"

    @cached_property
    def books(self) -> Books:
        """What the state counts besides the pieces."""
        return books_of(self.state.counters)


def _nearer(unit: Unit, nearer_mm: float, *, stops: bool) -> Base:
    """Its base, its rim so much farther out."""
    oval = unit.oval.buffer(nearer_mm) if unit.oval is not None and nearer_mm else unit.oval
    radius_mm = max(0.0, unit.radius_mm + nearer_mm)
    return Base(unit.at, radius_mm, stops, oval if isinstance(oval, Polygon) and not oval.is_empty else None)
