"""The hexes of a board: drawn where no picture shows them, and named where somebody may look for a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapely import Point, Polygon, prepare

from rules.course.events import TABLE_EVENTS, Event
from rules.game import Mark
from rules.match import Match
from rules.scene import Point2

# A column and a row, as rulings write them.
Hex = tuple[int, int]
# Hexes that are drawn and named, and such as a picture shows already. Their names are written in them.
HEX_ROLES = DRAWN, NAMED = ("hex", "hex-name")


def hexes_of(match: Match) -> Mapping[Hex, Polygon]:
    """The hexes that the match is played on, outlines in table mm; none where there is no grid."""
    cells = match.game.cells
    return cells(match.scene, match.setup, match.state) if cells is not None else {}


def hex_at(match: Match, at_mm: Point2) -> Hex | None:
    """Column and row of the hex that holds the place; None beside the board, or without a board."""
    place = Point(at_mm)
    return next((cell for cell, outline in hexes_of(match).items() if outline.covers(place)), None)


def board_hexes(match: Match) -> tuple[Mark, ...]:
    """The whole grid with all names, for a board that is drawn."""
    return _marks(hexes_of(match), hexes_of(match), DRAWN)


def beyond_mm(match: Match) -> float:
    """How far the board's hexes stick out over the table's edge, mm; nothing where they end on it."""
    width_mm, depth_mm = match.setup.table_size_mm
    boxes = [outline.bounds for outline in hexes_of(match).values()]
    return max((max(-x, -y, far_x - width_mm, far_y - depth_mm, 0.0) for x, y, far_x, far_y in boxes), default=0.0)


def is_one_in(name: str, every: int) -> bool:
    """Whether the hex is to be labelled where there is room for a label only every so many columns and rows."""
    return all(int(number) % every == 0 for number in name.split(","))


def concerned_hexes(match: Match, selected: str | None, told: Event | None) -> tuple[Mark, ...]:
    """The names of the hexes that the selected piece stands in or may go to; without one, of those of the last move.

    told  the last event that is told
    """
    hexes = hexes_of(match)
    if not hexes:
        return ()
    if selected is not None and selected in match.scene:
        return _marks(hexes, (*_within_reach(match, selected, hexes), *_of_places(match, [_place(match, selected)])))
    if told is None or told.kind not in TABLE_EVENTS:
        return ()
    return _marks(hexes, _of_places(match, [told.fields.get(key) for key in ("from_mm", "to_mm")]))


def _marks(hexes: Mapping[Hex, Polygon], cells: Iterable[Hex], role: str = NAMED) -> tuple[Mark, ...]:
    return tuple(Mark(role, hexes[cell], f"{cell[0]}, {cell[1]}") for cell in dict.fromkeys(cells))


def _place(match: Match, piece_id: str) -> Point2:
    return match.scene[piece_id].position_mm


def _within_reach(match: Match, piece_id: str, hexes: Mapping[Hex, Polygon]) -> list[Hex]:
    own = (ruling for ruling in match.rulings if ruling.piece == piece_id and ruling.kind == "reach")
    regions = [ruling.geometry for ruling in own if ruling.geometry is not None]
    for region in regions:
        prepare(region)
    middles = ((cell, outline.centroid) for cell, outline in hexes.items())
    return [cell for cell, middle in middles if any(region.contains(middle) for region in regions)]


def _of_places(match: Match, places: Iterable[Point2 | None]) -> list[Hex]:
    cells = (hex_at(match, (at_mm[0], at_mm[1])) for at_mm in places if at_mm is not None)
    return [cell for cell in cells if cell is not None]
