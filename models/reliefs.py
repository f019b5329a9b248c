"""What the net that tells whose money a coin's relief is and its users agree on.

It sees the square about the coin that the classifier sees (`models.coins.CROP_PX`, `RIM_SHARE`), grey, and answers with
a logit for each of `DESIGNS`: which pound or euro it is, others tell.
"""

from __future__ import annotations

import numpy as np

from models.coins import CLASSES

INPUT, OUTPUT = "crops_grey", "designs"
DESIGNS = ("gbp", "eur", *(cls for cls in CLASSES if cls.startswith("usd")))
# How often it met each while it learned.
OFTEN = np.array([0.33, 0.24, *(0.04 if name == "usd-1-silver" else 0.065 for name in DESIGNS[2:])])


def design_of(cls: str) -> str:
    """Which of `DESIGNS` a coin of that class bears."""
    return cls if cls in DESIGNS else cls.split("-", maxsplit=1)[0]
