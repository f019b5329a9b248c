"""Standard input and output as each command finds them: a closed input is an empty one, and results are UTF-8."""

from __future__ import annotations

import sys
from io import StringIO, TextIOWrapper


def settle() -> None:
    """Make standard input and output safe to use.

    Without a standard input, questions end as at the end of an empty one. What goes to a file or a pipe is UTF-8 in
    every locale; a terminal keeps its own encoding, and a letter that it lacks is shown as \\xe7.
    """
    if sys.stdin is None:
        sys.stdin = StringIO()
    if not isinstance(sys.stdout, TextIOWrapper):
        return
    if sys.stdout.isatty():
        sys.stdout.reconfigure(errors="backslashreplace")
    else:
        sys.stdout.reconfigure(encoding="utf-8", errors=sys.stdout.errors)
