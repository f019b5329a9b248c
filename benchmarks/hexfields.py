"""What a referee of OmniWar made of the hexes, scene by scene, beside the mat and the units that truly lay there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shapely import Point, Polygon

from benchmarks.battlefields import is_it, lying
from rules.course.events import Event
from rules.games.omniwar.board import Board, board_of
from rules.geometry.hexes import Hex, HexGrid
from rules.match import Match

# scenes    those agreed, those with a grid, those whose hexes lie where they are printed, all to within `SAME_HEX` of a
#           pitch; hexes off the mat that count as on the board, and hexes on it that do not (`edges`)
# units     true ones with a dot, on the mat, nothing on top; those told, and of these in the right hex, of the right
#           owner, with their reach
# strangers  what is told to lie on the table though nothing does
# judged    moves of units that were found, and those that were judged from and to the right hexes
# grounds   hexes under a paper, by their centres; those told to be of its ground, and others told to be of any but open
HEXFIELD = (
    "scenes", "gridded", "true-grid", "edges", "units", "seen", "placed", "owned", "reach", "strangers",
    "grounds", "grounded", "false-ground", "judged", "hexed",
)  # fmt: skip
SAME_HEX = 0.1
GROUND_OF = {"green": "dense", "blue": "water"}


def hexfield_counts(matches: Sequence[Match], truth: Mapping[str, Any]) -> Counter[str]:
    """What `HEXFIELD` names, over all scenes of a match."""
    counts = Counter(dict.fromkeys(HEXFIELD, 0))
    for match in matches:
        counts["scenes"] += 1
        counts += scene_counts(match, truth)
    return counts


def scene_counts(match: Match, truth: Mapping[str, Any]) -> Counter[str]:
    """What one scene adds to the counts."""
    now = lying(dict(truth), match.scene.time_s)
    units = true_units(now, truth)
    laid = [piece for piece in match.scene if piece.kind != "terrain"]
    counts = Counter(strangers=sum(not any(is_it(seen, piece) for piece in now.values()) for seen in laid))
    board = told_board(match)
    if board is None:
        return counts + Counter(units=len(units))
    counts += Counter(gridded=1, edges=edges_wrong(board, truth))
    counts["true-grid"] = worst_off(board, truth) < SAME_HEX
    return counts + units_counts(match, board, units, truth) + ground_counts(board, truth)


def true_grid(truth: Mapping[str, Any]) -> HexGrid:
    """The grid that is printed on the mat, by the truth."""
    mat = truth["mat"]
    return HexGrid(mat["pitch_mm"], tuple(mat["origin_mm"]), mat["direction_deg"])


def told_board(match: Match) -> Board | None:
    """The board of hexes that the match plays on; None where it plays without."""
    return None if match.state.grid is None else board_of(match.scene, match.setup, match.state)


def cells_in(grid: HexGrid, region_mm: Sequence[float]) -> list[Hex]:
    """The hexes whose centre lies in x0, y0, x1, y1."""
    x0, y0, x1, y1 = region_mm
    reach = math.ceil(1500 / grid.pitch_mm)
    cells = ((q, r) for q in range(-reach, reach) for r in range(-reach, reach))
    at = ((cell, grid.centre(cell)) for cell in cells)
    return [cell for cell, (x, y) in at if x0 <= x <= x1 and y0 <= y <= y1]


def worst_off(board: Board, truth: Mapping[str, Any]) -> float:
    """How far a hex of the board lies off a printed one at most, in pitches; a half where the pitch is another."""
    true = true_grid(truth)
    if abs(board.grid.pitch_mm / true.pitch_mm - 1) > SAME_HEX:
        return 0.5
    off = [math.dist(at := board.grid.centre(cell), true.centre(true.cell_at(at))) for cell in board.ground]
    return max(off, default=0.5 * true.pitch_mm) / true.pitch_mm


def edges_wrong(board: Board, truth: Mapping[str, Any]) -> int:
    """Hexes whole on the mat that are off the board, and hexes of the board that are wholly off the mat."""
    true, (x0, y0, x1, y1) = true_grid(truth), truth["mat"]["region_mm"]
    r = true.pitch_mm / math.sqrt(3)
    whole = set(cells_in(true, (x0 + r, y0 + r, x1 - r, y1 - r)))
    near = set(cells_in(true, (x0 - r, y0 - r, x1 + r, y1 + r)))
    told = {true.cell_at(board.grid.centre(cell)) for cell in board.ground}
    return len(whole - told) + len(told - near)


def ground_counts(board: Board, truth: Mapping[str, Any]) -> Counter[str]:
    """The hexes under papers, and what was told of the ground."""
    counts: Counter[str] = Counter()
    papers = [(Polygon(one["corners_mm"]), GROUND_OF[one["colour"]]) for one in truth["mat"]["cuttings"]]
    for cell, told in board.ground.items():
        under = [ground for paper, ground in papers if paper.covers(Point(board.grid.centre(cell)))]
        if under:
            counts += Counter(grounds=1, grounded=told == under[-1])
        counts["false-ground"] += told != "open" and told != (under or [None])[-1]
    return counts


def true_units(now: Mapping[str, dict[str, Any]], truth: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The coins with a dot that lie in a hex of the mat, nothing on top."""
    covered = {piece.get("on") for piece in now.values()}
    x0, y0, x1, y1 = truth["mat"]["region_mm"]
    grid = true_grid(truth)
    found = []
    for name, piece in now.items():
        x, y = grid.centre(grid.cell_at(piece["position_mm"]))
        if piece["kind"] == "coin" and piece["owner"] != "none" and name not in covered and x0 < x < x1 and y0 < y < y1:
            found.append(piece)
    return found


