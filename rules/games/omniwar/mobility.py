"""What a unit's line and its turn say of moving, with hexes and without (OMNI-2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rules.course.judged import Fault
from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.board import WATER
from rules.games.omniwar.roster import UnitType
from rules.games.omniwar.units import Unit
from rules.margin import REFUSED
from rules.setup import Setup

PHASE = "move"


def may_enter(kind: UnitType, ground: str) -> bool:
    """Whether the unit may be on that ground at all: water for some only, land not for the water bound."""
    if kind.has("Water bound"):
        return ground == WATER
    return ground != WATER or kind.is_flyer or kind.has("Amphibious") or kind.has("Submersible")


def standstill(unit: Unit) -> Fault:
    """Why the unit does not move at all this turn: the rule and the reason; None if it may."""
    if unit.has_moved:
        return "C4.9", "has moved already"
    if unit.known.get("boarded"):
        return "OMNI-2.2", f"entered {unit.carrier or 'its transport'} this turn and cannot leave it before the next"
    if unit.times_fired and unit.line.has("Move or fire"):
        return "OMNI-4.2", "has fired and may not move in the same turn"
    return None


def still(unit: Unit, fault: tuple[str, str]) -> Ruling:
    """The `reach` of a unit that does not move: no geometry, and why."""
    rule, reason = fault
    extra: dict[str, Any] = {"phase": PHASE, "cells": []}
    return ruling_from(REFUSED, kind="reach", piece=unit.id, rule=rule, why=f"{unit.name} {reason}", extra=extra)


def stranger(unit: Unit) -> Ruling:
    """The `reach` of a unit of which kind or owner is unknown: none until a person says what it is (C5.2)."""
    if unit.kind is None:
        why = f"{unit.id} is bound to no unit of the roster; bind it to one, or add [rules.roster] to the set-up"
    else:
        why = f"the owner of {unit.id} is unknown; say whose it is"
    return ruling_from(
        REFUSED, kind="reach", piece=unit.id, rule="C5.2", why=why, extra={"phase": PHASE, "cells": []},
        marks=(Mark("doubt", unit.piece.footprint, "?"),),
    )  # fmt: skip


def may_stack(setup: Setup) -> bool:
    """Whether friends may end a move in one hex, or on one another."""
    return bool(setup.house.get("stacking", "no") == "yes")


def with_room_for(unit: Unit, others: Iterable[Unit], army: Iterable[Unit]) -> Iterator[Unit]:
    """Those of the others that are friendly transports with room: for troops only, one in each."""
    if unit.line.is_vehicle or unit.line.is_flyer or unit.carrier is not None:
        return
    taken = {unit.id, *(other.carrier for other in army)}
    for other in others:
        if other.is_known and other.line.has("Transport") and other.owner == unit.owner and other.id not in taken:
            yield other
