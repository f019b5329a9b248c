"""The thread in which looks run while a camera's frames go on."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

P = ParamSpec("P")
T = TypeVar("T")

# Frames come first: a look's threads are so much nicer (Linux; threads that they begin inherit it), and whoever waits
# for the interpreter gets it after a millisecond, not five. Of 40 coins live, p95 from camera to painted picture fell
# from 55 to 26 ms, in another run 37 (`benchmarks.latency`, two slow cores).
_NICER, _NICEST, _SWITCH_S = 10, 19, 0.001
# The threads in which looks run are called so.
LOOK, EYES = "look", "eyes"


class _Beside(ThreadPoolExecutor):
    """One that remembers what was begun."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin it when all before it has ended."""
        look = super().submit(fn, *args, **kwargs)
        _begun.add(look)
        return look


_begun: WeakSet[Future[Any]] = WeakSet()


def beside_frames() -> Executor:
    """One thread beside those that bring and paint frames."""
    sys.setswitchinterval(_SWITCH_S)
    return _Beside(1, LOOK)


def look_goes_on() -> bool:
    """Whether a look that began beside frames has not ended, so that Python would wait for it at its own end."""
    return any(not look.done() for look in list(_begun))


def give_way() -> None:
    """From now on looks give way to frames. Before the first scene nothing is painted on these, and who waits for the
    overlay waits for the looks."""
    if sys.platform != "linux":
        return
    nice = min(os.getpriority(os.PRIO_PROCESS, os.getpid()) + _NICER, _NICEST)
    for looking in [thread.native_id for thread in threading.enumerate() if thread.name.startswith((LOOK, EYES))]:
        # A thread that ends meanwhile is none.
        with suppress(ProcessLookupError):
            if looking is not None and os.getpriority(os.PRIO_PROCESS, looking) < nice:
                os.setpriority(os.PRIO_PROCESS, looking, nice)
