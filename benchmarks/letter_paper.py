"""How many mm a real camera measures a real sheet of paper to: letter paper on a board whose markers tell the table.

    .venv/bin/python -m benchmarks.letter_paper PHOTOS

The ten photographs of `benchmarks.marked_board` (640 x 480 px, 1.6 mm a px, no lens file) that show a whole sheet of
279.4 x 215.9 mm under something small. Each picture's markers alone measure the table; then the strongest edge is found
at 60 places along each side of the sheet and a line laid through them on the table: its sides' distances are the
sheet's size. The markers' own size was told by these sheets, all together, so their mean length and breadth are not
asked; how far each sheet is off in each picture is, and whether length and breadth fit to each other.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from benchmarks.arguments import existing
from benchmarks.marked_board import FOLDER, SPEC, truth
from calibration.plane import TablePlane
from calibration.table import calibrate_table
from vision.stream.picture import read_picture

Array = NDArray[np.float64]
LETTER_MM = (279.4, 215.9)
# Places along a side, away from its ends; how far across the edge is looked for, in what steps.
ALONG = np.linspace(0.06, 0.94, 60)
ACROSS_MM = np.arange(-9, 9.01, 0.4)
# Grey levels a step: weaker slopes are paper. Points farther from the line than so many of their scatter are others'.
FAINTEST, OTHERS = 3.0, 2.5


def side(gray: NDArray[np.uint8], plane: TablePlane, start_mm: Array, end_mm: Array) -> tuple[Array, Array]:
    """A point and the unit normal of the line through the strongest edge between two corners, table mm."""
    along = (end_mm - start_mm) / np.hypot(*(end_mm - start_mm))
    normal = np.array([-along[1], along[0]])
    feet = start_mm + ALONG[:, None] * (end_mm - start_mm)
    px = plane.to_image((feet[:, None] + ACROSS_MM[:, None] * normal).reshape(-1, 2)).astype(np.float32)
    shown = cv2.remap(gray, *px.T.reshape(2, len(ALONG), -1), cv2.INTER_LINEAR).astype(float)
    slope = np.abs(np.gradient(shown, axis=1))
    clear = slope.max(axis=1) > FAINTEST
    points = (feet + ACROSS_MM[slope.argmax(axis=1), None] * normal)[clear]
    for _ in range(3):
        middle = points.mean(axis=0)
        across = np.linalg.svd(points - middle)[2][1]
        off = np.abs((points - middle) @ across)
        points = points[off < OTHERS * np.sqrt(np.mean(off**2)) + 0.05]
    return middle, across


def is_letter(sheet: Polygon) -> bool:
    """Whether it is one sheet; under the largest thing lie two."""
    return abs(sheet.area / np.prod(LETTER_MM) - 1) < 0.1


def measured_mm(gray: NDArray[np.uint8], plane: TablePlane, corners_mm: Array) -> tuple[float, float]:
    """Length and breadth of the sheet whose rough corners (4, 2) are given."""
    sides = [side(gray, plane, *ends) for ends in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True)]
    apart = [abs(float((there - here) @ across)) for (here, across), (there, _) in (sides[0::2], sides[1::2])]
    return max(apart), min(apart)


def main() -> None:
    """Print how far each sheet is off, then of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=existing)
    args = parser.parse_args()
    off = []
    for name, laid in truth().items():
        sheet = next((where for what, where in laid if what == "sheet" and is_letter(where)), None)
        if sheet is None:
            continue
        image_bgr = read_picture(args.photos / FOLDER / name).image_bgr
        plane = calibrate_table(image_bgr, SPEC)
        corners_mm = np.array(sheet.exterior.coords)[:4]
        smooth = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
        off.append(np.subtract(measured_mm(smooth, plane, corners_mm), LETTER_MM))
        sigma_mm = float(plane.sigma_mm(plane.to_image(corners_mm)).mean())
        print(
            f"{name:20s} length {off[-1][0]:+5.2f} mm, breadth {off[-1][1]:+5.2f}; stated sigma {sigma_mm:.2f} a corner"
        )
    errors = np.array(off)
    print(f"{len(errors)} sheets: scatter {errors.std(axis=0).round(2)} mm, mean {errors.mean(axis=0).round(2)}")


if __name__ == "__main__":
    main()
