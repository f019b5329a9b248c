"""The meshes and animations of Pyrogenesis (0 A.D.): PMD and PSA, little-endian, bones given in the model's frame."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_NO_BONE = 255
# Version 3 has one picture coordinate a vertex and does not say so.
_ONE_UV = 3


@dataclass(frozen=True, eq=False)
class Mesh:
    """y up, looking towards -z, the right hand at -x.

    blend    (n, 4) bones of each point, and `weight` (n, 4) of each
    bones    (k, 4, 4) at rest
    sockets  bone and pose by name
    """

    points: Array
    faces: NDArray[np.int64]
    uv: Array
    blend: NDArray[np.uint8]
    weight: Array
    bones: Array
    sockets: dict[str, tuple[int, Array]]

    def posed(self, bones: Array | None) -> Array:
        """(n, 3) points when its bones are so; at rest where there are none, or not as many."""
        if bones is None or len(bones) != len(self.bones) or not len(self.bones):
            return self.points
        moves = bones @ np.linalg.inv(self.bones)
        whole = np.c_[self.points, np.ones(len(self.points))]
        used = np.where(self.blend == _NO_BONE, 0, self.blend).astype(int)
        share = np.where(self.blend == _NO_BONE, 0.0, self.weight)
        placed = np.einsum("nkij,nj->nki", moves[used][..., :3, :], whole)
        skinned = (placed * share[..., None]).sum(axis=1)
        return np.where(share.sum(axis=1, keepdims=True) > 0.5, skinned, self.points)

    def socket(self, name: str, bones: Array | None) -> Array | None:
        """(4, 4) where a prop of that name hangs."""
        if name not in self.sockets:
            return np.eye(4) if name == "root" else None
        bone, pose = self.sockets[name]
        if bone == _NO_BONE or not len(self.bones):
            return pose
        held = self.bones if bones is None or len(bones) != len(self.bones) else bones
        return held[bone] @ pose if bone < len(held) else pose


class _Bytes:
    """A file read from its beginning."""

    def __init__(self, path: Path, magic: bytes) -> None:
        self.data, self.at = path.read_bytes(), 12
        if self.data[:4] != magic:
            raise ValueError(f"{path}: not {magic.decode()}")
        self.version = struct.unpack_from("<I", self.data, 4)[0]

    def number(self) -> int:
        """The next four bytes."""
        self.at += 4
        return int(struct.unpack_from("<I", self.data, self.at - 4)[0])

    def text(self) -> str:
        """The next text, which its length comes before."""
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8", "replace").rstrip("\0")

    def table(self, kind: np.dtype, count: int) -> np.ndarray:
        """(count,) the next rows of that kind."""
        self.at += kind.itemsize * count
        return np.frombuffer(self.data, kind, count, self.at - kind.itemsize * count)


_POSE = np.dtype([("at", "<f4", 3), ("turn", "<f4", 4)])


def mesh(path: Path) -> Mesh:
    """Reads one .pmd. Raises ValueError if it is none."""
    file = _Bytes(path, b"PSMD")
    count = file.number()
    layers = 1 if file.version <= _ONE_UV else file.number()
    vertex = np.dtype(
        [("at", "<f4", 3), ("normal", "<f4", 3), ("uv", "<f4", (layers, 2)), ("bone", "u1", 4), ("weight", "<f4", 4)]
    )
    vertices = file.table(vertex, count)
    faces = file.table(np.dtype("<u2"), 3 * file.number()).reshape(-1, 3).astype(int)
    bones = poses(file.table(_POSE, file.number()))
    sockets = {}
    for _ in range(file.number()):
        name = file.text()
        pose = poses(file.table(_POSE, 1))[0]
        sockets[name] = (int(file.table(np.dtype("u1"), 1)[0]), pose)
    uv = vertices["uv"][:, 0].astype(float)
    points, weight = vertices["at"].astype(float), vertices["weight"].astype(float)
    return Mesh(points, faces, uv, vertices["bone"], weight, bones, sockets)


def animation(path: Path) -> Array:
    """(frames, bones, 4, 4) of one .psa. Raises ValueError if it is none."""
    file = _Bytes(path, b"PSSA")
    file.text()
    file.at += 4
    bones, frames = file.number(), file.number()
    return poses(file.table(_POSE, bones * frames)).reshape(frames, bones, 4, 4)


def poses(table: np.ndarray) -> Array:
    """(n, 4, 4) of translations and quaternions (x, y, z, w)."""
    x, y, z, w = table["turn"].astype(float).T
    pose = np.zeros((len(table), 4, 4))
    pose[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=1)
    pose[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=1)
    pose[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=1)
    pose[:, :3, 3], pose[:, 3, 3] = table["at"], 1
    return pose
