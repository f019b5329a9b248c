"""Opening a match to watch: source, first picture, table plane, eyes, referee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from calibration.plane import TablePlane
from ui.loop import Referee
from ui.setup_file import SetupFile
from ui.table import plane_for
from vision.frame import Frame
from vision.observe import LookAt, Observer
from vision.source import Source


@dataclass(eq=False)
class Session:
    """A match about to be watched: all its frames, the first included, and who referees them."""

    first: Frame
    frames: Iterator[Frame]
    plane: TablePlane
    referee: Referee


def opened_session(setup: SetupFile, source: Source, look: LookAt) -> Session:
    """The session of a source, with `look` as its eyes.

    ValueError if it has no picture or the table cannot be measured in the first one.
    """
    frames = iter(source)
    first = next(frames, None)
    if first is None:
        raise ValueError(f"{source.name}: there is no picture in it")
    plane = plane_for(setup, first)
    eyes = Observer(plane, look, setup.rules.table_size_mm)
    return Session(first, chain([first], frames), plane, Referee(setup.rules, eyes))
