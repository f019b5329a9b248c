"""What speaks for a circle being a coin: heat, edge and doubt of its outline, then its look, its dot and its ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detect.coin.proposals import Proposals
from vision.naming.sticker import Dots
from vision.shape.circle import Rims
from vision.shape.rim import Circles

Array = NDArray[np.float64]

# What speaks for a coin, as logarithms of odds: the net's heat and the classifier's look as far as they are to be
# believed, how much of the circle is edge, how sure the rim net is of the radius, which it is of coins only, a dot that
# stands out of the metal, from so far on and no farther, and a border that differs from the ground, which print's does
# not (`benchmarks.coin_odds`: fitted to the circles on 68 rendered stills of seeds 501, 41001, 41002 and 43003, on the
# photographs made for training and, for a seventh, on drawn tables full of washers, nuts and buttons, a coin missed
# being twice as bad as another thing taken for one).
BY_OUTLINE, BY_LOOKS = (2.14, 1.27, -3.60), (0.48, 3.76, 3.05)
_EVEN_SUPPORT, EVEN_DOUBT = 0.8, -4.25
_FAINT_DOT, _CLEAR_DOT, _LEAST_LEVELS, _APART_LEVELS = 1.2, 4.0, 1.0, 25.0
# Of 3,200 coins in photographs and rendered pictures none that is seen whole looks this little like one, however round:
# nuts and washers do.
NO_COIN = 0.9
# More doubt of the radius than this says no more against a coin: where one lies on another, both rims are seen. Since
# the rim net doubts what is none by e^1.2 more, coins may be doubted more than was fitted (-4.44 at even odds, -3.5 at
# most): of 2,073 coins on stills and rendered in metal 9 more are found, and on photographs one nut.
_MOST_DOUBT = -2.75


def outline_evidence(proposals: Proposals, circles: Circles, rims: Rims) -> Array:
    """(n, 3) heat, edge, doubt, of which `BY_OUTLINE` makes logarithms of odds."""
    doubt = np.minimum(np.log(circles.radius_sigma_mm / circles.radius_mm), _MOST_DOUBT)
    return np.stack([_log_odds(proposals.heat), rims.support - _EVEN_SUPPORT, doubt - EVEN_DOUBT], axis=1)


def look_evidence(no_coin: Array, dots: Dots, apart: Array) -> Array:
    """(n, 3) look, dot, ground, for `BY_LOOKS`.

    no_coin  (n,) the chance that it looks like none
    apart    (n,) levels by which its border differs from the ground
    """
    dot = np.clip(dots.stands_out, _FAINT_DOT, _CLEAR_DOT) / _FAINT_DOT
    ground = np.clip(apart, _LEAST_LEVELS, _APART_LEVELS) / _APART_LEVELS
    return np.stack([-_log_odds(no_coin), np.log(dot), np.log(ground)], axis=1)


def _log_odds(chance: Array) -> Array:
    sure = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(sure / (1 - sure)), float)
