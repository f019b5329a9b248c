"""Lays one table of solids in Blender and says what stands where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.solids import TERRAIN
from models.training.rendered import figures, hands, household, mesh, peg_men, peg_mounts, shadows, troops
from models.training.rendered.berths import Berths, disc, outline_of, stands_on, turned
from models.training.rendered.heights import Heights, filled
from models.training.rendered.measures import HAND_INDEX, TERRAIN_INDEX
from models.training.rendered.troops import Troop

Array = NDArray[np.float64]
Prints = list[tuple[Array, float]]


# Of `models.solids.FIGURES`, how often each kind of toy soldier comes.
_KINDS = (0, 0, 0, 0, 0, 1, 2)
# So often a place is looked for; middles of solids are so far apart at least, and figures so far from them.
_TRIES, _APART_MM, _ROOM_MM = 12, 90.0, 70.0
# A sheet that is pressed flat is so thick.
_THIN_MM = 0.15


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure: its kind in `models.solids.FIGURES`, mm with y upwards, rad; its army's colour and its number."""

    kind: int
    at: Array
    facing: float
    radius: float
    elevation: float
    colour: str
    number: int


@dataclass(eq=False)
class Truth:
    """Figures, and footprints of terrain (class, outline, height); `things` says which belong to one thing."""

    figures: list[Figure] = field(default_factory=list)
    footprints: list[tuple[int, Array, float]] = field(default_factory=list)
    things: list[int] = field(default_factory=list)


def lay(rng: np.random.Generator, size_mm: tuple[float, float], crowd: int = 1, pegs: float = 0.0) -> Truth:
    """Everything on a table about the origin; `crowd` times as much as on a plate-sized piece of one. A sheet may lie
    over another and under what stands on it; no solid stands in another. `pegs` says how likely all figures are put
    together of simple shapes."""
    table = _Table(rng, np.array(size_mm), Heights.over(np.array(size_mm)))
    sheets = [_sheet(table) for _ in range(crowd * int(rng.choice([0, 0, 1, 2])))]
    for _ in range(crowd * int(rng.choice([0, 0, 1, 1, 2, 3]))):
        _solid(table)
    armies = [figures.army(rng) for _ in range(2)]
    if pegs and rng.random() < pegs:
        names, plastics = zip(*armies, strict=True)
        armies = list(zip(names, troops.armies(rng, list(plastics)), strict=True))
    number = _armies(table, armies)
    if rng.random() < 0.6:
        _climbers(table, number, armies)
    _press_down(table, sheets)
    if rng.random() < 0.2:
        _hand(table)
    return table.truth


@dataclass(eq=False)
class _Table:
    """What is laid so far.

    sheets  how high those reach that lie
    taken   middles (x, y) and radii that others keep away from
    bodies  outlines of terrain by its number in `truth.things`, and those of men by theirs
    """

    rng: np.random.Generator
    size: Array
    sheets: Heights
    truth: Truth = field(default_factory=Truth)
    taken: list[tuple[Array, float]] = field(default_factory=list)
    bodies: Berths = field(default_factory=Berths)
    men: Berths = field(default_factory=Berths)

    def places(self, apart: float) -> Iterator[tuple[Array, float]]:
        """Some places that are far enough from all that is there, and ways to turn there."""
        for _ in range(_TRIES):
            at = self.rng.uniform(-0.5, 0.5, 2) * self.size
            if all(np.hypot(*(at - other)) > apart + radius for other, radius in self.taken):
                yield at, self.rng.uniform(0, 2 * np.pi)


def _sheet(table: _Table) -> list[object]:
    """Something flat anywhere, over the sheets that lie there; its objects."""
    rng = table.rng
    make = household.FLAT[rng.integers(len(household.FLAT))]
    things, prints = make(rng)
    _set_down(table.truth, make, things, prints, rng.uniform(-0.5, 0.5, 2) * table.size, rng.uniform(0, 2 * np.pi))
    for thing in things:
        mesh.bend(thing, table.sheets.at)
    table.sheets.add(mesh.corners(things))
    return things


def _solid(table: _Table) -> None:
    """A household thing where there is room for all of it, if there is."""
    make = household.SOLID[table.rng.integers(len(household.SOLID))]
    things, prints = make(table.rng)
    corners = mesh.corners(things)
    for at, turn in table.places(_APART_MM):
        body = outline_of(turned(corners, turn) + at)
        if table.bodies.free(body):
            table.taken.append((at, _ROOM_MM))
            table.bodies.take(body, _set_down(table.truth, make, things, prints, at, turn))
            return
    figures.remove(things)


