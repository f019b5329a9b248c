"""Sentences for people: what a piece is called, what happened, how much it is to be believed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rules.course.events import Event
from rules.game import Ruling
from rules.scene import UNKNOWN, Piece
from rules.state import State
from ui.telling.deed_titles import DEED_TITLES

VERDICT_WORDS: Mapping[str, str] = MappingProxyType({"yes": "legal", "no": "not legal", "close": "too close to call"})
_CURRENCY = MappingProxyType({"gbp": ("£", "p"), "eur": ("€", "c"), "usd": ("$", "¢")})
# Of a player's name, where it stands beside the phase; and where there is hardly room.
MOST_LETTERS, _FEWEST_LETTERS = 10, 6
# What a ruling tells that counts steps or hexes, or is of a hex or a card.
_STEPS = ("cells", "distance", "cell")
_VERBS = MappingProxyType({"move": "moved", "place": "was put down", "remove": "was taken away"})


def counted(number: int, noun: str) -> str:
    """How many: "1 piece", "2 pieces"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def class_name(cls: str) -> str:
    """What people call a class: "gbp-5p" is 5p, "eur-2" is €2; other classes are called as they are."""
    currency, _, value = cls.partition("-")
    if currency not in _CURRENCY or not value:
        return cls
    sign, small = _CURRENCY[currency]
    number = value.rstrip("pc")
    return f"{number}{small}" if number != value else f"{sign}{value}"


def piece_name(piece: Piece) -> str:
    """Owner, class and id, such as "red 5p (c12)"."""
    return name_of(piece.owner, piece.cls, piece.id)


def name_of(owner: Any, cls: Any, piece_id: Any) -> str:
    """The name that people know a piece by, with its owner and id, from what an event tells of one that is gone."""
    colour = "" if owner in (None, "none") else ("somebody's" if owner == UNKNOWN else str(owner))
    what = "unknown piece" if cls in (None, UNKNOWN) else class_name(str(cls))
    return f"{colour} {what} ({piece_id})".strip()


def event_title(event: Event, named: Callable[[str], str] = str) -> str:
    """What happened, in a few words.

    named  what a piece is called of which the event tells the id alone
    """
    if event.kind in _VERBS:
        return f"{_who(event.fields)} {_moved(event)}"
    if event.kind in _NAMING:
        return _NAMING[event.kind](event, named)
    if event.kind in _TITLES:
        return _TITLES[event.kind](event)
    told = (event.fields.get(key) for key in ("text", "sentence", "why"))
    return str(next(filter(None, told), event.kind))


def event_verdict(event: Event) -> str:
    """Yes, no, close, or "" where the event carries none that a bar of colour should show."""
    if event.kind == "siege":
        return "close" if event.fields.get("change") == "begin" else ""
    return str(event.fields.get("verdict") or "")


def event_why(event: Event) -> str:
    """The rule and the reason, or nothing."""
    rule, why = event.fields.get("rule"), event.fields.get("why")
    return ": ".join(str(part) for part in (rule, why) if part)


def time_words(time_s: float) -> str:
    """Minutes and seconds: 1:05.2."""
    minutes, tenths = divmod(round(10 * time_s), 600)
    return f"{minutes}:{tenths / 10:04.1f}"


def clock_words(who: str | None, left_s: float | None) -> str:
    """Whose time runs and what is left of it, such as "Ann 1:05"; nothing while no clock runs."""
    if left_s is None:
        return ""
    whole_s = math.ceil(left_s)
    over = "" if whole_s else ", time is over"
    return f"{who or 'clock'} {whole_s // 60}:{whole_s % 60:02d}{over}"


def turn_words(state: State, left_s: float | None, most_letters: int | None = None) -> str:
    """Turn, phase and whose it is with what is left of his time, such as "Turn 2 · attack · Ann".

    most_letters  of the name, so that a long one leaves room for the phase
    """
    return _dotted(f"Turn {state.turn}", state.phase, _mover(state, left_s, most_letters))


def turn_lines(state: State, left_s: float | None) -> tuple[str, ...]:
    """Turn, phase and clock as of `turn_words`, then ever shorter forms for less room; the last is the phase alone."""
    shorter = (_dotted(state.phase, _mover(state, left_s, most)) for most in (MOST_LETTERS, _FEWEST_LETTERS))
    lines = (turn_words(state, left_s), turn_words(state, left_s, MOST_LETTERS), *shorter, state.phase)
    return tuple(dict.fromkeys(line for line in lines if line))


def _mover(state: State, left_s: float | None, most_letters: int | None) -> str:
    name = state.active or ""
    if most_letters is not None and len(name) > most_letters:
        name = f"{name[: most_letters - 1].rstrip()}…"
    return clock_words(name or None, left_s) or name


