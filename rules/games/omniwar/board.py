"""The board: hexes with their ground and roads, from the state's grid and from what lies on the mat (OMNI-1.1, 1.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field
from shapely import Point, Polygon, coverage_union_all
from shapely.geometry.base import BaseGeometry

from rules.files.geojson import FARTHEST
from rules.files.json_value import Number, Whole
from rules.files.tables import KeyFault, checked
from rules.geometry.hexes import Hex, HexGrid, Stretch, blocking, grid_through, is_visible, neighbour, neighbours
from rules.scene import Piece, Scene
from rules.setup import Setup
from rules.state import State
from rules.unnamed import could_be

Kept = TypeVar("Kept")
OPEN, DENSE, WATER, ROAD = "open", "dense", "water", "road"
# Smaller hexes hold no piece.
LEAST_PITCH_MM = 5.0
# More hexes take minutes and gigabytes; a table of ten metres with inch-and-a-half hexes has 80,000.
MOST_CELLS = 100_000
Mm = Annotated[Number, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
# A centre that is farther off than this share of the pitch is another hex, or written wrong.
_MOST_OFF = 0.25

# What a painter of hexes may call the grounds besides the notes' names.
_ALSO_CALLED = {
    "wood": DENSE,
    "woods": DENSE,
    "forest": DENSE,
    "woodland": DENSE,
    "buildings": DENSE,
    "building": DENSE,
    "clear": OPEN,
    "lake": WATER,
    "sea": WATER,
    "river": WATER,
}


class _CellRecord(BaseModel):
    q: Whole
    r: Whole
    terrain: str | None = None
    roads: tuple[Whole, ...] = ()


class _GridRecord(BaseModel):
    kind: Literal["hex"]
    pitch_mm: Number | None = Field(None, ge=LEAST_PITCH_MM, le=FARTHEST, allow_inf_nan=False)
    centres: tuple[tuple[Whole, Whole, Mm, Mm], ...] = ()
    origin_mm: tuple[Mm, Mm] = (0.0, 0.0)
    turn_deg: Mm = 0.0
    top: Literal["pointy", "flat"] = "pointy"
    cells: tuple[_CellRecord, ...] | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """The hexes that are on the board, their ground, and the sides that roads leave them by.

    unnamed  the hexes on whose centre lies a thing that nobody has named and that could be dense, with its id
    """

    grid: HexGrid
    ground: Mapping[Hex, str]
    roads: Mapping[Hex, frozenset[int]]
    unnamed: Mapping[Hex, str]

    def __contains__(self, cell: object) -> bool:
        return cell in self.ground

    @cached_property
    def dense(self) -> frozenset[Hex]:
        """The hexes that stop sight."""
        return frozenset(cell for cell, ground in self.ground.items() if ground == DENSE)

    @cached_property
    def edge(self) -> frozenset[Hex]:
        """The hexes from which a step leaves the board."""
        return frozenset(cell for cell in self.ground if any(near not in self for near in neighbours(cell)))

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        """What was worked out of the ground alone; it seldom changes, and the board with it."""
        return {}

    def kept(self, key: Hashable, work_out: Callable[[], Kept]) -> Kept:
        """The answer to a question that hangs on the board only: worked out once, then kept."""
        if key not in self._kept:
            self._kept[key] = work_out()
        answer: Kept = self._kept[key]
        return answer

    def view(self, cell: Hex) -> tuple[Hex, ...]:
        """The hexes that are seen from this one, whatever the range."""
        return self.kept(
            ("view", cell), lambda: tuple(sorted(goal for goal in self.ground if is_visible(cell, goal, self.dense)))
        )

    def hidden_by(self, cell: Hex, goal: Hex) -> Stretch | None:
        """What stops the sight between the two, if anything."""
        return self.kept(("hidden", cell, goal), lambda: blocking(cell, goal, self.dense))

    def perhaps_hidden_by(self, cell: Hex, goal: Hex) -> tuple[str, ...]:
        """What nobody has named and would stop the sight between the two if it were dense; () where all is free."""
        return self.kept(("perhaps", cell, goal), lambda: self._unnamed_in(blocking(cell, goal, self._perhaps_dense)))

    @cached_property
    def _perhaps_dense(self) -> frozenset[Hex]:
        return self.dense | self.unnamed.keys()

    def _unnamed_in(self, stretch: Stretch | None) -> tuple[str, ...]:
        return tuple(sorted({self.unnamed[cell] for cell in stretch or () if cell in self.unnamed}))

    def area(self, cells: tuple[Hex, ...]) -> BaseGeometry:
        """The hexes as one area."""
        return self.kept(("area", cells), lambda: coverage_union_all([self.outline(cell) for cell in cells]))

    @cached_property
    def _outlines(self) -> dict[Hex, Polygon]:
        return {cell: self.grid.outline(cell) for cell in self.ground}

    def outline(self, cell: Hex) -> Polygon:
        """The hex as a polygon."""
        return self._outlines[cell]

    def follows_road(self, cell: Hex, side: int) -> bool:
        """Whether a road leads out of the hex by that side and on in the neighbour."""
        onward = self.roads.get(neighbour(cell, side), frozenset())
        return side in self.roads.get(cell, frozenset()) and (side + 3) % 6 in onward


def has_board(state: State) -> bool:
    """Whether the match is played on hexes."""
    return state.grid is not None


def board_of(scene: Scene, setup: Setup, state: State) -> Board:
    """The board of the state's grid; the same grid and terrain give the very same board.

    A cell without a `terrain` has that of the thing that lies on its centre, else it is open. Without `cells` every hex
    whose centre is on the table is on the board. ValueError names the key at fault.
    """
    grid = checked(_GridRecord, state.grid or {}, "state: grid")
    terrain = scene.of_kind("terrain")
    things = tuple((piece, ground) for piece in terrain if (ground := ground_of(piece, setup)))
    unnamed = tuple((piece, piece.id) for piece in terrain if could_be_dense(piece, setup))
    return _board(_hashable(grid), things, unnamed, scene.table_size_mm)


def cells(scene: Scene, setup: Setup, state: State) -> Mapping[Hex, Polygon]:
    """The outlines of the hexes on the board, in table mm; none where the match is played by measure."""
    if not has_board(state):
        return {}
    board = board_of(scene, setup, state)
    return {cell: board.outline(cell) for cell in board.ground}


_Cells = tuple[tuple[Hex, str | None, tuple[int, ...]], ...]


def _hashable(record: _GridRecord) -> tuple[HexGrid, _Cells | None]:
    grid = _grid(record)
    if record.cells is None:
        return grid, None
    told: dict[Hex, tuple[str | None, tuple[int, ...]]] = {}
    for cell in record.cells:
        said = _named(cell), cell.roads
        if told.setdefault((cell.q, cell.r), said) != said:
            raise ValueError(
                f"state: grid.cells: hex ({cell.q}, {cell.r}) stands there twice, and differs; take one out"
            )
    return grid, tuple((at, ground, roads) for at, (ground, roads) in told.items())


def _grid(record: _GridRecord) -> HexGrid:
    """The grid by its numbers, or through the centres of three hexes or more (OMNI-1.1)."""
    if record.centres:
        return _through(tuple(((q, r), (x_mm, y_mm)) for q, r, x_mm, y_mm in record.centres), record.top)
    if record.pitch_mm is None:
        raise ValueError("state: grid.pitch_mm: missing; give it, or `centres` of three hexes as [q, r, x, y]")
    return HexGrid(record.pitch_mm, record.origin_mm, record.turn_deg, record.top)


def _through(centres: tuple[tuple[Hex, tuple[float, float]], ...], top: Literal["pointy", "flat"]) -> HexGrid:
    """The grid through these centres; ValueError if they do not lie as hexes do."""
    grid = grid_through(centres, top)
    if grid.pitch_mm < LEAST_PITCH_MM:
        raise ValueError(f"state: grid.centres: neighbours would lie {grid.pitch_mm:.1f} mm apart; check the centres")
    for cell, at_mm in centres:
        off_mm = math.dist(grid.centre(cell), at_mm)
        if off_mm > _MOST_OFF * grid.pitch_mm:
            raise ValueError(f"state: grid.centres: hex {cell} is {off_mm:.0f} mm off where the others put it")
    return grid


def _named(cell: _CellRecord) -> str | None:
    """The ground that the cell names, by the notes' name; ValueError for what is none, or for a side that is none."""
    where = f"state: grid.cells: hex ({cell.q}, {cell.r})"
    if any(side not in range(6) for side in cell.roads):
        raise ValueError(f"{where}: roads leave by sides 0 to 5, not {list(cell.roads)}")
    if cell.terrain is None:
        return None
    word = cell.terrain.casefold()
    ground = _ALSO_CALLED.get(word, word)
    if ground not in (OPEN, DENSE, WATER, ROAD):
        raise ValueError(f"{where}: no terrain {cell.terrain!r}; open, dense, water or road")
    return ground


