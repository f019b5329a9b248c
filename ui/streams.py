"""Standard input, output and error as each command finds them: a closed input is an empty one, results are UTF-8, and
what cannot be said ends no work."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BufferedWriter, RawIOBase, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

_STANDARD_ERROR = 2


def settle() -> None:
    """Make standard input, output and error safe to use.

    Without a standard input, questions end as at the end of an empty one. What goes to a file or a pipe is UTF-8 in
    every locale; a terminal keeps its own encoding, and a letter that it lacks is shown as \\xe7. What is said on a
    closed standard error, or where the disk is full, is lost, and nothing else.
    """
    _fill_closed()
    if sys.stdin is None:
        sys.stdin = StringIO()
    sys.stderr = _unfailing(sys.stderr)
    if not isinstance(sys.stdout, TextIOWrapper):
        return
    if sys.stdout.isatty():
        sys.stdout.reconfigure(errors="backslashreplace")
    else:
        sys.stdout.reconfigure(encoding="utf-8", errors=sys.stdout.errors)


def _fill_closed() -> None:
    """Open nothing in the place of each that is closed: the next file, a film perhaps, would have its number, and what
    libraries say be written into it."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        continue
    os.close(number)


def _unfailing(stream: Any) -> Any:
    """The same stream without its errors; one that nobody reads for none."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if not isinstance(stream, TextIOWrapper):
        return stream
    writer = BufferedWriter(_Unfailing(stream))
    return TextIOWrapper(writer, stream.encoding, stream.errors, line_buffering=True)


class _Unfailing(RawIOBase):
    """What is written goes to a text stream's file, or nowhere if that fails."""

    def __init__(self, stream: TextIOWrapper) -> None:
        self._stream = stream
        # Past its buffer, which would try again at the program's end, and fail again.
        self._file: Any = getattr(stream.buffer, "raw", stream.buffer)

    def writable(self) -> bool:
        """Always: nothing fails."""
        return True

    def write(self, content: Any) -> int:
        """So many bytes went there, or are lost."""
        with suppress(OSError):
            written: int | None = self._file.write(content)
            return len(content) if written is None else written  # none: a pipe that would wait is full
        return len(content)

    def fileno(self) -> int:
        """The stream's own."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._stream.isatty()
