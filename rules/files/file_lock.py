"""One program at a time: the system's lock on an open file. The program's end gives it back, a kill too."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import BinaryIO

from rules.files.json_file import is_stream

# What the system says of a file that another program holds. Some disks of other machines know no locks: nothing can be
# told there, and nothing is refused.
_HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    # A lock keeps others from reading what is locked; no log and no film is so long.
    _FAR_BEHIND = 1 << 60

    def _lock(handle: int) -> None:
        at = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _FAR_BEHIND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, at, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def locked(file: BinaryIO) -> bool:
    """Lock a file that is open to be written, until it is closed; False where another program holds it."""
    try:
        _lock(file.fileno())
    except OSError as error:
        return error.errno not in _HELD
    return True


def is_held(path: Path) -> bool:
    """Whether another program holds the file at `path`; not where there is none, nor a stream such as /dev/stdout."""
    if not path.is_file() or is_stream(path):
        return False
    with path.open("r+b") as file:
        return not locked(file)
