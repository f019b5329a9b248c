"""The table plane of a picture as good as it can be made: a blurred or dark one is mended before it is measured."""

from __future__ import annotations

from functools import partial

from calibration.plane import TablePlane
from ui.measuring.shape_seen import Then, in_doubt_by_things
from ui.measuring.table import anchor_of, plane_for, spec_of
from ui.setup.setup_file import SetupFile
from vision.frame import Frame
from vision.light.clarity import Clarity, clarity_anywhere, clarity_of
from vision.light.developed import developed
from vision.light.faults import faults_of
from vision.stream.picture import read_picture


def measured_plane(setup: SetupFile | None, frame: Frame) -> TablePlane:
    """The plane of `plane_for`, from a mended picture where that helps, its errors larger where things on the table
    contradict its told shape.

    ValueError, one line, also says what is wrong with the picture.
    """
    plane = _measured(setup, frame)
    return plane if setup is None else in_doubt_by_things(plane, spec_of(setup), setup.rules, frame, _then(setup))


def _then(setup: SetupFile) -> Then | None:
    """The table in the set-up's own picture; None where it names none."""
    anchor, seen = anchor_of(setup), setup.calibration.seen
    return Then(anchor.plane, partial(read_picture, seen)) if anchor is not None and seen is not None else None


def _measured(setup: SetupFile | None, frame: Frame) -> TablePlane:
    try:
        plane = plane_for(setup, frame)
    except ValueError as error:
        if _is_of_another_size(setup, frame):
            raise  # mending the light of a picture of 100 megapixels takes a minute, and changes no size
        return _by_mended(setup, frame, error)
    good = mended(setup, frame, plane)
    if good is frame:
        return plane
    try:
        return plane_for(setup, good)
    except ValueError:
        return plane


def mended(setup: SetupFile | None, frame: Frame, plane: TablePlane) -> Frame:
    """The picture as the eyes want it (`vision.light.developed`)."""
    return developed(frame, _clarity(setup, frame, plane))


def faults_in(setup: SetupFile | None, frame: Frame, plane: TablePlane) -> tuple[str, ...]:
    """What is wrong with the picture as it was taken, a sentence each."""
    return tuple(map(str, faults_of(_clarity(setup, frame, plane))))


def _is_of_another_size(setup: SetupFile | None, frame: Frame) -> bool:
    camera, (height, width) = setup.camera if setup is not None else None, frame.image_bgr.shape[:2]
    return camera is not None and camera.size_px != (width, height)


def _clarity(setup: SetupFile | None, frame: Frame, plane: TablePlane) -> Clarity:
    return clarity_of(frame, plane, setup.rules.table_size_mm) if setup is not None else clarity_anywhere(frame)


def _by_mended(setup: SetupFile | None, frame: Frame, error: ValueError) -> TablePlane:
    """The plane of a picture that could not be measured as it is."""
    clarity = clarity_anywhere(frame)
    faults = faults_of(clarity)
    if not faults:
        raise error
    try:
        return plane_for(setup, developed(frame, clarity))
    except ValueError:
        raise ValueError(f"{error}; {'; '.join(map(str, faults))}") from None
