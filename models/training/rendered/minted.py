"""Coins as Blender objects: a face with its relief and border, an edge, metal that is worn and tarnished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, DIAMETER_MM, OWNERS, THICKNESS_MM
from models.training import looks
from models.training.motifs import RADIUS_PX, SIZE
from models.training.rendered import figures, mesh, paint
from models.training.rendered.strangers import Stranger, stranger

Array = NDArray[np.float64]

_TURNS, _RINGS = 168, 52
# How deep a field lies below the border, and how wide the border is broken off, mm.
_DEEP_MM, _BEVEL_MM = (0.06, 0.28), (0.06, 0.3)
_TRIES = 30


class Habits(NamedTuple):
    """How many coins lie on others, how many bear a paper dot, and in which owners' colours."""

    stacked: float = 0.08
    dotted: float = 0.3
    owners: Sequence[str] = OWNERS[1:]


@dataclass(frozen=True, eq=False)
class Minted:
    """One coin: what it is, the middle of its face (2,) and how high that is, its radius, mm; its number in the picture."""

    cls: str
    face: str
    owner: str
    at_mm: Array
    top_mm: float
    radius_mm: float
    number: int


def lay(rng: np.random.Generator, half_mm: float, habits: Habits) -> list[Minted]:
    """Coins of one currency mostly within `half_mm` of the origin: lone, touching, and a share of them on others."""
    currency = ("gbp", "eur", "usd")[rng.integers(3)]
    classes = [cls for cls in CLASSES if cls.startswith(currency) or rng.random() < 0.05]
    wear = rng.beta(1.3, 1.6)
    laid: list[Minted] = []
    for _ in range(int(rng.integers(10, 34))):
        cls = classes[rng.integers(len(classes))]
        radius = DIAMETER_MM[cls] / 2
        on_another = laid and rng.random() < habits.stacked
        place = _on_another(rng, laid, radius) if on_another else _free(rng, laid, radius, half_mm)
        if place is None:
            continue
        at, base = place
        face = ("heads", "tails")[rng.integers(2)]
        owner = habits.owners[rng.integers(len(habits.owners))] if rng.random() < habits.dotted else "none"
        coin = Minted(cls, face, owner, at, base + THICKNESS_MM[cls], radius, len(laid) + 1)
        _strike(rng, coin, base, wear)
        laid.append(coin)
    return laid


def lay_strangers(rng: np.random.Generator, coins: list[Minted], half_mm: float, most: int) -> list[Stranger]:
    """Up to so many round things that are no coins where coins left room."""
    laid: list[Stranger] = []
    for _ in range(int(rng.integers(0, most + 1))):
        things, radius_mm, top_mm = stranger(rng)
        place = _free(rng, [*coins, *laid], radius_mm, half_mm)
        if place is None:
            figures.remove(things)
            continue
        mesh.place(things, place[0], rng.uniform(0, 2 * np.pi), len(coins) + len(laid) + 1)
        laid.append(Stranger(place[0], radius_mm, top_mm))
    return laid


def _on_another(rng: np.random.Generator, laid: list[Minted], radius: float) -> tuple[Array, float] | None:
    """A place on top of a coin, and how high that is; none where it would tip over."""
    below = laid[rng.integers(len(laid))]
    at = below.at_mm + rng.normal(0, 0.15, 2) * below.radius_mm
    on = [coin for coin in laid if np.hypot(*(coin.at_mm - at)) < coin.radius_mm + radius]
    top = max(on, key=lambda coin: coin.top_mm)
    return (at, top.top_mm) if np.hypot(*(top.at_mm - at)) < 0.5 * top.radius_mm else None


def _free(
    rng: np.random.Generator, laid: Sequence[Minted | Stranger], radius: float, half_mm: float
) -> tuple[Array, float] | None:
    """A free place on the table, beside what lies there as often as not."""
    for _ in range(_TRIES):
        at = rng.uniform(-half_mm, half_mm, 2)
        if laid and rng.random() < 0.4:
            other, way = laid[rng.integers(len(laid))], rng.uniform(0, 2 * np.pi)
            gap = radius + other.radius_mm + abs(rng.normal(0, 1.5))
            at = other.at_mm + gap * np.array([np.cos(way), np.sin(way)])
        if all(np.hypot(*(coin.at_mm - at)) >= coin.radius_mm + radius for coin in laid):
            return at, 0.0
    return None


