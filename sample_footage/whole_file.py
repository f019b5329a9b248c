"""Files that are there whole or not at all: written beside their place first, then moved there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text file, UTF-8."""
    write_bytes_whole(path, text.encode("utf-8"))


def write_bytes_whole(path: Path, content: bytes) -> None:
    """Write a file of any kind."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
