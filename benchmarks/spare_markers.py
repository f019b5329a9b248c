"""Small printed markers that no set-up names: what they are taken for by eyes that look for coins, cards and dice.

    .venv/bin/python -m benchmarks.spare_markers PHOTOS [SET ...] [--each 6] [--seed 1] [--pictures FOLDER]

PHOTOS is the folder of labelled photographs (INDEX.md). On `--each` pictures of the `dev` split of each set up to five
markers of eight dictionaries, 8 to 30 mm, with narrow or broad paper around them, are laid where nothing was found:
printed ink and paper in the light of the ground there, through as much blur and grain as a camera adds. Each picture is
looked at before and after. Told are the markers on whose paper something is found, and what; and how many pieces are
found before, and afterwards beside them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon, union_all
from shapely.geometry.base import BaseGeometry

from benchmarks.arguments import existing
from benchmarks.no_terrain import measured, print_tallies
from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame, ImageBgr
from vision.wanted import Wanted

SETS = (
    "euro_scenes_kaa_mit",
    "nolicence_us_scenes_single_denom",
    "nolicence_uk_scenes_webcam640",
    "uk_scenes_phone_mit",
    "dice_white_table_mit",
    "nolicence_dice_phone_mixed",
    "nolicence_cards_dark_bg",
    "cards_clutter_edje_apache2",
)
DICTIONARIES = (
    cv2.aruco.DICT_4X4_50, cv2.aruco.DICT_4X4_1000, cv2.aruco.DICT_5X5_250, cv2.aruco.DICT_6X6_250,
    cv2.aruco.DICT_7X7_250, cv2.aruco.DICT_APRILTAG_16h5, cv2.aruco.DICT_APRILTAG_25h9, cv2.aruco.DICT_APRILTAG_36h11,
)  # fmt: skip
SIDES_MM, RIMS, MOST, TRIES = (8.0, 30.0), (0.05, 0.15, 0.3), 5, 60
CELLS_PX = 240
# Labels do not say all that lies on a table: so far from what the eyes find a marker is laid.
FREE_MM = 6.0


@dataclass(frozen=True, eq=False)
class Laid:
    """A marker on the table: its paper in mm, and the print (h, w), 0 ink to 1 paper."""

    paper: Polygon
    print_: NDArray[np.float32]


def a_marker(at_mm: NDArray[np.float64], rng: np.random.Generator) -> Laid:
    """One of any dictionary, size, paper and turn, its middle there."""
    book = cv2.aruco.getPredefinedDictionary(int(rng.choice(DICTIONARIES)))
    cells = cv2.aruco.generateImageMarker(book, int(rng.integers(len(book.bytesList))), CELLS_PX)
    rim = float(rng.choice(RIMS))
    margin = round(rim * CELLS_PX)
    printed = cv2.copyMakeBorder(cells, *(margin,) * 4, cv2.BORDER_CONSTANT, value=255)
    half_mm = rng.uniform(*SIDES_MM) * (1 + 2 * rim) / 2
    turn = rng.uniform(0, 2 * np.pi)
    across = half_mm * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) @ across + at_mm
    return Laid(Polygon(corners), printed.astype(np.float32) / 255)


def printed_on(picture: ImageBgr, plane: TablePlane, marker: Laid, rng: np.random.Generator) -> ImageBgr:
    """The picture with the marker: its paper as bright as the brightest of the ground about it, or brighter."""
    side = len(marker.print_)
    corners_px = plane.to_image(np.array(marker.paper.exterior.coords)[:4]).astype(np.float32)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(square, corners_px)
    high, wide = picture.shape[:2]
    smaller = max(0.3, 0.45 * side / max(1.0, float(np.linalg.norm(corners_px[1] - corners_px[0]))))
    shown = cv2.warpPerspective(cv2.GaussianBlur(marker.print_, (0, 0), smaller), warp, (wide, high))[..., None]
    inside = cv2.warpPerspective(np.ones_like(marker.print_), warp, (wide, high))[..., None]
    low, top = np.floor(corners_px.min(axis=0)).astype(int), np.ceil(corners_px.max(axis=0)).astype(int)
    about = picture[max(0, low[1] - 40) : top[1] + 40, max(0, low[0] - 40) : top[0] + 40].reshape(-1, 3)
    paper = np.clip(np.percentile(about, 90, axis=0) * 0.3 + 0.7 * max(float(np.percentile(about, 90)), 150), 0, 250)
    ink = paper * rng.uniform(0.06, 0.3)
    blur = float(rng.uniform(0.5, 1.2))
    seen = cv2.GaussianBlur(picture * (1 - inside) + (ink + shown * (paper - ink)) * inside, (0, 0), blur)
    soft = cv2.GaussianBlur(inside, (0, 0), blur)[..., None]
    grain = rng.normal(0, rng.uniform(0.5, 4), picture.shape)
    near = (soft > 0.01).astype(float)
    mixed = picture * (1 - near) + (seen + grain) * near
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def lay(frame: Frame, plane: TablePlane, found: list[Detection], rng: np.random.Generator) -> tuple[Frame, list[Laid]]:
    """The picture with markers where nothing was found, and these."""
    high, wide = frame.image_bgr.shape[:2]
    taken: BaseGeometry = union_all([piece.footprint.buffer(FREE_MM) for piece in found])
    picture, laid = frame.image_bgr, list[Laid]()
    for _ in range(TRIES):
        at_px = rng.uniform((0.05 * wide, 0.05 * high), (0.95 * wide, 0.95 * high))
        marker = a_marker(plane.to_table([at_px])[0], rng)
        shown = plane.to_image(np.array(marker.paper.exterior.coords))
        in_view = bool((shown > 4).all() and (shown < (wide - 4, high - 4)).all())
        if len(laid) < MOST and in_view and not marker.paper.intersects(taken):
            picture = printed_on(picture, plane, marker, rng)
            taken = taken.union(marker.paper.buffer(FREE_MM))
            laid.append(marker)
    return replace(frame, image_bgr=picture), laid


def taken_for(found: list[Detection], markers: list[Laid]) -> Counter[str]:
    """What was found on the markers' paper."""
    tally: Counter[str] = Counter(markers=len(markers))
    for marker in markers:
        near = marker.paper.buffer(3.0)
        on = [piece for piece in found if near.contains(Point(piece.position_mm))]
        tally["taken"] += bool(on)
        for piece in on:
            tally[piece.kind if piece.cls != UNKNOWN else f"unknown {piece.kind}"] += 1
    return tally


