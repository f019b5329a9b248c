"""The models of UFO: Alien Invasion: MD2 bodies with heads and weapons hung on them where their .tag files say."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.sculpted.sculpt import Part

Array = NDArray[np.float64]
_HEADER = "<4s16i"
# Of the sequences in a body's .anm file, those who stand or kneel; the dead lie, flying and sitting ones have no base.
_PASSED_OVER = ("death", "dead", "fall", "climb", "sit", "panic")


def mesh(path: Path, frame: int, picture: Path | None) -> Part:
    """One frame of a .md2, z up, facing +x. Raises ValueError if it is none."""
    data = path.read_bytes()
    head = struct.unpack_from(_HEADER, data)
    if head[0] != b"IDP2":
        raise ValueError(f"{path}: not MD2")
    wide, high, frame_size, _, points, st, triangles, _, frames, _, at_st, at_triangles, at_frames = head[2:15]
    corners = np.frombuffer(data, "<u2", 6 * triangles, at_triangles).reshape(-1, 6).astype(int)
    start = at_frames + frame_size * (frame % frames)
    scale, shift = np.frombuffer(data, "<f4", 6, start).reshape(2, 3)
    packed = np.frombuffer(data, "u1", 4 * points, start + 40).reshape(-1, 4)[:, :3]
    uv = np.frombuffer(data, "<i2", 2 * st, at_st).reshape(-1, 2) / (wide, high)
    # A corner is one point with one place in the picture: they are numbered anew, one each.
    pairs, index = np.unique(corners.reshape(-1, 2, 3).transpose(0, 2, 1).reshape(-1, 2), axis=0, return_inverse=True)
    placed = packed * scale + shift
    return Part(placed[pairs[:, 0]].astype(float), index.reshape(-1, 3), _upward(uv)[pairs[:, 1]], picture)


def _upward(uv: Array) -> Array:
    """v counted from below."""
    return np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)


def tags(path: Path) -> dict[str, Array]:
    """(frames, 4, 4) poses of what hangs on a body."""
    data = path.read_bytes()
    count, frames, at_names, at_tags = struct.unpack_from("<4i", data, 8)
    names = [data[at_names + 64 * n :].split(b"\0", 1)[0].decode("latin-1") for n in range(count)]
    table = np.frombuffer(data, "<f4", 12 * count * frames, at_tags).reshape(count, frames, 4, 3)
    poses = np.zeros((count, frames, 4, 4))
    poses[..., :3, :3] = table[..., :3, :].swapaxes(-1, -2)
    poses[..., :3, 3], poses[..., 3, 3] = table[..., 3, :], 1
    return dict(zip(names, poses, strict=True))


def soldier(folder: Path, weapons: Path, rng: np.random.Generator) -> Iterator[Part]:
    """A body of that folder in one frame of a sequence, one of its heads, and a weapon in his hand."""
    frame = _frame(folder / "body.anm", rng)
    hung = tags(folder / "body.tag")
    yield mesh(folder / "body.md2", frame, _one(folder, "body*.png", rng))
    for name, where, skins in (("head", folder, "{}*"), ("rweapon", weapons, "*")):
        poses = hung.get(f"tag_{name}")
        made = _one(where, "head*.md2" if name == "head" else "*/*.md2", rng)
        if poses is None or made is None:
            continue
        picture = _one(made.parent, skins.format(made.stem) + ".png", rng) or _one(made.parent, "*.jpg", rng)
        yield mesh(made, 0, picture).moved(poses[frame % len(poses)])


def _frame(path: Path, rng: np.random.Generator) -> int:
    """A frame of a sequence in which he stands, walks, kneels or aims."""
    rows = [line.split() for line in path.read_text(encoding="latin-1").splitlines()]
    asked = [row for row in rows if len(row) >= 3 and row[1].isdigit() and not any(w in row[0] for w in _PASSED_OVER)]
    row = asked[rng.integers(len(asked))]
    return int(rng.integers(int(row[1]), int(row[2]) + 1))


def _one(folder: Path, pattern: str, rng: np.random.Generator) -> Path | None:
    found = sorted(p for p in folder.glob(pattern) if "_nm" not in p.name)
    return found[rng.integers(len(found))] if found else None
