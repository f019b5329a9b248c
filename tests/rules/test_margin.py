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


def test_pair_sigma() -> None:
    assert pair_sigma_mm(3, 4) == 5
