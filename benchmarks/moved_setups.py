"""A table set up by clicked points, and a camera that was moved before play began: is it noticed, and found again?

    .venv/bin/python -m benchmarks.moved_setups [STILL.jpg ...]

Each rendered still (the sample ones without names) with a set-up beside it is one set-up's picture: four corners
clicked as the plane of its own set-up tells them, no lens file. Then it is shown again through the function that every
command measures the table with (`ui.measuring.table.plane_for`), as a JPEG with noise of its own: as it was; its light
dimmed by a third; with 40 things of 20 to 60 px laid about or taken away; by a camera turned about its lens (a turn
moves every pixel exactly as the lens tells); zoomed; mirrored; and by the next still's camera, which stands elsewhere
(the same print with other pieces, but for the bare table, which is another). Printed for each: how many are taken to
stand, are measured again, or are refused (a line for each kind of refusal), and how far the table is off beyond what
the clicks were off before (mm: median and worst over all pictures of the worst place of the table). Before that,
rendered tables of paper, their corners clicked to 0.5 px, whose camera is carried by 10, 40 and 100 mm any way and
turned with it, and round the table by 40, 90 and 150 degrees: the same, and how often the stated 95 % interval holds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from ui.measuring.table import plane_for
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame, ImageBgr
from vision.stream.picture import read_picture

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


@dataclass(eq=False)
class Tally:
    """What became of one way to move the camera, table by table; refusals are counted by their text."""

    verdicts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    added_mm: list[float] = field(default_factory=list)
    errors: list[TableError] = field(default_factory=list)

    def refuse(self, error: ValueError, folder: Path) -> None:
        """Count a table that is not measured."""
        self.verdicts["refused"] += 1
        self.refusals[str(error).replace(str(folder), "").partition(": calibration: ")[2]] += 1

    def take(self, plane: TablePlane) -> None:
        """Count a table that is measured."""
        is_moved = any("measured again" in note for note in plane.notes)
        self.verdicts["measured again" if is_moved else "taken to stand"] += 1

    @property
    def added(self) -> str:
        """How far off tables are beyond what they were."""
        return f"added {np.median(self.added_mm):.2f} mm, worst {max(self.added_mm):.2f}"


def paper_setup(picture: Path, camera: TablePlane, rng: np.random.Generator) -> SetupFile:
    """A table's set-up by its corners, clicked to 0.5 px in a picture of it."""
    points = np.c_[camera.to_image(TABLE) + rng.normal(0, 0.5, TABLE.shape), TABLE]
    block = CalibrationBlock(tuple(map(tuple, points.tolist())), points_sigma_px=(0.5,) * 4, seen=picture)
    return SetupFile(picture, Setup("pocket", (700.0, 500.0), ()), None, block)


def carry_one(picture: Path, rng: np.random.Generator, tallies: Mapping[str, Tally]) -> None:
    """A rendered table, set up, and its camera carried elsewhere in each way."""
    table = paper((700, 500), 3, seed=int(rng.integers(10**6)), gray=150)
    turns = {"roll_deg": rng.uniform(-4, 4), "pan_deg": rng.uniform(-20, 20)}
    camera = a_camera(
        rng.uniform(40, 75), rng.uniform(1200, 1440), **turns, lens=a_lens(SIZE, (-0.03, 0.0, 0.0, 0.0, 0.0))
    )
    cv2.imwrite(str(picture), shoot(camera, table, 3, rays=1, beyond=60, seed=1))
    setup = paper_setup(picture, camera, rng)
    then = plane_for(setup, read_picture(picture))
    others = {f"carried by {far_mm} mm": aside(camera, far_mm, rng) for far_mm in CARRIED_MM}
    others |= {f"carried round by {degrees} degrees": round_by(camera, degrees) for degrees in ROUND_DEG}
    for name, other in others.items():
        try:
            plane = plane_for(setup, Frame(shoot(other, table, 3, rays=1, beyond=60, seed=2)))
        except ValueError as error:
            tallies[name].refuse(error, picture.parent)
            continue
        px = other.to_image(GRID)
        tallies[name].added_mm.append(added_mm(plane, then, px, camera.to_image(GRID)))
        tallies[name].errors.append(TableError.of(plane, px, GRID))


def carried(folder: Path, seed: int) -> None:
    """Rendered tables whose camera is carried elsewhere: measure and print."""
    rng, tallies = np.random.default_rng(seed), defaultdict[str, Tally](Tally)
    for number in range(CARRIED):
        carry_one(folder / f"{number}.jpg", rng, tallies)
    for name, tally in tallies.items():
        holds = f"the interval holds for {100 * np.mean(TableError.joined(tally.errors).holds):.1f} %"
        print(f"{name}: {tally.verdicts['refused']} of {CARRIED} refused; {tally.added}; {holds}", flush=True)


def move_one(
    picture: Path,
    setup: SetupFile,
    frame: Frame,
    camera: TablePlane,
    cases: Mapping[str, Case],
    tallies: Mapping[str, Tally],
) -> None:
    """A still, set up by clicks, and shown again in each way; ValueError where the clicks measure no table."""
    cv2.imwrite(str(picture), frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    points = clicked(setup, camera, picture)
    then = plane_for(points, frame)
    for name, case in cases.items():
        image, now_px = case(frame.image_bgr, camera)
        try:
            plane = plane_for(points, Frame(noisy(image)))
        except ValueError as error:
            tallies[name].refuse(error, picture.parent)
            continue
        tallies[name].take(plane)
        if now_px is not None:
            tallies[name].added_mm.append(added_mm(plane, then, now_px, camera.to_image(GRID)))


def moved(folder: Path, stills: Sequence[Path]) -> Mapping[str, Tally]:
    """Each still by its own clicks, in all cases and by the next one's camera."""
    frames, tallies = [read_picture(still) for still in stills], defaultdict[str, Tally](Tally)
    setups = [read_setup(still.with_suffix(".setup.toml")) for still in stills]
    cameras = [plane_for(setup, frame) for setup, frame in zip(setups, frames, strict=True)]
    for n, still in enumerate(stills):
        after = (n + 1) % len(stills)
        other = frames[after].image_bgr, cameras[after].to_image(GRID)
        cases: dict[str, Case] = {**CASES, "another camera": lambda _, __, other=other: other}
        try:
            move_one(folder / "table.seen.jpg", setups[n], frames[n], cameras[n], cases, tallies)
        except ValueError as error:
            print(f"{still.stem}: no set-up: {error}")
    return tallies


def main() -> None:
    """Show and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("stills", type=existing, nargs="*", default=sorted(STILL.parent.glob("*.jpg")))
    options.add_argument("--seed", type=int, default=19)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        carried(Path(folder), given.seed)
        tallies = moved(Path(folder), given.stills)
    for name, tally in tallies.items():
        off = f"; {tally.added}" if tally.added_mm else ""
        print(f"{name}: {', '.join(f'{count} {verdict}' for verdict, count in tally.verdicts.items())}{off}")
        for line, count in tally.refusals.items():
            print(f"    {count} x {line}")


if __name__ == "__main__":
    main()