def units_counts(match: Match, board: Board, units: Sequence[dict[str, Any]], truth: Mapping[str, Any]) -> Counter[str]:
    """The units, and what was told of them."""
    true, counts = true_grid(truth), Counter(units=len(units))
    reaching = {ruling.piece for ruling in match.rulings if ruling.kind == "reach"}
    for unit in units:
        seen = next((piece for piece in match.scene if is_it(piece, unit)), None)
        if seen is not None:
            cell = board.grid.cell_at(seen.position_mm)
            is_placed = is_same_hex(board, cell, true.cell_at(unit["position_mm"]), true)
            counts += Counter(seen=1, placed=is_placed, owned=seen.owner == unit["owner"], reach=seen.id in reaching)
    return counts


def is_same_hex(board: Board, told: Hex, cell: Hex, true: HexGrid) -> bool:
    """Whether the board's hex is the printed one."""
    return math.dist(board.grid.centre(told), true.centre(cell)) < SAME_HEX * true.pitch_mm


def judged_cells(match: Match, found: Iterable[tuple[Event, dict[str, Any]]], truth: Mapping[str, Any]) -> Counter[str]:
    """Moves of units that were judged, and those judged from and to the right hexes."""
    board, true, counts = told_board(match), true_grid(truth), Counter(judged=0, hexed=0)
    for event, one in found:
        told = [(event.fields.get(f"{end}_cell"), one[f"{end}_mm"]) for end in ("from", "to")]
        if board is None or one["owner"] == "none" or one["event"] != "move":
            continue
        is_right = all(cell and is_same_hex(board, tuple(cell), true.cell_at(tuple(at)), true) for cell, at in told)
        counts += Counter(judged=1, hexed=is_right)
    return counts


def hexfield_line(matches: Sequence[Match], truth: Mapping[str, Any]) -> str:
    """The mat beside the grid that the match began with, and how many grids it had."""
    mat = truth["mat"]
    said = f"{mat['style']} on {mat['paper']}, pitch {mat['pitch_mm']}"
    board = told_board(matches[0]) if matches else None
    if board is None:
        return f"{said}: no grid"
    off_mm = worst_off(board, truth) * mat["pitch_mm"]
    grids = len({str(match.state.grid) for match in matches})
    return (
        f"{said}: {board.grid.pitch_mm:.2f}, worst hex {off_mm:.2f} mm off, {len(board.ground)} hexes, {grids} grid(s)"
    )
