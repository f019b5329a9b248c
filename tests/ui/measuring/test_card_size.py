"""What `scene` says of cards whose size nobody told."""

from dataclasses import replace

import pytest
from shapely import box
from shapely.affinity import rotate

from rules.scene import Piece
from rules.setup import CARD_SIZE_MM, Setup
from ui.measuring.card_size import card_size_wanted

SETUP = Setup("pocket", (700.0, 500.0))


def cards(length_mm: float, breadth_mm: float) -> list[Piece]:
    """Three of them, turned."""
    outline = box(0, 0, length_mm, breadth_mm)
    return [Piece(f"k{turn}", "card", "AS", (0.0, 0.0), rotate(outline, turn)) for turn in (0, 30, 100)]


@pytest.mark.parametrize("size_mm", [(88.9, 63.5), (88.0, 57.0)])
def test_the_usual_formats_need_no_word(size_mm: tuple[float, float]) -> None:
    assert card_size_wanted(cards(*size_mm), SETUP) == ""


def test_small_cards_are_told_with_what_to_write() -> None:
    assert "card = [67, 44]" in card_size_wanted(cards(66.8, 44.1), SETUP)
    assert card_size_wanted(cards(66.8, 44.1), replace(SETUP, card_mm=(67.0, 44.0))) == ""


@pytest.mark.parametrize(
    ("size_mm", "said"),
    [
        ((94.2, 67.3), "if they are poker cards, the table is told 6 % too large"),
        ((82.6, 53.3), "if they are bridge cards, the table is told 7 % too small"),
        ((127.0, 89.0), ""),
        ((66.8, 44.1), ""),
    ],
)
def test_poker_cards_on_a_table_that_is_told_too_large_are_not_told_as_another_format(
    size_mm: tuple[float, float], said: str
) -> None:
    """`calibrate check` told of the table, `scene` of the cards: to write their size would have hidden it."""
    told = card_size_wanted(cards(*size_mm), SETUP)
    assert "say so in the set-up: card = [" in told
    assert said in told and bool(said) == ("calibrate check" in told)


def test_a_size_that_is_told_wrongly_is_said_though_what_lies_there_is_usual() -> None:
    said = card_size_wanted(cards(88.9, 63.4), replace(SETUP, card_mm=(67.0, 44.0)))
    assert "89 x 63 mm large, not 67 x 44" in said
    assert 'card = "poker"' in said
    assert 'card = "poker"' in card_size_wanted(cards(88.4, 63.2), replace(SETUP, card_mm=CARD_SIZE_MM["bridge"]))


def test_poker_cards_in_sleeves_need_no_word() -> None:
    assert card_size_wanted(cards(88.9, 63.5), replace(SETUP, card_mm=(91.0, 66.0))) == ""


def test_nothing_is_said_without_cards_or_a_set_up() -> None:
    assert card_size_wanted([], SETUP) == "" == card_size_wanted(cards(67, 44), None)
