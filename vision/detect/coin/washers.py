"""Silver coins with a dot, which look like washers: those are looked at once more, the dot painted over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.classify import Looks, classify
from vision.detect.coin.odds import NO_COIN
from vision.frame import ImageBgr
from vision.naming.sticker import Dots, painted_over

# What looks like no coin, but carries a dot that stands out so far, is one where it looks like none to no more than
# this with the dot painted over: three of 1,700 on the stills of `benchmarks.coin_odds`.
_PLAIN_DOT, _SURELY_COIN = 2.5, 0.02


def without_washers(crops: ImageBgr, looks: Looks, dots: Dots) -> Looks:
    """The looks of crops (n, CROP_PX, CROP_PX, 3), those of coins that looked like washers made anew."""
    asked = np.flatnonzero((looks.classes[:, -1] > np.log(NO_COIN)) & (dots.stands_out > _PLAIN_DOT))
    if not len(asked):
        return looks
    bare = classify(painted_over(crops[asked], dots.only(asked))).classes
    clear = bare[:, -1] < np.log(_SURELY_COIN)
    classes = looks.classes.copy()
    classes[asked[clear]] = bare[clear]
    return replace(looks, classes=classes)
