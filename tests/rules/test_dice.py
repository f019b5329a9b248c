import itertools
from fractions import Fraction

import pytest

from rules.dice import odds


def by_counting(attack, defence):
    """Every throw of all dice, counted."""
    wins = ties = total = 0
    for throw in itertools.product(range(1, 7), repeat=attack + defence):
        best, other = max(throw[:attack]), max(throw[attack:])
        wins, ties, total = wins + (best > other), ties + (best == other), total + 1
    return Fraction(wins, total), Fraction(ties, total), Fraction(total - wins - ties, total)


@pytest.mark.parametrize(("attack", "defence"), [(a, d) for a in range(1, 4) for d in range(1, 4)])
def test_odds_are_those_of_all_throws_counted(attack, defence):
    found = odds(attack, defence)
    assert (found.win, found.tie, found.lose) == by_counting(attack, defence)


# OMMS-5.4, as the note gives them.
@pytest.mark.parametrize(
    ("dice", "win", "tie", "lose"),
    [
        ((1, 1), "5/12", "1/6", "5/12"),
        ((1, 2), "55/216", "1/6", "125/216"),
        ((2, 1), "125/216", "1/6", "55/216"),
        ((2, 2), "505/1296", "143/648", "505/1296"),
        ((3, 2), "3667/7776", "107/432", "2183/7776"),
        ((4, 4), "529069/1679616", "310739/839808", "529069/1679616"),
    ],
)
def test_the_odds_of_the_note(dice, win, tie, lose):
    assert odds(*dice).document() == {"win": win, "tie": tie, "lose": lose}


def test_no_die_is_refused():
    with pytest.raises(ValueError, match="at least one die"):
        odds(0, 1)
