"""One picture refereed and painted, as the window would show it."""

from __future__ import annotations

from pathlib import Path

import cv2

from rules.files.json_file import write_whole
from ui.playing.annotation import Painter
from ui.playing.session import Session
from ui.qt import application

PICTURES = (".jpg", ".jpeg", ".png")
_JPEG_QUALITY = 92


def paint_picture(session: Session, out: Path) -> int:
    """Writes the picture with what is ruled of it to `out`, whole or not at all; the number of pieces on it.

    ValueError if `out` is no name of a picture, or nothing is agreed on within the time that the picture is held.
    """
    if out.suffix.lower() not in PICTURES:
        raise ValueError(f"{out}: a picture is annotated as a picture; give a name that ends in .jpg or .png")
    application(headless=True)
    tick = next((tick for tick in session.referee.watch(session.frames) if tick.match is not None), None)
    if tick is None or tick.match is None:
        raise ValueError(f"{session.first.source}: what lies on the table is not agreed on; see `sandtable scene`")
    canvas = Painter.over(tick.frame, session.plane, session.referee.setup.table_size_mm).paint(tick)
    quality = [] if out.suffix.lower() == ".png" else [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
    # In memory first: OpenCV says in a line of its own, and in no other way, that the disk is full.
    write_whole(out, cv2.imencode(out.suffix.lower(), canvas.bgr(), quality)[1].tobytes())
    return len(tick.match.scene.pieces)
