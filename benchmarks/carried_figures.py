"""A camera that is carried off before a table with men or miniatures: is it measured again, by what, and how well?

    .venv/bin/python -m benchmarks.carried_figures FOLDER

FOLDER holds the pictures and poses of `sample_footage.solid_stands`: a sample match's table from where its camera
stands and from elsewhere. The plane is the set-up's, which is exact. The camera stands, is carried off within 0.2 s
(what it shows meanwhile is the first picture, warped as the table would be), stays, and is watched as in a match
(`vision.observe`, frames wait for the eyes). Printed for each way: what was told of the camera, by what the table was
measured again, its worst error on a grid that covers it (mm), and how often the stated 95 % interval holds there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import existing
from benchmarks.table_error import TableError
from calibration.plane import TablePlane
from ui.eyes import eyes_for
from ui.measuring.landmarks import landmarks_of
from ui.playing.session import measured_plane
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame, ImageBgr
from vision.observe import Observer

SAMPLES = Path(__file__).parents[1] / "sample_footage"
STANDS = "stands"
STOOD, SHARES, STAYS, RATE_HZ = 40, (1 / 3, 2 / 3), 90, 10
NOISE = 0.5
TABLE = np.array([[0.0, 0.0], [700.0, 0.0], [700.0, 500.0], [0.0, 500.0]])


def carried(setup: SetupFile, first: ImageBgr, last: ImageBgr, poses: tuple[TablePlane, TablePlane]) -> str:
    """What became of one table.

    poses  the cameras of both pictures
    """
    stood, stands = poses
    eyes = Observer(stood, eyes_for(setup.rules), setup.rules.table_size_mm, landmarks=landmarks_of(setup))
    way = [cv2.warpPerspective(first, _moved(stood, stands, share), first.shape[1::-1]) for share in SHARES]
    told: list[str] = []
    for frame in frames([first] * STOOD + way + [last] * STAYS):
        news = eyes.update(frame).camera
        if news is not None:
            told.append(f"{news.what} at {frame.t_s:.1f} s")
    error = TableError.all_over(eyes.plane, stands)
    by = eyes.plane.residuals[0].source.split()[0] if eyes.plane.residuals else "nothing"
    figures = f"worst {error.off_mm.max():.2f} mm, interval holds for {np.mean(error.holds):.0%}"
    return f"{', '.join(told) or 'nothing told'}; by {by}, {figures}"


def frames(pictures: list[ImageBgr]) -> Iterator[Frame]:
    """Each picture with its noise."""
    rng = np.random.default_rng(7)
    for n, bgr in enumerate(pictures):
        noisy = bgr + rng.normal(0, NOISE, bgr.shape)
        yield Frame(np.clip(np.rint(noisy), 0, 255).astype(np.uint8), n, n / RATE_HZ)


def _moved(stood: TablePlane, stands: TablePlane, share: float) -> NDArray[np.float64]:
    """How the table's picture is warped when the camera has gone so far of its way."""
    before, after = stood.to_image(TABLE), stands.to_image(TABLE)
    there = before + share * (after - before)
    return np.asarray(cv2.getPerspectiveTransform(before.astype(np.float32), there.astype(np.float32)), float)


def posed(plane: TablePlane, pose: dict[str, Any]) -> TablePlane:
    """The same camera, standing elsewhere."""
    rvec = cv2.Rodrigues(np.array(pose["rotation"], float))[0].ravel()
    return replace(plane, rvec=rvec, tvec=np.array(pose["tvec_mm"], float))


def main() -> None:
    """Print a line for each way to carry each camera."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=existing)
    folder = options.parse_args().folder
    for path in sorted(folder.glob("*.json")):
        game, poses = path.stem, json.loads(path.read_text(encoding="utf-8"))
        setup = read_setup(SAMPLES / game / "setup.toml")
        pictures = {way: cv2.imread(str(folder / f"{game}-{way.replace(' ', '-')}.png")) for way in poses}
        first = pictures.pop(STANDS)
        stood = measured_plane(setup, Frame(first))
        for way, picture in pictures.items():
            print(f"{game}, {way}: {carried(setup, first, picture, (stood, posed(stood, poses[way])))}", flush=True)


if __name__ == "__main__":
    main()
