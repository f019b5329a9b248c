"""Dice on photographs that no net was trained on: found, right, wrong, unknown, false.

    .venv/bin/python -m benchmarks.dice PHOTOS [SET ...]

PHOTOS is the folder of labelled photographs (INDEX.md). Those of dice are taken from above and have no ruler: the scale
is such that the middle box of a picture is a common die of 16 mm at some turn, 20 mm a side. Right, wrong and unknown
count the labelled dice that were found: a label counts as found when the top face's centre lies in its box. Scores the
`dev` pictures; of the sets without licence that is all.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.cards import asked, labels
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from vision.eyes import Eyes
from vision.stream.picture import read_picture
from vision.wanted import Wanted

COLUMNS = ("labelled", "missed", "right", "unknown", "wrong", "false")
SETS = ("dice_white_table_mit", "nolicence_dice_phone_mixed")
# A box around a 16 mm die at a random turn: the mean of 4 / pi times its side.
BOX_MM = 20.0


def plane_from_above(boxes_px: np.ndarray, size_px: tuple[int, int]) -> TablePlane:
    """The table under a camera that looks straight down, from boxes (n, 4) x, y, w, h of dice."""
    mm_per_px = BOX_MM / float(np.median(boxes_px[:, 2:].max(axis=1)))
    corners_px = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size_px
    corners_mm = mm_per_px * np.array([(0, 1), (1, 1), (1, 0), (0, 0)]) * size_px
    return fit_plane(Correspondences.of(corners_px, corners_mm), None, size_px)


def score(folder: Path, eyes: Eyes) -> Counter[str]:
    """What became of each label, and the false detections."""
    tally: Counter[str] = Counter()
    for name, rows in labels(folder).items():
        frame = read_picture(folder / name)
        boxes = np.array([[float(row[key]) for key in "xywh"] for row in rows])
        height_px, width_px = frame.image_bgr.shape[:2]
        dice = list(eyes.look(frame, plane_from_above(boxes, (width_px, height_px))))
        tally["labelled"] += len(rows)
        for row, (x, y, w, h) in zip(rows, boxes, strict=True):
            inside = [p for p in dice if x <= p.image_px[0] <= x + w and y <= p.image_px[1] <= y + h]
            if not inside:
                tally["missed"] += 1
                continue
            dice.remove(inside[0])
            cls = inside[0].cls
            tally["right" if cls == row["class"] else "unknown" if cls == "unknown" else "wrong"] += 1
        tally["false"] += len(dice)
    return tally


def main() -> None:
    """Print a line for each set."""
    given = asked(__doc__, SETS)
    eyes = Eyes.packaged(None, Wanted(frozenset(("die",))))
    for name in given.sets:
        tally = score(given.photos / name, eyes)
        print(f"{name:34s}", *(f"{key} {tally[key]}" for key in COLUMNS))


if __name__ == "__main__":
    main()
