"""Cards and dice on photographs that no net was trained on: found, right, wrong, unknown, false.

    .venv/bin/python -m benchmarks.cards PHOTOS [SET ...]

PHOTOS is the folder of labelled photographs (INDEX.md). A photograph without set-up is measured by the cards that lie
in it (a card is a ruler); one in which no card lies whole is counted as unmeasured, its pieces as missed. A label
counts as found when a detection's centre lies in its box, or its outline covers most of it: of a card under another the
box holds what shows. What agrees is paired first. Labels whose suit is not known (`K?`) count by rank.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from shapely import Polygon
from shapely import box as shapely_box

from benchmarks.arguments import existing
from calibration.plane import TablePlane
from rules.scene import Piece
from ui.still import still_scene
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.stream.picture import read_picture
from vision.wanted import Wanted

COLUMNS = ("labelled", "unmeasured", "missed", "right", "unknown", "wrong", "false")
# Of a label's box a card under others must cover so much.
_COVERED = 0.6
SETS = ("nolicence_cards_dark_bg", "nolicence_cards_overlap_german", "cards_clutter_edje_apache2")


def labels(folder: Path, kinds: tuple[str, ...] = ("card", "die")) -> dict[str, list[dict[str, str]]]:
    """The boxes of those kinds on the dev pictures, by file."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["split"] == "dev" and row["kind"] in kinds and row["x"]:
                found[row["file"]].append(row)
    return found


def agrees(said: str, label: str) -> bool:
    """Whether the class is the label's, or its rank where the suit is not labelled."""
    return said[:-1] == label[:-1] if label.endswith("?") else said == label


def shows_in(piece: Piece, plane: TablePlane, box: tuple[float, ...]) -> bool:
    """Whether a piece's middle lies in a box x, y, w, h, or else its outline covers most of it: of a card that lies
    under another the box holds what shows."""
    x, y, w, h = box
    u, v = piece.image_px or (-1.0, -1.0)
    outline = Polygon(plane.to_image(np.array(piece.footprint.exterior.coords))).buffer(0)
    return (x <= u <= x + w and y <= v <= y + h) or outline.intersection(
        shapely_box(x, y, x + w, y + h)
    ).area > _COVERED * w * h


def paired(pieces: list[Piece], rows: list[dict[str, str]], plane: TablePlane) -> list[Piece | None]:
    """The piece that each label is about: one of the label's class if there is one, else any within its box."""
    found: list[Piece | None] = [None] * len(rows)
    left = list(pieces)
    for same in (True, False):
        for index, row in enumerate(rows):
            box = tuple(float(row[key]) for key in "xywh")
            inside = [p for p in left if agrees(p.cls, row["class"]) >= same and shows_in(p, plane, box)]
            if found[index] is None and inside:
                found[index] = inside[0]
                left.remove(inside[0])
    return found


def score(folder: Path, eyes: Eyes) -> Counter[str]:
    """What became of each label, and the false detections."""
    tally: Counter[str] = Counter()
    for name, rows in labels(folder).items():
        tally["labelled"] += len(rows)
        planes: list[TablePlane] = []

        def look(frame: Frame, plane: TablePlane, planes: list[TablePlane] = planes) -> tuple[Detection, ...]:
            """As the eyes do; the plane is kept."""
            planes.append(plane)
            return eyes.look(frame, plane)

        try:
            pieces = list(still_scene(None, (read_picture(folder / name),), look).pieces)
        except ValueError:
            tally["unmeasured"] += len(rows)
            continue
        found = paired(pieces, rows, planes[0])
        for row, piece in zip(rows, found, strict=True):
            tally[outcome(piece, row["class"])] += 1
        tally["false"] += sum(p.cls != "unknown" for p in pieces if all(p is not other for other in found))
    return tally


def outcome(piece: Piece | None, label: str) -> str:
    """What became of a label."""
    if piece is None:
        return "missed"
    if agrees(piece.cls, label):
        return "right"
    return "unknown" if piece.cls == "unknown" else "wrong"


def asked(about: str | None, sets: tuple[str, ...]) -> argparse.Namespace:
    """The folder of photographs and the sets of a command line, all of `sets` where it names none."""
    options = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing, metavar="PHOTOS")
    options.add_argument("sets", nargs="*", default=list(sets), metavar="SET")
    return options.parse_args()


def main() -> None:
    """Print a line for each set."""
    given = asked(__doc__, SETS)
    eyes = Eyes.packaged(None, Wanted(frozenset(("card", "die"))))
    for name in given.sets:
        tally = score(given.photos / name, eyes)
        print(f"{name:34s}", *(f"{key} {tally[key]}" for key in COLUMNS))


if __name__ == "__main__":
    main()