def _press_down(table: _Table, sheets: list[list[object]]) -> None:
    """Flattens sheets under what stands on them."""
    feet = [body for _, body in table.bodies.taken]
    feet += [disc(man.at, man.radius) for man in table.truth.figures if man.elevation == 0]
    press = table.sheets.press(feet)
    for number, things in enumerate(sheets):
        low = _THIN_MM * (number + 1)
        for thing in things:
            mesh.bend(thing, lambda corners, low=low: np.minimum(0.0, (low - corners[:, 2]) * press.at(corners)))


def _hand(table: _Table) -> None:
    """A hand that passes over what stands there, where it need not be lifted far."""
    standing = Heights.over(table.size)
    standing.add(_surface(mesh.standing()))
    things = hands.hand(table.rng)
    surface = _surface(mesh.shaped(things))
    places = [(table.rng.uniform(-0.3, 0.3, 2) * table.size, table.rng.uniform(0, 2 * np.pi)) for _ in range(_TRIES)]
    lifts = [standing.clears(np.c_[turned(surface, turn) + at, surface[:, 2]]) for at, turn in places]
    best = int(np.argmin(lifts))
    for thing in things:
        thing.location[2] += lifts[best]
    mesh.place(things, *places[best], HAND_INDEX)


def _surface(body: shadows.Body) -> Array:
    """(n, 3) points all over it."""
    return np.concatenate([body.points, *(filled(face) for face in body.faces)])


def terrain(rng: np.random.Generator, truth: Truth, make: object, at: Array) -> None:
    """One household thing, or some other, set down at (x, y) mm, turned any way."""
    turn = rng.uniform(0, 2 * np.pi)
    things, prints = make(rng)
    _set_down(truth, make, things, prints, at, turn)


def _set_down(truth: Truth, make: object, things: list[object], prints: Prints, at: Array, turn: float) -> int:
    """Puts terrain there; its number in `truth.things`."""
    mesh.place(things, at, turn, TERRAIN_INDEX)
    thing = max(truth.things, default=-1) + 1
    for outline, height in prints:
        truth.things.append(thing)
        moved = turned(outline, turn) + at
        truth.footprints.append((TERRAIN.index(household.CLASS.get(make, "unknown")), moved, height))
    return thing


def _armies(table: _Table, armies: list) -> int:
    """Toy soldiers of two colours, or miniatures, strewn or in ranks; returns the number of the next figure."""
    rng = table.rng
    style = rng.random()
    count = int(rng.integers(1, 16)) if style < 0.85 else 0
    tall = rng.uniform(44, 66) if rng.random() < 0.65 else rng.uniform(20, 30)
    ranks = _ranks(rng, count, tall, table.size) if count and rng.random() < 0.3 and style < 0.6 else None
    for number in range(1, count + 1):
        kinds = (0,) if ranks is not None else _KINDS if style < 0.6 else (3,)
        man = _Man.made(rng, armies, tall * rng.normal(1, 0.05), kinds)
        if ranks is None:
            places: Iterable[tuple[Array, float]] = table.places(0.3 * tall)
        else:
            places = [(ranks[number - 1], rng.uniform(0, 2 * np.pi))]
        _stand(table, man, places, number, close=ranks is not None)
    return count + 1


def _stand(table: _Table, man: _Man, places: Iterable[tuple[Array, float]], number: int, *, close: bool) -> None:
    """Puts a figure down at the first place where it stands in nothing; takes it away again if there is none.

    close  whether only his foot needs room among other men, as in rank and file
    """
    for at, facing in places:
        body = outline_of(turned(man.corners, facing) + at)
        among = disc(at, man.radius) if close else body
        if table.bodies.free(body) and table.men.free(among):
            table.taken.append((at, 1.15 * man.radius))
            table.men.take(among, number)
            table.truth.figures.append(man.put(at, facing, 0.0, number))
            return
    figures.remove(man.things)


