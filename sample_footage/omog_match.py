"""The sample match of OMOG, filmed: green men, a horseman and a gun against blue ones behind a wall of pencils.

    python -m sample_footage.omog_match --out sample_footage/omog [--samples 24] [--threads 1]

Needs what `models/render_solids.py` needs; some ten minutes. Figures and household things are modelled and rendered as
those of the stills are (`solid_pictures.py`), the hands are drawn over them.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np

from models.training.rendered import figures, household, mesh, paint, room
from models.training.rendered.crowds import FOOT, GUN, MOUNTED
from models.training.rendered.layout import Figure as Stood
from models.training.rendered.measures import TERRAIN_INDEX
from sample_footage.camera import looking_at
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals
from sample_footage.figure import Figure
from sample_footage.film import Film
from sample_footage.gesture import Gesture
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.light import Light
from sample_footage.match_clip import match_events, match_frames, results
from sample_footage.match_script import ANN, BEN, Act, gestures
from sample_footage.sensor import Sensor
from sample_footage.setup_file import write_whole
from sample_footage.solid_film import SolidDrawn, SolidView
from sample_footage.solid_match import figure_of, light_of
from sample_footage.solid_pictures import TABLE_MM, look_through, setup_text
from sample_footage.solid_table import SolidTable

SEED = 1914
FPS = 25
TALL_MM = 54.0
COLOURS = ("green", "blue")
GREEN, BLUE = (replace(seat, colour=colour) for seat, colour in zip((ANN, BEN), COLOURS, strict=True))
# A camera that has no bend, as the renderer's has none.
CAMERA = looking_at((350, 228, 0), 720, 54, focal_px=1480.0)
SENSOR = Sensor(exposure=1.0, blur_px=0.5, noise_fixed=1.0, noise_moving=0.5)


@dataclass(frozen=True)
class Man:
    """Who stands where (mm, deg), of `models.solids.FIGURES`, and how high."""

    id: str
    kind: int
    colour: str
    at_mm: tuple[float, float]
    facing_deg: float
    pose: str = "march"
    low_mm: float = 0.0


MEN = (
    Man("green-1", FOOT, "green", (205.0, 175.0), 45, "aim"),
    Man("green-2", FOOT, "green", (262.0, 140.0), 50, "march"),
    Man("green-3", FOOT, "green", (330.0, 120.0), 60, "charge"),
    Man("green-horse", MOUNTED, "green", (110.0, 215.0), 20),
    Man("green-gun", GUN, "green", (205.0, 70.0), 45),
    Man("blue-1", FOOT, "blue", (436.0, 402.0), 235, "aim"),
    Man("blue-2", FOOT, "blue", (492.0, 410.0), 240, "kneel"),
    Man("blue-3", FOOT, "blue", (548.0, 398.0), 230, "aim"),
    Man("blue-4", FOOT, "blue", (580.0, 165.0), 175, "aim", 32.0),
    Man("blue-horse", MOUNTED, "blue", (640.0, 335.0), 215),
)

# Household things: how they are made, with which seed, where, turned how far.
THINGS = (
    (household.mug, 0, (338.0, 320.0), 200.0),
    (household.napkin, 2, (165.0, 380.0), 12.0),
    (household.pencils, 11, (492.0, 352.0), 4.0),
    (household.book, 9, (592.0, 148.0), 68.0),
)

ACTS = (
    Act(3.0, 1, GREEN, "green-1", (258.0, 240.0), "yes", "OMOG-2.5", "84 mm of 101.6 in the open"),
    Act(10.0, 1, GREEN, "green-horse", (232.0, 272.0), "yes", "OMOG-2.5", "135 mm of 152.4 in the open"),
    Act(17.5, 1, GREEN, "green-3", (420.0, 225.0), "no", "OMOG-2.5", "138 mm, farther than the 101.6 in the open"),
    Act(24.5, 1, GREEN, "green-3", (330.0, 120.0), "yes", "C4.8", "put back to where it came from"),
    Act(31.0, 1, GREEN, "green-3", (378.0, 190.0), "yes", "OMOG-2.5", "85 mm of 101.6 in the open"),
)
HOVER_S = 37.5
DURATION_S = 43.0


def stood(rng: np.random.Generator) -> list[Figure]:
    """The men, modelled in Blender and put on the table."""
    plastics = {colour: paint.material(np.array(paint.ARMY_RGB[colour]), 0.45, 0.2, 2.5) for colour in COLOURS}
    return [_put(man, number, plastics[man.colour], rng) for number, man in enumerate(MEN, 1)]


def _put(man: Man, number: int, plastic: object, rng: np.random.Generator) -> Figure:
    if man.kind == FOOT:
        things, radius = figures.foot(rng, plastic, TALL_MM, (man.pose,))
    else:
        things, radius = (figures.mounted, figures.gun)[man.kind - 1](rng, plastic, TALL_MM)
    at, facing = np.array(man.at_mm) - np.array(TABLE_MM) / 2, math.radians(man.facing_deg)
    for thing in things:
        thing.location[2] += man.low_mm
    mesh.place(things, at, facing, number)
    return replace(figure_of(Stood(man.kind, at, facing, radius, man.low_mm, man.colour, number)), id=man.id)


def furnish() -> None:
    """Mug, napkin, pencils and book."""
    for make, seed, at_mm, turn_deg in THINGS:
        things, _ = make(np.random.default_rng(seed))
        mesh.place(things, np.array(at_mm) - np.array(TABLE_MM) / 2, math.radians(turn_deg), TERRAIN_INDEX)


def table(samples: int, threads: int) -> tuple[SolidTable, Light, list[Figure]]:
    """The table with all that is on it, and its light."""
    rng = np.random.default_rng(SEED)
    figures.clear()
    men = stood(rng)
    furnish()
    room.prepare(rng, samples, threads)
    light = light_of(*room.light_up(rng))
    room.ground(paint.printed(table_top("oak", SEED), 0.8), TABLE_REACH_MM)
    look_through(CAMERA)
    return SolidTable(CAMERA, men), light, men


def write_match(out: Path, samples: int, threads: int) -> None:
    """match.mp4, setup.toml and truth.json."""
    shot, light, men = table(samples, threads)
    reaches = gestures(ACTS, tuple(men))  # type: ignore[arg-type]
    hover = Gesture(BLUE, HOVER_S, men[7], None, holds=False, hover_s=1.2)  # type: ignore[arg-type]
    cuts = intervals(men, reaches, results(reaches, ACTS), DURATION_S)  # type: ignore[arg-type]
    write_whole(out / "setup.toml", setup_text(CAMERA, list(COLOURS), "omog"))
    truth = clip_truth(
        "match.mp4",
        "setup.toml",
        DURATION_S,
        FPS,
        men,  # type: ignore[arg-type]
        cuts,
        [*reaches, hover],
        match_events(reaches, ACTS),
        [],
        [(0.0, DURATION_S, CAMERA)],
    )
    write_whole(out / "truth.json", json.dumps(truth, indent=1) + "\n")
    film = Film(SolidView(CAMERA, light, shot), SENSOR, drawn=SolidDrawn(shot, ()))
    frames = match_frames(film, cuts, [*reaches, hover], round(DURATION_S * FPS), FPS)
    write_clip(out / "match.mp4", frames, FPS)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    write_match(args.out, args.samples, args.threads)


if __name__ == "__main__":
    main()
