"""An index in the corner of a card that shows its sides makes no other card beside it."""

import numpy as np
import pytest
from shapely import box

from vision.detect.card.borne_out import is_borne_out, straight_enough_mm, with_own_support
from vision.detect.card.card_hints import Hint
from vision.detect.card.strays import owed_share, without_strays
from vision.memory.hiding import is_within_one
from vision.shape.rectangle import RectangleFit

SIZE_MM = (88.9, 63.5)
UPRIGHT_RAD = np.pi / 2
SURE, MISREAD = float(np.log(0.97)), float(np.log(0.4))


def index(
    cls: str, at_mm: tuple[float, float], log_prob: float = SURE, centre_mm: tuple[float, float] = (0, 0)
) -> Hint:
    return Hint(centre_mm, UPRIGHT_RAD, 0.8, cls, log_prob, True, at_mm)


def middle(at_mm: tuple[float, float], cls: str = "unknown", heat: float = 0.8) -> Hint:
    return Hint(at_mm, UPRIGHT_RAD, heat, cls, 0.0, False, at_mm)


def fit(at_mm: tuple[float, float], support: float, angle_rad: float = UPRIGHT_RAD, residual_mm: float = 0.1):
    return RectangleFit(at_mm, angle_rad, SIZE_MM, support, residual_mm, 110, (support,) * 4, residual_mm)


def plain(at_mm: tuple[float, float], residual_mm: float = 0.1):
    """A queen of spades with her two usual indices."""
    x, y = at_mm
    return [index("QS", (x - 25, y + 33)), index("QS", (x + 25, y - 33))], fit(at_mm, 0.98, residual_mm=residual_mm)


def test_the_other_two_indices_of_a_card_that_has_four_make_no_cards_beside_it() -> None:
    card = plain((100, 100))
    right = [index("QS", (125, 133))], fit((150, 100), 0.75)
    left = [index("QS", (75, 67))], fit((50, 100), 0.7)
    assert without_strays([right, card, left]) == [card]


def test_an_index_that_says_another_card_stays_one_where_both_are_well_read() -> None:
    card = plain((100, 100))
    for log_prob, kept in ((SURE, 2), (MISREAD, 1)):
        other = [index("7H", (125, 133), log_prob)], fit((150, 100), 0.75)
        assert len(without_strays([card, other])) == kept


def test_the_other_two_indices_are_no_jokers_beside_it() -> None:
    """A reader that sees an index askew takes it for a joker's letters, and bare table beside it is no back."""
    card = plain((100, 100))
    askew = [index("JOKER", (125, 133))], fit((118, 115), 0.45)
    beside = [index("QS", (75, 67)), middle((50, 100), "BACK")], fit((50, 100), 0.47)
    assert without_strays([askew, card, beside]) == [card]


def test_a_card_in_a_printed_border_is_plain_by_its_ends_and_its_middle() -> None:
    signs, _ = plain((100, 100))
    bordered = [*signs, middle((100, 100))], fit((100, 100), 0.8)
    askew = [index("JOKER", (125, 133))], fit((118, 115), 0.45)
    assert without_strays([bordered, askew]) == [bordered]
    assert len(without_strays([(signs, bordered[1]), askew])) == 2


@pytest.mark.parametrize("at_mm", [(112.0, 100.0), (125.0, 150.0), (60.0, 133.0)])
def test_an_index_elsewhere_than_in_a_corner_is_of_another_card(at_mm: tuple[float, float]) -> None:
    other = [index("QS", at_mm)], fit((150, 100), 0.75)
    assert len(without_strays([plain((100, 100)), other])) == 2


def test_a_card_that_shows_its_sides_as_well_is_one() -> None:
    other = [index("QS", (125, 133))], fit((150, 100), 0.95)
    assert len(without_strays([plain((100, 100)), other])) == 2


def test_two_signs_of_one_card_are_no_strays_of_each_other() -> None:
    cards = [([index(cls, at, MISREAD)], fit((100, 100), 0.98)) for cls, at in (("9C", (75, 133)), ("6C", (125, 67)))]
    assert without_strays(cards) == cards
    assert without_strays([cards[0], (cards[1][0], fit((101, 100), 0.9))])[0] == cards[0]
    assert len(without_strays([cards[0], (cards[1][0], fit((101, 100), 0.9))])) == 2


def test_an_index_read_at_a_wrong_turn_bears_out_the_card_whose_middle_and_sides_show() -> None:
    bare = [middle((100, 100))], fit((100, 100), 0.9, residual_mm=0.3)
    across = [index("KD", (78, 64), MISREAD)], fit((112, 88), 0.7, 0.0)
    assert not is_borne_out(*bare)
    [(signs, at)] = without_strays([bare, across])
    assert at is bare[1] and is_borne_out(signs, at)
    assert [(sign.cls, sign.is_index) for sign in signs] == [("unknown", True), ("unknown", False)]


def test_a_back_of_a_deck_need_not_be_as_straight_as_one_alone() -> None:
    deck = [plain((100 * n, 100)) for n in range(4)]
    back = [middle((500, 100), "BACK")], fit((500, 100), 0.9, residual_mm=0.34)
    assert is_borne_out(*back, straight_mm=straight_enough_mm(deck))
    assert not is_borne_out(*back, straight_mm=straight_enough_mm(deck[:3]))


def test_a_faint_back_is_straight_and_plain() -> None:
    deck = [plain((100 * n, 100)) for n in range(4)]
    faint = [middle((500, 100), "BACK", heat=0.4)]
    told = [
        is_borne_out(faint, fit((500, 100), support, residual_mm=off_mm), straight_mm=straight_enough_mm(deck))
        for support, off_mm in ((0.9, 0.1), (0.9, 0.3), (0.7, 0.1))
    ]
    assert told == [True, False, False]


def test_bare_table_among_cards_is_no_back() -> None:
    around = [
        plain((100 + 70 * column, 100 + 95 * row)) for column in range(3) for row in range(3) if (column, row) != (1, 1)
    ]
    gap = [middle((170, 195), "BACK")], fit((170, 195), 0.75)
    assert owed_share(gap[1], [*around, gap]) == 0
    across = [middle((170, 195), "BACK")], fit((170, 182), 0.66, 0.0)
    assert owed_share(across[1], [*around, across]) > 0.3
    assert is_borne_out(across[0], across[1]) and not is_borne_out(
        across[0], with_own_support(*across, [*around, across])
    )
    assert is_borne_out(gap[0], with_own_support(*gap, [*around, gap]))


def test_what_changed_within_the_outline_of_one_card_is_that_card() -> None:
    cards = [box(0, 0, 64, 89), box(70, 0, 134, 89)]
    assert is_within_one(box(-4, 2, 66, 92), cards)
    assert is_within_one(box(0, 0, 64, 89).union(box(72, 2, 130, 80)), cards)
    assert not is_within_one(box(0, 0, 134, 89), cards)
    assert not is_within_one(box(0, 0, 64, 120), cards)
