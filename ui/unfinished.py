"""A film that is being recorded: a hidden file beside its place, held by one program; what a killed one left there."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import BinaryIO

from rules.file_lock import is_held, locked
from rules.json_file import behind


def hidden(film: Path) -> Path:
    """Where the film is until it is finished."""
    place = behind(film)
    return place.with_name(f".{place.stem}.recording.mp4")


def refuse_recorded(film: Path) -> None:
    """BlockingIOError where another program records that film."""
    if is_held(hidden(film)):
        raise _recorded(film)


def held(film: Path) -> BinaryIO:
    """The film's hidden file, made if it is not there; no other program can have it until it is closed."""
    file = hidden(film).open("ab")
    if not locked(file):
        file.close()
        raise _recorded(film)
    return file


def set_aside(file: Path, film: Path) -> Path:
    """Give an older film that is in `file` a name beside `film` that nothing has; that name."""
    place = behind(film)
    names = (place.with_name(f"{place.stem}.before-{number}{place.suffix}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    file.replace(aside)
    return aside


def _recorded(film: Path) -> BlockingIOError:
    return BlockingIOError(f"{film}: another sandtable records this film; end that one first, or give another name")
