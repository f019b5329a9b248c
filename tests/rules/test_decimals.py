"""How many decimals a sentence tells of a value beside its limit."""

from __future__ import annotations

import pytest

from rules.decimals import set_apart


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
    ],
)
def test_a_value_is_written_on_its_side_of_the_limit(value: float, limit: float, written: str) -> None:
    assert set_apart(value, limit, 2) == written
