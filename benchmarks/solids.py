"""Soldiers, bases and household terrain on photographs that no net was trained on: found, right, unknown, wrong, false.

    .venv/bin/python -m benchmarks.solids PHOTOS [SET ...] [--pictures FOLDER]

PHOTOS is the folder of labelled photographs (INDEX.md). None of these has a ruler: the table is taken to be seen from
the elevation, and the middle box of a picture to be of the size, that its set names below, which is true to a third.
A label counts as found when something of its kind (soldiers and bases count as one) is seen in its box, and as right
when it has the label's class; false is what lies in no box. Scores the `dev` pictures; nothing else is in these sets.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from benchmarks.arguments import existing
from benchmarks.cards import labels
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.stream.picture import read_picture
from vision.wanted import Wanted

COLUMNS = ("labelled", "missed", "right", "unknown", "wrong", "false")
# Camera's elevation in degrees, by eye; then what a box measures: terrain the root of its area, figures its height.
SETS = {"mugs_overhead_ccby4": 75.0, "nolicence_toysoldiers_1_72": 50.0, "nolicence_miniatures_tabletop": 45.0}
BOX_MM = {"mug": 92.0, "plate": 220.0, "unknown": 24.0, "miniature": 42.0}
# Pictures of the whole are brought to this many px on their long side: a webcam's.
LONG_SIDE_PX = 1600
# A phone's or webcam's focal length, in picture widths.
FOCAL_WIDTHS = 0.9
# A box around miniatures that is flatter than this share of its width holds several: such pictures have no scale.
GROUP = 0.85
_FIGURES = ("soldier", "base")


def table(mm_per_px: float, elevation_deg: float, size_px: tuple[int, int]) -> TablePlane:
    """The table under a common camera at that elevation, `mm_per_px` in the middle of the picture."""
    focal_px = FOCAL_WIDTHS * max(size_px)
    corners_px = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float) * size_px
    rays = np.c_[(corners_px - np.array(size_px) / 2) / focal_px, np.ones(4)] * (1, -1, 1)
    c, s = np.cos(np.radians(elevation_deg)), np.sin(np.radians(elevation_deg))
    # Camera axes on the table: right, up in the picture, and ahead (down towards the table).
    directions = rays @ np.array([(1, 0, 0), (0, s, c), (0, c, -s)])
    eye = -focal_px * mm_per_px * np.array([0, c, -s])
    corners_mm = (eye - directions * (eye[2] / directions[:, 2:]))[:, :2]
    return fit_plane(Correspondences.of(corners_px, corners_mm - corners_mm.min(axis=0)), None, size_px)


def millimetres(row: dict[str, str]) -> float:
    """How many mm a px shows, by the label's box and the size that things of its class have."""
    side_px = np.sqrt(float(row["w"]) * float(row["h"])) if row["kind"] == "terrain" else float(row["h"])
    return BOX_MM[row["class"]] / side_px


def seen(eyes: Eyes, frame: Frame, rows: list[dict[str, str]], elevation_deg: float) -> list[Detection]:
    """All solids on one picture, their places in px of the stored file."""
    high, wide = frame.image_bgr.shape[:2]
    scale = min(1.0, LONG_SIDE_PX / max(high, wide))
    small = Frame(cv2.resize(frame.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    mm_per_px = float(np.median([millimetres(row) for row in rows])) / scale
    size_px = (small.image_bgr.shape[1], small.image_bgr.shape[0])
    return list(eyes.look(small, table(mm_per_px, elevation_deg, size_px)))


def score(folder: Path, eyes: Eyes, elevation_deg: float, pictures: Path | None) -> Counter[str]:
    """What became of each label, and what lies in no box."""
    tally: Counter[str] = Counter()
    for name, pieces in labels(folder, (*_FIGURES, "terrain")).items():
        if any(row["kind"] == "base" and float(row["h"]) < GROUP * float(row["w"]) for row in pieces):
            continue
        frame = read_picture(folder / name)
        found = seen(eyes, frame, pieces, elevation_deg)
        scale = max(1.0, max(frame.image_bgr.shape[:2]) / LONG_SIDE_PX)
        tally += count(found, pieces, scale)
        if pictures is not None:
            cv2.imwrite(str(pictures / f"{folder.name[:14]}-{Path(name).stem}.png"), drawn(frame, found, scale))
    return tally


def count(found: list[Detection], pieces: list[dict[str, str]], scale: float) -> Counter[str]:
    """One picture's tally; smaller boxes first, so that a mug on a plate is looked for before the plate."""
    tally: Counter[str] = Counter(labelled=len(pieces))
    left = list(found)
    inside_any: set[int] = set()
    for row in sorted(pieces, key=lambda row: float(row["w"]) * float(row["h"])):
        x, y, w, h = (float(row[key]) / scale for key in "xywh")
        inside = [p for p in left if x <= p.image_px[0] <= x + w and y <= p.image_px[1] <= y + h]
        inside_any |= {id(p) for p in inside}
        figure = row["kind"] in _FIGURES
        alike = [p for p in inside if (p.kind in _FIGURES) == figure]
        right = [p for p in alike if figure or p.cls == row["class"]]
        for best in (right or alike)[:1]:
            left.remove(best)
        named = [p for p in alike if p.cls != "unknown"]
        tally["right" if right else "wrong" if named else "unknown" if alike else "missed"] += 1
    tally["false"] += sum(id(p) not in inside_any for p in found)
    return tally


def drawn(frame: Frame, found: list[Detection], scale: float) -> np.ndarray:
    """The picture with a cross and a name at everything found."""
    picture = cv2.resize(frame.image_bgr, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    for piece in found:
        at = tuple(int(v) for v in piece.image_px)
        cv2.drawMarker(picture, at, (0, 0, 255), cv2.MARKER_CROSS, 30, 4)
        cv2.putText(picture, f"{piece.cls} {piece.confidence:.2f}", at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 0, 255), 3)
    return picture


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=existing)
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--pictures", type=Path, help="where to put the pictures with what was found")
    args = parser.parse_args()
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    eyes = Eyes.packaged(None, Wanted(frozenset(("soldier", "base", "terrain"))))
    for name in args.sets:
        tally = score(args.photos / name, eyes, SETS[name], args.pictures)
        print(f"{name:32s}", *(f"{key} {tally[key]}" for key in COLUMNS))


if __name__ == "__main__":
    main()
