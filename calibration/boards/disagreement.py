"""Whether views of a board tell one lens: some of another zoom, focus or camera among them, so many that none stands
out, take the lens between the two, and every view leaves a little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.boards.lens_models import LensFit
from calibration.boards.turned_view import ViewTold

Array = NDArray[np.float64]

# By so many times the variance of corners what views tell apart differs at most by right ones: drawn ones 0.9, OpenCV's
# photographs of a curled board 4.7; of a board that bent in the hands 23, with three strange ones of ten 7 to 340.
_MOST = 6.0
# If more than this share of the views was left out, nobody can say which are the strange ones, those or the rest.
FEW_LEFT_OUT = 0.25
# A view says that the focal length is another by so many of its sigmas.
_CLEAR_SIGMAS = 3.0
_TINY = float(np.finfo(float).tiny)
_CURE = "another camera, zoom or focus among them, or the board bent? take all again with one"


def disagreement(fit: LensFit, names: Sequence[str], of: int) -> tuple[str, ...]:
    """A line where the views that a lens was fitted to do not agree on it, or are too few of all to be believed.

    names  of these views
    of     how many there were
    """
    if of - len(names) > FEW_LEFT_OUT * of:
        return (f"{of - len(names)} of {of} views do not agree with the others, and may be the right ones: {_CURE}",)
    if fit.told_apart < _MOST:
        return ()
    off = np.array([_asks_longer(each) for each in fit.told]) / np.sqrt(fit.variance_px2)
    longer, shorter = (_listed(names, sign * off > _CLEAR_SIGMAS) for sign in (1, -1))
    which = f", {longer} telling a longer focal length than {shorter}" if longer and shorter else ""
    return (f"the views do not agree on one lens{which}: {_CURE}",)


def _asks_longer(view: ViewTold) -> float:
    """How much a view asks for a longer focal length, all else as it is: in sigmas, of corners good to 1 px."""
    focal = np.zeros(len(view.pull))
    focal[:2] = 1.0
    return float(-(focal @ view.pull) / np.sqrt(max(float(focal @ view.information @ focal), _TINY)))


def _listed(names: Sequence[str], are_meant: NDArray[np.bool_]) -> str:
    return ", ".join(name for name, is_meant in zip(names, are_meant.tolist(), strict=True) if is_meant)
