"""Where the command `sandtable` begins: until it is loaded there is nothing to keep, and Ctrl-C ends it at once."""

from __future__ import annotations

import importlib
import signal


def main() -> None:
    """Run the command line. What it loads first takes up to a second on a busy machine, in which Python answers an
    interruption with a traceback; so the system ends the process, unless it was told to ignore it, as `nohup` does."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    importlib.import_module("ui.cli").main()
