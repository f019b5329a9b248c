"""The words of a set-up's `[legend]` that every game takes: classes, by which people name what they taught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.scene import COIN_DIAMETER_MM, UNKNOWN, Scene
from rules.setup import Setup

# The classes that a scene may name.
CARDS = (*(rank + suit for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")), "JOKER", "BACK")
TERRAIN = ("mug", "plate", "book", "box", "napkin", "paper", "pencils", "bridge")
KNOWN_CLASSES = frozenset((*COIN_DIAMETER_MM, *CARDS, "match", "foot", "mounted", "gun", "base", *TERRAIN))


def meanings(setup: Setup) -> Iterator[tuple[str, str]]:
    """The legend but for what a person taught: a name of his own that stands for a class, such as my-5p for gbp-5p."""
    for key, word in setup.legend.items():
        if word not in KNOWN_CLASSES or class_of(key) in KNOWN_CLASSES:
            yield key, word


def as_meant(scene: Scene, setup: Setup) -> Scene:
    """The scene in which a piece of a name of somebody's own is of the class that the legend says it stands for."""
    names = {key: word for key, word in setup.legend.items() if word in KNOWN_CLASSES and key not in KNOWN_CLASSES}
    pieces = tuple(replace(one, cls=names[one.cls]) if one.cls in names else one for one in scene)
    return replace(scene, pieces=pieces) if pieces != scene.pieces else scene


def class_of(key: str) -> str:
    """The class that a key of the legend names: its last word, behind a colour."""
    return key.rsplit(maxsplit=1)[-1] if key.strip() else ""


def is_terrain(key: str) -> bool:
    """Whether a key of the legend is a class of household things, with its colour or without."""
    return class_of(key) in (*TERRAIN, UNKNOWN)
