"""From a set-up file and a picture to the table plane that everything is measured on."""

from __future__ import annotations

import numpy as np

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.markers import corners_mm, find_markers
from calibration.plane import TablePlane, fit_plane
from ui.setup_file import CameraBlock, MarkerSheet, SetupFile
from vision.frame import Frame


def lens_of(camera: CameraBlock) -> Lens:
    """The lens that a `[camera]` block describes."""
    matrix = np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
    count = 4 if camera.model == "fisheye" else 5
    distortion = (*camera.distortion, *(0.0,) * count)[:count]
    return Lens.measured(camera.size_px, matrix, distortion, fisheye=camera.model == "fisheye")


def plane_for(setup: SetupFile | None, frame: Frame) -> TablePlane:
    """The table plane in `frame`, by everything that the set-up calibrates with, or by cards without one.

    ValueError says what is missing or contradicts, and names the set-up file.
    """
    if setup is None:
        raise ValueError(f"{frame.source}: nothing tells how large things are; give --setup with a [calibration]")
    height, width = frame.image_bgr.shape[:2]
    lens = lens_of(setup.camera) if setup.camera is not None else None
    try:
        return fit_plane(_seen(setup, frame), lens, (width, height), setup.rules.table_size_mm)
    except ValueError as error:
        raise ValueError(f"{setup.path}: calibration: {error}") from None


def _seen(setup: SetupFile, frame: Frame) -> Correspondences:
    points = np.array(setup.calibration.points).reshape(-1, 4)
    parts = [Correspondences.of(points[:, :2], points[:, 2:])]
    sheet = setup.calibration.markers
    if sheet is not None:
        parts.append(_seen_markers(sheet, frame))
        if not any(len(part) for part in parts):
            wanted = f"{sheet.dictionary} markers {', '.join(map(str, sheet.centres))}"
            raise ValueError(f"none of the {wanted} is in {frame.source}; lay them down, or check the dictionary")
    return Correspondences.joined(parts)


def _seen_markers(sheet: MarkerSheet, frame: Frame) -> Correspondences:
    found = find_markers(frame.image_bgr, sheet.dictionary, tuple(sheet.centres))
    table_mm = [corners_mm(sheet.centres[m.id], sheet.size_mm, sheet.turn_deg.get(m.id, 0.0)) for m in found]
    return Correspondences.of(
        np.array([marker.corners_px for marker in found]).reshape(-1, 2),
        np.array(table_mm).reshape(-1, 2),
        [f"marker {marker.id}" for marker in found for _ in range(4)],
        np.repeat([marker.sigma_px for marker in found], 4),
    )
