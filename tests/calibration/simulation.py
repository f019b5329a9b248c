"""Calibrations by the thousand: cameras, lenses and references that err as they are said to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.markers import corners_mm
from calibration.plane import fit_plane
from calibration.solve import square_root
from tests.calibration.table_picture import a_camera, a_lens

Array = NDArray[np.float64]

SIZE = (1920, 1080)
TABLE = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
POINTS = (TABLE, tuple(f"point {i + 1}" for i in range(4)))
EIGHT_POINTS = (np.vstack([TABLE, [[350, 0], [700, 250], [350, 500], [0, 250]]]), tuple(f"point {i}" for i in range(8)))
_CENTRES = ((20, 20), (680, 20), (680, 480), (20, 480))
MARKERS = (
    np.vstack([corners_mm(centre, 40) for centre in _CENTRES]),
    tuple(f"marker {i}" for i in range(4) for _ in range(4)),
)
DETECTION_PX = 0.1


def simulate(
    reference: tuple[Array, tuple[str, ...]],
    noise_px: float,
    stated_px: float,
    *,
    height_mm: float = 0.0,
    tables: int = 100,
    lens_known: bool = True,
    placing_mm: float = 0.0,
    seed: int = 0,
) -> tuple[Array, Array]:
    """Errors and stated sigmas (mm) of 20 places on each table, each camera with another error of its lens."""
    rng = np.random.default_rng(seed)
    lens = a_lens(SIZE)
    root = square_root(lens.covariance)
    told: list[tuple[Array, Array]] = []
    mm, sources = reference
    for _ in range(tables):
        true_lens = lens.with_parameters(lens.parameters + root @ rng.normal(size=root.shape[1]))
        turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-30, 30)}
        camera = a_camera(rng.uniform(35, 75), rng.uniform(750, 1000), **turns, lens=true_lens)
        slips = {name: rng.normal(0, placing_mm, 2) for name in dict.fromkeys(sources)}
        laid = mm + np.array([slips[name] for name in sources])
        seen = Correspondences.of(camera.to_image(laid) + rng.normal(0, noise_px, mm.shape), mm, sources, stated_px)
        seen = replace(seen, placing_mm=placing_mm)
        plane = fit_plane(seen, lens if lens_known else None, SIZE, (700, 500))
        places = rng.uniform((0, 0), (700, 500), (20, 2))
        px = camera.to_image(places, height_mm) + rng.normal(0, DETECTION_PX, places.shape)
        error_mm = np.hypot(*(plane.to_table(px, height_mm) - places).T)
        told.append((error_mm, plane.sigma_mm(px, DETECTION_PX, height_mm)))
    errors, sigmas = zip(*told, strict=True)
    return np.concatenate(errors), np.concatenate(sigmas)
