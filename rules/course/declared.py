"""Attacks and other deeds that are declared: which rulings they are asked of, and which are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.course.events import Event
from rules.course.history import effective
from rules.game import Ruling
from rules.scene import NONE, UNKNOWN

if TYPE_CHECKING:
    from rules.match import Match

# What a `target` says of the way to attack that the game's `attack` event wants to know.
TARGET_KEYS = ("weapon", "attack")


def asked_targets(rulings: Iterable[Ruling], attack: Mapping[str, Any]) -> list[Ruling]:
    """The `target` rulings that a declared attack asks for, by its fields: one for each thing that it can mean."""
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
    _refuse_nothing(match, event.fields.get("other"))
    asked = asked_targets(match.rulings, event.fields)
    if any(ruling.verdict != "no" for ruling in asked):
        return event
    told = _verdict(asked[0].rule, asked[0].why) if asked else _untargeted(match, event.fields)
    return replace(event, fields={**event.fields, **told})


def _gone_before(match: Match, attack: Mapping[str, Any]) -> list[str]:
    """Who of the two was taken off before this phase: an attack of this one may be told after the loss that it made."""
    named = [str(attack[key]) for key in ("piece", "other") if attack.get(key) in match.gone]
    names = [name for name in named if name not in match.scene]  # one put back against the rules lies there
    for event in reversed(effective(match.events) if names else ()):
        if event.kind == "phase":
            return names
        names = [name for name in names if event.kind != "remove" or name != event.fields["piece"]]
    return []


def _untargeted(match: Match, attack: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict no on an attack at what is no `target` now: the game forbids it, or this phase, or it is no foe."""
    gone, doer = _gone_before(match, attack), attack.get("piece")
    if gone:
        return _verdict("C4.3", f"{gone[0]} was taken off the table before this phase began")
    if doer is not None and doer == attack.get("other"):
        return _verdict("C4.3", f"{doer} cannot attack itself")
    told = match.game.refusal and match.game.refusal(match.scene, match.setup, match.state, "attack", attack)
    return _verdict(*told) if told else _in_another_phase(match, attack) or _at_no_foe(match, attack)


def _refuse_stranger(match: Match, kind: str, doer: Any) -> None:
    """ValueError for an attacker, or who did something else, who never was on the table."""
    if doer is not None and doer not in match.scene and doer not in match.gone:
        raise ValueError(f"{kind}: there is no piece {doer!r} on the table; mend 'piece'")


def _refuse_nothing(match: Match, other: Any) -> None:
    """ValueError for what is attacked and never was on the table; what the rules name (a structure) is there.

    Where they name no target and no melee at all, players know best.
    """
    if other is None or other in match.scene or other in match.gone or not _fights(match):
        return
    if not any(other in (ruling.piece, ruling.other) for ruling in match.rulings):
        raise ValueError(f"attack: there is no piece {other!r} on the table; mend 'other'")


def _in_another_phase(match: Match, attack: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict no where the attack would be a `target` of another phase, and this is not that of hand to hand."""
    if match.state.phase is None or any(ruling.kind == "melee" for ruling in match.rulings):
        return {}
    timeless = replace(match.state, phase=None)
    asked = asked_targets(match.game.rulings(match.scene, match.setup, timeless, attack.get("piece")), attack)
    if not asked:
        return {}
    return _verdict("C4.9", f"{asked[0].piece} attacks in the {asked[0].extra.get('phase')} phase")


def _at_no_foe(match: Match, attack: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict no on an attack at what lies there and is no target, and does not fight the attacker hand to hand;
    nothing where the rules name no target and no melee at all."""
    pair = attack.get("piece"), attack.get("other")
    fights = _fights(match)
    if not fights or any(name not in match.scene for name in pair) or _meet(fights, *map(str, pair)):
        return {}
    return _verdict(*_no_foe(match, *map(str, pair)))


def _fights(match: Match) -> list[Ruling]:
    return [ruling for ruling in match.rulings if ruling.kind in ("melee", "target")]


def _meet(fights: Iterable[Ruling], attacker: str, other: str) -> bool:
    """Whether the two are in one melee, or the one is a target of the other by another weapon or way."""
    return any({attacker, other} <= {ruling.piece, ruling.other, *_fighters(ruling)} for ruling in fights)


def _fighters(ruling: Ruling) -> list[str]:
    """All who are in a melee of more than two."""
    units = ruling.extra.get("units")
    return [name for side in units.values() for name in side] if isinstance(units, Mapping) else []


def _no_foe(match: Match, attacker: str, other: str) -> tuple[str, str]:
    """Why the one has nothing to attack in the other: the rule and the sentence."""
    told = match.game.owners and match.game.owners(match.scene, match.setup, match.state)
    whose = [(told or {}).get(name, match.scene[name].owner) for name in (attacker, other)]
    for name, owner in zip((attacker, other), whose, strict=True):
        if UNKNOWN in (owner, match.scene[name].cls):
            return "C5.2", f"nobody has said what {name} is or whose; say so first"
    if whose[0] == whose[1] != NONE:
        return "C4.3", f"{attacker} and {other} are both {whose[0]}'s: only enemies are attacked"
    return "C4.3", f"{other} is no target of {attacker}"


def _verdict(rule: str, why: str) -> dict[str, Any]:
    return {"verdict": "no", "rule": rule, "why": why}
