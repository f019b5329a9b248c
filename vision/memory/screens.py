"""What stands between the camera and things behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shapely import union_all
from shapely.geometry.base import BaseGeometry

from rules.scene import Kind
from vision.detection import FIGURES, Detection
from vision.memory.likeness import covered_share, is_in_place
from vision.track import Track

# A thing is hidden when this share of its footprint is covered by something else or by a hand.
HIDDEN_SHARE = 0.35
# Kinds that are tall enough to hide what lies behind them.
STANDING: tuple[Kind, ...] = (*FIGURES, "die", "terrain")
# From what chance on a figure is told that comes in sight behind another: one hand seldom brings two.
SURE_BEHIND = 0.9


@dataclass(frozen=True)
class Screen:
    """A standing thing, the part of the table that it hides from the camera, and whether it came with this look."""

    thing: Detection
    hides_mm: BaseGeometry
    is_new: bool


def is_behind(track: Track, screens: Sequence[Screen]) -> bool:
    """Whether things that stand elsewhere hide its foot; for a track in sight, only those that came with this look."""
    before = [
        screen.hides_mm
        for screen in screens
        if (screen.is_new or track.hidden) and not is_in_place(track.seen, screen.thing)
    ]
    return covered_share(track.seen, union_all(before)) >= HIDDEN_SHARE


def came_up(screens: Sequence[Screen], visible: Sequence[Track]) -> list[Screen]:
    """The screens that came with this look and were taken for a piece."""
    return [s for s in screens if s.is_new and any(is_in_place(track.seen, s.thing) for track in visible)]


def is_part_of_another(came: Detection, screens: Sequence[Screen]) -> bool:
    """Whether a figure that comes in sight, none too surely, is rather the rider or the head of one before it."""
    if came.kind not in FIGURES or came.confidence > SURE_BEHIND:
        return False
    others = (s.hides_mm for s in screens if s.thing is not came and s.thing.kind in FIGURES)
    return any(covered_share(came, hides_mm) >= HIDDEN_SHARE for hides_mm in others)
