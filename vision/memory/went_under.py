"""Coins that went where another was laid on them before anybody looked: one vanished, and one came that lies on what
nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.scene import NONE, UNKNOWN
from vision.detection import ON_ANOTHER_MM
from vision.memory.laid_on import RISEN_MM, RISEN_SIGMAS
from vision.track import Track

# A hand lays a coin on another about so exactly, mm (standard deviation): the lower one is told to lie under it.
_ASIDE_MM = 2.0
_NOBODYS = (NONE, UNKNOWN)


def went_under(missed: Sequence[Track], came: Sequence[Track]) -> list[Track]:
    """The missed coins that must lie hidden under one that came, since no other pair of the two is possible.

    came  tracks that were not in their places before, each with what it lies on
    """
    pairs = [(lower, upper) for upper in came if _lies_on_unknown(upper) for lower in missed if _can(lower, upper)]
    times = Counter(track.id for pair in pairs for track in pair)
    return [_under(lower, upper) for lower, upper in pairs if times[lower.id] == times[upper.id] == 1]


def _lies_on_unknown(track: Track) -> bool:
    return track.seen.kind == "coin" and track.on is None and track.elevation_mm >= RISEN_MM


def _can(lower: Track, upper: Track) -> bool:
    """Whether it is a coin of that height, and of the same player as far as is told."""
    doubt_mm = max(RISEN_MM, RISEN_SIGMAS * upper.seen.elevation_sigma_mm)
    is_as_high = abs(_ground_mm(lower) + (lower.seen.height_mm or 0.0) - upper.elevation_mm) < doubt_mm
    owners = {lower.seen.owner, upper.seen.owner}
    return lower.seen.kind == "coin" and is_as_high and (len(owners) == 1 or not owners.isdisjoint(_NOBODYS))


def _ground_mm(track: Track) -> float:
    """How high it lies on the table or on a card."""
    return track.elevation_mm if track.elevation_mm < ON_ANOTHER_MM else 0.0


def _under(lower: Track, upper: Track) -> Track:
    ground_mm = _ground_mm(lower)
    seen = upper.seen.raised_to(ground_mm + (lower.seen.height_mm or 0.0))
    (x0, y0), (x1, y1) = lower.seen.position_mm, seen.position_mm
    aside = replace(
        lower.seen.shifted(x1 - x0, y1 - y0),
        elevation_mm=ground_mm,
        elevation_sigma_mm=0.0,
        sigma_mm=float(np.hypot(seen.sigma_mm, _ASIDE_MM)),
        sigma_at_height_mm=None,
        lean=seen.lean,
        shared_sigma_mm=seen.shared_sigma_mm,
        plane=seen.plane,
        image_px=seen.image_px,
    )
    return replace(lower, seen=aside, hidden=True, under=upper.id, on=None, lies_mm=None)
