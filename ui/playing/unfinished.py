"""What is being made: a film in a hidden file beside its place, held by one program; and where a part of one goes."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import BinaryIO

from rules.files.file_lock import is_held, locked
from rules.files.json_file import behind, stem_beside

_RECORDING = ".recording.mp4"


def hidden(film: Path) -> Path:
    """Where the film is until it is finished."""
    place = behind(film)
    return place.with_name(f".{stem_beside(place, f'.{_RECORDING}')}{_RECORDING}")


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


def set_aside(file: Path, result: Path, what: str = "before") -> Path:
    """Give what is in `file` a name beside `result` that nothing has; that name.

    what  it is: "before", an older one, or "part" of one
    """
    place = behind(result)
    endings = (f".{what}-{number}{place.suffix}" for number in count(1))
    names = (place.with_name(f"{stem_beside(place, ending)}{ending}") for ending in endings)
    aside = next(name for name in names if not name.exists())
    file.replace(aside)
    return aside


def keep_part(file: Path, result: Path) -> Path:
    """Put what was made of a cut-off result in the result's place, or beside an older result; returns where."""
    place = behind(result)
    if place.is_file() and place.stat().st_size > 0:
        return set_aside(file, result, "part")
    file.replace(place)
    return result


def part_told(result: Path, kept: Path) -> str:
    """What to tell about a result that was cut off and kept as `kept`."""
    if kept == result:
        return f"{result}: only a part of it was made"
    return f"{result}: only a part of a new one was made, which is kept as {kept}; the old one is as it was"


def _recorded(film: Path) -> BlockingIOError:
    return BlockingIOError(f"{film}: another sandtable records this film; end that one first, or give another name")
