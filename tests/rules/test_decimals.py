"""How many decimals a sentence tells of a value beside its limit."""

from __future__ import annotations

import pytest

from rules.decimals import limit_beside, set_apart


@pytest.mark.parametrize(
    ("value", "limit", "written"),
    [
        (6.0, 6.0, "6.00"),
        (6.0039, 6.0, "6.004"),  # 0.1 mm beyond six inches: "6.00" would be no reason
        (5.9961, 6.0, "5.996"),
        (7.25, 6.0, "7.25"),
        (57.1, 57.15, "57.10"),
        (6.0000001, 6.0, "6.00"),  # rounding of coordinates
        (1.999, 1.9994, "1.999"),
        (3.0039, 3 * 25.4 / 25.4, "3.004"),  # three inches there and back are 3 - 4e-16: "3.00" is not beyond them
    ],
)
def test_a_value_is_written_on_its_side_of_the_limit(value: float, limit: float, written: str) -> None:
    assert set_apart(value, limit, 2) == written


@pytest.mark.parametrize(
    ("value", "limit", "told"),
    [
        (63.508, 63.506, ("63.51", "63.506")),  # "63.51 mm from a; a card is 63.51 mm broad"
        (63.505, 63.506, ("63.5", "63.51")),
        (90.0, 88.9, ("90.0", "88.9")),
        (90.0, 88.84371, ("90.0", "88.84")),
        (57.15, 57.15, ("57.1", "57.15")),
    ],
)
def test_a_limit_does_not_read_as_the_value_beyond_it(value: float, limit: float, told: tuple[str, str]) -> None:
    assert (set_apart(value, limit, 1), limit_beside(value, limit, 1)) == told
