"""What calls cost in CPU time, so that what else runs on the machine does not count."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable


def cpu_ms(call: Callable[[], object]) -> float:
    """CPU milliseconds of one call, in all threads of the process."""
    begun_s = time.process_time()
    call()
    return (time.process_time() - begun_s) * 1e3


def median_cpu_ms(calls: Iterable[Callable[[], object]]) -> float:
    """Median CPU milliseconds of several calls, one after the other."""
    return statistics.median(map(cpu_ms, calls))
