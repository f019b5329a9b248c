"""Is a fisheye's lens told, to the corners of its picture, and no ordinary lens taken for one?

    .venv/bin/python -m benchmarks.fisheyes [--seed 260030] [--views 14]

Five fisheyes (1280 x 720 and others, focal lengths of 0.3 to 0.6 of the width) and the 24 published lenses of
`calibration.bending.published_lenses`, each by so many views of a chessboard whose corners err by 0.08 px in each
coordinate (`calibration.boards.lens_fit.report_lens`). Printed: the model that was taken, RMS, by how many degrees the
rays of places all over the picture are off (median, worst), or why the views are refused. A minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bending.published_lenses import published
from calibration.boards.board import Board, BoardView
from calibration.boards.lens_fit import report_lens
from calibration.lens import Lens

Array = NDArray[np.float64]

BOARD, SQUARE_MM = Board(9, 6), 25.0
CORNERS = np.stack(np.meshgrid(np.arange(9.0), np.arange(6.0)), axis=-1).reshape(-1, 2)
NOISE_PX = 0.08
# Size of the picture, focal length of its width, distortion.
FISHEYES = (
    ((640, 480), 0.5, (0.0, 0.0, 0.0, 0.0)),
    ((1280, 720), 0.45, (-0.02, 0.005, 0.0, 0.0)),
    ((1280, 720), 0.35, (-0.01, 0.0, 0.0, 0.0)),
    ((1920, 1080), 0.3, (0.03, -0.01, 0.002, 0.0)),
    ((1280, 720), 0.6, (0.0, 0.0, 0.0, 0.0)),
)
# A board is held within this share of the way to the corner, and never more aslant to the sight ray.
REACH, MOST_RAD, ASLANT_DEG = 0.9, 1.26, 45.0
EDGE_PX = 8


def lenses() -> Iterator[tuple[str, Lens]]:
    """The fisheyes, then the ordinary ones."""
    for size_px, of_width, distortion in FISHEYES:
        yield f"fisheye {of_width}", _lens(size_px, of_width, distortion, fisheye=True)
    for of_width, k1, k2 in published():
        yield f"ordinary {of_width}", _lens((1280, 720), of_width, (k1, k2, 5e-4, -4e-4, 0.0), fisheye=False)


def _lens(size_px: tuple[int, int], of_width: float, distortion: tuple[float, ...], *, fisheye: bool) -> Lens:
    (width, height), focal_px = size_px, of_width * size_px[0]
    matrix = [[focal_px, 0, width / 2 - 3], [0, focal_px, height / 2 + 4], [0, 0, 1]]
    return Lens.measured(size_px, matrix, distortion, fisheye=fisheye)


def views(lens: Lens, count: int, rng: np.random.Generator) -> list[BoardView]:
    """The board held all about, whole in the picture."""
    found: list[BoardView] = []
    while len(found) < count:
        px = _shown(lens, rng)
        if px is not None:
            noisy = px + rng.normal(0, NOISE_PX, px.shape)
            found.append(BoardView(str(len(found)), noisy, CORNERS, lens.size_px))
    return found


def _shown(lens: Lens, rng: np.random.Generator) -> Array | None:
    """(54, 2) px of the board in one place; None where it is not seen whole."""
    half = np.hypot(*lens.size_px) / 2 / lens.matrix[0, 0]
    off, around = rng.uniform(0, REACH * min(half if lens.fisheye else np.arctan(half), MOST_RAD)), rng.uniform(0, 7)
    ahead = np.array([np.sin(off) * np.cos(around), np.sin(off) * np.sin(around), np.cos(off)])
    across = np.cross([0.0, 1.0, 0.0], ahead) / np.linalg.norm(np.cross([0.0, 1.0, 0.0], ahead))
    slant, towards = np.radians(rng.uniform(0, ASLANT_DEG)), rng.uniform(0, 7)
    tilt = cv2.Rodrigues(slant * np.array([np.cos(towards), np.sin(towards), 0.0]))[0]
    rotation = np.c_[across, np.cross(ahead, across), ahead] @ tilt
    far_mm = rng.uniform(190, 670) * lens.matrix[0, 0] / lens.size_px[0]
    flat = SQUARE_MM * (CORNERS - CORNERS.mean(axis=0))
    places_mm = np.c_[flat, np.zeros(len(flat))] @ rotation.T + far_mm * ahead
    if places_mm[:, 2].min() < SQUARE_MM / 2:
        return None
    px, _ = lens.project(places_mm, np.zeros(3), np.zeros(3))
    inside = ((px > EDGE_PX) & (px < np.array(lens.size_px) - EDGE_PX)).all()
    return px if inside else None


def off_deg(lens: Lens, truth: Lens) -> Array:
    """(63,) between the rays of places all over the picture."""
    width, height = truth.size_px
    across, down = np.linspace(EDGE_PX, width - EDGE_PX, 9), np.linspace(EDGE_PX, height - EDGE_PX, 7)
    px = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    one, other = (_unit(np.c_[each.rays(px), np.ones(len(px))]) for each in (lens, truth))
    return np.asarray(np.degrees(np.arccos(np.clip((one * other).sum(axis=1), -1, 1))), float)


def _unit(rays: Array) -> Array:
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True), float)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=260030)
    options.add_argument("--views", type=int, default=14)
    given = options.parse_args()
    for number, (name, truth) in enumerate(lenses()):
        seen = views(truth, given.views, np.random.default_rng([given.seed, number]))
        try:
            report = report_lens(seen, BOARD)
        except ValueError as error:
            print(f"{name}: refused: {error}", flush=True)
            continue
        taken, off = "fisheye" if report.lens.fisheye else "pinhole", off_deg(report.lens, truth)
        print(
            f"{name}: {taken}, {report.rms_px:.3f} px, rays {np.median(off):.3f} / {off.max():.2f} degrees off",
            flush=True,
        )


if __name__ == "__main__":
    main()
