"""What is believed of a table on which an arm lingers or something never rests: what lies under it is not read, and a
piece that the arm's hand may hold is not called gone at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from shapely import MultiPolygon
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection
from vision.frame import Frame
from vision.memory.hiding import hidden_by
from vision.memory.likeness import covered_share
from vision.memory.tracker import Tracker
from vision.metric.outline import mask_of, shown_px
from vision.motion.change import Change, light_gain, lit_by
from vision.motion.hand import region_mm
from vision.motion.lingering import LATELY_S, Doubt, around, chosen, parts_of, together
from vision.track import Track

# What lies under an arm with more than this share of it is not read; nor is it soon believed to be gone where the arm
# was over so much of it.
_SHARE = 0.3
# A piece that somebody else took is where the arm was lately, or gone; one that the arm took may be held in its hand.
_TAKEN_S, _HELD_S = LATELY_S + 1.0, 12.0

# The tracker after a look, by what could not be seen, and may have changed, besides.
After = Callable[[BaseGeometry], Tracker]


@dataclass(frozen=True)
class SetAside:
    """What was set aside of a change at a time, s.

    given_up  pieces, by their ids, that would have come back by then if they were in the arm's hand
    """

    change: Change
    plane: TablePlane
    t_s: float
    given_up: Collection[str] = ()

    @cached_property
    def here_mm(self) -> BaseGeometry:
        """Where nothing is read."""
        aside = self.change.aside
        return MultiPolygon() if aside is None else region_mm(aside.here, self.change.scale, self.plane)

    def seen(self, look: Sequence[Detection]) -> tuple[Detection, ...]:
        """What a look saw elsewhere."""
        return tuple(each for each in look if not self._is_here(each))

    def after(self, before: Tracker, step: After) -> tuple[Tracker, tuple[Doubt, ...]]:
        """The tracker after a look, and the pieces in doubt. These, with what they hide, and whatever lies under the
        arm stay as they were, unless the latter is what newly shows elsewhere."""
        tracker = step(MultiPolygon())
        if self.change.aside is None:
            return tracker, ()
        if {track.id for track in tracker.tracks} - {track.id for track in before.tracks}:
            tracker = step(self.here_mm)
        known = {track.id for track in tracker.tracks if not track.hidden or track.under is not None}
        lost = [track for track in before.tracks if not track.hidden and track.id not in known]
        here = [track for track in lost if self._is_here(track.seen)]
        doubtful = [track for track in lost if self._may_be_held(track) and track not in here]
        kept = {track.id: track for track in (*here, *doubtful)}
        kept |= {track.id: track for track in before.tracks if track.under in kept and track.id not in known}
        return _keeping(before, tracker, kept), tuple(self._doubt(track) for track in doubtful)

    def agreed(self, frame: Frame, before: Callable[[], Frame], doubts: Sequence[Doubt]) -> Frame:
        """What shows the table that is agreed: what was read of the frame, and else what showed the table before,
        since shadows of an arm reach far."""
        if self.change.aside is None:
            return frame
        image_bgr, was_bgr = frame.image_bgr, before().image_bgr
        unread = together(self.change.aside.here, *(doubt.place for doubt in doubts))
        read = cv2.subtract(around(self.change.changed), unread)
        is_read = cv2.resize(read, image_bgr.shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None] > 0
        lit_bgr = lit_by(was_bgr, light_gain(was_bgr, image_bgr))
        return replace(frame, image_bgr=np.where(is_read, image_bgr, lit_bgr).astype(np.uint8))

    def _is_here(self, seen: Detection) -> bool:
        return covered_share(seen, self.here_mm) > _SHARE

    def _may_be_held(self, track: Track) -> bool:
        return self._touched_mm is not None and track.id not in self.given_up

    def _doubt(self, track: Track) -> Doubt:
        """What is missing is looked for again when it would have come back."""
        is_held = self._touched_mm is not None and covered_share(track.seen, self._touched_mm) > _SHARE
        body_px, shrink = shown_px(hidden_by(track.seen, self.plane), self.plane), self.change.scale
        body_px = scale(body_px, shrink, shrink, origin=(0, 0))
        shown, parts = mask_of(body_px, self.change.changed.shape), parts_of(self.change.changed)
        place = around(shown, chosen(parts, parts[shown > 0]))
        return Doubt(track.id, place, self.t_s + (_HELD_S if is_held else _TAKEN_S))

    @cached_property
    def _touched_mm(self) -> BaseGeometry | None:
        touched = None if self.change.aside is None else self.change.aside.touched
        return None if touched is None else region_mm(touched, self.change.scale, self.plane)


def _keeping(before: Tracker, after: Tracker, kept: dict[str, Track]) -> Tracker:
    """The later tracker, but for tracks that stay as they were, in the order of the earlier."""
    tracks = {track.id: track for track in after.tracks} | kept
    old = [tracks.pop(track.id) for track in before.tracks if track.id in tracks]
    return replace(after, tracks=(*old, *tracks.values()))
