"""Who is still in a free-for-all: whoever has a Hero, who comes back no more (rulebook 4.2, 4.3)."""

from __future__ import annotations

from rules.games.osmcg.field import Field
from rules.setup import Player
from rules.turn import keeps_turns


def is_free_for_all(field: Field) -> bool:
    """Whether the last Hero wins."""
    return field.mode.layout == "ring"


def is_out(player: Player, field: Field) -> bool:
    """Whether the player has lost his Hero: others have one, he has none, and every Hero's owner is known (C5.2)."""
    heroes = [unit for unit in field.figures if unit.is_hero]
    if not is_free_for_all(field) or heroes_come(field) or not heroes:
        return False
    return all(unit.is_known and field.player_of(unit) != player for unit in heroes)


def is_last(player: Player, field: Field) -> bool:
    """Whether the Heroes are all of his side, and nobody else's can come."""
    heroes = {unit.team for unit in field.figures if unit.is_hero}
    own = {unit.team for unit in field.units if field.player_of(unit) == player}
    return len(field.setup.players) > 1 and not heroes_come(field) and bool(heroes) and own >= heroes


def heroes_come(field: Field) -> bool:
    """Whether it is turn 1, in which Heroes are still put down."""
    return keeps_turns(field.state) and field.state.turn <= 1


def is_too_late(field: Field) -> bool:
    """Whether no Hero comes any more: those who fall do not come back."""
    return is_free_for_all(field) and keeps_turns(field.state) and not heroes_come(field)