def _dotted(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)


def odds_words(ruling: Ruling) -> str:
    """All odds with their exact fractions, where the ruling carries them: hit and miss of a shot, no contest."""
    odds = ruling.extra.get("odds")
    if not isinstance(odds, Mapping):
        return ""
    names = _odds_names(ruling.kind, odds)
    parts = [f"{name} {_percent(odds[key])} ({odds[key]})" for key, name in names.items() if key in odds]
    return ", ".join(parts)


def _odds_names(kind: str, odds: Mapping[str, Any]) -> Mapping[str, str]:
    """What each of the odds is called: who shoots is never hurt."""
    if "hit" in odds:
        return {"hit": "hit", "miss": "miss"}
    is_shot = kind == "target" and str(odds.get("lose")) == "0"
    return {"win": "hit", "tie": "miss"} if is_shot else {"win": "win", "tie": "tie", "lose": "lose"}


def margin_words(ruling: Ruling) -> str:
    """How far from the limit, with the error: "margin 3.2 mm (± 0.6)"; nothing for a region, which has no limit, nor
    where no distance decides."""
    if ruling.margin_mm == 0 or _hangs_on_no_distance(ruling):
        return ""
    spread = f" (± {3 * ruling.sigma_mm:.1f})" if ruling.sigma_mm else ""
    return f"margin {ruling.margin_mm:.1f} mm{spread}"


def _hangs_on_no_distance(ruling: Ruling) -> bool:
    """Whether no distance decided the ruling, so that its margin is nothing to show.

    Its margin is the formal one of `REFUSED` or `pocket.doubt.certain`, or it is a no by a count of steps on a grid.
    """
    by_steps = ruling.verdict == "no" and any(key in ruling.extra for key in _STEPS)
    return by_steps or (abs(ruling.margin_mm) == 1 and ruling.sigma_mm == 0)


def _siege_title(event: Event, named: Callable[[str], str]) -> str:
    place = named(str(event.fields.get("place")))
    return f"{place} is besieged" if event.fields.get("change") == "begin" else f"the siege of {place} is over"


def _phase_title(event: Event) -> str:
    return (
        f"turn {event.turn}: {event.fields.get('active') or 'everybody'}, {event.fields.get('phase') or 'all phases'}"
    )


def _correction_title(event: Event) -> str:
    told = event.fields.get("set", {}).items()
    said = ", ".join(f"{key} as it was read" if value is None else f"{key} {value}" for key, value in told)
    if "by" in event.fields:
        return f"{event.fields.get('piece')}: {said}, by {event.fields['by']}"
    return f"corrected {event.fields.get('piece')}: {said}"


def _attack_title(event: Event, named: Callable[[str], str]) -> str:
    verdict = ": not legal" if event.fields.get("verdict") == "no" else ""
    attacker, target = (event.fields.get(key) for key in ("piece", "other"))
    whom = f" {named(str(target))}" if target is not None else ""
    return f"{'somebody' if attacker is None else named(str(attacker))} attacks{whom}{verdict}"


def _dice_title(event: Event) -> str:
    return f"{event.fields.get('piece')} shows {event.fields.get('class')}"


def _scene_title(event: Event) -> str:
    return "the table as it is" if "table" in event.fields else "pieces read again"


_TITLES: Mapping[str, Callable[[Event], str]] = MappingProxyType(
    {
        "phase": _phase_title,
        "correction": _correction_title,
        "dice": _dice_title,
        "scene": _scene_title,
        **DEED_TITLES,
    }
)
_NAMING: Mapping[str, Callable[[Event, Callable[[str], str]], str]] = MappingProxyType(
    {"siege": _siege_title, "attack": _attack_title}
)


def _percent(odds: Any) -> str:
    return f"{float(Fraction(str(odds))):.0%}".replace("%", " %")


def _moved(event: Event) -> str:
    verdict = VERDICT_WORDS.get(str(event.fields.get("verdict")), "")
    return f"{_VERBS[event.kind]}: {verdict}" if verdict else _VERBS[event.kind]


def _who(fields: Mapping[str, Any]) -> str:
    """The piece of a move; its id alone where nobody judged what was typed: only the table knows the rest."""
    feature = fields.get("feature")
    if isinstance(feature, Mapping) and isinstance(feature.get("properties"), Mapping):
        fields = {**feature["properties"], "piece": feature.get("id"), **fields}
    if "class" not in fields:
        return str(fields.get("piece"))
    return name_of(fields.get("whose") or fields.get("owner"), fields["class"], fields.get("piece"))
