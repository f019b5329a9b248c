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
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, line_interpolate_point

from benchmarks.arguments import existing
from calibration.plane import SIGMAS_95, TablePlane
from rules.scene import Piece
from ui.evaluation.pairing import paired
from ui.evaluation.truth import pictures_in
from ui.eyes import eyes_for
from ui.measured import measured_plane
from ui.setup_file import read_setup
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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=existing)
    parser.add_argument("--pictures", type=Path, help="where to put the pictures with both rims")
    args = parser.parse_args()
    rows: dict[str, list[tuple[NDArray[np.float64], float, bool, bool]]] = {form: [] for form in FORMS}
    there, false = dict.fromkeys(FORMS, 0), 0
    for picture in pictures_in(args.folder):
        setup, frames = read_setup(picture.setup), frames_of(picture.path, None)
        found = [one for one in still_scene(setup, frames, eyes_for(setup.rules)).pieces if one.kind == "base"]
        features = json.loads(picture.path.with_suffix(".truth.geojson").read_text("utf-8"))["features"]
        outlines = [Polygon(one["geometry"]["coordinates"][0]) for one in features]
        pairs = dict(paired(picture.known, found))
        false += len(found) - len(pairs)
        for n, (feature, outline) in enumerate(zip(features, outlines, strict=True)):
            form = feature["properties"]["form"]
            there[form] += 1
            if n in pairs:
                one = found[pairs[n]]
                off_mm = float(np.hypot(*np.subtract(one.position_mm, feature["properties"]["position_mm"])))
                is_round = roundness(one.footprint) < OVAL
                errors = rim_errors_mm(outline, one.footprint)
                rows[form].append((errors, off_mm, off_mm <= SIGMAS_95 * one.sigma_mm, is_round == (form == "round")))
        if args.pictures:
            args.pictures.mkdir(parents=True, exist_ok=True)
            plane = measured_plane(setup, frames[0])
            cv2.imwrite(
                str(args.pictures / f"{picture.path.stem}.png"), drawn(frames[0].image_bgr, plane, outlines, found)
            )
    for form in FORMS:
        if not rows[form]:
            continue
        errors, off_mm, holds, right = (np.array(each) for each in zip(*rows[form], strict=True))
        worst = errors.max(axis=1)
        at_worst = f"its worst point {np.median(worst):.1f}, p95 {np.quantile(worst, 0.95):.1f}"
        print(
            f"{form:6s} {len(errors):3d} of {there[form]:3d}, rim {np.median(errors):.2f} mm, p95 "
            f"{np.quantile(errors, 0.95):.1f}, {at_worst}; "
            f"middle {np.median(off_mm):.2f}, p95 {np.quantile(off_mm, 0.95):.1f}, {holds.mean():.0%} hold; "
            f"{right.sum()} of {len(right)} told round or not, rightly"
        )
    print(f"{false} false bases")


if __name__ == "__main__":
    main()
