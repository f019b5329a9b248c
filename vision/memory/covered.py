"""Which remembered pieces are hidden, and by what: under other pieces, under a hand, or behind what stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapely.geometry.base import BaseGeometry

from vision.detection import FIGURES
from vision.memory.laid_on import along, lies_flat, may_lie_on
from vision.memory.likeness import covered_share, is_in_place
from vision.memory.screens import HIDDEN_SHARE, Screen, is_behind
from vision.track import Track

# A smaller thing on a larger one hides it when so much of it is covered: a scout on a penny leaves a thin ring.
_NEARLY_HIDDEN_SHARE = 0.65
# Of each of these none lies in the very place of another and hides it.
_NO_PILES = ({"card"}, set(FIGURES))


def as_hidden(
    track: Track,
    visible: Sequence[Track],
    before: Sequence[Track],
    cover_mm: BaseGeometry,
    screens: Sequence[Screen],
) -> Track | None:
    """The track as hidden if something hides its place, or carried along under a piece that moved; else None.

    visible   tracks that this look shows, where it shows them
    before    all tracks, as they were before this look
    cover_mm  what could not be seen (hands)
    """
    beneath = {was.id for was in before if not track.hidden and _lay_beneath(was, track)} | _carriers(track, before)
    carrier = next((v for v in visible if v.id == track.under and track.hidden), None)
    cover = min((v for v in visible if v.id not in beneath and _covers(v, track)), key=_ranked(carrier), default=None)
    stood_on = {v.seen.position_mm for v in visible if v.id in beneath}
    screens = [screen for screen in screens if screen.thing.position_mm not in stood_on]
    if cover is not None and cover is not carrier:
        return replace(track, hidden=True, under=cover.id)
    if cover is None and (covered_share(track.seen, cover_mm) >= HIDDEN_SHARE or is_behind(track, screens)):
        return replace(track, hidden=True)
    return along(track, before, carrier) if carrier is not None else None


def _ranked(carrier: Track | None) -> Callable[[Track], tuple[bool, bool]]:
    """Of several that may hide a piece first its carrier, then a coin: one that shows lies on the card below them."""
    return lambda cover: (cover is not carrier, cover.seen.kind != "coin")


def _lay_beneath(was: Track, track: Track) -> bool:
    """Whether it is what the track, which was seen, lay or stood on: a card cannot hide a coin that was taken off it,
    nor a book a man."""
    is_sheet_or_hill = was.seen.kind == "terrain" or (was.seen.kind == "card" and track.seen.kind != "card")
    is_other = is_sheet_or_hill and not was.hidden and was.id != track.id
    return is_other and covered_share(track.seen, was.seen.footprint) >= HIDDEN_SHARE


def _carriers(track: Track, before: Sequence[Track]) -> set[str]:
    """The ids of all that the track lay on: what is gone from the top of a pile does not lie hidden in it."""
    on = {was.id: was.on for was in before}
    found, lower = set[str](), track.on
    while lower is not None and lower not in found:
        found.add(lower)
        lower = on.get(lower)
    return found


def _covers(cover: Track, track: Track) -> bool:
    """A larger thing hides a smaller one (C2.2), as does anything seen to lie above it, or most of it by another kind.

    A coin of the same class exactly in its place has taken its place: a captured penny. So has a card in a card's, a
    figure in a figure's, however broad its base, and a coin that is seen to lie on the table.
    """
    if any({cover.seen.kind, track.seen.kind} <= alike for alike in _NO_PILES) and is_in_place(track.seen, cover.seen):
        return False
    if track.seen.kind == "coin" and not track.hidden and lies_flat(cover.seen):
        return False
    larger = cover.seen.footprint.area > track.seen.footprint.area * 1.02
    above = cover.elevation_mm > track.elevation_mm or may_lie_on(cover.seen, track.seen)
    if not (larger or above) and cover.seen.cls == track.seen.cls:
        return False
    overlap = cover.seen.footprint.intersection(track.seen.footprint).area
    return overlap >= (HIDDEN_SHARE if larger or above else _NEARLY_HIDDEN_SHARE) * track.seen.footprint.area
