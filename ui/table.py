"""From a set-up file and a picture to the table plane that everything is measured on."""

from __future__ import annotations

import numpy as np

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import TablePlane, fit_plane
from ui.setup_file import CameraBlock, SetupFile
from vision.frame import Frame


def lens_of(camera: CameraBlock) -> Lens:
    """The lens that a `[camera]` block describes."""
    matrix = np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
    count = 4 if camera.model == "fisheye" else 5
    distortion = (*camera.distortion, *(0.0,) * count)[:count]
    return Lens.measured(camera.size_px, matrix, distortion, fisheye=camera.model == "fisheye")


def plane_for(setup: SetupFile, frame: Frame) -> TablePlane:
    """The table plane in `frame`, by everything that the set-up calibrates with.

    ValueError says what is missing or contradicts, and names the set-up file.
    """
    height, width = frame.image_bgr.shape[:2]
    lens = lens_of(setup.camera) if setup.camera is not None else None
    try:
        return fit_plane(_seen(setup), lens, (width, height), setup.rules.table_size_mm)
    except ValueError as error:
        raise ValueError(f"{setup.path}: calibration: {error}") from None


def _seen(setup: SetupFile) -> Correspondences:
    points = np.array(setup.calibration.points).reshape(-1, 4)
    return Correspondences.joined([Correspondences.of(points[:, :2], points[:, 2:])])
