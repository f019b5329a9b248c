"""Yes, no, close (C3.2) and compounds (C3.4)."""

import pytest

from rules.margin import Margin, all_of, any_of, at_least, at_most, pair_sigma_mm


@pytest.mark.parametrize(
    ("distance", "limit", "sigma", "verdict"),
    [
        (10, 10, 0, "yes"),
        (10.001, 10, 0, "no"),
        (9.4, 10, 0.2, "yes"),
        (9.5, 10, 0.2, "close"),
        (10.6, 10, 0.2, "close"),
        (10.7, 10, 0.2, "no"),
    ],
)
def test_verdict(distance: float, limit: float, sigma: float, verdict: str) -> None:
    assert at_most(distance, limit, sigma).verdict == verdict


def test_at_least_is_the_mirror() -> None:
    assert at_least(25, 24.5).margin_mm == pytest.approx(0.5)


def test_compounds_take_the_deciding_margin() -> None:
    yes, no, close = Margin(5, 0.1), Margin(-5, 0.1), Margin(0.1, 0.1)
    assert all_of([yes, close]) == close
    assert all_of([yes, close, no]) == no
    assert any_of([no, close]) == close
    assert any_of([no, close, yes]) == yes


@pytest.mark.parametrize(
    ("margins", "both", "either"),
    [
        ((0.1, 0.2), "close", "yes"),
        ((0.1, -0.2), "close", "close"),
        ((-0.1, -0.2), "no", "close"),
        ((0.1, -5.0), "no", "close"),
        ((-0.1, 5.0), "close", "yes"),
    ],
)
def test_two_that_are_close_are_what_moving_any_one_of_them_makes(
    margins: tuple[float, float], both: str, either: str
) -> None:
    """C3.4: a sigma of 0.1 makes a band of 0.3; each distance is moved there by itself."""
    told = [Margin(margin_mm, 0.1) for margin_mm in margins]
    for place in range(2):
        for by_mm in (-0.3, 0.3):
            moved = [mm + by_mm * (number == place) >= 0 for number, mm in enumerate(margins)]
            nominal = [mm >= 0 for mm in margins]
            both_turned, either_turned = all(moved) != all(nominal), any(moved) != any(nominal)
            assert not both_turned or both == "close"
            assert not either_turned or either == "close"
    assert (all_of(told).verdict, any_of(told).verdict) == (both, either)
    assert (all_of(told).margin_mm >= 0, any_of(told).margin_mm >= 0) == (min(margins) >= 0, max(margins) >= 0)


def test_pair_sigma() -> None:
    assert pair_sigma_mm(3, 4) == 5
