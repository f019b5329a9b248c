"""Vessels and what the net proposes, each thing once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapely import union_all

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.round.vessels import CLASSES, Vessel
from vision.detect.solid.terrain_shape import Proposal
from vision.detection import Detection

# What the net proposes is a vessel if so much of both footprints is common; and goes out if vessels hide so much of it.
_IS, _HIDDEN = 0.4, 0.5
# From so much on, other things than mugs are measured better from what the net proposes (rendered pictures).
_AGREED = 0.6


def joined(vessels: Sequence[Vessel], things: Sequence[Detection], plane: TablePlane) -> list[Proposal]:
    """Vessels that were found by their rims and things that the net proposes, in one list without doubles.

    A round or nameless thing with a vessel's footprint is that vessel. A thing most of which vessels hide that are told
    is left out.
    """
    alone = list(vessels)
    found: list[Proposal] = []
    rest: list[Detection] = []
    for thing in things:
        vessel = max(alone, key=lambda vessel: _common(vessel, thing), default=None)
        if thing.cls not in CLASSES:
            found.append(Proposal(thing))
        elif vessel is not None and _common(vessel, thing) > _IS and not _spans(thing, vessel, vessels):
            alone.remove(vessel)
            found.append(_both(vessel, thing))
        else:
            rest.append(thing)
    bodies = union_all([vessel.body for vessel in vessels if vessel not in alone or vessel.is_itself])
    shown = [thing for thing in rest if thing.footprint.intersection(bodies).area < _HIDDEN * thing.footprint.area]
    by_rims = [Proposal(vessel.detection(plane), vessel.drum) for vessel in alone if vessel.is_itself]
    return [*found, *map(Proposal, shown), *by_rims]


def _spans(thing: Detection, vessel: Vessel, vessels: Sequence[Vessel]) -> bool:
    """Whether what the net takes for one thing is another vessel beside this one as well."""
    others = [other.footprint for other in vessels if other is not vessel and other.is_low == vessel.is_low]
    return any(thing.footprint.intersection(other).area > _HIDDEN * other.area for other in others)


def _both(vessel: Vessel, thing: Detection) -> Proposal:
    """What the net proposes, by the vessel's name if it has none."""
    named = replace(thing, cls=vessel.name) if thing.cls == UNKNOWN else thing
    by_rim = vessel.name == "mug" or _common(vessel, thing) < _AGREED
    return Proposal(named, vessel.drum if by_rim else None)


def _common(vessel: Vessel, thing: Detection) -> float:
    shape = vessel.footprint
    return float(shape.intersection(thing.footprint).area / shape.union(thing.footprint).area)
