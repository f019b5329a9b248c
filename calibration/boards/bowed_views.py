"""A board that is bent otherwise in each view, as paper is that hands hold: each view has a bend of its own.

A sheet of 250 mm that bent by 4 mm, each time another way, made the focal length 0.5 to 1.7 % wrong, 0.4 to 0.8 stated.
What a bend does along a slanted board is much like what the focal length does; across, where the board's far side looks
shorter, it is not, so that the two are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.boards.board import BoardView
from calibration.boards.bowed_board import Bow, shared_jacobian
from calibration.fit.solve import levenberg_marquardt
from calibration.lens import Lens

Array = NDArray[np.float64]

# How high the end of a sheet bends (standard deviation), of half its length: 6 mm of 250.
_RISE_OF_REACH = 0.05
# A pose and three heights of each view are no lens's.
_POSE, _OWN = 6, 9
# The corners' noise is what bends leave, so that it is known only after a first round.
_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class BentView:
    """A view of a board that has a bend of its own.

    view       of the flat board
    pose       (rvec, tvec) of the board
    bow        how it is bent
    stiff_px   by how many px of noise a height of one square is unlikely
    """

    view: BoardView
    pose: tuple[Array, Array]
    bow: Bow
    stiff_px: float

    def rows(self, lens: Lens) -> tuple[Array, Array, Array]:
        """How far off the corners are expected, and the heights of a flat board, (2 n + 3,) px; how that changes with
        what all views share, the lens and the board's stretch (2 n + 3, m), and with what is this view's own, pose and
        heights (2 n + 3, 9)."""
        shared = len(lens.parameters) + 1
        px, by_all, by_pose = shared_jacobian(self.bow.bent(self.view), lens, self.pose, self.bow)
        off = np.r_[(px - self.view.corners_px).ravel(), self.stiff_px * self.bow.heights]
        by_shared = np.r_[by_all[:, :shared], np.zeros((3, shared))]
        by_heights = np.c_[np.zeros((3, _POSE)), self.stiff_px * np.eye(3)]
        return off, by_shared, np.r_[np.c_[by_pose, by_all[:, shared:]], by_heights]

    def moved(self, own: Array, stretch: float) -> BentView:
        """The same with other numbers (9,) of its own, rvec, tvec, heights, of a board so stretched."""
        bow = replace(self.bow, heights=own[_POSE:], stretch=stretch)
        return replace(self, pose=(own[:3], own[3:_POSE]), bow=bow)

    @property
    def own(self) -> Array:
        """(9,) rvec, tvec, heights."""
        return np.asarray(np.r_[self.pose[0], self.pose[1], self.bow.heights], float)


def bent_apart(
    views: Sequence[BoardView], lens: Lens, poses: Sequence[tuple[Array, Array]], noise_px: float
) -> tuple[Lens, tuple[BentView, ...]]:
    """The lens, and the bend in each view, that explain all views best; beginning with a flat board's lens and poses.

    noise_px  of each coordinate of a corner, as the flat board leaves it
    """
    flat = replace(Bow.none_of(views), bends=True)
    bent = tuple(
        BentView(view, pose, flat, noise_px / (_RISE_OF_REACH * flat.reach))
        for view, pose in zip(views, poses, strict=True)
    )
    for _ in range(_ROUNDS):
        lens, bent = _settled(lens, bent)
        noise_px = float(np.sqrt(np.concatenate([each.rows(lens)[0] for each in bent]).var()))
        bent = tuple(replace(each, stiff_px=noise_px / (_RISE_OF_REACH * flat.reach)) for each in bent)
    return lens, bent


def _settled(lens: Lens, bent: Sequence[BentView]) -> tuple[Lens, tuple[BentView, ...]]:
    """Where the squares of all rows are least."""
    size = len(lens.parameters)
    shared = size + 1

    def at(numbers: Array) -> tuple[Lens, tuple[BentView, ...]]:
        owns, stretch = numbers[shared:].reshape(-1, _OWN), float(numbers[size])
        return lens.with_parameters(numbers[:size]), tuple(
            each.moved(own, stretch) for each, own in zip(bent, owns, strict=True)
        )

    def residuals(numbers: Array) -> tuple[Array, Array]:
        through, views = at(numbers)
        rows = [each.rows(through) for each in views]
        jacobian = np.zeros((sum(len(off) for off, _, _ in rows), len(numbers)))
        first = 0
        for number, (off, by_shared, by_own) in enumerate(rows):
            jacobian[first : first + len(off), :shared] = by_shared
            jacobian[first : first + len(off), shared + number * _OWN : shared + (number + 1) * _OWN] = by_own
            first += len(off)
        return np.concatenate([off for off, _, _ in rows]), jacobian

    start = np.concatenate([lens.parameters, [bent[0].bow.stretch], *(each.own for each in bent)])
    return at(levenberg_marquardt(residuals, start).parameters)
