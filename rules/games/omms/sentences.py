"""Words for rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def listed(things: Iterable[object]) -> str:
    """'a', 'a and b', 'a, b and c'; 'nothing' for none."""
    words = [str(thing) for thing in things]
    if len(words) < 2:
        return words[0] if words else "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str) -> str:
    """'1 road', '2 roads'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
