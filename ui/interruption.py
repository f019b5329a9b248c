"""Ctrl-C, a closed terminal and a plain `kill` end a command alike: in good order, and what was made is kept."""

from __future__ import annotations

import signal
from types import FrameType

# Where Python loads modules, and how soon an interruption that came there is heard again.
_LOADER = "<frozen importlib._bootstrap>"
_AGAIN_S = 0.05


def heard_signals() -> tuple[signal.Signals, ...]:
    """Those that end a program and that it was not told to ignore, as `nohup` tells it."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    there = (getattr(signal, name) for name in names if hasattr(signal, name))
    return tuple(number for number in there if signal.getsignal(number) not in (signal.SIG_IGN, None))


def heed_all() -> None:
    """From now on each of them is a KeyboardInterrupt, as Ctrl-C is; it waits until a module is loaded."""
    for number in heard_signals():
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """KeyboardInterrupt, though not in the midst of loading a module: of that numpy makes an ImportError, and Python's
    own loader loses it."""
    if not (hasattr(signal, "setitimer") and _is_loading(frame)):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(number))
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename != _LOADER:
        frame = frame.f_back
    return frame is not None


def is_end_of_input(interruption: BaseException) -> bool:
    """Whether a question got no answer because standard input ended (Ctrl-D, a pipe), not because of a signal.

    click makes one and the same of both, and keeps which it was as the context only.
    """
    return isinstance(interruption.__context__, EOFError)
