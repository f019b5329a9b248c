"""All rulings of an OMMS table, or those of one piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.game import Ruling
from rules.games.omms import card_rulings, move_rulings
from rules.games.omms.card_rulings import economy_rulings, settle_rulings
from rules.games.omms.coins import Coin
from rules.games.omms.fight import melee_rulings
from rules.games.omms.siege_rulings import siege_rulings
from rules.games.omms.table import Table
from rules.games.omms.target_rulings import target_rulings
from rules.games.omms.whose_turn import ATTACK
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# What is told in one phase alone is ruled in it alone; C4.11: the status (None) in every one.
_OF_UNITS: tuple[tuple[str, Callable[[Table, Coin], Iterable[Ruling]]], ...] = (
    (move_rulings.PHASE, move_rulings.move_rulings),
    (ATTACK, target_rulings),
    (card_rulings.PHASE, settle_rulings),
)
_OF_TABLE: tuple[tuple[str | None, Callable[[Table], Iterable[Ruling]]], ...] = (
    (None, siege_rulings),
    (ATTACK, melee_rulings),
    (None, economy_rulings),
)


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """All rulings for a scene, or one piece's; with a phase in the state those of that phase, and the status."""
    table = Table(scene, setup, state)
    found = (*_of_units(table, piece), *_of_table(table))
    return found if piece is None else tuple(ruling for ruling in found if ruling.piece == piece)


def _of_units(table: Table, piece: str | None) -> Iterator[Ruling]:
    parts = [part for phase, part in _OF_UNITS if table.state.phase in (None, phase)]
    for unit in table.coins.units:
        if piece in (None, unit.id):
            for part in parts:
                yield from part(table, unit)


def _of_table(table: Table) -> Iterator[Ruling]:
    for phase, part in _OF_TABLE:
        if phase is None or table.state.phase in (None, phase):
            yield from part(table)
