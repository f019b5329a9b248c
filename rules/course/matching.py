"""Whether each of several losses can have had a cause of its own, when no cause serves twice."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

# Whatever can have done one thing and no more: a toss, an attack.
Cause = TypeVar("Cause", str, tuple[str, int])


def is_payable(owed: Sequence[AbstractSet[Cause]]) -> bool:
    """Whether each can have one cause out of its own set, and no two the same.

    >>> is_payable([{"a", "b"}, {"a"}])
    True
    >>> is_payable([{"a"}, {"a"}])
    False
    """
    return most_paid(owed) == len(owed)


def most_paid(owed: Sequence[AbstractSet[Cause]]) -> int:
    """How many of them can, all together.

    >>> most_paid([{"a"}, {"a"}, {"a", "b"}])
    2
    """
    payers: dict[Cause, int] = {}
    return sum(_finds_payer(place, owed, payers, set()) for place in range(len(owed)))


def _finds_payer(place: int, owed: Sequence[AbstractSet[Cause]], payers: dict[Cause, int], asked: set[Cause]) -> bool:
    """Whether a cause is free for that one, or is when others take another one."""
    for cause in sorted(owed[place] - asked):
        asked.add(cause)
        if cause not in payers or _finds_payer(payers[cause], owed, payers, asked):
            payers[cause] = place
            return True
    return False
