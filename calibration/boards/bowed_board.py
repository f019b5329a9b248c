"""Whether a board that was held into the views is bent: paper curls, and card that is held by its edges bows. And by
how much it is longer one way, as printers draw paper.

All views show the same bend from other sides, so that it can be told apart from the lens. A board of 250 mm that bows
by 2 mm made the focal length 3.4 % too long, and 0.2 % were stated. One that is 0.5 % longer across made pixels so much
longer, and views contradict one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.boards.board import BoardView
from calibration.fit.solve import inverse
from calibration.lens import Lens
from calibration.pose import Pose

Array = NDArray[np.float64]

# By so many variances more of the squares that are left nothing is better explained by chance: odds of 20,000 to 1.
NO_CHANCE = 20.0
# By what share printers draw paper longer one way (standard deviation), as of mats (calibration.rulers.lattice.STRAIN).
# Views tell it to 0.01 to 0.04 % by themselves, so that this matters where they hardly do.
STRETCH_SIGMA = 0.002


@dataclass(frozen=True, eq=False)
class Bow:
    """A board's second-order bend: heights of x^2, xy and y^2 about its middle, squares. And how it is stretched.

    middle     (2,) of the board's corners, squares
    reach      half of its longer side, squares, in which x and y are told
    heights    (3,) at x = 1, at x = y = 1, at y = 1
    stretch    by what share it is longer along x than by its size along y
    bends      whether it may have heights; it may always be stretched
    """

    middle: Array
    reach: float
    heights: Array
    stretch: float = 0.0
    bends: bool = False

    @classmethod
    def none_of(cls, views: Sequence[BoardView]) -> Bow:
        """A flat board."""
        corners = np.concatenate([view.board for view in views])
        nearest, farthest = corners.min(axis=0), corners.max(axis=0)
        return cls((nearest + farthest) / 2, float((farthest - nearest).max()) / 2, np.zeros(3))

    def grown(self, more: Array) -> Bow:
        """The same with (1,) more of stretch, or (4,) of that and the heights."""
        return replace(
            self, stretch=self.stretch + float(more[0]), heights=self.heights + (more[1:] if self.bends else 0)
        )

    def by_height(self, board: Array) -> Array:
        """(n, 3) how high corners (n, 2) rise with the three heights."""
        x, y = ((board - self.middle) / self.reach).T
        return np.stack([x * x, x * y, y * y], axis=1)

    def bent(self, view: BoardView) -> BoardView:
        """The same view of the board as it is bent and stretched."""
        moved = np.column_stack([self._drawn_in(view.board), self.by_height(view.board) @ self.heights])
        moved[:, 0] += self.stretch * self.along(view.board)
        return BoardView(view.name, view.corners_px, view.board, view.size_px, moved)

    def along(self, board: Array) -> Array:
        """(n,) squares from the middle to corners (n, 2), along x."""
        return np.asarray(board[:, 0] - self.middle[0], float)

    def _drawn_in(self, board: Array) -> Array:
        """(n, 2) squares by which corners (n, 2) lie farther in, seen from above: paper bends and does not stretch, so
        that half the square of its slope is missing along the way that it is bent. 20 mm of 250 draw an end in by 2.

        To second order of the heights: what rises by k s^2 lacks 2/3 k^2 s^3 at s.
        """
        of_x, of_xy, of_y = self.heights
        rises, ways = np.linalg.eigh([[of_x, of_xy / 2], [of_xy / 2, of_y]])
        along = (board - self.middle) / self.reach @ ways
        return np.asarray(-2 / 3 * (np.square(rises) / self.reach * along**3) @ ways.T, float)

    def share(self, views: Sequence[BoardView]) -> float:
        """How far it bows, of its longer side."""
        heights = np.concatenate([self.by_height(view.board) @ self.heights for view in views])
        return float(np.ptp(heights)) / (2 * self.reach)


def bent_more(
    views: Sequence[BoardView], lens: Lens, poses: Sequence[tuple[Array, Array]], bow: Bow, variance_px2: float
) -> Array:
    """By how much more stretched, and with which more heights, the board likely is, lens and poses following to first
    order: (1,), or (4,) of one that bends.

    views         as the bow so far bends them; poses: (rvec, tvec) of each
    variance_px2  of each coordinate of a corner, and of what views contradict one another by
    """
    size = len(lens.parameters)
    numbers = size + (4 if bow.bends else 1)
    information, pull = np.zeros((numbers, numbers)), np.zeros(numbers)
    for view, pose in zip(views, poses, strict=True):
        px, by_shared, by_pose = shared_jacobian(view, lens, pose, bow)
        own = np.linalg.lstsq(by_pose, np.c_[by_shared, (view.corners_px - px).ravel()])[0]
        left = np.c_[by_shared, (view.corners_px - px).ravel()] - by_pose @ own
        information += left[:, :-1].T @ left[:, :-1]
        pull += left[:, :-1].T @ left[:, -1]
    information[size, size] += variance_px2 / STRETCH_SIGMA**2
    pull[size] -= variance_px2 / STRETCH_SIGMA**2 * bow.stretch
    return np.asarray((inverse(information) @ pull)[size:], float)


def shared_jacobian(view: BoardView, lens: Lens, pose: tuple[Array, Array], bow: Bow) -> tuple[Array, Array, Array]:
    """Where the corners show (n, 2), and how that changes with what all views share (2 n, lens parameters, the stretch,
    and the heights of a bow that bends) and with the board's pose (2 n, 6)."""
    size = len(lens.parameters)
    px, jacobian = lens.project(view.points, *pose)
    flat, by_place = jacobian.reshape(-1, size + 6), jacobian[:, :, -3:]
    right, _, up = Pose(*pose).rotation.T
    by_shared = np.c_[flat[:, :size], (by_place @ right * bow.along(view.board)[:, None]).ravel()]
    if bow.bends:
        by_heights = (by_place @ up)[:, :, None] * bow.by_height(view.board)[:, None, :]
        by_shared = np.c_[by_shared, by_heights.reshape(-1, 3)]
    return px, by_shared, flat[:, size:]