def _climbers(table: _Table, number: int, armies: list) -> None:
    """Figures on top of the last book or box."""
    rng, truth = table.rng, table.truth
    pairs = zip(truth.things, truth.footprints, strict=True)
    flat_tops = [(thing, print_) for thing, print_ in pairs if TERRAIN[print_[0]] in ("book", "box")]
    for thing, (_, outline, height) in flat_tops[-1:]:
        for index in range(number, number + int(rng.integers(1, 4))):
            man = _Man.made(rng, armies, rng.uniform(24, 62), _KINDS if rng.random() < 0.7 else (3,))
            _climb(table, man, thing, outline, height, index)


def _climb(table: _Table, man: _Man, thing: int, top: Array, height: float, number: int) -> None:
    """Puts a figure on a top (n, 2) of a thing, beside the others there; takes it away again if there is no room."""
    rng = table.rng
    for _ in range(_TRIES):
        at, facing = rng.dirichlet(np.ones(len(top)) * 2) @ top, rng.uniform(0, 2 * np.pi)
        body = outline_of(turned(man.corners, facing) + at)
        if stands_on(top, at, man.radius) and table.bodies.free(body, besides=thing) and table.men.free(body):
            table.men.take(body, number)
            table.truth.figures.append(man.put(at, facing, height, number))
            return
    figures.remove(man.things)


@dataclass(frozen=True, eq=False)
class _Man:
    """A figure about the origin that is not put down yet."""

    kind: int
    things: list[object]
    radius: float
    colour: str

    @classmethod
    def made(cls, rng: np.random.Generator, armies: list, tall: float, kinds: tuple[int, ...]) -> _Man:
        """A man of one of these kinds, in one of two armies."""
        colour, plastic = armies[rng.integers(2)]
        kind = int(rng.choice(kinds))
        things, radius = _figure(rng, kind, plastic, tall)
        return cls(kind, things, radius, "none" if kind == 3 else colour)

    @property
    def corners(self) -> Array:
        """(n, 3) mm."""
        return mesh.corners(self.things)

    def put(self, at: Array, facing: float, elevation: float, number: int) -> Figure:
        """Puts it down at (x, y), `elevation` above the table."""
        for thing in self.things:
            thing.location[2] += elevation
        mesh.place(self.things, at, facing, number)
        way = float((facing + np.pi) % (2 * np.pi) - np.pi)
        return Figure(self.kind, at, way, self.radius, elevation, self.colour, number)


def _ranks(rng: np.random.Generator, count: int, tall: float, size: Array) -> Array:
    """Places of men in rank and file: horses and guns would stand in one another."""
    step, wide = tall * rng.uniform(0.55, 1.0), int(rng.integers(2, 6))
    grid = np.array([(n % wide, n // wide) for n in range(count)], float) * step
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    jitter = rng.normal(0, 0.05 * tall, (count, 2))
    return grid @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.25, 0.25, 2) * size + jitter


def _figure(rng: np.random.Generator, kind: int, plastic: object, tall: float) -> tuple[list[object], float]:
    if isinstance(plastic, Troop):
        return _pegged(rng, kind, plastic, tall)
    if kind == 3:
        return figures.miniature(rng)
    if kind == 0 and rng.random() < 0.1:
        return figures.fallen(rng, plastic, tall)
    return (figures.foot, figures.mounted, figures.gun)[kind](rng, plastic, tall)


def _pegged(rng: np.random.Generator, kind: int, troop: Troop, tall: float) -> tuple[list[object], float]:
    """The same of simple shapes."""
    if kind == 3:
        return peg_men.miniature(rng, troop)
    if kind == 0 and rng.random() < 0.1:
        return peg_men.fallen(rng, troop, tall)
    return (peg_men.foot, peg_mounts.mounted, peg_mounts.gun)[kind](rng, troop, tall)


def draw_footprints(truth: Truth, side_mm: float, px_per_mm: float) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """(n, n) class and height of terrain by its footprint, y downwards."""
    size = round(side_mm * px_per_mm)
    ground, height = np.zeros((size, size), np.uint8), np.zeros((size, size), np.float32)
    for cls, outline, tall in truth.footprints:
        px = (outline * (1, -1) + side_mm / 2) * px_per_mm - 0.5
        corners = np.rint(px * 16).astype(np.int32)
        cv2.fillPoly(ground, [corners], cls, cv2.LINE_8, 4)
        cv2.fillPoly(height, [corners], tall, cv2.LINE_8, 4)
    return ground, height
