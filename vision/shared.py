"""Tasks that threads share: nets and compiled loops leave the interpreter to others while they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypeVar

Result = TypeVar("Result")


def begun(tasks: Sequence[Callable[[], Result]], beside: Executor | None) -> Callable[[], list[Result]]:
    """Run tasks in two steps: others take them from the front as they become free; the caller, once it asks for the
    results, does from the back what nobody has begun. So no task waits for a thread that waits.

    beside  the others; None for nobody
    """
    taken = [beside.submit(task) for task in tasks] if beside is not None else []

    def finished() -> list[Result]:
        """What each gave, in their order."""
        if beside is None:
            return [task() for task in tasks]
        pairs = zip(reversed(tasks), reversed(taken), strict=True)
        return [task() if one.cancel() else one.result() for task, one in pairs][::-1]

    return finished


def shared(tasks: Sequence[Callable[[], Result]], beside: Executor | None) -> list[Result]:
    """The results of all tasks, in their order: `begun` and waited for in one step."""
    return begun(tasks, beside)()
