"""The figures of OpenArena: MD3 legs, body and head, each hung on the one below by its tag, and a weapon in his hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.sculpted.sculpt import Part

Array = NDArray[np.float64]
_HEADER_COUNTS = ("flags", "frames", "tags", "surfaces", "skins", "at_frames", "at_tags", "at_surfaces")
_HEADER = np.dtype([("magic", "S4"), ("version", "<i4"), ("name", "S64"), *((name, "<i4") for name in _HEADER_COUNTS)])
_TAG = np.dtype([("name", "S64"), ("origin", "<f4", 3), ("axes", "<f4", (3, 3))])
_SURFACE_COUNTS = ("flags", "frames", "shaders", "points", "triangles")
_SURFACE_PLACES = ("at_triangles", "at_shaders", "at_uv", "at_points", "end")
_SURFACE = np.dtype(
    [("magic", "S4"), ("name", "S64"), *((name, "<i4") for name in (*_SURFACE_COUNTS, *_SURFACE_PLACES))]
)
# A length is counted in 64ths; half of a point's four numbers say where it is, the last where it faces.
_PER_UNIT = 64.0
# Rows of an animation.cfg, in their order: six of the dead, then what bodies do, then legs; those that stand, walk or aim.
_BODY_ROWS, _LEG_ROWS = (6, 7, 8, 11, 12), (13, 14, 15, 22, 23)
_FIRST_BODY, _FIRST_LEGS = 6, 13
_PICTURES = (".tga", ".jpg", ".png", ".TGA")


@dataclass(frozen=True, eq=False)
class Model:
    """One .md3: its bytes and header, and the poses (frames, 4, 4) of what hangs on it."""

    path: Path
    data: bytes
    frames: int
    tags: dict[str, Array]

    @staticmethod
    def read(path: Path) -> Model:
        """Raises ValueError if it is none."""
        data = path.read_bytes()
        head = np.frombuffer(data, _HEADER, 1)[0]
        if head["magic"] != b"IDP3":
            raise ValueError(f"{path}: not MD3")
        frames, count = int(head["frames"]), int(head["tags"])
        table = np.frombuffer(data, _TAG, frames * count, int(head["at_tags"])).reshape(frames, count)
        poses = np.zeros((frames, count, 4, 4))
        # A tag turns what hangs on it and never makes it larger: some are stored scaled, as the game ignores.
        poses[..., :3, :3] = (table["axes"] / np.linalg.norm(table["axes"], axis=-1, keepdims=True)).swapaxes(-1, -2)
        poses[..., :3, 3], poses[..., 3, 3] = table["origin"], 1
        names = [name.decode("latin-1") for name in table["name"][0]]
        return Model(path, data, frames, {name: poses[:, n] for n, name in enumerate(names)})

    def parts(self, frame: int, skin: dict[str, Path | None]) -> Iterator[Part]:
        """The model's surfaces in one frame; only those that the skin names, if it names any."""
        head = np.frombuffer(self.data, _HEADER, 1)[0]
        at = int(head["at_surfaces"])
        for _ in range(int(head["surfaces"])):
            surface = np.frombuffer(self.data, _SURFACE, 1, at)[0]
            name = surface["name"].decode("latin-1").lower()
            if name in skin or not skin:
                yield self._part(surface, at, frame, skin.get(name) or self._beside())
            at += int(surface["end"])

    def _part(self, surface: np.void, at: int, frame: int, picture: Path | None) -> Part:
        """One surface, whose bytes begin at `at`."""
        frames, count, triangles = (int(surface[key]) for key in ("frames", "points", "triangles"))
        packed = np.frombuffer(self.data, "<i2", 4 * count * frames, at + int(surface["at_points"]))
        points = packed.reshape(frames, count, 4)[frame % frames, :, :3] / _PER_UNIT
        corners = np.frombuffer(self.data, "<i4", 3 * triangles, at + int(surface["at_triangles"])).astype(int)
        u, v = np.frombuffer(self.data, "<f4", 2 * count, at + int(surface["at_uv"])).reshape(-1, 2).T.astype(float)
        return Part(points, corners.reshape(-1, 3), np.stack([u, 1 - v], axis=1), picture)

    def _beside(self) -> Path | None:
        """A weapon's paint: the largest picture in its folder."""
        found = [path for path in self.path.parent.iterdir() if path.suffix in _PICTURES and path.stem[:2] != "f_"]
        return max(found, key=lambda path: path.stat().st_size, default=None)


def soldier(folder: Path, weapons: Path, rng: np.random.Generator) -> Iterator[Part]:
    """The soldier whose models are in that folder, in one of his skins and poses, with one of the weapons."""
    lower, upper, head = (Model.read(folder / f"{part}.md3") for part in ("lower", "upper", "head"))
    skins = sorted(path.stem.removeprefix("upper_") for path in folder.glob("upper_*.skin"))
    look = skins[rng.integers(len(skins))]
    legs, body = _frames(folder / "animation.cfg", rng)
    chest = lower.tags["tag_torso"][legs % lower.frames]
    neck = chest @ upper.tags["tag_head"][body % upper.frames]
    for model, frame, pose in ((lower, legs, np.eye(4)), (upper, body, chest), (head, 0, neck)):
        skin = _skin(folder / f"{model.path.stem}_{look}.skin", folder)
        yield from (part.moved(pose) for part in model.parts(frame, skin))
    hand = upper.tags.get("tag_weapon")
    held = sorted(path / f"{path.name}.md3" for path in weapons.iterdir() if (path / f"{path.name}.md3").exists())
    if hand is not None and held:
        weapon = Model.read(held[rng.integers(len(held))])
        yield from (part.moved(chest @ hand[body % upper.frames]) for part in weapon.parts(0, {}))


def _frames(path: Path, rng: np.random.Generator) -> tuple[int, int]:
    """A frame of the legs and one of the body; frames of the legs are numbered as if bodies' were theirs too."""
    rows = re.findall(r"^\s*(\d+)\s+(\d+)\s+\d+\s+\d+", path.read_text(encoding="latin-1"), re.MULTILINE)
    spans = [(int(first), max(1, int(count))) for first, count in rows]
    body, legs = (spans[rows[rng.integers(len(rows))]] for rows in (_BODY_ROWS, _LEG_ROWS))
    ahead = spans[_FIRST_LEGS][0] - spans[_FIRST_BODY][0]
    return legs[0] - ahead + int(rng.integers(legs[1])), body[0] + int(rng.integers(body[1]))


def _skin(path: Path, folder: Path) -> dict[str, Path | None]:
    """Which surface bears which picture; empty where there is no such file."""
    if not path.exists():
        return {}
    rows = [line.strip().split(",") for line in path.read_text(encoding="latin-1").splitlines() if "," in line]
    return {name.lower(): _picture(named, folder) for name, named in rows if named}


def _picture(named: str, folder: Path) -> Path | None:
    """The picture of that name under the game's root, whatever it is stored as."""
    root = folder.parents[2]
    return next((path for end in _PICTURES if (path := (root / named).with_suffix(end)).exists()), None)
