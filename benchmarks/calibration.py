"""Calibration: error by method, coverage of the stated interval, markers beside cv2.aruco and pyapriltags, kicks, lens.

    .venv/bin/python -m benchmarks.calibration [--photos ../shared/photos]

Rendered 1920 x 1080 pictures of a 700 x 500 mm table whose truth is known (tests/calibration/table_picture.py): rays
averaged per pixel, lens blur 0.6 px, noise 2 grey levels, barrel distortion. To reach: marker corners <= 0.05 px RMS
and <= 1/8 of cv2.aruco SUBPIX at no more than its time; the 95 % interval holds 93 to 97 % of the time; a kick of
>= 2 px noticed, and measured again with at most 1 mm added error. pyapriltags is measured if it is installed. CPU time,
one thread.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cpu_time import median_cpu_ms
from benchmarks.table_error import GRID
from calibration.boards.lens_fit import calibrate_lens
from calibration.fiducials.markers import (
    corners_mm,
    dictionary_named,
    find_markers,
    follow_markers,
    gray_of,
    marker_image,
)
from calibration.kick.drift import Anchor, watch
from calibration.kick.reregister import reregister
from calibration.maps.sheet import Sheet
from calibration.plane import SIGMAS_95, TablePlane
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table
from tests.calibration.simulation import EIGHT_POINTS, FURTHER_LENSES, MARKERS, POINTS, TABLE, WIDE_LENSES, simulate
from tests.calibration.table_picture import a_camera, a_lens, lay, lay_card, paper, shoot

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]

LENS = a_lens(distortion=(-0.08, 0.02, 0.001, -0.001, 0.0))
TEXELS = 6
CENTRES = {0: (60, 60), 1: (640, 60), 2: (640, 440), 3: (60, 440)}
MARKER_MM = 40
POKER = (88.9, 63.5)
CARDS = ((220, 110, 15), (480, 120, 80), (350, 300, -40), (520, 380, 10))
POSES = ((45, 900, 3, 0), (60, 850, -5, 20), (38, 1000, 10, -15), (80, 800, 4, 0), (50, 1050, 0, 10), (55, 950, 8, -30))
# Kicks: by how much the camera is turned about its own axes, degrees, and shifted, mm.
KICKS = (
    ((0, 0.085, 0), (0, 0, 0)),
    ((0.3, 0.1, 0), (0, 0, 0)),
    ((1, 1, 0.5), (5, 3, 2)),
    ((2, 4, 3), (20, -10, 30)),
    ((4, 8, 8), (100, -60, 80)),
)
# Calls that are timed, of which the median is told.
REPEATS = 9


def a_table(dictionary: str) -> Gray:
    """A printed sheet with four markers, four cards and forty coins of clutter."""
    sheet = paper((700, 500), TEXELS)
    rng = np.random.default_rng(3)
    for x, y, tone in zip(rng.uniform(90, 610, 40), rng.uniform(90, 410, 40), rng.integers(40, 220, 40), strict=True):
        cv2.circle(sheet, (int(x * TEXELS), int((500 - y) * TEXELS)), 12 * TEXELS, int(tone), -1, cv2.LINE_AA)
    for place in CARDS:
        lay_card(sheet, place, (POKER[0] + 10, POKER[1] + 10), TEXELS, 70)
        lay_card(sheet, place, POKER, TEXELS, 240)
    for marker_id, centre in CENTRES.items():
        lay(sheet, np.full((4, 4), 255, np.uint8), centre, MARKER_MM * 1.5, TEXELS)
        lay(sheet, marker_image(dictionary, marker_id, 240), centre, MARKER_MM, TEXELS)
    return sheet


def cameras() -> list[TablePlane]:
    """The exact cameras that the pictures are rendered from."""
    return [a_camera(tilt, distance, roll, pan, LENS) for tilt, distance, roll, pan in POSES]


def rms(errors: Iterable[Array]) -> float:
    """Root mean square length of error vectors (n, 2), in their unit."""
    return float(np.sqrt(np.mean(np.sum(np.square(np.concatenate(list(errors))), axis=-1))))


Finder = Callable[[Gray], dict[int, Array]]


def ours(dictionary: str) -> Finder:
    """Corners in px by marker number, searched for."""
    return lambda gray: {marker.id: marker.corners_px for marker in find_markers(gray, dictionary)}


def tracked(dictionary: str, pictures: list[Gray]) -> Finder:
    """The same, followed from where they were."""
    seeds = {id(gray): ours(dictionary)(gray) for gray in pictures}
    return lambda gray: {marker.id: marker.corners_px for marker in follow_markers(gray, seeds[id(gray)])}


def aruco(dictionary: str) -> Finder:
    """The same as cv2.aruco finds them."""
    subpix = cv2.aruco.DetectorParameters()
    subpix.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    peer = cv2.aruco.ArucoDetector(dictionary_named(dictionary), subpix)

    def find(gray: Gray) -> dict[int, Array]:
        """Corners in px by marker number."""
        quads, ids, _ = peer.detectMarkers(gray)
        return {int(i): quad[0] for i, quad in zip(np.ravel(ids), quads, strict=True)}

    return find


def markers(dictionary: str, pictures: list[Gray]) -> None:
    """Corner RMS and time, ours beside the peers, over the same pictures."""
    rivals = {
        "ours": ours(dictionary),
        "ours, tracked": tracked(dictionary, pictures),
        "cv2.aruco SUBPIX": aruco(dictionary),
    }
    if "36h11" in dictionary and find_spec("pyapriltags"):
        rivals["pyapriltags"] = april()
    print(f"\n{dictionary}, {MARKER_MM} mm markers    RMS px   p95 px   found   CPU ms")
    for name, find in rivals.items():
        errors = [
            off for camera, gray in zip(cameras(), pictures, strict=True) for off in corners_off(find(gray), camera)
        ]
        spent = [median_cpu_ms([lambda find=find, gray=gray: find(gray)] * REPEATS) for gray in pictures]
        p95 = np.percentile(np.hypot(*np.concatenate(errors).T), 95)
        print(f"  {name:28s} {rms(errors):8.3f} {p95:8.3f} {len(errors):7d} {statistics.median(spent):8.1f}")


def corners_off(found: dict[int, Array], camera: TablePlane) -> list[Array]:
    """(4, 2) in px how far off the corners of each marker are that the picture shows whole."""
    seen = {i: quad for i, quad in found.items() if i in CENTRES}
    truth = {i: camera.to_image(corners_mm(CENTRES[i], MARKER_MM)) for i in seen}
    inside = [i for i in seen if ((truth[i] > 0) & (truth[i] < LENS.size_px)).all()]
    return [nearest_roll(seen[i], truth[i]) - truth[i] for i in inside]


def nearest_roll(quad: Array, truth: Array) -> Array:
    """Libraries begin an AprilTag's corners at different ones."""
    return min((np.roll(quad, k, axis=0) for k in range(4)), key=lambda each: float(np.abs(each - truth).sum()))