def _strike(rng: np.random.Generator, coin: Minted, base: float, wear: float) -> None:
    """One coin at its place, face up."""
    points, faces, height = _body(rng, coin.cls, coin.face)
    thing = mesh.solid(points, faces, _metal(rng), smooth=True)
    colours = _colours(rng, coin.cls, points, height, wear)
    thing.data.color_attributes.new("tone", "FLOAT_COLOR", "POINT").data.foreach_set(
        "color", np.c_[colours, np.ones(len(colours))].astype(np.float32).ravel()
    )
    things = [thing]
    if coin.owner != "none":
        things.append(_dot(rng, coin.owner, coin.radius_mm, THICKNESS_MM[coin.cls]))
    for part in things:
        part.location[2] += base
    mesh.place(things, coin.at_mm, rng.uniform(0, 2 * np.pi), coin.number)


def _body(rng: np.random.Generator, cls: str, face: str) -> tuple[Array, list[tuple[int, ...]], Array]:
    """Points, corners, and how high each point is in the relief, 0 to 1."""
    radius, thick = DIAMETER_MM[cls] / 2, THICKNESS_MM[cls]
    outline = looks.outline(cls)
    bevel, deep = rng.uniform(*_BEVEL_MM), rng.uniform(*_DEEP_MM)
    share = np.linspace(0.02, 1 - bevel / radius, _RINGS)
    relief = looks.drawn_height(cls, face, rng)
    relief = np.minimum(relief / max(float(np.quantile(relief, 0.98)), 1e-3), 1.1)
    # The border of a drawn relief is blurred outwards, where a coin's is not.
    at = np.minimum(share, 0.965)[:, None, None] * outline * RADIUS_PX + (SIZE - 1) / 2
    columns, rows = np.clip(np.rint(at), 0, SIZE - 1).astype(int).transpose(2, 0, 1)
    height = relief[SIZE - 1 - rows, columns]
    rings = [np.c_[outline * radius * s, thick - deep * (1 - h)] for s, h in zip(share, height, strict=True)]
    edges = (1.0, thick - bevel), (1.0, 0.5 * thick), (1.0, bevel), (1 - bevel / radius, 0.0)
    rings += [np.c_[outline * radius * s, np.full(_TURNS, z)] for s, z in edges]
    faces = [tuple(range(_TURNS)), *(face[::-1] for face in mesh.bands(len(rings), _TURNS))]
    raised = np.concatenate([height.ravel(), np.full(4 * _TURNS, 0.7)])
    return np.concatenate(rings), faces, raised


def _colours(rng: np.random.Generator, cls: str, points: Array, height: Array, wear: float) -> Array:
    """(n, 3) linear RGB of each point: tarnish in blots, dirt in what lies deep."""
    shine = np.clip(wear + rng.normal(0, 0.2), 0, 1)
    blots = looks.blotches(64, rng, int(rng.integers(3, 12)))
    radius = DIAMETER_MM[cls] / 2
    at = np.clip(np.rint((points[:, :2] / radius + 1) * 31.5), 0, 63).astype(int)
    tarnish = np.clip(shine + blots[at[:, 1], at[:, 0]] * rng.uniform(0, 0.3), 0, 1)[:, None]
    bright, dull = looks.metals_of(cls, np.hypot(*points[:, :2].T) / radius)
    colour = (bright * tarnish + dull * (1 - tarnish)) * rng.normal(1, 0.05, 3)
    dirt = 1 - rng.uniform(0, 0.6) * np.clip(1 - height, 0, 1)
    return np.clip(colour * dirt[:, None], 0.01, 1)[:, ::-1]


def _metal(rng: np.random.Generator) -> object:
    """Metal that takes its tone from its points."""
    stuff = paint.material(
        np.ones(3), rng.uniform(0.12, 0.5), rng.choice([1.0, 1.0, 0.85]), bump_mm=rng.uniform(0, 0.03)
    )
    tree = stuff.node_tree
    tone = tree.nodes.new("ShaderNodeVertexColor")
    tone.layer_name = "tone"
    tree.links.new(tone.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return stuff


def _dot(rng: np.random.Generator, colour: str, radius: float, thick: float) -> object:
    """A paper dot on its face."""
    linear = (np.array(looks.STICKER_BGR[colour][::-1]) / 255.0) ** 2.2
    size = radius * rng.uniform(0.24, 0.9)
    shape = mesh.ring() * size + rng.normal(0, 0.05, 2) * radius
    return mesh.prism(shape, thick, thick + 0.1, paint.material(linear * rng.normal(1, 0.08, 3), 0.8))
