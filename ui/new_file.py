"""A place to write to, refused before the work and not after it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import click


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


def _fault(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
