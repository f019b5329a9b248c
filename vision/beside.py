"""The thread in which looks run while a camera's frames go on."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import Executor, ThreadPoolExecutor

# Frames come first: a look's threads are so much nicer (Linux; threads that they begin inherit it), and whoever waits
# for the interpreter gets it after a millisecond, not five. Of 40 coins live, p95 from camera to painted picture fell
# from 55 to 26 ms, in another run 37 (`benchmarks.latency`, two slow cores).
_NICER, _SWITCH_S = 10, 0.001


def beside_frames() -> Executor:
    """One thread that gives way to those that bring and paint frames."""
    sys.setswitchinterval(_SWITCH_S)
    return ThreadPoolExecutor(1, "look", initializer=_give_way)


def _give_way() -> None:
    if sys.platform == "linux":
        thread = threading.get_native_id()
        nice = os.getpriority(os.PRIO_PROCESS, thread) + _NICER
        os.setpriority(os.PRIO_PROCESS, thread, nice)
