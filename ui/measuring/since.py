"""A table that was measured by places in one picture (clicked corners, coins pointed at), found again in later ones.

Such places say nothing of a camera that was moved between set-up and play. So the picture lies beside the set-up: the
table is measured in it, and what a later picture shows is compared with it as after a kick (`calibration.kick.drift`).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.kick.drift import FEWEST_CORNERS, KICK_PX, Anchor, Drift, apart_px, watch
from calibration.kick.elsewhere import added_mm, measured_elsewhere
from calibration.kick.reregister import reregister
from calibration.plane import TablePlane
from ui.setup.setup_file import SetupFile
from ui.telling.results import whole_file
from vision.frame import Frame
from vision.stream.camera_news import CameraNews
from vision.tripod.stand import MOST_ADDED_MM, no_bodies

_JPEG_QUALITY = 95
# Without the picture's noise and the JPEG's: what stands so needs no measuring again.
_STANDS = ("still", "focus")
# Places of a table that was known again by its texture lie so near where they should, RMS, in pictures 1920 px wide: of
# cameras that were moved by 10 to 100 mm 0.16 to 0.41, by another camera elsewhere, 4 to 17 mm off, 0.50 to 0.77.
_KNOWN_OF_1920_PX = 0.47


def plane_since(setup: SetupFile, anchor: Anchor, frame: Frame) -> TablePlane:
    """The plane in `frame`, found again by the set-up's own picture, `anchor`.

    ValueError, one line, where the table is not known again.
    """
    drift = _checked(setup, anchor, frame)
    if drift.kind in _STANDS:
        return anchor.plane
    if len(anchor.corners) < FEWEST_CORNERS:
        return replace(anchor.plane, notes=(*anchor.plane.notes, _UNTOLD))
    plane = _known_again(anchor, frame)
    if plane is None:
        raise ValueError(_lost(setup, drift))
    since = _since(drift, anchor, plane)
    # What is known again where it was: all that lay there was taken away.
    return anchor.plane if since.kind == "covered" else replace(plane, notes=(*anchor.plane.notes, _sentence(since)))


def moved_since(anchor: Anchor, plane: TablePlane, frame: Frame) -> Mapping[str, Any] | None:
    """What the match's log says of a camera that was moved since the set-up and found again, as `plane`; None where it
    stands."""
    drift = _since(watch(anchor, frame.image_bgr), anchor, plane)
    if drift.kind in (*_STANDS, "covered", "dark"):
        return None
    return {**CameraNews.of("registered", drift, drift.shift_px).fields(), "sentence": _sentence(drift)}


def _since(drift: Drift, anchor: Anchor, plane: TablePlane) -> Drift:
    """How the table shows beside the set-up's picture: where texture alone does not tell, as the plane does."""
    shift_px = apart_px(anchor, plane, anchor.plane)
    return Drift(shift_px, "kick", 1.0) if drift.kind == "covered" and shift_px >= KICK_PX else drift


def _known_again(anchor: Anchor, frame: Frame) -> TablePlane | None:
    """The plane by the table's texture, or, from elsewhere, by all that its ground shows."""
    worst_px = _KNOWN_OF_1920_PX * max(1.0, frame.image_bgr.shape[1] / 1920)
    plane = reregister(anchor, frame.image_bgr)
    if plane is not None and plane.reprojection_error_px <= worst_px:
        return plane
    plane = measured_elsewhere(anchor, frame.image_bgr, no_bodies)
    is_known = plane is not None and plane.reprojection_error_px <= worst_px
    return plane if is_known and plane is not None and added_mm(plane, anchor) <= MOST_ADDED_MM else None


@contextmanager
def picture_kept(frame: Frame | None, path: Path) -> Iterator[Path]:
    """The picture of a set-up, under a name beside `path` until nothing has failed: then it takes that place, and till
    then an older set-up has its own. `path` itself without a frame."""
    if frame is None:
        yield path
        return
    _, jpeg = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    with whole_file(path) as beside:
        beside.write_bytes(jpeg.tobytes())
        yield beside


_UNTOLD = "the table shows too little texture to tell whether the camera was moved since it was set up"


def _checked(setup: SetupFile, anchor: Anchor, frame: Frame) -> Drift:
    """How the table shows beside the set-up's picture: standing, moved, or "covered" where it is too plain to tell."""
    (was_height, was_width), (height, width) = anchor.image.shape[:2], frame.image_bgr.shape[:2]
    if (was_width, was_height) != (width, height):
        raise ValueError(
            f"this picture has {width} x {height} px, and the table was set up in one of {was_width} x {was_height} "
            f"({setup.calibration.seen}): choose that resolution, or {_anew(setup)}"
        )
    drift = watch(anchor, frame.image_bgr)
    if drift.kind == "mirrored":
        raise ValueError('the picture is mirrored since the table was set up: switch off "mirror" or "flip"')
    if drift.kind == "dark":
        raise ValueError("the picture is too dark to tell whether the camera was moved: switch on a lamp")
    if drift.kind != "covered" or len(anchor.corners) < FEWEST_CORNERS:
        return drift
    room = watch(_of_room(anchor), frame.image_bgr)
    return room if room.kind in _STANDS else drift


def _lost(setup: SetupFile, drift: Drift) -> str:
    """What to say of a table that is not known again."""
    if drift.kind != "covered":
        return (
            f"{_happened(drift)} since the table was set up, and it is not known again: put it back, or {_anew(setup)}"
        )
    return (
        f"the table does not show as in {setup.calibration.seen}, by which it was set up: put the camera back, take "
        f"hands off the table, or {_anew(setup)}"
    )


def _of_room(anchor: Anchor) -> Anchor:
    """By all that the picture shows: where everything on a plain table was laid anew the room still stands."""
    height, width = anchor.image.shape[:2]
    whole_px = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return replace(anchor, corners=anchor.texture.corners(whole_px, None))


def _happened(drift: Drift) -> str:
    return CameraNews.of("registered", drift, drift.shift_px).happened


def _sentence(drift: Drift) -> str:
    return f"{_happened(drift)} since the table was set up: it was measured again by its texture"


def _anew(setup: SetupFile) -> str:
    return f"make the set-up anew: sandtable setup {shlex.quote(str(setup.path))}"
