"""Places to write to, refused before the work and not after it."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import click

_STANDARD_OUTPUT = "-"  # to many other programs
_OR_NAME_ONE = "leave it out to write to standard output, or name one"
_ENDS_OF_FOLDERS = tuple(filter(None, (os.sep, os.altsep)))
# A recording is MP4 whatever its name; these are the endings by which players know that.
_RECORDINGS = (".mp4", ".m4v", ".mov")


class NewFile(click.Path):
    """The path of a file that a command will write. OSError, so exit status 1, where none can be written."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if its folder is there and it is no folder itself."""
        if os.fsdecode(value) == _STANDARD_OUTPUT:
            instead = "name one" if param is not None and param.required else _OR_NAME_ONE
            raise ValueError(f"{value}: no name of a file; {instead}")
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.is_dir() or os.fsdecode(value).endswith(_ENDS_OF_FOLDERS):
            raise _fault(errno.EISDIR, os.fsdecode(value) or path)
        if not path.parent.is_dir():
            raise _fault(errno.ENOENT if not path.parent.exists() else errno.ENOTDIR, path)
        written = path if path.exists() else path.parent
        if not os.access(written, os.W_OK):
            raise _fault(errno.EROFS if _is_on_read_only_disk(written) else errno.EACCES, path)
        return path


def refuse_overwriting(read: Iterable[Path | None], written: Iterable[Path | None]) -> None:
    """ValueError where a result has the name of a file that is read, or of another result: the first would be lost."""
    taken = [os.path.realpath(path) for path in read if path is not None]  # links that lead in a circle are told later
    for path in (path for path in written if path is not None):
        if path.is_file() or not path.exists():  # a device may well take two
            if os.path.realpath(path) in taken:
                raise ValueError(f"{path}: this name is given twice, and what is there would be lost; choose another")
            taken.append(os.path.realpath(path))


def refuse_no_recording(path: Path | None) -> None:
    """ValueError where a recording would be written under a name by which no player would know it."""
    _refuse_ending(path, _RECORDINGS, "a match is recorded as a video", ".mp4")


def refuse_no_pdf(path: Path) -> None:
    """ValueError where a sheet would be written under a name by which no printer would know it."""
    _refuse_ending(path, (".pdf",), "a sheet is written as PDF", ".pdf")


def _refuse_ending(path: Path | None, endings: Collection[str], what: str, ending: str) -> None:
    if path is not None and path.suffix.lower() not in endings and (path.is_file() or not path.exists()):
        raise ValueError(f"{path}: {what}; give a name that ends in {ending}")


def _is_on_read_only_disk(path: Path) -> bool:
    """Whether nothing can be written there whatever the permissions; Windows, which cannot tell, says no."""
    return hasattr(os, "statvfs") and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _fault(number: int, path: Path | str) -> OSError:
    return OSError(number, os.strerror(number), str(path))
