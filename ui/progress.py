"""Progress with an estimate of the time left, on standard error; silent where nobody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    """Tells how far the work has come, in the units of its total."""

    def __call__(self, done: float) -> None:
        """`done` of the total."""
        ...


@contextmanager
def progress(what: str, total: float | None) -> Iterator[Advance]:
    """A bar named `what`; `total` None where nobody knows how long it will be."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
