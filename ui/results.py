"""Where results go: to the file that `--out` names, whole or not at all, or to standard output."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from rules.json_file import json_text, write_json


def give(document: Any, out: Path | None) -> None:
    """Write `document` as strict JSON to `out`, or to standard output without one."""
    if out is None:
        click.echo(json_text(document))
    else:
        write_json(out, document)


def say(sentence: str) -> None:
    """One line for the person, on standard error."""
    click.echo(sentence, err=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, with its suffix, that takes its place at the end; removed if anything fails."""
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
