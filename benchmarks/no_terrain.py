"""Photographs of coins, dice and cards, without terrain, soldiers or hands: what the eyes see of these nonetheless.

    .venv/bin/python -m benchmarks.no_terrain PHOTOS [SET ...] [--each N] [--pictures FOLDER]

PHOTOS is the folder of labelled photographs (INDEX.md). Of each set the `dev` pictures, or some N of them evenly
spread, are looked at as a table of soldiers and terrain. Coins have a set-up each; of dice and cards the median label
tells how many mm a px shows, from 65 degrees. `cards_clutter_edje_apache2` shows cards on bags, books and carpets, so
that some of what is told there is there; on the others nothing stands but coins, cards and dice, and on some a sheet
of paper lies under all of them.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from shapely import MultiPolygon
from shapely.geometry.base import BaseGeometry

import vision.detect.solid.solids
from benchmarks.arguments import existing
from benchmarks.marked_board import drawn
from benchmarks.solids import LONG_SIDE_PX, table
from calibration.plane import TablePlane
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.detect.solid.glance import Glance
from vision.detect.solid.hands import hands_in
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.metric.topview import TopView
from vision.stream.picture import read_picture
from vision.wanted import Wanted

SETS = (
    "euro_scenes_kaa_mit",
    "euro_paper_a4_perspective_mit",
    "nolicence_us_scenes_single_denom",
    "nolicence_uk_scenes_webcam640",
    "uk_scenes_phone_mit",
    "dice_white_table_mit",
    "nolicence_dice_phone_mixed",
    "nolicence_cards_dark_bg",
    "nolicence_cards_overlap_german",
    "cards_clutter_edje_apache2",
)
# What the root of a label's box measures, mm: a die's, and a card's that is turned anyhow; and where the camera is.
SIDE_MM, ELEVATION_DEG = {"die": 17.0, "card": 78.0}, 65.0


def pictures(folder: Path, each: int | None) -> Iterator[tuple[Path, list[dict[str, str]]]]:
    """The `dev` pictures and their labels."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (folder / "labels.csv").open(encoding="utf-8-sig", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["split"] == "dev":
                rows[row["file"]].append(row)
    names = sorted(name for name in rows if (folder / name).is_file())
    step = max(1, len(names) // each) if each else 1
    for name in names[::step]:
        yield folder / name, rows[name]


def measured(path: Path, rows: list[dict[str, str]]) -> tuple[Frame, TablePlane, tuple[float, float] | None]:
    """The picture, its table, and the table's size where a set-up tells. ValueError where neither is told."""
    frame, beside = read_picture(path), path.with_name(f"{path.stem}.setup.toml")
    if beside.is_file():
        setup = read_setup(beside)
        return frame, plane_for(setup, frame), setup.rules.table_size_mm
    sides = [
        SIDE_MM[row["kind"]] / np.sqrt(float(row["w"]) * float(row["h"])) for row in rows if row["kind"] in SIDE_MM
    ]
    if not sides:
        raise ValueError(f"{path}: nothing of known size is labelled")
    scale = min(1.0, LONG_SIDE_PX / max(frame.image_bgr.shape[:2]))
    small = Frame(cv2.resize(frame.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    size_px = (small.image_bgr.shape[1], small.image_bgr.shape[0])
    return small, table(float(np.median(sides)) / scale, ELEVATION_DEG, size_px), None


def score(path: Path, rows: list[dict[str, str]], into: Path | None) -> Counter[str]:
    """What is told of one picture."""
    frame, plane, size_mm = measured(path, rows)
    eyes = Eyes.packaged(size_mm, Wanted(frozenset(("soldier", "base", "terrain"))))
    hands: list[BaseGeometry] = []

    def noted(surfaces: Glance[TopView]) -> MultiPolygon:
        """The hands, kept for the count."""
        found = hands_in(surfaces)
        hands.extend(found.geoms)
        return found

    with patch.object(vision.detect.solid.solids, "hands_in", noted):
        found: list[Detection] = list(eyes.look(frame, plane))
    if into is not None and found:
        into.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(into / f"{path.parent.name[:14]}-{path.stem}.png"), drawn(frame, plane, found))
    things = sum(piece.kind == "terrain" for piece in found)
    return Counter(pictures=1, terrain=things, with_terrain=things > 0, figures=len(found) - things, hands=len(hands))


def print_tallies(
    photos: Path,
    sets: Sequence[str],
    each: int | None,
    score: Callable[[Path, list[dict[str, str]]], Counter[str]],
    line: Callable[[str, Counter[str]], str],
) -> None:
    """Prints a line for each set and one for all; pictures whose table cannot be measured are passed over."""
    total: Counter[str] = Counter()
    for name in sets:
        tally: Counter[str] = Counter()
        for path, rows in pictures(photos / name, each):
            with suppress(ValueError):
                tally += score(path, rows)
        total += tally
        print(line(name, tally), flush=True)
    print(line("all", total))


def main() -> None:
    """Print a line for each set and one for all."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    options.add_argument("sets", nargs="*", default=list(SETS))
    options.add_argument("--each", type=int)
    options.add_argument("--pictures", type=Path, help="where to put the pictures on which something was found")
    given = options.parse_args()
    print_tallies(given.photos, given.sets, given.each, lambda path, rows: score(path, rows, given.pictures), line)


def line(name: str, tally: Counter[str]) -> str:
    """One printed row."""
    return (
        f"{name:34s} pictures {tally['pictures']:3d}   false: terrain {tally['terrain']} on {tally['with_terrain']},"
        f" figures {tally['figures']}, hands {tally['hands']}"
    )


if __name__ == "__main__":
    main()
