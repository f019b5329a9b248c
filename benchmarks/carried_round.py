"""A camera that is carried round the table in the middle of a match: by what is the table measured again, how well?

    .venv/bin/python -m benchmarks.carried_round

Two rendered tables of 700 x 500 mm, flat and without pieces, 1920 x 1080 px: a plain cloth with four printed markers,
and a printed map that was calibrated by its picture. The camera stands 55 degrees above the table, is carried round it
by so many degrees within 0.3 s, and stays. Each is watched as a match is (`vision.tripod.stand`; frames wait for a
search). Printed: by what the table was measured again (the texture of before, or what lies in known places: in how many
CPU seconds), how long after the camera stood still, and the table's worst error on a grid that covers it (mm).
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.table_error import GRID
from calibration.fiducials.markers import marker_image
from calibration.lens import Lens
from calibration.plane import TablePlane
from rules.setup import Setup
from sample_footage.map_sheet import kingsmere_sheet_bgr
from tests.calibration.table_picture import a_camera, a_lens, lay, shoot
from ui.measuring.landmarks import landmarks_of
from ui.setup.calibration_block import CalibrationBlock, MarkerBlock, SheetBlock
from ui.setup.setup_file import SetupFile
from vision.frame import Frame, ImageBgr
from vision.tripod.landmark_search import Landmarks, LandmarkSearch, Searches
from vision.tripod.stand import Stand

TABLE_MM = (700.0, 500.0)
TEXELS_PER_MM = 2
CENTRES = {0: (60.0, 60.0), 1: (640.0, 60.0), 2: (640.0, 440.0), 3: (60.0, 440.0)}
MARKER_MM, PAPER_MM = 40.0, 56.0
CARRIED_DEG = (5, 15, 30, 60, 90, 170)
STANDS_S, RATE_HZ = 4.0, 20
NOISE = 2.0


@dataclass(frozen=True, eq=False)
class Case:
    """A table's print, its lower left corner (mm), and the set-up that measures it."""

    print_bgr: ImageBgr
    corner_mm: tuple[float, float]
    setup: SetupFile


def by_markers() -> Case:
    """A plain cloth with four markers on paper."""
    cloth = np.full((round(TABLE_MM[1] * TEXELS_PER_MM), round(TABLE_MM[0] * TEXELS_PER_MM)), 170, np.uint8)
    for marker, centre in CENTRES.items():
        lay(cloth, np.full((4, 4), 255, np.uint8), centre, PAPER_MM, TEXELS_PER_MM)
        lay(cloth, marker_image("DICT_4X4_50", marker, 120), centre, MARKER_MM, TEXELS_PER_MM)
    block = CalibrationBlock(markers=MarkerBlock("DICT_4X4_50", MARKER_MM, CENTRES, {}))
    return Case(cv2.cvtColor(cloth, cv2.COLOR_GRAY2BGR), (0.0, 0.0), _set_up(block))


def by_map(folder: Path) -> Case:
    """The sample's map, known by its picture."""
    sheet = kingsmere_sheet_bgr(TEXELS_PER_MM)
    size_mm = (sheet.shape[1] / TEXELS_PER_MM, sheet.shape[0] / TEXELS_PER_MM)
    corner_mm = ((TABLE_MM[0] - size_mm[0]) / 2, (TABLE_MM[1] - size_mm[1]) / 2)
    picture = folder / "map.png"
    cv2.imwrite(str(picture), sheet)
    return Case(sheet, corner_mm, _set_up(CalibrationBlock(sheet=SheetBlock(size_mm, picture, corner_mm))))


def _set_up(block: CalibrationBlock) -> SetupFile:
    return SetupFile(Path("setup.toml"), Setup("osmcg", TABLE_MM, ()), None, block)


def carried(case: Case, degrees: float) -> str:
    """What happens when the camera is carried so far round the table."""
    lens, rng = a_lens(), np.random.default_rng(3)
    cameras = [a_camera(55, 1000, pan_deg=degrees * share, lens=lens) for share in np.linspace(0, 1, 4)]
    first, *_, last = pictures = [_seen(case, camera) for camera in cameras]
    asked: list[float] = []
    search = Searches((LandmarkSearch(_timed(landmarks_of(case.setup), asked)),))
    stand = Stand.of(_noisy(first, 0.0, rng), cameras[0], TABLE_MM, search)
    way = [pictures[1], pictures[1], pictures[2], pictures[2], pictures[3], pictures[3]]
    shown = [first] * RATE_HZ + way + [last] * round(STANDS_S * RATE_HZ)
    stood_s = (RATE_HZ + len(way)) / RATE_HZ
    for index, picture in enumerate(shown):
        t_s = index / RATE_HZ
        _, plane = stand.check(_noisy(picture, t_s, rng), RATE_HZ <= index < RATE_HZ + len(way))
        if plane is not None and t_s >= stood_s:
            by = "its texture" if plane.again is not None else "what lies in known places"
            by = f"{by} ({sum(asked):.2f} CPU s for these)"
            return f"by {by} after {t_s - stood_s:.2f} s, {_off_mm(plane, cameras[-1]):.2f} mm"
    return "not measured again"


def _timed(landmarks: Landmarks | None, asked: list[float]) -> Landmarks | None:
    """The same, with the CPU seconds of each search."""
    if landmarks is None:
        return None
    untimed = landmarks.measure

    def timed(frame: Frame, lens: Lens) -> TablePlane | None:
        begun_s = time.process_time()
        plane = untimed(frame, lens)
        asked.append(time.process_time() - begun_s)
        return plane

    return replace(landmarks, measure=timed)


def _seen(case: Case, camera: TablePlane) -> ImageBgr:
    channels = [
        shoot(camera, np.ascontiguousarray(channel), TEXELS_PER_MM, case.corner_mm, rays=1, noise=0.0)
        for channel in cv2.split(case.print_bgr)
    ]
    return np.asarray(cv2.merge(channels), np.uint8)


def _noisy(picture: ImageBgr, t_s: float, rng: np.random.Generator) -> Frame:
    noise = rng.normal(0, NOISE, picture.shape)
    return Frame(np.clip(picture + noise, 0, 255).astype(np.uint8), 0, t_s)


def _off_mm(plane: TablePlane, camera: TablePlane) -> float:
    return float(np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max())


def main() -> None:
    """Print a line for each table and each way round it."""
    with tempfile.TemporaryDirectory() as folder:
        cases = {"four markers on a plain cloth": by_markers(), "a map, by its picture": by_map(Path(folder))}
        for name, case in cases.items():
            for degrees in CARRIED_DEG:
                print(f"{name}, carried {degrees:3d} degrees: {carried(case, degrees)}", flush=True)


if __name__ == "__main__":
    main()
