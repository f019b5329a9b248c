"""Where a deck prints its indices, learned from cards that show all their sides."""

import numpy as np
import pytest

from vision.detect.card.card_hints import Hint
from vision.detect.card.deck_print import moved, printed_aside
from vision.shape.rectangle import RectangleFit

SIZE_MM = (88.9, 63.5)
ASIDE_MM = np.array([2.5, -1.5])


def index(centre_mm: tuple[float, float], angle_rad: float) -> Hint:
    """Of a deck that prints its indices so far aside, on a card whose middle lies there."""
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    x, y = centre_mm + np.array([[cos, -sin], [sin, cos]]) @ ASIDE_MM
    return Hint((float(x), float(y)), angle_rad, 0.9, "7H", -0.05, True, (0.0, 0.0))


def card(centre_mm: tuple[float, float], angle_rad: float, support: float = 1.0):
    signs = [index(centre_mm, angle_rad), index(centre_mm, angle_rad + np.pi)]
    return signs, RectangleFit(centre_mm, angle_rad, SIZE_MM, support, 0.1, 140, (support,) * 4, 0.1)


def test_a_card_of_which_one_index_shows_lies_where_its_deck_prints_it() -> None:
    plain = [card((100.0, 100.0), 0.3), card((300.0, 90.0), 2.0)]
    shift_mm = printed_aside(plain)
    assert shift_mm == pytest.approx(ASIDE_MM)
    (back,) = moved([index((200.0, 250.0), -1.1)], shift_mm)
    assert back.centre_mm == pytest.approx((200.0, 250.0))


def test_too_few_plain_cards_tell_nothing_and_a_middle_stays() -> None:
    hidden = [card((100.0, 100.0), 0.3), card((300.0, 90.0), 2.0, support=0.6)]
    assert printed_aside(hidden) == pytest.approx((0, 0))
    middle = Hint((5.0, 6.0), 0.0, 0.8, "unknown", 0.0, False, (5.0, 6.0))
    assert moved([middle], ASIDE_MM) == [middle]


def test_the_index_of_another_card_is_left_out() -> None:
    astray = [index((140.0, 100.0), 0.3)], RectangleFit((100.0, 100.0), 0.3, SIZE_MM, 1.0, 0.1, 140, (1.0,) * 4, 0.1)
    assert printed_aside([card((100.0, 100.0), 0.3), card((300.0, 90.0), 2.0), astray]) == pytest.approx(ASIDE_MM)
