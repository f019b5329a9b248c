"""The radius of a coin, by the rim net and by its edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.shape.circle import Rims
from vision.shape.rim import Circles

Array = NDArray[np.float64]

# Of a coin's radius by edges so much is believed beside the net's, where both agree to this share and a table has coins
# enough to tell how they lie apart (photographs made for training and stills of seed 501: radii scatter least so).
_BY_EDGES, _EDGES_AGREE, _FEW = 0.3, 0.06, 4
# Of a table's scale by edges so much, less with few coins: edges lie within the rim by such a share (median of
# photographs) whatever the light, the net errs by more from one to the next (scale of a table on photographs of one
# denomination: net 2.4 %, so 2.1; on stills of seed 501 0.83, 0.80), by no more than this.
_TABLE_BY_EDGES, _EDGES_WITHIN, _MOST_ASTRAY, _FEW_ELSE = 0.5, -0.012, 0.04, 3


def radius_by_both(circles: Circles, rims: Rims) -> Array:
    """(n,) the net's radius and some of the edges', whose errors are others.

    The light moves what the net takes for the rims of a whole table more than it moves their edges, which see the
    border for the rim but always so: how both lie apart on the table is mostly the net's fault.
    """
    if len(circles.radius_mm) < _FEW:
        return circles.radius_mm
    apart = np.log(rims.radius_mm / circles.radius_mm)
    usual = float(np.median(apart))
    apart -= usual
    astray = np.clip(usual - _EDGES_WITHIN, -_MOST_ASTRAY, _MOST_ASTRAY)
    common = _TABLE_BY_EDGES * len(apart) / (len(apart) + _FEW_ELSE) * astray
    own = _BY_EDGES * np.where(np.abs(apart) < _EDGES_AGREE, apart, 0)
    return np.asarray(circles.radius_mm * np.exp(common + own), float)
