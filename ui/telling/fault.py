"""What a fault says to a person: one line with what is wrong, where, and what to do."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

_WHAT_TO_DO: Mapping[int, str] = MappingProxyType(
    {
        errno.ENOENT: "the folder is not there any more; choose another place",
        errno.EISDIR: "this is a folder; name a file in it",
        errno.ENOTDIR: "a file stands where this path needs a folder; mend the path",
        errno.EEXIST: "a file of that name is in the way; move it, or choose another place",
        errno.EACCES: "this may not be read or written; change its permissions, or choose another place",
        errno.EPERM: "this may not be read or written; change its permissions, or choose another place",
        errno.EROFS: "nothing can be written on this disk; choose another place",
        errno.ENOSPC: "the disk is full; make room on it, or choose another place",
        errno.EDQUOT: "your share of the disk is used up; make room, or choose another place",
        errno.EFBIG: "the file grows larger than is allowed there; choose another place",
        errno.ELOOP: "the links there lead in a circle; name the file itself",
        errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
        errno.EMFILE: "too many files are open; close other programs and try again",
        errno.ENOMEM: "there is not memory enough for this; close other programs",
    }
)
# Words of those who have no MemoryError for it: Python's loader and its threads, OpenCV, ONNX Runtime and C++.
_NO_MEMORY = (
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "insufficient memory",
    "failed to allocate memory",
    "bad_alloc",
    "bad allocation",
)
# A misspelt name is at least this similar (`difflib` ratio) to the one that was meant.
_ALIKE = 0.75
# An address, of which a path leaves one stroke.
_ADDRESS = re.compile(r"(https?|rtsp|rtmp|udp|tcp|ftp):[/\\]", re.IGNORECASE)
_WILDCARDS = frozenset("*?[")
STANDARD_INPUT = "-"  # to many other programs


def fault_line(error: Exception) -> str:
    """What `error` says, on one line; an OSError of the system's with what to do in place of its number."""
    return " ".join(_said(error).split()) or type(error).__name__


def _said(error: Exception) -> str:
    if lacks_memory(error):
        return "there is not memory enough for this; close other programs, or give a smaller picture"
    if not (isinstance(error, OSError) and error.strerror):
        return str(error)
    where = f"{error.filename}: " if error.filename else ""
    if error.errno == errno.ENOENT and error.filename:
        return where + _missing(Path(str(error.filename)))
    return where + reason_of(error)


def lacks_memory(error: BaseException) -> bool:
    """Whether memory ran out: the error says so, or the error that caused it."""
    if isinstance(error, MemoryError):
        return True
    if not isinstance(error, ValueError) and any(words in str(error).lower() for words in _NO_MEMORY):
        return True
    came_of = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return came_of is not None and lacks_memory(came_of)


def reason_of(error: Exception) -> str:
    """What the system, or FFmpeg for it, refused and what to do, without the place."""
    number, words = getattr(error, "errno", None), getattr(error, "strerror", None)
    return _WHAT_TO_DO.get(number or 0, words or str(error))


def _missing(path: Path) -> str:
    """Why there is nothing at `path`: it is no name, a link to nothing, or it is not in its folder."""
    if str(path) == STANDARD_INPUT:
        return "no name of a file; to read standard input give /dev/stdin"
    if path.is_symlink():
        return f"this link leads to {path.readlink()}, which is not there; mend the link, or name the file itself"
    if _ADDRESS.match(str(path)):
        return "this is an address, and a file is wanted; save a picture or a film of that camera, and give its name"
    return _not_in_its_folder(path)


def _not_in_its_folder(path: Path) -> str:
    """The folder, a pattern that nothing fits, or a name that is a slip away."""
    try:
        folder = path.parent.absolute()
    except FileNotFoundError:  # of the working folder
        return _WHAT_TO_DO[errno.ENOENT]
    if not folder.is_dir():
        return f"there is no folder {path.parent}; mend the path, or make the folder first"
    if _WILDCARDS & set(path.name):
        return f"no file in {folder} has a name like this; mend the pattern or the folder"
    meant = _meant(path.stem, folder)
    return f"there is no such file or folder in {folder}; " + (f"is {meant} meant?" if meant else "mend the path")


def _meant(stem: str, folder: Path) -> str:
    """The name in `folder` that is most like it, whatever its ending; "" for none."""
    try:
        names = {each.stem: each.name for each in sorted(folder.iterdir())}
    except OSError:
        return ""
    return "".join(names[each] for each in get_close_matches(stem, names, 1, _ALIKE))
