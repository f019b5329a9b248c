"""Where a person says that a piece goes: millimetres, a hex, another piece's name, or a place of the map."""

from __future__ import annotations

import math
import re

from shapely import Point

from rules.match import Match
from rules.scene import Point2
from ui.paint.hexes import hexes_of

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_PAIR = re.compile(rf"({_NUMBER})(?:\s*,\s*|\s+)({_NUMBER})(?:\s*mm)?")
# As the rulings write it, or with less.
_HEX = re.compile(r"(?:hex\s*)?\(?\s*(-?\d+)(?:\s*,\s*|\s+)(-?\d+)\s*\)?", re.IGNORECASE)


def where_mm(said: str, match: Match, moved: str | None = None) -> Point2:
    """The place on the table, mm, that `said` names, such as "311.2, 140.9", "c7", "QH" or "Kingsmere".

    On a board of hexes two whole numbers name a hex, unless "mm" follows.
    moved  id of the piece that goes there; between cards it keeps its place on the card, whose ends have owners
    ValueError, one line, for words that name no place, or a place beside the table.
    """
    words = said.strip()
    found = _of_hex(words, match) or _measured(words) or _of_piece(words, match, moved) or _of_place(words, match)
    if found is None:
        raise ValueError(f"'{words}' is no place: type x, y in mm, the name of a piece, or of a place of the map")
    return on_table(found, match)


def on_table(at_mm: Point2, match: Match) -> Point2:
    """The place again, to a tenth of a millimetre, as it is logged; ValueError in one line where it lies beside the
    table, or nowhere (NaN: above the horizon of the picture)."""
    (x_mm, y_mm), (width, depth) = at_mm, match.scene.table_size_mm
    if not (math.isfinite(x_mm) and math.isfinite(y_mm)):
        raise ValueError(f"that is not on the table: it is {width:g} by {depth:g} mm")
    x_mm, y_mm = round(x_mm, 1), round(y_mm, 1)
    if not (0 <= x_mm <= width and 0 <= y_mm <= depth):
        raise ValueError(f"{x_mm:g}, {y_mm:g} is not on the table: it is {width:g} by {depth:g} mm")
    return x_mm, y_mm


def _of_hex(words: str, match: Match) -> Point2 | None:
    """The middle of the hex; ValueError for one that is not on the board: as millimetres it would be a corner of it."""
    pair, hexes = _HEX.fullmatch(words), hexes_of(match)
    if pair is None or not hexes:
        return None
    cell = int(pair[1]), int(pair[2])
    if cell not in hexes:
        raise ValueError(f"there is no hex {cell} on the board; for millimetres type {cell[0]}, {cell[1]} mm")
    middle = hexes[cell].centroid
    return middle.x, middle.y


def _measured(words: str) -> Point2 | None:
    pair = _PAIR.fullmatch(words)
    return (float(pair[1]), float(pair[2])) if pair is not None else None


def _of_piece(words: str, match: Match, moved: str | None) -> Point2 | None:
    """A piece's place by its name, or by what only one is."""
    alike = [piece for piece in match.scene.pieces if words and piece.cls.casefold() == words.casefold()]
    there = match.scene[words] if words in match.scene else alike[0] if len(alike) == 1 else None
    if there is None:
        return None
    x, y = _on_its_card(match, moved) if there.kind == "card" else (0.0, 0.0)
    return there.position_mm[0] + x, there.position_mm[1] + y


def _on_its_card(match: Match, moved: str | None) -> Point2:
    """How far a piece lies from the middle of the card under it, mm; nothing where none is."""
    if moved is None or moved not in match.scene:
        return 0.0, 0.0
    (x, y), cards = match.scene[moved].position_mm, (piece for piece in match.scene.pieces if piece.kind == "card")
    under = next((card for card in cards if card.footprint.contains(Point(x, y))), None)
    return (x - under.position_mm[0], y - under.position_mm[1]) if under is not None else (0.0, 0.0)


def _of_place(words: str, match: Match) -> Point2 | None:
    places = match.setup.map.places if match.setup.map is not None else ()
    named = next((place for place in places if words and place.name.casefold() == words.casefold()), None)
    if named is None:
        return None
    point = named.geometry.representative_point()
    return point.x, point.y
