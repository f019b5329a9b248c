"""One toss of everybody in a melee: whether it can have destroyed all who are gone, on both sides (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

_FACES = ("heads", "tails")


@dataclass(frozen=True)
class Tosser:
    """A unit of a melee as it began.

    toss  what it tossed, `heads` or `tails`; anything else where nobody told
    gone  whether it was destroyed
    """

    steady: bool
    gone: bool
    toss: str | None = None

    @property
    def blows(self) -> int:
        """How many damages it must have had."""
        return self.gone * (1 + self.steady)


def may_have_been(sides: Sequence[Sequence[Tosser]]) -> bool:
    """Whether tosses that were not told can be such that every side's heads do for the other all that was done.

    Who is damaged first hangs on what he tossed himself. Heads that cancel damage do none: at most all do some.
    """
    mine, its = (_fewest_blows(side) for side in sides)
    return any(own >= owed and heads >= due for own, due in mine.items() for heads, owed in its.items())


def _fewest_blows(side: Sequence[Tosser]) -> Mapping[int, int]:
    """By how many heads the side tossed, how few blows destroy those of it who are gone."""
    fewest: dict[int, int] = {}
    for tosses in product(*((one.toss,) if one.toss in _FACES else _FACES for one in side)):
        heads, blows = tosses.count("heads"), _blows(side, tosses)
        fewest[heads] = min(blows, fewest.get(heads, blows))
    return fewest


def _blows(side: Sequence[Tosser], tosses: Sequence[str]) -> int:
    """How many blows it takes, in the order of damage, with the last of them at one who is gone."""
    order = sorted(row for one, toss in zip(side, tosses, strict=True) for row in _rows(one, heads=toss == "heads"))
    return max((place for place, (*_, spared) in enumerate(order, 1) if not spared), default=0)


def _rows(one: Tosser, *, heads: bool) -> Iterator[tuple[int, bool, bool, bool]]:
    """Its blows as they come: round, tails before heads, steady before wavering, and of equals whoever is gone."""
    for blow in range(1 + one.steady):
        yield blow, heads, not one.steady, blow >= one.blows
