"""One toss of a melee: who may all have been destroyed by it, in the smallest cases and in the largest."""

import pytest

from rules.games.pocket.tosses import Tosser, may_have_been

STANDS, GONE = Tosser(steady=False, gone=False), Tosser(steady=False, gone=True)


@pytest.mark.parametrize(
    ("mine", "its", "may"),
    [
        ([STANDS], [GONE], True),
        ([GONE], [GONE], True),
        ([STANDS], [GONE, GONE], False),
        ([STANDS], [Tosser(steady=True, gone=True)], False),
        ([Tosser(steady=False, gone=False, toss="tails")], [GONE], False),
    ],
)
def test_every_head_is_one_damage(mine, its, may):
    assert may_have_been((mine, its)) is may


def test_a_crowd_is_asked_by_how_many_of_those_alike_tossed_heads():
    """Not by who of them did: of forty units there were a trillion tosses to try."""
    assert may_have_been(([STANDS] * 40, [GONE] * 40))
    assert not may_have_been(([STANDS] * 39, [GONE] * 40))
