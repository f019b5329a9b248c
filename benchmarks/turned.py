"""A camera that is kicked, drifts, zooms, or shows its picture mirrored or upside down: what is said, and how soon.

    .venv/bin/python -m benchmarks.turned [PICTURE] [--case NAME ...]

PICTURE, a rendered still with a set-up beside it that tells its camera, becomes a clip of 10 s at 10 pictures a second,
each with noise of its own; from 4 s on the camera is turned about its lens (a turn moves every pixel exactly as the
lens tells, so that the truth is known), or the picture is spoilt otherwise. The clip goes through the session that
`sandtable play --headless` opens, looking for coins with the packaged nets. Printed for each case: what the camera's
watch said and when after the trouble began, how far the plane that holds at the end is off the turned camera beyond
what it was off before (mm, worst of the table that shows), and how many of the pieces kept their id. Wall seconds do
not count: the times are the clip's.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import GRID
from calibration.plane import TablePlane
from ui.eyes import eyes_for
from ui.session import opened_session
from ui.setup_file import SetupFile, read_setup
from ui.table import plane_for
from vision.frame import ImageBgr
from vision.picture import read_picture
from vision.source import FileSource

Array = NDArray[np.float64]

STILL = Path(__file__).parent.parent / "sample_footage" / "stills" / "still-000-plain.jpg"
RATE, SECONDS, BEGINS_S, NOISE = 10, 10.0, 4.0, 1.5
# Degrees to the right, up and clockwise, by the seconds since the trouble began.
TURNS: dict[str, Callable[[float], tuple[float, float, float]]] = {
    "2 px": lambda _: (0.07, 0.04, 0.0),
    "104 px": lambda _: (3.6, 1.8, 0.0),
    "5 degrees of roll": lambda _: (0.0, 0.0, 5.0),
    "two kicks": lambda after_s: (0.6, 0.2, 0.0) if after_s < 0.7 else (1.1, -0.3, 0.4),
    "a drift": lambda after_s: (0.053 * after_s, 0.0, 0.0),
}
SPOILT: dict[str, Callable[[ImageBgr], ImageBgr]] = {
    "a zoom of 3 %": lambda image: zoomed(image, 1.03),
    "upside down": lambda image: np.ascontiguousarray(image[::-1, ::-1]),
    "mirrored": lambda image: np.ascontiguousarray(image[:, ::-1]),
    "out of focus": lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 4.0), np.uint8),
}


def zoomed(image: ImageBgr, factor: float) -> ImageBgr:
    """About the picture's middle."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0, factor)
    return np.asarray(cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_CUBIC), np.uint8)


def turned(camera: TablePlane, degrees: tuple[float, float, float]) -> TablePlane:
    """The same lens in the same place, looking elsewhere."""
    right, up, clockwise = np.radians(degrees)
    turn = cv2.Rodrigues(np.array([up, -right, -clockwise]))[0]
    rotation = turn @ camera.rotation
    return replace(camera, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec=turn @ camera.tvec)


def seen_by(other: TablePlane, image: ImageBgr, camera: TablePlane) -> ImageBgr:
    """What the camera saw, as another in the same place sees it."""
    height, width = image.shape[:2]
    u, v = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    ahead = np.c_[other.lens.rays(np.c_[u.ravel(), v.ravel()]), np.ones(u.size)] @ other.rotation @ camera.rotation.T
    maps = camera.lens.project(ahead, np.zeros(3), np.zeros(3))[0].reshape(height, width, 2).astype(np.float32)
    return np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderValue=(60, 60, 60)), np.uint8)


def clip(path: Path, image: ImageBgr, shown: Callable[[float], ImageBgr]) -> None:
    """Write the picture, and from `BEGINS_S` on what is shown so many seconds after."""
    rng, (height, width) = np.random.default_rng(0), image.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (width, height))
    for number in range(round(SECONDS * RATE)):
        after_s = number / RATE - BEGINS_S
        clean = image if after_s < 0 else shown(after_s)
        noise = cv2.resize(rng.normal(0, NOISE, (height // 2, width // 2, 3)), (width, height))
        writer.write(np.clip(clean + noise, 0, 255).astype(np.uint8))
    writer.release()


def watched(path: Path, setup: SetupFile) -> tuple[list[str], list[TablePlane], list[frozenset[str]]]:
    """What the session said of the camera and when, the planes that it drew with, and the ids that it knew."""
    said: list[str] = []
    planes: list[TablePlane] = []
    ids: list[frozenset[str]] = []
    with FileSource(path) as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        for tick in session.referee.watch(session.frames):
            for event in tick.events:
                if event.kind == "camera":
                    said.append(f"{event.fields.get('what')} after {event.time_s - BEGINS_S:.1f} s")
            if isinstance(tick.plane, TablePlane) and (not planes or planes[-1] is not tick.plane):
                planes.append(tick.plane)
            if tick.match is not None:
                ids.append(frozenset(piece.id for piece in tick.match.scene.pieces))
    return said, planes, ids


def off_mm(plane: TablePlane, camera: TablePlane) -> float:
    """The worst place that shows."""
    px = camera.to_image(GRID)
    shows = ((px > 0) & (px < camera.lens.size_px)).all(axis=1)
    return float(np.hypot(*(plane.to_table(px[shows]) - GRID[shows]).T).max())


def main() -> None:
    """Make the clips, watch them and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("picture", type=Path, nargs="?", default=STILL)
    options.add_argument("--case", nargs="+", choices=[*TURNS, *SPOILT], default=[*TURNS, *SPOILT])
    given = options.parse_args()
    setup, frame = read_setup(given.picture.with_suffix(".setup.toml")), read_picture(given.picture)
    camera, image = plane_for(setup, frame), frame.image_bgr
    for name in given.case:
        with tempfile.TemporaryDirectory() as folder:
            path, last = Path(folder) / "clip.avi", camera
            if name in TURNS:
                last = turned(camera, TURNS[name](SECONDS - BEGINS_S))
                clip(
                    path, image, lambda after_s, name=name: seen_by(turned(camera, TURNS[name](after_s)), image, camera)
                )
            else:
                spoilt = SPOILT[name](image)
                clip(path, image, lambda _, spoilt=spoilt: spoilt)
            said, planes, ids = watched(path, setup)
        added = f", added {off_mm(planes[-1], last) - off_mm(planes[0], camera):.2f} mm" if name in TURNS else ""
        kept = len(ids[0] & ids[-1]) if ids else 0
        print(f"{name}: {', '.join(said) or 'nothing is said'}{added}; {kept} of {len(ids[0]) if ids else 0} ids kept")


if __name__ == "__main__":
    main()
