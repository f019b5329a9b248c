"""A real board, photographed from all sides: is it known again from a picture of another side, and how well measured?

    .venv/bin/python -m benchmarks.carried_board PHOTOS

PHOTOS is the folder of labelled photographs (INDEX.md). The 26 of `nolicence_plates_cutlery_aruco_board` (see
`benchmarks.marked_board`) show one black board with a marker in each corner and in its middle each another thing: a
plate, a fork on paper, a hammer. Each picture is measured by its markers, through one lens that all have in common
(that of the picture with the median focal length). Then each is taken for what a camera shows that was carried off from
where it took another one, 1, 5, 9 and 13 pictures on, and measured by that picture and what it shows of the board
alone, as the stand of a camera does (`vision.tripod.stand`): nobody tells it of markers, and what lies in the middle is
not what lay there. Printed by how far the camera went round, in degrees: known again to some centimetres; measured to 1
mm, as it says; how far off the plane by the markers, mm (worst place of a grid over the board, which is 1.5 mm a px;
median and p95 of the pairs); and how often the stated 95 % interval holds, the markers' own error included. Nothing was
trained on them; that a plane must bear out the features by which it was found came of looking at them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing
from benchmarks.marked_board import FOLDER, SPEC, TABLE_MM
from calibration.kick.drift import Anchor
from calibration.kick.elsewhere import seen_elsewhere
from calibration.plane import SIGMAS_95, TablePlane
from calibration.table import calibrate_table
from vision.frame import Frame, ImageBgr
from vision.stream.picture import read_picture
from vision.tripod.stand import Stand

STEPS = (1, 5, 9, 13)
BINS_DEG = (0, 20, 40, 60, 90, 180)
GRID = np.array([[x, y] for x in np.linspace(0, TABLE_MM[0], 7) for y in np.linspace(0, TABLE_MM[1], 5)])


@dataclass(frozen=True, eq=False)
class Pair:
    """What became of one: off_mm and holds are (35,) over the grid, empty where it was not measured."""

    round_deg: float
    known: bool
    off_mm: NDArray[np.float64]
    holds: NDArray[np.bool_]


def by_markers(pictures: list[ImageBgr]) -> list[TablePlane]:
    """Each picture's plane, through one lens."""
    alone = [calibrate_table(picture, SPEC) for picture in pictures]
    by_focal = sorted(alone, key=lambda plane: float(plane.lens.matrix[0, 0]))
    lens = replace(by_focal[len(by_focal) // 2].lens, known=True)
    return [calibrate_table(picture, replace(SPEC, lens=lens)) for picture in pictures]


def pair(anchor: Anchor, picture: ImageBgr, truth: TablePlane) -> Pair:
    """The board of a picture, whose plane by the markers is known, by another picture."""
    was, now = (plane.camera_position_mm[:2] - np.array(TABLE_MM) / 2 for plane in (anchor.plane, truth))
    turned = np.degrees(np.arctan2(was[0] * now[1] - was[1] * now[0], was @ now))
    known = seen_elsewhere(anchor, picture) is not None
    plane = Stand(anchor, anchor).from_elsewhere(Frame(picture))
    if plane is None:
        return Pair(abs(turned), known, np.zeros(0), np.zeros(0, bool))
    px = truth.to_image(GRID)
    off_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    sigma_mm = np.hypot(plane.sigma_mm(px), truth.sigma_mm(px))
    return Pair(abs(turned), True, off_mm, off_mm <= SIGMAS_95 * sigma_mm)


def row(name: str, pairs: list[Pair]) -> str:
    """A line of the table."""
    measured = [each for each in pairs if len(each.off_mm)]
    worst = np.array([each.off_mm.max() for each in measured] or [np.nan])
    holds = np.concatenate([each.holds for each in measured] or [np.zeros(0, bool)])
    known = sum(each.known for each in pairs)
    return (
        f"{name:>12} {len(pairs):6d} {known:6d} {len(measured):9d} {np.median(worst):8.2f} "
        f"{np.quantile(worst, 0.95):6.2f} {worst.max():6.2f} {holds.mean() if len(holds) else np.nan:7.1%}"
    )


def main() -> None:
    """Print a line for each range of ways round."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    folder: Path = options.parse_args().photos / FOLDER
    pictures = [read_picture(path).image_bgr for path in sorted(folder.glob("*.jpg"))]
    planes = by_markers(pictures)
    anchors = [Anchor.of(picture, plane, TABLE_MM) for picture, plane in zip(pictures, planes, strict=True)]
    count = len(pictures)
    pairs = [
        pair(anchors[n], pictures[(n + step) % count], planes[(n + step) % count])
        for n in range(count)
        for step in STEPS
    ]
    print(
        f"{'round by':>12} {'pairs':>6} {'known':>6} {'measured':>9} {'median':>8} {'p95':>6} {'worst':>6} {'holds':>7}"
    )
    for low, high in pairwise(BINS_DEG):
        print(row(f"{low} to {high}", [each for each in pairs if low <= each.round_deg < high]))
    print(row("all", pairs))


if __name__ == "__main__":
    main()
