"""Calibrations by the thousand: cameras, lenses and references that err as they are said to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import corners_mm
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.fit.solve import square_root
from calibration.lens import Lens
from calibration.plane import TablePlane
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


# Focal length of the width, k1 and k2 of webcams: the first measured from photographs of boards, the others published
# as camera_info files of robots (USB cameras of 640 to 1920 px, OpenCV's model).
WEBCAMS = (
    (0.800, 0.163, -0.450),
    (0.899, 0.170, -0.697),
    (0.907, 0.134, -0.312),
    (1.130, 0.110, -0.557),
    (0.804, 0.032, -0.045),
    (0.548, 0.019, -0.041),
    (0.607, -0.115, 0.103),
)
# Seven further published ones; whose cameras they are is partly a guess.
FURTHER_LENSES = (
    (0.695, 0.118, -0.358),
    (0.729, 0.022, -0.038),
    (1.383, 0.179, -0.538),
    (1.420, -0.163, 0.084),
    (0.724, -0.174, 0.107),
    (0.503, -0.200, 0.069),
    (0.597, -0.056, 0.124),
)
# Wide lenses, from the same sources: barrels that no webcam is sold with.
WIDE_LENSES = ((0.833, -0.281, 0.070), (0.888, -0.513, 0.204), (1.314, -0.313, 0.065))

# Wide webcams, published likewise (640 to 1024 px across, most of one kind of module for small robots).
WIDE_WEBCAMS = (
    (0.486, -0.257, 0.045),
    (0.527, -0.273, 0.052),
    (0.526, -0.318, 0.095),
    (0.500, -0.237, 0.0505),
    (0.577, -0.332, 0.068),
    (0.673, -0.307, 0.0825),
)

# Found after the interval of clicked points was settled, and what settles it (calibration.bending.published_lenses)
# looked at none of them nor of the ones above: twenty of further public repositories, as they came.
LATER_LENSES = (
    (0.844, -0.013, -0.022),
    (0.614, -0.320, 0.094),
    (0.670, -0.395, 0.155),
    (1.135, 0.144, -0.161),
    (0.790, 0.183, -0.336),
    (0.714, 0.061, -0.098),
    (0.933, 0.159, -0.340),
    (0.517, -0.265, 0.049),
    (0.445, 0.135, -0.097),
    (1.263, 0.040, 0.046),
    (0.350, -0.001, -0.009),
    (0.424, -0.027, -0.004),
    (1.125, -0.293, 0.302),
    (0.835, 0.131, -0.295),
    (1.028, 0.046, -0.107),
    (0.802, 0.013, -0.207),
    (0.732, 0.163, -0.158),
    (0.564, -0.319, 0.089),
    (0.775, 0.072, -0.070),
    (0.686, -0.026, -0.062),
)


def a_webcam_lens(rng: np.random.Generator, among: tuple[tuple[float, float, float], ...] = WEBCAMS) -> Lens:
    """A lens as webcams come: one of `among` or one much like it, off centre by 1 %."""
    focal, k1, k2 = np.array(among[rng.integers(len(among))]) * rng.uniform(0.8, 1.2, 3)
    focal_px = focal * SIZE[0]
    centre = np.array([959.5, 539.5]) + rng.normal(0, 0.01 * SIZE[0], 2)
    distortion = (k1, k2, *rng.normal(0, 1e-3, 2), 0.0)
    return Lens.measured(SIZE, [[focal_px, 0, centre[0]], [0, focal_px, centre[1]], [0, 0, 1]], distortion)


def a_cut_camera(rng: np.random.Generator) -> TablePlane:
    """A camera without distortion whose picture, with the table in its middle, was cut out of a far larger one."""
    focal_px, middle = rng.uniform(0.6, 0.95) * SIZE[0], (np.array(SIZE) - 1) / 2
    while True:
        axis = rng.uniform(-0.4, 1.4, 2) * SIZE
        lens = Lens.measured(SIZE, [[focal_px, 0, axis[0]], [0, focal_px, axis[1]], [0, 0, 1]])
        turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-30, 30)}
        camera = a_camera(rng.uniform(35, 75), rng.uniform(750, 1000) * focal_px / 1450, **turns, lens=lens)
        ray = np.r_[(middle - axis) / focal_px, 1.0]
        to_middle = camera.rotation @ [350.0, 250.0, 0.0]
        away_mm = float(np.linalg.norm(to_middle + camera.tvec))
        camera = replace(camera, tvec=ray / np.linalg.norm(ray) * away_mm - to_middle)
        corners_px = camera.to_image(TABLE)
        if camera.camera_position_mm[2] > 250 and (corners_px > -200).all() and (corners_px < np.add(SIZE, 200)).all():
            return camera


def _some_way(rng: np.random.Generator) -> Array:
    turn = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(turn), np.sin(turn)])


def simulate(
    reference: tuple[Array, tuple[str, ...]],
    noise_px: float,
    stated_px: float,
    *,
    height_mm: float = 0.0,
    tables: int = 100,
    lens_known: bool = True,
    any_lens: bool = False,
    among: tuple[tuple[float, float, float], ...] = WEBCAMS,
    cut: bool = False,
    placing_mm: float = 0.0,
    pushed_mm: float = 0.0,
    seed: int = 0,
) -> tuple[Array, Array]:
    """Errors and stated sigmas (mm) of 20 places on each table, each camera with another error of its lens.

    cut       the pictures are parts of far larger ones (`a_cut_camera`)
    any_lens  draw whole lenses as webcams have them (`a_webcam_lens`, `among` these), instead of errors of one lens
    pushed_mm how far one thing of each table, and nobody said so, was pushed some way
    """
    rng = np.random.default_rng(seed)
    lens = a_lens(SIZE)
    root = square_root(lens.covariance)
    told: list[tuple[Array, Array]] = []
    mm, sources = reference
    for _ in range(tables):
        known = lens.with_parameters(lens.parameters + root @ rng.normal(size=root.shape[1]))
        true_lens = a_webcam_lens(rng, among) if any_lens else known
        turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-30, 30)}
        away_mm = rng.uniform(750, 1000) * true_lens.matrix[0, 0] / lens.matrix[0, 0]
        ordinary = a_camera(rng.uniform(35, 75), away_mm, **turns, lens=true_lens)
        camera = a_cut_camera(rng) if cut else ordinary
        slips = {name: rng.normal(0, placing_mm, 2) for name in dict.fromkeys(sources)}
        if pushed_mm:
            slips[sources[rng.integers(len(sources))]] += pushed_mm * _some_way(rng)
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
