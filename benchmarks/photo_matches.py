"""Matches on real photographs, refereed from the first frame to the last: what hands did, found, missed and invented.

    .venv/bin/python -m benchmarks.photo_matches ../shared/photos [FOLDER] [--seed 1] [--only NAME]

Each photograph that no net was trained on, with coins enough, becomes a clip: drawn hands move its own coins about (cut
out, laid elsewhere, what lay under them painted over), take one, hover and go, while the camera's exposure breathes and
its sensor is noisy. The table, its light, the coins and all else that lies there are real; hands, their shadows and
what is under a coin are not. Clips are written to FOLDER first, if it has none, and then scored as
`benchmarks.matches` does; places are those of the labels' boxes, good to a millimetre or two, so only names and counts
are told. Owners are none: no photographed coin has a sticker.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing, some
from benchmarks.coins import PHOTO_SETS, Truth, photo_truths
from benchmarks.matches import report, told_of
from calibration.plane import TablePlane
from sample_footage.camera import Camera
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals_between
from sample_footage.coin import Coin
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.drawn_match import FPS, LAST_S, do, seats
from sample_footage.film import Film
from sample_footage.gesture import Seat
from sample_footage.ground import linear
from sample_footage.light import Light
from sample_footage.match_clip import match_frames
from sample_footage.photo_table import PhotoView, cut_coin
from sample_footage.play import Play, Point
from sample_footage.sensor import Sensor
from sample_footage.whole_file import write_whole
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.frame import Frame

# A webcam's picture is no wider.
MOST_PX = 1280
FEWEST_COINS = 4
# A table narrower than two hands is all hand.
LEAST_TABLE_MM = 150.0
GAP_MM = 4.0
EDGE_PX = 6
DEEDS = ((Play.move, 0.45), (Play.slide, 0.2), (Play.take, 0.15), (Play.hover, 0.2))
NOISE_LEVELS = 2.0
# How far the exposure breathes, and how fast.
BREATH, BREATH_S = 0.015, 7.0
SHOULDER_MM = 430.0


@dataclass
class PhotoPlay(Play):
    """Hands on a photographed table: places are free of all that is labelled there, and in the picture."""

    camera: Camera | None = None
    size_mm: Point = (0.0, 0.0)
    things: list[tuple[Point, float]] = field(default_factory=list)

    def _free_place(self, coin: Coin) -> Point:
        for _ in range(500):
            x, y = (float(self.rng.uniform(coin.radius_mm, side - coin.radius_mm)) for side in self.size_mm)
            if self._is_free(coin, (x, y)) and math.dist((x, y), coin.position_mm) > 2 * coin.radius_mm:
                return x, y
        return coin.position_mm

    def _is_free(self, coin: Coin, at_mm: Point) -> bool:
        others = [(one.position_mm, one.radius_mm) for one in self.lying.values() if one.id != coin.id]
        clear = all(
            math.dist(at_mm, place) > coin.radius_mm + reach + GAP_MM for place, reach in (*others, *self.things)
        )
        assert self.camera is not None
        square = [(at_mm[0] + dx, at_mm[1] + dy, 0.0) for dx in (-16, 16) for dy in (-16, 16)]
        px = self.camera.project(square)
        return clear and bool(((px > EDGE_PX) & (px < np.array(self.camera.size_px) - EDGE_PX)).all())


def photographs(folder: Path) -> Iterator[tuple[Path, list[Truth]]]:
    """Those with coins enough on a table that is wide enough."""
    for name, split in PHOTO_SETS.items():
        for path, truths in photo_truths(folder / name, split) if (folder / name).exists() else ():
            setup = read_setup(path.with_suffix(".setup.toml"))
            known = sum(truth.cls in COIN_STOCK for truth in truths)
            if min(setup.rules.table_size_mm) >= LEAST_TABLE_MM and known >= FEWEST_COINS:
                yield path, truths


def scaled(path: Path) -> tuple[NDArray[np.uint8], float]:
    """The photograph as a webcam might give it, and its scale."""
    photo = np.asarray(cv2.imread(str(path)), np.uint8)
    scale = min(1.0, MOST_PX / max(photo.shape[:2]))
    height, width = (2 * int(side * scale / 2) for side in photo.shape[:2])
    return np.asarray(cv2.resize(photo, (width, height), interpolation=cv2.INTER_AREA), np.uint8), scale


def camera_of(plane: TablePlane, size_px: tuple[int, int], scale: float) -> Camera:
    """The camera that took it, for the picture as scaled."""
    matrix = plane.lens.matrix
    fx, fy = matrix[0, 0] * scale, matrix[1, 1] * scale
    centre = tuple(float((matrix[k, 2] + 0.5) * scale - 0.5) for k in (0, 1))
    bend = tuple(float(v) for v in np.ravel(plane.lens.distortion)[:5])
    rotation = tuple(tuple(float(v) for v in row) for row in plane.rotation)
    return Camera(size_px, (float(fx), float(fy)), centre, bend, rotation, tuple(map(float, np.ravel(plane.tvec))))  # type: ignore[arg-type]


def coins_of(truths: list[Truth], photo_bgr: NDArray[np.uint8], camera: Camera, scale: float) -> list[Coin]:
    """The coins that can be moved, each named by the number of its label."""
    light = linear(photo_bgr)
    return [
        cut_coin(f"c{number}", truth.cls, on_table(truth.centre_px, camera, scale, truth.cls), light, camera)
        for number, truth in enumerate(truths)
        if truth.cls in COIN_STOCK
    ]


def on_table(px: Point, camera: Camera, scale: float, cls: str = "") -> Point:
    """Where a place of the photograph lies, at the height of that coin's upper face."""
    height_mm = COIN_STOCK[cls].thickness_mm if cls else 0.0
    x, y = camera.to_plane((np.array([px]) + 0.5) * scale - 0.5, height_mm)[0]
    return float(x), float(y)


