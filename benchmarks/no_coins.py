"""What is taken for a coin on photographs that show none: cards, dice, mugs, plates, miniatures.

    .venv/bin/python -m benchmarks.no_coins PHOTOS [SET ...] [--each] [--pictures FOLDER]

PHOTOS is the folder of labelled photographs (INDEX.md). Each set is measured as its own benchmark measures it; of the
cards every fourth picture of the `dev` split. Told are the pictures, on how many of them something is taken for a coin
by eyes that look for coins alone, how many things, how many of those by a coin's name, and how many are left where the
eyes look for every kind. Whether a thing really is none must be looked at (`--pictures`): some tables bear a coin.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks import cards, dice, marked_board, miniatures, solids
from benchmarks.arguments import existing
from calibration.plane import TablePlane
from calibration.table import calibrate_table
from rules.scene import UNKNOWN, Kind
from ui.eyes import asked_for
from ui.measuring.table import plane_for
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame, ImageBgr
from vision.stream.picture import read_picture
from vision.wanted import Wanted

COLUMNS = ("pictures", "with one", "things", "named", "left beside all kinds")
EVERY = {"cards_clutter_edje_apache2": 4, "dice_white_table_mit": 2}
SET_SIZES_MM = {marked_board.FOLDER: marked_board.TABLE_MM}


def measured(folder: Path) -> Iterator[tuple[str, Frame, TablePlane]]:
    """Each picture of a set with its table; without those that cannot be measured."""
    if folder.name == marked_board.FOLDER:
        for name in marked_board.truth():
            frame = read_picture(folder / name)
            yield name, frame, calibrate_table(frame.image_bgr, marked_board.SPEC)
    elif folder.name == miniatures.FOLDER:
        for name, marks in miniatures.marked().items():
            frame = read_picture(folder / name)
            yield name, frame, marks.plane(_size_px(frame))
    else:
        yield from _labelled(folder)


def _labelled(folder: Path) -> Iterator[tuple[str, Frame, TablePlane]]:
    kinds = ("terrain", "soldier", "base") if folder.name in solids.SETS else ("card", "die")
    rows = list(cards.labels(folder, kinds).items())[:: EVERY.get(folder.name, 1)]
    for name, labels in rows:
        frame = read_picture(folder / name)
        if folder.name in dice.SETS:
            boxes_px = np.array([[float(row[key]) for key in "xywh"] for row in labels])
            yield name, frame, dice.plane_from_above(boxes_px, _size_px(frame))
        elif folder.name in solids.SETS:
            scale = float(np.median([solids.millimetres(row) for row in labels if row["class"] in solids.BOX_MM]))
            yield name, frame, solids.table(scale, solids.SETS[folder.name], _size_px(frame))
        else:
            try:
                yield name, frame, plane_for(None, frame)
            except ValueError:
                continue


def _size_px(frame: Frame) -> tuple[int, int]:
    height, width = frame.image_bgr.shape[:2]
    return width, height


def drawn(frame: Frame, plane: TablePlane, found: list[Detection]) -> ImageBgr:
    """The picture with the rim of everything that was taken for a coin."""
    picture = frame.image_bgr.copy()
    for piece in found:
        rim_px = plane.to_image(np.array(piece.footprint.exterior.coords), piece.height_mm or 0.0)
        cv2.polylines(picture, [rim_px.astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA)
        at = (int(piece.image_px[0]), int(piece.image_px[1]))
        cv2.putText(picture, f"{piece.cls} {piece.confidence:.2f}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 255), 2)
    return picture


def score(folder: Path, pictures: Path | None, *, each: bool) -> Counter[str]:
    """What is taken for a coin in a set."""
    table_mm = SET_SIZES_MM.get(folder.name)
    coins = Eyes.packaged(table_mm, Wanted(frozenset(("coin",))))
    all_kinds = Eyes.packaged(table_mm, replace(coins.wanted, kinds=_EVERY_KIND))
    tally: Counter[str] = Counter()
    for name, frame, plane in measured(folder):
        found = list(coins.look(frame, plane))
        tally["pictures"] += 1
        tally["with one"] += bool(found)
        tally["things"] += len(found)
        tally["named"] += sum(one.cls != UNKNOWN for one in found)
        if not found:
            continue
        left = [one for one in all_kinds.look(frame, plane) if one.kind == "coin"]
        tally["left beside all kinds"] += len(left)
        if each:
            print(
                f"  {name}:", ", ".join(f"{one.cls} at {one.image_px[0]:.0f}, {one.image_px[1]:.0f}" for one in found)
            )
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(pictures / f"{folder.name}-{Path(name).stem}.png"), drawn(frame, plane, found))
    return tally


_EVERY_KIND: frozenset[Kind] = frozenset(("coin", "card", "die", "match", *asked_for("soldier", None), "terrain"))
SETS = (*cards.SETS, *dice.SETS, *solids.SETS, marked_board.FOLDER)


def main() -> None:
    """Print a line for each set."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    options.add_argument("sets", nargs="*", default=list(SETS))
    options.add_argument("--each", action="store_true", help="everything that is taken for a coin, too")
    options.add_argument("--pictures", type=Path, help="where to draw it")
    given = options.parse_args()
    for name in given.sets:
        tally = score(given.photos / name, given.pictures, each=given.each)
        print(f"{name:38s}", *(f"{column} {tally[column]}" for column in COLUMNS), flush=True)


if __name__ == "__main__":
    main()
