"""Missions, victory points and the winner, from the scene and the state's tally (OSMCG-5; rulebook 2.4, 3.2, 4.2)."""

from __future__ import annotations

from rules.game import Ruling, ruling_from
from rules.games.osmcg.blocs import bloc
from rules.games.osmcg.field import Field
from rules.games.osmcg.objectives import Objective, claim, hp_left, objectives
from rules.games.osmcg.survival import is_last, is_out
from rules.games.osmcg.tables import Mission, fact, on_paper, tables
from rules.games.osmcg.units import Unit
from rules.margin import REFUSED, Margin, any_of, beyond_doubt
from rules.setup import Player


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
    named = field.books.missions
    if named is None:
        return tuple(tables().mission)
    for name in named:
        if name not in tables().mission:
            raise ValueError(f"state: missions: {name!r} is none of {', '.join(tables().mission)}")
    return named


def measured(card: Mission, player: Player, field: Field) -> list[Margin] | None:
    """For a mission that is scored from the scene, the margin of each unit or objective that may count; else None."""
    if card.counts == "centre_held":
        return [_held(objectives(field)[0], player, field)]
    if card.counts == "objectives_held":
        return [_held(objective, player, field) for objective in objectives(field)]
    if card.counts == "objectives_beyond":
        beyond = [one for one in objectives(field) if _beyond(one.at, 0.0, player, field).margin_mm >= 0]
        return [_held(objective, player, field) for objective in beyond]
    if card.counts == "units_beyond":
        units = own_units(player, field)
        return [_beyond(unit.at, unit.radius_mm, player, field, unit.piece.sigma_mm) for unit in units]
    return None


def deciding(margins: list[Margin], at_least: int) -> Margin:
    """The margin of so many of them holding: the last one needed, the surest first.

    With more than are needed, or two too few, no single one can turn that (C3.4).
    """
    surest = sorted(margins, key=lambda one: (("yes", "close", "no").index(one.verdict), -one.margin_mm))
    if len(surest) < at_least:
        return REFUSED
    last = surest[at_least - 1]
    have = sum(one.margin_mm >= 0 for one in margins)
    return last if have in (at_least - 1, at_least) else beyond_doubt(last)


def own_units(player: Player, field: Field) -> tuple[Unit, ...]:
    """The units that are the player's, by their team or colour."""
    return tuple(unit for unit in field.units if field.player_of(unit) == player)


def _teams(player: Player, field: Field) -> set[str]:
    return {unit.team for unit in own_units(player, field)}


def _held(objective: Objective, player: Player, field: Field) -> Margin:
    """The margin of the player's side controlling it."""
    claims = [claim(objective, team, field).margin for team in sorted(_teams(player, field))]
    return any_of(claims) if claims else REFUSED


def _beyond(at: tuple[float, float], radius_mm: float, player: Player, field: Field, sigma_mm: float = 0.0) -> Margin:
    """The margin of a base lying wholly in the half of the opponent, the one across the board; not on the line."""
    width, depth = field.scene.table_size_mm
    (x, y), middle_x, middle_y = at, width / 2, depth / 2
    across = {"near": y - middle_y, "far": middle_y - y, "left": x - middle_x, "right": middle_x - x}
    inside_mm = on_paper(across.get(player.side, y - middle_y) - radius_mm, 0.0)
    return Margin(inside_mm or -tables().distance.paper_mm, sigma_mm)


def _mission(name: str, card: Mission, player: Player, field: Field) -> Ruling:
    margins = measured(card, player, field)
    have = _tallied(card, name, player, field) if margins is None else sum(one.margin_mm >= 0 for one in margins)
    margin = fact(have >= card.at_least) if margins is None else deciding(margins, card.at_least)
    why = f"{name}: {player.name} has {have:g} of {card.at_least} ({card.counts.replace('_', ' ')})"
    extra = {
        "phase": "end",
        "mission": name,
        "player": player.name,
        "vp": card.vp,
        "have": have,
        "needs": card.at_least,
    }
    return ruling_from(margin, kind="economy", piece=None, other=player.name, rule="OSMCG-5", why=why, extra=extra)


def _tallied(card: Mission, name: str, player: Player, field: Field) -> float:
    return field.books.of(player.name).tally.of(card.counts, name)


def _standing(player: Player, field: Field) -> Ruling:
    book, won, out = field.books.of(player.name), wins(player, field), is_out(player, field)
    told = {"mana_max": book.mana_max, "hand": book.hand, "deck": book.deck, "discard": book.discard}
    extra = {
        "phase": "end", "player": player.name, "mana": book.mana, "vp": book.vp, "wins": won, "out": out,
        **{key: value for key, value in told.items() if value is not None},
    }  # fmt: skip
    why = f"{player.name} has won" if won else f"{player.name} has {book.mana:g} mana and {book.vp:g} victory points"
    why = f"{player.name} has no Hero any more and is out" if out else why
    return ruling_from(fact(won), kind="economy", piece=None, other=player.name, rule="OSMCG-5", why=why, extra=extra)


def wins(player: Player, field: Field) -> bool:
    """Who was first, as a match keeps it; else who alone has done what wins, he or his side."""
    first = field.books.won
    if first is not None:
        return player in bloc(first, field.setup)
    return has_enough(player, field) and all(
        other in bloc(player.name, field.setup) for other in field.setup.players if has_enough(other, field)
    )


def has_enough(player: Player, field: Field) -> bool:
    """Ten points in a duel; the other Nexus destroyed in a MOBA; the last Hero of three or more."""
    if field.mode.win_vp:
        return bool(field.books.of(player.name).vp >= field.mode.win_vp)
    if field.mode.nexus_hp:
        others = {f"nexus-{other.side}" for other in field.setup.players if other.side != player.side}
        return bool(others) and all(hp_left(one, field) <= 0 for one in objectives(field) if one.name in others)
    return is_last(player, field)
