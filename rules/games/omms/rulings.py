"""All rulings of an OMMS table, or those of one piece."""

from __future__ import annotations

from collections.abc import Iterator

from rules.game import Ruling
from rules.games.omms.card_rulings import economy_rulings, settle_rulings
from rules.games.omms.fight import melee_rulings
from rules.games.omms.move_rulings import move_rulings
from rules.games.omms.siege_rulings import siege_rulings
from rules.games.omms.table import Table
from rules.games.omms.target_rulings import target_rulings
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# What holds in every phase.
STATUS = ("siege", "economy")


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """All rulings for a scene, or one piece's; with a phase in the state those of that phase, and the status."""
    found = _all(Table(scene, setup, state), piece)
    phase = state.phase
    return tuple(r for r in found if phase is None or r.kind in STATUS or r.extra.get("phase") == phase)


def _all(table: Table, piece: str | None) -> Iterator[Ruling]:
    for unit in table.coins.units:
        if piece in (None, unit.id):
            yield from move_rulings(table, unit)
            yield from target_rulings(table, unit)
            yield from settle_rulings(table, unit)
    yield from (ruling for ruling in siege_rulings(table) if piece in (None, ruling.piece))
    yield from (ruling for ruling in melee_rulings(table) if piece in (None, ruling.piece))
    if piece is None:
        yield from economy_rulings(table)