@lru_cache(maxsize=16)
def _board(
    laid: tuple[HexGrid, _Cells | None],
    things: tuple[tuple[Piece, str], ...],
    unnamed: tuple[tuple[Piece, str], ...],
    table_size_mm: tuple[float, float],
) -> Board:
    grid, listed = laid
    cells = listed if listed is not None else tuple((cell, None, ()) for cell in _on_table(grid, table_size_mm))
    ground = {cell: named or _thing_on(grid.centre(cell), things) or OPEN for cell, named, _ in cells}
    strange = {cell: _thing_on(grid.centre(cell), unnamed) for cell, named, _ in cells if unnamed and not named}
    roads = {cell: frozenset(sides) for cell, _, sides in cells}
    return Board(grid, ground, roads, {cell: name for cell, name in strange.items() if name})


def _thing_on(centre_mm: tuple[float, float], things: tuple[tuple[Piece, str], ...]) -> str | None:
    """What is said of the uppermost thing there; None where nothing lies."""
    point = Point(centre_mm)
    return next((said for piece, said in reversed(things) if piece.footprint.covers(point)), None)


def _on_table(grid: HexGrid, table_size_mm: tuple[float, float]) -> list[Hex]:
    """Every hex whose centre is on the table: spread from the middle until nothing more is found."""
    width_mm, depth_mm = table_size_mm
    if width_mm * depth_mm > MOST_CELLS * math.sqrt(0.75) * grid.pitch_mm**2:
        raise ValueError(
            f"state: grid: a table of {width_mm:g} x {depth_mm:g} mm has more than {MOST_CELLS} hexes of "
            f"{grid.pitch_mm:g} mm; mend pitch_mm or the table's size_mm, or list the cells"
        )
    start = grid.cell_at((width_mm / 2, depth_mm / 2))
    found, fresh = {start}, [start]
    while fresh:
        for near in neighbours(fresh.pop()):
            x_mm, y_mm = grid.centre(near)
            if near not in found and 0 <= x_mm <= width_mm and 0 <= y_mm <= depth_mm:
                found.add(near)
                fresh.append(near)
    return sorted(found)


