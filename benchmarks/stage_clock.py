"""What the stages of some work cost, while the functions that do them are replaced by ones that count their time."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

# A stage's name, or what makes it of the arguments that the stage is called with.
Name = str | Callable[..., str]


class StageClock:
    """CPU ms by stage, in `spent`; nested stages are taken off the one that they run in.

    now_s  the clock: by default that of the thread that a stage runs in
    """

    def __init__(self, now_s: Callable[[], float] = time.thread_time) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._now_s, self._inside = now_s, threading.local()

    def timed(self, stage: Name, work: Callable[..., Any]) -> Callable[..., Any]:
        """The work with its time counted to a stage."""

        def measured(*arguments: Any, **named: Any) -> Any:
            """The work, its time counted."""
            around: list[float] = self._inside.__dict__.setdefault("stages", [])
            around.append(0.0)
            started_s = self._now_s()
            try:
                return work(*arguments, **named)
            finally:
                took_ms = 1e3 * (self._now_s() - started_s)
                self.spent[stage if isinstance(stage, str) else stage(*arguments)] += took_ms - around.pop()
                if around:
                    around[-1] += took_ms

        return measured

    @contextmanager
    def counting(self, stages: Iterable[tuple[Any, str, Name]]) -> Iterator[None]:
        """While it lasts, each attribute of each owner is counted to the stage of that name."""
        with ExitStack() as replaced:
            for owner, attribute, stage in stages:
                work = self.timed(stage, getattr(owner, attribute))
                replaced.enter_context(patch.object(owner, attribute, work))
            yield

    def taken(self) -> dict[str, float]:
        """CPU ms by stage since the last call."""
        spent, self.spent = dict(self.spent), defaultdict(float)
        return spent
