"""What lies in known places on the table, by which it is measured wherever the camera stands: markers, a printed sheet,
a map's roads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, calibrate_table
from ui.measuring.table import spec_of
from ui.setup.setup_file import SetupFile
from vision.frame import Frame
from vision.tripod.landmark_search import Landmarks

# A table measured so in the middle of a match adds no more than this; one marker far aside does not do.
_WORST_SIGMA_MM = 1.0


def landmarks_of(setup: SetupFile) -> Landmarks | None:
    """What measures the table in a picture, or nothing where too little of it shows; None without any.

    Clicked points are of one picture alone. Cards, coins and a plain sheet's sides tell no place: they look alike from
    all sides.
    """
    spec = _by_landmarks(spec_of(setup))
    if spec is None:
        return None
    measure = partial(_measured, spec, setup.rules.table_size_mm)
    return Landmarks(measure, is_quick=spec.sheet is None and not spec.roads_mm)


def _by_landmarks(spec: CalibrationSpec) -> CalibrationSpec | None:
    """Only what is known by its print; None where nothing is."""
    sheet = spec.sheet if spec.sheet is not None and spec.sheet.image is not None else None
    if spec.markers is None and sheet is None and not spec.roads_mm:
        return None
    bare = replace(spec, points=(), points_sigma_px=(), coins=(), circles=(), card_size_mm=None)
    return replace(bare, sheet=sheet)


def _measured(spec: CalibrationSpec, table_size_mm: tuple[float, float], frame: Frame, lens: Lens) -> TablePlane | None:
    """Through the lens as it is known by now: to tell it again from one picture takes three times as long."""
    try:
        plane = calibrate_table(frame.image_bgr, replace(spec, lens=replace(lens, known=True)))
    except ValueError:
        return None
    width, depth = table_size_mm
    corners_mm = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)
    sigma_mm = plane.sigma_mm(plane.to_image(corners_mm))
    return plane if bool(np.all(sigma_mm <= _WORST_SIGMA_MM)) else None
