"""What people told in the set-up and the state, checked where it is used: one line says what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from rules.dice import SIDES
from rules.files.tables import KeyFault
from rules.legend import CARDS
from rules.setup import Setup


def whole(value: object, what: str) -> int:
    """A whole number; `KeyFault` names what was told wrong, whose keys dots part."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not float(value).is_integer():
        raise KeyFault(what.split("."), f"a whole number is wanted, not {value!r}")
    return int(value)


def count(value: object, what: str, least: int = 0) -> int:
    """A whole number that is not too small; `KeyFault` names what was told wrong."""
    number = whole(value, what)
    if number < least:
        raise KeyFault(what.split("."), f"a number of {least} or more is wanted, not {number}")
    return number


def number(value: object, what: str) -> float:
    """A number of whatever size; ValueError names what was told wrong."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{what}: a number is wanted, not {value!r}")
    return float(value)


def face(value: object, what: str) -> int:
    """A face of a die; `KeyFault` names what was told wrong."""
    if whole(value, what) not in range(1, SIDES + 1):
        raise KeyFault(what.split("."), f"a die shows 1 to {SIDES}, not {value!r}")
    return whole(value, what)


def cards(value: object, what: str) -> list[str]:
    """A list of cards, jokers among them; `KeyFault` names what is none."""
    told = value if isinstance(value, list | tuple) else [value]
    wrong = next((card for card in told if card not in CARDS), None)
    if wrong is not None or told is not value:
        raise KeyFault(what.split("."), f'a list of cards such as ["10H", "KD"] is wanted, not {wrong or value!r}')
    return [str(card) for card in told]


def player_name(setup: Setup, told: str) -> str:
    """The player's name for his name or colour; the colour without players."""
    player = setup.player_of_colour(told) or setup.player_named(told)
    return player.name if player is not None else told


def table(value: object, what: str) -> Mapping[str, Any]:
    """A table of names and values; ValueError names what was told wrong."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{what}: a table of names is wanted, not {value!r}")
    return value


def some_of(value: object, known: Iterable[str], what: str) -> tuple[str, ...]:
    """A list of known words; `KeyFault` names the one that is not, and those that are."""
    words = tuple(known)
    if not isinstance(value, list | tuple) or not all(word in words for word in value):
        raise KeyFault(what.split("."), f"a list of some of {', '.join(words)} is wanted, not {value!r}")
    return tuple(value)
