"""How many of the guesses a fit follows to their end."""

import numpy as np
import pytest

from calibration.bundle import fit_bundle
from calibration.correspondence import Correspondences
from calibration.first_guesses import first_guesses
from calibration.lens import Lens
from calibration.problem import Problem
from calibration.seen import Seen
from tests.calibration.simulation import DETECTION_PX, MARKERS, SIZE
from tests.calibration.table_picture import a_camera


def seen_markers():
    mm, sources = MARKERS
    px = a_camera(50, 900).to_image(mm) + np.random.default_rng(0).normal(0, DETECTION_PX, mm.shape)
    return Seen(Correspondences.of(px, mm, sources, DETECTION_PX))


@pytest.fixture
def followed(monkeypatch):
    """The costs of what was followed to its end, in the order in which it was."""
    costs, solved = [], Problem.solved

    def counted(problem, guess, *most_steps):
        solution = solved(problem, guess, *most_steps)
        if not most_steps:
            costs.append(solution.cost)
        return solution

    monkeypatch.setattr(Problem, "solved", counted)
    return costs


def test_where_two_guesses_lead_to_one_place_the_farther_ones_are_not_followed(followed):
    seen, lens = seen_markers(), Lens.unknown(SIZE)
    guesses = first_guesses(seen, lens)
    fit = fit_bundle(seen, lens, guesses)
    assert len(guesses) > 2 and len(followed) == 2
    assert fit.cost == pytest.approx(min(Problem.of(seen, lens).solved(guess).cost for guess in guesses), rel=1e-6)


def test_where_the_picture_was_cut_out_each_is_followed(followed):
    seen, lens = seen_markers(), Lens.unknown(SIZE).cut_out()
    guesses = first_guesses(seen, lens)
    fit = fit_bundle(seen, lens, guesses)
    assert len(followed) == len(guesses) and fit.cost == min(followed)


def test_where_two_lead_to_unlike_places_each_is_followed(followed, monkeypatch):
    monkeypatch.setattr("calibration.bundle._SAME_SHARE", -1.0)
    seen, lens = seen_markers(), Lens.unknown(SIZE)
    guesses = first_guesses(seen, lens)
    assert fit_bundle(seen, lens, guesses).cost == min(followed) and len(followed) == len(guesses)
