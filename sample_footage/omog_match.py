"""The sample match of OMOG, filmed: green men, a horseman and a gun against blue ones behind a wall of pencils.

    python -m sample_footage.omog_match --out sample_footage/omog [--samples 24] [--threads 1]

Needs what `models/render_solids.py` needs; some ten minutes. Figures and household things are modelled and rendered as
those of the stills are (`solid_pictures.py`), the hands are drawn over them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from models.training.rendered import figures, household, paint
from models.training.rendered.crowds import FOOT, GUN, MOUNTED
from sample_footage.match_script import ANN, BEN, Act
from sample_footage.solid_sample import Man, SolidSample, run

if TYPE_CHECKING:
    from sample_footage.solid_sample import Built

TALL_MM = 54.0
COLOURS = ("green", "blue")
GREEN, BLUE = (replace(seat, colour=colour) for seat, colour in zip((ANN, BEN), COLOURS, strict=True))

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

# How they are made, with which seed, where, turned how far.
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


def plastic_man(man: Man, rng: np.random.Generator) -> Built:
    """A man, a horseman or a gun of his army's plastic."""
    if man.kind == FOOT:
        return figures.foot(rng, _plastic(man.colour), TALL_MM, (man.pose,))
    return (figures.mounted, figures.gun)[man.kind - 1](rng, _plastic(man.colour), TALL_MM)


@cache
def _plastic(colour: str) -> object:
    return paint.material(np.array(paint.ARMY_RGB[colour]), 0.45, 0.2, 2.5)


OMOG_MATCH = SolidSample(
    "omog", 1914, "oak", COLOURS, MEN, plastic_man, THINGS, ACTS, hover=(BLUE, "blue-3", 37.5), duration_s=43.0
)


if __name__ == "__main__":
    run(OMOG_MATCH, __doc__)
