"""Actors of 0 A.D.: meshes, what hangs on them, their pictures and animations, drawn by chance from each group's variants."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.sculpted import pmd
from models.training.sculpted.sculpt import Part

Array = NDArray[np.float64]
# y up and z behind become z up and x ahead; the right hand, at -x, stays the right one.
_UPRIGHT = np.array([[0, 0, -1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
# What falls down dead is no figure that stands.
_PASSED_OVER = ("death", "corpse", "gather", "build", "capture")
_DEEPEST = 4


@dataclass(eq=False)
class _Chosen:
    """What the variants drawn say: the last one that names a mesh or a place for a prop has its way."""

    mesh: str = ""
    picture: str = ""
    animations: list[str] = field(default_factory=list)
    props: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Art:
    """The folder `art` of the game's public mod, unpacked."""

    root: Path

    def actor(self, name: str, rng: np.random.Generator) -> Iterator[Part]:
        """The parts of one actor ('units/romans/healer.xml'), z up, facing +x, in its own units."""
        for part in self._hung(name, rng, 0, np.eye(4)):
            yield part.moved(_UPRIGHT)

    def _hung(self, name: str, rng: np.random.Generator, depth: int, pose: Array) -> Iterator[Part]:
        chosen = self._chosen(name, rng)
        path = self.root / "meshes" / f"{chosen.mesh}.cached.pmd"
        if not chosen.mesh or not path.exists() or depth > _DEEPEST:
            return
        mesh = _mesh(path)
        bones = self._bones(chosen, rng, len(mesh.bones))
        points = mesh.posed(bones)
        yield Part(points, mesh.faces, mesh.uv, self._picture(chosen.picture)).moved(pose)
        for place, prop in chosen.props.items():
            socket = mesh.socket(place, bones)
            if socket is not None and prop:
                yield from self._hung(prop, rng, depth + 1, pose @ socket)

    def _chosen(self, name: str, rng: np.random.Generator) -> _Chosen:
        chosen = _Chosen()
        path = self.root / "actors" / name
        if not path.exists():
            return chosen
        for group in ElementTree.parse(path).getroot().iter("group"):
            variants = [v for v in group.findall("variant") if not _idle_talk(v)]
            if variants:
                self._take(chosen, variants[rng.integers(len(variants))])
        return chosen

    def _take(self, chosen: _Chosen, variant: ElementTree.Element) -> None:
        """What this variant says goes before what was said, and what its file says before that."""
        if variant.get("file"):
            path = self.root / "variants" / variant.attrib["file"]
            if path.exists():
                self._take(chosen, ElementTree.parse(path).getroot())
        chosen.mesh = variant.findtext("mesh") or chosen.mesh
        for texture in variant.iter("texture"):
            if texture.get("name") == "baseTex":
                chosen.picture = texture.attrib["file"]
        chosen.animations += [
            a.attrib["file"] for a in variant.iter("animation") if a.get("file") and not _idle_talk(a)
        ]
        for prop in variant.iter("prop"):
            chosen.props[prop.attrib["attachpoint"]] = prop.get("actor") or ""

    def _bones(self, chosen: _Chosen, rng: np.random.Generator, count: int) -> Array | None:
        """One frame of one of its animations that has as many bones."""
        for n in rng.permutation(len(chosen.animations))[:6] if count else ():
            path = self.root / "animation" / f"{chosen.animations[n]}.cached.psa"
            frames = pmd.animation(path) if path.exists() else np.zeros((0, 0, 4, 4))
            if len(frames) and frames.shape[1] == count:
                return np.asarray(frames[rng.integers(len(frames))])
        return None

    def _picture(self, name: str) -> Path | None:
        return self.root / "textures/skins" / f"{name}.cached.dds" if name else None


def _idle_talk(element: ElementTree.Element) -> bool:
    """Whether this is a variant or an animation of one who works, or falls."""
    said = " ".join(element.get(key, "") for key in ("name", "file", "event")).lower()
    return any(word in said for word in _PASSED_OVER)


@cache
def _mesh(path: Path) -> pmd.Mesh:
    return pmd.mesh(path)
