"""What people told in the set-up and the state, checked where it is used: one line says what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.tables import KeyFault


def whole(value: object, what: str) -> int:
    """A whole number; `KeyFault` names what was told wrong, whose keys dots part."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not float(value).is_integer():
        raise KeyFault(what.split("."), f"a whole number is wanted, not {value!r}")
    return int(value)


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
