"""Ctrl-C, a closed terminal and a plain `kill` end a command alike: in good order, and what was made is kept."""

from __future__ import annotations

import signal


def heard_signals() -> tuple[signal.Signals, ...]:
    """Those that end a program and that it was not told to ignore, as `nohup` tells it."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    there = (getattr(signal, name) for name in names if hasattr(signal, name))
    return tuple(number for number in there if signal.getsignal(number) not in (signal.SIG_IGN, None))


def heed_all() -> None:
    """From now on each of them is a KeyboardInterrupt, as Ctrl-C is."""
    for number in heard_signals():
        signal.signal(number, signal.default_int_handler)


def is_end_of_input(interruption: BaseException) -> bool:
    """Whether a question got no answer because standard input ended (Ctrl-D, a pipe), not because of a signal.

    click makes one and the same of both, and keeps which it was as the context only.
    """
    return isinstance(interruption.__context__, EOFError)
