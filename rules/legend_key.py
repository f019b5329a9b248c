"""Keys of a set-up's `[legend]` that name nothing: a slip of the pen would mean nothing, and nobody would be told."""

from __future__ import annotations

from difflib import get_close_matches

from rules.classes import misspelt
from rules.files.tables import KeyFault
from rules.legend import KNOWN_CLASSES, TERRAIN, class_of
from rules.scene import NONE, UNKNOWN
from rules.setup import COLOURS

# What the eyes tell the colour of things by, besides the players' (`vision.naming.colour`).
_PAPER = "brown"
# Of two words so much alike one has a letter too many: mugg, papper. What differs more may be an id, such as place.
_ALIKE = 0.85


def check_key(key: str) -> None:
    """`KeyFault` for a key that names no class, no colour and class, and no one thing.

    Any other word may be the id of a thing, or the name of one that somebody taught.
    """
    cls = class_of(key)
    fault = _class_fault(cls) or _colour_fault(key.strip().removesuffix(cls).strip(), cls)
    if fault is not None:
        raise KeyFault(("legend", key), fault)


def _class_fault(cls: str) -> str | None:
    """What is wrong with the word for a class; None for nothing."""
    if cls not in KNOWN_CLASSES and cls.isalpha() and get_close_matches(cls.casefold(), TERRAIN, 1, _ALIKE):
        return f"there is no such thing; write one of {', '.join(TERRAIN)}"
    return misspelt("coin", cls)


def _colour_fault(colour: str, cls: str) -> str | None:
    """What is wrong with the words before a class; whatever stands before another word may be part of an id."""
    if colour in ("", *COLOURS, _PAPER, NONE, UNKNOWN) or cls not in (*KNOWN_CLASSES, UNKNOWN):
        return None
    return f"there is no colour {colour!r}; write one of {', '.join((*COLOURS, _PAPER))} before {cls}"
