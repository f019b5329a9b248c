"""Coins that lay under another, seen as one with it, and show when that one is taken off: nobody put them down."""

from __future__ import annotations

from collections.abc import Iterable

from vision.detection import ON_ANOTHER_MM, Detection
from vision.memory.known_ground import is_in_doubt
from vision.memory.laid_on import lies_flat
from vision.memory.likeness import covered_share, is_in_place
from vision.track import Track

# What a coin hid of one that nobody saw below it: of a two cents on a five it is 0.78, of a scout on a penny 0.65.
_HID_SHARE = 0.65


def was_laid_bare(seen: Detection, went: Iterable[Track]) -> bool:
    """Whether a coin that is new to the scene lay there before, right below one that went elsewhere since.

    went  tracks that are seen elsewhere now, as they were before. What may have lain on others says so by its sigma, or
          is seen to lie higher; of what plainly lay on the table another took the place.
    """
    return seen.kind == "coin" and any(_may_have_lain_on(track, seen) for track in went)


def _may_have_lain_on(track: Track, lower: Detection) -> bool:
    """Whether the track's coin, as high as the lower one's top, lay in its place and hid it."""
    upper = track.seen.raised_to(lower.elevation_mm + (lower.height_mm or 0.0))
    hid_it = is_in_place(upper, lower) and covered_share(lower, upper.footprint) >= _HID_SHARE
    return hid_it and _height_is_untold(track)


def _height_is_untold(track: Track) -> bool:
    """Whether it is a coin in sight that may have lain on one that nobody knows."""
    if track.seen.kind != "coin" or track.hidden or track.on is not None or lies_flat(track.seen):
        return False
    return track.elevation_mm >= ON_ANOTHER_MM or is_in_doubt(track.seen)
