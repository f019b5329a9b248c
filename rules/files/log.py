"""The match log on disk: JSON Lines, append-only, every line on the disk before the next event."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, Literal

from rules.course.events import Event, event_from, event_line
from rules.files.file_lock import is_held, locked
from rules.files.json_file import is_stream, json_text, strict_json
from rules.files.setup_record import setup_record
from rules.setup import Setup

SCHEMA = "sandtable/match/1"


def match_header(setup: Setup, started: str = "") -> dict[str, Any]:
    """The first line of a log. `started` is the date and time in ISO 8601, as the caller's clock has it."""
    return {"schema": SCHEMA, "setup": setup_record(setup), "started": started}


def read_log(path: Path) -> tuple[dict[str, Any], list[Event]]:
    """The head and the events of a log.

    A last line that the program's end cut short is left out; any other fault raises ValueError with file and line.
    """
    lines = _whole_lines(path)
    if not lines:
        raise ValueError(
            f"{path}: no whole line, so no match; a log begins with one that has the schema {SCHEMA!r}; "
            "delete this file, or give another"
        )
    header = _header(lines[0], path)
    events = [event_from(line, f"{path}: line {n}") for n, line in enumerate(lines[1:], start=2) if line.strip()]
    return header, events


def _whole_lines(path: Path) -> list[str]:
    """The lines that were finished; other programs leave out the line feed after the last one."""
    ended, tail = _ended(path.read_bytes())
    try:
        lines = ended.decode("utf-8-sig").split("\n")[:-1]
    except UnicodeDecodeError:
        raise ValueError(f"{path}: no match log (not UTF-8 text); give one that play or annotate wrote") from None
    return [*lines, tail.decode("utf-8-sig")] if _is_finished(tail) else lines


def _ended(content: bytes) -> tuple[bytes, bytes]:
    """What ends in a line feed, and what follows it."""
    at = content.rfind(b"\n") + 1
    return content[:at], content[at:]


def _is_finished(line: bytes) -> bool:
    """Whether a line is a whole object; one that was cut short never is."""
    try:
        return isinstance(strict_json(line.decode("utf-8-sig")), dict)
    except ValueError:
        return False


def _header(line: str, path: Path) -> dict[str, Any]:
    try:
        header = strict_json(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}: line 1: not valid JSON ({error.msg}); is this a match log?") from None
    except ValueError as error:
        raise ValueError(f"{path}: line 1: {error}") from None
    schema = header.get("schema") if isinstance(header, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"{path}: line 1: the schema is {schema!r}, not {SCHEMA!r}; is this a match log?")
    return dict(header)


def refuse_played(path: Path) -> None:
    """BlockingIOError where another program plays the match whose log this is."""
    if is_held(path):
        raise _played(path)


def _played(path: Path) -> BlockingIOError:
    return BlockingIOError(f"{path}: another sandtable plays this match; end that one first, or give another log")


def _opened(path: Path, mode: Literal["ab", "r+b"]) -> FileIO:
    """The log's file, held until it is closed: two programs that write one log leave none."""
    file = path.open(mode, buffering=0)
    if not is_stream(path) and not locked(file):
        file.close()
        raise _played(path)
    return file


class MatchLog:
    """An open log. Every event is flushed to the disk as it is written, so that a crash loses nothing said before.

    While it is open no other program can open it to write. What a full disk does not take is written with the next
    event that there is room for: a log never lacks an event before one that it holds.
    """

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._unwritten = b""

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> MatchLog:
        """A new log at `path`; what lay there is replaced. Half a header is no log and is not left behind.

        BlockingIOError where another program plays the match there.
        """
        if path.exists() and not path.is_file():
            raise FileExistsError(f"{path}: this is no ordinary file; name one")
        log = cls(_opened(path, "ab"))  # "wb" would empty another program's log before it is known to be one
        try:
            log._file.truncate(0)
            log._write(json_text(dict(header)))
        except OSError:
            with suppress(OSError):  # it tries once more, and fails as before
                log.close()
            path.unlink()
            raise
        return log

    @classmethod
    def resume(cls, path: Path) -> MatchLog:
        """The log at `path`, to be written on; a last line that was cut short is dropped, one that was not is ended.

        BlockingIOError where another program plays the match.
        """
        file = _opened(path, "r+b")
        ended, tail = _ended(file.read())
        if _is_finished(tail):
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        else:
            file.truncate(len(ended))
            file.seek(0, os.SEEK_END)
        return cls(file)

    def append(self, events: Iterable[Event]) -> None:
        """Write the events, and before them what could not be written earlier; OSError while that is so."""
        self._write(*map(event_line, events))

    def _write(self, *lines: str) -> None:
        self._unwritten += b"".join(line.encode("utf-8") + b"\n" for line in lines)
        with self._named():
            while self._unwritten:
                self._unwritten = self._unwritten[self._file.write(self._unwritten) :]
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; what could not be written is tried once more."""
        try:
            if self._unwritten:
                self._write()
        finally:
            self._file.close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """What the system says of an open file is said of its name."""
        try:
            yield
        except OSError as error:
            error.filename = self._file.name
            raise

    def __enter__(self) -> MatchLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
