"""Whether a chance of 90 % means nine right in ten: what the eyes say of found pieces against what they are.

    .venv/bin/python -m benchmarks.reliability FOLDER [FOLDER ...] [--split dev]

FOLDER holds pictures with truth, as for `sandtable evaluate`. For each kind and each band of stated chance: how many
pieces, the mean chance that was stated for their likeliest class, and the share of which it is the right one, before
anything is called unknown. The last number of a kind is the expected calibration error (Guo et al. 2017): the mean
distance between the two, in points. A picture that cannot be measured is left out.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np

from benchmarks.arguments import existing
from rules.scene import UNKNOWN, Piece
from ui.evaluation.pairing import paired
from ui.evaluation.truth import Known, Picture, pictures_in
from ui.eyes import packaged_eyes
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.detection import Detection
from vision.stream.picture import read_picture

BANDS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)


Told = tuple[str, float, bool]


def likeliest(one: Detection) -> str:
    """The class that it would have, were nothing called unknown."""
    return max(one.class_log_probs, key=one.class_log_probs.__getitem__) if one.class_log_probs else one.cls


def told(picture: Picture) -> list[Told]:
    """Kind, stated chance and whether it is right, of each piece that was found and whose class is known."""
    setup = read_setup(picture.setup) if picture.setup else None
    frame = read_picture(picture.path)
    eyes = packaged_eyes(setup.rules if setup else None)
    seen = [one for one in eyes.look(frame, plane_for(setup, frame)) if likeliest(one) != UNKNOWN]
    pieces = [
        Piece("", one.kind, likeliest(one), one.position_mm, one.footprint, image_px=one.image_px) for one in seen
    ]
    known = [replace(thing, must_find=thing.must_find and named(thing)) for thing in picture.known]
    return [
        (seen[j].kind, seen[j].confidence, pieces[j].cls == known[i].cls)
        for i, j in paired(known, pieces)
        if known[i].must_find
    ]


def named(thing: Known) -> bool:
    """Whether the truth tells the class, all of it."""
    return thing.cls != UNKNOWN and "?" not in thing.cls


def lines(kind: str, chances: np.ndarray, right: np.ndarray) -> Iterator[str]:
    """The printed rows of one kind of piece: stated chance, how many, how many right."""
    gaps = 0.0
    for low, high in pairwise(BANDS):
        inside = (chances >= low) & (chances < high)
        if inside.any():
            stated, found = chances[inside].mean(), right[inside].mean()
            gaps += inside.sum() * abs(stated - found)
            yield f"{kind:8s} {low:.2f}-{min(high, 1):.2f} {inside.sum():6d} {stated:8.1%} {found:8.1%}"
    count = len(chances)
    yield f"{kind:8s} in all    {count:6d} {chances.mean():8.1%} {right.mean():8.1%}   gap {gaps / count:.1%}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=existing, nargs="+")
    parser.add_argument("--split")
    args = parser.parse_args()
    by_kind: dict[str, list[Told]] = defaultdict(list)
    for picture in [one for folder in args.folders for one in pictures_in(folder, args.split)]:
        with suppress(ValueError):
            for one in told(picture):
                by_kind[one[0]].append(one)
    print("kind     chance      pieces   stated    right")
    for kind, answers in sorted(by_kind.items()):
        print("\n".join(lines(kind, np.array([a[1] for a in answers]), np.array([a[2] for a in answers], float))))


if __name__ == "__main__":
    main()
