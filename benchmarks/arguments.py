"""What is given to a benchmark, checked before anything is measured."""

from __future__ import annotations

import argparse
from pathlib import Path


def existing(text: str) -> Path:
    """The path of a file or a folder that is there."""
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{path}: there is no such file or folder")
    return path


def some(text: str) -> int:
    """A whole number from one on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: give a whole number from 1 on")
    return int(text)
