"""What lies on a real board whose markers tell the table: plates, sheets of paper, cutlery and tools.

    .venv/bin/python -m benchmarks.marked_board PHOTOS [--pictures FOLDER]

PHOTOS is the folder of labelled photographs (INDEX.md). The 26 of `nolicence_plates_cutlery_aruco_board` (640 x 480 px,
a webcam) show one black board on a pale table, seen from all sides, with four markers and one thing each, on some of
them on a sheet of letter paper. Where the markers lie was fitted to all 26 together, their size by the paper (215.9 x
279.4 mm), the lens is not known. benchmarks/marked_board.csv holds what lies there, in mm of the board: plates (middle
and diameter as their rims show), sheets and other things (middle, sides, turn), cut out by brightness. A plate or sheet
counts as found when something overlaps with it by half (IoU), another thing when the middle of something not much
larger lies within it; what is told besides is false. Nothing was trained or tuned on them.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np
from shapely import Point, Polygon, box
from shapely.affinity import rotate

from benchmarks.arguments import existing
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame, ImageBgr
from vision.stream.picture import read_picture
from vision.wanted import Wanted

FOLDER = "nolicence_plates_cutlery_aruco_board"
TRUTH = Path(__file__).with_suffix(".csv")
TABLE_MM = (564.5, 379.5)
# Middles of the markers, mm, and how far each is turned, fitted to all pictures together.
MARKERS = MarkerSheet(
    "DICT_6X6_250",
    75.2,
    {3: (41.9, 332.0), 4: (518.7, 335.5), 5: (520.5, 47.9), 6: (44.0, 44.0)},
    {3: 0.0, 4: 0.37, 5: 0.58, 6: 0.52},
)
SPEC = CalibrationSpec(markers=MARKERS, table_size_mm=TABLE_MM, placing_mm=0.5)
COLUMNS = ("laid", "found", "right", "unknown", "wrong")
# What each kind may be called: nobody taught the eyes forks, and a pen is as good as a row of pencils.
NAMES = {"plate": ("plate",), "sheet": ("paper", "napkin"), "thing": ("pencils",)}
HALF = 0.5
_NEAR_MM, _LARGER = 8.0, 3.0


def truth() -> dict[str, list[tuple[str, Polygon]]]:
    """What lies on the board of each picture, and where."""
    laid: dict[str, list[tuple[str, Polygon]]] = defaultdict(list)
    with TRUTH.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            x, y, a, b, turn = (float(row[key]) for key in ("x", "y", "a", "b", "turn"))
            square = rotate(box(x - a / 2, y - b / 2, x + a / 2, y + b / 2), turn, (x, y))
            laid[row["file"]].append((row["what"], Point(x, y).buffer(a / 2) if row["what"] == "plate" else square))
    return laid


def is_found(what: str, laid: Polygon, piece: Detection) -> bool:
    """Whether a piece is what lies there."""
    if what == "thing":
        near = laid.buffer(_NEAR_MM).contains(Point(piece.position_mm))
        return near and piece.footprint.area < _LARGER * laid.area
    return laid.intersection(piece.footprint).area > HALF * laid.union(piece.footprint).area


def score(laid: list[tuple[str, Polygon]], found: list[Detection]) -> Counter[str]:
    """One picture's tally: keys are a kind and a column, or `false`."""
    tally: Counter[str] = Counter()
    left = list(found)
    for what, where in laid:
        tally[f"{what} laid"] += 1
        piece = next((piece for piece in left if piece.kind == "terrain" and is_found(what, where, piece)), None)
        if piece is None:
            continue
        left.remove(piece)
        named = "right" if piece.cls in NAMES[what] else "unknown" if piece.cls == "unknown" else "wrong"
        tally.update((f"{what} found", f"{what} {named}"))
    tally["false terrain"] = sum(piece.kind == "terrain" for piece in left)
    tally["false figures"] = sum(piece.kind != "terrain" for piece in left)
    return tally


def drawn(frame: Frame, plane: TablePlane, found: list[Detection]) -> ImageBgr:
    """The picture with the outline and name of everything told."""
    picture = cv2.resize(frame.image_bgr, None, fx=2, fy=2)
    for piece in found:
        outline = plane.to_image(np.array(piece.footprint.exterior.coords)) * 2
        cv2.polylines(picture, [outline.astype(np.int32)], True, (0, 255, 255), 2, cv2.LINE_AA)
        at = tuple(int(2 * v) for v in piece.image_px)
        cv2.putText(picture, f"{piece.cls} {piece.confidence:.2f}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 0, 255), 2)
    return picture


def main() -> None:
    """Print a line for each kind and one of what is false."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=existing)
    parser.add_argument("--pictures", type=Path, help="where to put the pictures with what was found")
    args = parser.parse_args()
    eyes = Eyes.packaged(TABLE_MM, Wanted(frozenset(("soldier", "terrain"))))
    tally: Counter[str] = Counter()
    for name, laid in truth().items():
        frame = read_picture(args.photos / FOLDER / name)
        plane = calibrate_table(frame.image_bgr, SPEC)
        found = list(eyes.look(frame, plane))
        tally += score(laid, found)
        if args.pictures is not None:
            args.pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(args.pictures / name), drawn(frame, plane, found))
    for what in NAMES:
        print(f"{what:8s}", *(f"{column} {tally[f'{what} {column}']}" for column in COLUMNS))
    print(f"false on {len(truth())} pictures: terrain {tally['false terrain']}, soldiers {tally['false figures']}")


if __name__ == "__main__":
    main()
