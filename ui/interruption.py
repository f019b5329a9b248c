"""Ctrl-C, a closed terminal and a plain `kill` end a command alike: in good order, and what was made is kept."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType, ModuleType

# Where Python loads modules, and how soon an interruption that came there is heard again.
_LOADER = "<frozen importlib._bootstrap>"
_AGAIN_S = 0.05
# What no library loads, so that an interruption in place of one reaches nobody but us.
_OURS = frozenset({"calibration", "models", "rules", "ui", "vision"})
# `timeout` sends each signal to the program and to its group, and who waits presses Ctrl-C twice: within so long it is
# one wish, and a second interruption would break off what keeps what was made.
_ONE_WISH_S = 1.0


def heard_signals() -> tuple[signal.Signals, ...]:
    """Those that end a program and that it was not told to ignore, as `nohup` tells it."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    there = (getattr(signal, name) for name in names if hasattr(signal, name))
    return tuple(number for number in there if signal.getsignal(number) not in (signal.SIG_IGN, None))


def heed_all() -> None:
    """From now on each of them is a KeyboardInterrupt, as Ctrl-C is; it waits until a module is loaded."""
    interruption = _Interruption()
    for number in heard_signals():
        signal.signal(number, interruption.hear)


class _Interruption(MetaPathFinder):
    """One KeyboardInterrupt of all signals that come at once.

    It is not raised in the midst of loading a module: numpy would make an ImportError of it, and Python's own loader
    would lose it. It is raised when the next module of our own is asked for; a command would else load all its modules
    first, which takes many seconds on a busy machine.
    """

    def __init__(self) -> None:
        self._heard_s = -math.inf

    def hear(self, number: int, frame: FrameType | None) -> None:
        """What a signal calls."""
        if not (hasattr(signal, "setitimer") and _is_loading(frame)):
            self._interrupt()
            return
        sys.meta_path.insert(0, self)
        signal.signal(signal.SIGALRM, lambda *_: self._again(number))
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """None, so that Python goes on looking for the module; KeyboardInterrupt for one of our own."""
        if fullname.partition(".")[0] in _OURS and current_thread() is main_thread():
            self._forget()
            self._interrupt()
        return None

    def _interrupt(self) -> None:
        if monotonic() - self._heard_s > _ONE_WISH_S:
            self._heard_s = monotonic()
            raise KeyboardInterrupt

    def _again(self, number: int) -> None:
        """Whoever hears that signal by now, a window perhaps, hears it."""
        self._forget()
        signal.raise_signal(number)

    def _forget(self) -> None:
        """Nothing is left of it to interrupt what follows: it was heard, or is heard again now."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        while self in sys.meta_path:
            sys.meta_path.remove(self)


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename != _LOADER:
        frame = frame.f_back
    return frame is not None


def is_end_of_input(interruption: BaseException) -> bool:
    """Whether a question got no answer because standard input ended (Ctrl-D, a pipe), not because of a signal.

    click makes one and the same of both, and keeps which it was as the context only.
    """
    return isinstance(interruption.__context__, EOFError)
