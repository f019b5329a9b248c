"""From nothing to the first overlay: `sandtable setup --quick`, one click in the real window, then the first picture.

    .venv/bin/python -m benchmarks.first_overlay [PICTURE ...] [--size 720 520] [--boards 12] [--seed 131]

A stream on 127.0.0.1 serves each picture as a phone's camera app does. The set-up is made as the command makes it (the
picture from the stream, the table by its outline or by the cards that lie there, no printed sheet, pieces on it), its
windows are shown offscreen and a simulated mouse clicks in them every 2 s, which a person needs to look; then the match
is opened as `play` opens it, models and all, and the first picture with pieces is painted. Promise: 60 s and three
clicks. Wall time, CPU time beside it. Where a corner that was not clicked is shown the player presses Enter.
With --boards N: rendered bare boards of 700 x 500 mm with discs on them, no lens file, seen by webcams and further
published lenses in turn, the far left corner under something on every second (`benchmarks.bare_board`).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from benchmarks.arguments import existing
from benchmarks.bare_board import KINDS, cameras
from benchmarks.three_clicks import a_bare_table
from tests.calibration.simulation import TABLE
from tests.vision.mjpeg_camera import MjpegCamera
from ui.commands import setup as setup_command
from ui.eyes import eyes_for
from ui.measuring.table import plane_for
from ui.playing.annotation import Painter
from ui.playing.session import opened_session
from ui.qt import application
from ui.setup.setup_file import read_setup
from ui.setup.wizard import CORNERS
from ui.window.clicks import ClickDialog
from ui.window.confirm import ConfirmDialog
from ui.window.fourth import FourthDialog
from vision.source import open_source
from vision.stream.picture import read_picture

STILLS = Path(__file__).parent.parent / "sample_footage" / "stills"
LOOKS_MS = 2000
WIDTH_PX, SIZE_MM = 1920, (700.0, 500.0)


def shown_for_ever(jpeg: bytes) -> Iterator[bytes]:
    """The picture 15 times a second."""
    while True:
        yield jpeg
        time.sleep(1 / 15)


def act(corners_px: list[tuple[float, float]], clicks: list[int]) -> None:
    """What a person does next: says yes to a grid or a corner, or clicks the next corner, to a pixel or so."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, ConfirmDialog):
        at = QPoint(dialog.picture.width() // 2, dialog.picture.height() // 2)
    elif isinstance(dialog, ClickDialog):
        asked = [f"the {name} corner of the table" for name, _ in CORNERS].index(dialog.names[len(dialog.places)])
        box, (u, v) = dialog.picture.shown_box(), corners_px[asked]
        scale = box.width() / WIDTH_PX
        at = QPoint(round(box.left() + (u + 0.5) * scale), round(box.top() + (v + 0.5) * scale))
    elif isinstance(dialog, FourthDialog):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        return
    else:
        return
    clicks.append(1)
    QTest.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at)


def corners_of(picture: Path, size_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Where the sheet's corners show, by the set-up that lies beside the picture; they go 10 mm over the table."""
    plane = plane_for(read_setup(picture.with_suffix(".setup.toml")), read_picture(picture))
    low, (width, depth) = (SIZE_MM[0] - size_mm[0]) / 2, size_mm
    places = [(low, low), (low + width, low), (low + width, low + depth), (low, low + depth)]
    return [(float(u), float(v)) for u, v in plane.to_image(places)]


def boards(count: int, seed: int) -> Iterator[tuple[str, bytes, list[tuple[float, float]]]]:
    """Name, JPEG and corners in the picture of bare boards."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        kind = ("webcams", "further lenses")[number % 4 // 2]
        camera = next(cameras(1, rng, KINDS[kind]))
        picture = a_bare_table(camera, rng, covered=bool(number % 2))
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        corners_px = [(float(u), float(v)) for u, v in camera.to_image(TABLE)]
        yield f"board {number}, {kind}{', a corner covered' if number % 2 else ''}", jpeg, corners_px


def measure(name: str, jpeg: bytes, corners_px: list[tuple[float, float]], size_mm: tuple[float, float]) -> None:
    """Set up by one picture and print clicks, wall and CPU seconds until the first overlay."""
    clicks: list[int] = []
    with tempfile.TemporaryDirectory() as folder, MjpegCamera(lambda: shown_for_ever(jpeg)) as camera:
        out = Path(folder) / "quick.toml"
        began_s, cpu_s = time.perf_counter(), time.process_time()
        try:
            set_up(out, camera.url, size_mm, lambda: act(corners_px, clicks))
        except ValueError as error:
            print(f"{name}: refused after {time.perf_counter() - began_s:.1f} s: {error}")
            return
        made_s = time.perf_counter() - began_s
        pieces = first_overlay(out, camera.url)
        whole_s, cpu_s = time.perf_counter() - began_s, time.process_time() - cpu_s
    print(
        f"{name}: set-up {made_s:.1f} s with {len(clicks)} clicks, first overlay after "
        f"{whole_s:.1f} s ({cpu_s:.1f} s of CPU), {pieces} pieces"
    )


def set_up(out: Path, url: str, size_mm: tuple[float, float], player: Callable[[], None]) -> None:
    """Write the set-up as the command makes it; the player does something every now and then."""
    timer = QTimer()
    timer.setInterval(LOOKS_MS)
    timer.timeout.connect(player)
    timer.start()
    try:
        arguments = [str(out), "--quick", "--source", url, "--size", *map(str, size_mm)]
        setup_command.command.main(arguments, standalone_mode=False)
    finally:
        timer.stop()


def first_overlay(written: Path, url: str) -> int:
    """Play until a picture with pieces is painted; how many pieces it has."""
    setup = read_setup(written)
    with open_source(url) as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        painter = Painter.over(session.first, session.plane, setup.rules.table_size_mm)
        for tick in session.referee.watch(session.frames):
            painter.paint(tick)
            if tick.match is not None:
                return len(tick.match.scene.pieces)
    return 0


def main() -> None:
    """Measure all pictures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pictures", type=existing, nargs="*")
    options.add_argument("--size", type=float, nargs=2, default=(720.0, 520.0))
    options.add_argument("--boards", type=int, default=0)
    options.add_argument("--seed", type=int, default=131)
    given = options.parse_args()
    application(headless=True)
    # The offscreen platform is a display to the command: its windows are shown, and clicked, unseen.
    import ui.qt

    ui.qt.has_display = lambda: True
    for name, jpeg, corners_px in boards(given.boards, given.seed):
        measure(name, jpeg, corners_px, SIZE_MM)
    if given.boards:
        return
    for picture in given.pictures or sorted(STILLS.glob("still-*.jpg")):
        measure(picture.stem, picture.read_bytes(), corners_of(picture, tuple(given.size)), tuple(given.size))


if __name__ == "__main__":
    main()
