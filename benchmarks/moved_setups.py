"""A table set up by clicked points, and a camera that was moved before play began: is it noticed, and found again?

    .venv/bin/python -m benchmarks.moved_setups [STILL.jpg ...]

Each rendered still (the sample ones without names) with a set-up beside it is one set-up's picture: four corners
clicked as the plane of its own set-up tells them, no lens file. Then it is shown again through the function that every
command measures the table with (`ui.table.plane_for`), as a JPEG with noise of its own: as it was; its light dimmed by
a third; with 40 things of 20 to 60 px laid about or taken away; by a camera turned about its lens (a turn moves every
pixel exactly as the lens tells); zoomed; mirrored; and by the next still's camera, which stands elsewhere (the same
print with other pieces, but for the bare table, which is another). Printed for each: how many are taken to stand, are
measured again, or are refused (a line for each kind of refusal), and how far the table is off beyond what the clicks
were off before (mm: median and worst over all pictures of the worst place of the table). Before that, rendered tables
of paper, their corners clicked to 0.5 px, whose camera is carried by 10, 40 and 100 mm any way and turned with it, and
round the table by 40, 90 and 150 degrees: the same, and how often the stated 95 % interval holds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing
from benchmarks.cameras import SIZE
from benchmarks.table_error import GRID, TableError
from benchmarks.turned import JPEG_QUALITY, MIDDLE_PX, NOISE, STILL, seen_by, turned, zoomed
from calibration.plane import TablePlane
from rules.setup import Setup
from tests.calibration.simulation import TABLE
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from ui.calibration_block import CalibrationBlock
from ui.setup_file import SetupFile, read_setup
from ui.table import plane_for
from vision.frame import Frame, ImageBgr
from vision.picture import read_picture

Array = NDArray[np.float64]
# What is shown, and where it shows the px (n, 2); None where nothing can be measured.
Case = Callable[[ImageBgr, TablePlane], tuple[ImageBgr, Array | None]]

THINGS = 40
TURNS = {
    "2 px": (0.07, 0.04, 0.0),
    "20 px": (0.7, 0.3, 0.2),
    "104 px": (3.6, 1.8, 0.0),
    "5 degrees of roll": (0.0, 0.0, 5.0),
}
# By how far a tripod is carried, and turned with it; so many cameras.
CARRIED_MM, TURNED_RAD_PER_MM, CARRIED = (10, 40, 100), 5e-4, 12
ROUND_DEG, TABLE_MIDDLE_MM = (40, 90, 150), np.array([350.0, 250.0, 0.0])


def by_turn(degrees: tuple[float, float, float]) -> Case:
    """The case of a camera that was turned to look elsewhere."""

    def case(image: ImageBgr, camera: TablePlane) -> tuple[ImageBgr, Array | None]:
        """What the turned camera sees, and where it sees the grid."""
        other = turned(camera, degrees)
        return seen_by(other, image, camera), other.to_image(GRID)

    return case


def laid_about(image: ImageBgr, camera: TablePlane) -> tuple[ImageBgr, Array | None]:
    """The picture with things put down on the table."""
    rng, shown = np.random.default_rng(7), image.copy()
    for x, y in rng.uniform((20, 20), (680, 480), (THINGS, 2)).tolist():
        u, v = np.nan_to_num(camera.to_image([[x, y]])[0]).round().astype(int).tolist()
        colour = tuple(rng.integers(20, 235, 3).tolist())
        cv2.circle(shown, (u, v), int(rng.integers(10, 30)), colour, -1, cv2.LINE_AA)
    return shown, camera.to_image(GRID)


def dimmed(image: ImageBgr, camera: TablePlane) -> tuple[ImageBgr, Array | None]:
    """The picture with a third less light."""
    return np.asarray(image * 0.67, np.uint8), camera.to_image(GRID)


CASES: dict[str, Case] = {
    "as it was": lambda image, camera: (image, camera.to_image(GRID)),
    "light dimmed by a third": dimmed,
    "things laid about": laid_about,
    **{f"turned by {name}": by_turn(degrees) for name, degrees in TURNS.items()},
    "turned by 20 px, things laid about": lambda image, camera: by_turn(TURNS["20 px"])(
        laid_about(image, camera)[0], camera
    ),
    "zoomed by 3 %": lambda image, camera: (
        zoomed(image, 1.03),
        (camera.to_image(GRID) - MIDDLE_PX) * 1.03 + MIDDLE_PX,
    ),
    "mirrored": lambda image, _: (np.ascontiguousarray(image[:, ::-1]), None),
}


def noisy(image: ImageBgr) -> ImageBgr:
    """As another picture of the same view comes from a camera."""
    noise = np.random.default_rng(3).normal(0, NOISE, image.shape)
    jpeg = cv2.imencode(
        ".jpg", np.clip(image + noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    )[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def clicked(setup: SetupFile, camera: TablePlane, picture: Path) -> SetupFile:
    """The set-up as clicks would have made it."""
    points = tuple(map(tuple, np.c_[np.round(camera.to_image(TABLE)), TABLE].tolist()))
    return replace(setup, camera=None, calibration=CalibrationBlock(points, seen=picture))


def added_mm(plane: TablePlane, then: TablePlane, now_px: Array, was_px: Array) -> float:
    """How far the table's places are from where the set-up had them, worst."""
    inside = ((now_px > 0) & (now_px < then.lens.size_px)).all(axis=1)
    return float(np.hypot(*(plane.to_table(now_px[inside]) - then.to_table(was_px[inside])).T).max())


