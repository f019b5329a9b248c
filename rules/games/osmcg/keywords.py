"""The keywords of a card as players write them: "Flying", "Defense:2", "Ranged(3, 12)", "Aura(4", +1 ATK)"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

# A name of words, and what follows in brackets, after a colon or as a number.
_KEYWORD = re.compile(r"^\s*([A-Za-z][A-Za-z _-]*?)\s*(?:[:(]\s*(.*?)\s*\)?|\s+([\d.].*?))?\s*$")
# How an inch is written behind a number.
_INCHES = re.compile(r"(?<=\d)\s*(?:\"|''|″|”|inches|inch|in)$")
# No table is so many inches long; more is a slip of the pen, and arcs so long cannot be drawn.
MOST = 4000
_SPELT: Mapping[str, str] = MappingProxyType({"defence": "defense"})
# Keywords that mean nothing without numbers, and how many they need.
_NUMBERS: Mapping[str, int] = MappingProxyType(
    {"aura": 1, "zone": 1, "tracker": 1, "defense": 1, "drain": 1, "gift": 1}
)

Keywords = Mapping[str, tuple[str, ...]]


def keywords_of(words: Iterable[str]) -> Keywords:
    """The keywords by lower-case name, with what stands in brackets or after the colon; ValueError for no keyword."""
    spoken = [said(word) for word in words]
    for name, parts in spoken:
        _check(name, parts)
    return MappingProxyType(dict(spoken))


def said(word: str) -> tuple[str, tuple[str, ...]]:
    """A keyword's lower-case name and its parts; ValueError if it is none."""
    match = _KEYWORD.match(word)
    if match is None:
        raise ValueError(f"{word!r} is no keyword; write Flying or Ranged(3, 12)")
    name = " ".join(re.split(r"[ _-]+", match[1].lower().strip(" _-")))
    parts = (part.strip() for part in (match[2] or match[3] or "").split(","))
    return _SPELT.get(name, name), tuple(_INCHES.sub("", part) for part in parts if part)


def number_of(word: str) -> float | None:
    """The number that a word is, if it is one, 0 to `MOST`."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if 0 <= number <= MOST else None


def _check(name: str, parts: tuple[str, ...]) -> None:
    for place in range(_needed(name, parts)):
        if place >= len(parts) or number_of(parts[place]) is None:
            written = f"{name.title()}({', '.join(parts)})"
            raise ValueError(f"{written} needs a number of 0 to {MOST} in place {place + 1}")


def _needed(name: str, parts: tuple[str, ...]) -> int:
    """How many numbers the keyword begins with; a bare `Ranged` leaves them to `range_in` and `damage`."""
    return 2 if name == "ranged" and parts else _NUMBERS.get(name, 0)
