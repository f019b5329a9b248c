"""Titles of what players tell and the camera does not see: the state, and the deeds of single games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rules.course.events import Event

Title = Callable[[Event], str]
_MOST_LETTERS = 120


def _state(event: Event) -> str:
    """What was told of pieces, counters, phase and player: "told: a1: toss heads; food (Ann 3)"; a long one is cut."""
    told = "; ".join(_told(event.fields)) or "nothing"
    return f"told: {told}" if len(told) <= _MOST_LETTERS else f"told: {told[:_MOST_LETTERS]}..."


def _told(fields: Mapping[str, Any]) -> Iterator[str]:
    for piece, known in (fields.get("pieces") or {}).items():
        yield f"{piece}: {', '.join(f'{key} {_value(value)}' for key, value in known.items()) or 'nothing'}"
    yield from (f"{name} {_value(value)}" for name, value in (fields.get("counters") or {}).items())
    yield from (f"{key} {fields[key] or 'nobody'}" for key in ("phase", "active") if key in fields)
    if "grid" in fields:
        yield "the grid"


def _value(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, Mapping):
        return f"({', '.join(f'{key} {_value(each)}' for key, each in value.items())})"
    if isinstance(value, list | tuple):
        return " ".join(map(_value, value)) or "none"
    if value is None or isinstance(value, bool):
        return "no more" if value is None else "yes" if value else "no"
    return str(value)


def _play(event: Event) -> str:
    card, mana = event.fields.get("card") or "a card", event.fields.get("mana") or 0
    return f"{_whose(event)}plays {card} for {mana:g} mana" if mana else f"{_whose(event)}plays {card}"


def _stack(event: Event) -> str:
    pushed = event.fields.get("push")
    if not isinstance(pushed, Mapping):
        return "passes"
    return f"{pushed.get('card') or 'something'} goes onto the stack"


def _score(event: Event) -> str:
    points = event.fields.get("vp") or 0
    return f"{_whose(event)}scores {points:g} victory point{'' if points == 1 else 's'}"


def _whose(event: Event) -> str:
    """The player whose book changes, where the line does not begin with him."""
    book = event.fields.get("book")
    return "" if book is None or book == event.player else f"{book} "


def _of_a_piece(words: str) -> Title:
    def title(event: Event) -> str:
        """Who did it, and whether the rules refused it."""
        refused = ": not legal" if event.fields.get("verdict") == "no" else ""
        return f"{event.fields.get('piece')} {words}{refused}"

    return title


DEED_TITLES: Mapping[str, Title] = MappingProxyType(
    {
        "state": _state,
        "play": _play,
        "stack": _stack,
        "score": _score,
        "rest": _of_a_piece("rests"),
        "exhaust": _of_a_piece("is exhausted"),
        "activated": _of_a_piece("has been activated"),
    }
)
