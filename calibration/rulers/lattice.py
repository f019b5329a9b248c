"""A lattice that is drawn on the table, of any size and lying anywhere: hundreds of equal cells.

They are as many plumb lines, equally far apart: seen by another lens, or from another tilt, they would not be equal.
Where the lattice lies, which way it is turned and how large it is, others must tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.fit.solve import inverse
from calibration.lens import Lens
from calibration.pose import Pose, table_jacobian
from calibration.rulers.slant import Slant, turns_by

Array = NDArray[np.float64]
Complexes = NDArray[np.complex128]

# Printers and cloth stretch a mat along one axis more than along the other. No measurement says by how much: so much is
# allowed for, a standard deviation. It costs little where none is stretched: 0.24 mm with none allowed for, 0.28 with
# half of this, 0.29 with half as much again (medians of 22 webcams, docs/measured/table.md).
STRAIN = 2e-3
# Marks near one another err alike, by light, blur and print: no fewer than so many count as one. How many do is told by
# what they leave: blocks of so many to a side of the lattice, in so many directions.
_CROWD, _BLOCKS, _WAYS = 2.0, 6, 6
# Beyond so many robust deviations (Tukey) a place counts nothing; the weights are drawn so often.
_TUKEY, _ROUNDS = 4.7, 6


@dataclass(frozen=True, eq=False)
class Lattice:
    """Marks of a lattice as a picture shows them; points of the plane are x + iy.

    px      (n, 2) distorted, as in the picture
    unit    (n,) where they lie in the lattice of pitch 1, mirrored as the table is
    way     (n,) unit vectors in the lattice too: the only direction in which the place was found
    weight  (n,) how clearly each shows, beside the others
    """

    px: Array
    unit: Complexes
    way: Complexes
    weight: Array

    def __len__(self) -> int:
        return len(self.px)

    def placed(self, lens: Lens, pose: Pose) -> tuple[complex, complex]:
        """Step and origin, table mm, of the lattice on the table of a camera: a unit u lies at origin + step u."""
        seen, at = self._on_table(lens, pose)
        middle, size = complex(at.mean()), float(np.std(at))
        columns = _similar((at - middle) / size, seen.way)
        turn, shift = _robust(columns, _along(seen.way, seen.unit), np.sqrt(seen.weight))[0].reshape(2, 2) @ (1, 1j)
        step = size / complex(turn)
        return step, middle - complex(shift) * step

    def slant(self, lens: Lens, pose: Pose) -> Slant:
        """What the lattice tells about a camera that is nearly right: by that camera, by a similarity and by a strain,
        least squares in the picture; the similarity and the strain are nobody's business then."""
        seen, at = self._on_table(lens, pose)
        step, origin = seen.placed(lens, pose)
        unit = (at - origin) / step
        by_camera = _along(seen.way[:, None], seen._by_camera(lens, pose, at) / step)
        strained = [_along(seen.way, each * np.conj(unit - unit.mean())) for each in (1, 1j)]
        design = np.column_stack([by_camera, _similar(unit - unit.mean(), seen.way), *strained])
        off = _along(seen.way, seen.unit - unit)
        root = np.sqrt(seen.weight / seen.weight.mean()) * seen._px_across(lens, pose, at, step)
        solution, robust = _robust(design, off, root)
        root = root * np.sqrt(robust)
        left = (off - design @ solution) * root
        variance = float(left @ left) / max(float(robust.sum()) - design.shape[1], 1.0)
        weighted = design * (np.square(root) / (variance * max(_CROWD, seen._crowd(left))))[:, None]
        information, pull = weighted.T @ design, weighted.T @ off
        information[-2:, -2:] += np.eye(2) / STRAIN**2
        own, other = slice(0, by_camera.shape[1]), slice(by_camera.shape[1], None)
        taken = information[own, other] @ inverse(information[other, other])
        alone = information[own, own] - taken @ information[other, own]
        return Slant(lens, pose, alone, pull[own] - taken @ pull[other], float(np.sqrt(variance)))

    def _on_table(self, lens: Lens, pose: Pose) -> tuple[Lattice, Complexes]:
        """The marks whose sight rays meet the table, and (n,) where, mm."""
        mm = pose.to_table(lens, self.px)
        met = np.isfinite(mm).all(axis=1)
        at = np.asarray(mm[met] @ (1, 1j), np.complex128)
        return Lattice(self.px[met], self.unit[met], self.way[met], self.weight[met]), at

    def _by_camera(self, lens: Lens, pose: Pose, at: Complexes) -> Complexes:
        """(n, m + 3) how the places, table mm, move with the lens's parameters and the turn of the camera's frame."""
        m = len(lens.parameters)
        by = table_jacobian(lens, pose, np.column_stack([at.real, at.imag]), 0.0)[0]
        by_turn = by[:, :, m : m + 3] @ np.linalg.inv(turns_by(pose.rvec))
        moved = np.concatenate([by[:, :, :m], by_turn], axis=2)
        return np.asarray(moved[:, 0] + 1j * moved[:, 1])

    def _px_across(self, lens: Lens, pose: Pose, at: Complexes, step: complex) -> Array:
        """(n,) by how many px the picture shows a line across `way` move that is moved by a pitch along it."""
        by_place, _ = pose.place_jacobian(lens, np.column_stack([at.real, at.imag]), 0.0)
        along = 1j * self.way * step / abs(step)
        shown = (by_place[:, :, :2] @ np.stack([along.real, along.imag], axis=1)[:, :, None])[:, :, 0]
        return np.asarray(abs(step) * np.abs(np.linalg.det(by_place[:, :, :2])) / np.hypot(*shown.T), float)

    def _crowd(self, left: Array) -> float:
        """How many marks err together as one, by what (n,) they leave: the variance of blocks' sums over what it would
        be of marks by themselves."""
        box = np.array([self.unit.real, self.unit.imag])
        low, high = box.min(axis=1, keepdims=True), box.max(axis=1, keepdims=True)
        column, row = np.minimum((box - low) / (high - low + 1e-9) * _BLOCKS, _BLOCKS - 1).astype(int)
        way = np.rint(np.angle(self.way) / np.pi * _WAYS).astype(int) % _WAYS
        block = (row * _BLOCKS + column) * _WAYS + way
        return float(np.square(np.bincount(block, left)).sum() / max(float(left @ left), 1e-300))


def _similar(unit: Complexes, way: Complexes) -> Array:
    """(n, 4) how points (n,) move along their ways with a similarity."""
    return np.column_stack([_along(way, unit), _along(way, 1j * unit), way.real, way.imag])


def _along(way: Complexes, what: Complexes) -> Array:
    return np.asarray((np.conj(way) * what).real, float)


def _robust(design: Array, told: Array, root: Array) -> tuple[Array, Array]:
    """The solution of weighted least squares, and (n,) by how much each counts besides: what contradicts the rest is
    left out."""
    robust = np.ones(len(told))
    for _ in range(_ROUNDS):
        weighted = design * (np.square(root) * robust)[:, None]
        solution = inverse(weighted.T @ design) @ (weighted.T @ told)
        left = np.abs(told - design @ solution) * root
        scale = 1.4826 * float(np.median(left)) + 1e-9
        robust = np.square(np.clip(1 - np.square(left / (_TUKEY * scale)), 0, None))
    return solution, robust
