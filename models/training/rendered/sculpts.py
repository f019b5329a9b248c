"""Figures of `models.sculpt_figures` as Blender objects, cast in one plastic, painted as they were, or painted anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from models.training.rendered import figures, mesh, paint

Array = NDArray[np.float64]
# Of a figure's points, those at its feet, and those above which only a spear or a plume goes.
_FEET, _HEAD = 0.12, 0.97


@dataclass(frozen=True)
class Sculptures:
    """The figures in a folder, by kind."""

    foot: tuple[Path, ...]
    mounted: tuple[Path, ...]
    creature: tuple[Path, ...]

    @staticmethod
    def of(folder: Path) -> Sculptures:
        """Raises ValueError where a kind is missing."""
        kinds = [tuple(sorted(folder.glob(f"{kind}-*.npz"))) for kind in ("foot", "mounted", "creature")]
        if not all(kinds):
            raise ValueError(f"{folder}: no figures of models.sculpt_figures")
        return Sculptures(*kinds)


def soldier(
    rng: np.random.Generator, paths: tuple[Path, ...], stuff: object | None, tall: float
) -> tuple[list[object], float]:
    """A soldier of that height on a moulded base, in that stuff or in his own paints."""
    things, half = _figure(rng, paths, stuff, tall)
    half = np.clip(half * rng.uniform(1.0, 1.35, 2), 0.12 * tall, 0.6 * tall)
    if rng.random() < 0.93:
        thick = tall * rng.uniform(0.02, 0.05)
        base = stuff if stuff is not None else paint.material(paint.colour(rng) * 0.6, 0.8, bump_mm=0.3, grain_mm=1.5)
        _lift(things, 0.7 * thick)
        things.append(figures.plinth(rng, (float(half[0]), float(half[1])), thick, base))
    return things, float(np.sqrt(half[0] * half[1]))


@dataclass(frozen=True)
class Unit:
    """Miniatures alike: which figures, on discs of which half length and width in mm, of which stuff, None for their own
    paints, how many radii tall, and how far beyond the rim they may reach."""

    paths: tuple[Path, ...]
    half: tuple[float, float]
    stuff: object | None
    rise: float
    reach: float = 1.15

    @staticmethod
    def drawn(rng: np.random.Generator, sculptures: Sculptures) -> Unit:
        """A few figures of one kind, beasts and horsemen on ovals as often as not."""
        paths = (sculptures.foot, sculptures.mounted, sculptures.creature)[rng.integers(3)]
        few = tuple(paths[n] for n in rng.integers(0, len(paths), int(rng.integers(1, 4))))
        half = figures.disc_size(rng, 0.1 if paths is sculptures.foot else 0.65)
        return Unit(few, half, _stuff(rng), rng.uniform(1.3, 2.8), rng.uniform(1.0, 1.6))


def miniature(rng: np.random.Generator, sculptures: Sculptures) -> tuple[list[object], float]:
    """One of any kind on a disc, painted."""
    half = figures.disc_size(rng)
    every = (sculptures.foot, sculptures.foot, sculptures.mounted, sculptures.creature)
    return of_unit(rng, Unit(every[rng.integers(4)], half, _stuff(rng), rng.uniform(1.3, 2.8)))


def of_unit(rng: np.random.Generator, unit: Unit) -> tuple[list[object], float]:
    """One of a unit on its disc, and the disc's mean radius."""
    things, radius, thick = figures.disc(rng, unit.half)
    figure, half = _figure(rng, unit.paths, unit.stuff, radius * unit.rise + 6)
    wide = float(np.hypot(*half))
    # Who would stand beyond the rim is made smaller.
    for thing in figure:
        thing.scale = (min(1.0, unit.reach * radius / max(wide, 1e-3)),) * 3
    _lift(figure, thick)
    return things + figure, radius


def _stuff(rng: np.random.Generator) -> object | None:
    return None if rng.random() < 0.75 else figures.army(rng)[1]


def _lift(things: list[object], high: float) -> None:
    for thing in things:
        thing.location[2] += high


def _figure(
    rng: np.random.Generator, paths: tuple[Path, ...], stuff: object | None, tall: float
) -> tuple[list[object], Array]:
    """Its parts at the origin, feet on the ground, and half of what it stands on, along and across."""
    with np.load(paths[rng.integers(len(paths))]) as file:
        arrays = dict(file)
    count = sum(name.startswith("points") for name in arrays)
    points = np.concatenate([arrays[f"points{n}"] for n in range(count)]).astype(float)
    low, high = points[:, 2].min(), np.quantile(points[:, 2], _HEAD)
    scale = tall * rng.normal(1, 0.04) / max(high - low, 1e-6)
    feet = points[points[:, 2] < low + _FEET * (high - low)]
    middle, half = (feet.min(0) + feet.max(0)) / 2, (feet.max(0) - feet.min(0)) / 2
    # Bodies are stouter cast in plastic than modelled.
    stout = rng.uniform(1.0, 1.25)
    shape = np.array([stout, stout, 1.0]) * scale
    tint = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.1, 3))
    things = []
    for n in range(count):
        placed = (arrays[f"points{n}"] - (middle[0], middle[1], low)) * shape
        painted = stuff if stuff is not None else _own(rng, arrays[f"picture{n}"], tint)
        thing = mesh.solid(placed, [tuple(map(int, face)) for face in arrays[f"faces{n}"]], painted, smooth=True)
        layer = thing.data.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", arrays[f"uv{n}"][arrays[f"faces{n}"].ravel()].astype(np.float32).ravel())
        things.append(thing)
    return things, half[:2] * shape[:2]


def _own(rng: np.random.Generator, picture: NDArray[np.uint8], tint: Array) -> object:
    """A material of its own picture, lighter or darker."""
    stuff = paint.material(np.array([0.5, 0.5, 0.5]), rng.uniform(0.3, 0.9), bump_mm=0.2, grain_mm=1.0)
    high, wide = picture.shape[:2]
    linear = np.clip((picture[::-1] / 255.0) ** 2.2 * tint, 0, 1)
    image = bpy.data.images.new("paint", wide, high, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(np.dstack([linear, np.ones((high, wide))]).astype(np.float32).ravel())
    tree = stuff.node_tree
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    tree.links.new(node.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return stuff