def april() -> Finder:
    """pyapriltags as a function from a picture to corners in px by marker number."""
    from pyapriltags import Detector

    detector = Detector(families="tag36h11", nthreads=1, quad_decimate=2)

    def find(gray: Gray) -> dict[int, Array]:
        """Corners in px by number as pyapriltags finds them."""
        # It puts pixel centres at one half, and goes round from the lower left.
        return {tag.tag_id: tag.corners[[3, 2, 1, 0]] - 0.5 for tag in detector.detect(gray)}

    return find


def methods(pictures: list[Gray]) -> None:
    """Error on the table, at its surface and 25 mm above, by what the table was calibrated with."""
    centres = MarkerSheet("DICT_4X4_50", MARKER_MM, CENTRES)
    sheet_picture = cv2.resize(a_table("DICT_4X4_50"), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sheet = Sheet(np.asarray(sheet_picture, np.uint8), (700, 500))
    rng = np.random.default_rng(0)

    def clicked(camera: TablePlane) -> tuple[tuple[float, ...], ...]:
        """The table's corners as a person clicks them: off by 0.4 px, and whole pixels."""
        px = np.round(camera.to_image(TABLE) + rng.normal(0, 0.4, (4, 2)))
        return tuple((*p, *mm) for p, mm in zip(px.tolist(), TABLE.tolist(), strict=True))

    def spec(method: str, camera: TablePlane) -> CalibrationSpec:
        """What a method calibrates with."""
        return {
            "4 clicked points": CalibrationSpec(points=clicked(camera)),
            "4 markers": CalibrationSpec(markers=centres),
            "4 cards": CalibrationSpec(card_size_mm=POKER),
            "map sheet": CalibrationSpec(sheet=sheet),
            "markers, points and cards": CalibrationSpec(points=clicked(camera), markers=centres, card_size_mm=POKER),
        }[method]

    print("\nerror by method (mm)             lens   median    p95  at 25 mm p95   inside 95 %   wall ms")
    for method in ("4 clicked points", "4 markers", "4 cards", "map sheet", "markers, points and cards"):
        for lens in (LENS, None):
            told = [calibrated(spec(method, c), lens, c, p) for c, p in zip(cameras(), pictures, strict=True)]
            flat, high, inside, spent = (np.concatenate([each[k] for each in told]) for k in range(4))
            print(
                f"  {method:30s} {'file' if lens else 'none'} {np.median(flat):8.2f} {np.percentile(flat, 95):7.2f}"
                f" {np.percentile(high, 95):11.2f} {100 * np.mean(inside):12.1f} {np.median(spent):11.0f}"
            )


def calibrated(
    spec: CalibrationSpec, lens: object, camera: TablePlane, gray: Gray
) -> tuple[Array, Array, NDArray[np.bool_], Array]:
    """Errors in mm at the table and 25 mm above, whether each is within the stated interval, and the wall ms."""
    start = time.perf_counter()
    plane = calibrate_table(gray, replace(spec, lens=LENS if lens else None))
    spent = (time.perf_counter() - start) * 1e3
    px = camera.to_image(GRID)
    found = plane.to_table(px)
    high = plane.to_table(camera.to_image(GRID, 25), 25)
    if not spec.points and not spec.markers and not spec.sheet:
        found, high = brought_to(GRID, found, found), brought_to(GRID, found, high)
    flat_mm, high_mm = np.hypot(*(found - GRID).T), np.hypot(*(high - GRID).T)
    return flat_mm, high_mm, flat_mm <= SIGMAS_95 * plane.sigma_mm(px), np.array([spent])


def brought_to(truth: Array, found: Array, moved: Array) -> Array:
    """Cards choose their own origin: bring it to the table's before comparing."""
    from calibration.pose import rigid_between

    return rigid_between(found, truth).apply(moved)


def coverage(tables: int) -> None:
    """Print how often the stated interval holds on simulated tables, in percent."""
    print(f"\nstated 95 % interval, simulated: {tables} tables x 20 places, lens error, detection noise 0.1 px")
    any_webcam = {"lens_known": False, "any_lens": True}
    cases = [
        ("4 points, 0.3 px", POINTS, 0.3, {}),
        ("8 points, 0.3 px", EIGHT_POINTS, 0.3, {}),
        ("4 markers, 0.05 px", MARKERS, 0.05, {}),
        ("4 markers at 25 mm", MARKERS, 0.05, {"height_mm": 25.0}),
        ("4 markers laid to 0.5 mm", MARKERS, 0.05, {"placing_mm": 0.5}),
        *((f"4 markers, one pushed by {mm} mm", MARKERS, 0.05, {"pushed_mm": mm}) for mm in (0.5, 1, 2, 3, 4)),
        ("4 points, no lens file, no distortion", POINTS, 0.3, {"lens_known": False}),
        ("4 points of cut-out pictures, the same", POINTS, 0.3, {"lens_known": False, "cut": True}),
        ("4 markers of cut-out pictures", MARKERS, 0.05, {"lens_known": False, "cut": True}),
        ("4 points, any webcam, no lens file", POINTS, 0.3, any_webcam),
        ("4 points, seven further lenses", POINTS, 0.3, {**any_webcam, "among": FURTHER_LENSES}),
        ("4 points, three wide lenses", POINTS, 0.3, {**any_webcam, "among": WIDE_LENSES}),
        ("8 points, any webcam, no lens file", EIGHT_POINTS, 0.3, any_webcam),
        ("4 markers, any webcam, no lens file", MARKERS, 0.05, any_webcam),
        ("the same laid to 0.5 mm", MARKERS, 0.05, {**any_webcam, "placing_mm": 0.5}),
        ("the same (exact) at 25 mm", MARKERS, 0.05, {**any_webcam, "height_mm": 25.0}),
    ]
    for name, reference, noise_px, more in cases:
        errors, sigmas = simulate(reference, noise_px, noise_px, tables=tables, seed=7, **more)
        inside = 100 * np.mean(errors <= SIGMAS_95 * sigmas)
        print(
            f"  {name:39s} {inside:5.1f} %"
            f"   error median {np.median(errors):.3f} mm, p95 {np.percentile(errors, 95):.3f}"
        )


def kicks() -> None:
    """A kicked camera with a sleeve over the table: what is noticed, how soon, and the error afterwards."""
    base, table = cameras()[0], cv2.cvtColor(a_table("DICT_4X4_50"), cv2.COLOR_GRAY2BGR)
    anchor = Anchor.of(shoot(base, table, TEXELS, rays=2, seed=1), base, (700, 500))
    again = shoot(base, table, TEXELS, rays=2, seed=2)
    look_ms = median_cpu_ms([lambda: watch(anchor, sleeved(again))] * REPEATS)
    print(f"\nkicks: watch costs {look_ms:.1f} CPU ms a look while the camera stands")
    for name, image in (
        ("nothing", again),
        ("sleeve", sleeved(again)),
        ("a third less light", (again * 0.66).astype(np.uint8)),
    ):
        drift = watch(anchor, image)
        print(f"  {name:22s} {drift.kind:6s} shift {drift.shift_px:6.2f} px")
    for turn_deg, shift_mm in KICKS:
        camera = kicked(base, turn_deg, shift_mm)
        kick(anchor, base, camera, sleeved(shoot(camera, table, TEXELS, rays=2, seed=3)))


def kicked(base: TablePlane, turn_deg: tuple[float, ...], shift_mm: tuple[float, ...]) -> TablePlane:
    """The camera turned about its own axes, and shifted."""
    rotation = cv2.Rodrigues(np.radians(np.array(turn_deg, float)))[0] @ base.rotation
    position = base.camera_position_mm + shift_mm
    return replace(base, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec=-rotation @ position)


def kick(anchor: Anchor, base: TablePlane, camera: TablePlane, image: NDArray[np.uint8]) -> None:
    """Prints what is told of a kicked camera's picture, and how far off the table is afterwards."""
    px = camera.to_image(GRID)
    truth_px = np.median(np.hypot(*(px - base.to_image(GRID)).T))
    drift, start = watch(anchor, image), time.perf_counter()
    plane = reregister(anchor, image)
    wall_ms = (time.perf_counter() - start) * 1e3
    if plane is None:
        print(f"  kick of {truth_px:6.1f} px: {drift.kind}, not measured again")
        return
    seen = ((px > 0) & (px < LENS.size_px)).all(axis=1)
    added_mm = np.hypot(*(plane.to_table(px) - GRID).T)[seen]
    print(
        f"  kick of {truth_px:6.1f} px  {drift.kind:6s} shift {drift.shift_px:6.1f} px, again in {wall_ms:4.0f} ms,"
        f" added error median {np.median(added_mm):.2f} mm, worst {added_mm.max():.2f}"
    )


def sleeved(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A sleeve over a third of the table."""
    image = image.copy()
    height, width = image.shape[:2]
    cv2.ellipse(
        image,
        (int(width * 0.62), int(height * 0.85)),
        (width // 8, int(height * 0.55)),
        20,
        0,
        360,
        (120, 150, 200),
        -1,
    )
    return image


def lens(photos: Path) -> None:
    """Reprojection error on photographed boards beside cv2's own pipeline on the same pictures."""
    for folder, pattern in (
        ("calib_opencv_apache2", "left*.jpg"),
        ("nolicence_calib_webcam_hand_chessboard", "rgb_[0-9]*.jpg"),
        ("nolicence_calib_laptop1080p", "*.jpg"),
    ):
        files = sorted((photos / folder).glob(pattern))
        if not files:
            continue
        images = [np.asarray(cv2.imread(str(file)), np.uint8) for file in files]
        report = calibrate_lens(images, [file.name for file in files])
        print(
            f"\nlens, {folder}: {sum(view.used for view in report.views)} of {len(files)} views,"
            f" RMS {report.rms_px:.3f} px"
            f" (50 / 95 / 100 %: {' / '.join(f'{q:.2f}' for q in report.quantiles_px)}); cv2's pipeline"
            f" {cv2_pipeline(images, (report.board.columns, report.board.rows)):.3f} px"
        )
        for warning in report.warnings:
            print(f"  {warning}")


def cv2_pipeline(images: list[NDArray[np.uint8]], size: tuple[int, int]) -> float:
    """RMS reprojection error, px, of OpenCV's calibration tutorial done with the same pictures."""
    board = np.zeros((size[0] * size[1], 3), np.float32)
    board[:, :2] = np.mgrid[0 : size[0], 0 : size[1]].T.reshape(-1, 2)
    corners = []
    for image in images:
        gray = gray_of(image)
        found, seeds = cv2.findChessboardCorners(gray, size)
        if found:
            corners.append(cv2.cornerSubPix(gray, seeds, (11, 11), (-1, -1), (3, 30, 0.001)))
    return float(cv2.calibrateCamera([board] * len(corners), corners, gray.shape[::-1], None, None)[0])


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--rays", type=int, default=5, help="sight rays a pixel and direction")
    parser.add_argument("--tables", type=int, default=1500, help="simulated calibrations a case")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    coverage(arguments.tables)
    for dictionary in ("DICT_4X4_50", "DICT_APRILTAG_36h11"):
        table = a_table(dictionary)
        pictures = [shoot(c, table, TEXELS, rays=arguments.rays, seed=i) for i, c in enumerate(cameras())]
        markers(dictionary, pictures)
        if dictionary == "DICT_4X4_50":
            methods(pictures)
    kicks()
    lens(arguments.photos)


if __name__ == "__main__":
    main()
