"""Missions, victory points and the winner, from the scene and the state's tally (OSMCG-5; rulebook 2.4, 3.2, 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapely import box

from rules.game import Ruling
from rules.games.osmcg.deploy import lies_in
from rules.games.osmcg.field import Field
from rules.games.osmcg.objectives import hold, objectives
from rules.games.osmcg.tables import Mission, tables
from rules.games.osmcg.units import Unit
from rules.margin import Margin
from rules.setup import Player

_OPPOSITE = {"near": "far", "far": "near", "left": "right", "right": "left"}
OPEN_MISSIONS = 3


def missions(field: Field) -> tuple[Ruling, ...]:
    """One `economy` for each open mission and player, and one for each player's standing; duels only for missions."""
    if field.subject is not None:
        return ()
    standing = [_standing(player, field) for player in field.setup.players]
    if not field.mode.win_vp:
        return tuple(standing)
    deck = [(name, tables().mission[name]) for name in open_missions(field)]
    return (*standing, *(_mission(name, card, player, field) for name, card in deck for player in field.setup.players))


def open_missions(field: Field) -> tuple[str, ...]:
    """The missions that lie face up: the state's `missions`; without it every mission of the deck is asked about."""
    named = field.state.counters.get("missions")
    if named is None:
        return tuple(tables().mission)
    for name in named:
        if name not in tables().mission:
            raise ValueError(f"state: missions: {name!r} is none of {', '.join(tables().mission)}")
    return tuple(named)


def amount(card: Mission, name: str, player: Player, field: Field) -> float:
    """How much of what the mission counts the player has."""
    if card.counts == "centre_held":
        return float(hold(objectives(field)[0], field).team in _teams(player, field))
    if card.counts == "objectives_held":
        return len(_held(player, field))
    if card.counts == "objectives_beyond":
        return sum(_beyond(objective.at, 0.0, player, field) > 0 for objective in _held(player, field))
    if card.counts == "units_beyond":
        return sum(_beyond(unit.at, unit.radius_mm, player, field) > 0 for unit in own_units(player, field))
    tally = account(player, field).get("tally", {})
    counted = tally.get(card.counts, 0)
    return float(counted.get(name, 0) if isinstance(counted, Mapping) else counted)


def account(player: Player, field: Field) -> Mapping[str, Any]:
    """The state's book of a player: mana, mana_max, regen, vp, tally (`players`: {name: {...}})."""
    book: Mapping[str, Any] = field.state.counters.get("players", {}).get(player.name, {})
    return book


def own_units(player: Player, field: Field) -> tuple[Unit, ...]:
    """The units that carry the player's colour, or his name as their team."""
    return tuple(unit for unit in field.units if player.colour == unit.piece.owner or unit.team == player.name)


def _teams(player: Player, field: Field) -> set[str]:
    return {unit.team for unit in own_units(player, field)}


def _held(player: Player, field: Field) -> list[Any]:
    found = objectives(field)
    return [objective for objective in found if hold(objective, field).team in _teams(player, field)]


def _beyond(at: tuple[float, float], radius_mm: float, player: Player, field: Field) -> float:
    """By how far a base lies wholly in the half of the opponent, the one across the board."""
    width, depth = field.scene.table_size_mm
    halves = {"near": box(0, 0, width, depth / 2), "far": box(0, depth / 2, width, depth),
              "left": box(0, 0, width / 2, depth), "right": box(width / 2, 0, width, depth)}  # fmt: skip
    half = halves[_OPPOSITE.get(player.side, "far")]
    low_x, low_y, high_x, high_y = half.bounds
    # Only the line across the middle counts: a base may stick out over the table's edge (C4.7).
    reach = box(low_x - (width if low_x == 0 else 0), low_y - (depth if low_y == 0 else 0),
                high_x + (width if high_x == width else 0), high_y + (depth if high_y == depth else 0))  # fmt: skip
    return lies_in(reach, at, radius_mm)


def _mission(name: str, card: Mission, player: Player, field: Field) -> Ruling:
    have = amount(card, name, player, field)
    words = card.counts.replace("_", " ")
    why = f"{name}: {player.name} has {have:g} of {card.at_least} ({words})"
    extra = {
        "phase": "end",
        "mission": name,
        "player": player.name,
        "vp": card.vp,
        "have": have,
        "needs": card.at_least,
    }
    verdict = Margin(have - card.at_least).verdict
    return Ruling("economy", None, verdict, "OSMCG-5", why, player.name, extra=extra)


def _standing(player: Player, field: Field) -> Ruling:
    book = account(player, field)
    mana, vp = book.get("mana", 0), book.get("vp", 0)
    extra = {"player": player.name, "mana": mana, "vp": vp, "wins": (won := wins(player, field))}
    why = f"{player.name} has won" if won else f"{player.name} has {mana:g} mana and {vp:g} victory points"
    return Ruling("economy", None, "yes" if won else "no", "OSMCG-5", why, player.name, extra=extra)


def wins(player: Player, field: Field) -> bool:
    """Ten points in a duel; the other Nexus destroyed in a MOBA; the last Hero of three or more."""
    if field.mode.win_vp:
        return bool(account(player, field).get("vp", 0) >= field.mode.win_vp)
    if field.mode.nexus_hp:
        others = {other.side for other in field.setup.players} - {player.side}
        return bool(others) and all(_nexus_left(side, field) <= 0 for side in others)
    heroes = [unit for unit in field.units if unit.is_hero]
    return len(field.setup.players) > 1 and bool(heroes) and _teams(player, field) >= {unit.team for unit in heroes}


def _nexus_left(side: str, field: Field) -> float:
    lost = field.state.counters.get("structures", {}).get(f"nexus-{side}", {}).get("wounds", 0)
    return float(field.mode.nexus_hp - lost)