def aside(camera: TablePlane, far_mm: float, rng: np.random.Generator) -> TablePlane:
    """The camera carried so far any way, and turned with it."""
    way, turn = rng.normal(0, 1, 3), cv2.Rodrigues(rng.normal(0, TURNED_RAD_PER_MM * far_mm, 3))[0]
    tvec = turn @ (camera.tvec + way * far_mm / np.linalg.norm(way))
    return replace(camera, rvec=cv2.Rodrigues(turn @ camera.rotation)[0].ravel(), tvec=tvec)


def round_by(camera: TablePlane, degrees: float) -> TablePlane:
    """The camera carried round the table's middle."""
    about = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(degrees)]))[0]
    tvec = camera.rotation @ (TABLE_MIDDLE_MM - about @ TABLE_MIDDLE_MM) + camera.tvec
    return replace(camera, rvec=cv2.Rodrigues(camera.rotation @ about)[0].ravel(), tvec=tvec)


def carried(folder: Path, seed: int) -> None:
    """Rendered tables whose camera is carried elsewhere: measure and print."""
    rng, lens = np.random.default_rng(seed), a_lens(SIZE, (-0.03, 0.0, 0.0, 0.0, 0.0))
    refused, added = Counter[str](), defaultdict[str, list[float]](list)
    errors = defaultdict[str, list[TableError]](list)
    for number in range(CARRIED):
        table = paper((700, 500), 3, seed=int(rng.integers(10**6)), gray=150)
        turns = {"roll_deg": rng.uniform(-4, 4), "pan_deg": rng.uniform(-20, 20)}
        camera = a_camera(rng.uniform(40, 75), rng.uniform(1200, 1440), **turns, lens=lens)
        picture = folder / f"{number}.jpg"
        cv2.imwrite(str(picture), shoot(camera, table, 3, rays=1, beyond=60, seed=1))
        points = np.c_[camera.to_image(TABLE) + rng.normal(0, 0.5, TABLE.shape), TABLE]
        block = CalibrationBlock(tuple(map(tuple, points.tolist())), points_sigma_px=(0.5,) * 4, seen=picture)
        setup = SetupFile(picture, Setup("pocket", (700.0, 500.0), ()), None, block)
        then = plane_for(setup, read_picture(picture))
        others = {f"carried by {far_mm} mm": aside(camera, far_mm, rng) for far_mm in CARRIED_MM}
        others |= {f"carried round by {degrees} degrees": round_by(camera, degrees) for degrees in ROUND_DEG}
        for name, other in others.items():
            try:
                plane = plane_for(setup, Frame(shoot(other, table, 3, rays=1, beyond=60, seed=2)))
            except ValueError:
                refused[name] += 1
                continue
            px = other.to_image(GRID)
            added[name].append(added_mm(plane, then, px, camera.to_image(GRID)))
            errors[name].append(TableError.of(plane, px, GRID))
    for name, all_mm in added.items():
        off = f"added {np.median(all_mm):.2f} mm, worst {max(all_mm):.2f}"
        holds = f"the interval holds for {100 * np.mean(TableError.joined(errors[name]).holds):.1f} %"
        print(f"{name}: {refused[name]} of {CARRIED} refused; {off}; {holds}", flush=True)


def main() -> None:
    """Show and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("stills", type=existing, nargs="*", default=sorted(STILL.parent.glob("*.jpg")))
    options.add_argument("--seed", type=int, default=19)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        carried(Path(folder), given.seed)
    stills = given.stills
    frames, verdicts = [read_picture(still) for still in stills], defaultdict[str, Counter[str]](Counter)
    setups = [read_setup(still.with_suffix(".setup.toml")) for still in stills]
    cameras = [plane_for(setup, frame) for setup, frame in zip(setups, frames, strict=True)]
    added, refusals = defaultdict[str, list[float]](list), defaultdict[str, list[str]](list)
    for number, (still, frame) in enumerate(zip(stills, frames, strict=True)):
        setup, camera = setups[number], cameras[number]
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "table.seen.jpg"
            cv2.imwrite(str(picture), frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            points = clicked(setup, camera, picture)
            try:
                then = plane_for(points, frame)
            except ValueError as error:
                print(f"{still.stem}: no set-up: {error}")
                continue
            after = (number + 1) % len(frames)
            other = frames[after].image_bgr, cameras[after].to_image(GRID)
            for name, case in {**CASES, "another camera": lambda _, __, other=other: other}.items():
                image, now_px = case(frame.image_bgr, camera)
                try:
                    plane = plane_for(points, Frame(noisy(image)))
                except ValueError as error:
                    verdicts[name]["refused"] += 1
                    refusals[name].append(str(error).replace(folder, "").partition(": calibration: ")[2])
                    continue
                is_moved = any("measured again" in note for note in plane.notes)
                verdicts[name]["measured again" if is_moved else "taken to stand"] += 1
                if now_px is not None:
                    added[name].append(added_mm(plane, then, now_px, camera.to_image(GRID)))
    for name, each in verdicts.items():
        off = f"; added {np.median(added[name]):.2f} mm, worst {max(added[name]):.2f}" if added[name] else ""
        print(f"{name}: {', '.join(f'{count} {verdict}' for verdict, count in each.items())}{off}")
        for line, count in Counter(refusals[name]).items():
            print(f"    {count} x {line}")


if __name__ == "__main__":
    main()
