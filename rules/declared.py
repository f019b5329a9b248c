"""Attacks and other deeds that are declared: which rulings they are asked of, and which are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.events import Event
from rules.game import Ruling

if TYPE_CHECKING:
    from rules.match import Match

# What a `target` says of the way to attack that the game's `attack` event wants to know.
TARGET_KEYS = ("weapon", "attack")


def asked_targets(rulings: Iterable[Ruling], attack: Mapping[str, Any]) -> list[Ruling]:
    """The `target` rulings on the attack of which these are the data: one for each way in which it can be meant."""
    return [ruling for ruling in rulings if ruling.kind == "target" and _is_of(ruling, attack)]


def _is_of(target: Ruling, attack: Mapping[str, Any]) -> bool:
    """Whether the target is that of the attack, by the same weapon or way where both tell it."""
    how = ((target.extra.get(key), attack.get(key)) for key in TARGET_KEYS)
    pair = (target.piece, target.other) == (attack.get("piece"), attack.get("other"))
    return pair and all(None in both or both[0] == both[1] for both in how)


def ruled_deed(match: Match, event: Event) -> Event:
    """The event with the verdict no, if it is an attack or another deed that the rules forbid; ValueError for one of
    somebody who never was on the table."""
    if event.kind == "attack":
        return _ruled_attack(match, event)
    if match.game.refusal is None or "verdict" in event.fields:
        return event
    told = match.game.refusal(match.scene, match.setup, match.state, event.kind, event.fields)
    if told is None:
        return event
    _refuse_stranger(match, event.kind, event.fields.get("piece"))
    return replace(event, fields={**event.fields, **_verdict(*told)})


def _ruled_attack(match: Match, event: Event) -> Event:
    """With the verdict no where every `target` of its kind forbids it, or where it belongs to another phase.

    One whose result is told was made, and players know best how.
    """
    _refuse_stranger(match, event.kind, event.fields.get("piece"))
    if not event.fields.keys() <= {"piece", "other", *TARGET_KEYS}:
        return event
    asked = asked_targets(match.rulings, event.fields)
    if any(ruling.verdict != "no" for ruling in asked):
        return event
    told = _verdict(asked[0].rule, asked[0].why) if asked else _untargeted(match, event.fields)
    return replace(event, fields={**event.fields, **told})


def _untargeted(match: Match, attack: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict no on an attack at what is no `target` now, where the game forbids it, or in this phase."""
    told = match.game.refusal and match.game.refusal(match.scene, match.setup, match.state, "attack", attack)
    return _verdict(*told) if told else _in_another_phase(match, attack)


def _refuse_stranger(match: Match, kind: str, doer: Any) -> None:
    """ValueError for an attacker, or who did something else, who never was on the table."""
    if doer is not None and doer not in match.scene and doer not in match.gone:
        raise ValueError(f"{kind}: there is no piece {doer!r} on the table; mend 'piece'")


def _in_another_phase(match: Match, attack: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict no where the attack would be a `target` of another phase, and this is not that of hand to hand."""
    if match.state.phase is None or any(ruling.kind == "melee" for ruling in match.rulings):
        return {}
    timeless = replace(match.state, phase=None)
    asked = asked_targets(match.game.rulings(match.scene, match.setup, timeless, attack.get("piece")), attack)
    if not asked:
        return {}
    return _verdict("C4.9", f"{asked[0].piece} attacks in the {asked[0].extra.get('phase')} phase")


def _verdict(rule: str, why: str) -> dict[str, Any]:
    return {"verdict": "no", "rule": rule, "why": why}
