"""Playing without hexes: Move and Range in inches or centimetres on the open table (OMNI-4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shapely import LineString, Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.attack import destroy_chance, number_needed
from rules.games.omniwar.board import DENSE, ROAD, WATER, ground_of
from rules.games.omniwar.forces import economy
from rules.games.omniwar.movement import may_enter
from rules.games.omniwar.roster import UnitType
from rules.games.omniwar.units import bound_pieces
from rules.geometry.ground import mixed_reach
from rules.geometry.levels import Ground
from rules.geometry.sight import is_visible
from rules.margin import Margin, at_most, pair_sigma_mm
from rules.scene import UNKNOWN, Piece, Scene
from rules.setup import Setup
from rules.state import State

SCALES = ("inches", "centimetres")
FIGURES = ("stands", "15mm", "25mm")
# OMNI-4.3: a hex of Move or Range in the table's measure, and what bigger figures make of it.
_HEX_MM = {"inches": 4 * 25.4, "centimetres": 10 * 10.0}
_FACTOR = {"stands": 1, "15mm": 2, "25mm": 3}


def hex_mm(setup: Setup) -> float:
    """What one hex of Move or Range is on the table."""
    return _HEX_MM[setup.house.get("scale", SCALES[0])] * _FACTOR[setup.house.get("figures", FIGURES[0])]


@dataclass(frozen=True)
class OpenTable:
    """The scene without hexes: units, and the grounds that things on the table stand for."""

    scene: Scene
    setup: Setup
    state: State
    units: tuple[tuple[Piece, UnitType], ...]
    grounds: tuple[tuple[Polygon, str], ...]

    def of_ground(self, wanted: str) -> list[Polygon]:
        """The areas of that ground."""
        return [area for area, ground in self.grounds if ground == wanted]


def open_table(scene: Scene, setup: Setup, state: State) -> OpenTable:
    """The scene as the game without hexes sees it."""
    found = ((piece.footprint, ground_of(piece, setup)) for piece in scene.of_kind("terrain"))
    grounds = tuple((area, ground) for area, ground in found if ground is not None)
    bound = bound_pieces(scene, setup, state)
    units = tuple((piece, kind) for piece, kind in bound if kind is not None and piece.owner != UNKNOWN)
    return OpenTable(scene, setup, state, units, grounds)


def free_rulings(scene: Scene, setup: Setup, state: State) -> Iterator[Ruling]:
    """Reach and targets by measured distance."""
    seen = open_table(scene, setup, state)
    if state.phase in (None, "move"):
        for piece, kind in seen.units:
            yield _reach(seen, piece, kind)
    if state.phase in (None, "attack"):
        yield from _targets(seen)
    yield from economy(scene, setup, state)


def free_reach(seen: OpenTable, piece: Piece, kind: UnitType) -> BaseGeometry:
    """Where the unit may end its move: round enemies and water; vehicles pay half on roads, twice in dense ground."""
    width_mm, depth_mm = seen.scene.table_size_mm
    table = box(0, 0, width_mm, depth_mm)
    budget_mm = kind.move * hex_mm(seen.setup)
    if kind.is_flyer:
        return piece.point.buffer(budget_mm, quad_segs=64) & table
    obstacles = [*_shut(seen, kind, table), *_standing(seen, piece)]
    return mixed_reach(piece.position_mm, _prices(seen, kind), 1.0, obstacles, table, budget_mm)


def _shut(seen: OpenTable, kind: UnitType, table: Polygon) -> list[BaseGeometry]:
    """The ground that the unit may not enter; all land, for the water bound."""
    if kind.has("Water bound"):
        return _parts(table - unary_union(seen.of_ground(WATER)))
    return [area for area, ground in seen.grounds if not may_enter(kind, ground)]


def _prices(seen: OpenTable, kind: UnitType) -> list[Ground]:
    if not kind.is_vehicle:
        return []
    dense = [Ground(area, 2.0) for area in seen.of_ground(DENSE)]
    return [*dense, *(Ground(area, 0.5) for area in seen.of_ground(ROAD))]


def _standing(seen: OpenTable, mover: Piece) -> list[Polygon]:
    """The footprints of enemies and of pieces that nobody knows, which no unit passes."""
    others = (piece for piece in seen.scene.of_kind("coin", "soldier", "base") if piece.id != mover.id)
    bound = {piece.id for piece, _ in seen.units}
    return [
        piece.footprint
        for piece in others
        if (piece.id in bound and piece.owner != mover.owner) or UNKNOWN in (piece.cls, piece.owner)
    ]


def _parts(area: BaseGeometry) -> list[BaseGeometry]:
    return [part for part in getattr(area, "geoms", [area]) if not part.is_empty]


def _reach(seen: OpenTable, piece: Piece, kind: UnitType) -> Ruling:
    extra: dict[str, Any] = {"phase": "move", "move_mm": kind.move * hex_mm(seen.setup)}
    if seen.state.of(piece.id).get("moved"):
        return Ruling("reach", piece.id, "no", "C4.9", f"{_name(piece, kind)} has moved already", extra=extra)
    region = free_reach(seen, piece, kind)
    return ruling_from(
        Margin(extra["move_mm"], piece.sigma_mm),
        kind="reach",
        piece=piece.id,
        rule="OMNI-4.3",
        why=f"{_name(piece, kind)} moves up to {extra['move_mm']:g} mm",
        geometry=region,
        extra=extra,
        marks=(Mark("reach", region),),
    )


def _targets(seen: OpenTable) -> Iterator[Ruling]:
    for piece, kind in seen.units:
        for target, its_kind in seen.units:
            if target.owner != piece.owner:
                yield _target(seen, (piece, kind), (target, its_kind))


def _target(seen: OpenTable, attacker: tuple[Piece, UnitType], target: tuple[Piece, UnitType]) -> Ruling:
    (piece, kind), (other, its_kind) = attacker, target
    range_mm = kind.range * hex_mm(seen.setup)
    distance_mm = math.dist(piece.position_mm, other.position_mm)
    margin = at_most(distance_mm, range_mm, pair_sigma_mm(piece.sigma_mm, other.sigma_mm))
    needs = number_needed(kind.offense, its_kind.defense)
    fault = _fault(seen, attacker, target, needs)
    win = destroy_chance(needs, any(area.covers(other.point) for area in seen.of_ground(DENSE)))
    reason = fault or f"{distance_mm:.0f} of {range_mm:.0f} mm, {needs} or less destroys"
    line = LineString([piece.position_mm, other.position_mm])
    return ruling_from(
        Margin(-max(abs(margin.margin_mm), 3 * margin.sigma_mm + 1e-6), margin.sigma_mm) if fault else margin,
        kind="target",
        piece=piece.id,
        other=other.id,
        rule="OMNI-3.1" if fault else "OMNI-4.3",
        why=f"{_name(piece, kind)} at {_name(other, its_kind)}: {reason}",
        geometry=line,
        extra={"phase": "attack", "needs": needs, "odds": {"win": str(win), "tie": str(1 - win), "lose": "0"}},
    )


def _fault(seen: OpenTable, attacker: tuple[Piece, UnitType], target: tuple[Piece, UnitType], needs: int) -> str | None:
    """Why the attack is not possible whatever the distance."""
    (piece, kind), (other, its_kind) = attacker, target
    if needs == 0:
        return f"offense {kind.offense} cannot beat defense {its_kind.defense}"
    if not kind.has("Indirect") and not is_visible(piece.position_mm, other.position_mm, _between(seen, piece, other)):
        return "no sight through dense ground"
    return None


def _between(seen: OpenTable, *ends: Piece) -> Sequence[Polygon]:
    """The dense ground that stops sight: units fire into it and out of it, but not through."""
    return [area for area in seen.of_ground(DENSE) if not any(area.covers(end.point) for end in ends)]


def _name(piece: Piece, kind: UnitType) -> str:
    return f"{piece.owner} {kind.name} {piece.id}"
