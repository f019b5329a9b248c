"""What it costs, in mm, to take a detection for a piece that is remembered: the cheapest pairing of all is believed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detection import FIGURES, Detection
from vision.memory.laid_on import has_risen, is_untold, lies_flat
from vision.memory.likeness import covered_share, distance_mm, is_in_place, is_turned_over, may_be, may_have_gone_there
from vision.memory.screens import HIDDEN_SHARE, Screen, is_behind, is_part_of_another
from vision.track import Track

# Costs of a move, in mm: that class or owner are others, or that it lies higher over where it lay, that a soldier is
# read as another kind, that what is seen is rather the rider or the head of another, that the place which it left
# cannot be seen, that somebody stood there before (`vision.memory.glimpses`). Each outweighs any distance on a table,
# the second a good part of one.
DOUBT, SOLDIERS_DOUBT, PART, UNSEEN, STOOD = 5000.0, 300.0, 900.0, 2000.0, 2000.0
# Cost, mm, of a move to the place where a coin on top of this one would show: it is rather such a coin.
ASIDE = 1500.0
# Figures of one side look alike but for their size. Of one and the same two looks are apart by 0.065 of a base's
# radius, 0.098 of a soldier's (means of 23 and 289 moves on film), moves are some 130 mm long: so many mm cost as much
# as a radius e times as large.
UNLIKE_SIZE = {"base": 2000.0, "soldier": 1300.0}
# Nor are bases painted alike. Two looks at one differ by 0.02 to 0.17 in tint (logarithm of light; 14 moves on three
# films, one of them up on a book 0.36), green and brown by 0.4: so much is allowed, and of light a factor of 1.5.
UNLIKE_PAINT, _LIKE_PAINT, _LIKE_LIGHT = 1500.0, 0.15, 0.4
# A base on its level that is more unlike than this is another, put down where one was taken off: of 38 bases moved on
# ten films none is more than 392 unlike (up on a book one 622), of pairs on one table half are.
_ANOTHERS, _LEVEL_MM = 700.0, 5.0
# No terrain shows twice as wide elsewhere, or half: a strip of paper was taken for a napkin, 82 mm wide for 34.
GROWN = float(np.log(2))
# So many mm is a place dearer where a figure is e times less likely: beyond a hand's move, odds decide.
FAINT = 100.0
# The cost of a pair that cannot be, for the assignment.
NEVER = 1e6


def stay_cost(track: Track, seen: Detection) -> float:
    """Cost of the piece having stayed: how far off it is seen, how much higher or lower; `NEVER` if it cannot be."""
    was = track.seen
    if is_untold(seen):
        was, seen = track.placed, seen.raised_to(track.elevation_mm)
    if not (is_in_place(was, seen) and (may_be(was, seen) or is_turned_over(was, seen))):
        return NEVER
    return distance_mm(was, seen) + abs(was.elevation_mm - seen.elevation_mm)


def move_cost(track: Track, seen: Detection, screens: Sequence[Screen]) -> float:
    """Cost of the piece having moved to where this is seen: the distance, and more for what speaks against it.

    Another class or owner costs more than any distance on a table; that the place which it left cannot be seen costs
    less than that; of figures another size or paint costs too. `NEVER` if it cannot be.
    """
    is_it = may_be(track.seen, seen) and not (is_in_place(track.seen, seen) and has_risen(track, seen))
    if not (is_it or may_have_gone_there(track.seen, seen)) or _is_another_base(track, seen):
        return NEVER
    of_class = SOLDIERS_DOUBT if seen.kind == "soldier" else DOUBT
    doubt = of_class * (seen.cls != track.seen.cls) + DOUBT * (seen.owner != track.seen.owner)
    unlike = _unlike_size(track.seen, seen) + _unlike_paint(track.seen, seen)
    unseen = UNSEEN * (track.under is not None or is_behind(track, screens))
    unlikely = doubt + unlike + PART * is_part_of_another(seen, screens) + unseen + _on_top(seen, track)
    return distance_mm(track.seen, seen) + unlikely


def unlike_in_any_light(was: Detection, seen: Detection) -> float:
    """Cost of a figure in another size or, a base, in another tint of paint: shadows and lamps change that little."""
    tint, _ = _paint_apart(was, seen)
    return _unlike_size(was, seen) + UNLIKE_PAINT * max(0.0, tint - _LIKE_PAINT)


def _is_another_base(track: Track, seen: Detection) -> bool:
    """Whether a base seen as high as the track's stands is of another size and paint, and not that one moved."""
    is_level = abs(seen.elevation_mm - track.elevation_mm) < _LEVEL_MM
    return seen.kind == "base" and is_level and unlike_in_any_light(track.seen, seen) > _ANOTHERS


def _unlike_size(was: Detection, seen: Detection) -> float:
    """Cost of another size. Terrain, often half hidden, tells by it no more than that it is another thing."""
    if seen.kind not in (*FIGURES, "terrain"):
        return 0.0
    apart = abs(float(np.log(seen.radius_mm / was.radius_mm)))
    if seen.kind in FIGURES:
        return UNLIKE_SIZE[seen.kind] * apart
    shared = max(covered_share(was, seen.footprint), covered_share(seen, was.footprint))
    return NEVER if apart > GROWN and shared < HIDDEN_SHARE else 0.0


def _unlike_paint(was: Detection, seen: Detection) -> float:
    """Cost of a base in another colour, or much darker or brighter."""
    tint, light = _paint_apart(was, seen)
    return UNLIKE_PAINT * max(0.0, float(np.hypot(tint, max(0.0, light - _LIKE_LIGHT))) - _LIKE_PAINT)


def _paint_apart(was: Detection, seen: Detection) -> tuple[float, float]:
    """How far apart two bases' paints are in tint and in light, logarithms; 0 where one is not told."""
    if was.paint is None or seen.paint is None:
        return 0.0, 0.0
    apart = np.subtract(was.paint, seen.paint)
    return float(np.linalg.norm(apart - apart.mean())), abs(float(apart.mean()))


def _on_top(seen: Detection, track: Track) -> float:
    """Cost of a coin over where the track's lay that is seen higher, or may be, as it shows so far aside: it is rather
    another one. So is one that lies on the table there, if the track's lay on another: it is rather that one."""
    if covered_share(track.seen, seen.footprint) < HIDDEN_SHARE:
        return 0.0
    may_lie_there = is_untold(seen) and is_in_place(track.seen, seen.raised_to(track.top_mm))
    is_the_lower = track.on is not None and lies_flat(seen)
    return DOUBT if is_the_lower or has_risen(track, seen) else ASIDE if may_lie_there else 0.0
