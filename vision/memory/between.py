"""What may have happened, unseen, between the look last agreed and this one: where, and to which pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from vision.detection import FIGURES, Detection
from vision.memory.likeness import covered_share
from vision.memory.screens import HIDDEN_SHARE
from vision.memory.seen_again import seen_again, seen_elsewhere
from vision.memory.still_there import CHANGED_SHARE, shows_in_part
from vision.motion.by_light import LightAlone, Lit
from vision.track import Track


@dataclass(frozen=True)
class Between:
    """When a look was and what may have changed before it; fields are parameters of
    `vision.memory.tracker.Tracker.after`."""

    t_s: float
    cover_mm: BaseGeometry | None
    changed_mm: BaseGeometry | None
    hides: Callable[[Detection], BaseGeometry]
    beyond_mm: BaseGeometry | None
    from_elsewhere: bool
    light_alone: LightAlone = lambda seen, since_s: None

    def may_change(self, seen: Detection) -> bool:
        """Whether a thing lies where the picture changed; of a figure its body counts too: a foot is easily hidden."""
        if self.changed_mm is None or seen.footprint.intersects(self.changed_mm):
            return True
        body_mm = self.hides(seen) if seen.kind in FIGURES else seen.footprint
        return float(body_mm.intersection(self.changed_mm).area) >= HIDDEN_SHARE * float(body_mm.area)

    def hardly_changed(self, seen: Detection) -> bool:
        """Whether hardly any of the picture changed where a figure stands, and of what it hides."""
        if self.changed_mm is None:
            return False
        shows_mm = seen.footprint, self.hides(seen)
        return all(part.intersection(self.changed_mm).area < CHANGED_SHARE * part.area for part in shows_mm)

    def is_lit(self, track: Track) -> Lit | None:
        """Which way the light on a coin in sight changed since it was seen, if that is all that changed about it: it
        lies there still, for nothing moved."""
        is_coin = track.seen.kind == "coin" and not track.hidden
        changed = is_coin and self.changed_mm is not None and self.may_change(track.seen)
        return self.light_alone(track.seen, track.seen_s) if changed else None

    def came_to_light(self, seen: Detection) -> bool:
        """Whether a coin that is new to the scene lay there before: light alone ever changed its place."""
        is_coin = seen.kind == "coin" and self.changed_mm is not None
        return is_coin and self.light_alone(seen, -math.inf) is not None

    def also_covered(self, missed: Sequence[Detection]) -> BaseGeometry:
        """What could not be seen, and the whole of each coin that it covers in part: the eyes often miss such coins."""
        cover_mm = self.cover_mm or MultiPolygon()
        in_part = [one.footprint for one in missed if shows_in_part(one, self.changed_mm, cover_mm)]
        return union_all([cover_mm, *in_part])

    def is_beyond(self, track: Track) -> bool:
        """Whether too much of the piece lies outside the picture for it to be seen."""
        return covered_share(track.seen, self.beyond_mm or MultiPolygon()) >= HIDDEN_SHARE

    def is_carried_off(self, track: Track) -> bool:
        """Whether the camera was carried to where it shows the piece no more, which it showed before."""
        return self.from_elsewhere and not track.hidden and self.is_beyond(track)

    def is_kept_unseen(self, track: Track) -> bool:
        """Whether the place of a piece that was hidden before cannot be seen now either, or shows it fallen over."""
        return track.hidden and covered_share(track.seen, self.cover_mm or MultiPolygon()) >= HIDDEN_SHARE

    def lies_still(self, track: Track, seen: Detection) -> bool:
        """Whether a piece that looks different since the camera was carried lies where it lay: its footprints meet."""
        return self.from_elsewhere and track.seen.footprint.intersects(seen.footprint)

    def again(self, track: Track, seen: Detection) -> Track:
        """The track seen again in its place."""
        shifted_mm = MultiPolygon() if self.from_elsewhere else self.changed_mm
        return seen_again(track, seen, self.t_s, shifted_mm, self.cover_mm)

    def moved(self, track: Track, seen: Detection) -> Track:
        """The track at the place where it is seen now; at its old one if it `lies_still`."""
        if self.lies_still(track, seen):
            return replace(track, seen_s=self.t_s, hidden=False, under=None)
        return seen_elsewhere(track, seen, self.t_s)
