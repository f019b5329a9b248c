"""Steps: where a unit may go in a phase, and why not (POCKET-2.1)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.games.pocket.battlefield import Battlefield, Location, steps_between
from rules.games.pocket.tables import Troop
from rules.games.pocket.units import Unit
from rules.geometry.squares import Cell

MOVING_PHASES = ("cavalry", "movement")


def step_fault(
    troop: Troop | None, start: Location, end: Location, phase: str, shut: Mapping[Cell, Unit]
) -> tuple[str, str] | None:
    """Why a step is not legal: the rule and the reason; None if it is.

    shut  locations where a piece lies that nobody knows (C5.2)
    """
    if steps_between(start.cell, end.cell) != 1:
        return "POCKET-2.1", f"{end.name} is not next to {start.name}"
    if end.cell in shut:
        return "C5.2", f"{shut[end.cell].id} in {end.name} is unknown; say what and whose it is"
    return _ground_fault(start, end) or _phase_fault(troop, start, end, phase)


def _ground_fault(start: Location, end: Location) -> tuple[str, str] | None:
    if end.ground.name == "unknown":
        return "C5.2", f"the card {end.card.id} was not read; say which it is"
    if end.ground.closed:
        return "POCKET-2.1", f"{end.name} is never entered"
    for here, there in ((start, end), (end, start)):
        if here.ground.borders is not None and there.ground.name not in here.ground.borders:
            return "POCKET-2.1", f"there is no way between {here.name} and {there.name}"
    return None


def _phase_fault(troop: Troop | None, start: Location, end: Location, phase: str) -> tuple[str, str] | None:
    if phase not in MOVING_PHASES:
        return "POCKET-4.1", f"nobody moves in the {phase} phase"
    if phase == "movement":
        return None
    if troop is None or not troop.mounted:
        return "POCKET-2.1", "only cavalry moves in the cavalry phase"
    rough = next((place for place in (start, end) if not place.ground.good_going), None)
    if rough is None:
        return None
    return "POCKET-2.1", f"{rough.name} is no hill or open ground for cavalry's further step"


def legal_ends(field: Battlefield, unit: Unit, phase: str, shut: Mapping[Cell, Unit]) -> list[Location]:
    """The locations in which the unit may end its step in that phase, from the near left."""
    near = field.neighbours(unit.cell)
    legal = [end for end in near if step_fault(unit.troop, unit.location, end, phase, shut) is None]
    return sorted(legal, key=lambda location: location.cell)
