"""How many of the guesses a fit follows to their end."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit.bundle import fit_bundle
from calibration.fit.correspondence import Correspondences
from calibration.fit.first_guesses import first_guesses
from calibration.fit.problem import Problem
from calibration.fit.seen import Seen
from calibration.lens import Lens
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
    monkeypatch.setattr("calibration.fit.bundle._SAME_SHARE", -1.0)
    seen, lens = seen_markers(), Lens.unknown(SIZE)
    guesses = first_guesses(seen, lens)
    assert fit_bundle(seen, lens, guesses).cost == min(followed) and len(followed) == len(guesses)


def test_what_a_camera_errs_by_is_reckoned_once_and_only_where_it_is_asked_for(monkeypatch):
    reckoned, reckon = [], Problem.camera_covariance
    monkeypatch.setattr(Problem, "camera_covariance", lambda *asked: reckoned.append(asked) or reckon(*asked))
    seen, lens = seen_markers(), Lens.unknown(SIZE)
    fit = fit_bundle(seen, lens, first_guesses(seen, lens))
    assert not reckoned
    for each in (fit, replace(fit, ambiguous=True)):
        assert each.covariance.shape == (15, 15)
    assert len(reckoned) == 1
