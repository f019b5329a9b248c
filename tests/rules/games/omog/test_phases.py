"""A phase tells its own rulings and the status ones, whatever was ruled in the phase before."""

import importlib
import random

import pytest

from rules.games.omog import GAME
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.clock import PHASES
from rules.state import State
from tests.rules.games.figures import a_setup, a_step, a_table, forget
from tests.rules.games.omog.builders import a_man, known_of, ruled

PARTS = importlib.import_module("rules.games.omog.rulings")._PARTS
STATUS = ("engaged", "cohesion", "control", "economy")


def everything(scene, state):
    """The rulings of all parts, whatever the phase."""
    field = Battlefield(scene, a_setup("omog"), state)
    return [ruling for _, part in PARTS for ruling in part(field)]


def crowded(seed):
    """A table on which two enemies touch, one army has an objective and all have teams."""
    scene = a_table("omog", seed, figures=10)
    x, y = scene["u0"].position_mm
    men = [a_man("foe", x + 25.0, y, "blue"), a_man("g", x, y - 60.0, arm="gun")]
    return type(scene)(scene.table_size_mm, (*scene.pieces, *men))


def a_state(phase):
    pieces = {f"u{number}": {"team": "AB"[number % 2]} for number in range(10)}
    objectives = [{"name": "well", "position_mm": [280, 240], "radius_mm": 150}]
    return State(phase=phase, pieces=pieces, counters={"objectives": objectives})


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_tells_its_own_and_the_status(phase, seed):
    scene, state = crowded(seed), a_state(phase)
    told = [one for one in everything(scene, state) if one.kind in STATUS or one.extra["phase"] == phase]
    assert list(GAME.rulings(scene, a_setup("omog"), state, None)) == told
    kinds = {one.kind for one in told}
    assert {"engaged", "cohesion", "control"} <= kinds
    assert kinds & {"reach", "target", "template", "melee"} == {
        "move-1": {"reach"}, "move-2": {"reach"}, "fire": {"target", "template"}, "melee": {"melee"},
    }[phase]  # fmt: skip


@pytest.mark.parametrize("seed", [4, 5])
def test_kept_from_phase_to_phase(seed):
    """To the last bit as from nothing, though the rulings of other phases waited while men moved."""
    rng, cases, scene = random.Random(seed), [], crowded(seed)
    for step, phase in enumerate(("move-1", "move-1", "fire", "move-2", None, "fire", "melee", "move-1")):
        scene = a_step(scene, f"u{(3 * step + seed) % 8}", rng)
        cases.append((scene, a_state(phase)))
    forget()
    kept = [GAME.rulings(*case[:1], a_setup("omog"), case[1], None) for case in cases]
    for (one, state), rulings in zip(cases, kept, strict=True):
        forget()
        assert GAME.rulings(one, a_setup("omog"), state, None) == rulings


@pytest.mark.parametrize("phase", [None, *PHASES])
def test_a_weapon_that_nobody_has_is_told_in_every_phase(phase):
    state = State(phase=phase, pieces=known_of(r={"weapon": "musket"}).pieces)
    with pytest.raises(ValueError, match=r"pieces\.r\.weapon: OMOG has no weapon 'musket'"):
        ruled(a_man("r", 300, 300), a_man("b", 500, 300, "blue"), state=state)
