"""Which piece of one picture is which of another, where each has ids of its own: the likeliest pairing of all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rules.course.changes import has_moved
from rules.scene import UNKNOWN, Kind, Piece, Scene

Read = Mapping[str, Mapping[str, Any]]
NOTHING_READ: Read = MappingProxyType({})
# What two looks at one piece differ by is told in squares of its spread, so that a pairing's sum tells how unlikely it
# is. A piece that a hand moved comes to lie about so far away (a move of any of the games is 25 to 350 mm).
_MOVE_MM = 100.0
# How far the radius of one piece differs between two looks: rims are seen to 0.2 to 0.9 mm, outlines far less sharply.
_RIM_SIGMA_MM: Mapping[Kind, float] = MappingProxyType({"coin": 1.0, "base": 1.0})
_OUTLINE_SIGMA_MM = 5.0
# As unlikely as five, three and five sigmas: that it was moved at all, was named in one look only, is of that size.
_MOVED, _NAMED_ONCE, _SIZE_AT_MOST = 25.0, 9.0, 25.0
# No sum of the above comes up to it.
_NEVER = 1e9


def paired(seen: Scene, agreed: Scene, read: Read = NOTHING_READ, instead: Scene | None = None) -> dict[str, str]:
    """The agreed piece that each seen one is, by their ids: of all pairings with the most pairs the likeliest.

    Pieces of one kind, class and owner are paired (what is unknown may be any): first those that lie still, then by
    what the camera named, by size, and so that all moves together are short.

    read     as for `rules.course.resume.names_after`
    instead  some of the agreed ones, by their ids, where they may lie instead
    """
    from scipy.optimize import linear_sum_assignment  # 0.35 s to import, and most scenes need no pairing

    if not seen.pieces or not agreed.pieces:
        return {}
    cost = np.array([[_least_unlikeness(now, was, read, instead) for was in agreed] for now in seen])
    found = zip(*linear_sum_assignment(np.minimum(cost, _NEVER)), strict=True)
    return {seen.pieces[now].id: agreed.pieces[was].id for now, was in found if cost[now, was] < _NEVER}


def unlikeness(now: Piece, was: Piece, read: Read = NOTHING_READ) -> float:
    """How unlikely it is that two looks show one piece, as a sum of squared sigmas; infinite where they cannot."""
    readings = _readings(now, was, read.get(was.id, {}))
    if now.kind != was.kind or not all(seen in {*old, UNKNOWN} or UNKNOWN in old for seen, old in readings):
        return math.inf
    named_once = sum(seen not in old for seen, old in readings)
    moved = _MOVED + (math.dist(now.position_mm, was.position_mm) / _MOVE_MM) ** 2 if has_moved(was, now) else 0.0
    return moved + _NAMED_ONCE * named_once + min(size_misfit(now, was), _SIZE_AT_MOST)


def _least_unlikeness(now: Piece, was: Piece, read: Read, instead: Scene | None) -> float:
    """Of the places where the agreed piece may lie."""
    likelier = unlikeness(now, was, read)
    if instead is None or was.id not in instead or instead[was.id] is was:
        return likelier
    return min(likelier, unlikeness(now, instead[was.id], read))


def size_misfit(now: Piece, was: Piece) -> float:
    """By how many sigmas, squared, two looks at one piece would differ in its radius."""
    return ((now.radius_mm - was.radius_mm) / _RIM_SIGMA_MM.get(now.kind, _OUTLINE_SIGMA_MM)) ** 2


def _readings(now: Piece, was: Piece, read: Mapping[str, Any]) -> tuple[tuple[str, set[Any]], ...]:
    """What is seen of class and owner now, each with all that it was."""
    return (now.cls, {was.cls, read.get("class")}), (now.owner, {was.owner, read.get("owner")})
