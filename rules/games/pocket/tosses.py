"""One toss of everybody in a melee: whether it can have destroyed all who are gone, on both sides (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

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
    """Whether tosses that nobody told can explain the losses: each side's heads suffice for what the other lost.

    Who is damaged first depends on what that unit tossed itself. Heads that cancel damage do none; it is asked whether
    all heads together, none cancelling, would be enough.
    """
    mine, its = (_fewest_blows(side) for side in sides)
    return any(own >= owed and heads >= due for own, due in mine.items() for heads, owed in its.items())


def _fewest_blows(side: Sequence[Tosser]) -> Mapping[int, int]:
    """By how many heads the side tossed, how few blows destroy those of it who are gone."""
    fewest: dict[int, int] = {}
    for tossed in _ways(side):
        heads, blows = sum(is_heads for _, is_heads in tossed), _blows(tossed)
        fewest[heads] = min(blows, fewest.get(heads, blows))
    return fewest


def _ways(side: Sequence[Tosser]) -> Iterator[list[tuple[Tosser, bool]]]:
    """Everybody with whether he tossed heads, in every way that makes a difference: who are alike may change places."""
    alike = Counter(side)
    faces = ((one.toss == "heads",) if one.toss in _FACES else (True, False) for one in alike)
    tosses = (combinations_with_replacement(shown, alike[one]) for one, shown in zip(alike, faces, strict=True))
    for way in product(*tosses):
        yield [(one, is_heads) for one, tossed in zip(alike, way, strict=True) for is_heads in tossed]


def _blows(tossed: Sequence[tuple[Tosser, bool]]) -> int:
    """How many blows, in the order of damage, it takes to destroy the last of those who are gone."""
    order = sorted(row for one, is_heads in tossed for row in _rows(one, heads=is_heads))
    return max((place for place, (*_, spared) in enumerate(order, 1) if not spared), default=0)


def _rows(one: Tosser, *, heads: bool) -> Iterator[tuple[int, bool, bool, bool]]:
    """Its blows as they come: round, tails before heads, steady before wavering, and of equals whoever is gone."""
    for blow in range(1 + one.steady):
        yield blow, heads, not one.steady, blow >= one.blows
