"""What the libraries are told before they are loaded, and what is heard of them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from types import MappingProxyType

# OpenCV speaks to standard error in paragraphs of its own when a camera is not there; we say it in one line. Our
# matrices are small: numpy's second thread only waits for the first (a table by three corners and 23 coins: 40 -> 20
# CPU s; a look at 60 pieces: 320 -> 214 CPU ms).
_SETTINGS: Mapping[str, str] = MappingProxyType(
    {"OPENCV_LOG_LEVEL": "OFF", "OPENCV_FFMPEG_LOGLEVEL": "-8", "OPENBLAS_NUM_THREADS": "1"}
)


def instruct() -> None:
    """Put our settings into the environment, where libraries read them; a value that a person set stays."""
    for setting, value in _SETTINGS.items():
        os.environ.setdefault(setting, value)


def hear() -> None:
    """What our own modules log goes to standard error from now on, a line each."""
    heard, ours = logging.StreamHandler(), logging.getLogger("rules")
    heard.setFormatter(logging.Formatter("sandtable: %(message)s"))
    ours.addHandler(heard)
    ours.setLevel(logging.INFO)
