"""What lies on the table in one picture, or at one moment of a video."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from calibration.plane import TablePlane
from rules.scene import Scene
from ui.currency import currency_wanted
from ui.measuring.card_size import card_size_wanted
from ui.measuring.map_seen import as_the_map_shows
from ui.measuring.measured import measured_plane
from ui.paint.grid import Grid, grid_finder
from ui.setup.setup_file import SetupFile
from vision.detect.solid.hands import hands_over
from vision.frame import Frame
from vision.light.clarity import clarity_of
from vision.light.developed import developed
from vision.light.faults import faults_of
from vision.look_at import LookAt
from vision.memory.agree import agreed
from vision.memory.shared_error import with_shared_error
from vision.memory.tracker import Tracker
from vision.source import Source, open_source
from vision.stream.live import BEAT_S
from vision.stream.picture import is_picture, read_picture
from vision.stream.video_file import frame_at, read_video, video_info

VIDEO_SUFFIXES = (".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mjpeg", ".ts")
# Looks that are agreed into one in a video, and the time between them: noise and codec blocks differ over it.
LOOKS, LOOK_EVERY_S = 4, 0.05
# So many times nothing, `BEAT_S` each: a webcam may take seconds to show its first picture.
_PATIENCE_BEATS = 60


def frames_of(path: Path, at_s: float | None) -> tuple[Frame, ...]:
    """The picture in `path`, or some frames of the video from `at_s` (its beginning) on.

    OSError if it cannot be read, ValueError if it is neither or ends before that.
    """
    if is_still(path):
        if at_s is not None:
            raise ValueError(f"{path}: a picture has no time; leave out --at, or give a video")
        return (read_picture(path),)
    if at_s is not None and not 0 <= at_s < math.inf:
        raise ValueError(f"--at {at_s:g}: give seconds from the video's beginning")
    if not at_s:
        video_info(path)
        found = tuple(_spaced(read_video(path)))
    else:
        first = frame_at(path, at_s)
        found = (first, *_spaced(frame for frame in read_video(path, first.t_s) if frame.t_s > first.t_s))[:LOOKS]
    if not found:
        raise ValueError(f"{path}: there is no picture in it")
    return found


def is_still(path: Path) -> bool:
    """Whether a file is one picture, and no video; what is not there, or is a folder, counts as one."""
    if path.suffix.lower() in VIDEO_SUFFIXES:  # a stream of JPEGs begins as a picture does
        return False
    return is_picture(path) or not path.is_file()


def first_frame(spec: str) -> Frame:
    """The first picture of a camera, stream or video; ValueError if there is none."""
    with open_source(spec) as source:
        return first_of(source.beats(), source)


def first_of(frames: Iterator[Frame | None], source: Source) -> Frame:
    """The first picture among the beats of a source; ValueError if a file has none, or a camera brings none."""
    found = next((frame for frame in islice(frames, _PATIENCE_BEATS) if frame is not None), None)
    if found is not None:
        return found
    if not source.live:
        raise ValueError(f"{source.name}: there is no picture in it")
    if source.trouble is not None and source.trouble.kind == "broken":
        raise ValueError(str(source.trouble))
    raise ValueError(
        f"{source.name}: no picture came in {_PATIENCE_BEATS * BEAT_S:.0f} s; is another program using the camera? "
        "An address must be that of the video (MJPEG or RTSP), not of a page or a single picture"
    )


def still_scene(setup: SetupFile | None, frames: tuple[Frame, ...], look: LookAt) -> Scene:
    """The scene that looks at all the frames agree on; ids count from 1, as at the start of a match.

    ValueError if the table cannot be measured in the first frame.
    """
    plane = as_the_map_shows(setup, measured_plane(setup, frames[0]), frames[0]).plane
    size_mm = setup.rules.table_size_mm if setup is not None else _shown_mm(plane, frames[0])
    clarity = clarity_of(frames[0], plane, size_mm)
    seen = agreed([with_shared_error(look(developed(frame, clarity), plane), plane) for frame in frames])
    middle = plane.to_image([(size_mm[0] / 2, size_mm[1] / 2)])
    pieces = Tracker().after(seen, frames[0].t_s).pieces
    sigma_mm = float(plane.sigma_mm(middle)[0])
    grid, missing = _drawn_grid(setup, frames[0], plane, look)
    hands = hands_over(frames[0], plane, size_mm)
    rules = setup.rules if setup is not None else None
    untold = filter(None, [currency_wanted(pieces, rules), card_size_wanted(pieces, rules)])
    notes = (*plane.notes, *map(str, faults_of(clarity)), *hands, *missing, *untold)
    return Scene(size_mm, pieces, frames[0].t_s, plane.reprojection_error_px, sigma_mm, notes, grid, numbered_anew=True)


def _drawn_grid(
    setup: SetupFile | None, frame: Frame, plane: TablePlane, look: LookAt
) -> tuple[Grid | None, tuple[str, ...]]:
    """The grid that the game is played on, and what to say if there is none to be found."""
    finder = grid_finder(setup.rules, look) if setup is not None else None
    grid = finder(frame, plane) if finder is not None else None
    missing = finder is not None and grid is None
    said = "no hex grid is to be found in the picture; set `grid` in a state file, or play by measure"
    return grid, (said,) if missing else ()


def _shown_mm(plane: TablePlane, frame: Frame) -> tuple[float, float]:
    """The table as far as the picture shows it, where no set-up tells its size: the cards' own frame begins at its
    near left corner."""
    height, width = frame.image_bgr.shape[:2]
    shown = plane.to_table([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)])
    reach = np.nanmax(shown, axis=0)
    return max(float(reach[0]), 1.0), max(float(reach[1]), 1.0)


def _spaced(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The first few frames that are far enough apart in time."""
    found, due_s = 0, -1.0
    for frame in frames:
        if frame.t_s >= due_s:
            yield frame
            found, due_s = found + 1, frame.t_s + LOOK_EVERY_S
        if found == LOOKS:
            return
