"""Whether the map that a set-up names shows where clicked points have it: they say nothing of a camera moved since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from skimage.morphology import skeletonize

from calibration.maps.roads_elsewhere import RoadsElsewhere, RoadsMm, roads_elsewhere, roads_show
from calibration.plane import TablePlane
from calibration.proof import TrustReport, light_of
from calibration.table import calibrate_table
from ui.measuring.map_lie import roads_by_class_mm, told_of_map
from ui.measuring.table import roads_mm, spec_of
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.setup_file import SetupFile
from vision.detect.roads import road_masks
from vision.frame import Frame
from vision.metric.topview import TopView
from vision.stream.camera_news import CameraNews

UNSEEN = (
    "the map's roads are not seen where the set-up has them: turn the camera back, lay the set-up's map where it lay,"
    " or measure the table again"
)
# Some map lies there if two classes of coloured roads show, each this share of what the set-up's map has: of twelve
# bare tables at most one class shows so; of 18 with a map, and of moved ones, two and more.
_COLOURED, _CLASSES, _SHARE, _PX_PER_MM = ("motorway", "primary", "a", "b"), 2, 0.1, 1.4
# Roads lie no farther from where a plane has them, RMS: of cameras that were turned 0.3 to 0.6 px; of a picture that a
# program shifted by 160 px or cropped, which no lens explains, 1.6 and 2.1, and it is 2 to 6 mm off.
_WORST_PX = 1.0


@dataclass(frozen=True)
class Unseen:
    """A map lies there, and its roads are known again nowhere."""


@dataclass(frozen=True, eq=False)
class ByMap:
    """A table as its map shows it.

    moved  what a match's log says where the roads show elsewhere than clicked points have them, or nowhere
    """

    plane: TablePlane
    moved: Mapping[str, Any] | None = None

    @property
    def is_unseen(self) -> bool:
        """Whether the roads are seen nowhere, as under somebody who leans over the table, too."""
        return UNSEEN in self.plane.notes


def as_the_map_shows(setup: SetupFile | None, plane: TablePlane, frame: Frame) -> ByMap:
    """The plane; measured by the map's roads where they show elsewhere than clicked points have them, and told.

    ValueError where the picture is mirrored, or the roads tell the table not exactly.
    """
    told = map_seen(setup, plane, frame)
    if setup is None or told is None:
        return ByMap(plane)
    if isinstance(told, Unseen):
        lost = CameraNews("lost", "kick", float("nan"))
        return ByMap(replace(plane, notes=(*plane.notes, UNSEEN)), {**lost.fields(), "sentence": UNSEEN})
    news, where = _news(told), f"{setup.path}: calibration: "
    if told.drift.kind == "mirrored":
        raise ValueError(f'{where}{_happened(told)}: switch off "mirror" or "flip"')
    try:
        again = _measured_again(setup, told, frame)
    except ValueError:
        raise ValueError(f"{where}{_happened(told)}: put the camera back, or measure the table again") from None
    sentence = f"{_happened(told)}: it was measured again by the map's roads"
    notes = tuple(note for note in plane.notes if note not in told_of_map(plane))
    return ByMap(replace(again, notes=(*notes, sentence)), {**news.fields(), "sentence": sentence})


def with_map_seen(setup: SetupFile, report: TrustReport, plane: TablePlane, frame: Frame) -> TrustReport:
    """The report: red where the map's roads show elsewhere, amber at best where they show nowhere."""
    told = map_seen(setup, plane, frame)
    if told is None:
        return report
    if isinstance(told, Unseen):
        return replace(
            report, light="amber" if report.light == "green" else report.light, notes=(UNSEEN, *report.notes)
        )
    off_mm = np.maximum(report.map_mm, told.off_mm)
    note = f"{_happened(told)}, by its map's roads: everything would be measured {told.off_mm:.0f} mm off"
    believe_mm = max(report.believe_mm, told.off_mm)
    return replace(
        report, light=light_of(believe_mm), believe_mm=believe_mm, map_mm=off_mm, notes=(note, *report.notes)
    )


def map_seen(setup: SetupFile | None, plane: TablePlane, frame: Frame) -> RoadsElsewhere | Unseen | None:
    """Where the map's roads show if not where the plane has them, or that they are unseen; None for no contradiction.

    None also where the table is measured by what moves with it, and where no map lies there: a map may be in the set-up
    only.
    """
    if setup is None or setup.rules.map is None or not _is_by_places(setup.calibration):
        return None
    roads, size_mm = roads_by_class_mm(setup.rules.map), setup.rules.table_size_mm
    if roads_show(frame.image_bgr, roads, plane, size_mm) is not False:
        return None
    elsewhere = roads_elsewhere(frame.image_bgr, roads, plane, size_mm)
    return elsewhere or (Unseen() if _shows_map(frame, roads, plane, size_mm) else None)


def _is_by_places(block: CalibrationBlock) -> bool:
    """Whether places in a picture that nobody kept are all that measures the table."""
    others = block.seen is not None or block.markers is not None or block.sheet is not None or block.roads
    return bool(block.points) and not others and block.card is None


def _measured_again(setup: SetupFile, told: RoadsElsewhere, frame: Frame) -> TablePlane:
    """By the roads, the clicked points where they show now; ValueError where they are not followed."""
    spec, roads, size_mm = spec_of(setup), setup.rules.map, setup.rules.table_size_mm
    assert roads is not None
    mm = np.array(spec.points)[:, 2:]
    points = tuple(map(tuple, np.c_[told.plane.to_image(mm), mm].tolist()))
    # Coins, too, were measured where they showed then.
    by_map = replace(spec, points=points, points_sigma_px=(), coins=(), circles=(), roads_mm=roads_mm(roads))
    again = calibrate_table(frame.image_bgr, by_map)
    is_exact = again.reprojection_error_px <= _WORST_PX
    if not (is_exact and roads_show(frame.image_bgr, roads_by_class_mm(roads), again, size_mm)):
        raise ValueError("the roads are not where any camera with that lens shows them")
    return again


def _shows_map(frame: Frame, roads: RoadsMm, plane: TablePlane, size_mm: tuple[float, float]) -> bool:
    """Whether coloured lines like a map's roads show on the table."""
    view = TopView.of_table(plane, size_mm, _PX_PER_MM, 0.0, 0.0)
    masks = road_masks(view.resample(frame.image_bgr), view.px_per_mm)
    seen = 0
    for cls in _COLOURED:
        drawn_mm = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in roads.get(cls, ()))
        seen += drawn_mm > 0 and float(skeletonize(masks[cls]).sum()) / view.px_per_mm > _SHARE * drawn_mm
    return seen >= _CLASSES


def _happened(told: RoadsElsewhere) -> str:
    return f"{_news(told).happened} since the table was set up"


def _news(told: RoadsElsewhere) -> CameraNews:
    return CameraNews.of("registered", told.drift, told.drift.shift_px)
