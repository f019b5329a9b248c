"""The card grid: laid out with gaps, missing cards, jitter and a turn, and found again."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.geometry.squares import CardPlace, card_cells, line_numbers

LENGTH_MM, BREADTH_MM = 88.9, 63.5


@st.composite
def laid_cards(draw):
    """Cells with every column and row counted from 1, and the cards laid out on a table for them."""
    chosen = draw(st.sets(st.tuples(st.integers(1, 9), st.integers(1, 6)), min_size=8, max_size=54))
    first_column, first_row = min(c for c, _ in chosen), min(r for _, r in chosen)
    cells = sorted((c - first_column + 1, r - first_row + 1) for c, r in chosen)
    gap_x, gap_y = draw(st.floats(0, 12)), draw(st.floats(0, 12))
    turn_deg, jitter = draw(st.floats(-4, 4)), st.floats(-2, 2)
    turn = math.radians(turn_deg)
    cards = []
    for column, row in cells:
        x = column * (BREADTH_MM + gap_x) + draw(jitter)
        y = row * (LENGTH_MM + gap_y) + draw(jitter)
        place = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        cards.append(CardPlace(place, 90 + turn_deg))
    return cells, cards


@given(laid_cards())
@settings(deadline=None, max_examples=150)
def test_every_card_is_counted_where_it_was_laid(laid):
    cells, cards = laid
    assert card_cells(cards, LENGTH_MM, BREADTH_MM) == cells


@pytest.mark.parametrize(
    ("places", "numbers"),
    [
        ([100.0], [1]),
        ([0.0, 70.0, 140.0], [1, 2, 3]),
        ([0.0, 70.0, 210.0], [1, 2, 4]),
        ([0.0, 140.0], [1, 3]),  # the gap is wider than a card
        ([0.0, 127.0], [1, 3]),  # just as wide as a card
        ([0.0, 110.0], [1, 2]),  # narrower than a card
        ([140.0, 2.0, 71.0, -1.0], [3, 1, 2, 1]),
        ([0.0, 140.0, 280.0], [1, 3, 5]),  # no two neighbours at all
    ],
)
def test_gaps_as_wide_as_a_card_count(places, numbers):
    assert line_numbers(places, BREADTH_MM) == numbers


def test_no_cards_no_cells():
    assert card_cells([], LENGTH_MM, BREADTH_MM) == []
