"""Shared fixtures; Qt never opens a real window in tests."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
