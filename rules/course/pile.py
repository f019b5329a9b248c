"""What lay in one place when a match was left, and what a camera that sees it for the first time takes for one coin."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from shapely import MultiPoint, Point

from rules.course.changes import LEAST_MOVE_MM, has_moved
from rules.course.laid import laid_at
from rules.course.pairing import NOTHING_READ, Read, size_misfit, unlikeness
from rules.margin import CLOSE_SIGMAS
from rules.scene import UNKNOWN, Piece, Scene, shift_sigma_mm

# A coin and others that lay on it or under it; a coin alone, of which a reading is in doubt.
Pile = tuple[Piece, ...]
# Radii that differ by more sigmas, squared, are not those of one coin.
_ALIKE = 9.0


def laid_meanwhile(seen: Scene, agreed: Scene, names: Mapping[str, str], read: Read) -> Scene:
    """The agreed scene, with a coin that was laid on another meanwhile where both show as one of unknown class.

    The upper one is seen nowhere else; only it may have come there, and it may have come nowhere else.

    names, read  as for `piles`
    """
    lost = _lost(agreed, names)
    doubtful = [now for now in seen.of_kind("coin") if now.cls == UNKNOWN and now.id in names]
    laid = [coin for now in doubtful for coin in _laid(now, agreed[names[now.id]], lost, read)]
    ways, carried = Counter(coin.id for coin in laid), Counter(coin.on for coin in laid)
    sure = {coin.id: coin for coin in laid if ways[coin.id] == carried[coin.on] == 1}
    return replace(agreed, pieces=tuple(sure.get(piece.id, piece) for piece in agreed)) if sure else agreed


def piles(seen: Scene, agreed: Scene, names: Mapping[str, str], read: Read = NOTHING_READ) -> dict[str, Pile]:
    """By the id of a seen coin, the agreed coins that it stands for; only where it is in doubt or hides others.

    names  of agreed pieces, by the ids of the seen ones that they are
    read   as for `rules.course.resume.names_after`
    """
    lost = _lost(agreed, names)
    found: dict[str, Pile] = {}
    for now in seen.of_kind("coin"):
        under = [was for was in lost if _covers(now, was)]
        pile = (agreed[names[now.id]], *under) if now.id in names and _covers(now, agreed[names[now.id]]) else ()
        if pile and (under or UNKNOWN in (now.cls, now.owner)) and stands_for(now, pile, read):
            found[now.id] = pile
            lost = [piece for piece in lost if piece not in under]
    return found


def stands_for(now: Piece, pile: Pile, read: Read) -> bool:
    """Whether the pile, if nobody touched it, may look like this one coin.

    A coin of unknown class may be any of them or all together; a named one is that which hides all others.
    """
    looks = [was for was in pile if math.isfinite(unlikeness(now, was, read)) and size_misfit(now, was) <= _ALIKE]
    if now.cls == UNKNOWN:
        return bool(looks) and _lies_among(now, pile)
    return any(not has_moved(was, now) and all(_hides(was, other, pile) for other in pile) for was in looks)


def as_held(now: Piece, was: Piece) -> Piece:
    """A coin with the readings that were held for certain, where they are in doubt now."""
    return replace(
        now,
        cls=was.cls if now.cls == UNKNOWN else now.cls,
        owner=was.owner if now.owner == UNKNOWN else now.owner,
    )


def _lost(agreed: Scene, names: Mapping[str, str]) -> list[Piece]:
    """The agreed coins that no seen one is."""
    return [piece for piece in agreed.of_kind("coin") if piece.id not in names.values()]


def _covers(now: Piece, was: Piece) -> bool:
    return math.dist(was.position_mm, now.position_mm) <= now.radius_mm


def _laid(now: Piece, was: Piece, lost: list[Piece], read: Read) -> list[Piece]:
    """What may have been laid on what, as it lies now: the coin itself on a lost one, or a lost one on it."""
    if has_moved(was, now):
        return [_on(was, now, other) for other in lost if _covers(now, other)]
    return [_on(other, now, was) for other in lost if _may_ride(other, now, was, read)]


def _may_ride(upper: Piece, now: Piece, lower: Piece, read: Read) -> bool:
    """Whether it lay elsewhere, and a camera may take it on that one for this coin of its owner."""
    return (
        not _covers(now, upper)
        and upper.owner == now.owner
        and upper.radius_mm <= lower.radius_mm
        and math.isfinite(unlikeness(now, upper, read))
    )


def _on(upper: Piece, now: Piece, lower: Piece) -> Piece:
    return replace(laid_at(upper, now.position_mm), on=lower.id, sigma_mm=now.sigma_mm)


def _lies_among(now: Piece, pile: Pile) -> bool:
    """Whether it lies at one of their places, or between them: a circle fitted to two rims has its centre there."""
    span = MultiPoint([was.position_mm for was in pile]).convex_hull
    sigma_mm = max(shift_sigma_mm(was, now) for was in pile)
    return bool(span.distance(Point(now.position_mm)) <= max(LEAST_MOVE_MM, CLOSE_SIGMAS * sigma_mm))


def _hides(upper: Piece, other: Piece, pile: Pile) -> bool:
    """Whether the other, if it is one, lies under this coin and shows nowhere beside it."""
    if other is upper:
        return True
    slack_mm = max(LEAST_MOVE_MM, CLOSE_SIGMAS * shift_sigma_mm(upper, other))
    apart_mm = math.dist(upper.position_mm, other.position_mm)
    return _lies_on(upper, other, pile) and apart_mm + other.radius_mm <= upper.radius_mm + slack_mm


def _lies_on(upper: Piece, lower: Piece, pile: Pile) -> bool:
    """Whether it lies on that one, or on one that does."""
    carriers = [was for was in pile if was.id == upper.on]
    return any(was is lower or (was is not upper and _lies_on(was, lower, pile)) for was in carriers)
