"""Who fights whom hand to hand, and which of their distances count the other way (OMOG-5.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from rules.games.omog.battlefield import Battlefield
from rules.games.omog.limit import within
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import tables
from rules.margin import Margin


class Question(NamedTuple):
    """What a distance decides, about whom: told in words such as "r touches b"."""

    one: str
    verb: str
    other: str

    @property
    def told(self) -> str:
        """Words for a person."""
        return f"{self.one} {self.verb} {self.other}"


def touches(a: Soldier, b: Soldier) -> Question:
    """Whether the two touch; the same question whoever is named first."""
    first, second = sorted((a.id, b.id))
    return Question(first, "touches", second)


@dataclass(frozen=True)
class Fights:
    """All touching pairs of enemies, and who fights how many.

    turned  the questions whose answers count the other way: what a doubt would change (C3.4)
    """

    field: Battlefield
    turned: frozenset[Question] = frozenset()

    def but(self, *questions: Question) -> Fights:
        """The same with these answered the other way."""
        return replace(self, turned=self.turned.union(questions))

    def holds(self, question: Question, *, nominal: bool) -> bool:
        """The answer to a question, as it counts here."""
        return nominal != (question in self.turned)

    @cached_property
    def pairs(self) -> tuple[tuple[Soldier, Soldier, Margin], ...]:
        """Enemies whose bases touch or may touch, in the scene's order."""
        met = [(a, b, touch_margin(a, b)) for a, b in self.field.near_pairs if a.owner != b.owner]
        return tuple((a, b, margin) for a, b, margin in met if margin.verdict != "no")

    def opponents_of(self, man: Soldier) -> tuple[Soldier, ...]:
        """The enemies who touch him, guns aside, in the scene's order."""
        pairs = ((a, b, margin) for a, b, margin in self.pairs if man in (a, b))
        met = [(a, b) for a, b, margin in pairs if self.holds(touches(a, b), nominal=margin.margin_mm >= 0)]
        others = [b if a is man else a for a, b in met]
        return tuple(other for other in others if other.arm != "gun")


@lru_cache(maxsize=4096)
def touch_margin(a: Soldier, b: Soldier) -> Margin:
    """The margin of the bases touching: a gap of at most 3 mm."""
    gap_mm = a.base.gap_mm(b.base)
    return within(gap_mm, tables().distance.touch_mm, a.sigma_to_mm(b))


def is_engaged(man: Soldier, field: Battlefield) -> bool:
    """Whether an enemy's base touches his."""
    return any(touch_margin(man, enemy).margin_mm >= 0 for enemy in field.enemies_of(man))
