"""Painted miniatures in games, on photographs that no net was trained on: how many are found, how many are nothing.

    .venv/bin/python -m benchmarks.miniatures PHOTOS [--pictures FOLDER] [--part first|second|last|fresh]

PHOTOS is the folder of labelled photographs (INDEX.md); benchmarks/miniatures.csv holds the bases that we marked by
eye on twenty of them, in px of the stored file: the middle of each base on the table and its width. Four games are
played on a printed board of 30 x 22 inches, whose corners and middle line are the table plane; of the others the
elevation and scale are by eye. A base counts as found when a figure is told within half its width, or 12 mm; what is
told elsewhere is false, but not where the list says `unmarked` (crowds, monsters wider than any base of ours, terrain
that hides bases). The share of the marks that lie in the stated interval is of marks by eye, good to a few mm.
Thresholds were chosen on the first part of the pictures, weights with the second and the last in view; the fresh ones
were marked while the next weights were being learned.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import solids
from benchmarks.arguments import existing
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import SIGMAS_95, TablePlane
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.stream.picture import read_picture
from vision.wanted import Wanted

Array = NDArray[np.float64]
FOLDER = "nolicence_miniatures_tabletop"
MARKS = Path(__file__).with_suffix(".csv")
NEAR_MM = 12.0
FIGURES = ("soldier", "base")


@dataclass(eq=False)
class Marked:
    """One picture's rows: board (px, mm), view (elevation, mm per px), base (px, width), unmarked (two corners)."""

    part: str
    rows: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def plane(self, size_px: tuple[int, int]) -> TablePlane:
        """The plane of the table: by a printed board where one was marked, else by a view given by eye."""
        if self.rows["board"]:
            board = np.array(self.rows["board"])
            return fit_plane(Correspondences.of(board[:, :2], board[:, 2:]), None, size_px)
        (elevation_deg, mm_per_px), *_ = self.rows["view"]
        return solids.table(mm_per_px, elevation_deg, size_px)

    def is_unmarked(self, at_px: tuple[float, float]) -> bool:
        """Whether the place lies in a part of the picture in which nobody marked anything."""
        x, y = at_px
        return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in self.rows["unmarked"])


def marked() -> dict[str, Marked]:
    """The marks of each picture, by its name, in the order of the list."""
    pictures: dict[str, Marked] = {}
    with MARKS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            numbers = [float(row[key]) for key in ("x", "y", "a", "b") if row[key]]
            pictures.setdefault(row["file"], Marked(row["part"])).rows[row["what"]].append(numbers)
    return pictures


def score(found: list[Detection], marks: Marked, plane: TablePlane) -> tuple[int, int, int]:
    """How many bases are found, how many figures are none, and how many of those found lie in their interval."""
    bases = np.array(marks.rows["base"])
    at_mm, edge_mm = plane.to_table(bases[:, :2]), plane.to_table(bases[:, :2] + bases[:, 2:3] * (0.5, 0))
    reach_mm = np.maximum(NEAR_MM, np.hypot(*(edge_mm - at_mm).T))
    told = plane.to_table(np.array([piece.image_px for piece in found]).reshape(-1, 2))
    off_mm = np.hypot(*(at_mm[:, None] - told).transpose(2, 0, 1))
    apart = off_mm / reach_mm[:, None]
    pairs = sorted((away, base, n) for (base, n), away in np.ndenumerate(apart) if away < 1)
    taken: dict[int, int] = {}
    for _, base, n in pairs:
        if base not in taken and n not in taken.values():
            taken[base] = n
    others = [piece for n, piece in enumerate(found) if n not in taken.values()]
    false = sum(not marks.is_unmarked(piece.image_px) for piece in others)
    return len(taken), false, sum(off_mm[base, n] <= SIGMAS_95 * found[n].sigma_mm for base, n in taken.items())


def drawn(frame: Frame, found: list[Detection], marks: Marked) -> NDArray[np.uint8]:
    """Rings where bases are, crosses where figures are told."""
    picture = frame.image_bgr.copy()
    for x, y, width in marks.rows["base"]:
        cv2.circle(picture, (round(x), round(y)), round(width / 2), (0, 255, 255), 1, cv2.LINE_AA)
    for piece in found:
        at = tuple(round(v) for v in piece.image_px)
        cv2.drawMarker(picture, at, (0, 0, 255), cv2.MARKER_CROSS, 16, 2)
    return picture


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=existing)
    parser.add_argument("--pictures", type=Path, help="where to put the pictures with what was found")
    parser.add_argument("--part", choices=("first", "second", "last", "fresh"))
    args = parser.parse_args()
    eyes = Eyes.packaged(None, Wanted(frozenset((*FIGURES, "terrain"))))
    whole = np.zeros(4, int)
    for name, marks in marked().items():
        if args.part not in (None, marks.part):
            continue
        frame = read_picture(args.photos / FOLDER / name)
        plane = marks.plane((frame.image_bgr.shape[1], frame.image_bgr.shape[0]))
        found = [piece for piece in eyes.look(frame, plane) if piece.kind in FIGURES]
        tally = np.array((len(marks.rows["base"]), *score(found, marks, plane)))
        whole += tally
        print(f"{name:64s} {tally[0]:3d} bases, {tally[1]:3d} found, {tally[2]:3d} false")
        if args.pictures:
            args.pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(args.pictures / f"{Path(name).stem}.png"), drawn(frame, found, marks))
    print(f"{'together':64s} {whole[0]:3d} bases, {whole[1]:3d} found ({whole[1] / whole[0]:.0%}), {whole[2]:3d} false")
    print(f"of those found {whole[3] / max(whole[1], 1):.1%} within the stated interval of the mark by eye")


if __name__ == "__main__":
    main()
