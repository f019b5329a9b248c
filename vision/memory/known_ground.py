"""Coins that went where nothing lay: what nobody put there does not lie under them.

In one picture a coin may be the top of a stack that hides the coins below it, and where that is not excluded its sigma
says so (`vision.detect.coin.lift`). In a match every piece has been followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.detection import ON_ANOTHER_MM, Detection
from vision.track import Track

# By so much the sigmas of the looks that agreed differ by themselves; doubt of a stack makes them three to six times as
# large.
_BY_LOOKS = 1.2


def on_known_ground(before: Sequence[Track], after: Sequence[Track]) -> tuple[Track, ...]:
    """The tracks `after` a look; where no stack can be below a coin, its sigma no longer allows for one.

    That is so of a coin that plainly lay on the table by itself `before` and covers no piece that was seen then. A coin
    from beside the table, or one in doubt at first, may have brought others below it.
    """
    alone = {track.id for track in before if _lies_plainly(track) and not _covers_any(track, before)}
    return tuple(_sure(track) if track.id in alone and not _covers_any(track, after) else track for track in after)


def _lies_plainly(track: Track) -> bool:
    return track.seen.kind == "coin" and track.elevation_mm < ON_ANOTHER_MM and not is_in_doubt(track.seen)


def is_in_doubt(seen: Detection) -> bool:
    """Whether what it may lie on adds to its sigma."""
    return seen.sigma_at_height_mm is not None and seen.sigma_mm > _BY_LOOKS * seen.sigma_at_height_mm


def _covers_any(track: Track, tracks: Sequence[Track]) -> bool:
    hidden = (other for other in tracks if other.hidden and other.id != track.id)
    return any(other.seen.footprint.intersects(track.seen.footprint) for other in hidden)


def _sure(track: Track) -> Track:
    """A coin that lies on the table, past doubt; what is seen to lie higher is left as it is."""
    at_height_mm = track.seen.sigma_at_height_mm
    if track.elevation_mm >= ON_ANOTHER_MM or at_height_mm is None:
        return track
    return replace(track, seen=replace(track.seen, sigma_mm=at_height_mm, elevation_sigma_mm=0.0))
