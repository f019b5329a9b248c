"""How long all rulings take with 60 figures: OMOG on dense mixed ground, OSMCG on a full board.

    .venv/bin/python -m benchmarks.figures_rulings

CPU milliseconds of one process: the first rulings (nothing kept yet), those after one figure moved, and those of a
scene that has not changed. Promise: after one move <= 20 ms.

What is timed is `game.rulings(...)` of the whole table: every verdict, margin and sentence, also what cuts each reach.

- `while men move`: OMOG in a phase of moving, as a match is once its players end phases: what other phases tell (shots,
  fights) is not ruled. Then what the first rulings of the fire phase cost, once, after all those moves; and what they
  cost where the phases to come were ruled ahead while nothing happened, as a match is watched, step by step.
- `all phases`: no phase in the state, so that what every phase tells is ruled at once: a match in which nobody ends
  phases, and `sandtable rule` without a state.
- The border of a reach over mixed ground is drawn when somebody looks at it: a picture shows the chosen man's, a file
  all. `drawn` is all phases, with every region looked at.

The same battle is ruled three times; the second and third time it is mirrored, so that nothing is kept from before.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from dataclasses import replace

from shapely import Point, Polygon, box
from shapely.affinity import affine_transform, rotate, translate

from benchmarks.cpu_time import cpu_ms
from rules.ahead import ahead
from rules.game import Game
from rules.games.omog import GAME as OMOG
from rules.games.osmcg import GAME as OSMCG
from rules.garbage import search_seldom
from rules.match import Match
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

PLAYERS = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
OMOG_MM = (1500.0, 1000.0)
OSMCG_MM = (914.4, 914.4)
FIGURES = 60
STEP_MM = 40.0
MOVES = 40
# OMOG: class, size in mm, height.
GROUNDS = (
    *(("napkin", (160.0, 120.0), None), ("napkin", (150.0, 130.0), None), ("napkin", (120.0, 120.0), None)),
    *(("book", (210.0, 150.0), 20.0), ("box", (180.0, 120.0), 60.0), ("book", (160.0, 110.0), 30.0)),
    *(("mug", (85.0, 85.0), 95.0), ("mug", (80.0, 80.0), 90.0), ("plate", (180.0, 180.0), None)),
    *(("pencils", (150.0, 8.0), 8.0), ("pencils", (140.0, 8.0), 30.0), ("mug", (75.0, 75.0), 100.0)),
)
ROUND = ("mug", "plate")


def a_battlefield(seed: int = 1) -> Scene:
    """Woods, hills, houses, a lake, walls, two roads, a river and a bridge, and 60 soldiers among them."""
    rng = random.Random(seed)
    things = [a_thing(f"t{n}", cls, size, height, rng) for n, (cls, size, height) in enumerate(GROUNDS)]
    things += [
        a_strip("road-1", "paper", "brown", box(0, 480, OMOG_MM[0], 520)),
        a_strip("road-2", "paper", "grey", box(700, 0, 735, OMOG_MM[1])),
        a_strip("river", "paper", "blue", rotate(box(-100, 600, 1600, 640), 12)),
        a_strip("bridge", "bridge", None, box(690, 560, 745, 720)),
    ]
    shut = [thing.footprint for thing in things if thing.cls in ROUND]
    return Scene(OMOG_MM, (*things, *an_army(OMOG_MM, shut, rng, omog_man)))


def a_thing(id_: str, cls: str, size_mm: tuple[float, float], height_mm: float | None, rng: random.Random) -> Piece:
    """A thing of that size somewhere on the table, turned at random."""
    wide, deep = size_mm
    shape = Point(0, 0).buffer(wide / 2, 32) if cls in ROUND else box(-wide / 2, -deep / 2, wide / 2, deep / 2)
    at = rng.uniform(100, OMOG_MM[0] - 100), rng.uniform(100, OMOG_MM[1] - 100)
    lying = translate(rotate(shape, rng.uniform(0, 180)), *at)
    return Piece(id_, "terrain", cls, at, lying, "none", height_mm=height_mm, sigma_mm=0.3)


def a_strip(id_: str, cls: str, colour: str | None, shape: Polygon) -> Piece:
    """A strip of paper."""
    return Piece(id_, "terrain", cls, (shape.centroid.x, shape.centroid.y), shape, "none", colour=colour, sigma_mm=0.3)


def an_army(
    size_mm: tuple[float, float],
    shut: list[Polygon],
    rng: random.Random,
    a_figure: Callable[[int, tuple[float, float]], Piece],
) -> list[Piece]:
    """60 figures that neither overlap nor stand in what is shut."""
    found: list[Piece] = []
    while len(found) < FIGURES:
        at = rng.uniform(30, size_mm[0] - 30), rng.uniform(30, size_mm[1] - 30)
        free = all(area.distance(Point(at)) > 14 for area in shut)
        if free and all(math.dist(at, other.position_mm) > 30 for other in found):
            found.append(a_figure(len(found), at))
    return found


def omog_man(number: int, at: tuple[float, float]) -> Piece:
    """Foot, every fifth mounted, every fifteenth a gun."""
    arm = "gun" if number % 15 == 7 else "mounted" if number % 5 == 3 else "foot"
    owner = ("red", "blue")[number % 2]
    return Piece(f"u{number}", "soldier", arm, at, Point(at).buffer(11, 16), owner, sigma_mm=0.4)


def a_board(seed: int = 1) -> Scene:
    """24 pieces of terrain and 60 bases on 36 x 36 inches."""
    rng = random.Random(seed)
    walls = []
    for number in range(24):
        at = rng.uniform(80, OSMCG_MM[0] - 80), rng.uniform(180, OSMCG_MM[1] - 180)
        shape = rotate(box(-45, -25, 45, 25), rng.uniform(0, 180))
        walls.append(Piece(f"t{number}", "terrain", rng.choice(("box", "book", "mug")), at, translate(shape, *at)))
    return Scene(OSMCG_MM, (*walls, *an_army(OSMCG_MM, [wall.footprint for wall in walls], rng, osmcg_base)))


def osmcg_base(number: int, at: tuple[float, float]) -> Piece:
    """A round base of 25 mm."""
    return Piece(
        f"u{number}", "base", "base", at, Point(at).buffer(12.5, 64), ("red", "blue")[number % 2], sigma_mm=0.3
    )


def osmcg_state(scene: Scene) -> State:
    """Every second unit shoots; some fly, some are stealthy."""
    cards = ({"range_in": 12, "damage": 2}, {}, {"keywords": ["Flying"]}, {"range_in": 18, "keywords": ["Stealth"]}, {})
    units = [piece.id for piece in scene if piece.kind == "base"]
    return State(pieces={id_: cards[number % len(cards)] for number, id_ in enumerate(units)})


def moves_of(scene: Scene, count: int) -> list[Scene]:
    """The scene again and again, each time with one more figure moved, as a match goes."""
    rng, scenes = random.Random(5), []
    figures = [piece.id for piece in scene if piece.id.startswith("u")]
    for step in range(count):
        mover = scene[figures[step * 7 % len(figures)]]
        turn = rng.uniform(0, math.tau)
        x, y = (place + STEP_MM * way(turn) for place, way in zip(mover.position_mm, (math.cos, math.sin), strict=True))
        at = min(max(x, 0.0), scene.table_size_mm[0]), min(max(y, 0.0), scene.table_size_mm[1])
        shape = translate(mover.footprint, at[0] - mover.position_mm[0], at[1] - mover.position_mm[1])
        moved = replace(mover, position_mm=at, footprint=shape)
        scene = replace(scene, pieces=tuple(moved if piece.id == mover.id else piece for piece in scene))
        scenes.append(scene)
    return scenes


def mirrored(scene: Scene, x: float = 1.0, y: float = 1.0) -> Scene:
    """The scene with left and right (x = -1) or near and far (y = -1) changed."""
    wide, deep = scene.table_size_mm
    way = [x, 0.0, 0.0, y, wide if x < 0 else 0.0, deep if y < 0 else 0.0]
    pieces = tuple(
        replace(
            one, position_mm=affine_transform(one.point, way).coords[0], footprint=affine_transform(one.footprint, way)
        )
        for one in scene
    )
    return replace(scene, pieces=pieces)


def measure(game: Game, scenes: list[Scene], setup: Setup, state: State, what: str, *, drawn: bool = False) -> None:
    """Print the three figures of a scene and what became of it."""

    def rule(scene: Scene) -> int:
        rulings = game.rulings(scene, setup, state, None)
        return len([ruling.geometry for ruling in rulings] if drawn else rulings)

    first, *later = scenes
    cold_ms = cpu_ms(lambda: rule(first))
    same_ms = statistics.median(cpu_ms(lambda: rule(first)) for _ in range(9))
    later_ms = sorted(cpu_ms(lambda s=now: rule(s)) for now in later)  # type: ignore[misc]
    mean_ms, median_ms = statistics.mean(later_ms), statistics.median(later_ms)
    slow_ms = later_ms[int(0.95 * len(later))]
    after = f"after a move mean {mean_ms:.1f} ms, median {median_ms:.1f} ms, p95 {slow_ms:.1f} ms"
    print(f"{game.name}, {what}, {rule(first)} rulings: cold {cold_ms:.0f} ms, {after}, unchanged {same_ms:.1f} ms")


def fire_ms(scene: Scene, setup: Setup) -> float:
    """What all rulings of the fire phase take."""
    return cpu_ms(lambda: OMOG.rulings(scene, setup, State(phase="fire"), None))


def measure_ahead(scene: Scene, setup: Setup) -> None:
    """Print what the steps of ruling ahead take, a man and a phase each, and what is left for the fire phase."""
    state, spent_ms = State(phase="move-1"), list[float]()
    OMOG.rulings(scene, setup, state, None)
    steps = ahead(Match(setup, OMOG, scene, state, (), ()))
    for _ in range(FIGURES * (len(OMOG.phases) - 1)):
        spent_ms.append(cpu_ms(lambda: next(steps)))
    mean_ms, p95_ms, worst_ms = statistics.mean(spent_ms), sorted(spent_ms)[int(0.95 * len(spent_ms))], max(spent_ms)
    print(f"omog, ruled ahead in {len(spent_ms)} steps: mean {mean_ms:.1f}, p95 {p95_ms:.1f}, worst {worst_ms:.1f} ms")
    print(f"omog, then the first rulings of the fire phase: {fire_ms(scene, setup):.1f} ms")


def main() -> None:
    """Print the CPU ms that all rulings take after one move."""
    setup, board_setup = Setup("omog", OMOG_MM, PLAYERS), Setup("osmcg", OSMCG_MM, PLAYERS, house={"mode": "ffa"})
    # Other scenes load the compiled loops.
    OMOG.rulings(a_battlefield(2), setup, State(), None)
    OSMCG.rulings(a_board(2), board_setup, osmcg_state(a_board()), None)
    search_seldom()  # as the program does when a match begins
    battle = [a_battlefield(), *moves_of(a_battlefield(), MOVES)]
    measure(OMOG, battle, setup, State(phase="move-1"), "while men move")
    print(f"omog, then the first rulings of the fire phase: {fire_ms(battle[-1], setup):.0f} ms")
    measure_ahead(mirrored(mirrored(battle[-1], x=-1.0), y=-1.0), setup)
    measure(OMOG, [mirrored(scene, x=-1.0) for scene in battle], setup, State(), "all phases")
    measure(OMOG, [mirrored(scene, y=-1.0) for scene in battle], setup, State(), "all phases, drawn", drawn=True)
    board = [a_board(), *moves_of(a_board(), MOVES)]
    measure(OSMCG, board, board_setup, osmcg_state(board[0]), "all phases")


if __name__ == "__main__":
    main()
