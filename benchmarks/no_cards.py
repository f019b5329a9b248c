"""Photographs of other things than cards, with no set-up: none may be measured, for nothing in them is a ruler.

    .venv/bin/python -m benchmarks.no_cards PHOTOS [--each 6]

PHOTOS is the folder of labelled photographs (INDEX.md): boards of markers, chessboards, maps, miniatures, coins, dice,
plates and mugs, so many of each. Prints those in which something passed for a card, and the number of those refused.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.arguments import existing
from ui.measuring.table import plane_for
from vision.stream.picture import read_picture

_SUFFIXES = (".jpg", ".jpeg", ".png")


def pictures(folder: Path, each: int) -> list[Path]:
    """Some pictures of one set, evenly spread over it."""
    every = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
    return every[:: max(1, len(every) // each)][:each]


def is_measured(path: Path) -> bool:
    """Whether cards were seen in it."""
    try:
        plane_for(None, read_picture(path))
    except ValueError:
        return False
    return True


def main() -> None:
    """Print a line for each picture that was measured, and one for all."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    options.add_argument("--each", type=int, default=6)
    given = options.parse_args()
    sets = sorted(path for path in given.photos.iterdir() if path.is_dir() and "cards" not in path.name)
    tried = [path for folder in sets for path in pictures(folder, given.each)]
    measured = [path for path in tried if is_measured(path)]
    for path in measured:
        print(f"measured: {path}")
    print(f"{len(tried) - len(measured)} of {len(tried)} pictures without cards refused")


if __name__ == "__main__":
    main()
