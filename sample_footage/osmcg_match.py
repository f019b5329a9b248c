"""The sample match of OSMCG, filmed: two warbands on bases, red rims from the left and blue ones from the right.

    python -m sample_footage.osmcg_match --out sample_footage/osmcg [--samples 24] [--threads 1]

Needs what `models/render_solids.py` needs; a quarter of an hour. Figures and household things are modelled and rendered
as those of the stills are (`solid_pictures.py`), the hands are drawn over them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from models.training.rendered import figures, household, paint
from models.training.rendered.crowds import BASE
from sample_footage.match_script import ANN, BEN, Act
from sample_footage.solid_sample import Man, SolidSample, run

if TYPE_CHECKING:
    from sample_footage.solid_sample import Built

RIM_RGB = {"red": (0.5, 0.02, 0.02), "blue": (0.02, 0.08, 0.45)}

MEN = (
    Man("red-hero", BASE, "red", (100.0, 425.0), -20, seed=0),
    Man("red-elf", BASE, "red", (75.0, 330.0), 0, seed=30),
    Man("red-scout", BASE, "red", (120.0, 215.0), 0, seed=4),
    Man("red-bow", BASE, "red", (58.0, 245.0), 0, seed=8),
    Man("red-beast", BASE, "red", (90.0, 100.0), 25, seed=2),
    Man("blue-hero", BASE, "blue", (615.0, 405.0), 190, seed=10),
    Man("blue-guard", BASE, "blue", (640.0, 325.0), 180, seed=5),
    Man("blue-troll", BASE, "blue", (572.0, 262.0), 200, seed=20),
    Man("blue-spear", BASE, "blue", (650.0, 190.0), 180, seed=21),
    Man("blue-runner", BASE, "blue", (556.0, 120.0), 180, seed=11),
)

# How they are made, with which seed, where, turned how far.
THINGS = (
    (household.book, 3, (245.0, 215.0), 80.0),
    (household.mug, 9, (335.0, 405.0), 140.0),
    (household.box, 6, (470.0, 345.0), 0.0),
    (household.napkin, 3, (452.0, 98.0), 12.0),
)

ACTS = (
    Act(3.0, 1, ANN, "red-hero", (177.0, 372.0), "yes", "OSMCG-2.1", "93 mm of 127: one action point"),
    Act(8.8, 1, BEN, "blue-troll", (352.0, 252.0), "yes", "OSMCG-2.1", "220 mm of 254: two action points"),
    Act(16.3, 1, ANN, "red-scout", (350.0, 190.0), "no", "OSMCG-2.1", "231 mm over the book, 290 around it, of 254"),
    Act(24.0, 1, ANN, "red-scout", (120.0, 215.0), "yes", "C4.8", "put back to where it came from"),
    Act(31.7, 1, ANN, "red-scout", (300.0, 95.0), "yes", "OSMCG-2.1", "225 mm of 254 around the book"),
    Act(39.2, 1, BEN, "blue-runner", (332.4, 96.0), "yes", "OSMCG-2.1", "228 mm of 254, into contact"),
    Act(47.2, 1, ANN, "red-scout", None, "yes", "OSMCG-3.3", "it fell, and Ann takes it off"),
)


def miniature(man: Man, _: np.random.Generator) -> Built:
    """The miniature of that seed, its rim in its side's colour."""
    things, radius = figures.miniature(np.random.default_rng(man.seed))
    things[0].data.materials[0] = paint.material(np.array(RIM_RGB[man.colour]), 0.5)  # type: ignore[attr-defined]
    return things, radius


OSMCG_MATCH = SolidSample(
    "osmcg",
    2045,
    "green-cloth",
    ("red", "blue"),
    MEN,
    miniature,
    THINGS,
    ACTS,
    hover=None,
    duration_s=53.5,
    crf=27,
)


if __name__ == "__main__":
    run(OSMCG_MATCH, __doc__)
