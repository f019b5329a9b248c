"""What can have happened between the look last agreed and this one, unseen: where, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from vision.detection import FIGURES, Detection
from vision.likeness import covered_share
from vision.screens import HIDDEN_SHARE
from vision.seen_again import seen_again, seen_elsewhere
from vision.still_there import shows_in_part
from vision.track import Track


@dataclass(frozen=True)
class Between:
    """When the look was, and what could have changed until then; the rest as `vision.tracker.Tracker.after` has it."""

    t_s: float
    cover_mm: BaseGeometry | None
    changed_mm: BaseGeometry | None
    hides: Callable[[Detection], BaseGeometry]
    beyond_mm: BaseGeometry | None
    from_elsewhere: bool

    def may_change(self, seen: Detection) -> bool:
        """Whether it lies where the picture changed, or is a figure whose body shows there: a foot is soon hidden."""
        if self.changed_mm is None or seen.footprint.intersects(self.changed_mm):
            return True
        body_mm = self.hides(seen) if seen.kind in FIGURES else seen.footprint
        return float(body_mm.intersection(self.changed_mm).area) >= HIDDEN_SHARE * float(body_mm.area)

    def also_covered(self, missed: Sequence[Detection]) -> BaseGeometry:
        """What could not be seen, with all of the coins that something covers in part: they are soon not found then."""
        cover_mm = self.cover_mm or MultiPolygon()
        in_part = [one.footprint for one in missed if shows_in_part(one, self.changed_mm, cover_mm)]
        return union_all([cover_mm, *in_part])

    def is_beyond(self, track: Track) -> bool:
        """Whether so much of it lies beyond the picture that it is not seen."""
        return covered_share(track.seen, self.beyond_mm or MultiPolygon()) >= HIDDEN_SHARE

    def is_carried_off(self, track: Track) -> bool:
        """Whether the camera was carried to where it does not show the piece, which it did show."""
        return self.from_elsewhere and not track.hidden and self.is_beyond(track)

    def lies_still(self, track: Track, seen: Detection) -> bool:
        """Whether what looks otherwise or half aside from elsewhere lies where it did."""
        return self.from_elsewhere and track.seen.footprint.intersects(seen.footprint)

    def again(self, track: Track, seen: Detection) -> Track:
        """The track seen again in its place."""
        shifted_mm = MultiPolygon() if self.from_elsewhere else self.changed_mm
        return seen_again(track, seen, self.t_s, shifted_mm, self.cover_mm)

    def moved(self, track: Track, seen: Detection) -> Track:
        """The track where it is seen now; as it was, if it lies still."""
        if self.lies_still(track, seen):
            return replace(track, seen_s=self.t_s, hidden=False, under=None)
        return seen_elsewhere(track, seen, self.t_s)
