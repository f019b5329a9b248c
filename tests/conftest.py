"""Shared fixtures; Qt never opens a real window in tests, and the same examples are tried every time.

`HYPOTHESIS_PROFILE=explore` looks for new ones.
"""

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# As the command does: our matrices are small.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
