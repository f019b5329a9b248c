"""The men at a gun (OMOG-4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omog.tables import INCH_MM, tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.games.omog.battlefield import Battlefield
    from rules.games.omog.soldier import Soldier


def crew_of(gun: Soldier, field: Battlefield) -> tuple[Soldier, ...]:
    """The men who serve it: those whom the state names, else own foot within 3 inches."""
    return field.crews[gun.id]


def crew_among(gun: Soldier, soldiers: Iterable[Soldier]) -> tuple[Soldier, ...]:
    """The same, found among all soldiers of the table."""
    named = gun.known.get("crew")
    if isinstance(named, list | tuple):
        by_id = {soldier.id: soldier for soldier in soldiers}
        return tuple(by_id[str(man)] for man in named if str(man) in by_id)
    if isinstance(named, int):
        return ()
    limit_mm = tables().gun.crew_in * INCH_MM
    own = (man for man in soldiers if man.owner == gun.owner and man.arm == "foot")
    return tuple(man for man in own if gun.distance_mm(man) <= limit_mm)


def men_at(gun: Soldier, field: Battlefield) -> int:
    """How many men serve it; the state's `crew` may be their number or their names."""
    named = gun.known.get("crew")
    return named if isinstance(named, int) else len(crew_of(gun, field))


def gun_of(man: Soldier, field: Battlefield) -> Soldier | None:
    """The gun that a man serves, if any."""
    guns = (gun for gun in field.guns if gun.owner == man.owner)
    return next((gun for gun in guns if man.arm == "foot" and man in crew_of(gun, field)), None)
