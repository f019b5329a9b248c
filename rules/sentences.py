"""Words for rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def listed(things: Iterable[object]) -> str:
    """All of them in one phrase.

    >>> listed(["c0", "c1", "c2"]), listed(["c0", "c1"]), listed(["c0"]), listed([])
    ('c0, c1 and c2', 'c0 and c1', 'c0', 'nothing')
    """
    words = [str(thing) for thing in things]
    if len(words) < 2:
        return words[0] if words else "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str) -> str:
    """'1 road', '2 roads'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
