"""Three clicked corners: on how many tables they do, with coins about and without, and how far off the table then is.

    .venv/bin/python -m benchmarks.three_clicks [--tables 300] [--seed 300] [--sides] [--stills STILL.jpg ...]

Simulated cameras that show a table of 700 x 500 mm whole, 35 to 80 degrees down, turned and rolled a little, through a
webcam's lens. With a lens file it is off that as the file says that it may be, without one it is any webcam's
(tests/calibration/simulation.py). A hand clicks three corners, and then the fourth, to 0.4 px and to whole pixels.
Coins lie about, their sizes measured as badly as on rendered stills (vision.scale.coin_sizes: 0.8 % each, all by as
much, and more on one side and where they show larger), and cards, their corners to 0.3 px, all larger or smaller by 0.5
%. Printed: where three corners leave one camera only and the set-up would take them (`ui.measuring.quick`: stated to 10
mm at every corner); their error in mm over the table (median, p95, worst), how often the stated 95 % interval holds;
the same of four corners. With --sides: rendered bare tables, lighter or darker than the floor, with discs on them, the
corner that nobody clicks covered on every second; and how often a field in the middle of them, which has no sides, is
made up. With --screen 0.5 1 2: the same tables (no lens file and with one), clicked in a window in which a px of the
screen covers so many of the picture: a hand errs by 0.7 px of the screen, the mouse tells whole ones; three with the
sides, four, and, with a lens file and no picture, three by the lens; each, under "0.5 px", as if whole px of the
picture had been clicked, as before, as stated by that scale, and so and with the corners sharpened by the sides that
show. With --stills STILL.jpg ...: through the eyes, on pictures with set-up and truth. 100 tables take a quarter of an
hour.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing
from benchmarks.cameras import SIZE, measured
from benchmarks.known_map import true_camera
from benchmarks.table_error import TableError
from calibration.corners.corners_by_sides import sharpened
from calibration.corners.fourth_corner import SIDES_SIGMA_PX, fourth_corner
from calibration.fit.correspondence import CLICK_SIGMA_PX, Circle, Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.fit.problem import SIZE_ACROSS, SIZE_SLOPE
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, TablePlane
from calibration.table import CalibrationSpec, calibrate_table
from models.coins import DIAMETER_MM, THICKNESS_MM
from tests.calibration.simulation import TABLE, a_webcam_lens
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from ui.measuring.clicked import Click, click_sigma_px
from ui.measuring.corners import WORST_MM, by_three
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.stream.picture import read_picture

Array = NDArray[np.float64]

HAND_PX = 0.4
# On the screen, where it is the window's scale that is measured.
HAND_SCREEN_PX = 0.7
SPANS_DEG = ((35, 55), (55, 80), (35, 80))
# What the sizes of coins err by: each, and all of one table (48 rendered stills of seed 5; the rest as in the bundle).
SIZE_SHARE, LIGHT_SHARE = 0.008, 0.008
CARD_PX, CARD_SHARE = 0.3, 0.005
CARD = np.array([[-44.45, -31.75], [44.45, -31.75], [44.45, 31.75], [-44.45, 31.75]])
# Coins and cards that lie about.
ABOUT = ((0, 0), (8, 0), (16, 0), (24, 0), (0, 2), (0, 3), (12, 1))
TEXELS, DISCS, DISC_MM = 3, 20, 12
# The field in the middle of the table that no side shows.
FIELD, FIELD_MM = TABLE * 0.6 + [140, 100], (420.0, 300.0)
AROUND = np.linspace(0, 2 * np.pi, 16, endpoint=False)


def cameras(count: int, rng: np.random.Generator, *, known: bool) -> Iterator[TablePlane]:
    """Cameras that show the whole table."""
    while count:
        turns = {"roll_deg": rng.uniform(-5, 5), "pan_deg": rng.uniform(-20, 20)}
        lens = a_lens(SIZE, (rng.uniform(-0.1, 0.1), 0.0, 0.0, 0.0, 0.0)) if known else a_webcam_lens(rng)
        away_mm = rng.uniform(850, 1100) * lens.matrix[0, 0] / a_lens(SIZE).matrix[0, 0]
        camera = a_camera(rng.uniform(35, 80), away_mm, **turns, lens=lens)
        px = camera.to_image(TABLE)
        if (px > 0).all() and (px < SIZE).all():
            count -= 1
            yield camera


def coins(camera: TablePlane, count: int, rng: np.random.Generator) -> tuple[Circle, ...]:
    """Coins of one currency anywhere on the table, as the eyes measure them."""
    money = rng.choice(["gbp", "eur", "usd"])
    classes = [cls for cls in DIAMETER_MM if cls.startswith(money)]
    (light, slope, side), found = rng.normal(0, (LIGHT_SHARE, SIZE_SLOPE, SIZE_ACROSS)), []
    for number, at_mm in enumerate(rng.uniform((25, 25), (675, 475), (count, 2)).reshape(-1, 2)):
        cls = str(rng.choice(classes))
        radius_mm, height_mm = DIAMETER_MM[cls] / 2, THICKNESS_MM[cls]
        px_per_mm = float(camera.px_per_mm(at_mm[None], height_mm)[0])
        across = camera.to_image(at_mm[None])[0, 0] / SIZE[0] - 0.5
        share = 1 + light + slope * np.log(px_per_mm) + side * across + rng.normal(0, SIZE_SHARE)
        rim_px = camera.to_image(at_mm + np.c_[np.cos(AROUND), np.sin(AROUND)] * radius_mm * share, height_mm)
        sigma_px = SIZE_SHARE * radius_mm * px_per_mm
        found.append(Circle(f"{cls} {number}", rim_px, radius_mm, height_mm, sigma_px, size_only=True))
    return tuple(found)


def cards(camera: TablePlane, count: int, rng: np.random.Generator) -> Correspondences:
    """Cards anywhere on the table, as they are measured."""
    parts, share = [], 1 + rng.normal(0, CARD_SHARE)
    for number in range(count):
        turn, at_mm = rng.uniform(0, 2 * np.pi), rng.uniform((60, 60), (640, 440))
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        px = camera.to_image(CARD @ rotation.T * share + at_mm) + rng.normal(0, CARD_PX, CARD.shape)
        parts.append(Correspondences.of(px, CARD, [f"card {number + 1}"] * 4, CARD_PX).lying_anywhere())
    return Correspondences.joined(parts)


def judged(
    camera: TablePlane,
    px: Array,
    lens: Lens | None,
    circles: tuple[Circle, ...] = (),
    loose: Correspondences | None = None,
) -> TableError | None:
    """None where the corners do not do."""
    clicked = Correspondences.of(px, TABLE[: len(px)])
    seen = clicked if loose is None else Correspondences.joined([clicked, loose])
    try:
        plane = fit_plane(seen, lens, SIZE, (700, 500), circles)
    except ValueError:
        return None
    if loose is not None and plane.rejected:
        return None
    if len(px) < len(TABLE) and (SIGMAS_95 * plane.sigma_mm(plane.to_image(TABLE))).max() > WORST_MM:
        return None
    return TableError.all_over(plane, camera)


def line(told: list[TableError]) -> str:
    """Errors and share inside as one printed line; "none" without any."""
    if not told:
        return "none"
    all_places = TableError.joined(told)
    p50, p95, worst = np.quantile(all_places.off_mm, [0.5, 0.95, 1.0])
    return f"{p50:.2f} / {p95:.2f} / {worst:.1f} mm, holds {100 * np.mean(all_places.holds):.1f} %"


def simulated(tables: int, seed: int, *, known: bool) -> None:
    """Measure and print."""
    rng = np.random.default_rng([seed, known])
    told: dict[str, list[tuple[float, TableError | None]]] = {}
    for camera in cameras(tables, rng, known=known):
        px = np.round(camera.to_image(TABLE) + rng.normal(0, HAND_PX, TABLE.shape))
        lens = measured(camera.lens, rng) if known else None
        for coin_count, card_count in ABOUT:
            circles, loose = coins(camera, coin_count, rng), cards(camera, card_count, rng)
            three = judged(camera, px[:3], lens, circles, loose if card_count else None)
            name = f"three corners, {coin_count} coins, {card_count} cards"
            told.setdefault(name, []).append((camera.tilt_deg, three))
        told.setdefault("four corners", []).append((camera.tilt_deg, judged(camera, px, lens)))
    print(f"\n{tables} tables, seed {seed}, {'with a' if known else 'no'} lens file")
    for name, each in told.items():
        print(f"  {name}")
        for low, high in SPANS_DEG:
            there = [one for tilt, one in each if low <= tilt < high]
            did = [one for one in there if one is not None]
            print(f"    {low} to {high} degrees down: do on {len(did)} of {len(there)}: {line(did)}")


def a_bare_table(camera: TablePlane, rng: np.random.Generator, *, covered: bool) -> NDArray[np.uint8]:
    """A table with discs on a lighter or darker floor, its far left corner under something or not."""
    tone = int(rng.integers(90, 210))
    beyond = int(np.clip(tone + rng.choice([-1, 1]) * rng.integers(25, 90), 10, 245))
    table = paper((700, 500), TEXELS, seed=int(rng.integers(10**6)), gray=tone)
    for x, y in np.round(rng.uniform((30, 30), (670, 470), (DISCS, 2)) * TEXELS).astype(int).tolist():
        cv2.circle(table, (x, y), DISC_MM * TEXELS, int(rng.integers(40, 220)), -1, cv2.LINE_AA)
    picture = shoot(camera, table, TEXELS, rays=1, beyond=beyond, seed=int(rng.integers(10**6)))
    if covered:
        u, v = np.round(camera.to_image(TABLE[3:])[0]).astype(int).tolist()
        axes = tuple(rng.integers((70, 50), (140, 110)).tolist())
        cv2.ellipse(picture, (u - 40, v - 30), axes, float(rng.uniform(0, 180)), 0, 360, int(rng.integers(30, 120)), -1)
    return picture


def with_sides(tables: int, seed: int, *, known: bool) -> None:
    """Measure and print."""
    rng, told, made_up = np.random.default_rng([seed, 2, known]), list[TableError](), 0
    for number, camera in enumerate(cameras(tables, rng, known=known)):
        picture = a_bare_table(camera, rng, covered=bool(number % 2))
        lens = measured(camera.lens, rng) if known else None
        px = np.round(camera.to_image(TABLE[:3]) + rng.normal(0, HAND_PX, (3, 2)))
        field_px = np.round(camera.to_image(FIELD[:3]) + rng.normal(0, HAND_PX, (3, 2)))
        made_up += _corner(picture, field_px, FIELD_MM, lens) is not None
        corner = _corner(picture, px, (700.0, 500.0), lens)
        if corner is not None:
            rows = np.c_[np.vstack([px, np.round(corner)]), TABLE]
            spec = CalibrationSpec(tuple(map(tuple, rows.tolist())), lens=lens, table_size_mm=(700, 500))
            told.append(TableError.all_over(calibrate_table(picture, spec), camera))
    print(f"sides that show, {'with a' if known else 'no'} lens file, seed {seed}")
    print(f"  do on {len(told)} of {tables}: {line(told)}")
    print(f"  of fields with no sides made up: {made_up} of {tables}", flush=True)


def _corner(picture: NDArray[np.uint8], px: Array, size_mm: tuple[float, float], lens: Lens | None) -> Array | None:
    """The fourth, or None."""
    try:
        return fourth_corner(picture, px, size_mm, lens)
    except ValueError:
        return None


def on_screen(px: Array, scale: float, rng: np.random.Generator) -> Array:
    """(n, 2) px of the picture that clicks on places (n, 2) tell where a px of the screen covers `scale` of them."""
    return np.asarray(np.round(px / scale + rng.normal(0, HAND_SCREEN_PX, px.shape)) * scale, float)


def by_clicks(
    px: Array, sigma_px: float | None, lens: Lens | None, picture: NDArray[np.uint8] | None, *, sharpen: bool
) -> TablePlane:
    """The plane by three or four corners; `sigma_px` None for what whole px are taken for, `sharpen` by their sides."""
    told_px = np.round(px) if sigma_px is None else px
    if picture is None:
        return fit_plane(Correspondences.of(told_px, TABLE[: len(px)], sigma_px=sigma_px), lens, SIZE, (700, 500))
    sigmas_px: tuple[float, ...] = ()
    if len(px) < len(TABLE):
        corner = fourth_corner(picture, told_px, (700.0, 500.0), lens, CLICK_SIGMA_PX if sigma_px is None else sigma_px)
        told_px = np.vstack([told_px, np.round(corner) if sigma_px is None else corner])
    if sigma_px is not None:
        stated_px = np.array([*[sigma_px] * len(px), SIDES_SIGMA_PX][:4])
        told_px, stated_px = sharpened(picture, told_px, stated_px, lens) if sharpen else (told_px, stated_px)
        sigmas_px = tuple(stated_px.tolist())
    points = tuple(map(tuple, np.c_[told_px, TABLE].tolist()))
    spec = CalibrationSpec(points, points_sigma_px=sigmas_px, lens=lens, table_size_mm=(700, 500))
    return calibrate_table(picture, spec)


def screened(tables: int, seed: int, scales: list[float], *, known: bool) -> None:
    """Measure and print."""
    rng, told = np.random.default_rng([seed, 3, known]), dict[tuple[str, float, str], list[TableError]]()
    sides_px, made_up = list[Array](), 0
    for number, camera in enumerate(cameras(tables, rng, known=known)):
        picture = a_bare_table(camera, rng, covered=bool(number % 2))
        lens, corners_px = measured(camera.lens, rng) if known else None, camera.to_image(TABLE)
        for scale in scales:
            px, own_px = on_screen(corners_px, scale, rng), click_sigma_px(scale)
            ways = {"three, sides": (px[:3], picture), "four": (px, picture), "three, lens": (px[:3], None)}
            for way, (clicked, shown) in ways.items():
                for stated, sigma_px in (("0.5 px", None), ("by scale", own_px), ("by scale, sharpened", own_px)):
                    try:
                        plane = by_clicks(clicked, sigma_px, lens, shown, sharpen="sharpened" in stated)
                    except ValueError:
                        continue
                    told.setdefault((way, scale, stated), []).append(TableError.all_over(plane, camera))
            field_px, stated_px = on_screen(camera.to_image(FIELD), scale, rng), np.full(4, own_px)
            made_up += int((sharpened(picture, field_px, stated_px, lens)[1] != stated_px).sum())
        corner = _corner(picture, corners_px[:3], (700.0, 500.0), lens)
        sides_px += [corner - corners_px[3]] if corner is not None else []
    print(f"{tables} tables, seed {seed}, {'with a' if known else 'no'} lens file")
    for (way, scale, stated), each in told.items():
        print(f"  {way}, {scale:g} px a px of the screen, {stated}: {len(each)}, {line(each)}")
    print(f"  corners sharpened of fields with no sides: {made_up} of {4 * tables * len(scales)}")
    rms_px = np.sqrt(np.mean(np.square(sides_px))) if sides_px else np.nan
    print(f"  where two sides meet, by exact clicks: {rms_px:.2f} px RMS a coordinate, of {len(sides_px)}", flush=True)


def rendered(stills: list[Path], seed: int, *, known: bool) -> None:
    """The same on pictures, through the code that a user's clicks take."""
    rng, told, shown = np.random.default_rng(seed), [], 0
    for still in stills:
        frame, setup = read_picture(still), read_setup(still.with_suffix(".setup.toml"))
        camera = true_camera(still)
        px = np.round(camera.to_image(TABLE) + rng.normal(0, HAND_PX, TABLE.shape))
        if (px < 0).any() or (px >= camera.lens.size_px).any():
            continue
        shown += 1
        lens = camera.lens if known else None
        try:
            block = by_three(frame, (700.0, 500.0), [Click(u, v) for u, v in px[:3].tolist()], lens).block
        except ValueError as error:
            print(f"  {still.stem}: {error}")
            continue
        with_block = replace(setup, calibration=block, camera=setup.camera if known else None)
        told.append(TableError.all_over(plane_for(with_block, frame), camera))
        print(f"  {still.stem}: {len(block.ellipses)} coins, {line(told[-1:])}", flush=True)
    print(f"{'with a' if known else 'no'} lens file: do on {len(told)} of {shown}: {line(told)}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=300)
    options.add_argument("--seed", type=int, default=300)
    options.add_argument("--sides", action="store_true")
    options.add_argument("--screen", type=float, nargs="+")
    options.add_argument("--stills", type=existing, nargs="+")
    given = options.parse_args()
    for known in (False, True):
        if given.stills:
            rendered(given.stills, given.seed, known=known)
        elif given.screen:
            screened(given.tables, given.seed, given.screen, known=known)
        elif given.sides:
            with_sides(given.tables, given.seed, known=known)
        else:
            simulated(given.tables, given.seed, known=known)


if __name__ == "__main__":
    main()
