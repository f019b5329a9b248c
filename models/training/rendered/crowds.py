"""Tables full of what the net of figures missed: close ranks of one colour, horsemen, men lying, painted men, and men
half hidden behind household things or on top of them. Laid by `models.render_solids` alone; stills are laid by `layout`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.solids import TERRAIN
from models.training.rendered import (
    figures,
    hands,
    household,
    layout,
    mesh,
    oddments,
    peg_men,
    peg_mounts,
    scenery,
    sculpts,
    tools,
    troops,
    uniforms,
)
from models.training.rendered.layout import Figure, Truth
from models.training.rendered.measures import HAND_INDEX, TERRAIN_INDEX
from models.training.rendered.sculpts import Sculptures, Unit
from models.training.rendered.troops import Troop

Array = NDArray[np.float64]
# Makes a figure: its kind in `models.solids.FIGURES`, objects and radius.
Make = Callable[[], tuple[int, list[object], float]]
# Where it stands, which way it faces, and how high up.
Pose = tuple[Array, float, float]

FOOT, MOUNTED, GUN, BASE = range(4)
# How often a figure is on foot, lies, rides, is a gun, or stands on a disc, by what the table shows.
_MIXES = {
    "foot": (0.8, 0.08, 0.08, 0.04, 0.0),
    "fallen": (0.3, 0.6, 0.07, 0.03, 0.0),
    "cavalry": (0.2, 0.05, 0.7, 0.05, 0.0),
    "discs": (0.05, 0.05, 0.0, 0.0, 0.9),
    "any": (0.35, 0.15, 0.25, 0.1, 0.15),
}
_SHOWS = ("foot", "foot", "fallen", "cavalry", "cavalry", "discs", "any", "any")
_GUN = 3
# Of small things that are no figures, how many are tools.
_TOOLS = 0.45
# How many are sculptors' figures, where there are any.
_SCULPTED = 0.85
# How often, where there is scenery, they are miniatures in units.
_UNITS = 0.5
# Of an inch, of two thirds of it; `models.train_solids_data` keeps 48 a table.
_MOST, _MOST_SMALL = 26, 42


@dataclass(eq=False)
class _Table:
    """What is laid so far: `taken` are places (x, y) and radii where nobody else may stand.

    scenic  how likely a war gamer's scenery stands there in place of household things
    full    how likely the table is laid full of both
    pegs    how likely its figures are put together of simple shapes
    """

    rng: np.random.Generator
    size: Array
    sculptures: Sculptures | None
    scenic: float
    full: float
    pegs: float
    truth: Truth = field(default_factory=Truth)
    taken: list[tuple[Array, float]] = field(default_factory=list)

    def free(self, at: Array, radius: float) -> bool:
        """Whether a base of that radius has room there."""
        return bool((np.abs(at) < self.size / 2).all()) and self.clear(at, radius)

    def clear(self, at: Array, radius: float) -> bool:
        """The same, beside the table too."""
        return all(np.hypot(*(at - other)) > radius + wide for other, wide in self.taken)


def lay(
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    sculptures: Sculptures | None = None,
    scenic: float = 0.0,
    full: float = 0.0,
    pegs: float = 0.0,
) -> Truth:
    """Household things and one game's figures about the origin, most of them sculptors' where there are any."""
    table = _Table(rng, np.array(size_mm), sculptures, scenic, full, pegs)
    _furnish(table)
    if sculptures and scenic and rng.random() < _UNITS:
        _units(table, sculptures)
        return table.truth
    show = _SHOWS[rng.integers(len(_SHOWS))]
    tall = rng.uniform(42, 66) if rng.random() < 0.6 else rng.uniform(19, 32)
    count = int(rng.integers(8, _MOST if tall > 40 else _MOST_SMALL)) if rng.random() < 0.95 else 0
    places = _ranks if rng.random() < 0.45 and show != "discs" else _strewn
    stuffs = _stuffs(rng, tall, sculptures)
    if table.pegs and rng.random() < table.pegs:
        tall, stuffs = rng.uniform(18, 62), list(troops.armies(rng, stuffs))
    for at, facing in places(table, count, tall):
        high = tall * rng.normal(1, 0.05)
        _stand(table, partial(_figure, table, show, stuffs, high), 0.13 * high, (at, facing, 0.0))
    _climb(table, show, stuffs)
    if table.pegs:
        _scatter(table)
    if rng.random() < 0.04:
        mesh.place(hands.hand(rng), rng.uniform(-0.4, 0.4, 2) * size_mm, rng.uniform(0, 2 * np.pi), HAND_INDEX)
    return table.truth


def _units(table: _Table, sculptures: Sculptures) -> None:
    """Two units of miniatures in rank and file, rim at rim or loosely, and some who stand alone."""
    rng = table.rng
    for _ in range(2):
        unit = Unit.drawn(rng, sculptures)
        step = 2 * np.array(unit.half) * rng.uniform(0.98, 1.35, 2)
        for at, facing in _in_file(table, int(rng.integers(3, 16)), step, (0.0,)):
            _stand(table, partial(_one_of, rng, unit), 0.0, (at, facing, 0.0))
    for at, facing in _strewn(table, int(rng.integers(0, 5)), 50.0):
        _stand(table, partial(_one_of, rng, Unit.drawn(rng, sculptures)), 0.0, (at, facing, 0.0))


def _one_of(rng: np.random.Generator, unit: Unit) -> tuple[int, list[object], float]:
    return (BASE, *sculpts.of_unit(rng, unit))


def _furnish(table: _Table) -> None:
    """Flat things anywhere, solid ones apart from each other; household's, or a war gamer's and his dice."""
    rng = table.rng
    if table.full and rng.random() < table.full:
        _fill(table)
        return
    if table.scenic and rng.random() < table.scenic:
        _set_scene(table)
        return
    for _ in range(int(rng.choice([0, 0, 0, 0, 1]))):
        make = household.FLAT[rng.integers(len(household.FLAT))]
        layout.terrain(rng, table.truth, make, rng.uniform(-0.5, 0.5, 2) * table.size)
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2]))):
        _set_down(table, household.SOLID[rng.integers(len(household.SOLID))], 70.0)


def _fill(table: _Table) -> None:
    """Household things side by side, on and beside sheets, on every other table among scenery."""
    rng = table.rng
    for _ in range(int(rng.integers(0, 4))):
        make = household.FLAT[rng.integers(len(household.FLAT))]
        layout.terrain(rng, table.truth, make, rng.uniform(-0.5, 0.5, 2) * table.size)
    things = (*household.SOLID, *((household.book, household.box) if rng.random() < 0.5 else scenery.THINGS))
    for _ in range(int(rng.integers(2, 9))):
        _set_down(table, things[rng.integers(len(things))], rng.uniform(45.0, 80.0))


def _set_scene(table: _Table) -> None:
    """Trees, walls, hills; dice where there is room."""
    rng = table.rng
    for _ in range(int(rng.integers(1, 7))):
        _set_down(table, scenery.THINGS[rng.integers(len(scenery.THINGS))], 50.0)
    for _ in range(int(rng.integers(0, 6))):
        at = rng.uniform(-0.5, 0.5, 2) * table.size
        if table.free(at, 10.0):
            mesh.place(scenery.die(rng)[0], at, rng.uniform(0, 2 * np.pi), TERRAIN_INDEX)
            table.taken.append((at, 10.0))


def _scatter(table: _Table) -> None:
    """On every other table small things and tools that are no figures, lest every peg be a man."""
    rng = table.rng
    for _ in range(int(rng.integers(2, 12)) if rng.random() < 0.5 else 0):
        things = tools.tool(rng) if rng.random() < _TOOLS else oddments.oddment(rng)
        at, turn = rng.uniform(-0.5, 0.5, 2) * table.size, rng.uniform(0, 2 * np.pi)
        reach = mesh.corners(things)[:, 0]
        along = np.linspace(reach.min(), reach.max(), 1 + int(np.ptp(reach) // 20))
        spots = [at + x * np.array([np.cos(turn), np.sin(turn)]) for x in along]
        if all(table.clear(spot, 12.0) for spot in spots):
            mesh.place(things, at, turn, TERRAIN_INDEX)
            table.taken += [(spot, 12.0) for spot in spots]
        else:
            figures.remove(things)


def _set_down(table: _Table, make: object, room: float) -> None:
    """One solid thing anywhere, if there is room."""
    at = table.rng.uniform(-0.5, 0.5, 2) * table.size
    first = len(table.truth.footprints)
    if table.free(at, room):
        layout.terrain(table.rng, table.truth, make, at)
        for _, outline, _ in table.truth.footprints[first:]:
            table.taken += _filled(outline)


def _filled(outline: Array) -> list[tuple[Array, float]]:
    """Discs that cover a footprint, so that men may stand close to its sides."""
    middle = outline.mean(axis=0)
    corners = outline[:: max(1, len(outline) // 8)]
    spokes = [middle + (corner - middle) * share for corner in corners for share in (0.3, 0.75)]
    reach = float(np.hypot(*(outline - middle).T).min())
    return [(middle, 0.9 * reach), *((spoke, 8.0) for spoke in spokes)]


def _stuffs(rng: np.random.Generator, tall: float, sculptures: Sculptures | None) -> list[object]:
    """What the armies are made of: one plastic for all, two, or painted men, each of a few paints; None for their own."""
    style = rng.random()
    if style < 0.25 and sculptures:
        return [None]
    if style < 0.6:
        return [figures.army(rng)[1] for _ in range(1 if style < 0.3 else 2)]
    if style < 0.85:
        return [uniforms.uniform(rng, tall) for _ in range(int(rng.integers(2, 7)))]
    return [uniforms.blots(rng) for _ in range(int(rng.integers(1, 5)))]


def _strewn(table: _Table, count: int, tall: float) -> list[tuple[Array, float]]:
    """Anywhere, in loose groups, or close behind and beside household things."""
    rng, found = table.rng, []
    groups = rng.uniform(-0.5, 0.5, (3, 2)) * table.size
    beside = [outline for _, outline, height in table.truth.footprints if height > 12]
    for _ in range(count):
        if beside and rng.random() < 0.35:
            outline = beside[rng.integers(len(beside))]
            middle, corner = outline.mean(axis=0), rng.dirichlet(np.ones(len(outline)) * 0.3) @ outline
            at = middle + (corner - middle) * (1 + rng.uniform(8, 40) / (np.hypot(*(corner - middle)) + 1))
        elif rng.random() < 0.5:
            at = groups[rng.integers(3)] + rng.normal(0, tall, 2)
        else:
            at = rng.uniform(-0.5, 0.5, 2) * table.size
        found.append((at, rng.uniform(-np.pi, np.pi)))
    return found


def _ranks(table: _Table, count: int, tall: float) -> list[tuple[Array, float]]:
    """In rank and file, as close as they are tall, facing along it or across."""
    return _in_file(table, count, tall * table.rng.uniform(0.42, 0.95, 2), (0.0, np.pi / 2))


def _in_file(table: _Table, count: int, step: Array, turns: tuple[float, ...]) -> list[tuple[Array, float]]:
    """In rank and file, `step` (2,) mm apart, facing one of `turns` from its first direction, some out of place."""
    rng = table.rng
    wide = int(rng.integers(2, 8))
    grid = np.array([(n % wide, n // wide) for n in range(count)], float).reshape(-1, 2) * step
    turn = rng.uniform(-np.pi, np.pi)
    c, s = np.cos(turn), np.sin(turn)
    at = (grid - step * wide / 2) @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.2, 0.2, 2) * table.size
    facing = turn + rng.choice(turns) + rng.normal(0, rng.choice([0.1, 0.6]), count)
    return list(zip(at + rng.normal(0, 0.08 * step.min(), (count, 2)), facing, strict=True))


def _stand(table: _Table, make: Make, room: float, pose: Pose) -> None:
    """One figure where there is so much room for it; up on something there always is."""
    at, facing, elevation = pose
    if elevation == 0 and not table.free(at, room):
        return
    kind, things, radius = make()
    # What is wide needs more room than was asked for: it is taken away again where it would stand in others.
    if elevation == 0 and not table.free(at, 0.6 * radius):
        figures.remove(things)
        return
    for thing in things:
        thing.location[2] += elevation
    number = len(table.truth.figures) + 1
    mesh.place(things, at, facing, number)
    table.taken.append((at, 0.75 * radius))
    table.truth.figures.append(Figure(kind, at, facing, radius, elevation, "none", number))


def _figure(table: _Table, show: str, stuffs: list[object], tall: float) -> tuple[int, list[object], float]:
    """Its kind in `models.solids.FIGURES`, objects and radius."""
    rng = table.rng
    what = int(rng.choice(5, p=_MIXES[show]))
    stuff = stuffs[rng.integers(len(stuffs))]
    if isinstance(stuff, Troop):
        return _pegged(rng, stuff, what, tall)
    if table.sculptures and what != _GUN and rng.random() < _SCULPTED:
        return _sculpted(rng, table.sculptures, what, stuff, tall)
    if what == 4:
        return (BASE, *figures.miniature(rng))
    if what == 1:
        return (FOOT, *_lying(rng, stuff, tall))
    make = (figures.foot, figures.foot, figures.mounted, figures.gun)[what]
    return ((FOOT, FOOT, MOUNTED, GUN)[what], *make(rng, stuff, tall))


def _pegged(rng: np.random.Generator, troop: Troop, what: int, tall: float) -> tuple[int, list[object], float]:
    """The same of simple shapes."""
    if what == 4:
        return (BASE, *peg_men.miniature(rng, troop))
    make = (peg_men.foot, peg_men.fallen, peg_mounts.mounted, peg_mounts.gun)[what]
    return ((FOOT, FOOT, MOUNTED, GUN)[what], *make(rng, troop, tall))


def _sculpted(
    rng: np.random.Generator, sculptures: Sculptures, what: int, stuff: object | None, tall: float
) -> tuple[int, list[object], float]:
    """The same of what sculptors made."""
    if what == 4:
        return (BASE, *sculpts.miniature(rng, sculptures))
    if what == 2:
        return (MOUNTED, *sculpts.soldier(rng, sculptures.mounted, stuff, 1.3 * tall))
    things, radius = sculpts.soldier(rng, sculptures.foot, stuff, tall)
    if what == 1:
        figures.tip(rng, things, tall)
    return FOOT, things, radius


def _lying(rng: np.random.Generator, stuff: object, tall: float) -> tuple[list[object], float]:
    """Prone on his base, or tipped over."""
    if rng.random() < 0.35:
        return figures.foot(rng, stuff, tall, ("prone",))
    return figures.fallen(rng, stuff, tall)


def _climb(table: _Table, show: str, stuffs: list[object]) -> None:
    """Some figures on top of books and boxes."""
    rng = table.rng
    tops = [(outline, height) for cls, outline, height in table.truth.footprints if TERRAIN[cls] in ("book", "box")]
    for outline, height in tops[-2:]:
        for _ in range(int(rng.integers(0, 4))):
            at = rng.dirichlet(np.ones(len(outline)) * 2) @ outline
            make = partial(_figure, table, show, stuffs, rng.uniform(22, 60))
            _stand(table, make, 0.0, (at, rng.uniform(-np.pi, np.pi), height))
