"""What stands on the table, as it matters to who measures the table's texture from elsewhere."""

from __future__ import annotations

from shapely import union_all

from calibration.kick.parallax import Bodies
from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection
from vision.memory.hiding import hidden_by
from vision.memory.tracker import Tracker

# Outlines of what stands are rough; paper shows like the table itself, a napkin of 2 mm lies aside as coins do. Men of
# 50 mm and mugs of 95 show texture from their feet up: as a rule so high, give or take as much.
_OUTLINE_MM, _FLAT_MM, _TALL_MM = 8.0, 1.0, 30.0


def bodies_of(tracker: Tracker, plane: TablePlane) -> Bodies:
    """The parts of the table that what stands on it hides, with where its outline may be unsure."""
    shown = [track.placed for track in tracker.tracks if not track.hidden]
    standing = [(hidden_by(one, plane), _tall_mm(one)) for one in shown if _tall_mm(one) >= _FLAT_MM]
    hidden_mm = union_all([hidden for hidden, _ in standing]).buffer(_OUTLINE_MM)
    return Bodies(hidden_mm, max((tall_mm for _, tall_mm in standing), default=_FLAT_MM))


def _tall_mm(seen: Detection) -> float:
    """How high a thing may show its texture."""
    is_told = seen.kind not in FIGURES and (seen.height_mm is not None or seen.kind != "terrain")
    return min(seen.elevation_mm + (seen.height_mm or 0.0), _TALL_MM) if is_told else _TALL_MM
