"""Shared fixtures; Qt never opens a real window in tests, and the same examples are tried every time.

`HYPOTHESIS_PROFILE=explore` looks for new ones.
"""

import os
import sys

from hypothesis import settings

from rules.garbage import search_seldom

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# As the command does: our matrices are small.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Each core has a worker of its own: OpenCV's second thread in each waits, spinning, for a core that is taken.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# Where the environment forbids to keep compiled modules, each test that starts the command would compile it all again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_collection_finish() -> None:
    """As in a match: thousands of tests and all that they import stay to the end; to search them for garbage again and
    again costs a twelfth of the time."""
    search_seldom()
