"""The men at a gun (OMOG-4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.games.omog.limit import within
from rules.games.omog.tables import INCH_MM, tables
from rules.margin import CERTAIN, REFUSED, Margin, turned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.games.omog.battlefield import Battlefield
    from rules.games.omog.soldier import Soldier


@dataclass(frozen=True)
class Strength:
    """How many men serve a gun, and how many it may be as well, with the distance that is too close to call."""

    men: int
    may_be: tuple[tuple[int, Margin], ...] = ()

    def margin(self, suffices: Callable[[int], bool]) -> Margin | None:
        """The margin of a condition on their number; None if it holds beyond doubt."""
        enough = suffices(self.men)
        nominal = CERTAIN if enough else REFUSED
        margin = turned(nominal, [margin for men, margin in self.may_be if suffices(men) != enough])
        return None if enough and margin is nominal else margin


def crew_of(gun: Soldier, field: Battlefield) -> tuple[Soldier, ...]:
    """The men who serve it: those of its army whom the state names, else own foot within 3 inches."""
    return field.crews[gun.id]


def guns_served(man: Soldier, field: Battlefield) -> tuple[Soldier, ...]:
    """The guns of whose crew he is one."""
    return tuple(gun for gun in field.guns if gun.owner == man.owner and man in crew_of(gun, field))


def guns_perhaps_served(man: Soldier, field: Battlefield) -> tuple[tuple[Soldier, Margin], ...]:
    """The guns of whose crew he may or may not be one, each with the distance that is too close to call (C3.4)."""
    near = ((gun, _nearness(man, gun)) for gun in field.guns if gun.known.get("crew") is None and _may_serve(man, gun))
    return tuple((gun, margin) for gun, margin in near if margin.verdict == "close")


def crew_among(gun: Soldier, soldiers: Iterable[Soldier]) -> tuple[Soldier, ...]:
    """The same, found among all soldiers of the table."""
    named = gun.known.get("crew")
    if isinstance(named, list | tuple):
        own = {soldier.id: soldier for soldier in soldiers if soldier.owner == gun.owner and soldier.arm != "gun"}
        return tuple(own[man] for man in dict.fromkeys(map(str, named)) if man in own)
    if named is not None:
        return ()
    return tuple(man for man in soldiers if _may_serve(man, gun) and _nearness(man, gun).margin_mm >= 0)


def _may_serve(man: Soldier, gun: Soldier) -> bool:
    return man.owner == gun.owner and man.arm == "foot"


@lru_cache(maxsize=4096)
def _nearness(man: Soldier, gun: Soldier) -> Margin:
    return within(gun.distance_mm(man), tables().gun.crew_in * INCH_MM, gun.sigma_to_mm(man))


def strength(gun: Soldier, field: Battlefield) -> Strength:
    """How many men serve it; the state's `crew` may be their number or their names."""
    return field.strengths[gun.id]


def firing_strength(gun: Soldier, field: Battlefield) -> Strength:
    """How many men fire it: who used his own weapon this turn does not."""
    ready = [soldier for soldier in field.soldiers if not soldier.known.get("fired")]
    return strength_among(gun, ready, crew_among(gun, ready))


def strength_among(gun: Soldier, soldiers: Iterable[Soldier], crew: tuple[Soldier, ...]) -> Strength:
    """The same, counted among all soldiers of the table."""
    named = gun.known.get("crew")
    if named is not None and not isinstance(named, list | tuple):
        return Strength(gun.count("crew", 0))
    if named is not None:
        return Strength(len(crew))
    near = (_nearness(man, gun) for man in soldiers if _may_serve(man, gun))
    doubtful = [margin for margin in near if margin.verdict == "close"]
    return Strength(len(crew), tuple((len(crew) - (1 if m.margin_mm >= 0 else -1), m) for m in doubtful))


def men_of(count: int) -> str:
    """Their number for a sentence."""
    return "1 man" if count == 1 else f"{count} men"
