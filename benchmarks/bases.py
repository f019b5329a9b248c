"""How well the rims of miniatures' bases are measured, round ones and oval ones, on rendered tables.

    .venv/bin/python -m sample_footage.base_pictures --out FOLDER [--count 6] [--seed 2026]
    .venv/bin/python -m benchmarks.bases FOLDER [--pictures OUT]

For each form (round, oval, pill): how many are found, how far points of the true rim are from the measured one (72 of
each base, in all directions; median, p95), the middle's error and how often the stated interval holds it, and of how
many it is told rightly whether they are round.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, line_interpolate_point

from benchmarks.arguments import existing
from calibration.plane import SIGMAS_95, TablePlane
from rules.scene import Piece
from ui.evaluation.pairing import paired
from ui.evaluation.truth import Picture, pictures_in
from ui.eyes import eyes_for
from ui.measuring.measured import measured_plane
from ui.setup.setup_file import read_setup
from ui.still import frames_of, still_scene
from vision.frame import ImageBgr

FORMS = ("round", "oval", "pill")
RIM_POINTS = 72
# A base whose length is so many times its breadth is not round.
OVAL = 1.12


def rim_errors_mm(true: Polygon, told: Polygon) -> NDArray[np.float64]:
    """(RIM_POINTS,) from points of the true rim to the told one."""
    along = np.linspace(0, true.length, RIM_POINTS, endpoint=False)
    return np.array([told.exterior.distance(line_interpolate_point(true.exterior, s)) for s in along])


def roundness(outline: Polygon) -> float:
    """Its length over its breadth."""
    rectangle = np.array(outline.minimum_rotated_rectangle.exterior.coords)
    sides = np.hypot(*np.diff(rectangle[:3], axis=0).T)
    return float(sides.max() / sides.min())


def drawn(image: ImageBgr, plane: TablePlane, truth: Sequence[Polygon], told: Sequence[Piece]) -> NDArray[np.uint8]:
    """True rims yellow, told ones red."""
    picture = image.copy()
    for outline, colour in (*((one, (0, 255, 255)) for one in truth), *((one.footprint, (0, 0, 255)) for one in told)):
        px = plane.to_image(np.array(outline.exterior.coords))
        cv2.polylines(picture, [np.rint(px * 8).astype(np.int32)], True, colour, 1, cv2.LINE_AA, shift=3)
    return picture


@dataclass(frozen=True, eq=False)
class Compared:
    """A base beside what was told of it.

    rim_mm    (RIM_POINTS,) from points of its true rim to the told one
    off_mm    between their middles
    holds     whether the stated 95 % interval holds that
    is_right  whether it is told as round, or as not round, rightly
    """

    form: str
    rim_mm: NDArray[np.float64]
    off_mm: float
    holds: bool
    is_right: bool

    @classmethod
    def of(cls, known: Mapping[str, Any], told: Piece) -> Compared:
        """A feature of the truth and the base that is taken for it."""
        form, middle_mm = known["properties"]["form"], known["properties"]["position_mm"]
        rim_mm = rim_errors_mm(outline_of(known), told.footprint)
        off_mm = float(np.hypot(*np.subtract(told.position_mm, middle_mm)))
        is_round = roundness(told.footprint) < OVAL
        return cls(form, rim_mm, off_mm, off_mm <= SIGMAS_95 * told.sigma_mm, is_round == (form == "round"))


@dataclass(frozen=True, eq=False)
class Looked:
    """A picture's true bases, features of its truth, and those that `sandtable scene` finds there."""

    picture: Picture
    known: list[dict[str, Any]]
    told: list[Piece]

    @classmethod
    def at(cls, picture: Picture) -> Looked:
        """One look at it."""
        setup = read_setup(picture.setup)
        pieces = still_scene(setup, frames_of(picture.path, None), eyes_for(setup.rules)).pieces
        known = json.loads(picture.path.with_suffix(".truth.geojson").read_text("utf-8"))["features"]
        return cls(picture, known, [piece for piece in pieces if piece.kind == "base"])

    def compared(self) -> list[Compared]:
        """Each base that was found beside what was told of it."""
        pairs = paired(self.picture.known, self.told)
        return [Compared.of(self.known[n], self.told[m]) for n, m in pairs]

    def drawn(self) -> NDArray[np.uint8]:
        """The picture with both rims."""
        frame = frames_of(self.picture.path, None)[0]
        plane = measured_plane(read_setup(self.picture.setup), frame)
        return drawn(frame.image_bgr, plane, [outline_of(one) for one in self.known], self.told)


def outline_of(known: Mapping[str, Any]) -> Polygon:
    """The true rim, mm."""
    return Polygon(known["geometry"]["coordinates"][0])


def row_of(form: str, there: int, compared: Sequence[Compared]) -> str:
    """What is printed for one form."""
    rim_mm, off_mm = np.array([one.rim_mm for one in compared]), np.array([one.off_mm for one in compared])
    worst_mm = rim_mm.max(axis=1)
    return (
        f"{form:6s} {len(compared):3d} of {there:3d}, rim {np.median(rim_mm):.2f} mm, p95 "
        f"{np.quantile(rim_mm, 0.95):.1f}, its worst point {np.median(worst_mm):.1f}, p95 "
        f"{np.quantile(worst_mm, 0.95):.1f}; middle {np.median(off_mm):.2f}, p95 {np.quantile(off_mm, 0.95):.1f}, "
        f"{np.mean([one.holds for one in compared]):.0%} hold; {sum(one.is_right for one in compared)} of "
        f"{len(compared)} told round or not, rightly"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=existing)
    parser.add_argument("--pictures", type=Path, help="where to put the pictures with both rims")
    args = parser.parse_args()
    looks = [Looked.at(picture) for picture in pictures_in(args.folder)]
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
        for look in looks:
            cv2.imwrite(str(args.pictures / f"{look.picture.path.stem}.png"), look.drawn())
    there = Counter(known["properties"]["form"] for look in looks for known in look.known)
    compared = [one for look in looks for one in look.compared()]
    for form in FORMS:
        if alike := [one for one in compared if one.form == form]:
            print(row_of(form, there[form], alike))
    print(f"{sum(len(look.told) for look in looks) - len(compared)} false bases")


if __name__ == "__main__":
    main()
