"""Matches with toy soldiers and miniatures among household things, rendered by Blender's Cycles, with truth.

    python -m sample_footage.solid_match --out DIR --count 2 --seed 1 [--deeds 6] [--threads 1]

Needs what `models/render_solids.py` needs; five to ten minutes a clip. Hands move figures, slide them, take one and
move on to its place, bring new ones, push one aside with the sleeve, hover, and reach in from both sides. Where figures
were moved the table is rendered anew, with their shadows; hands and what they hold are drawn over it. Scored by
`python -m benchmarks.matches DIR --within 10`.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from models.solids import FIGURES
from models.training.rendered import figures, layout, paint, room
from models.training.rendered.measures import HAND_INDEX
from models.training.rendered.shadows import Lamp, Room
from sample_footage.drawn_match import DrawnMatch, do, moving, seats, write_drawn_match
from sample_footage.figure import Figure
from sample_footage.film import Film
from sample_footage.ground import TABLE_REACH_MM, Ground, table_top
from sample_footage.light import Light
from sample_footage.solid_film import SolidDrawn, SolidView
from sample_footage.solid_pictures import LOOKS, SAMPLES, SURFACES, TABLE_MM, look_through, setup_text
from sample_footage.solid_play import DEEDS, SolidPlay, hidden_by
from sample_footage.solid_table import SolidTable
from sample_footage.solid_truth import OWNERS
from sample_footage.still_pictures import camera_for, sensor_for

FEWEST = 4
# Kept back, to be brought.
RESERVE = 2


def write_match(number: int, seed: int, out: Path, deeds: int, threads: int) -> None:
    """Clip, truth and set-up; the clip last."""
    rng = np.random.default_rng([seed, number, 11])
    made, brought = drawn_match(f"match-{number:03d}", LOOKS[number % len(LOOKS)], rng, deeds, threads)
    lying: list[Figure] = list(made.pieces)  # type: ignore[arg-type]
    table = SolidTable(made.camera, [*lying, *brought])
    table.show(lying)
    film = Film(SolidView(made.camera, made.light, table), made.sensor, drawn=SolidDrawn(table, brought))
    write_drawn_match(made, out, film)


def drawn_match(
    name: str, look: str, rng: np.random.Generator, deeds: int, threads: int
) -> tuple[DrawnMatch, list[Figure]]:
    """The table, laid in Blender, with what hands do there; and who is brought, where he stood meanwhile."""
    bent = camera_for(look, rng)
    camera = replace(bent, distortion=(0.0,) * 5, centre_px=((bent.size_px[0] - 1) / 2, (bent.size_px[1] - 1) / 2))
    truth = laid(rng)
    room.prepare(rng, SAMPLES, threads)
    light = light_of(*room.light_up(rng))
    surface = Ground(str(rng.choice(SURFACES)), False, int(rng.integers(1000)))
    room.ground(paint.printed(table_top(surface.surface, surface.seed), 0.8), TABLE_REACH_MM)
    look_through(camera)
    stood = [figure_of(one) for one in truth.figures]
    lying, reserve = stood[:-RESERVE], stood[-RESERVE:]
    things = [hidden_by(outline + np.array(TABLE_MM) / 2, height, camera) for _, outline, height in truth.footprints]
    play = SolidPlay(rng, seats(rng), {one.id: one for one in lying}, [], reserve=list(reserve), things=things)  # type: ignore[arg-type]
    do(play, DEEDS, deeds)
    _without(play.reserve)
    brought = [one for one in reserve if one not in play.reserve]
    colours = sorted({one.owner for one in [*lying, *brought]} & OWNERS)
    game = "osmcg" if all(one.kind == "base" for one in lying) else "omog"
    setup, sensor = setup_text(camera, colours, game), moving(sensor_for(look, rng))
    pieces: Any = tuple(lying)
    return DrawnMatch(f"{name}-{look}", look, camera, surface, light, sensor, pieces, play, setup), brought


def _without(never_brought: list[Figure]) -> None:
    """Takes their models away."""
    for one in never_brought:
        for thing in objects_of(one.number):
            bpy.data.objects.remove(thing)


def laid(rng: np.random.Generator) -> layout.Truth:
    """Tables until one has figures enough, soldiers of colours that players may have or miniatures alone; without the
    hand that stills may have."""
    while True:
        figures.clear()
        truth = layout.lay(rng, (TABLE_MM[0] - 80, TABLE_MM[1] - 80), crowd=2)
        for thing in objects_of(HAND_INDEX):
            bpy.data.objects.remove(thing)
        bases = [FIGURES[one.kind] == "base" for one in truth.figures]
        soldiers = not any(bases) and all(one.colour in OWNERS for one in truth.figures)
        if (all(bases) or soldiers) and len(truth.figures) >= FEWEST + RESERVE:
            return truth


def objects_of(number: int) -> list[object]:
    """The meshes with that number."""
    return [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.pass_index == number]


def figure_of(one: layout.Figure) -> Figure:
    """As the film moves it."""
    bpy.context.view_layer.update()
    x, y = one.at + np.array(TABLE_MM) / 2
    tops = [
        (thing.matrix_world @ corner).z for thing in objects_of(one.number) for corner in map(Vector, thing.bound_box)
    ]
    cls = FIGURES[one.kind]
    return Figure(
        f"s{one.number}",
        cls,
        (round(float(x), 2), round(float(y), 2)),
        one.number,
        one.radius,
        max(tops) - one.elevation,
        "unknown" if cls == "base" else one.colour,
        round(math.degrees(one.facing) % 360, 1),
        one.elevation,
    )


def light_of(lamp: Lamp, around: Room) -> Light:
    """The renderer's lamp for the hands that are drawn over its pictures."""
    x, y, z = lamp.towards
    share = lamp.level / (lamp.level + around.level)
    elevation = math.degrees(math.asin(z))
    spread = math.degrees(lamp.width) / 2
    return Light(math.degrees(math.atan2(y, x)), elevation, spread, 0.95 * share, 0.95 * (1 - share), falloff_per_m=0.0)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deeds", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for number in range(args.count):
        if not list(args.out.glob(f"match-{number:03d}-*.mp4")):
            write_match(number, args.seed, args.out, args.deeds, args.threads)


if __name__ == "__main__":
    main()
