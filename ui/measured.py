"""The table plane of a picture as good as it can be made: a blurred or dark one is mended before it is measured."""

from __future__ import annotations

from calibration.plane import TablePlane
from ui.setup_file import SetupFile
from ui.table import plane_for
from vision.clarity import clarity_anywhere
from vision.developed import developed
from vision.faults import faults_of
from vision.frame import Frame


def measured_plane(setup: SetupFile | None, frame: Frame) -> TablePlane:
    """As `plane_for`, from the mended picture where it needs mending.

    ValueError says what is wrong with the picture, too.
    """
    clarity = clarity_anywhere(frame)
    try:
        return plane_for(setup, developed(frame, clarity))
    except ValueError as error:
        faults = faults_of(clarity)
        if not faults:
            raise
        raise ValueError(f"{error}; {'; '.join(map(str, faults))}") from None
