"""Before a command is loaded: nothing is said, and nothing is lost."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADING = """
import importlib, signal
loaded = importlib.import_module
def load(name):
    signal.raise_signal(signal.SIGINT)
    return loaded(name)
importlib.import_module = load
from ui.start import main
main()
"""


def start(handler: str) -> subprocess.CompletedProcess[str]:
    # Whoever runs the tests may have been told to ignore it himself.
    told = f"import signal; signal.signal(signal.SIGINT, signal.{handler})"
    command = [sys.executable, "-c", told + LOADING, "--version"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is not ended by a signal")
def test_an_interruption_while_it_loads_is_no_traceback():
    """Python answered it in the midst of click's own loading."""
    ended = start("default_int_handler")
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


def test_who_was_told_to_ignore_it_goes_on():
    went_on = start("SIG_IGN")
    assert went_on.returncode == 0 and went_on.stdout.startswith("sandtable") and went_on.stderr == ""
