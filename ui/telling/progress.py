"""Progress with an estimate of the time left, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Advance = Callable[[float], None]

# Without a terminal there is no bar: a line now and then, and none for work that is done at once.
_LINE_EVERY_S = 5.0
# What comes but once, as compiling and the first look, tells nothing of the time left: it was "0%, about 2564 s left".
_TELLS_FROM = 0.05


@contextmanager
def progress(what: str, total: float | None) -> Iterator[Advance]:
    """Call what it gives with how far the work has come, in the units of `total`; in seconds where nobody knows."""
    if not sys.stderr.isatty():
        yield _lines(what, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _lines(what: str, total: float | None) -> Advance:
    start_s = time.monotonic()
    said_s = [start_s]

    def advance(done: float) -> None:
        """Print a line of progress if the last one is long enough ago."""
        now_s = time.monotonic()
        if now_s - said_s[0] >= _LINE_EVERY_S:
            said_s[0] = now_s
            click.echo(f"{what}: {_share(done, total, now_s - start_s)}", err=True)

    return advance


def _share(done: float, total: float | None, spent_s: float) -> str:
    if not total or done <= 0:
        return f"{done:.0f} s" if total is None else "begun"
    share = done / total
    left_s = max(spent_s / share - spent_s, 0.0)
    return f"{share:.0%}, about {left_s:.0f} s left" if share >= _TELLS_FROM else f"{share:.0%}"
