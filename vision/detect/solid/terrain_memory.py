"""Terrain measured before under one camera, so that what stays where it is need not be measured again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from shapely import Polygon

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.sheet.sheet_form import named_by_form
from vision.detect.solid.glance import Sight
from vision.detect.solid.guesses import middle_mm
from vision.detect.solid.parts import whole_once
from vision.detect.solid.terrain_shape import Proposal, is_cut, is_low, measured
from vision.detection import Detection
from vision.metric.topview import TopView
from vision.shared import shared

# What the net proposes wanders by less than this from look to look while a thing stays: middle, and area as a share.
_SAME_MM, _SAME_AREA = 1.0, 0.03


@dataclass(eq=False)
class TerrainMemory:
    """Terrain measured before under one camera: a measurement costs 80 ms, and most terrain stays where it is.

    beside  threads that can measure other things meanwhile
    """

    beside: Executor | None = None
    _plane: TablePlane | None = None
    _kept: list[tuple[Detection, Detection | None]] = field(default_factory=list)

    def measured(
        self, things: Sequence[Proposal], close: Sight[TopView], wide: Callable[[], Sight[TopView]] | None = None
    ) -> list[Detection]:
        """Each thing as `measured` has it, sheets only once. Things that are proposed as before are not measured again.

        wide  makes a sight that goes on beyond the close one, in which the tops of what stands near the edge show
        """
        if self._plane is not close.plane:
            self._plane, self._kept = close.plane, []
        kept = [next((pair for pair in self._kept if _same(pair[0], known.thing)), None) for known in things]
        every = [known.thing for known in things]
        new = [known for known, pair in zip(things, kept, strict=True) if pair is None]
        cut = [wide is not None and is_cut(known, close) for known in new]
        far = wide() if wide is not None and any(cut) else close
        sights = [far if each else close for each in cut]
        each = [partial(measured, known, sight, every) for known, sight in zip(new, sights, strict=True)]
        found = iter(shared(each, self.beside))
        self._kept = [pair or (known.thing, next(found)) for known, pair in zip(things, kept, strict=True)]
        printed = [thing.footprint for thing, found in self._kept if found is None and not is_low(thing)]
        return whole_once(
            named_by_form(_as_seen_now(before, known.thing), known.thing.class_log_probs)
            for known, (_, before) in zip(things, self._kept, strict=True)
            if before is not None and not _is_ring_of(known, printed)
        )


def _as_seen_now(before: Detection, thing: Detection) -> Detection:
    """What was measured before, as sure and of such a colour as the net says now; a name that its shape gave it is as
    likely as that made it: of what has no name the net says how likely it is anything."""
    is_renamed = before.cls not in (thing.cls, UNKNOWN)
    confidence = before.confidence if is_renamed else thing.confidence
    return replace(before, confidence=confidence, colour=thing.colour)


def _is_ring_of(known: Proposal, printed: Sequence[Polygon]) -> bool:
    """Whether a rim below which the net sees nothing is a ring of what turned out to be print."""
    is_rim_alone = known.drum is not None and not known.thing.class_log_probs
    return is_rim_alone and any(outline.contains(known.thing.footprint.centroid) for outline in printed)


def _same(one: Detection, other: Detection) -> bool:
    return (
        one.cls == other.cls
        and float(np.hypot(*np.subtract(middle_mm(one), middle_mm(other)))) < _SAME_MM
        and abs(one.footprint.area / other.footprint.area - 1) < _SAME_AREA
    )