def ground_of(piece: Piece, setup: Setup) -> str | None:
    """The ground that a thing on the mat stands for, by the legend's word for its id, colour and class, or class.

    ValueError for a word that is no ground.
    """
    legend: Mapping[str, Any] = setup.legend
    keys = (piece.id, f"{piece.colour} {piece.cls}", piece.cls)
    key = next((key for key in keys if key in legend), None)
    return None if key is None else ground_named(str(legend[key]), key)


def could_be_dense(piece: Piece, setup: Setup) -> bool:
    """Whether it is a thing that nobody has named, be it the camera or the legend, and that could be dense ground."""
    could = could_be(piece) if ground_of(piece, setup) is None else ()
    return any(ground_of(replace(piece, cls=cls), setup) == DENSE for cls in could)


def is_ground(word: str) -> bool:
    """Whether the word names a ground."""
    return _ALSO_CALLED.get(word.casefold(), word.casefold()) in (OPEN, DENSE, WATER, ROAD)


def ground_named(word: str, key: str) -> str:
    """The ground that the legend's word for `key` names; `KeyFault` if it names none."""
    if not is_ground(word):
        raise KeyFault(("legend", key), f"no terrain {word!r}; choose open, dense, water or road")
    return _ALSO_CALLED.get(word.casefold(), word.casefold())
