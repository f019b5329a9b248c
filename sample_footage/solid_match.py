"""Matches with toy soldiers and miniatures among household things, rendered by Blender's Cycles, with truth.

    python -m sample_footage.solid_match --out DIR --count 2 --seed 1 [--deeds 6] [--threads 1]

Needs what `models/render_solids.py` needs; five to ten minutes a clip. Hands move figures, slide them, take one and
move on to its place, bring new ones, push one aside with the sleeve, hover, and reach in from both sides. Where figures
were moved the table is rendered anew, with their shadows; hands and what they hold are drawn over it. Scored by
`python -m benchmarks.matches DIR --within 10`.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, field, replace
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from shapely import Point, Polygon

from models.solids import FIGURES
from models.training.rendered import figures, layout, paint, room
from models.training.rendered.measures import HAND_INDEX
from models.training.rendered.shadows import Lamp, Room
from sample_footage.camera import Camera
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals_between
from sample_footage.drawn_match import FPS, LAST_S, do, moving, seats
from sample_footage.figure import Figure
from sample_footage.film import Film
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.light import Light
from sample_footage.match_clip import match_frames
from sample_footage.play import Play
from sample_footage.setup_file import write_whole
from sample_footage.solid_film import SolidDrawn, SolidView
from sample_footage.solid_pictures import LOOKS, OWNERS, SAMPLES, SURFACES, TABLE_MM, look_through, setup_text
from sample_footage.solid_table import SolidTable
from sample_footage.still_pictures import camera_for, sensor_for

# Between bases, and from a base to a thing.
GAP_MM, BESIDE_MM, EDGE_MM = 4.0, 8.0, 30.0
FEWEST = 4
# Kept back, to be brought.
RESERVE = 2


@dataclass
class SolidPlay(Play):
    """Hands among figures: places are free of figures and of household things."""

    reserve: list[Figure] = field(default_factory=list)
    things: list[Polygon] = field(default_factory=list)

    @property
    def coins(self) -> list[Figure]:  # type: ignore[override]
        """All that stands."""
        return list(self.lying.values())  # type: ignore[arg-type]

    def bring(self) -> None:
        """A figure of the reserve comes on to the table."""
        if self.reserve:
            seat, figure = self._seat(), self.reserve.pop()
            self._bring(figure, self._free_place(figure), seat)  # type: ignore[arg-type]

    def _free_place(self, figure: Figure) -> tuple[float, float]:  # type: ignore[override]
        for _ in range(500):
            x, y = (round(float(self.rng.uniform(EDGE_MM, side - EDGE_MM)), 2) for side in TABLE_MM)
            if self._is_free(figure, (x, y)) and math.dist((x, y), figure.position_mm) > 2 * figure.radius_mm:
                return x, y
        return figure.position_mm

    def _is_free(self, figure: Figure, at_mm: tuple[float, float]) -> bool:  # type: ignore[override]
        others = [one for one in self.coins if one.id != figure.id]
        clear = all(math.dist(at_mm, one.position_mm) > figure.radius_mm + one.radius_mm + GAP_MM for one in others)
        disc = Point(at_mm).buffer(figure.radius_mm + BESIDE_MM)
        return clear and not any(disc.intersects(thing) for thing in self.things)


DEEDS = (
    (Play.move, 0.4),
    (Play.slide, 0.14),
    (Play.take, 0.14),
    (SolidPlay.bring, 0.1),
    (Play.brush, 0.08),
    (Play.hover, 0.07),
    (Play.both, 0.07),
)


def write_match(number: int, seed: int, out: Path, deeds: int, threads: int) -> None:
    """Clip, truth and set-up; the clip last."""
    rng = np.random.default_rng([seed, number, 11])
    look = LOOKS[number % len(LOOKS)]
    camera, light, stood, play = played(look, rng, deeds, threads)
    name = f"match-{number:03d}-{look}"
    colours = sorted({one.owner for one in stood} & OWNERS)
    game = "osmcg" if all(one.kind == "base" for one in stood) else "omog"
    write_whole(out / f"{name}.setup.toml", setup_text(camera, colours, game))
    duration_s = max(reach.end_s for reach in play.reaches) + LAST_S
    brought = [change.after for change in play.changes if change.before is None and change.after is not None]
    lying = [one for one in stood if one.id not in {new.id for new in brought}]
    cuts = intervals_between(lying, play.changes, duration_s)  # type: ignore[arg-type]
    truth = clip_truth(
        f"{name}.mp4",
        f"{name}.setup.toml",
        duration_s,
        FPS,
        [*lying, *brought],  # type: ignore[list-item]
        cuts,
        play.reaches,
        [change.record for change in sorted(play.changes, key=lambda change: change.put_s)],
        [],
        [(0.0, duration_s, camera)],
    )
    write_whole(out / f"{name}.truth.json", json.dumps(truth, indent=1) + "\n")
    table = SolidTable(camera, (TABLE_MM[0] / 2, TABLE_MM[1] / 2), stood)
    table.show(lying)
    drawn = SolidDrawn(table, brought)  # type: ignore[arg-type]
    film = Film(SolidView(camera, light, table), moving(sensor_for(look, rng)), drawn=drawn)
    count = round(duration_s * FPS)
    frames = match_frames(film, cuts, play.reaches, count, FPS)
    write_clip(out / f"{name}.mp4", frames, FPS, crf=22, preset="veryfast")


def played(
    look: str, rng: np.random.Generator, deeds: int, threads: int
) -> tuple[Camera, Light, list[Figure], SolidPlay]:
    """The table, laid in Blender, and what hands do there."""
    bent = camera_for(look, rng)
    camera = replace(bent, distortion=(0.0,) * 5, centre_px=((bent.size_px[0] - 1) / 2, (bent.size_px[1] - 1) / 2))
    truth = laid(rng)
    room.prepare(rng, SAMPLES, threads)
    light = light_of(*room.light_up(rng))
    room.ground(paint.printed(table_top(str(rng.choice(SURFACES)), int(rng.integers(1000))), 0.8), TABLE_REACH_MM)
    look_through(camera)
    stood = [figure_of(one) for one in truth.figures]
    held_back = stood[len(stood) - RESERVE :]
    things = [Polygon(outline + np.array(TABLE_MM) / 2) for _, outline, _ in truth.footprints]
    standing = {one.id: one for one in stood[: len(stood) - RESERVE]}
    play = SolidPlay(rng, seats(rng), standing, [], reserve=held_back, things=things)  # type: ignore[arg-type]
    do(play, DEEDS, deeds)
    unused = {one.id for one in play.reserve}
    for one in play.reserve:
        for thing in objects_of(one.number):
            bpy.data.objects.remove(thing)
    return camera, light, [one for one in stood if one.id not in unused], play


def laid(rng: np.random.Generator) -> layout.Truth:
    """Tables until one has figures enough, of colours that players may have; without the hand that stills may have."""
    while True:
        figures.clear()
        truth = layout.lay(rng, (TABLE_MM[0] - 80, TABLE_MM[1] - 80), crowd=2)
        for thing in objects_of(HAND_INDEX):
            bpy.data.objects.remove(thing)
        known = all(one.colour in OWNERS or FIGURES[one.kind] == "base" for one in truth.figures)
        if known and len(truth.figures) >= FEWEST + RESERVE:
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
