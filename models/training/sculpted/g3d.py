"""The models of MegaGlest: G3D version 4, little-endian, a whole figure with all frames of one animation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.sculpted.sculpt import Part

Array = NDArray[np.float64]
_HEADER = np.dtype([("magic", "S3"), ("version", "u1"), ("meshes", "<u2"), ("type", "u1")])
_MESH = np.dtype(
    [("name", "S64"), ("frames", "<u4"), ("vertices", "<u4"), ("corners", "<u4"), ("shine", "<f4", 8), ("properties", "<u4"), ("pictures", "<u4")]
)  # fmt: skip
# y up and z ahead become z up and x ahead.
_UPRIGHT = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0.0]])


def figure(path: Path, rng: np.random.Generator) -> Iterator[Part]:
    """The parts of one .g3d in one of its frames. Raises ValueError if it is none."""
    data = path.read_bytes()
    header = np.frombuffer(data, _HEADER, 1)[0]
    if header["magic"] != b"G3D" or header["version"] != 4:
        raise ValueError(f"{path}: not G3D of version 4")
    at, moment = _HEADER.itemsize, rng.random()
    for _ in range(header["meshes"]):
        mesh = np.frombuffer(data, _MESH, 1, at)[0]
        at += _MESH.itemsize
        pictures = bin(int(mesh["pictures"])).count("1")
        names = np.frombuffer(data, "S64", pictures, at)
        at += 64 * pictures
        frames, count, corners = int(mesh["frames"]), int(mesh["vertices"]), int(mesh["corners"])
        points = np.frombuffer(data, "<f4", 3 * frames * count, at).reshape(frames, count, 3)
        at += 2 * points.nbytes
        uv = np.frombuffer(data, "<f4", 2 * count, at).reshape(count, 2) if pictures else np.zeros((count, 2))
        at += 8 * count if pictures else 0
        faces = np.frombuffer(data, "<u4", corners, at).reshape(-1, 3).astype(int)
        at += 4 * corners
        picture = path.parent / names[0].decode("latin-1") if pictures else None
        yield Part(points[int(moment * frames)].astype(float) @ _UPRIGHT.T, faces, uv.astype(float), picture)
