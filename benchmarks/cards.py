"""Cards and dice on photographs that no net was trained on: found, right, wrong, unknown, false.

    python -m benchmarks.cards PHOTOS [SET ...]

PHOTOS is the folder of labelled photographs (INDEX.md). A photograph without set-up is measured by the cards that lie
in it (a card is a ruler); one in which no card lies whole is counted as unmeasured, its pieces as missed. A label
counts as found when a detection's centre lies in its box. Labels whose suit is not known (`K?`) count by rank.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from pathlib import Path

from ui.still import still_scene
from vision.eyes import Eyes, Wanted
from vision.picture import read_picture

COLUMNS = ("labelled", "unmeasured", "missed", "right", "unknown", "wrong", "false")
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


def score(folder: Path, eyes: Eyes) -> Counter[str]:
    """What became of each label, and the false detections."""
    tally: Counter[str] = Counter()
    for name, boxes in labels(folder).items():
        tally["labelled"] += len(boxes)
        try:
            pieces = list(still_scene(None, (read_picture(folder / name),), eyes.look).pieces)
        except ValueError:
            tally["unmeasured"] += len(boxes)
            continue
        for row in boxes:
            x, y, w, h = (float(row[key]) for key in "xywh")
            inside = [p for p in pieces if p.image_px and x <= p.image_px[0] <= x + w and y <= p.image_px[1] <= y + h]
            best = next((p for p in inside if agrees(p.cls, row["class"])), inside[0] if inside else None)
            if best is None:
                tally["missed"] += 1
                continue
            pieces.remove(best)
            tally["right" if agrees(best.cls, row["class"]) else "unknown" if best.cls == "unknown" else "wrong"] += 1
        tally["false"] += sum(p.cls != "unknown" for p in pieces)
    return tally


def main() -> None:
    """Print a line for each set."""
    photos = Path(sys.argv[1])
    eyes = Eyes.packaged(None, Wanted(frozenset(("card", "die"))))
    for name in sys.argv[2:] or SETS:
        tally = score(photos / name, eyes)
        print(f"{name:34s}", *(f"{key} {tally[key]}" for key in COLUMNS))


if __name__ == "__main__":
    main()
