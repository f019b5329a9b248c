"""Where results go: to the file that `--out` names, whole or not at all, or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any

import click

from rules.files.file_lock import is_held
from rules.files.json_file import behind, json_text, opened_beside, stem_beside, write_json
from ui.playing.unfinished import keep_part, part_told, set_aside

# In the names of our temporary files, `rules.files.json_file.opened_beside`.
_SOME = "[0-9a-f]" * 8


def give(document: Any, out: Path | None) -> None:
    """Write `document` as strict JSON to `out`, or to standard output without one."""
    if out is None:
        if sys.stdout is None:
            raise OSError("standard output: it is closed, and the result is lost; give --out FILE")
        try:
            click.echo(json_text(document))
        except OSError as error:
            error.filename = "standard output"
            raise
    else:
        write_json(out, document)


def say(sentence: str) -> None:
    """One line for the person, on standard error."""
    click.echo(sentence, err=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, with its suffix, that takes its place at the end; removed if anything fails."""
    with _beside(path) as temporary:
        try:
            yield temporary
            temporary.replace(behind(path))
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def kept_unless_refused(path: Path) -> Iterator[Path]:
    """As `whole_file`, but for long work: what was written is also kept if the work is interrupted or the disk is full.

    Such a part replaces no file. What a killed program left is kept, too, and both are said. The part is thrown away if
    the input is at fault (ValueError) or another program has the file (BlockingIOError).
    """
    _show_left(path)
    with _beside(path) as temporary:
        try:
            yield temporary
            temporary.replace(behind(path))
        except (ValueError, BlockingIOError):
            raise
        except BaseException:
            if temporary.exists() and temporary.stat().st_size > 0:
                say(part_told(path, keep_part(temporary, path)))
            raise
        finally:
            temporary.unlink(missing_ok=True)


def _show_left(path: Path) -> None:
    """Give what killed programs left of `path` under hidden names one that shows."""
    place = behind(path)
    stem = stem_beside(place, f"..{'0' * 8}{place.suffix}")
    for left in sorted(place.parent.glob(f"{escape(f'.{stem}.')}{_SOME}{escape(place.suffix)}")):
        if left.stat().st_size > 0 and not is_held(left):
            say(f"{path}: an earlier one was cut off; what was left of it is kept as {set_aside(left, path)}")


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """An empty file in the same folder; what the system says of it is said of `path`."""
    if path.exists() and not path.is_file():
        raise FileExistsError(f"{path}: this is no ordinary file; name one")
    if not path.parent.is_dir():
        raise NotADirectoryError(f"{path}: there is no folder {path.parent} to write it in; make it first")
    name = path
    try:
        handle, name = opened_beside(path)
        os.close(handle)
        yield name
    except OSError as error:
        if error.strerror and error.filename in (None, str(name)):
            error.filename = str(path)
        raise