def drawn(frame: Frame, plane: TablePlane, found: list[Detection], markers: list[Laid]) -> ImageBgr:
    """The picture with the outline of everything that was found and lies on a marker."""
    picture = frame.image_bgr.copy()
    papers = union_all([marker.paper.buffer(3.0) for marker in markers])
    for piece in found:
        if papers.contains(Point(piece.position_mm)):
            px = plane.to_image(np.array(piece.footprint.exterior.coords)).astype(np.int32)
            cv2.polylines(picture, [px], True, (255, 0, 255), 2, cv2.LINE_AA)
            at = (int(px[0][0]), int(px[0][1]))
            cv2.putText(picture, f"{piece.kind} {piece.cls}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 255), 2)
    return picture


def score(path: Path, rows: list[dict[str, str]], rng: np.random.Generator, into: Path | None) -> Counter[str]:
    """One picture, before and after."""
    frame, plane, size_mm = measured(path, rows)
    eyes = Eyes.packaged(size_mm, Wanted(frozenset(("coin", "card", "die"))))
    before = list(eyes.look(frame, plane))
    marked, markers = lay(frame, plane, before, rng)
    after = list(eyes.look(marked, plane))
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(into / f"{path.parent.name[:14]}-{path.stem}.png"), drawn(marked, plane, after, markers))
    papers = union_all([marker.paper.buffer(3.0) for marker in markers])
    left = sum(not papers.contains(Point(piece.position_mm)) for piece in after)
    return taken_for(after, markers) + Counter(pieces=len(before), left=left)


def line(name: str, tally: Counter[str]) -> str:
    """One printed row."""
    rest = ", ".join(
        f"{key} {tally[key]}" for key in ("die", "unknown die", "coin", "unknown coin", "card", "unknown card")
    )
    return (
        f"{name:34s} markers {tally['markers']:3d}, taken for something {tally['taken']:3d} ({rest});"
        f" pieces {tally['pieces']} before, {tally['left']} beside them"
    )


def main() -> None:
    """Print a line for each set and one for all."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    options.add_argument("sets", nargs="*", default=list(SETS))
    options.add_argument("--each", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--pictures", type=Path, help="where to put the pictures")
    given = options.parse_args()

    def scored(path: Path, rows: list[dict[str, str]]) -> Counter[str]:
        """The same markers on a picture whichever others are asked."""
        return score(path, rows, np.random.default_rng([given.seed, *path.name.encode()]), given.pictures)

    print_tallies(given.photos, given.sets, given.each, scored, line)


if __name__ == "__main__":
    main()
