"""Whether things of known size on the table contradict the size that a person told for it.

A sheet that is said to be 594 mm long and is 578 makes the whole table 2.8 % larger than it is, and nothing that was
measured by the sheet alone can tell. A playing card or a coin can: its size is known without a ruler.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.fit.problem import LOOSE_SHARE
from calibration.plane import TablePlane
from calibration.pose import table_jacobian
from calibration.rulers.known_length import Proof
from calibration.rulers.told_otherwise import ToldOtherwise, sigma_of_median, weighed

Array = NDArray[np.float64]

# By what share all things of a kind on one table err together: cards by their makers, coins by the light that falls on
# all rims alike (80 tables, see `calibration.proof`: 0.8 % RMS on rendered stills, 1.9 and 2.1 on others).
_ALIKE = {"card": LOOSE_SHARE, "coin": 0.022}

# Errors along a line: 95 % lie within so many sigmas. What is proved better than this needs no word: decks of cards are
# cut to 1.5 %, and tell no more.
_NORMAL_95, _PROVED = 1.96, 0.02
_CARDS = "playing cards, which prove it to 1.5 %"

# Nobody plays on less: that is a postcard. A table of 70 cm, or of 30 in, was told by another unit.
_SMALLEST_MM = 150.0


class Contradiction(ToldOtherwise):
    """Things of known size (cards, coins) and the told size of the table do not agree: `share` by which they measure
    too large on the plane (0.02: 2 %); less than 0 where too small."""

    def sentence(self, size_mm: tuple[float, float]) -> str:
        """One line: what contradicts, which is the more likely, and by how many mm over the table or sheet.

        size_mm  as told
        """
        likely = [side / (1 + self.share) for side in size_mm]
        off_mm = max(size_mm) - max(likely)
        by = f"{abs(off_mm):.0f} mm too {'long' if off_mm > 0 else 'short'}"
        told, right = (f"{width:.0f} x {depth:.0f} mm" for width, depth in (size_mm, likely))
        measured = (
            f"measure{'s' * (self.count == 1)} {abs(self.share):.1%} too {'large' if self.share > 0 else 'small'}"
        )
        verdict = f"likelier the told size, {told}, is {by}, and {right} is right: measure it again"
        if self.count == 1:
            verdict = f"either it is of another make, or the told size, {told}, is {by} ({right}): measure both"
        return f"{self.named} on the table {measured.replace('%', ' %')}: {verdict}"


def told_in_mm(size_mm: tuple[float, float]) -> str:
    """One line for a table so small that its sides must have been told in cm or inches; "" for any other."""
    if max(size_mm) >= _SMALLEST_MM:
        return ""
    width, depth = size_mm
    return (
        f"a table of {width:g} x {depth:g} mm is no larger than a postcard: its sides, and those of what measures it, "
        "are told in mm, 10 to a cm and 25.4 to an inch; mend them"
    )


def contradiction(proofs: Sequence[Proof], plane: TablePlane, size_mm: tuple[float, float]) -> Contradiction | None:
    """What the proofs together say of a plane that was measured by a told size; None where there are none."""
    if not proofs:
        return None
    share, own_sigma = share_together(proofs)
    things = {kind: sum(proof.kind == kind for proof in proofs) for kind in _ALIKE}
    sigma = float(np.hypot(own_sigma, scale_sigma(plane, size_mm)))
    return Contradiction(share, sigma, {kind: many for kind, many in things.items() if many})


def unproven(against: Contradiction | None, told: str, longest_mm: float) -> str:
    """One line on a plane of a told size that nothing proves, or that coins prove roughly; "" where cards do.

    against     what things of known size say of it; None where there are none
    told        what the size was told by: "the 700 x 500 mm told for the sheet"
    longest_mm  the table's longer side
    """
    rests = f"every length here rests on {told}"
    if against is None:
        wrong = f"told 1 % wrong, all lengths are, by {longest_mm / 100:.0f} mm over the table"
        return f"{rests}, which nothing on the table proves: {wrong}; lay down {_CARDS}, and check again"
    share = _NORMAL_95 * against.sigma
    if share < _PROVED:
        return ""
    proved = f"which {against.named} {'proves' if against.count == 1 else 'prove'} to {100 * share:.1f} % only"
    return f"{rests}, {proved} ({share * longest_mm:.0f} mm over the table): lay down {_CARDS}, and check again"


def share_together(proofs: Sequence[Proof]) -> tuple[float, float]:
    """The share by which things of known size measure too large, and its sigma: each kind's median, the surer the more.

    One that is misnamed does not speak for all, nor do many coins, which tell little, for a few cards.
    """
    kinds = {kind: [proof for proof in proofs if proof.kind == kind] for kind in _ALIKE}
    told = {kind: each for kind, each in kinds.items() if each}
    shares = [float(np.median([proof.off_mm / proof.true_mm for proof in each])) for each in told.values()]
    return weighed(shares, [share_sigma(kind, each) for kind, each in told.items()])


def share_sigma(kind: str, proofs: Sequence[Proof]) -> float:
    """Of the median share by which things of one kind measure too large; no less than what they scatter by."""
    shares = [proof.off_mm / proof.true_mm for proof in proofs]
    own = float(np.median([proof.sigma_mm / proof.true_mm for proof in proofs]))
    return sigma_of_median(shares, own, _ALIKE[kind])


def scale_sigma(plane: TablePlane, size_mm: tuple[float, float]) -> float:
    """By what share the plane itself may be too large, told sizes taken as exact."""
    width, depth = size_mm
    corners_mm = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)
    by_camera = table_jacobian(plane.lens, plane.pose, corners_mm, 0.0)[0]
    off_mm = corners_mm - corners_mm.mean(axis=0)
    larger = (off_mm[:, :, None] * by_camera).sum(axis=(0, 1)) / np.square(off_mm).sum()
    return float(np.sqrt(max(larger @ plane.covariance @ larger, 0.0)))
