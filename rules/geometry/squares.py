"""A grid of cards: columns and rows found from where the cards lie (POCKET-1.1)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]
Point2 = tuple[float, float]

# Two cards whose centres differ by less than this part of a card's side are in the same column or row.
_SAME_LINE = 0.5
# Cards laid side by side may overlap by this part of a side; a gap that much short of a card's is one.
_OVERLAP = 0.1


@dataclass(frozen=True)
class CardPlace:
    """A card on the table: where its centre lies and how its long side is turned (90 degrees for upright)."""

    centre_mm: Point2
    rotation_deg: float = 90.0


def card_cells(cards: Sequence[CardPlace], length_mm: float, breadth_mm: float) -> list[Cell]:
    """Column and row of each card, counted from (1, 1) at the near left corner of all of them.

    Cards lie upright, long side from player to player. Columns and rows are counted by the pitch, so that a gap as
    wide as a card counts; the whole grid may lie turned on the table, as far as the cards' own turn tells.
    """
    turn = math.radians(_grid_turn_deg([card.rotation_deg for card in cards]))
    along_x = [x * math.cos(turn) + y * math.sin(turn) for x, y in (card.centre_mm for card in cards)]
    along_y = [y * math.cos(turn) - x * math.sin(turn) for x, y in (card.centre_mm for card in cards)]
    columns, rows = line_numbers(along_x, breadth_mm), line_numbers(along_y, length_mm)
    return list(zip(columns, rows, strict=True))


def _grid_turn_deg(rotations_deg: Iterable[float]) -> float:
    """The mean turn of the cards against the table's axes, -45 to 45 degrees; a quarter turn of a card says nothing."""
    fours = [math.radians(4 * rotation_deg) for rotation_deg in rotations_deg]
    east, north = sum(map(math.cos, fours)), sum(map(math.sin, fours))
    return math.degrees(math.atan2(north, east)) / 4


def line_numbers(places_mm: Sequence[float], side_mm: float) -> list[int]:
    """The number of the column (or row) of each place along one axis, from 1.

    side_mm  how wide a card is along the axis: no pitch is smaller, but for a little overlap
    """
    lines = _lines(sorted(places_mm), side_mm)
    numbers = _counted([sum(line) / len(line) for line in lines], side_mm)
    number_of = {place: number for line, number in zip(lines, numbers, strict=True) for place in line}
    return [number_of[place] for place in places_mm]


def _lines(places_mm: Sequence[float], side_mm: float) -> list[list[float]]:
    """Sorted places, cut wherever two neighbours are further apart than cards of one line ever are."""
    lines: list[list[float]] = []
    for place in places_mm:
        if lines and place - lines[-1][-1] <= _SAME_LINE * side_mm:
            lines[-1].append(place)
        else:
            lines.append([place])
    return lines


def _counted(centres_mm: Sequence[float], side_mm: float) -> list[int]:
    """The numbers of lines at these centres, by the pitch: the smallest gap first says it, then all gaps together."""
    gaps_mm = [after - before for before, after in itertools.pairwise(centres_mm)]
    if not gaps_mm:
        return [1] * len(centres_mm)
    least_mm = min(gaps_mm)
    pitch_mm = least_mm / max(1, math.floor(least_mm / side_mm + _OVERLAP))
    pitch_mm = sum(gaps_mm) / sum(_steps(gap_mm, pitch_mm) for gap_mm in gaps_mm)
    numbers = [1]
    for gap_mm in gaps_mm:
        numbers.append(numbers[-1] + _steps(gap_mm, pitch_mm))
    return numbers


def _steps(gap_mm: float, pitch_mm: float) -> int:
    return max(1, round(gap_mm / pitch_mm))
