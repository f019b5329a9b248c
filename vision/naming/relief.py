"""Whose money a coin's relief is: what a net that sees nothing but relief says for each currency, and for each dollar.

The classifier, which never saw an American coin photographed, tells its relief from others' by looking drawn; this net
saw all reliefs struck into the same metals (`models/relief.md`).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, CROP_PX, CURRENCIES
from models.loading import load_model
from models.reliefs import DESIGNS, INPUT, OFTEN, design_of
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# A paper dot that stands out so far from its ring (`vision.naming.sticker.Dots`) hides what relief there is.
_DOTTED = 1.3
# (designs, 3) which currency each is of, and (23,) which of them each class bears.
_OF_CURRENCY = np.array([[name.startswith(currency) for currency in CURRENCIES] for name in DESIGNS], float)
_DESIGN = [DESIGNS.index(design_of(cls)) for cls in CLASSES]
# The net learned dollars from six scans and drawings, and knows others less surely than it says; what it says of
# pounds, euros and dollars is set against photographs of each (multinomial logistic regression, `benchmarks.reliefs`).
_SLOPE, _BIAS = 1.95, (0.0, -2.77, 0.83)
# So far that is believed, since coins of one table share a photograph's faults; and of dollars among themselves.
_TRUST, _TRUST_WITHIN = 0.75, 0.5


def reliefs_of(crops: ImageBgr, stands_out: Array) -> Array:
    """(n, 23) logarithm of how much likelier each relief is for a coin of each class than for any coin.

    crops       (n, CROP_PX, CROP_PX, 3)
    stands_out  (n,) how far a dot stands out on each; one that carries a dot says nothing
    """
    told = np.zeros((len(crops), len(CLASSES)))
    bare = np.flatnonzero(stands_out < _DOTTED)
    if len(bare):
        told[bare] = believed(chances_of(crops[bare]))
    return told


def chances_of(crops: ImageBgr) -> Array:
    """(n, designs) how likely each of `models.reliefs.DESIGNS` is on n crops, as the net says."""
    grey = cv2.cvtColor(crops.reshape(-1, CROP_PX, 3), cv2.COLOR_BGR2GRAY).reshape(-1, 1, CROP_PX, CROP_PX)
    logits = load_model("relief").run(None, {INPUT: grey.astype(np.float32)})[0].astype(float)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), float)


def by_currency(chances: Array) -> Array:
    """(n, 3) logarithm of how much likelier each currency is than before looking, as the net says."""
    return np.asarray(np.log(chances @ _OF_CURRENCY / (OFTEN @ _OF_CURRENCY)), float)


def believed(chances: Array) -> Array:
    """(n, 23) what is made of chances (n, designs)."""
    said = by_currency(chances)
    within = np.log(chances / OFTEN) - said @ _OF_CURRENCY.T
    whose = _SLOPE * said + _BIAS
    whose -= np.log(np.exp(whose).mean(axis=1, keepdims=True))
    return np.asarray((_TRUST * whose @ _OF_CURRENCY.T + _TRUST_WITHIN * within)[:, _DESIGN], float)
