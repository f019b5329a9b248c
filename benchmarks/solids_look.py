"""What looks at a table of soldiers and household terrain cost, stage by stage.

    .venv/bin/python -m benchmarks.solids_look [FOLDER]

Each picture of FOLDER (sample_footage/solids) with fresh noise is looked at six times through `SolidMemory`: the first
time under a new camera, then three times more, as looks are agreed into one, then twice with nothing new; and once
more after a soldier's place was painted over. CPU ms of the one thread it runs in, by stage for the first look and the
next; the mean of the pictures. OpenCV on one thread. Beside it, how much of the table the net of figures was asked for.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import vision.detect.solid.solids
import vision.detect.solid.survey
import vision.metric.heat
from benchmarks.arguments import existing
from benchmarks.look import net_stage, noisy
from benchmarks.stage_clock import Name, StageClock
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.detect.solid.solids import EDGES_PX_PER_MM, SolidMemory
from vision.frame import ImageBgr
from vision.metric.topview import TopView
from vision.stream.picture import read_picture

SAMPLES = Path(__file__).parents[1] / "sample_footage" / "solids"
TABLE_MM = (700.0, 500.0)
LOOKS = ("a new camera", "next", "next", "next", "unchanged", "unchanged", "a place changed")
STAGES: tuple[tuple[Any, str], ...] = (
    (vision.metric.heat, "_whole"),
    (vision.detect.solid.survey.Survey, "of"),
    (vision.detect.solid.survey.Survey, "_glance"),
    (vision.detect.solid.solids, "stitched"),
    (vision.detect.solid.solids.GatheredMemory, "of"),
    (vision.detect.solid.solids.VesselMemory, "of"),
    (vision.detect.solid.solids.TerrainMemory, "measured"),
    (vision.detect.solid.solids, "find_figures"),
)
NAMES: dict[str, Name] = {
    "_whole": net_stage,
    "_glance": "views",
    "measured": "terrain measured",
    "find_figures": "figures",
}
# A soldier's size in a picture of the samples.
PATCH_PX = 60


def frames(image_bgr: ImageBgr, at_px: tuple[float, float], rng: np.random.Generator) -> list[ImageBgr]:
    """The picture for each of LOOKS; in the last the place is painted over."""
    painted = image_bgr.copy()
    u, v = (int(each) for each in at_px)
    window = painted[max(0, v - PATCH_PX) : v + PATCH_PX // 2, max(0, u - PATCH_PX // 2) : u + PATCH_PX // 2]
    window[:] = window[0, 0]
    return [noisy(each, rng).image_bgr for each in (image_bgr,) * (len(LOOKS) - 1) + (painted,)]


def stage_of(owner: Any, name: str) -> Name:
    """What a stage is called in the table."""
    return NAMES.get(name, f"{owner.__name__} {name}" if name == "of" else name)


def one(path: Path, rng: np.random.Generator) -> tuple[list[float], list[Counter[str]], float]:
    """CPU ms of each look at a picture, of its stages, and the share of the closer views that was asked for."""
    frame, setup = read_picture(path), read_setup(path.with_suffix(".setup.toml"))
    plane = plane_for(setup, frame)
    view = TopView.of_table(plane, TABLE_MM, EDGES_PX_PER_MM, 0.0, 0.0, 8)
    memory, spent, stages = SolidMemory(), [], []
    told = [found for found in SolidMemory().look(frame.image_bgr, plane, view) if not found.faint]
    figures = [found for found in told if found.kind != "terrain"]
    for image in frames(frame.image_bgr, figures[0].image_px if figures else (960.0, 540.0), rng):
        clock = StageClock()
        with clock.counting((owner, name, stage_of(owner, name)) for owner, name in STAGES):
            started = time.thread_time()
            memory.look(image, plane, view)
        spent.append(1e3 * (time.thread_time() - started))
        stages.append(Counter(clock.spent))
    pieces = memory._for_figures._pieces
    whole = sum(width * height for piece, _ in pieces for width, height in [piece.size_px])
    return spent, stages, sum(heat.computed_px for _, heat in pieces) / (len(LOOKS) - 3) / whole


def main() -> None:
    """Print what looks take, in CPU ms."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=existing, nargs="?", default=SAMPLES)
    rng = np.random.default_rng(61)
    cv2.setNumThreads(1)
    paths = sorted(options.parse_args().folder.glob("*.jpg"))
    one(paths[0], rng)
    seen = [one(path, rng) for path in paths]
    print(
        f"{len(paths)} pictures; the net of figures was asked for {np.mean([asked for *_, asked in seen]):.0%} a look"
    )
    for number, name in enumerate(LOOKS):
        spent = [each[0][number] for each in seen]
        print(f"{name:20} mean {np.mean(spent):6.0f}   least {min(spent):6.0f}   most {max(spent):6.0f}")
    for number in (0, 1):
        total = sum((each[1][number] for each in seen), Counter())
        print(f"{LOOKS[number]}: " + ", ".join(f"{name} {ms / len(seen):.0f}" for name, ms in total.most_common()))


if __name__ == "__main__":
    main()
