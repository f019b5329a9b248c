"""Places to write to, refused before the work and not after it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

_PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".gif")


class NewFile(click.Path):
    """The path of a file that a command will write. OSError, so exit status 1, where none can be written."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if its folder is there and it is no folder itself."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.is_dir():
            raise _fault(errno.EISDIR, path)
        if not path.parent.is_dir():
            raise _fault(errno.ENOENT if not path.parent.exists() else errno.ENOTDIR, path)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise _fault(errno.EACCES, path)
        return path


def refuse_overwriting(read: Iterable[Path | None], written: Iterable[Path | None]) -> None:
    """ValueError where a result has the name of a file that is read, or of another result: the first would be lost."""
    taken = [path.resolve() for path in read if path is not None]
    for path in (path for path in written if path is not None):
        if path.is_file() or not path.exists():  # a device may well take two
            if path.resolve() in taken:
                raise ValueError(f"{path}: this name is given twice, and what is there would be lost; choose another")
            taken.append(path.resolve())


def refuse_picture_name(recording: Path | None) -> None:
    """ValueError where a recording would be written under the name of a picture, which no viewer could open."""
    if recording is not None and recording.suffix.lower() in _PICTURE_SUFFIXES:
        raise ValueError(f"{recording}: a match is recorded as a video; give a name that ends in .mp4")


def _fault(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