def other_things(path: Path, camera: Camera, scale: float) -> list[tuple[Point, float]]:
    """Where all that is labelled and is no coin that can be moved lies, and how far it reaches."""
    found = []
    with (path.parent / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["file"] == path.name and row["class"] not in COIN_STOCK and row["kind"] != "scene":
                x, y, width, height = (float(row[key]) for key in "xywh")
                middle = on_table((x + width / 2, y + height / 2), camera, scale)
                found.append((middle, math.dist(middle, on_table((x, y), camera, scale))))
    return found


def seats_of(size_mm: Point, rng: np.random.Generator) -> tuple[Seat, Seat]:
    """Two players at the left and the right of so large a table."""
    left, right = seats(rng)
    return (
        replace(left, shoulder_mm=(-SHOULDER_MM, size_mm[1] * float(rng.uniform(0.1, 0.9)))),
        replace(right, shoulder_mm=(size_mm[0] + SHOULDER_MM, size_mm[1] * float(rng.uniform(0.1, 0.9)))),
    )


def setup_text(path: Path, scale: float, currency: str) -> str:
    """The photograph's set-up with its points where they are in the picture as scaled, and the currency told."""
    setup = read_setup(path.with_suffix(".setup.toml"))
    width, height = setup.rules.table_size_mm
    rows = ", ".join(
        f"[{(u + 0.5) * scale - 0.5:.2f}, {(v + 0.5) * scale - 0.5:.2f}, {x:g}, {y:g}]"
        for u, v, x, y in setup.calibration.points
    )
    return (
        f'schema = "sandtable/setup/1"\ngame = "omms"\n'
        f'[table]\nsize_mm = [{width:g}, {height:g}]\ncurrency = "{currency}"\n'
        f"[calibration]\npoints = [{rows}]\n"
    )


def played(path: Path, truths: list[Truth], rng: np.random.Generator, deeds: int) -> tuple[PhotoPlay, Film, list[Coin]]:
    """What hands do on that photograph, drawn by chance, and the film that shows it."""
    photo, scale = scaled(path)
    setup = read_setup(path.with_suffix(".setup.toml"))
    plane = plane_for(setup, Frame(cv2.imread(str(path)), source=str(path)))
    camera = camera_of(plane, (photo.shape[1], photo.shape[0]), scale)
    coins, things = coins_of(truths, photo, camera, scale), other_things(path, camera, scale)
    size_mm = setup.rules.table_size_mm
    play = PhotoPlay(
        rng,
        seats_of(size_mm, rng),
        {coin.id: coin for coin in coins},
        [],
        camera=camera,
        size_mm=size_mm,
        things=things,
    )
    do(play, DEEDS, deeds)
    taken = {change.before.id for change in play.changes if change.before is not None}
    light = Light(float(rng.uniform(0, 360)), float(rng.uniform(40, 70)), key=0.5, ambient=0.5)
    view = PhotoView(camera, light, photo, coins, [coin for coin in coins if coin.id in taken])
    film = Film(view, Sensor(1.0, 0.0, 0.0, noise_fixed=0.0, noise_moving=NOISE_LEVELS))
    return play, film, coins


def breathing(frames: Iterator[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    """The frames of a camera whose exposure is never quite still."""
    for index, frame in enumerate(frames):
        gain = 1 + BREATH * math.sin(2 * math.pi * index / (FPS * BREATH_S))
        yield np.asarray(cv2.convertScaleAbs(frame, alpha=gain), np.uint8)


def write_photo_match(path: Path, truths: list[Truth], out: Path, seed: int, deeds: int) -> None:
    """Clip, truth and set-up of one photograph; the clip last."""
    rng = np.random.default_rng([seed, *path.name.encode()])
    play, film, coins = played(path, truths, rng, deeds)
    moved = {change.before.id for change in play.changes if change.before is not None}
    duration_s = max(reach.end_s for reach in play.reaches) + LAST_S
    name = f"match-{path.parent.name}-{path.stem}"
    currency = next(truth.cls for truth in truths if truth.cls in COIN_STOCK).partition("-")[0]
    _, scale = scaled(path)
    write_whole(out / f"{name}.setup.toml", setup_text(path, scale, currency))
    cuts = intervals_between([coin for coin in coins if coin.id in moved], play.changes, duration_s)
    events = [change.record for change in sorted(play.changes, key=lambda change: change.put_s)]
    seen = [(0.0, duration_s, film.view.camera)]
    truth = clip_truth(
        f"{name}.mp4", f"{name}.setup.toml", duration_s, FPS, coins, cuts, play.reaches, events, [], seen
    )
    write_whole(out / f"{name}.truth.json", json.dumps(truth, indent=1) + "\n")
    frames = match_frames(film, cuts, play.reaches, round(duration_s * FPS), FPS)
    write_clip(out / f"{name}.mp4", breathing(frames), FPS, crf=22, preset="veryfast")


def main() -> None:
    """Print what became of each match, and of all together."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("photos", type=existing)
    options.add_argument(
        "folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-photo-matches"
    )
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--deeds", type=some, default=5)
    options.add_argument("--only", default="", help="photographs with this in their path")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    for path, truths in photographs(given.photos):
        clip = given.folder / f"match-{path.parent.name}-{path.stem}.mp4"
        if given.only not in str(path):
            continue
        if not clip.exists():
            write_photo_match(path, truths, given.folder, given.seed, given.deeds)
        total += report(clip, told=False)[0]
    print(f"all: {told_of(total)}")


if __name__ == "__main__":
    main()
